"""Signals that want a server to end."""

from __future__ import annotations

import asyncio
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def first_signal() -> Iterator[asyncio.Future[int]]:
    """A future that gets the number of the first signal that comes during the block. A signal that is ignored, as by nohup(1),
    stays ignored.
    """
    loop = asyncio.get_running_loop()
    first: asyncio.Future[int] = loop.create_future()
    kept = {number: handler for number in SIGNALS if (handler := signal.getsignal(number)) != signal.SIG_IGN}
    try:
        for number in kept:
            loop.add_signal_handler(number, _came, first, number)
        yield first
    finally:
        for number, handler in kept.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _came(first: asyncio.Future[int], number: int) -> None:
    if not first.done():
        first.set_result(number)

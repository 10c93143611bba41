"""Says on a terminal what a command waits for, such as an MCP server that takes long to start."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SOON = 1.0  # seconds before one who sits at a terminal is told


def show_waiting(subcommand: str | None) -> None:
    """Write to standard error what is waited for, if that is a terminal and the subcommand does not draw on it."""
    if subcommand == "tui" or not sys.stderr.isatty():
        return
    import logging

    from bashkit.cli.terminal_text import formatter
    from bashkit.toolset.source import WAITING

    logger = logging.getLogger(WAITING)
    handler = logging.StreamHandler()
    handler.setFormatter(formatter("bashkit: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Say on a terminal what is waited for, if it takes longer than a second."""
    if not sys.stderr.isatty():
        yield
        return
    import logging
    from threading import Timer

    from bashkit.toolset.source import WAITING

    timer = Timer(_SOON, logging.getLogger(WAITING).info, ("waiting for %s", what))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

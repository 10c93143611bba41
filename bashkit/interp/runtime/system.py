"""The machine that a script believes it runs on."""

from __future__ import annotations

import math
import time
from random import Random
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar

from bashkit.fs.inodes import Fifo
from bashkit.fs.memory import call_here
from bashkit.interp.runtime import host_calls
from bashkit.interp.runtime.pipes import open_fifo
from bashkit.interp.runtime.zones import zone

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import tzinfo

    from bashkit.fs import Stream, VirtualFileSystem
    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.runtime.locks import FileLocks
    from bashkit.network import NetworkPolicy
    from bashkit.network.client import Request, Response

T = TypeVar("T")


class VirtualSystem:
    """Clock, names and random numbers of one session.

    Args:
        username: What ``whoami`` says.
        hostname: What ``hostname`` says.
        clock: Seconds since the epoch.
        seed: Makes ``$RANDOM`` and its kin repeatable.
    """

    __slots__ = ("_clock", "_random", "hostname", "hub", "network", "repeatable", "username")

    def __init__(self, username: str, hostname: str, clock: Callable[[], float] = time.time, seed: int | None = None) -> None:
        self.username = username
        self.hostname = hostname
        self._random = Random(seed) if seed is not None else None
        self.repeatable = seed is not None
        self._clock = clock
        self.hub: Hub | None = None
        self.network: NetworkPolicy | None = None  # what the host allows; nothing without one

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._clock()

    @property
    def random(self) -> Random:
        """The random source, made when it is first wanted."""
        if self._random is None:
            self._random = Random()
        return self._random

    @random.setter
    def random(self, source: Random) -> None:
        self._random = source

    def random_source(self) -> Random:
        """The random source; a function, since making it takes time that most sessions can save."""
        return self.random

    def seed(self, value: int) -> None:
        """Make the random numbers repeatable from here on."""
        self.random.seed(value)
        self.repeatable = True

    def sleep(self, seconds: float) -> None:
        """Wait, while other tasks of the script go on."""
        assert self.hub is not None
        self.hub.sleep(seconds)

    @property
    def locks(self) -> FileLocks:
        """The locks on open files."""
        assert self.hub is not None
        return self.hub.locks

    def watch(self, seconds: float, *, changed: bool) -> None:
        """Wait until something may have changed; see ``Hub.watch``."""
        assert self.hub is not None
        self.hub.watch(seconds, changed=changed)

    def open_fifo(self, fs: VirtualFileSystem, path: str, *, write: bool) -> Stream | None:
        """Open one end of a named pipe, once the other is open; None if it is not a pipe of the sandbox."""
        assert self.hub is not None
        node = fs.lookup(path)
        return open_fifo(self.hub, node, write=write) if isinstance(node, Fifo) else None

    def timezone(self, name: str) -> tzinfo:
        """The zone for a TZ value; UTC for an unknown one."""
        return zone(name)

    def call(
        self,
        function: Callable[[], T | Awaitable[T]],
        *,
        inline: bool = False,
        timeout: float | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> T:
        """Run a function of the host for the script; other tasks, readers of its output first, go on meanwhile."""
        assert self.hub is not None
        self.hub.give_way_to_others()
        return host_calls.call(self.hub, function, inline=inline, timeout=timeout, meanwhile=meanwhile)

    def waker(self) -> Callable[[], None]:
        """What any thread may call to have the running task go on; see ``Hub.waker``."""
        assert self.hub is not None
        return self.hub.waker()

    def start(self, function: Callable[[], None]) -> Callable[[], None]:
        """Run a function in a task of its own; what is returned waits until it has ended."""
        assert self.hub is not None
        return self.hub.start(function)

    async def fetch(self, policy: NetworkPolicy, request: Request) -> Response:
        """Send an HTTP request; see ``bashkit.network.client.fetch``."""
        from bashkit.network.client import fetch

        return await fetch(policy, request)

    @property
    def deadline(self) -> float:
        """When ``timeout`` will end the running task, by the monotonic clock."""
        return math.inf if self.hub is None or self.hub.current is None else self.hub.current.deadline

    def produce(self, function: Callable[[], Any]) -> Any:
        """Call the function behind a lazy file: as ``call`` for a task of a script, else right here."""
        if self.hub is None or self.hub.current is None or self.hub.slices.thread != get_ident():
            return call_here(function)
        return self.call(function)

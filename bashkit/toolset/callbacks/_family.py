"""A program of the host and everything that it starts, to be ended together, whatever session or group they are in by then.

A child that calls ``setsid`` leaves its parent's process group, and one whose parent has ended belongs to init. What stays is the
environment: a variable with a random value marks all of them. Where there is no ``/proc``, and for a child that clears its
environment, only the process group is known.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import signal
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MARK = "BASHKIT_CALL"
_PROCESSES = Path("/proc")
_ROUNDS = 100  # looks at the processes, of which each finds what was started during the last one


class Family:
    """A program, which leads a process group of its own, and its descendants.

    Attributes:
        leader: The program's process ID, once it runs.
    """

    __slots__ = ("_mark", "leader")

    def __init__(self) -> None:
        self._mark = secrets.token_hex(16)
        self.leader: int | None = None
        _families.add(self)

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """The environment to start the program with."""
        return {**env, _MARK: self._mark}

    def end(self) -> None:
        """Kill all of them; nothing if they have been."""
        if self not in _families:
            return
        if self.leader is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.leader, signal.SIGKILL)
        needle = f"{_MARK}={self._mark}".encode()
        for _ in range(_ROUNDS):
            found = list(_having(needle))
            for pid in found:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not found:
                break
        _families.discard(self)


_families: set[Family] = set()  # what runs now


def _having(needle: bytes) -> Iterator[int]:
    """The processes whose environment has an entry."""
    try:
        with os.scandir(_PROCESSES) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return
    own = str(os.getpid())
    for name in names:
        if not name.isdecimal() or name == own:
            continue
        try:
            environment = (_PROCESSES / name / "environ").read_bytes()
        except OSError:  # it has ended, or belongs to somebody else
            continue
        if needle in environment:
            yield int(name)


def _end_all() -> None:
    """Leave nothing behind when the host ends."""
    for family in list(_families):
        family.end()


atexit.register(_end_all)

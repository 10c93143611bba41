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
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARK = "BASHKIT_CALL"
_PROCESSES = Path("/proc")
_ROUNDS = 100  # looks at the processes, of which each finds what was started during the last one


class Family:
    """A program, which leads a process group of its own, and its descendants.

    Attributes:
        leader: The program's process ID, once it runs.
    """

    __slots__ = ("_born", "_mark", "leader")

    def __init__(self) -> None:
        self._born = _ticks()
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
            found, open_questions = _having(needle, self._born)
            for pid in found:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not found and not open_questions:
                break
        _families.discard(self)


_families: set[Family] = set()  # what runs now


def _ticks() -> int:
    """The time since the machine started, in the unit of /proc."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def _having(needle: bytes, born: int) -> tuple[list[int], bool]:
    """The processes whose environment has an entry, and whether there are some, not older, that cannot be told of yet."""
    try:
        with os.scandir(_PROCESSES) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return [], False
    own = str(os.getpid())
    found, open_questions = [], False
    for name in names:
        if not name.isdecimal() or name == own:
            continue
        with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
            environment = (_PROCESSES / name / "environ").read_bytes()
            if needle in environment:
                found.append(int(name))
            elif not environment:
                open_questions |= _was_being_replaced((_PROCESSES / name / "stat").read_bytes(), born)
    return found, open_questions


def _was_being_replaced(stat: bytes, born: int) -> bool:
    """Whether a process, not older, whose environment was found empty, was in the midst of ``exec``.

    It has memory, and not yet an environment, or one that is not empty by now (proc(5)).
    """
    fields = stat.rpartition(b")")[2].split()  # from the third on
    starttime, vsize, env_start, env_end = fields[22 - 3], fields[23 - 3], fields[50 - 3], fields[51 - 3]
    return int(starttime) >= born and vsize != b"0" and (env_start == b"0" or env_start != env_end)


def _end_all() -> None:
    """Leave nothing behind when the host ends."""
    for family in list(_families):
        family.end()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_families.clear)  # they are the parent's

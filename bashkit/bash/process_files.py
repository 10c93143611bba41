"""/proc: the sandbox's own processes, and what its machine says of itself (proc(5))."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID
from zlib import crc32

from bashkit.fs.inodes import BLANK, USER, Node
from bashkit.fs.system import LiveDirectory, LiveFile, LiveLink, LivePipe
from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.state.environment import exported_variables
from bashkit.limits import Charge
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.fs.system import Place
    from bashkit.interp.runtime.system import VirtualSystem
    from bashkit.interp.state.machine import Machine
    from bashkit.interp.state.shell import Shell

_DIGITS = 10  # more than any descriptor has
_FIRST = 1 << 41  # serial numbers
_MEMORY = 4 << 20  # KiB of the machine


class ProcessFiles:
    """See the module.

    Args:
        system: Names, clock and random numbers.

    Attributes:
        machine: What the shells of the running execution share, or None.
    """

    def __init__(self, system: VirtualSystem) -> None:
        self.machine: Machine | None = None
        booted = system.now()
        kernel: dict[str, Callable[[], str]] = {
            "hostname": lambda: f"{system.hostname}\n",
            "osrelease": lambda: "6.1.0\n",
            "ostype": lambda: "Linux\n",
            "pid_max": lambda: "4194304\n",
        }
        self._files: dict[Place, dict[str, Callable[[], str]]] = {
            ("proc",): {
                "cpuinfo": _processor,
                "loadavg": lambda: "0.00 0.00 0.00 1/1 1\n",
                "meminfo": _memory,
                "mounts": lambda: "memory / tmpfs rw 0 0\nproc /proc proc ro 0 0\n",
                "uptime": partial(_uptime, system, booted),
                "version": lambda: "Linux version 6.1.0 (bashkit) #1 SMP PREEMPT_DYNAMIC\n",
            },
            ("proc", "sys"): {},
            ("proc", "sys", "kernel"): kernel,
            ("proc", "sys", "kernel", "random"): {"boot_id": partial(_boot_id, booted), "uuid": partial(_uuid, system)},
        }

    # -- walking -----------------------------------------------------------------------------------------------------

    def find(self, place: Place, name: str) -> Node | None:
        """The node called ``name`` in the directory at ``place``."""
        number = _FIRST + crc32("/".join([*place, name]).encode("utf-8", "surrogatepass"))
        if place == ("proc",) and name == "self":
            return LiveLink(number, 0.0, BLANK, str(self._own_id()))
        if (*place, name) in self._files or name in self._directories(place):
            return LiveDirectory(number, 0o555, 0.0, BLANK, (*place, name))
        produce = self._files.get(place, {}).get(name)
        if produce is not None:
            return LiveFile(number, produce)
        shell = self._shell(place[1]) if len(place) > 1 else None
        if shell is None:
            return None
        if place[2:] == ("fd",):
            stream = shell.descriptors.get(int(name)) if is_digits(name) and len(name) < _DIGITS else None
            return None if stream is None else LivePipe(number, stream)
        if len(place) == 2:
            return _of_process(shell, name, number)
        return None

    def names(self, place: Place) -> Iterable[str]:
        """The names in the directory at ``place``."""
        found = [*self._directories(place), *self._files.get(place, ())]
        if place == ("proc",):
            found.append("self")
        elif len(place) > 1 and is_digits(place[1]):
            shell = self._shell(place[1])
            if shell is not None:
                found += sorted([*_LINKS, *_TEXTS]) if len(place) == 2 else [str(number) for number in sorted(shell.descriptors)]
        return found

    def _directories(self, place: Place) -> list[str]:
        below = [known[-1] for known in self._files if known[:-1] == place]
        if place == ("proc",):
            below += [str(pid) for pid in sorted({shell.pid for shell in self._shells()})]
        elif len(place) == 2 and is_digits(place[1]):
            below.append("fd")
        return below

    # -- processes ---------------------------------------------------------------------------------------------------

    def _shells(self) -> list[Shell]:
        return [] if self.machine is None else list(self.machine.shells)

    def _own(self) -> Shell | None:
        """The shell that looks: of those of the running task the one that began last."""
        task = None if self.machine is None else self.machine.hub.current
        return next((shell for shell in reversed(self._shells()) if shell.task is task), None)

    def _own_id(self) -> int:
        own = self._own()
        return ROOT_PID if own is None else own.pid

    def _shell(self, name: str) -> Shell | None:
        """The shell whose process has this ID; what it has only just forked seems to have it, too."""
        own = self._own()
        if own is not None and str(own.pid) == name:
            return own
        found = [shell for shell in self._shells() if is_digits(name) and str(shell.pid) == name]
        return min(found, key=lambda shell: shell.subshell_level, default=None)


def _of_process(shell: Shell, name: str, number: int) -> Node | None:
    """A link or a file in the directory of a process, by its name."""
    if name in _LINKS:
        return LiveLink(number, 0.0, BLANK, _LINKS[name](shell))
    return LiveFile(number, partial(_TEXTS[name], shell), USER) if name in _TEXTS else None


def _ended(texts: Iterable[Iterable[str]]) -> str:
    """Texts, each given in pieces, with a zero byte behind each; the room for them is asked for."""
    pieces = [piece for text in texts for piece in (*text, "\0")]
    Charge().reach(3 * sum(map(len, pieces)))
    return "".join(pieces)


def _status(shell: Shell) -> str:
    return (
        f"Name:\tbash\nUmask:\t{shell.umask:04o}\nState:\tR (running)\nTgid:\t{shell.pid}\nPid:\t{shell.pid}\n"
        f"PPid:\t{1 if shell.pid == ROOT_PID else ROOT_PID}\nUid:\t{USER}\t{USER}\t{USER}\t{USER}\n"
        f"Gid:\t{USER}\t{USER}\t{USER}\t{USER}\nThreads:\t1\n"
    )


_LINKS: dict[str, Callable[[Shell], str]] = {
    "cwd": lambda shell: shell.cwd,
    "exe": lambda _: "/usr/bin/bash",
    "root": lambda _: "/",
}
_TEXTS: dict[str, Callable[[Shell], str]] = {
    "cmdline": lambda shell: _ended((word,) for word in shell.invocation.words),
    "comm": lambda _: "bash\n",
    "environ": lambda shell: _ended((key, "=", value) for key, value in exported_variables(shell).items()),
    "status": _status,
}


def _uptime(system: VirtualSystem, booted: float) -> str:
    seconds = max(system.now() - booted, 0.0)
    return f"{seconds:.2f} {seconds:.2f}\n"


def _uuid(system: VirtualSystem) -> str:
    return f"{UUID(int=system.random.getrandbits(128), version=4)}\n"


def _boot_id(booted: float) -> str:
    return f"{UUID(int=Random(booted).getrandbits(128), version=4)}\n"


def _processor() -> str:
    return "processor\t: 0\nvendor_id\t: bashkit\nmodel name\t: virtual processor\ncpu cores\t: 1\n\n"


def _memory() -> str:
    rows = dict.fromkeys(("MemTotal", "MemFree", "MemAvailable"), _MEMORY)
    rows |= dict.fromkeys(("Buffers", "Cached", "SwapTotal", "SwapFree"), 0)
    return "".join(f"{name + ':':15} {size:8} kB\n" for name, size in rows.items())

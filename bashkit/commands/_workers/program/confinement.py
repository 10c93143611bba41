"""Takes from a worker what it never needs, and gives each request its memory and time."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import struct
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

_MEMORY = 1 << 30  # bytes beyond those at the start, whatever a request is allowed
_SPARE = 8 << 20  # bytes for the interpreter's own needs during a request
_FILE_SIZE = 256 << 20  # bytes of an input in an unnamed file in memory
_SIGNAL_AT_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)


_NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS of prctl(2)
_RESTRICT_SELF = 446  # landlock_restrict_self(2), on every architecture
_SET_FILTER, _ALL_THREADS = 1, 1  # SECCOMP_SET_MODE_FILTER and SECCOMP_FILTER_FLAG_TSYNC of seccomp(2)
_INSTRUCTION = 8  # bytes of one in a filter


class Confinement:
    """The resource limits of this process, made while it can still open files."""

    def __init__(self) -> None:
        try:
            self._sizes = os.open("/proc/self/statm", os.O_RDONLY)
        except FileNotFoundError:  # no Linux
            self._sizes = -1

    def restrict(self, *, opens_files: bool) -> None:
        """Set the limits that hold for good.

        Args:
            opens_files: Whether new descriptors may be made at all.
        """
        _restrict(resource.RLIMIT_AS, self._size() + _MEMORY)
        _restrict(resource.RLIMIT_CORE, 0)
        _restrict(resource.RLIMIT_NPROC, 0)
        _restrict(resource.RLIMIT_FSIZE, _FILE_SIZE if opens_files else 0)
        if not opens_files:
            free = os.dup(0)
            os.close(free)
            _restrict(resource.RLIMIT_NOFILE, free)  # those below are in use

    def allow(self, memory: int, seconds: float) -> None:
        """Set the limits of the next request: bytes of memory beyond the present ones, and seconds of processor time."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 2)
        _lower(resource.RLIMIT_AS, self._size() + _SPARE + memory)

    def _size(self) -> int:
        """The bytes of address space in use."""
        if self._sizes < 0:
            return _MEMORY
        return int(os.pread(self._sizes, 64, 0).split()[0]) * resource.getpagesize()


def _restrict(name: int, limit: int) -> None:
    """Set a limit for good."""
    hard = resource.getrlimit(name)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(name, (limit, limit))


def _lower(name: int, limit: int) -> None:
    """Set a limit until it is set again."""
    hard = resource.getrlimit(name)[1]
    resource.setrlimit(name, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def load_what_ends_threads() -> None:
    """Load the library with which glibc ends a thread from inside, while it can be opened; a process without it aborts."""
    try:
        ctypes.CDLL("libgcc_s.so.1")
    except OSError:
        pass  # another C library


def refuse_files(ruleset: int | None) -> None:
    """Have the kernel refuse this thread, and those that it starts, all files that a Landlock ruleset does not name.

    Args:
        ruleset: Its descriptor; None for no ruleset.
    """
    if ruleset is not None:
        libc = ctypes.CDLL(None)
        libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0)
        libc.syscall(_RESTRICT_SELF, ruleset, 0)
        os.close(ruleset)


def refuse_calls(instructions: bytes, seccomp: int) -> None:
    """Have the kernel refuse this process the system calls that a filter does not name.

    Args:
        instructions: The filter; empty for none.
        seccomp: The number of seccomp(2).
    """
    if instructions:
        libc = ctypes.CDLL(None)
        libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0)
        held = ctypes.create_string_buffer(instructions)
        program = struct.pack("HP", len(instructions) // _INSTRUCTION, ctypes.addressof(held))
        libc.syscall(seccomp, _SET_FILTER, _ALL_THREADS, program)


def end_with(connection: socket.socket) -> None:
    """End this process when the other end of ``connection`` is closed or the host dies, whatever a library is doing then."""
    if hasattr(resource, "prlimit"):  # Linux
        ctypes.CDLL(None).prctl(_SIGNAL_AT_PARENTS_DEATH, signal.SIGKILL)
    waiting = threading.Event()
    threading.stack_size(256 << 10)

    def wait() -> None:
        watch = select.poll()
        watch.register(connection.fileno(), 0)  # POLLHUP is always reported
        waiting.set()
        watch.poll()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
    waiting.wait()

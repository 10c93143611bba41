"""What a sandbox process takes from itself before it sees the first script: files, network, processes, memory.

Each measure holds by itself, and what the platform does not have is left out: ``Protection`` says what there is. Linux has all of
them: no_new_privs(2), Landlock (5.13), seccomp(2), prctl(2) PR_SET_DUMPABLE. Resource limits are POSIX.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import tempfile
import threading
import zoneinfo
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bashkit.sandbox.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

try:  # here, because a confined process can load nothing
    import landlockpy as landlock
except ImportError:
    landlock = None  # type: ignore[assignment]
try:
    import pyseccomp as seccomp
except (ImportError, RuntimeError, OSError):  # it raises RuntimeError where there is no libseccomp
    seccomp = None

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_CLONE_THREAD = 0x10000
_PROT_EXEC = 4
_FIONBIO = 0x5421  # whether reading waits
_ENOSYS, _EPERM = 38, 1
_FILES_OPEN = 256
_STACK = 1 << 20
_M_ARENA_MAX = -8
_LARGEST_FILE = 1 << 30
_LINUX = sys.platform == "linux"

# What an interpreter that is fully loaded needs: its memory, its threads, its clocks, and the descriptors that it has.
_CALLS = (
    "read", "readv", "pread64", "write", "writev", "pwrite64", "recvfrom", "recvmsg", "sendto", "sendmsg", "shutdown", "close",
    "poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "pipe2",
    "pipe", "socketpair", "setsockopt", "getsockopt", "getsockname", "fstat", "lseek", "dup", "dup3", "fcntl",
    "munmap", "mremap", "brk", "madvise", "membarrier",
    "futex", "futex_waitv", "set_robust_list", "get_robust_list", "rseq", "set_tid_address", "sched_yield", "sched_getaffinity",
    "gettid", "getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getgroups", "exit", "exit_group", "restart_syscall",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "sigaltstack",
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage", "getrandom",
    "uname", "sysinfo", "getcwd",
)  # fmt: skip
# What reading needs besides; Landlock says of which files. Those of the second group change something.
_READING = (
    "openat", "open", "newfstatat", "stat", "lstat", "statx", "readlinkat", "readlink", "getdents64", "statfs", "fstatfs",
    "faccessat", "faccessat2", "access",
)  # fmt: skip
_CHANGING = (
    "mkdirat", "unlinkat", "renameat", "renameat2", "symlinkat", "linkat", "fchmod", "fchmodat", "ftruncate", "utimensat",
    "fsync",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusals:
    """What the kernel is to refuse a bare interpreter: loading this module would take it longer than putting this into force.

    Attributes:
        files: The descriptor of a Landlock ruleset without any file but the time zones; -1 for none.
        calls: A seccomp filter as the kernel reads it; empty for none.
        seccomp: The number of the system call that puts the filter into force for all threads.
    """

    files: int = -1
    calls: bytes = b""
    seccomp: int = 0


@dataclass(frozen=True, slots=True)
class Protection:
    """What holds for a sandbox process.

    Attributes:
        limits: Address space, open files, file sizes and core dumps are limited.
        privileges: It can gain no privileges, and no other process of the user can look into it.
        files: The kernel refuses every file but those of the rules.
        calls: The kernel refuses system calls for sockets, processes, programs and debugging.
    """

    limits: bool = False
    privileges: bool = False
    files: bool = False
    calls: bool = False


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends."""
    if _LINUX:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def save_address_space() -> None:
    """Let threads use little of what RLIMIT_AS counts: one heap for all of them (glibc), and small stacks."""
    threading.stack_size(_STACK)
    if _LINUX:
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_ARENA_MAX, 1)


def confine(rules: Rules) -> Protection:
    """Give up what a script has no use for; there is no way back.

    Args:
        rules: What stays allowed.

    Returns:
        What holds from now on.
    """
    os.environ.clear()
    os.chdir("/")
    os.umask(0o077)
    _limit(rules)
    if not _LINUX:
        return Protection(limits=True)
    privileges = _prctl(_PR_SET_NO_NEW_PRIVS, 1) and _prctl(_PR_SET_DUMPABLE, 0)
    files = _restrict_files(rules)
    return Protection(
        True, privileges, files, _restrict_calls(reading=files or bool(rules.readable or rules.writable), rules=rules)
    )


def _limit(rules: Rules) -> None:
    for kind, most in (
        (resource.RLIMIT_AS, _address_space() + rules.memory),
        (resource.RLIMIT_CPU, rules.cpu),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE if rules.writable else 0),
        (resource.RLIMIT_NOFILE, _FILES_OPEN),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # macOS knows RLIMIT_AS and refuses to set it
            continue


def _address_space() -> int:
    """Bytes of address space in use, as RLIMIT_AS counts them; 0 where nobody says."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - a worker has little of pathlib
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30


def _prctl(option: int, value: int) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) == 0)


def _restrict_files(rules: Rules) -> bool:
    """Landlock: no file but those of the rules and of the time zones, no TCP port, no signal or socket to a process outside."""
    ruleset = _ruleset(rules)
    if ruleset is None:
        return False
    with ruleset:
        ruleset.restrict()
    return True


def _ruleset(rules: Rules) -> Any:
    if landlock is None or not (abi := landlock.abi_version()):
        return None
    files, ports = landlock.AccessFS, landlock.AccessNet
    reading = files.READ_FILE | files.READ_DIR
    ruleset = landlock.Ruleset(handled_net=ports.BIND_TCP | ports.CONNECT_TCP, scoped=landlock.scope_for_abi(abi))
    for path in _existing([*zoneinfo.TZPATH, *_zone_package(), *rules.readable]):
        ruleset.allow_path(path, reading)
    for path in _existing(rules.writable):
        ruleset.allow_path(path, reading | _writing(files))
    return ruleset


def _writing(access: Any) -> Any:
    names = ("WRITE_FILE", "REMOVE_DIR", "REMOVE_FILE", "MAKE_DIR", "MAKE_REG", "MAKE_SYM", "REFER", "TRUNCATE")
    rights = access.NONE
    for name in names:
        rights |= getattr(access, name)
    return rights


def _existing(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if os.path.isdir(path)]  # noqa: PTH112 - a worker has little of pathlib


def _zone_package() -> Sequence[str]:
    """Where the package ``tzdata`` keeps its zones, if it is installed."""
    spec = find_spec("tzdata")
    return list(spec.submodule_search_locations or ()) if spec is not None else []


def _restrict_calls(*, reading: bool, rules: Rules) -> bool:
    """seccomp: only the system calls above; threads, but no processes; no memory that can be run."""
    if seccomp is None:
        return False
    try:
        _filter([*_CALLS, *(_READING if reading else ()), *(_CHANGING if rules.writable else ())]).load()
    except (OSError, ValueError):
        return False
    return True


def _filter(listed: Iterable[str]) -> Any:
    assert seccomp is not None
    calls = seccomp.SyscallFilter(seccomp.ERRNO(_EPERM))
    for name in listed:
        _allow(calls, name)
    for name in ("mmap", "mprotect"):
        _allow(calls, name, seccomp.Arg(2, seccomp.MASKED_EQ, _PROT_EXEC, 0))
    _allow(calls, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, _CLONE_THREAD))
    _allow(calls, "ioctl", seccomp.Arg(1, seccomp.EQ, _FIONBIO))
    _allow(calls, "prlimit64", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(2, seccomp.EQ, 0))  # ask, not set
    calls.add_rule(seccomp.ERRNO(_ENOSYS), "clone3")  # the C library falls back to clone, whose flags can be seen
    return calls


def _allow(calls: Any, name: str, *conditions: Any) -> None:
    assert seccomp is not None
    try:
        calls.add_rule(seccomp.ALLOW, name, *conditions)
    except (OSError, ValueError):  # no such call on this architecture
        return


@cache
def refusals() -> Refusals:
    """What the workers of libraries in C are refused; made once for all of them."""
    ruleset = _ruleset(Rules(memory=0, cpu=0)) if _LINUX else None
    files = -1 if ruleset is None else os.dup(ruleset.fileno())
    if seccomp is None:
        return Refusals(files)
    try:
        calls = _filter([*_CALLS, *_READING, "memfd_create", "ftruncate"])
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):  # those of each request
            _allow(calls, "prlimit64", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(1, seccomp.EQ, limit))
        calls.add_rule(seccomp.KILL_PROCESS, "tgkill")  # what abort() calls: the death by a bad system call stands for it
        with tempfile.TemporaryFile() as file:
            calls.export_bpf(file)
            file.seek(0)
            return Refusals(files, file.read(), seccomp.resolve_syscall(seccomp.system_arch(), "seccomp"))
    except (OSError, ValueError):
        return Refusals(files)

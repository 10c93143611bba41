"""flock: manage locks between the commands of a script (flock(1)); a lock is held by an open file, as flock(2) says."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.durations import seconds
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_STEP = 0.01  # seconds between two looks at a lock that another holds
_USAGE, _DATA, _NO_LOCK, _UNAVAILABLE = 64, 65, 66, 69  # sysexits.h
_FOREVER = float("inf")


@command(
    "flock",
    usage="[OPTION]... FILE|DIRECTORY COMMAND [ARG]... | FILE -c COMMAND | NUMBER",
    summary="Manage file locks from shell scripts.",
    options=(
        flag("-s", "--shared", help="get a shared lock"),
        flag("-x", "-e", "--exclusive", help="get an exclusive lock (default)"),
        flag("-u", "--unlock", help="remove a lock"),
        flag("-n", "--nb", "--nonblock", help="fail rather than wait"),
        value("-w", "--timeout", "--wait", metavar="SECS", help="wait for a limited amount of time"),
        value("-E", "--conflict-exit-code", metavar="NUMBER", help="exit code after conflict or timeout"),
        flag("-o", "--close", help="(ignored: the command does not see the descriptor)"),
        value("-c", "--command", metavar="COMMAND", help="run a single command string through the shell"),
        flag("-F", "--no-fork", help="(ignored: nothing differs here)"),
        flag("--verbose", help="increase verbosity"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    usage_status=_USAGE,
    stop_at_operand=True,
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Take or give back a lock, and run the command under it; 1 when another holds it."""
    operands = arguments.operands
    if not operands:
        raise UsageError("not enough arguments")
    limit = _limit(arguments)
    conflict = _exit_code(arguments.get("E", "1") or "")
    shared = _is_shared(arguments)
    words = operands[1:]
    if words and words[0] in {"-c", "--command"}:
        if len(words) != 2:
            raise UsageError(f"{words[0]} requires exactly one command argument", hint=False)
        words = ["sh", "-c", words[1]]
    if not words:
        return _descriptor(process, arguments, operands[0], limit, conflict)
    try:
        stream = _open(process, operands[0])
    except OSError as error:
        process.warn(f"cannot open lock file {operands[0]}: {error.strerror}")
        return _NO_LOCK
    try:
        if not _acquire(process, stream, limit, shared=shared):
            return conflict
        problem = process.launcher.obstacle(words[0])
        if problem:
            process.warn(f"failed to execute {words[0]}: {os.strerror(problem)}")
            return _UNAVAILABLE
        return process.launcher.run(words)
    finally:
        process.system.locks.give_back(stream)
        stream.release()


def _is_shared(arguments: Arguments) -> bool:
    return arguments.last("s", "x") == "s"


def _exit_code(text: str) -> int:
    if re.fullmatch(r"\s*[-+]?[0-9]+", text, re.ASCII) is None:
        raise UsageError(f"invalid exit code: '{text}'", hint=False)
    number = clamped(text)
    if abs(number) >= 1 << 31:
        raise UsageError(f"invalid exit code: '{text}': Numerical result out of range", hint=False)
    if not 0 <= number <= 0xFF:
        raise UsageError("exit code out of range (expected 0 to 255)", hint=False)
    return number


def _limit(arguments: Arguments) -> float:
    """Seconds to wait at most."""
    if "n" in arguments:
        return 0.0
    try:
        return seconds(arguments.get("w") or "") if "w" in arguments else _FOREVER
    except ValueError:
        raise UsageError("invalid timeout value", hint=False) from None


def _open(process: Process, name: str) -> Stream:
    path = process.path(name)
    if process.fs.exists(path) and process.fs.stat(path).type == "directory":
        path = f"{path.rstrip('/')}/.lock"  # a directory cannot be opened here; its lock is beside what it holds
    return process.fs.open(path, read=True, write=True, create=True, mode=0o666 & ~process.umask)


def _descriptor(process: Process, arguments: Arguments, word: str, limit: float, conflict: int) -> int:
    if not is_digits(word):
        process.warn(f"bad file descriptor: '{word}'")
        return _USAGE
    stream = process.descriptors.get(clamped(word))
    if stream is None:
        process.warn(f"{word}: Bad file descriptor")
        return _DATA
    if "u" in arguments:
        process.system.locks.give_back(stream)
        return 0
    return 0 if _acquire(process, stream, limit, shared=_is_shared(arguments)) else conflict


def _acquire(process: Process, stream: Stream, limit: float, *, shared: bool) -> bool:
    """Take the lock, once nobody holds another; whether that was in time."""
    end = process.budget.clock() + limit
    while not process.system.locks.take(stream, shared=shared):
        if process.budget.clock() >= end:
            return False
        process.system.sleep(_STEP)
    return True

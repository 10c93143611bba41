"""The history of the inspector's runs: records that last from one session to the next."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.runs.state_directory import state_directory
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MOST = 500  # the most records of the file
_MOST_BYTES = 8_000_000  # of the file
_PATIENCE = 5.0  # seconds for another inspector that writes
_NEVER_WAITS = getattr(os, "O_NONBLOCK", 0)  # for the other end of a pipe
_LATEST = 253_402_214_400  # the last day that dates have
_LONGEST = 1e12  # seconds of a run
_DEEPEST = 200  # arrays and objects in each other
_SCRIPT = 100_000  # the most characters of a script that is kept


@dataclass(frozen=True, slots=True)
class PastCall:
    """A tool call of a past run: the fields of ToolCall that are kept.

    Attributes:
        result: What it printed, or its error; None where that was not kept.
    """

    tool: str
    line: int
    arguments: Any
    exit_code: int | None
    duration: float | None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class PastRun:
    """The record of a finished run.

    Attributes:
        when: Seconds since the epoch at its end.
        toolset: The toolset's name.
        mode: The source of the calls' answers: ``real``, ``stub``, ``mixed`` or ``replay``; "" if it is not known.
        script: The text of the script; "" if it is not known.
        exit_code: Its exit status; None when it was cancelled.
        error: The category of the error that ended it, or None.
        seconds: How long it ran.
        called: The number of its calls.
        stdout, stderr: The first part of its output.
        calls: Its first calls.
    """

    when: float
    toolset: str
    mode: str
    script: str
    exit_code: int | None
    error: str | None
    seconds: float
    called: int
    stdout: str
    stderr: str
    calls: tuple[PastCall, ...]

    @property
    def title(self) -> str:
        """The first line of the script that is not a comment."""
        lines = [line.strip() for line in self.script.split("\n")]
        return next((line for line in lines if line and not line.startswith("#")), lines[0])

    @property
    def time(self) -> str:
        """Day and minute, in local time."""
        try:
            return datetime.fromtimestamp(self.when).astimezone().strftime("%Y-%m-%d %H:%M")
        except (OverflowError, ValueError, OSError):  # a damaged record
            return "?"


class HistoryFile:
    """The records on the disk, JSON lines, the oldest first.

    The file stays small. Several inspectors may write to it at once. A damaged line is skipped. Only the owner can read it.

    Args:
        path: The file; by default ``$XDG_STATE_HOME/bashkit/history.jsonl``.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_directory() / "history.jsonl"

    def read(self) -> list[PastRun]:
        """Every valid record, the newest first; [] without a file."""
        try:
            with host_files.open_file(self.path) as file:
                file.seek(max(0, self.path.stat().st_size - 2 * _MOST_BYTES))
                lines = file.read().split(b"\n")
        except OSError:
            return []
        found = (_parse(line) for line in reversed(lines))
        return [run for run in found if run is not None][:_MOST]

    def problem(self) -> str:
        """Why the file cannot be read, with its path; "" if it can, or does not exist."""
        try:
            host_files.open_file(self.path).close()
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"{self.path} cannot be read: {error.strerror}"
        return ""

    def add(self, run: PastRun) -> str:
        """Append a record; return an error message or "", so that a failure disturbs no run."""
        if len(run.script) > _SCRIPT:
            return ""
        try:
            with self._alone():
                descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NEVER_WAITS, 0o600)
                with os.fdopen(descriptor, "ab") as file:
                    file.write(b"\n" + _line(run) if self._open_ended() else _line(run))
                self._shorten()
        except OSError as error:
            return f"{self.path}: {error.strerror}"
        return ""

    def remove(self, run: PastRun) -> str:
        """Remove a record; return an error message or ""."""
        problem = self.problem()
        if problem:
            return problem
        try:
            with self._alone():
                self._write([kept for kept in reversed(self.read()) if kept != run])
        except OSError as error:
            return f"{self.path}: {error.strerror}"
        return ""

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of the file against other inspectors."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self.path.parent / "history.lock", os.O_RDWR | os.O_CREAT | _NEVER_WAITS, 0o600)
        try:
            _take(lock)
            yield
        finally:
            os.close(lock)

    def _open_ended(self) -> bool:
        """Whether the last line has no newline, because its writer was killed."""
        with host_files.open_file(self.path) as file:
            if not file.seek(0, os.SEEK_END):
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"

    def _shorten(self) -> None:
        """Keep the newest half of a file that is too long."""
        size = self.path.stat().st_size
        if size <= _MOST_BYTES and (size < _MOST_BYTES // 8 or self.path.read_bytes().count(b"\n") <= _MOST):
            return
        kept: list[PastRun] = []
        room = _MOST_BYTES // 2
        for run in self.read()[: _MOST // 2]:
            room -= len(_line(run))
            if room < 0:
                break
            kept.append(run)
        self._write(kept[::-1])

    def _write(self, runs: list[PastRun]) -> None:
        """Replace the file atomically."""
        new = self.path.with_suffix(".new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NEVER_WAITS, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(map(_line, runs))
        new.replace(self.path)


def _take(lock: int) -> None:
    """Take the lock, which another inspector may hold for a moment.

    Raises:
        OSError: It holds it for longer, as where it has been stopped.
    """
    end = time.monotonic() + _PATIENCE
    while not host_files.lock(lock):
        if time.monotonic() > end:
            raise OSError(errno.EAGAIN, "another inspector holds its lock")
        time.sleep(0.01)


def _line(run: PastRun) -> bytes:
    calls = [[call.tool, call.line, call.arguments, call.exit_code, call.duration] for call in run.calls]
    value = {name: getattr(run, name) for name in PastRun.__slots__ if name != "calls"} | {"calls": calls}
    return json_text.encode(value).encode("utf-8", "surrogatepass") + b"\n"


_TYPES: dict[str, tuple[type, ...]] = {
    "when": (int, float), "toolset": (str,), "mode": (str,), "script": (str,), "exit_code": (int, type(None)),
    "error": (str, type(None)), "seconds": (int, float), "called": (int,), "stdout": (str,), "stderr": (str,),
}  # fmt: skip


def _in_range(value: dict[str, Any]) -> bool:
    """Whether the numbers of a record are such as are written, and it can be written again."""
    if not 0 <= value["when"] < _LATEST or not 0 <= value["seconds"] < _LONGEST or json_text.deeper(value, _DEEPEST):
        return False
    try:
        json_text.encode(value)  # no infinity anywhere
    except ValueError:
        return False
    return True


def _parse(line: bytes) -> PastRun | None:
    """A record; None for an empty or damaged line."""
    try:
        value = json_text.decode(line.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("calls"), list):
        return None
    if not all(isinstance(value.get(name), types) for name, types in _TYPES.items()) or not _in_range(value):
        return None
    calls = []
    for call in value["calls"]:
        if not (isinstance(call, list) and len(call) == 5 and isinstance(call[0], str) and isinstance(call[1], int)):
            return None
        if not isinstance(call[3], (int, type(None))) or not isinstance(call[4], (int, float, type(None))):
            return None
        calls.append(PastCall(*call))
    return PastRun(**{name: value[name] for name in _TYPES}, calls=tuple(calls))

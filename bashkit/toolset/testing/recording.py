"""Records the results of real calls as JSON lines, and replays them without the callbacks."""

from __future__ import annotations

import base64
import inspect
import os
import threading
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bashkit.errors import LimitExceededError, RecordingError, ToolError
from bashkit.tools import json_text
from bashkit.tools.call.dispatch import InShell
from bashkit.tools.call.redaction import Secrets, explained
from bashkit.tools.define.result import ToolResult, convert, convert_async, is_async_stream, to_bytes
from bashkit.toolset.stubs import Double

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.tools.define.definition import Errors, ToolDef

_MAX_BYTES = 256 << 20
_SHOWN = 3  # recorded arguments that the message for an unrecorded call lists
_COMPARED = 1000  # characters of arguments that are compared with those recorded


@dataclass(frozen=True, slots=True)
class _RecordedInShell:
    """Records the calls of a callback that runs for a command of a shell."""

    recorder: Recorder
    definition: ToolDef
    callback: InShell

    def __call__(self, args: ToolArgs) -> ToolResult:  # noqa: ARG002 - the signature of callbacks
        """Refuse: outside of a shell nothing would be recorded."""
        raise ToolError("calls are recorded where a script makes them")

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Call it and record the result."""
        try:
            result = self.callback.in_shell(process, args, timeout)
        except LimitExceededError:
            raise
        except Exception as error:
            self.recorder.failed(self.definition, args, error)
            raise
        return self.recorder.gave(self.definition.name, args, result)


@dataclass(slots=True)
class Recorder:
    """Appends each call to a file as a JSON line: the tool, its arguments, the piped text, and the result.

    Attributes:
        path: The file.
        secrets: The values that no line may contain.
        errors: What scripts read about exceptions, unless the tool declares that itself.
    """

    path: Path
    secrets: Secrets = field(default_factory=Secrets)
    errors: Errors | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def wrap(self, definition: ToolDef, callback: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a callback so that its calls are recorded; the wrapper is async, or runs in the shell, if the callback does."""
        if isinstance(callback, InShell):
            return _RecordedInShell(self, definition, callback)

        def given(args: ToolArgs) -> Any:
            try:
                value = callback(args)
                if not (inspect.isawaitable(value) or is_async_stream(value)):
                    return self.gave(definition.name, args, convert(value))
            except Exception as error:
                self.failed(definition, args, error)
                raise
            return waited(args, value)

        async def waited(args: ToolArgs, value: Any) -> ToolResult:
            try:
                result = await convert_async(await value if inspect.isawaitable(value) else value)
            except Exception as error:
                self.failed(definition, args, error)
                raise
            return self.gave(definition.name, args, result)

        async def awaited(args: ToolArgs) -> ToolResult:
            return await waited(args, callback(args))

        is_async = any(map(inspect.iscoroutinefunction, (callback, type(callback).__call__)))
        return awaited if is_async else given

    def gave(self, tool: str, args: ToolArgs, result: ToolResult) -> ToolResult:
        """Record a result."""
        self._write(tool, args, _streams(result, self.secrets) | {"exit_code": result.exit_code})
        return result

    def failed(self, definition: ToolDef, args: ToolArgs, error: Exception) -> None:
        """Record an exception in the words that the script gets, for a replay to repeat."""
        message = explained(error, definition.errors or self.errors, self.secrets)
        status = error.exit_code if isinstance(error, ToolError) else 1
        self._write(definition.name, args, {"error": message, "exit_code": status})

    def _write(self, tool: str, args: ToolArgs, outcome: Mapping[str, Any]) -> None:
        stdin = {} if args.stdin is None else {"stdin": self.secrets.text(args.stdin)}
        line = {"tool": tool, "arguments": self.secrets.data(dict(args.params)), **stdin, **outcome}
        data = to_bytes(json_text.encode(line) + "\n")
        with self._lock:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, data)
            finally:
                os.close(file)


def _streams(result: ToolResult, secrets: Secrets) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, stream in (("stdout", result.stdout), ("stderr", result.stderr)):
        data = secrets.bytes(to_bytes(stream))
        if not data:
            continue
        try:
            found[name] = data.decode("utf-8")
        except UnicodeDecodeError:
            found[f"{name}_base64"] = base64.b64encode(data).decode()
    return found


@dataclass(slots=True)
class Recording:
    """Replays recorded calls, matched by tool, arguments and piped text.

    A call that was recorded several times returns its results in order; the last one repeats.

    Attributes:
        path: The file.
    """

    path: Path
    _calls: dict[str, list[dict[str, Any]]] = field(default_factory=dict, repr=False)
    _given: dict[str, int] = field(default_factory=dict, repr=False)
    _arguments: dict[str, list[str]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path) -> Recording:
        """Read a recording.

        Raises:
            RecordingError: It cannot be read, or a line is not a recorded call; the message has file and line.
        """
        recording = cls(path)
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise RecordingError(f"{path}: larger than {_MAX_BYTES >> 20} MB")
            lines = path.read_bytes().decode("utf-8", "surrogateescape").splitlines()
        except OSError as error:
            raise RecordingError(f"{path}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                recording._add(line, number)
        return recording

    def _add(self, line: str, number: int) -> None:
        call = json_text.decode_object(line)
        if call is None:
            raise RecordingError(f"{self.path}:{number}:1: not a JSON object")
        tool, arguments = call.get("tool"), call.get("arguments")
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            raise RecordingError(f"{self.path}:{number}:1: a recorded call has a tool and its arguments")
        for name, kind in (("stdin", str), ("stdout", str), ("stderr", str), ("error", str), ("exit_code", int)):
            if not isinstance(call.get(name, kind()), kind):
                raise RecordingError(f"{self.path}:{number}:1: {name!r} is not {'a number' if kind is int else 'a text'}")
        self._calls.setdefault(_key(tool, arguments, call.get("stdin")), []).append(call)
        self._arguments.setdefault(tool, []).append(json_text.encode(arguments))

    def outputs(self) -> Iterator[tuple[str, str]]:
        """The tool and the text of each successful call."""
        for calls in self._calls.values():
            for call in calls:
                if not call.get("exit_code", 0) and isinstance(call.get("stdout"), str):
                    yield call["tool"], call["stdout"]

    def rewind(self) -> None:
        """Give the results of every call from the first one on again."""
        self._given.clear()

    def wrap(self, definition: ToolDef, _: Callable[..., Any]) -> Callable[..., Any]:
        """A callback that returns the recorded results of a tool."""
        return Double(lambda args: self._again(definition.name, args))

    def _again(self, tool: str, args: ToolArgs) -> ToolResult:
        key = _key(tool, dict(args.params), args.stdin)
        calls = self._calls.get(key)
        if calls is None:
            raise ToolError(self._miss(tool, json_text.encode(dict(args.params)), args.stdin is not None))
        turn = self._given.get(key, 0)
        self._given[key] = turn + 1
        call = calls[min(turn, len(calls) - 1)]
        if "error" in call:
            raise ToolError(call["error"], exit_code=call.get("exit_code", 1))
        return ToolResult(_stream(call, "stdout"), _stream(call, "stderr"), call.get("exit_code", 0))

    def _miss(self, tool: str, arguments: str, piped: bool) -> str:
        known = list(dict.fromkeys(self._arguments.get(tool, ())))
        if not known:
            return f"{self.path.name} has no call of {tool}"
        shown = get_close_matches(arguments[:_COMPARED], known, _SHOWN, 0) or known[:_SHOWN]
        rest = f" and {len(known) - len(shown)} more" if len(known) > len(shown) else ""
        input_too = " and this standard input" if piped else ""
        return f"{self.path.name} has no call of {tool} with {arguments}{input_too}; it has {', '.join(shown)}{rest}"


def _key(tool: str, arguments: dict[str, Any], stdin: str | None) -> str:
    return json_text.encode([tool, arguments, stdin], sort=True)


def _stream(call: Mapping[str, Any], name: str) -> str | bytes:
    encoded = call.get(f"{name}_base64")
    if isinstance(encoded, str):
        return base64.b64decode(encoded)
    text: str = call.get(name, "")
    return text

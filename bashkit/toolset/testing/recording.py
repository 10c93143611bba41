"""Records the results of real calls as JSON lines, and replays them without the callbacks."""

from __future__ import annotations

import base64
import inspect
import os
import threading
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import RecordingError, ToolError, is_failure
from bashkit.tools import json_text
from bashkit.tools.call.dispatch import InShell, own_switches
from bashkit.tools.call.redaction import Secrets, explained
from bashkit.tools.define.result import ToolResult, convert, convert_async, is_async_stream, to_bytes
from bashkit.toolset.stubs import Double
from bashkit.toolset.writing.saving import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.tools.define.definition import Errors, ToolDef

_MAX_BYTES = 256 << 20
_ENCODED = "_base64"
_KINDS: dict[str, type] = {"stdin": str, "stdout": str, "stderr": str, "error": str, "exit_code": int, "files": dict}
_WORDS: dict[type, str] = {str: "a text", int: "a number", dict: "an object"}
_SHOWN = 3  # recorded arguments that the message for an unrecorded call lists
_COMPARED = 1000  # characters of arguments that are compared with those recorded


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
        """Wrap a callback so that its calls are recorded; the wrapper is called as the callback is."""

        def given(args: ToolArgs) -> Any:
            try:
                value = callback(args)
                if inspect.isawaitable(value) or is_async_stream(value):
                    return waited(args, value)
                result = convert(value)
            except BaseException as error:
                if is_failure(error):
                    self.failed(definition, args, error)
                raise
            return self.gave(definition.name, args, result)

        async def waited(args: ToolArgs, value: Any) -> ToolResult:
            try:
                result = await convert_async(await value if inspect.isawaitable(value) else value)
            except BaseException as error:
                if is_failure(error):
                    self.failed(definition, args, error)
                raise
            return self.gave(definition.name, args, result)

        async def awaited(args: ToolArgs) -> ToolResult:
            return await waited(args, callback(args))

        is_async = any(map(inspect.iscoroutinefunction, (callback, type(callback).__call__)))
        plain = awaited if is_async else given
        return _RecordedInShell(self, definition, callback, plain) if isinstance(callback, InShell) else plain

    def gave(self, tool: str, args: ToolArgs, result: ToolResult) -> ToolResult:
        """Record the result of a call, and return it.

        Raises:
            RecordingError: It cannot be written.
        """
        self._write(tool, args, _streams(result, self.secrets) | {"exit_code": result.exit_code})
        return result

    def failed(self, definition: ToolDef, args: ToolArgs, error: BaseException) -> None:
        """Record an exception in the words that the script gets, for a replay to repeat."""
        message = explained(error, definition.errors or self.errors, self.secrets)
        if isinstance(error, ToolError):
            left = _streams(ToolResult(error.stdout, files=error.files), self.secrets)
            self._write(definition.name, args, {**left, "error": message, "exit_code": error.exit_code})
        else:
            self._write(definition.name, args, {"error": message, "exit_code": 1})

    def append(self, data: bytes) -> None:
        """Append a line, or nothing, to the file.

        Raises:
            RecordingError: It cannot be written.
        """
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with self._lock, os.fdopen(descriptor, "ab", buffering=0) as file:
                write_all(file, data)
        except OSError as error:
            raise RecordingError(f"{self.path}: it cannot be written: {error.strerror}") from error

    def _write(self, tool: str, args: ToolArgs, outcome: Mapping[str, Any]) -> None:
        stdin = {} if args.stdin is None else {"stdin": self.secrets.text(args.stdin)}
        line = {"tool": tool, "arguments": self.secrets.data(dict(args.params)), **stdin, **outcome}
        self.append(to_bytes(json_text.encode(line) + "\n"))


@dataclass(frozen=True, slots=True)
class _RecordedInShell:
    """A callback that works with the shell that calls it, with its calls recorded."""

    recorder: Recorder
    definition: ToolDef
    callback: Any
    plain: Callable[[ToolArgs], Any]

    def __call__(self, args: ToolArgs) -> Any:
        """Call and record it without a shell."""
        return self.plain(args)

    def own_switches(self) -> frozenset[str]:
        """As the callback says."""
        return own_switches(self.callback)

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Call and record it."""
        try:
            result: ToolResult = self.callback.in_shell(process, args, timeout)
        except BaseException as error:
            if is_failure(error):
                self.recorder.failed(self.definition, args, error)
            raise
        return self.recorder.gave(self.definition.name, args, result)


def _streams(result: ToolResult, secrets: Secrets) -> dict[str, Any]:
    """The output and the files of a result as JSON: texts, and under ``…_base64`` what is not UTF-8."""
    found: dict[str, Any] = {}
    for name, stream in (("stdout", result.stdout), ("stderr", result.stderr)):
        data = secrets.bytes(to_bytes(stream))
        if data:
            _put(found, name, data)
    files: dict[str, Any] = {}
    for name, content in result.files.items():
        if content is None:
            files[name] = None
        else:
            _put(files, name, secrets.bytes(to_bytes(content)))
    return found | ({"files": files} if files else {})


def _put(into: dict[str, Any], name: str, data: bytes) -> None:
    try:
        into[name] = data.decode("utf-8")
    except UnicodeDecodeError:
        into[name + _ENCODED] = base64.b64encode(data).decode()


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
            lines = host_files.read_bytes(path, _MAX_BYTES).decode("utf-8", "surrogateescape").splitlines()
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
        for name, kind in _KINDS.items():
            if not isinstance(call.get(name, kind()), kind):
                raise RecordingError(f"{self.path}:{number}:1: {name!r} is not {_WORDS[kind]}")
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

    def wrap(self, definition: ToolDef, callback: Callable[..., Any]) -> Callable[..., Any]:
        """A callback that returns the recorded results of a tool."""
        return Double(lambda args: self._again(definition.name, args), own_switches(callback))

    def _again(self, tool: str, args: ToolArgs) -> ToolResult:
        key = _key(tool, dict(args.params), args.stdin)
        calls = self._calls.get(key)
        if calls is None:
            raise ToolError(self._miss(tool, json_text.encode(dict(args.params)), args.stdin is not None))
        turn = self._given.get(key, 0)
        self._given[key] = turn + 1
        call = calls[min(turn, len(calls) - 1)]
        if "error" in call:
            failure = ToolError(call["error"], call.get("exit_code", 1), _stream(call, "stdout"))
            failure.files = _files(call)
            raise failure
        return ToolResult(_stream(call, "stdout"), _stream(call, "stderr"), call.get("exit_code", 0), _files(call))

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


def _files(call: Mapping[str, Any]) -> dict[str, str | bytes | None]:
    found: dict[str, Any] = call.get("files", {})
    names = [name.removesuffix(_ENCODED) for name in found]
    return {name: None if found.get(name, "") is None else _stream(found, name) for name in names}


def _stream(call: Mapping[str, Any], name: str) -> str | bytes:
    encoded = call.get(name + _ENCODED)
    if isinstance(encoded, str):
        return base64.b64decode(encoded)
    text: str = call.get(name, "")
    return text

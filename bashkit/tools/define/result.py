"""Converts the values that a callback may return to ToolResult."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.limits import ask
from bashkit.syntax.escapes import well_formed
from bashkit.tools.define import values

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

_MOST = values.LONGEST  # bytes of a stream that are collected
_PIECE = 1 << 16  # characters that are encoded at once


class ResultError(BashkitError, TypeError):
    """A callback returned something that no command can print."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outputs and exit code of a call.

    Attributes:
        stdout: Text or bytes for standard output.
        stderr: Text or bytes for standard error.
        exit_code: 0 to 255.
        files: What the script finds in its file system afterwards: contents by path, relative to the command's working directory;
            None removes what is there, and a path that ends in ``/`` is a directory. Directories are made as needed.
    """

    stdout: str | bytes = ""
    stderr: str | bytes = ""
    exit_code: int = 0
    files: Mapping[str, str | bytes | None] = field(default_factory=dict)


PLAIN = frozenset({str, bytes, dict, list, tuple, int, float, bool, type(None), ToolResult})  # usual results, quickly told


def convert(value: Any) -> ToolResult:
    """Convert a callback's return value to a ToolResult.

    ``None`` prints nothing; ``str`` and ``bytes`` are written as they are; a date, a time, a UUID or a path becomes one line of
    text; a dict, list, number or boolean, a model, a dataclass, a set, a row or a frame becomes one line of JSON. The items of an
    iterator are converted like this one after the other and collected.

    Raises:
        ResultError: The value has another type.
        Exception: Any exception of an iterator.
    """
    if isinstance(value, ToolResult):
        return _sound(value)
    if value is None:
        return ToolResult()
    if value.__class__ not in PLAIN:
        if isinstance(value, Enum):
            return convert(value.value)
        if isinstance(value, (bytearray, memoryview)):
            return ToolResult(bytes(value))
        if is_stream(value):
            return _collected(items_of(value))
    if isinstance(value, (str, bytes)):
        return ToolResult(value)
    try:
        return ToolResult(values.line(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise ResultError(f"the callback's result is not JSON: {error}") from None


def _sound(result: ToolResult) -> ToolResult:
    """A callback's own ToolResult, unless a field has a value of another type."""
    for name in ("stdout", "stderr"):
        if not isinstance(getattr(result, name), (str, bytes)):
            raise ResultError(f"{name} of a ToolResult is text or bytes, not {type(getattr(result, name)).__name__}")
    if not isinstance(result.exit_code, int):
        raise ResultError(f"exit_code of a ToolResult is a whole number, not {result.exit_code!r}")
    if not isinstance(result.files, Mapping):
        raise ResultError(f"files of a ToolResult is a mapping, not {type(result.files).__name__}")
    for path, content in result.files.items():
        if not isinstance(path, str) or not (content is None or isinstance(content, (str, bytes))):
            raise ResultError(f"files of a ToolResult are text, bytes or None by path, not {type(content).__name__} by {path!r}")
    return result


# -- streams -----------------------------------------------------------------------------------------------------------


def is_stream(value: Any) -> bool:
    """Whether a value is an iterator, whose items are written as they come."""
    return type(value) not in PLAIN and hasattr(type(value), "__next__")


def is_async_stream(value: Any) -> bool:
    """Whether a value is an async iterator, whose items are written as they come."""
    return type(value) not in PLAIN and hasattr(type(value), "__anext__")


def items_of(stream: Any) -> Iterator[Any]:
    """The items of an iterator; the rows of a database cursor (PEP 249) become objects, unless it names their columns itself."""
    if not hasattr(stream, "fetchmany") or not getattr(stream, "description", None):
        return iter(stream)
    names = [column[0] for column in stream.description]
    return (dict(zip(names, row, strict=True)) if type(row) is tuple else row for row in stream)


async def convert_async(value: Any) -> ToolResult:
    """Convert a callback's return value as ``convert`` does; the items of an async iterator are converted and collected, too.

    Raises:
        ResultError: The value or an item has another type, or the items are too long together.
        Exception: Any exception of the iterator.
    """
    if not is_async_stream(value):
        return convert(value)
    stream: AsyncIterator[Any] = value
    collected = _Collected()
    async for item in stream:
        if collected.ends_with(convert(item)):
            break
    return collected.result()


def _collected(items: Iterator[Any]) -> ToolResult:
    collected = _Collected()
    for item in items:
        if collected.ends_with(convert(item)):
            break
    return collected.result()


class _Collected:
    """The pieces of a stream, joined."""

    __slots__ = ("_exit_code", "_stderr", "_stdout")

    def __init__(self) -> None:
        self._stdout, self._stderr, self._exit_code = bytearray(), bytearray(), 0

    def ends_with(self, piece: ToolResult) -> bool:
        """Add a piece; whether it is the last one because it has an exit code."""
        self._stdout += to_bytes(piece.stdout)
        self._stderr += to_bytes(piece.stderr)
        self._exit_code = piece.exit_code
        if len(self._stdout) + len(self._stderr) > _MOST:
            raise ResultError(f"the callback's iterator gave more than {_MOST >> 20} MB")
        return bool(piece.exit_code)

    def result(self) -> ToolResult:
        """What was collected."""
        return ToolResult(bytes(self._stdout), bytes(self._stderr), self._exit_code)


def to_bytes(text: str | bytes) -> bytes:
    """Encode an output: bytes unchanged, text as UTF-8 with undecodable bytes restored."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    pieces: list[bytes] = []
    for start in range(0, len(text), _PIECE):
        pieces.append(well_formed(text[start : start + _PIECE]).encode("utf-8", "surrogateescape"))
        ask(_PIECE >> 6)
    return b"".join(pieces)

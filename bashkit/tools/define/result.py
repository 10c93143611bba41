"""Converts the values that a callback may return to ToolResult."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bashkit.tools import json_text

_UNPAIRED = re.compile("[\ud800-\udc7f\udd00-\udfff]")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outputs and exit code of a call.

    Attributes:
        stdout: Text or bytes for standard output.
        stderr: Text or bytes for standard error.
        exit_code: 0 to 255.
    """

    stdout: str | bytes = ""
    stderr: str | bytes = ""
    exit_code: int = 0


def convert(value: Any) -> ToolResult:
    """Convert a callback's return value to a ToolResult.

    ``None`` prints nothing; ``str`` and ``bytes`` are written as they are; a dict, list, tuple, number or boolean becomes
    one line of JSON.

    Raises:
        TypeError: The value has another type.
    """
    if isinstance(value, ToolResult):
        return value
    if value is None:
        return ToolResult()
    if isinstance(value, (str, bytes)):
        return ToolResult(value)
    if isinstance(value, (bytearray, memoryview)):
        return ToolResult(bytes(value))
    if isinstance(value, (dict, list, tuple, int, float)):
        try:
            return ToolResult(json_text.encode(value) + "\n")
        except ValueError as error:
            raise TypeError(f"the callback's result is not JSON: {error}") from None
    raise TypeError(f"the callback returned {type(value).__name__}: expected text, bytes, JSON data, ToolResult or None")


def to_bytes(text: str | bytes) -> bytes:
    """Encode an output: bytes unchanged, text as UTF-8 with undecodable bytes restored."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    return _UNPAIRED.sub("\ufffd", text).encode("utf-8", "surrogateescape")  # JSON's "\\ud800" is not a character

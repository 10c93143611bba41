"""Converts JSON text to values and back, as far as Python's json module and libjq certainly agree."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, NoReturn

from bashkit.commands.data.jq.direct.values import NotHereError

if TYPE_CHECKING:
    from collections.abc import Callable

_MINUS_ZERO = re.compile(r"-0(?![0-9.])")  # 2024-01-02 has none
_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # half of a character, a surrogate
# maps all digits to 0 and all other bytes to a blank
_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
_TOO_MANY_DIGITS = b"0" * 16
_BLANKS = re.compile(r"[ \t\r\n]*")
_DEEPEST = 64
_MOST_OPENERS = 2_000  # brackets that are not closed at once
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_BETWEEN = os.urandom(16).hex()  # a separator of values that no input can contain
_PRETTY, _SORTED, _TAB, _INDENT = 1, 8, 64, 7 << 8  # the flags of libjq's jv_dump_string
_DELETE = "\x7f"  # libjq escapes it inside JSON


def _float(text: str) -> float:
    value = float(text)
    if repr(value) != text or "e" in text:  # libjq writes a number as it was written
        raise NotHereError
    return value


def _refuse(_: str) -> NoReturn:
    raise NotHereError


_decoder = json.JSONDecoder(parse_float=_float, parse_constant=_refuse)


def checked(data: bytes) -> str:
    """Return the text of an input on which both certainly agree.

    Raises:
        NotHereError: They may disagree.
        UnicodeDecodeError: It is not UTF-8.
    """
    text = data.decode()
    # Numbers that lose digits or their sign; such numbers in a string only cost the fast path.
    if _MINUS_ZERO.search(text) or ("\\u" in text and _HALF.search(text)) or _TOO_MANY_DIGITS in data.translate(_DIGITS):
        raise NotHereError
    brackets = data.translate(None, _ALL_BUT_BRACKETS)
    for _ in range(_DEEPEST):
        if len(brackets) <= _MOST_OPENERS:
            return text
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    raise NotHereError


def parsed(text: str) -> list[Any]:
    """Parse the values of a text.

    Raises:
        NotHereError: Values are not clearly separated.
        ValueError: It is not JSON.
        RecursionError: It is nested too deeply.
    """
    values: list[Any] = []
    position = _BLANKS.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    while position < len(text):
        value, position = _decoder.raw_decode(text, position)
        values.append(value)
        after = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # as above
        if after == position < len(text):  # libjq decides where one value ends and the next begins
            raise NotHereError
        position = after
    return values


def parsed_lines(text: str) -> list[Any]:
    """Parse a text with one value per line, much faster than ``parsed``.

    Raises:
        NotHereError: A line is not exactly one value.
        ValueError: A line is not JSON.
        RecursionError: A value is nested too deeply.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not lines:
        return []
    found = _decoder.decode("[" + f',"{_BETWEEN}",'.join(lines) + "]")
    if len(found) != 2 * len(lines) - 1 or found[1::2].count(_BETWEEN) != len(lines) - 1:
        raise NotHereError  # a value spans several lines, or a line contains several
    values: list[Any] = found[::2]
    return values


class Writer:
    """Writes values in the output format of a jq invocation.

    Args:
        flags: libjq's flags for layout and order of keys.
        raw: Whether strings are written without quotes.
        terminator: The text after each value.
    """

    __slots__ = ("_encode", "_encode_flat", "_indent", "_raw", "_terminator")

    def __init__(self, flags: int, terminator: str, *, raw: bool) -> None:
        ordered = bool(flags & _SORTED)
        self._indent = None if not flags & _PRETTY else "\t" if flags & _TAB else " " * (flags >> 8 & 7)
        self._encode = _encoder(",", ": ", self._indent, ordered=ordered) if flags & _PRETTY else _encoder(ordered=ordered)
        self._encode_flat = _encoder(f",\n{self._indent}", ": ", ordered=ordered) if flags & _PRETTY else self._encode
        self._terminator = terminator
        self._raw = raw

    def write(self, values: list[Any], *, fast: bool) -> str:
        """Write values as text.

        Args:
            values: The values.
            fast: Write only values for which Python is faster than libjq.

        Raises:
            NotHereError: libjq may write them differently, or faster.
        """
        kinds = set(map(type, values))
        parts = not kinds.isdisjoint({list, dict})
        if self._raw and str in kinds:
            text = self._each(values, parts=parts) if len(kinds) > 1 else self._terminator.join(values) + self._terminator
        elif not values:
            text = ""
        elif not parts or self._indent is None:
            text = self._all(values, parts=parts)
        else:
            text = (self._flat(values) if kinds == {dict} else "") or ("" if fast else self._each(values, parts=True))
        if _DELETE in text or (values and not text):
            raise NotHereError
        return text

    def _each(self, values: list[Any], *, parts: bool) -> str:
        raw, encode, end = self._raw, self._encode if parts else compact, self._terminator
        return "".join([(value if raw and value.__class__ is str else encode(value)) + end for value in values])

    def _all(self, values: list[Any], *, parts: bool) -> str:
        """Write values without parts, or values on one line, at once."""
        encode = self._encode if parts else compact
        if len(values) == 1:
            return encode(values[0]) + self._terminator
        return encode(_spread(values))[1:-1].replace(f',"{_BETWEEN}",', self._terminator) + self._terminator

    def _flat(self, values: list[Any]) -> str:
        """Write objects whose parts have no parts at once; "" if there are others."""
        indent, end = self._indent, self._terminator
        text = self._encode_flat(_spread(values))
        if text.count("{") != len(values) or text.count("[") > 1 or "{}" in text:
            return ""
        apart = f'}},\n{indent}"{_BETWEEN}",\n{indent}{{'
        return f"{{\n{indent}" + text[2:-2].replace(apart, f"\n}}{end}{{\n{indent}") + f"\n}}{end}"


def _spread(values: list[Any]) -> list[Any]:
    """Write values with the separator between them."""
    spread: list[Any] = [_BETWEEN] * (2 * len(values) - 1)
    spread[::2] = values
    return spread


def _encoder(comma: str = ",", colon: str = ":", indent: str | None = None, *, ordered: bool = False) -> Callable[[Any], str]:
    return json.JSONEncoder(ensure_ascii=False, separators=(comma, colon), indent=indent, sort_keys=ordered).encode


compact = _encoder()
"""The text of a value as ``tojson`` has it; an encoder with an indent is Python code, which takes its time for a number, too."""

"""JSON text to values and back, as far as Python's json module and libjq certainly agree."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from bashkit.commands.jq.direct.values import NotHereError

if TYPE_CHECKING:
    from collections.abc import Callable

_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # of a character
_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))  # all digits the same, everything else a blank
_TOO_MANY_DIGITS = b"0" * 16
_BLANKS = re.compile(r"[ \t\r\n]*")
_DEEPEST = 64
_MOST_OPENERS = 2_000  # brackets that are not closed at once
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_BETWEEN = "\x00 between two lines"
_PRETTY, _SORTED, _TAB, _INDENT = 1, 8, 64, 7 << 8  # the flags of libjq's jv_dump_string
_DELETE = "\x7f"  # libjq writes it as an escape inside of JSON


def _float(text: str) -> float:
    value = float(text)
    if repr(value) != text or "e" in text:  # libjq writes a number as it was written
        raise NotHereError
    return value


def _refuse(_: str) -> NoReturn:
    raise NotHereError


_decoder = json.JSONDecoder(parse_float=_float, parse_constant=_refuse)


def checked(data: bytes) -> str:
    """The text of input that holds nothing on which the two disagree.

    Raises:
        NotHereError: It may.
        UnicodeDecodeError: It is no UTF-8.
    """
    text = data.decode()
    # Numbers that lose digits or their sign; where there are such in a string, they cost only the short way.
    if "-0" in text or ("\\u" in text and _HALF.search(text)) or _TOO_MANY_DIGITS in data.translate(_DIGITS):
        raise NotHereError
    brackets = data.translate(None, _ALL_BUT_BRACKETS)
    for _ in range(_DEEPEST):
        if len(brackets) <= _MOST_OPENERS:
            return text
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    raise NotHereError


def parsed(text: str) -> list[Any]:
    """The values of a text.

    Raises:
        NotHereError: One does not end where the next begins.
        ValueError: It is no JSON.
        RecursionError: It nests too deeply.
    """
    values: list[Any] = []
    position = _BLANKS.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    while position < len(text):
        value, position = _decoder.raw_decode(text, position)
        values.append(value)
        after = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # as above
        if after == position < len(text):  # where one value ends and another begins is libjq's to say
            raise NotHereError
        position = after
    return values


def parsed_lines(text: str) -> list[Any]:
    """The values of a text each of whose lines is one value: much faster than ``parsed``.

    Raises:
        NotHereError: The lines are not such.
        ValueError: They are not, or are no JSON.
        RecursionError: One nests too deeply.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not lines or _BETWEEN in text:
        raise NotHereError
    found = _decoder.decode("[" + f',"\\u0000{_BETWEEN[1:]}",'.join(lines) + "]")
    if len(found) != 2 * len(lines) - 1 or found[1::2].count(_BETWEEN) != len(lines) - 1:
        raise NotHereError  # a value went over several lines, or a line held several
    values: list[Any] = found[::2]
    return values


class Writer:
    """Writes values as an invocation of jq asks for.

    Args:
        flags: libjq's; only layout and order of keys.
        raw: Strings are written as they are.
        terminator: What ends each value.
    """

    __slots__ = ("_encode", "_raw", "_terminator", "swift")

    def __init__(self, flags: int, terminator: str, *, raw: bool) -> None:
        self.swift = not flags & _PRETTY  # arrays and objects, too, are written fast
        self._encode = _encoder(flags)
        self._terminator = terminator
        self._raw = raw

    def write(self, values: list[Any]) -> str:
        """The text of values.

        Raises:
            NotHereError: libjq may write them otherwise.
        """
        if not values:
            return ""
        encode, end = self._encode, self._terminator
        if self._raw:
            texts = [value if value.__class__ is str else encode(value) for value in values]
        else:
            texts = list(map(encode, values))
        texts.append("")
        text = end.join(texts)
        if _DELETE in text:
            raise NotHereError
        return text


def _encoder(flags: int) -> Callable[[Any], str]:
    ordered = bool(flags & _SORTED)
    if flags & _PRETTY:
        indent: str | None = "\t" if flags & _TAB else " " * (flags >> 8 & 7)
        separators = (",", ": ")
    else:
        indent, separators = None, (",", ":")
    return json.JSONEncoder(ensure_ascii=False, separators=separators, indent=indent, sort_keys=ordered).encode


compact = _encoder(0)
"""The text of a value as ``tojson`` has it."""

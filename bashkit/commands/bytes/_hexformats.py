"""The format strings of hexdump: ``-e '16/1 "%02x " "\\n"'`` (the manual of util-linux hexdump, Formats)."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.escapes import unescape
from bashkit.interp.utility.command import UsageError
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.limits import Budget

_UNIT = re.compile(r'\s*(?:(\d+)\s*)?(?:/\s*(\d+)\s*)?"((?:[^"\\]|\\.)*)"\s*', re.ASCII | re.DOTALL)
_CONVERSION = re.compile(r"%([-+ #0]*)(\d*)(?:\.(\d+))?(_[aA][dox]|_[cpu]|[a-zA-Z])|([^%]+)", re.ASCII | re.DOTALL)
_SIZES = {"c": 1, "_c": 1, "_p": 1, "_u": 1, **dict.fromkeys("dioxXu", 4), **dict.fromkeys("eEfFgG", 8)}
_ALLOWED = {
    "c": (1,),
    "_c": (1,),
    "_p": (1,),
    "_u": (1,),
    **dict.fromkeys("dioxXu", (1, 2, 4, 8)),
    **dict.fromkeys("eEfFgG", (4, 8)),
}
_C_NAMES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
_US_ASCII = (
    "nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us".split()
)
CANNED = {
    "b": ('"%07.7_Ax\n"', '"%07.7_ax " 16/1 "%03o " "\\n"'),
    "c": ('"%07.7_Ax\n"', '"%07.7_ax " 16/1 "%3_c " "\\n"'),
    "C": ('"%08.8_Ax\n"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x " ', '"  |" 16/1 "%_p" "|\\n"'),
    "d": ('"%07.7_Ax\n"', '"%07.7_ax " 8/2 "  %05u " "\\n"'),
    "o": ('"%07.7_Ax\n"', '"%07.7_ax " 8/2 " %06o " "\\n"'),
    "x": ('"%07.7_Ax\n"', '"%07.7_ax " 8/2 "   %04x " "\\n"'),
}


@dataclass(frozen=True, slots=True)
class _Part:
    """A conversion, or literal text (``kind`` is then empty)."""

    text: str
    kind: str = ""
    size: int = 0
    precision: int = -1


@dataclass(slots=True)
class _Unit:
    """A format unit: the repetition, the bytes per repetition, and the parts to print."""

    times: int
    counted: bool
    parts: list[_Part]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @property
    def longest(self) -> int:
        """An approximate upper bound of the characters it prints."""
        return sum(
            len(part.text) + sum(map(clamped, re.findall(r"[0-9]+", part.text))) if part.kind else len(part.text)
            for part in self.parts
        )


class Formats:
    """Prints blocks of the input by all format strings together.

    Args:
        texts: The format strings.
        budget: Charged before a width or a count makes a line long.

    Raises:
        UsageError: A format string is malformed.
    """

    def __init__(self, texts: list[str], budget: Budget) -> None:
        self._strings = [_units(text) for text in texts]
        self.block = max((sum(unit.times * unit.size for unit in units) for units in self._strings), default=0)
        self._end: list[_Part] = []
        for units in self._strings:
            for index, unit in enumerate(units):
                if any(part.kind.startswith("_A") for part in unit.parts):
                    self._end = unit.parts
                    budget.string(unit.longest)
                    del units[index:]
                    break
            used = sum(unit.times * unit.size for unit in units)
            if units and not units[-1].counted and units[-1].size and used < self.block:
                units[-1].times += (self.block - used) // units[-1].size
            budget.string(sum(unit.times * unit.longest for unit in units))
        budget.string(self.block)

    def line(self, data: bytes, address: int) -> str:
        """Print one block; the last one may be short.

        Args:
            data: At most ``block`` bytes.
            address: Its offset.
        """
        padded = data + bytes(self.block - len(data))
        shown: list[str] = []
        for units in self._strings:
            position = 0
            for unit in units:
                for turn in paced(range(unit.times)):
                    for number, part in enumerate(unit.parts):
                        last = turn == unit.times - 1 and unit.times > 1 and number == len(unit.parts) - 1
                        shown.append(_shown(part, padded, position, address, at_end=position >= len(data), last=last))
                        position += part.size
        return "".join(shown)

    def end(self, address: int) -> str:
        """The text printed once at the end."""
        return "".join(part.text if not part.kind else part.text % address for part in self._end)


def _units(text: str) -> list[_Unit]:
    units: list[_Unit] = []
    position = 0
    text = text.strip()
    while position < len(text):
        found = _UNIT.match(text, position)
        if found is None:
            raise UsageError(f"bad format {{{text}}}", hint=False)
        position = found.end()
        parts = _parts(found[3], int(found[2][:6]) if found[2] else None)
        if found[2] and not sum(part.size for part in parts):
            parts.append(_Part("", "skip", int(found[2][:6])))
        units.append(_Unit(int(found[1][:6]) if found[1] else 1, found[1] is not None, parts))
    return units


def _parts(text: str, size: int | None) -> list[_Part]:
    text = unescape(text)
    parts: list[_Part] = []
    position = 0
    while position < len(text):
        found = _CONVERSION.match(text, position)
        if found is None:
            raise UsageError(f"bad conversion character {text[position : position + 2]}", hint=False)
        position = found.end()
        if found[5] is not None:
            parts.append(_Part(found[5]))
            continue
        parts.append(_conversion(found, size))
    if size is not None and sum(bool(part.size) for part in parts) > 1:
        raise UsageError("byte count with multiple conversion characters", hint=False)
    return parts


def _conversion(found: re.Match[str], size: int | None) -> _Part:
    flags, width, precision, kind = found[1], found[2], found[3], found[4]
    if kind[:2] in {"_a", "_A"}:
        return _Part(f"%{flags}{width}{'.' + precision if precision else ''}{kind[2]}", kind)
    if kind == "s":
        if precision is None and size is None:
            raise UsageError("%s requires a precision or a byte count", hint=False)
        count = clamped(precision) if precision is not None else size or 0
        return _Part(f"%{flags}{width}s", kind, size or count, count)
    if kind not in _SIZES:
        raise UsageError(f"bad conversion character %{kind}", hint=False)
    if size is not None and size not in _ALLOWED[kind]:
        raise UsageError(f"bad byte count for conversion character {kind}", hint=False)
    letter = "s" if kind[0] == "_" or kind == "c" else {"u": "d", "i": "d"}.get(kind, kind)
    exact = f".{precision}" if precision is not None and letter != "s" else ""
    return _Part(f"%{flags.replace('0', '') if letter == 's' else flags}{width}{exact}{letter}", kind, size or _SIZES[kind])


def _shown(part: _Part, data: bytes, position: int, address: int, *, at_end: bool, last: bool) -> str:
    """Print one part. The last repetition of a unit omits its final blank, and parts after the end of input are blank."""
    if not part.kind:
        return part.text[:-1] if last and part.text[-1:].isspace() else part.text
    if at_end:
        width = re.search(r"[1-9][0-9]*", part.text.partition(".")[0])
        return " " * clamped(width[0]) if width is not None else ""
    piece = data[position : position + part.size]
    if part.kind == "skip":
        return ""
    if part.kind.startswith("_a"):
        return part.text % (address + position)
    return part.text % _value(part, piece)


def _value(part: _Part, piece: bytes) -> str | int | float:
    kind = part.kind
    if kind == "s":
        return piece[: part.precision].split(b"\0")[0].decode("utf-8", "surrogateescape")
    byte = piece[0]
    printable = 32 <= byte < 127
    if kind == "c":
        return bytes([byte]).decode("utf-8", "surrogateescape")
    if kind == "_c":
        return _C_NAMES.get(byte) or (chr(byte) if printable else f"{byte:03o}")
    if kind == "_p":
        return chr(byte) if printable else "."
    if kind == "_u":
        return chr(byte) if printable else _US_ASCII[byte] if byte < 32 else "del" if byte == 127 else f"{byte:02x}"
    if kind in "eEfFgG":
        number: float = struct.unpack("<f" if part.size == 4 else "<d", piece)[0]
        return number
    return int.from_bytes(piece, "little", signed=kind in "di")

"""Keys of ``sort``: their position in a line, and their comparison (POSIX XCU sort, GNU coreutils manual)."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bashkit.commands._notation.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = re.compile(rb"[ \t\n]*(-?)([0-9]*)(?:\.([0-9]*))?")
_HUMAN = re.compile(rb"[ \t\n]*(-?)([0-9]*)(?:\.([0-9]*))?([kKMGTPEZY]?)")
FLOAT = re.compile(
    rb"[ "
    rb"\t\n\v\f\r]*+([-+]?(?:0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][-+]?[0-9]+)?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
    rb"|inf(?:inity)?|nan))",
    re.IGNORECASE,
)
MONTHS = {name: number for number, name in enumerate(b"JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(), 1)}
_UPPER = bytes(range(97)) + bytes(range(65, 91)) + bytes(range(123, 256))
_NOT_DICTIONARY = bytes(c for c in range(256) if not (chr(c).isalnum() and c < 128) and c not in b" \t\n")
_NOT_PRINTING = bytes(c for c in range(256) if not 32 <= c < 127)
_LONG = 4000  # maximum digits that int() converts

DIGIT_KINDS = "ghnMRV"


@dataclass(frozen=True, slots=True)
class Order:
    """The comparison of a key: the letters ``bdfgiMhnRrV`` of sort.

    Attributes:
        skip_start: ``b`` for its beginning.
        skip_end: ``b`` for its end.
        kind: One of ``ghnMRV``, or "" for bytes.
        fold: ``f``.
        dictionary: ``d``.
        printing: ``i``.
        reverse: ``r``.
    """

    skip_start: bool = False
    skip_end: bool = False
    kind: str = ""
    fold: bool = False
    dictionary: bool = False
    printing: bool = False
    reverse: bool = False

    def convert(self, salt: bytes, end: bytes) -> Callable[[bytes], Any]:
        """A function that converts a key to a value that Python compares correctly; ``salt`` and ``end`` are for ``-R``."""
        if self.kind == "n":
            return number
        if self.kind == "g":
            return general
        if self.kind == "h":
            return (lambda key: human(key.translate(_UPPER))) if self.fold else human  # 1e2 is an exabyte then
        if self.kind == "M":
            return month
        delete = _NOT_DICTIONARY if self.dictionary else _NOT_PRINTING if self.printing else b""
        table = _UPPER if self.fold else None
        if self.kind == "V":
            return lambda key: version_key(key.translate(table, delete))
        if self.kind == "R":
            return lambda key: _shuffled(key.translate(table, delete), salt, end)
        return lambda key: key.translate(table, delete)


def _shuffled(key: bytes, salt: bytes, end: bytes) -> bytes:
    """The place of a key in a random order, the same as that of GNU sort with the same random source."""
    return hashlib.md5(salt + key + (end if key else b""), usedforsecurity=False).digest()


@dataclass(frozen=True, slots=True)
class Key:
    """``-k F1.C1,F2.C2`` with its order; fields and characters count from 1, ``end_field`` 0 is the end of the line."""

    field: int
    char: int
    end_field: int
    end_char: int
    order: Order

    def extract(self, separator: bytes | None) -> Callable[[bytes], bytes]:
        """A function that extracts the key from a line."""
        if self.field == 1 and self.char == 1 and not self.end_field and not self.order.skip_start:
            return lambda line: line
        if separator is not None and self.char == 1 and self.end_field == self.field and not self.end_char:
            if not self.order.skip_start:
                return _plain_field(separator, self.field)
        start = _boundary(separator, self.field - 1)
        stop = _boundary(separator, self.end_field - 1 if self.end_char else self.end_field)
        order, char, end_field, end_char = self.order, self.char, self.end_field, self.end_char

        def cut(line: bytes) -> bytes:
            begin = start(line)
            if order.skip_start:
                begin += len(line[begin:]) - len(line[begin:].lstrip(b" \t"))
            begin = min(begin + char - 1, len(line))
            if not end_field:
                return line[begin:]
            end = stop(line)
            if end_char:
                if order.skip_end:
                    end += len(line[end:]) - len(line[end:].lstrip(b" \t"))
                end = min(end + end_char, len(line))
            elif separator is not None and end > 0 and line[end - 1 : end] == separator and line.count(separator) >= end_field:
                end -= 1
            return line[begin:end]

        return cut


def _plain_field(separator: bytes, field: int) -> Callable[[bytes], bytes]:
    def cut(line: bytes) -> bytes:
        parts = line.split(separator, field)
        return parts[field - 1] if len(parts) >= field else b""

    return cut


def _boundary(separator: bytes | None, count: int) -> Callable[[bytes], int]:
    """The position after the first ``count`` fields and, with a separator, after the separator of the last one."""
    if count <= 0:
        return lambda _: 0
    if separator is None:
        pattern = re.compile(rb"(?>[ \t\n]*+[^ \t\n]++){0,%d}+" % min(count, 1_000_000))
    else:
        escaped = re.escape(separator)
        pattern = re.compile(rb"(?>[^%s]*+%s){0,%d}+" % (escaped, escaped, min(count, 1_000_000)))

    def find(line: bytes) -> int:
        found = pattern.match(line)
        end = found.end() if found is not None else 0
        if separator is None:
            rest = line[end:]
            return end if rest.strip(b" \t") else end if _fields(line, count) else len(line)
        return end if line.count(separator) >= count else len(line)

    return find


def _fields(line: bytes, count: int) -> bool:
    return len(line.split(None, count)) >= count


def _integer(digits: bytes) -> int | Decimal:
    return int(digits or b"0") if len(digits) < _LONG else Decimal(digits.decode())


def _negated(value: int | Decimal) -> int | Decimal:
    """The number with the other sign and all of its digits, where ``-`` rounds."""
    return -value if isinstance(value, int) else value.copy_negate()


def number(key: bytes) -> int | Decimal:
    """``-n``: blanks, a minus sign, digits with a decimal point."""
    found = _NUMBER.match(key)
    if found is None:
        return 0
    sign, digits, fraction = found.groups()
    value = _integer(digits) if not fraction else Decimal(f"{digits.decode()}.{fraction.decode()}")
    return _negated(value) if sign else value


def human(key: bytes) -> tuple[int, int | Decimal]:
    """``-h``: the sign, then the suffix, then the number."""
    found = _HUMAN.match(key)
    if found is None:
        return 0, 0
    value = number(key)
    power = b"kKMGTPEZY".find(found[4]) if found[4] else -1
    power = max(power, 1) if power >= 0 else 0
    sign = (value > 0) - (value < 0)
    return sign * power if sign else 0, value


def general(key: bytes) -> tuple[int, float]:
    """``-g``: text that is not a number comes first, then NaN, then the numbers."""
    found = FLOAT.match(key)
    if found is None:
        return 0, 0.0
    text = found[1].decode().lower()
    try:
        value = float.fromhex(text) if "0x" in text else float(text)
    except OverflowError:
        value = -math.inf if text.startswith("-") else math.inf
    return (1, 0.0) if value != value else (2, value)  # noqa: PLR0124 - NaN is what differs from itself


def month(key: bytes) -> int:
    """``-M``: unknown before JAN."""
    return MONTHS.get(key.lstrip(b" \t")[:3].upper(), 0)

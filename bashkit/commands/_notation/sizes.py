"""Writes sizes for people, such as ``1.5K``, and parses block sizes (GNU coreutils manual, Block size)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import MOST, clamped
from bashkit.interp.utility.command import ArgumentError
from bashkit.syntax.digits import SPACE, is_digits

if TYPE_CHECKING:
    from collections.abc import Mapping

_LETTERS = "KMGTPEZY"
_FOR_PEOPLE = {"human-readable": 1024, "si": 1000}
_BLOCK_SIZE = re.compile(r"(?:[ \t-\r]*\+?([0-9]+)|(?=.))([a-zA-Z]?)(iB|B)?", re.ASCII)


def human(size: int, base: int = 1024, *, nearest: bool = False) -> str:
    """Write a size with at most three digits and a letter, rounded up as ``ls -h`` and ``du -h`` do.

    Args:
        size: Bytes.
        base: 1024, or 1000 for ``--si``.
        nearest: Round to the nearest number, as ``dd`` does, and half to even.
    """
    if size < base:
        return str(size)
    power = 1
    while power < len(_LETTERS) and size >= base ** (power + 1):
        power += 1
    unit = base**power
    tenths = _divided(size * 10, unit, nearest=nearest)
    if tenths >= 100:
        whole = _divided(size, unit, nearest=nearest)
        if whole >= base and power < len(_LETTERS):
            return f"1.0{_letter(power, base)}"
        return f"{whole}{_letter(power - 1, base)}"
    return f"{tenths // 10}.{tenths % 10}{_letter(power - 1, base)}"


def _divided(amount: int, unit: int, *, nearest: bool) -> int:
    quotient, rest = divmod(amount, unit)
    return quotient + (2 * rest + (quotient & 1) > unit if nearest else rest > 0)


def _letter(index: int, base: int) -> str:
    return "k" if index == 0 and base == 1000 else _LETTERS[index]


def parse_size(text: str, *, letters: str = "kKmMGTPEZY") -> int:
    """Parse a size with a suffix: ``K`` is 1024, ``kB`` 1000, ``b`` 512 where allowed.

    Args:
        text: ``10``, ``4K``, ``1MiB``, ``2kB``; a bare suffix means 1.
        letters: The allowed suffixes.

    Raises:
        ValueError: It is not a size.
    """
    match = _BLOCK_SIZE.fullmatch(text)
    if match is None or not text or (match[2] and match[2] not in letters) or (match[3] and not match[2]):
        raise ValueError(text)
    number = clamped(match[1]) if match[1] else 1
    if match[2] == "b":
        return number * 512
    if not match[2]:
        return number
    base = 1000 if match[3] == "B" else 1024
    return int(number * base ** (_LETTERS.index(match[2].upper()) + 1))


@dataclass(frozen=True, slots=True)
class BlockSize:
    """The unit in which sizes are printed.

    Attributes:
        size: Its bytes; 0 for sizes with a letter each.
        base: Of sizes with a letter each: 1024 or 1000.
        suffix: What follows every size.
    """

    size: int
    base: int = 1024
    suffix: str = ""

    def show(self, amount: int) -> str:
        """Write a number of bytes in this unit, rounded up."""
        return human(amount, self.base) if self.size == 0 else f"{-(-amount // self.size)}{self.suffix}"

    def title(self) -> str:
        """What the unit is called."""
        if self.suffix:
            return "1" + self.suffix
        of_1024 = _divisions(self.size, 1024) > _divisions(self.size, 1000)
        return human(self.size, 1024 if of_1024 else 1000).replace(".0", "") + ("" if of_1024 else "B")


def _divisions(size: int, base: int) -> int:
    """How often a size can be divided by a base."""
    count = 0
    while size and size % base == 0:
        size //= base
        count += 1
    return count


def block_size(text: str) -> BlockSize:
    """Parse what an option or a variable says of the unit: ``1M``, ``M``, ``si``; an apostrophe first groups digits, if at all.

    Raises:
        ValueError: It is no block size.
    """
    text = text.removeprefix("'")
    base = next((base for word, base in _FOR_PEOPLE.items() if text and word.startswith(text)), None)
    if base is not None:
        return BlockSize(0, base)
    size = parse_size(text, letters="kKmMgGtTPEZY")
    letter = "k" if text[1:] == "B" and text[0] in "kK" else text[0].upper()
    return BlockSize(size, suffix="" if is_digits(text[0]) else letter + text[1:])


def no_size(text: str) -> ArgumentError:
    """The error for an argument that is no size: its suffix is wrong, or all of it."""
    number = text.lstrip(SPACE).removeprefix("+")
    return ArgumentError(f"invalid {'suffix in ' * is_digits(number[:1])}{{}} argument", f"'{text}'")


def check_block_size(text: str) -> None:
    """Refuse an argument that does not say the unit."""
    try:
        unit = block_size(text)
    except ValueError:
        raise no_size(text) from None
    if unit.size >= MOST:
        raise ArgumentError("{} argument", f"'{text}' too large")
    if not unit.size and not any(word.startswith(text.removeprefix("'")) for word in _FOR_PEOPLE):
        raise ArgumentError("invalid {} argument", f"'{text}'")


def block_size_of(environment: Mapping[str, str], *names: str) -> BlockSize:
    """The unit that the first of these variables which is set says; kibibytes without one, or half of that for POSIX."""
    text = next((environment[name] for name in names if name in environment), "")
    try:
        return block_size(text)
    except ValueError:
        return BlockSize(512 if "POSIXLY_CORRECT" in environment else 1024)

"""Unicode properties of Perl's expressions (``\\p{…}``, pcre2pattern(3)) as ranges of characters."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Ranges = tuple[tuple[str, str], ...]

_LAST_NAMED = 0x323B0  # above it there are only private characters and tags
_CATEGORIES = {
    "C": "Cc Cf Cn Co Cs", "L": "Ll Lm Lo Lt Lu", "M": "Mc Me Mn", "N": "Nd Nl No", "P": "Pc Pd Pe Pf Pi Po Ps",
    "S": "Sc Sk Sm So", "Z": "Zl Zp Zs", "L&": "Ll Lt Lu", "Xan": "Ll Lm Lo Lt Lu Nd Nl No",
}  # fmt: skip
_TWO_LETTERS = {category for letter in "CLMNPSZ" for category in _CATEGORIES[letter].split()}
_SCRIPTS = {  # how the names of their characters begin
    "Arabic": ("ARABIC",), "Armenian": ("ARMENIAN",), "Bengali": ("BENGALI",), "Cyrillic": ("CYRILLIC",),
    "Devanagari": ("DEVANAGARI",), "Georgian": ("GEORGIAN",), "Greek": ("GREEK",), "Hangul": ("HANGUL",), "Han": ("CJK ",),
    "Hebrew": ("HEBREW",), "Hiragana": ("HIRAGANA",), "Katakana": ("KATAKANA",),
    "Latin": ("LATIN", "FULLWIDTH LATIN", "FEMININE ORDINAL", "MASCULINE ORDINAL"), "Tamil": ("TAMIL",), "Thai": ("THAI",),
}  # fmt: skip
_SPACE = "\t\n\v\f\r"


@cache
def property_ranges(name: str) -> Ranges | None:
    """The characters with a property: a general category or a script; None for an unknown one."""
    if name == "Any":
        return (("\0", chr(sys.maxunicode)),)
    if name in ("Xwd", "Xsp", "Xps"):
        letters = name == "Xwd"
        base = property_ranges("Xan" if letters else "Z") or ()
        return (*base, ("_", "_")) if letters else (*base, (_SPACE[0], _SPACE[-1]))
    categories = _CATEGORIES.get(name, name).split()
    if _TWO_LETTERS.issuperset(categories):
        last = sys.maxunicode if name.startswith("C") else _LAST_NAMED
        return _ranges(lambda char: unicodedata.category(char) in categories, last)
    starts = _SCRIPTS.get(name.rpartition("=")[2].rpartition(":")[2].capitalize())
    if starts is None:
        return None
    return _ranges(lambda char: char.isalpha() and unicodedata.name(char, "").startswith(starts), _LAST_NAMED)


def _ranges(belongs: Callable[[str], bool], last: int) -> Ranges:
    found: list[tuple[str, str]] = []
    start = -1
    for code in range(last + 2):
        if code <= last and belongs(chr(code)):
            start = code if start < 0 else start
        elif start >= 0:
            found.append((chr(start), chr(code - 1)))
            start = -1
    return tuple(found)


def outside(ranges: Ranges) -> Ranges:
    """The characters that belong to none of the ranges."""
    found: list[tuple[str, str]] = []
    free = 0
    for low, high in sorted(ranges):
        if ord(low) > free:
            found.append((chr(free), chr(ord(low) - 1)))
        free = max(free, ord(high) + 1)
    if free <= sys.maxunicode:
        found.append((chr(free), chr(sys.maxunicode)))
    return tuple(found)

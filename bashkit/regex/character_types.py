"""Which characters beyond ASCII belong to a character class in the locale C.UTF-8.

The rules were found by asking the iswctype(3) of glibc 2.36 about every character; their answers are the same for all of
Unicode 14. Letters, digits and most vowel signs are ``alpha`` and ``alnum``; what keeps words together (U+00A0, U+202F) is
no ``space``; all that is assigned is ``print``, but for controls and the separators of lines.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Run = tuple[int, int]

_SCANNED = (range(0x80, 0x323B0), range(0xE0000, 0xE01F0))  # beyond them nothing is assigned but private use
_SEPARATORS = (0x2028, 0x2029)  # of lines and paragraphs: spaces and controls
_SPACES: list[Run] = [(0x1680, 0x1680), (0x2000, 0x2006), (0x2008, 0x200A), (0x205F, 0x205F), (0x3000, 0x3000)]
_LAST_OF_PLANE = 0xFFFF
_UNPRINTED = frozenset(("Cc", "Cn", "Cs", "Zl", "Zp"))
_LETTERS = frozenset(("Ll", "Lm", "Lo", "Lt", "Lu", "Nd", "Nl"))
_MARKS = frozenset(("Mc", "Me", "Mn"))
_CIRCLED: list[Run] = [(0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189)]  # letters among the symbols
_VOWELS = frozenset((0, 6, *range(10, 37), 84, 91, 103, 118, 129, 130, 132, 240))  # combining classes of marks that are letters
_OTHER_MARKS = (  # those of whom the opposite is true
    "34f,488-489,5c4-5c5,610-617,653-657,659-65f,6d6-6dc,6e1-6e4,6e7-6e8,6ed,730-73f,816-817,81b-823,825-827,829-82c,8d4-8df,"
    "8e3-8e9,8f3-8ff,afd-aff,b55,c04,e3a,e47,e4c,e4e,ecc,f3e-f3f,108d,17b4-17b5,17c9-17d1,17d3,180b-180d,180f,18a9,1a17-1a18,"
    "1abe-1ac0,1acc-1ace,1ce1,1cf7,1de7-1df4,20dd-20e0,20e2-20e4,2de0-2dff,a670-a672,a674-a67b,a69e-a69f,aab0,aab2-aab4,"
    "aab7-aab8,aabe,abec,fe00-fe0f,10376-1037a,10a0d,10a0f,10d24-10d27,10eab-10eac,11080-11081,11100-11102,111c9,111cb-111cc,"
    "11a33,11a98,16fe4,1bc9d-1bc9e,1cf00-1cf2d,1cf30-1cf46,1da00-1da36,1da3b-1da6c,1da75,1da84,1da9b-1da9f,1daa1-1daaf,"
    "1e000-1e006,1e008-1e018,1e01b-1e021,1e023-1e024,1e026-1e02a,1e947,e0100-e01ef"
)


@cache
def beyond_ascii(name: str) -> str:
    """The characters beyond ASCII in a class, as ranges inside ``[...]``; empty for a class that has none."""
    members = _CLASSES.get(name)
    return "" if members is None else "".join([f"{chr(first)}-{chr(last)}" for first, last in _joined(members())])


@cache
def disputed_in_words() -> re.Pattern[str]:
    """The characters of which the C library and ``re`` do not say the same: whether words consist of them.

    Those beyond U+FFFF, of scripts that are hardly written any more, are left out: with them a search takes 40 times as long.
    """
    words, letters = _alpha(), [(first, last) for first, last, category in _categories() if category[0] in "LN"]
    runs = [run for run in _joined([*_less(words, letters), *_less(letters, words)]) if run[1] <= _LAST_OF_PLANE]
    return re.compile("[" + "".join([f"{chr(first)}-{chr(last)}" for first, last in runs]) + "]")


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Runs in order, those that touch made one."""
    first = last = -1
    for begin, end in sorted(runs):
        if begin > last + 1 and first >= 0:
            yield first, last
        if begin > last + 1 or first < 0:
            first = begin
        last = max(last, end)
    if first >= 0:
        yield first, last


@cache
def _categories() -> list[tuple[int, int, str]]:
    """The runs of characters of one general category."""
    found: list[tuple[int, int, str]] = []
    for codes in _SCANNED:
        for category, run in groupby(codes, lambda code: unicodedata.category(chr(code))):
            members = list(run)
            found.append((members[0], members[-1], category))
    return found


def _of(categories: frozenset[str]) -> list[Run]:
    return [(first, last) for first, last, category in _categories() if category in categories]


def _alpha() -> list[Run]:
    others = {code for run in _OTHER_MARKS.split(",") for code in range(*_bounds(run))}
    marks = [
        (code, code)
        for first, last in _of(_MARKS)
        for code in range(first, last + 1)
        if (unicodedata.combining(chr(code)) in _VOWELS) != (code in others)
    ]
    return _of(_LETTERS) + marks + _CIRCLED


def _bounds(run: str) -> tuple[int, int]:
    first, _, last = run.partition("-")
    return int(first, 16), int(last or first, 16) + 1


def _print() -> list[Run]:
    return [(first, last) for first, last, category in _categories() if category not in _UNPRINTED]


def _less(runs: list[Run], others: list[Run]) -> list[Run]:
    """Runs without what is in other ones."""
    found: list[Run] = []
    cuts = iter([*_joined(others), (0x110000, 0x110000)])
    begin, end = next(cuts)
    for first, last in _joined(runs):
        while end < first:
            begin, end = next(cuts)
        while begin <= last:
            if first < begin:
                found.append((first, begin - 1))
            first = end + 1
            if first > last:
                break
            begin, end = next(cuts)
        if first <= last:
            found.append((first, last))
    return found


def _cased(belongs: Callable[[str], bool]) -> list[Run]:
    runs = ((first, last) for first, last, category in _categories() if category not in _UNPRINTED)
    return [(code, code) for first, last in runs for code in range(first, last + 1) if belongs(chr(code))]


_CLASSES: dict[str, Callable[[], list[Run]]] = {
    "alnum": _alpha,
    "alpha": _alpha,
    "blank": lambda: _SPACES,
    "cntrl": lambda: [(0x80, 0x9F), *((code, code) for code in _SEPARATORS)],
    "graph": lambda: _less(_print(), _SPACES),
    "lower": lambda: _cased(lambda char: char.islower() or char in "ǅǈǋǲ"),
    "print": _print,
    "punct": lambda: _less(_print(), [*_SPACES, *_alpha()]),
    "space": lambda: [*_SPACES, *((code, code) for code in _SEPARATORS)],
    "upper": lambda: _cased(lambda char: char.isupper() or char.istitle()),
    "word": _alpha,
}

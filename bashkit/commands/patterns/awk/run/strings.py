"""awk's string functions (POSIX XCU awk, String Functions; gawk manual for gensub, patsplit and match's third argument)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands.patterns._long_texts import FEW, filled, replaced
from bashkit.commands.patterns.awk.run.record import BLANKS, match_pieces, split_blank, split_regex
from bashkit.commands.patterns.awk.run.values import Array, Value, number, strnum
from bashkit.limits import ask_room, paced, paced_if_many, turn
from bashkit.regex.cache import for_short_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.awk.run.runtime import Runtime
    from bashkit.regex import Match, Pattern

_INDEXES = [str(index) for index in range(1, 1025)]
_AMPERSAND = re.compile(r"(\\*)&")
_ESCAPED = re.compile(r"\\(.)|&", re.DOTALL)
_LONG = 256
_BEYOND = 1e15  # characters that no text has
_MANY = 1 << 16  # characters that may be many pieces


def substr(text: str, start: float, length: float | None = None) -> str:
    """substr(): ``length`` characters from ``start``, counted from 1; a start before the text is clipped."""
    begin = 0  # also where the start is not a number
    if start > 1.0:
        begin = int(start) - 1 if start < _BEYOND else len(text)
    if length is None:
        return text[begin:]
    if not length >= 1.0:
        return ""
    return text[begin : begin + int(length)] if length < _BEYOND else text[begin:]


@for_short_texts(256)
def _around(text: str) -> tuple[str, ...]:
    r"""What a replacement of sub() has around each match: ``\\&`` is a backslash and the match, ``\&`` an ampersand."""
    parts: list[str] = []
    part = ""
    index = 0
    for found in _AMPERSAND.finditer(text):
        slashes = len(found[1])
        part += text[index : found.start()] + "\\" * (slashes // 2)
        if slashes % 2:
            part += "&"
        else:
            parts.append(part)
            part = ""
        index = found.end()
    return (*parts, part + text[index:])


@for_short_texts(256)
def _group_template(text: str) -> tuple[str | int, ...]:
    r"""Parse a replacement of gensub(): ``\0`` to ``\9`` are groups; other characters after a backslash stay themselves."""
    pieces: list[str | int] = []
    index = 0
    for found in _ESCAPED.finditer(text):
        pieces.append(text[index : found.start()])
        mark = found[1] or ""
        pieces.append(0 if not mark else int(mark) if mark in "0123456789" else mark)
        index = found.end()
    pieces.append(text[index:])
    return tuple(piece for piece in pieces if piece != "")


def _replacer(replacement: str) -> Callable[[Match], str]:
    """What sub() and gsub() put in the place of a match."""
    parts = _around(replacement)
    if len(parts) > FEW:
        pieces: list[str | int] = [piece for part in parts for piece in (part, 0)][:-1]
        return lambda found: filled(pieces, found.group)
    return lambda found: (found.group() or "").join(parts)


def _group_replacer(replacement: str) -> Callable[[Match], str]:
    """As ``_replacer``, for gensub()."""
    pieces = _group_template(replacement)
    if len(pieces) > FEW:
        return lambda found: filled(
            [piece for piece in pieces if isinstance(piece, str) or piece < _group_count(found)], found.group
        )

    def replace(found: Match) -> str:
        turn()
        taken: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                taken.append(piece)
            elif piece == 0 or piece < _group_count(found):
                taken.append(found.group(piece) or "")
        return "".join(taken)

    return replace


def _group_count(found: Match) -> int:
    return len(found.groups()) + 1


def _make_room(runtime: Runtime, pattern: Pattern, replacement: str, text: str) -> None:
    """Charge the budget for the size of replacing every match."""
    if (len(text) + 1) * (len(replacement) + 1) <= 1 << 16:
        return
    count = 0
    covered = 0
    for found in pattern.finditer(text):
        count += 1
        covered += found.end() - found.start()
        if not count & 0xFF:
            runtime.budget.tick(256)
    matched = replacement.count("&")
    runtime.budget.string(len(text) + count * len(replacement) + covered * matched)


def gsub(runtime: Runtime, pattern: Pattern, replacement: str, text: str) -> int:
    """gsub(): store the new text in ``runtime.replaced`` and return the number of replacements."""
    if len(text) * len(replacement) > 1 << 12:
        _make_room(runtime, pattern, replacement, text)
    made, count = pattern.replace(text, _replacer(replacement))
    runtime.replaced = runtime.grown(made) if len(made) > _LONG else made
    return count


def gsub_plain(runtime: Runtime, wanted: str, pattern: Pattern, replacement: str, text: str) -> int:
    """gsub() for a pattern without operators."""
    if not wanted or "&" in replacement or "\\" in replacement:
        return gsub(runtime, pattern, replacement, text)
    count = text.count(wanted)
    if count:
        size = len(text) + count * (len(replacement) - len(wanted))
        if size > _LONG:
            runtime.budget.string(size)
        plain = len(text) < _MANY
        made = text.replace(wanted, replacement) if plain else replaced(text, wanted, replacement, runtime.budget)
        runtime.replaced = runtime.grown(made) if size > _LONG else made
    return count


def sub(runtime: Runtime, pattern: Pattern, replacement: str, text: str) -> int:
    """sub(): like gsub() for the first match."""
    found = pattern.search(text)
    if found is None:
        return 0
    made = text[: found.start()] + _replacer(replacement)(found) + text[found.end() :]
    runtime.replaced = runtime.grown(made) if len(made) > _LONG else made
    return 1


def gensub(runtime: Runtime, pattern: Pattern, replacement: str, how: Value, text: str) -> str:
    """gensub(): the text with every match, or the match number ``how``, replaced."""
    mode = runtime.to_text(how)
    replace = _group_replacer(replacement)
    if mode[:1] in ("g", "G"):
        _make_room(runtime, pattern, replacement, text)
        made, _ = pattern.replace(text, replace)
        return runtime.grown(made)
    wanted = number(how)
    if wanted < 1:
        runtime.warn(f"gensub: third argument `{mode}' treated as 1")
        wanted = 1.0
    search = pattern.searcher(text)
    position = count = 0
    while position <= len(text) and (found := search(position)) is not None:
        count += 1
        if not count & 0xFF:
            runtime.budget.tick(256)
        if count == int(wanted):
            return runtime.grown(text[: found.start()] + replace(found) + text[found.end() :])
        position = found.end() + (found.end() == found.start())  # so that an empty match behind another one counts
    return str(text)


def match(runtime: Runtime, text: str, pattern: Pattern, into: Array | None = None) -> int:
    """match(): return the start of the match; set RSTART and RLENGTH, and fill the array of gawk's third argument."""
    found = pattern.search(text)
    if into is not None:
        into.clear()
    if found is None:
        runtime.rstart, runtime.rlength = 0, -1
        return 0
    start, end = found.span()
    runtime.rstart, runtime.rlength = start + 1, end - start
    if into is not None:
        separator = runtime.subsep
        for group in range(_group_count(found)):
            piece = found.group(group)
            if piece is not None:
                into[str(group)] = strnum(piece)
                into[f"{group}{separator}start"] = float(found.start(group) + 1)
                into[f"{group}{separator}length"] = float(len(piece))
    return start + 1


def fill(runtime: Runtime, into: Array, pieces: list[str]) -> int:
    """Fill an array with numbered parts; return their number."""
    count = len(pieces)
    into.clear()
    if count <= len(_INDEXES):
        into.update(zip(_INDEXES, map(runtime.outside.__getitem__, pieces)))  # noqa: B905 - the indexes are more
    else:
        runtime.budget.words(count)
        into.update((str(index), strnum(piece)) for index, piece in enumerate(paced(pieces), 1))
    return count


def _fill_seps(runtime: Runtime, into: Array | None, seps: list[str], first: int = 1) -> None:
    if into is not None:
        runtime.budget.words(len(seps))
        into.clear()
        into.update((str(index), separator) for index, separator in enumerate(paced_if_many(seps), first))


def split(
    runtime: Runtime, text: str, into: Array, separator: str | None = None, seps: Array | None = None, *, regex: bool = False
) -> int:
    """split(): split by FS or ``separator`` into an array; return the number of parts.

    Args:
        runtime: The running program.
        text: The text.
        into: Receives the pieces.
        separator: As FS; None for FS itself.
        seps: Receives the separators.
        regex: ``separator`` is a regular expression even when it is one character.
    """
    if separator is None:
        separator = runtime.to_text(runtime.special["FS"])
    between: list[str] | None = None if seps is None else []
    first = 1
    ignore_case = runtime.ignore_case
    if separator == " " and not regex:
        ask_room(text, BLANKS, runtime.budget)
        pieces = split_blank(text)
        if between is not None:
            between = re.findall(r"[ \t\n]+", text)
            first = 0 if text[:1] in (" ", "\t", "\n") else 1
    elif separator == "":
        runtime.budget.words(len(text))
        pieces = list(text)
        between = [""] * (len(pieces) - 1)
    elif len(separator) == 1 and not regex:
        if len(text) > _MANY:
            runtime.budget.words(text.count(separator))
        ask_room(text, separator, runtime.budget)
        pieces = text.split(separator) if text else []
        if between is not None:
            between = [separator] * (len(pieces) - 1)
    else:
        pieces = split_regex(text, separator, runtime.budget, ignore_case=ignore_case, seps=between)
    _fill_seps(runtime, seps, between or [], first)
    return fill(runtime, into, pieces)


def patsplit(runtime: Runtime, text: str, into: Array, pattern: str | None = None, seps: Array | None = None) -> int:
    """patsplit(): store the matching parts, and in ``seps`` the texts around them, from 0."""
    if pattern is None:
        pattern = runtime.to_text(runtime.special["FPAT"])
    between: list[str] = []
    pieces = match_pieces(text, pattern, runtime.budget, ignore_case=runtime.ignore_case, seps=between)
    _fill_seps(runtime, seps, between, 0)
    return fill(runtime, into, pieces)

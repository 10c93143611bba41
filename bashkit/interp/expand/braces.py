"""Brace expansion (bash(1), Brace Expansion): textual, before everything else.

A word is analysed once, when it is compiled. The words that it makes come one after the other when they are wanted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, cast

from bashkit.errors import ScriptSyntaxError
from bashkit.limits import ask, paced_if_many, turn
from bashkit.syntax import Parser
from bashkit.syntax.nodes import DoubleQuoted, ExtendedGlob, Literal, ParameterExpansion, Quoted, Word, WordPart
from bashkit.syntax.source import MAX_NESTING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_DECIMALS = 1 << 15  # numbers below it have texts that are kept for the next sequence
_MAX_DIGITS = 1000  # of a number in a sequence, which may be padded with zeros
_MOST = (1 << 31) - 2  # words of a sequence; a longer one is no sequence to bash
_OUTSIDE = -1  # the level of what stands in no braces
_SEQUENCE = re.compile(r"([-+]?[0-9]+|[A-Za-z])\.\.([-+]?[0-9]+|[A-Za-z])(?:\.\.([-+]?[0-9]+))?")
_SPECIAL = re.compile(r"[^A-Za-z0-9_./:,=%@+{}-]|[A-Z]\.\.|\.\.[A-Z]")  # capital and small letters have \ and ` between them
_READ_AGAIN = re.compile(r"[$\\`\"]")
_HIDING = re.compile(r"[`'\"]|\$[{(]")
_SUBSTITUTION = re.compile(r"`|\$\(")
_OPENING = re.compile(r"(?<!\$)\{")
_QUOTES = re.compile(r"""(?s)(\\.|\$'(?:\\.|[^'\\])*'|\$\{[^][{}"'`$\\]*\}|'[^']*'|"(?:\\.|[^"\\])*")""")


@dataclass(slots=True, frozen=True)
class _Parenthesis:
    """One of an extended pattern: braces see through it, and may tear it from its partner, which makes it text."""

    operator: str  # before an opening one


_CLOSING = _Parenthesis("")
_Item = str | WordPart | _Parenthesis  # a character of unquoted text, or what is kept whole
_Atoms = tuple[_Item, ...]


@dataclass(slots=True, frozen=True)
class _Range:
    """``{1..9}``: the numbers, or character codes, and how one of them is written."""

    numbers: range
    write: Callable[[int], str]
    count: int

    def expand(self) -> Iterator[_Atoms]:
        write = self.write
        return ((write(number),) for number in self.numbers)

    def texts(self) -> Iterable[str]:
        numbers = self.numbers
        if self.write is str and numbers.step > 0 and numbers.start >= 0 and numbers.stop < _DECIMALS:
            return _decimals(numbers.stop.bit_length())[numbers.start : numbers.stop : numbers.step]
        return map(self.write, numbers)


@dataclass(slots=True, frozen=True)
class _Choice:
    """``{a,b}``: what each alternative is made of."""

    rows: tuple[_Row, ...]
    count: int

    def expand(self) -> Iterator[_Atoms]:
        for row in self.rows:
            yield from row.expand(0)

    def texts(self) -> Iterable[str]:
        return chain.from_iterable(row.texts(0) for row in self.rows)


@dataclass(slots=True, frozen=True)
class _Row:
    """Text with brace expressions in it, one after the other."""

    pieces: tuple[_Atoms | _Choice | _Range, ...]
    count: int

    def expand(self, start: int) -> Iterator[_Atoms]:
        """What the pieces from ``start`` make: the last one changes first."""
        if start == len(self.pieces):
            yield ()
            return
        piece = self.pieces[start]
        if isinstance(piece, tuple):
            for tail in self.expand(start + 1):
                yield piece + tail
        elif start + 1 == len(self.pieces):
            yield from piece.expand()
        else:
            for choice in piece.expand():
                for tail in self.expand(start + 1):
                    yield choice + tail

    def texts(self, start: int) -> Iterable[str]:
        """The same for pieces that are nothing but text."""
        if start == len(self.pieces):
            return ("",)
        piece = self.pieces[start]
        if isinstance(piece, tuple):
            return map("".join(piece).__add__, self.texts(start + 1))  # type: ignore[arg-type]  # it is text
        if start + 1 == len(self.pieces):
            return piece.texts()
        return (head + tail for head in piece.texts() for tail in self.texts(start + 1))


@lru_cache(maxsize=16)
def _decimals(bits: int) -> list[str]:
    """The texts of the numbers of so many bits: loops over long sequences come again and again."""
    return list(map(str, range(1 << bits)))


def may_have_braces(word: Word) -> bool:
    """Whether an opening brace stands unquoted in the word."""
    turn()
    return _braces_in(word.parts) or any(map(_OPENING.search, _with_quotes(word)))


def _braces_in(parts: tuple[WordPart, ...]) -> bool:
    return any(
        "{" in part.text if isinstance(part, Literal) else isinstance(part, ExtendedGlob) and _braces_in(part.parts)
        for part in parts
    )


def _with_quotes(word: Word) -> list[str]:
    """The expansions in double quotes that have double quotes in them: to braces, such a quote ends the string."""
    inner = chain.from_iterable(part.parts for part in word.parts if isinstance(part, DoubleQuoted))
    return [part.source for part in inner if isinstance(part, ParameterExpansion) and '"' in part.source]


def _items_by_quotes(source: str) -> list[_Item] | None:
    """The text of a word, strings in quotes as one item each; None where an expansion hides quotes from the braces."""
    pieces = _QUOTES.split(source)
    if _HIDING.search("".join(pieces[::2])) or _SUBSTITUTION.search("".join(pieces[1::2])):
        return None
    items: list[_Item] = []
    for index, piece in enumerate(pieces):
        items.extend(piece if index % 2 == 0 else [piece])
    return items


def _add_items(parts: tuple[WordPart, ...], items: list[_Item]) -> None:
    for part in parts:
        if isinstance(part, Literal):
            items.extend(part.text)
        elif isinstance(part, ParameterExpansion) and part.source[:1] == "$" and part.source[1:2] != "{":
            items.extend(part.source)  # the text that follows may lengthen its name
        elif isinstance(part, ExtendedGlob):
            items.append(_Parenthesis(part.operator))
            _add_items(part.parts, items)
            items.append(_CLOSING)
        else:
            items.append(part)


class BraceWord:
    """A word with braces.

    Args:
        word: The word.

    Attributes:
        count: How many words it makes.
        nested: How many parentheses of extended patterns it has.
    """

    __slots__ = ("_row", "_word", "count", "nested")

    def __init__(self, word: Word) -> None:
        self._word = word
        items = _items_by_quotes(word.source) if word.source and _with_quotes(word) else None
        if items is None:
            items = []
            _add_items(word.parts, items)
        ask(len(items) >> 6)
        patterned = any(isinstance(part, ExtendedGlob) for part in word.parts)
        self.nested = sum(isinstance(item, _Parenthesis) for item in items) if patterned else 0
        self._row = _Reader(items).row(0, len(items), 0)
        self.count = self._row.count

    @property
    def expands(self) -> bool:
        """Whether its braces mean something."""
        return not all(isinstance(piece, tuple) for piece in self._row.pieces)

    def words(self) -> Iterator[Word]:
        """The words that it makes; just itself when its braces mean nothing."""
        if not self.expands:
            return iter((self._word,))
        return map(_rebuild_patterns if self.nested else _rebuild, self._row.expand(0))

    def texts(self) -> Iterable[str]:
        """The same for a word that ``is_plain``; an empty one is none."""
        pieces = self._row.pieces
        texts = self._row.texts(0)
        return texts if len(pieces) == 1 and isinstance(pieces[0], _Range) else filter(None, texts)

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing in it but text and braces."""
        return all(isinstance(part, Literal) and not _SPECIAL.search(part.text) for part in self._word.parts)


def _rebuild(atoms: Iterable[_Item]) -> Word:
    parts = _parts(atoms)
    first = parts[0] if parts else None
    if isinstance(first, Literal) and "~" in first.text and "=" in first.text[1:]:  # no longer seen as an assignment
        name, _, value = first.text.partition("=")
        return Word((Literal(name), Literal("=" + value), *parts[1:]))
    return Word(parts)


def _rebuild_patterns(atoms: _Atoms) -> Word:
    """The same where extended patterns were taken apart."""
    ask(len(atoms))
    opened: list[tuple[str, list[_Item]]] = [("", [])]
    for atom in atoms:
        if not isinstance(atom, _Parenthesis):
            opened[-1][1].append(atom)
        elif atom is not _CLOSING:
            opened.append((atom.operator, []))
        elif len(opened) > 1:
            operator, inner = opened.pop()
            opened[-1][1].append(ExtendedGlob(operator, _parts(inner)))
        else:
            opened[0][1].append(")")
    while len(opened) > 1:  # what has lost its partner
        operator, inner = opened.pop()
        opened[-1][1].extend((operator, "(", *inner))
    return _rebuild(opened[0][1])


def _parts(items: Iterable[_Item]) -> tuple[WordPart, ...]:
    parts: list[WordPart] = []
    text = ""
    for item in items:
        if isinstance(item, str):
            text += item
            continue
        parts.extend(_read(text))
        text = ""
        parts.append(cast("WordPart", item))
    parts.extend(_read(text))
    return tuple(parts)


def _read(text: str) -> tuple[WordPart, ...]:
    if not text:
        return ()
    return _read_again(text) if _READ_AGAIN.search(text) else (Literal(text),)


def _read_again(text: str) -> tuple[WordPart, ...]:
    """Text that the braces put together: only now it is known which parameters it names."""
    ending: tuple[WordPart, ...] = ()
    if (len(text) - len(text.rstrip("\\"))) % 2 == 1:  # {Z..a} makes a backslash, which quotes nothing at the end,
        ending = (Quoted("", "\\"),)
    elif text[-1] == "`" and text.count("`") % 2 == 1:  # and a backquote, which begins nothing there
        ending = (Literal("`"),)
    try:
        return Parser(text[:-1] if ending else text).read_unquoted() + ending
    except ScriptSyntaxError:
        return (ParameterExpansion("", operator="bad", source=text),)


@dataclass(slots=True, frozen=True)
class _Closing:
    """What closes an opening brace.

    Attributes:
        end: The place of the closing brace.
        level: The opening brace among whose commas those of the expression are; ``_OUTSIDE`` for those in no braces.
        after: The place behind which they are its.
    """

    end: int
    level: int
    after: int


class _Reader:
    """Finds the brace expressions of a word.

    A brace closes what it pairs with only where a comma or two dots stand between; otherwise it is text, and the next one
    of the same level counts: ``{a},b}`` are ``a}`` and ``b``.

    Args:
        items: The word.
    """

    def __init__(self, items: list[_Item]) -> None:
        self._items = items
        self._ends: dict[int, int] = {}  # the brace that an opening brace pairs with
        self._parents: dict[int, int] = {}  # the opening brace around it
        self._commas: dict[int, list[int]] = {}  # directly inside an opening brace
        self._marks: dict[int, list[int]] = {}  # the same, and pairs of dots
        self._strays: list[int] = []  # closing braces without a partner
        self._all_commas: list[int] = []
        opened = [_OUTSIDE]
        for index, item in enumerate(paced_if_many(items)):
            if item == "{":
                self._parents[index] = opened[-1]
                opened.append(index)
            elif item == "}":
                if len(opened) > 1:
                    self._ends[opened.pop()] = index
                else:
                    self._strays.append(index)
            elif item == ",":
                self._all_commas.append(index)
                self._commas.setdefault(opened[-1], []).append(index)
                self._marks.setdefault(opened[-1], []).append(index)
            elif item == "." and items[index + 1 : index + 2] == ["."] and items[index + 2 : index + 3] != ["}"]:
                self._marks.setdefault(opened[-1], []).append(index)
        self._closings = self._close()
        self._openings = sorted(self._closings)

    def _close(self) -> dict[int, _Closing]:
        closings: dict[int, _Closing] = {}
        beyond: dict[int, _Closing | None] = {}  # what closes an opening brace whose partner is text
        for opening in paced_if_many(sorted(self._ends)):
            end, parent = self._ends[opening], self._parents[opening]
            marks = self._marks.get(parent, [])
            place = bisect_left(marks, end)
            if place == len(marks):
                beyond[opening] = beyond.get(parent)
            else:
                stray = bisect_left(self._strays, marks[place])
                strays = self._strays[stray : stray + 1]
                close = self._ends.get(parent) if parent != _OUTSIDE else strays[0] if strays else None
                beyond[opening] = None if close is None else _Closing(close, parent, end)
            found = _Closing(end, opening, opening) if opening in self._marks else beyond[opening]
            if found is not None:
                closings[opening] = found
        return closings

    def row(self, start: int, end: int, depth: int) -> _Row:
        """The expressions between two places."""
        pieces: list[_Atoms | _Choice | _Range] = []
        count, done = 1, start
        turn()
        index = bisect_left(self._openings, start)
        while index < len(self._openings) and (opening := self._openings[index]) < end:
            index += 1
            if opening < done or depth > MAX_NESTING or (opening == done and self._items[opening + 1] == "}"):
                continue
            closing = self._closings[opening]
            found = self._expression(opening, closing, depth) if closing.end < end else None
            if found is None:
                continue
            if opening > done:
                pieces.append(self._fixed(done, opening))
            pieces.append(found)
            count *= found.count
            done = closing.end + 1
            index = bisect_left(self._openings, done, index)
        if done < end:
            pieces.append(self._fixed(done, end))
        return _Row(tuple(pieces), count)

    def _fixed(self, start: int, end: int) -> _Atoms:
        """Text that stays as it is, in as few pieces as can be."""
        ask((end - start) >> 6)
        items = self._items[start:end]
        try:
            return ("".join(items),)  # type: ignore[arg-type]  # it is asked by trying: there may be a million
        except TypeError:
            return tuple(items)

    def _expression(self, opening: int, found: _Closing, depth: int) -> _Choice | _Range | None:
        """What stands for a pair of braces, or None if they are not a brace expression."""
        closing, level = found.end, self._commas.get(found.level, [])
        commas = level[bisect_left(level, found.after) : bisect_left(level, closing)]
        if commas:
            borders = [opening, *commas, closing]
            rows = tuple(self.row(left + 1, right, depth + 1) for left, right in pairwise(paced_if_many(borders)))
            return _Choice(rows, sum(row.count for row in rows))
        return self._between_dots(opening, closing) or self._failed_sequence(opening, closing, depth)

    def _between_dots(self, opening: int, closing: int) -> _Range | None:
        """The sequence that a pair of braces is."""
        inner = self._items[opening + 1 : min(closing, opening + 4 * _MAX_DIGITS)]
        if closing > opening + 4 * _MAX_DIGITS or not all(isinstance(item, str) for item in inner):
            return None
        match = _SEQUENCE.fullmatch("".join(inner))  # type: ignore[arg-type]  # just asked
        return None if match is None else _sequence(*match.groups())

    def _failed_sequence(self, opening: int, closing: int, depth: int) -> _Choice | None:
        """Braces around two dots and other braces: they vanish if there is a comma in those; if not, all is text."""
        if _is_between(self._all_commas, opening, closing):
            row = self.row(opening + 1, closing, depth + 1)
        elif _is_between(self._openings, opening, closing):
            row = _Row((self._fixed(opening, closing + 1),), 1)
        else:
            return None
        return _Choice((row,), row.count)


def _is_between(places: list[int], start: int, end: int) -> bool:
    """Whether a place, of those in order, lies between two others."""
    index = bisect_left(places, start + 1)
    return index < len(places) and places[index] < end


def _sequence(first: str, last: str, step: str | None) -> _Range | None:
    if max(len(first), len(last), len(step or "")) > _MAX_DIGITS:
        return None  # a number that the shell cannot count with
    increment = (abs(int(step)) if step else 1) or 1
    if first.isalpha() != last.isalpha():
        return None
    letters = first.isalpha()
    start, stop = (ord(first), ord(last)) if letters else (int(first), int(last))
    if not all(-(1 << 63) <= number < 1 << 63 for number in (start, stop, increment)):
        return None
    sign = 1 if stop >= start else -1
    numbers = range(start, stop + sign, sign * increment)
    count = abs(stop - start) // increment + 1
    if count > _MOST:
        return None
    if letters:
        return _Range(numbers, chr, count)
    if re.match(r"-?0[0-9]", first) or re.match(r"-?0[0-9]", last):
        width = max(len(first), len(last))
        return _Range(numbers, lambda number: f"{number:0{width}d}", count)
    return _Range(numbers, str, count)

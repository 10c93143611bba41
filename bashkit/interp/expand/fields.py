"""Building the fields of a word: word splitting, then pathname expansion (bash(1), EXPANSION)."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.interp.expand.globbing import expand_pathname
from bashkit.interp.runtime.pieces import PIECE, finditer, has_any, in_pieces
from bashkit.limits import MANY, Words, paced, paced_if_many, running_budget
from bashkit.regex.cache import for_short_texts
from bashkit.regex.glob import finder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.state.shell import Shell
    from bashkit.limits import Budget

_MAGIC = re.compile(r"[*?\[]|[@+!]\(")
_BLANKS = " \t\n"
_SPECIAL = re.compile(r"[\\*?\[\]@+!()|^-]|\A[:.=]")  # what an open bracket before it could begin a class with, too
_DEFAULT_SPLIT = re.compile(r"[^ \t\n]+")
# Whether splitting by the default IFS or pathname expansion may do something, and whether the latter may.
long_needs_splitting, needs_splitting = finder(" \t\n*?[\\+@!"), re.compile(r"[ \t\n*?\[\\+@!]").search
long_may_match, may_match = finder("*?[\\+@!"), re.compile(r"[*?\[\\+@!]").search
_MANY_SEPARATORS = 100  # characters from which all of them become one before a text is split
_LONG = 16384  # characters from which a text is split piece by piece
_odd = re.compile(r"[^ -~\t\n]").search  # what str.split might take for a blank


def split_blanks(text: str, budget: Budget) -> list[str]:
    """The fields of a text by the default IFS."""
    if len(text) < _LONG:
        return text.split() if _odd(text) is None else _DEFAULT_SPLIT.findall(text)
    return Words(budget, _blank_separated(text, budget))


def _blank_separated(text: str, budget: Budget) -> Iterator[str]:
    """The fields of a long text by the default IFS, one by one."""
    room = 2 * len(text)  # for the pieces of a field, and for the field, while others have their turn
    budget.hold(room)
    try:
        begun: list[str] = []  # a field, as far as it is known
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE]
            found = _DEFAULT_SPLIT.findall(piece)
            if begun and (not found or piece[0] in _BLANKS or len(found[0]) < len(piece)):
                first = "" if piece[0] in _BLANKS else found.pop(0)
                yield "".join([*begun, first])
                begun = []
            if found and piece[-1] not in _BLANKS:
                begun.append(found.pop())
            yield from found
            budget.tick(PIECE >> 6)
        if begun:
            yield "".join(begun)
    finally:
        budget.memory += room


def escape_pattern(text: str) -> str:
    """``text`` as a pattern that matches just it."""
    return _escaped(text) if len(text) <= PIECE else in_pieces(_escaped, text, running_budget())


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


class Splitter:
    """Splits text by one value of IFS (bash(1), Word Splitting).

    Args:
        separators: The value of IFS.

    Attributes:
        blanks: Those of them that are blanks.
        find: Finds the next of them in a text that went through ``alike``.
        mixed: There are blanks and others among them.
    """

    __slots__ = ("_alike", "_chunks", "blanks", "find", "mixed", "separators")

    def __init__(self, separators: str) -> None:
        self.separators = separators
        self.blanks = "".join(blank for blank in " \t\n" if blank in separators)
        blank = f"[{self.blanks}]" if self.blanks else "(?!)"
        others = "".join(dict.fromkeys(separator for separator in paced_if_many(separators) if separator not in " \t\n"))
        self.mixed = bool(self.blanks and others)
        self._alike: dict[int, str] = {}
        if len(others) > _MANY_SEPARATORS:
            self._alike = {ord(other): others[0] for other in paced(others)}
            others = others[0]
        other = f"[{re.escape(others)}]" if others else "(?!)"
        self._chunks = re.compile(f"{blank}*{other}{blank}*|{blank}+")
        either = f"[{self.blanks}{re.escape(others)}]" if separators else "(?!)"
        self.find: Callable[[str, int], re.Match[str] | None] = re.compile(either).search

    def alike(self, text: str, budget: Budget) -> str:
        """A text with one separator in place of all that are no blanks, if they are many."""
        return in_pieces(lambda piece: piece.translate(self._alike), text, budget) if self._alike else text

    def split(self, text: str, most: int, budget: Budget) -> tuple[bool, list[str], bool]:
        """Whether a field ends before the text, the pieces, and whether one ends after it.

        Args:
            text: What is split.
            budget: Asked for the time that a long text takes.
            most: More words are not allowed; if there are more, the last one has what is left.
        """
        if self.separators == " \t\n":
            pieces = _DEFAULT_SPLIT.findall(text) if len(text) < _LONG else list(islice(_blank_separated(text, budget), most + 1))
            return text[:1] in {" ", "\t", "\n"}, pieces, text[-1:] in {" ", "\t", "\n"}
        if not self.separators:
            return False, [text], False
        stripped = text.lstrip(self.blanks) if self.blanks else text
        leading = len(stripped) != len(text)
        pieces = self._cut(self.alike(stripped, budget), most)
        trailing = len(pieces) > 1 and not pieces[-1]
        if trailing:
            pieces.pop()
        elif not stripped:
            pieces = []
        return leading, pieces, trailing or (not pieces and leading)

    def _cut(self, text: str, most: int) -> list[str]:
        """The pieces between separators; after so many cuts, if it is not 0, the rest is one."""
        if len(text) < _LONG:
            return self._chunks.split(text, most)
        pieces: list[str] = []
        position = 0
        for match in paced(islice(finditer(self._chunks, text), most or None)):
            pieces.append(text[position : match.start()])
            position = match.end()
        return [*pieces, text[position:]]


@for_short_texts(64)
def splitter(separators: str) -> Splitter:
    """The splitter for a value of IFS."""
    return Splitter(separators)


class Fields:
    """Collects the pieces of words and closes fields where splitting says so."""

    __slots__ = ("_blank_end", "_done", "_long", "_magic", "_open", "_pieces", "shell")

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self._done: list[str] = []
        self._pieces: list[tuple[str, bool]] = []
        self._open = False
        self._magic = False
        self._long = False  # a field is
        self._blank_end = False  # blanks ended the last field; where IFS has other characters, too

    def quoted(self, text: str) -> None:
        """Add text that nothing is special in; even empty text makes a field."""
        self._pieces.append((text, True))
        self._open = True

    def literal(self, text: str) -> None:
        """Add unquoted text of the script: pathname expansion, no splitting."""
        self._pieces.append((text, False))
        self._open = True
        if not self._magic and _MAGIC.search(text):
            self._magic = True

    def split(self, text: str, *, drops: bool = False) -> None:
        """Add the result of an unquoted expansion.

        Args:
            text: The result.
            drops: As for ``split_all``.
        """
        if not text:
            return
        separators, budget = self.shell.separators(), self.shell.budget
        by = splitter(separators)
        before, pieces, after = by.split(text, budget.limits.max_words, budget)
        if len(pieces) > MANY:
            budget.room(64 * len(pieces) + len(text))
            budget.words(len(pieces))
            budget.tick(len(pieces))
        if by.mixed:
            pieces = self._without_second_end(text, pieces, by.blanks, before=before, drops=drops)
        if before:
            self.close()
        first = True
        for piece in paced_if_many(pieces):
            if not first:
                self.close(force=True)
            first = False
            self._pieces.append((piece, False))
            self._open = self._open or bool(piece)
            if not self._magic and (_MAGIC.search(piece) if len(piece) < _LONG else has_any(_MAGIC, piece, budget)):
                self._magic = True
        if after:
            self.close(force=bool(pieces))

    def _without_second_end(self, text: str, pieces: list[str], blanks: str, *, before: bool, drops: bool) -> list[str]:
        """The pieces without an empty first one that is none: blanks and one other separator end a field together.

        The blanks may be in the expansion before.
        """
        ended = self._blank_end and not self._open
        if pieces and not pieces[0] and (ended or (before and (self._open or drops))):
            pieces = pieces[1:]
        rest = text.rstrip(blanks)
        self._blank_end = len(rest) < len(text) and (rest[-1] not in self.shell.separators() if rest else self._open or ended)
        return pieces

    def splice(self, values: list[str]) -> None:
        """Add ``"$@"``: every value a field of its own, the first and last joined to their neighbours."""
        if len(values) > 2:
            self.quoted(values[0])
            self.close(force=True)
            self._close_all(values[1:-1])
            values = values[-1:]
        for index, value in enumerate(values):
            if index:
                self.close(force=True)
            self.quoted(value)

    def _close_all(self, values: list[str]) -> None:
        """Add quoted fields that are complete."""
        budget = self.shell.budget
        budget.words(len(self._done) + len(values))
        budget.tick(len(values))
        longest = max(map(len, values))
        if longest > _LONG:
            budget.string(longest)
            self._long = True
        self._done += values

    def split_all(self, values: list[str], *, drops: bool = False) -> None:
        """Add an unquoted ``$@``: every value split, and separate from the others.

        When IFS has characters that are not blanks, its first one joins the values: empty ones between others survive.

        Args:
            values: The values.
            drops: Undocumented: GNU bash drops an empty first field that blanks and a joining character end.
        """
        separators = self.shell.separators()
        first = separators[:1]
        if first and separators != " \t\n" and separators.strip(" \t\n"):
            self.split(first.join(values), drops=drops and first not in " \t\n")
            return
        for index, value in enumerate(values):
            if index:
                self.close()
            self.split(value)

    def close(self, *, force: bool = False) -> None:
        """End the field, if there is one."""
        if not self._open and not (force and self._pieces):
            self._pieces.clear()
            return
        text = "".join([piece for piece, _ in self._pieces])
        if len(text) > _LONG:
            self.shell.budget.string(len(text))
            self._long = True
        if self._magic and not self.shell.options.noglob:
            pattern = "".join([escape_pattern(piece) if quoted else piece for piece, quoted in self._pieces])
            self._done.extend(expand_pathname(self.shell, pattern, text))
        else:
            self._done.append(text)
        self.shell.budget.words(len(self._done))
        self.shell.budget.tick()
        self._pieces.clear()
        self._open = self._magic = False

    def finish(self) -> list[str]:
        """The fields."""
        self.close()
        done = self._done
        return done if len(done) < MANY and not self._long else Words(self.shell.budget, done)

"""Changes the names of members and extracted files (GNU tar manual, 6.7 Modifying File and Member Names)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands.archives.tar.errors import HINT, TarError
from bashkit.limits import turn
from bashkit.regex import Pattern, RegexError
from bashkit.regex import compile as compile_regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.limits import Budget
    from bashkit.regex import Match

_KINDS = "rsh"  # names of members, targets of symbolic links, and of hard links
_ALL = frozenset(_KINDS)
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "&": "&", "\\": "\\"}
_CASES: dict[str, Callable[[str], str]] = {
    "E": lambda text: text,
    "L": lambda text: text.lower(),
    "U": lambda text: text.upper(),
    "l": lambda text: text[:1].lower() + text[1:],
    "u": lambda text: text[:1].upper() + text[1:],
}
_PART = re.compile(r"\\([0-9]+)|\\([LUElu])|\\(.)|(&)|([^\\&]+)", re.DOTALL)
_LETTERS = re.compile(r"(?:[gixrRsShH]|[0-9]+)*")

_Part = str | int  # of a replacement: text, or the number of a group
_Cased = tuple[str, _Part]  # with the letter of \L, \U, \l or \u that changes its case; E for none


@dataclass(frozen=True, slots=True)
class Change:
    """One ``s/REGEXP/REPLACEMENT/``.

    Attributes:
        pattern: What is replaced.
        parts: By what.
        number: The first match that is replaced.
        everything: So are the matches behind it.
        kinds: The names that it changes: ``r`` members, ``s`` targets of symbolic links, ``h`` of hard links.
    """

    pattern: Pattern
    parts: tuple[_Cased, ...]
    number: int
    everything: bool
    kinds: frozenset[str]

    def apply(self, name: str, budget: Budget) -> str:
        """Return the changed name."""
        pieces: list[str] = []
        position, size = 0, len(name)
        for count, match in enumerate(self.pattern.with_budget(budget).finditer(name), 1):
            budget.tick()
            if count < self.number:  # GNU tar 1.34 repeats what stands before a match that it leaves out
                pieces += (name[position : match.start()], name[position : match.end()])
            else:
                pieces += (name[position : match.start()], self._expand(match))
            position = match.end()
            size += len(pieces[-1])
            budget.string(size)
            if count >= self.number and not self.everything:
                break
        budget.tick(size >> 8)
        return "".join(pieces) + name[position:]

    def _expand(self, match: Match) -> str:
        return "".join(_CASES[case]((match.group(part) or "") if isinstance(part, int) else part) for case, part in self.parts)


@dataclass(slots=True)
class Changes:
    """The changes that the options ``--transform`` ask for, in their order."""

    _all: list[Change] = field(default_factory=list)
    _kinds: frozenset[str] = _ALL  # what a `flags=` says of the expressions behind it

    def __bool__(self) -> bool:
        return bool(self._all)

    def read(self, expression: str) -> None:
        """Read the argument of an option: substitutions separated by ``;``, and ``flags=``.

        Raises:
            TarError: It is malformed.
        """
        position = 0
        while position < len(expression):
            if expression.startswith("flags=", position):
                position = self._read_flags(expression, position + len("flags="))
            else:
                change, position = _substitution(expression, position, self._kinds)
                self._all.append(change)
            position += 1

    def _read_flags(self, expression: str, start: int) -> int:
        end = expression.find(";", start)
        end = end if end != -1 else len(expression)
        for letter in expression[start:end]:
            if letter.lower() not in _KINDS:
                raise TarError(f"Unknown transform flag: {letter}{HINT}", fatal=False)
        self._kinds = _with_flags(frozenset(), expression[start:end])
        return end

    def apply(self, name: str, kind: str, budget: Budget) -> str:
        """Apply all changes for a kind of name: ``r``, ``s`` or ``h``."""
        for change in self._all:
            if kind in change.kinds:
                name = change.apply(name, budget)
        return name


def read_changes(expressions: Iterable[str]) -> Changes:
    """The changes that the arguments of ``--transform`` ask for.

    Raises:
        TarError: One is malformed.
    """
    changes = Changes()
    for expression in expressions:
        changes.read(expression)
    return changes


def _with_flags(kinds: frozenset[str], letters: str) -> frozenset[str]:
    for letter in letters:
        kinds = kinds | {letter} if letter.islower() else kinds - {letter.lower()}
    return kinds


def _end(text: str, position: int, delimiter: str) -> int:
    """Where a part of a substitution ends; -1 if it does not."""
    end = text.find(delimiter, position)
    while end >= 0 and (escape := text.find("\\", position, end)) >= 0:
        turn()
        position = escape + 2
        if position > end:
            end = text.find(delimiter, position)
    return end


def _substitution(text: str, start: int, kinds: frozenset[str]) -> tuple[Change, int]:
    """The substitution that begins at a place, and where its flags end."""
    delimiter = text[start + 1 : start + 2]
    ends = [start + 1]
    while len(ends) < 3:
        end = _end(text, ends[-1] + 1, delimiter)
        if text[start] != "s" or end < 0:
            raise TarError("Invalid transform expression" + HINT, fatal=False)
        ends.append(end)
    flags = _LETTERS.match(text, ends[2] + 1)
    letters = flags[0] if flags is not None else ""
    end = ends[2] + 1 + len(letters)
    if text[end : end + 1] not in {"", ";"}:
        raise TarError(f"Unknown flag in transform expression: {text[end]}{HINT}", fatal=False)
    try:
        pattern = compile_regex(
            text[ends[0] + 1 : ends[1]], "extended" if "x" in letters else "basic", ignore_case="i" in letters
        )
    except RegexError as error:
        raise TarError(f"Invalid transform expression: {error}{HINT}", fatal=False) from None
    parts = tuple(_replacement(text[ends[1] + 1 : ends[2]], delimiter, pattern.groups))
    numbers = re.findall("[0-9]+", letters)
    change = Change(
        pattern,
        parts,
        number=clamped(numbers[-1]) if numbers else 1,
        everything="g" in letters,
        kinds=_with_flags(kinds, re.sub("[^rRsShH]", "", letters)),
    )
    return change, end


def _replacement(text: str, delimiter: str, groups: int) -> list[_Cased]:
    """The parts of a replacement; a change of case holds up to the next one, and that of a single letter for one part."""
    parts: list[_Cased] = []
    case = "E"
    for match in _PART.finditer(text):
        number, letter, escaped, whole, plain = match.groups()
        if letter:
            case = letter
            continue
        part: _Part
        if number or whole:
            part = clamped(number or "0")
            if part > groups:
                raise TarError("Invalid transform replacement: back reference out of range" + HINT, fatal=False)
        elif escaped:
            part = delimiter if escaped == delimiter else _CONTROLS.get(escaped, "\\" + escaped)
        else:
            part = plain
        parts.append((case, part))
        case = "E" if case in {"l", "u"} else case
    return parts

"""Writes both files as one text: ``diff -D NAME``, group formats and line formats (GNU diffutils manual, If-then-else)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.commands.comparing.diff.edits import Change
    from bashkit.commands.comparing.diff.sides import Side
    from bashkit.limits import Budget

Kind = Literal["old", "new", "unchanged", "changed"]

_LITERAL = r"%(?:(?P<percent>%)|c'(?P<char>\\[0-7]{1,3}|[^\\])')"
_NUMBER = r"%(?P<number>(?P<flags>[-'0]*)(?P<width>[0-9]*)(?P<precision>\.[0-9]*)?(?P<base>[doxX])"
_LINE = re.compile(rf"{_LITERAL}|%(?P<text>[lL])|{_NUMBER}n)")
_GROUP = re.compile(
    rf"{_LITERAL}|%(?P<lines>[<>=])|{_NUMBER}(?P<letter>[flnemFLNEM]))"
    r"|%\((?P<left>[0-9]+|[flnemFLNEM])=(?P<right>[0-9]+|[flnemFLNEM])\?"
)
_DEEPEST = 50  # maximum nesting of conditions
_PIECE = 48  # bytes of a line of a group


@dataclass(frozen=True, slots=True)
class Formats:
    """The formats of lines and of groups of lines.

    Attributes:
        lines: The formats of lines by their kind; other kinds are printed with a newline.
        groups: The formats of groups by their kind; other kinds have their default format.
    """

    lines: Mapping[str, str]
    groups: Mapping[str, str]

    def group(self, kind: Kind) -> str:
        """The format of a kind of group."""
        found = self.groups.get(kind)
        if found is not None:
            return found
        if kind == "unchanged":
            return "%="
        if kind == "changed":
            return self.group("old") + self.group("new")
        return self.groups.get("changed", "%<" if kind == "old" else "%>")


def conditional(name: str) -> dict[str, str]:
    """The group formats for ``-D NAME``."""
    return {
        "unchanged": "%=",
        "old": f"#ifndef {name}\n%<#endif /* ! {name} */\n",
        "new": f"#ifdef {name}\n%>#endif /* {name} */\n",
        "changed": f"#ifndef {name}\n%<#else /* {name} */\n%>#endif /* {name} */\n",
    }


def merged(formats: Formats, left: Side, right: Side, found: list[Change], budget: Budget) -> Iterator[bytes]:
    """The lines of both files, merged by the formats."""
    position = other = 0
    for change in [*found, None]:
        start = len(left.lines) if change is None else change.old_start
        new_start = len(right.lines) if change is None else change.new_start
        if start > position or new_start > other:
            yield _Group((left, right), (position, start, other, new_start), formats, budget).show("unchanged")
        if change is not None:
            kind: Kind = (
                "new" if change.old_start == change.old_end else "old" if change.new_start == change.new_end else "changed"
            )
            spans = (change.old_start, change.old_end, change.new_start, change.new_end)
            yield _Group((left, right), spans, formats, budget).show(kind)
            position, other = change.old_end, change.new_end


class _Group:
    """Corresponding lines of both files.

    Args:
        sides: The files.
        spans: The start and end of the lines in the first file, and in the second.
        formats: How to print them.
        budget: Charged for every line.
    """

    def __init__(self, sides: tuple[Side, Side], spans: tuple[int, int, int, int], formats: Formats, budget: Budget) -> None:
        self._sides = sides
        self._spans = spans
        self._formats = formats
        self._budget = budget

    def show(self, kind: Kind) -> bytes:
        """The text of the group."""
        form = self._formats.group(kind)
        pieces: list[bytes] = []
        self._expand(form, 0, "", pieces, 0)
        text = b"".join(pieces)
        self._budget.string(len(text))
        return text

    def _expand(self, form: str, position: int, end: str, pieces: list[bytes] | None, depth: int) -> int:
        """Expand a format up to a character that ends it, into ``pieces`` unless that is None; return the end."""
        while position < len(form) and form[position] != end:
            self._budget.tick()
            found = _GROUP.match(form, position)
            if found is None:
                start = position
                position = self._end_of_text(form, start + 1, end)
                if pieces is not None:
                    pieces.append(form[start:position].encode("utf-8", "surrogateescape"))
                continue
            position = found.end()
            if found["left"] is not None and depth < _DEEPEST:
                holds = self._value(found["left"]) == self._value(found["right"])
                position = self._expand(form, position, ":", pieces if holds else None, depth + 1) + 1
                position = self._expand(form, position, ")", None if holds else pieces, depth + 1) + 1
            elif pieces is not None and found["left"] is not None:
                pieces.append(found[0].encode("utf-8", "surrogateescape"))
            elif pieces is not None:
                if found["lines"]:
                    pieces += self._lines(found["lines"])
                    self._budget.room(_PIECE * len(pieces))
                else:
                    pieces.append(self._directive(found).encode("utf-8", "surrogateescape"))
        return position

    @staticmethod
    def _end_of_text(form: str, position: int, end: str) -> int:
        """Where text ends, from some position in it: at the next directive, or at the character that ends the format."""
        places = [place for char in ("%", end) if char and (place := form.find(char, position)) >= 0]
        return min(places, default=len(form))

    def _directive(self, found: re.Match[str]) -> str:
        return _literal(found) if found["number"] is None else _printed(found, self._value(found["letter"]), self._budget)

    def _value(self, name: str | None) -> int:
        """The value of a number or letter: first and last line, their number, the lines before and after."""
        if name is None or is_digits(name):
            return int((name or "0")[:9])
        start, end = self._spans[:2] if name.islower() else self._spans[2:]
        return {"f": start + 1, "l": end, "n": end - start, "e": start, "m": end + 1}[name.lower()]

    def _lines(self, which: str) -> Iterator[bytes]:
        """The lines of the first file, the second, or both."""
        kind = {"<": "old", ">": "new", "=": "unchanged"}[which]
        second = kind == "new"
        side = self._sides[second]
        start, end = self._spans[2:] if second else self._spans[:2]
        form = self._formats.lines.get(kind)
        self._budget.room(len(form or "") * (end - start))
        for index in range(start, end):
            text = side.lines[index]
            newline = b"" if index == len(side.lines) - 1 and not side.complete else b"\n"
            yield text + b"\n" if form is None else _line(form, text, newline, index + 1, self._budget)


def _line(form: str, text: bytes, newline: bytes, number: int, budget: Budget) -> bytes:
    def replaced(found: re.Match[str]) -> str:
        if found["text"]:
            return (text + newline if found["text"] == "L" else text).decode("utf-8", "surrogateescape")
        return _literal(found) if found["number"] is None else _printed(found, number, budget)

    budget.tick()
    return _LINE.sub(replaced, form).encode("utf-8", "surrogateescape")


def _literal(found: re.Match[str]) -> str:
    if found["percent"]:
        return "%"
    char = found["char"]
    return char if len(char) == 1 else chr(int(char[1:], 8) & 255)


def _printed(found: re.Match[str], number: int, budget: Budget) -> str:
    """Write a number as printf(3) does."""
    flags, width, precision = found["flags"].replace("'", ""), found["width"], found["precision"]
    budget.string(int(width[:12] or 0) + int((precision or ".0")[1:13] or 0))
    return f"%{flags}{width}{precision or ''}{found['base']}" % number

"""The replacement strings of parallel: ``{}``, ``{.}``, ``{2/}``, with ``--plus`` many more (GNU parallel manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._notation.counts import clamped
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.limits import Budget

_SAFE = re.compile(r"[A-Za-z0-9_./+\-]+")
_USUAL = r"/\.|//|/|\.|#|%|"
_PLUS = (
    r"\+/|\+\.{1,3}|/?\.{2,3}|##|0#|0%"
    r"|:-[^}]*|:\d+(?::\d+)?|#[^#}][^}]*|%[^%}][^}]*|##[^}]+|%%[^}]+|//?[^/}.][^/}]*/[^}]*"
)


def quoted(word: str) -> str:
    """Quote a word for the shell."""
    if _SAFE.fullmatch(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


@dataclass(slots=True)
class Replacements:
    """Fills in templates.

    Attributes:
        plus: ``--plus`` was given.
        budget: Charged if a replacement string contains a pattern.
        jobs: The number of jobs, for ``{##}``; 0 until it is needed.
        filled: How many characters were filled in for the command that is being made.
    """

    plus: bool
    budget: Budget
    jobs: int = 0
    filled: int = 0

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of replacement strings."""
        return re.compile(rf"\{{(\d*?)({_PLUS}|{_USUAL})\}}" if self.plus else rf"\{{(\d*)({_USUAL})\}}", re.ASCII)

    def holds(self, text: str) -> bool:
        """Whether a text contains a replacement string."""
        return self.pattern.search(text) is not None

    def fill(self, text: str, items: list[str], number: int, *, quote: bool = True) -> str:
        """A template with its replacement strings filled in."""

        def replace(found: re.Match[str]) -> str:
            place, how = found.groups()
            if not place and how in {"#", "%", "##", "0#", "0%"}:
                width = len(str(self.jobs)) if how == "0#" else 0
                return str(number).zfill(width) if how in {"#", "0#"} else str(self.jobs) if how == "##" else "1"
            chosen = items if not place else items[clamped(place) - 1 : clamped(place)] if clamped(place) else []
            self._charge(chosen)
            shown = [self._part(item, how) for item in chosen]
            return " ".join(quoted(item) if quote else item for item in shown)

        return self.pattern.sub(replace, text)

    def _charge(self, items: list[str]) -> None:
        """Ask for the room and the time that filling in these items takes."""
        size = sum(map(len, items))
        self.filled += size
        self.budget.string(self.filled)
        self.budget.tick(1 + (size >> 8))

    def _part(self, item: str, how: str) -> str:
        """The part of an argument that a replacement string selects."""
        if how in {"", "/", "//", "/."} or not how.strip("."):
            return _piece(item, how)
        if how[0] in "+/" and not how.strip("+/."):
            return _opposite(item, how[1:]) if how[0] == "+" else _piece(item, how)
        if how.startswith(":-"):
            return item or how[2:]
        if how.startswith(":"):
            start, _, length = how[1:].partition(":")
            rest = item[int(start[:9]) :]
            return rest[: int(length[:9])] if length else rest
        return self._edited(item, how)

    def _edited(self, item: str, how: str) -> str:
        """Remove what a pattern matches at the start (``#``) or end (``%``) of an argument, or replace it (``/``)."""
        kind, rest = (how[:2], how[2:]) if how[:1] == how[1:2] else (how[:1], how[1:])
        old, _, new = rest.partition("/") if kind[0] == "/" else (rest, "", "")
        source = {"#": f"^(?:{old})", "%": f"(?:{old})$"}.get(kind[0], old)
        try:
            pattern = regex.compile(source, "perl", budget=self.budget)
        except regex.RegexError as error:
            raise UsageError(f"{{{how}}}: {error.message}", hint=False) from None
        pieces, position = [], 0
        for found in pattern.finditer(item):
            self.budget.tick()
            pieces += [item[position : found.start()], new]
            position = found.end()
            if kind != "//":
                break
        return "".join(pieces) + item[position:]


def _piece(item: str, how: str) -> str:
    """``{/}``, ``{//}``, or an argument without as many extensions as there are dots; with fewer extensions it is unchanged."""
    if how == "//":
        return item.rpartition("/")[0] or ("/" if item.startswith("/") else ".")
    directory, slash, base = item.rpartition("/")
    stem = base
    for _ in range(how.count(".")):
        before, dot, _ = stem.rpartition(".")
        if not dot or not before:
            stem = base
            break
        stem = before
    return stem if how.startswith("/") else directory + slash + stem


def _opposite(item: str, how: str) -> str:
    """``{+/}`` is the directory, ``{+.}`` the extension: the part that the string without the plus omits."""
    directory, _, base = item.rpartition("/")
    if how == "/":
        return directory
    return base[len(_piece(base, how)) + 1 :]

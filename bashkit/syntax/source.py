"""A cursor over the text of a script: positions, errors and nesting depth."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NoReturn

from bashkit.errors import ScriptSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WORDS = 500_000  # words of one command
MAX_NESTING = 400  # constructs inside each other; bash itself ends at its C stack
METACHARACTERS = frozenset(" \t\n;&|<>()")
BLANKS = " \t"
_SKIPPED = frozenset(" \t\\#")
_BLANKS = re.compile(r"(?:[ \t]++|\\\n)*+(?:#[^\n]*+)?+")


class UnterminatedError(ScriptSyntaxError):
    """The text ends inside quotes or an expansion."""


class SubstitutionSyntaxError(ScriptSyntaxError):
    """The text in ``$(…)`` or ``<(…)`` is malformed."""


class Source:
    """The text being parsed and the position in it.

    Args:
        text: The script.
        first_line: The number of its first line.
    """

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.position = 0
        self.first_line = first_line
        self.depth = 0
        self._entered = 0
        self.on_progress: Callable[[int], None] | None = None  # told how many words were read, so that the reader can be stopped
        self._starts: list[int] = []

    def line_at(self, position: int) -> int:
        """The line number of a position."""
        if not self._starts:
            self._index()
        return bisect_right(self._starts, position) - 1 + self.first_line

    def column_at(self, position: int) -> int:
        """The one-based column of a position."""
        return position - self.text.rfind("\n", 0, position)

    def _index(self) -> None:
        starts = [0]
        text = self.text
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        self._starts = starts

    def replace_text(self, text: str) -> None:
        """Go on with another text at the same position (alias substitution)."""
        self.text = text
        self._starts = []

    def peek(self) -> str:
        """The next character, or "" at the end."""
        return self.text[self.position : self.position + 1]

    def starts_with(self, prefix: str) -> bool:
        """Whether the text goes on with ``prefix``."""
        return self.text.startswith(prefix, self.position)

    def enter(self) -> None:
        """One more construct inside another."""
        self.depth += 1
        self._entered += 1
        if not self._entered & 1023 and self.on_progress is not None:
            self.on_progress(1024)
        if self.depth > MAX_NESTING:
            self.fail(f"nesting deeper than {MAX_NESTING} levels")

    def leave(self) -> None:
        """The innermost construct ends."""
        self.depth -= 1

    def fail(self, message: str, position: int | None = None, *, incomplete: bool = False) -> NoReturn:
        """Refuse the text at ``position``, or where the cursor stands."""
        at = self.position if position is None else position
        raise ScriptSyntaxError(message, self.line_at(at), self.column_at(at), incomplete=incomplete)

    def fail_unterminated(self, closing: str, start: int) -> NoReturn:
        """The text ended inside a construct that began at ``start``."""
        message = f"unexpected EOF while looking for matching `{closing}'"
        raise UnterminatedError(message, self.line_at(start), self.column_at(start), incomplete=True)

    def skip_blanks(self) -> None:
        """Skip spaces, tabs, line continuations and a comment."""
        if self.text[self.position : self.position + 1] in _SKIPPED:
            self.position = _BLANKS.match(self.text, self.position).end()  # type: ignore[union-attr]  # it matches everywhere

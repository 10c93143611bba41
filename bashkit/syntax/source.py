"""A cursor over the text of a script: positions, errors and nesting depth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NoReturn

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WORDS: Final = 500_000  # words of one command
_TOLD: Final = 127  # steps that are not told yet
MAX_NESTING: Final = 400  # constructs inside each other; bash itself ends at its C stack
AT_ONCE: Final = 4096  # characters of a long text that are read at once
_FEW: Final = 8  # characters that are looked at twice, since something may stand across the border
_ROW: Final = 64  # characters of what may be one of very many
LONG: Final = 1000  # characters of a text whose reading takes a while
_KEPT: Final = 128  # characters that are kept like one more step
METACHARACTERS: Final = frozenset(" \t\n;&|<>()")
BLANKS: Final = " \t"
OPERATOR: Final = re.compile(r"&&|\|\||;;&|;;|;&|\|&|<<<|<<-|<<|>>|<&|>&|<>|>\||&>>|&>|[;&|()<>]")
LARGEST_DESCRIPTOR: Final = 2**31 - 1
_DIGITS: Final = 33  # of no descriptor
DESCRIPTOR_VARIABLE: Final = (  # what stands between braces before a redirection operator
    r"""[A-Za-z_][A-Za-z0-9_]*+(?:\[(?>\$\([^()\n]*+\)|\$\{[^{}\n]*+\}|"[^"\n]*+"|'[^'\n]*+'|[^]\s])++\])?"""
)
_VARIABLE: Final = re.compile(rf"\{{{DESCRIPTOR_VARIABLE}\}}")
_SKIPPED: Final = frozenset(" \t\\#")
_BLANKS: Final = re.compile(r"[ \t]*+(?>\\\n[ \t]*+)*+(?>#[^\n]*+)?+").match
_WHITES: Final = re.compile(r"[ \t\n]*+").match
_INDENT: Final = 8  # characters that are skipped one by one, which is faster for so few
_LAYOUT: Final = re.compile(r"(?>[ \t\n]++|\\\n|#[^\n]*+){1,1024}+")


class UnterminatedError(ScriptSyntaxError):
    """The text ends inside quotes or an expansion.

    Attributes:
        substitutions: How many command substitutions it ends in, too.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column, incomplete=True)
        self.substitutions = 0


class SubstitutionSyntaxError(ScriptSyntaxError):
    """The text in ``$(…)`` or ``<(…)`` is malformed.

    Attributes:
        silent: Bash says nothing.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.silent = False


class UnshownSyntaxError(ScriptSyntaxError):
    """A malformed ``[[ … ]]`` or ``for ((…))``, of which bash does not show the line.

    Attributes:
        silent: Bash says nothing: the expression ends where an operand should be, or is none.
        at_end: Nothing follows in the text.
        following: What is malformed in the rest of the line, too.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.silent = self.at_end = False
        self.following: ScriptSyntaxError | None = None


class Source:
    """The text being parsed and the position in it.

    Args:
        text: The script.
        first_line: The number of its first line.
    """

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.continued = "\\\n" in text  # some token may be in pieces
        self.position = 0
        self.first_line = first_line
        self.depth = 0
        self.steps = 0  # what was read and told: words, parts of words, commands
        self.untold = 0  # what was read since
        self.on_progress: Callable[[int], None] | None = None  # told how many microseconds the reading took
        self.on_growth: Callable[[int], None] | None = None  # told how many steps were done: how large the tree becomes
        self.on_translated: Callable[[str, int], None] | None = None  # told each `$"…"`: what is quoted, and the line
        self._known = 0, first_line  # a position, mostly close to the next one that is asked for, and its line

    def line_at(self, position: int) -> int:
        """The line number of a position."""
        known, line = self._known
        if position == known:
            return line
        if position > known:
            line += self.text.count("\n", known, position)
        else:
            line -= self.text.count("\n", position, known)
        self._known = position, line
        return line

    def last_line(self) -> int:
        """The line in which the text ends, as bash counts it: behind a last line that has no end, too."""
        return self.line_at(len(self.text)) + (not self.text.endswith("\n"))

    def column_at(self, position: int) -> int:
        """The one-based column of a position."""
        return position - self.text.rfind("\n", 0, position)

    def _join(self, broken: re.Pattern[str], token: re.Pattern[str], end: int) -> bool:
        """Move the line continuations inside a token to before it, so that it is in one piece; False if they only follow it.

        Those that follow it stay: a text may end with them, which goes on in a line that is not read yet.

        Args:
            broken: Matches the characters of such a token and continuations.
            token: Matches a whole token.
            end: Where the part of the token ends that stands before the first continuation.
        """
        position = self.position
        match = broken.match(self.text, position)
        assert match is not None
        text = match.group()
        while text.endswith("\\\n"):
            text = text[:-2]
        joined = text.replace("\\\n", "")
        whole = token.match(joined)
        if whole is None or whole.end() <= end - position:
            return False
        moved = "\\\n" * text.count("\\\n")
        self.replace(position + len(text), moved + joined)
        self.position = position + len(moved)
        return True

    def past(self, position: int) -> int:
        """A position, or where the line continuations there end."""
        if self.continued:
            while self.text.startswith("\\\n", position):
                position += 2
        return position

    def join_parenthesis(self) -> None:
        """Move the line continuations between the character at the cursor and a parenthesis to before them."""
        end = self.past(self.position + 1)
        if end > self.position + 1 and self.text.startswith("(", end):
            text, start = self.text, self.position
            self.replace(end, text[start + 1 : end] + text[start])
            self.position = end - 1

    def replace(self, end: int, text: str) -> None:
        """Put a text in the place of what stands between the cursor and ``end`` (alias substitution)."""
        position, line = self.position, self.line_at(self.position)
        self.text = self.text[:position] + text + self.text[end:]
        self.continued = self.continued or "\\\n" in self.text[max(position - 1, 0) : position + len(text) + 1]
        self._known = position, line

    def peek(self) -> str:
        """The next character, or "" at the end."""
        return self.text[self.position : self.position + 1]

    def starts_with(self, prefix: str) -> bool:
        """Whether the text goes on with ``prefix``."""
        return self.text[self.position : self.position + len(prefix)] == prefix

    def begins_redirection(self, word: str) -> bool:
        """Whether a word that ends at the cursor is a number, or ``{name}``, that belongs to the operator behind it."""
        if self.text[self.position : self.position + 1] not in {"<", ">"}:
            return False
        if is_digits(word):
            return len(word) < _DIGITS and int(word) <= LARGEST_DESCRIPTOR
        return _VARIABLE.fullmatch(word) is not None

    def enter(self) -> None:
        """One more construct inside another."""
        self.depth += 1
        self.step()
        if self.depth > MAX_NESTING:
            self.fail(f"nesting deeper than {MAX_NESTING} levels")

    def step(self, count: int = 1) -> None:
        """Something was read: a word, a part of one, a command. Now and then the reader's time and room are asked for."""
        self.untold += count
        if self.untold > _TOLD:
            steps, self.untold = self.untold, 0
            self.steps += steps
            if self.on_growth is not None:
                self.on_growth(steps)
            self.spend(steps << 3)

    def keep(self, length: int) -> None:
        """Account for what keeps so many characters of its own text, which others around it keep too."""
        if length > _KEPT:
            self.step(length // _KEPT)

    def spend(self, microseconds: int) -> None:
        """Ask for the time that the reading took."""
        if self.on_progress is not None:
            self.on_progress(microseconds)

    def search(self, pattern: re.Pattern[str], position: int) -> re.Match[str] | None:
        """Where a pattern of a few characters matches next, from a position on; over a long text it asks for time."""
        text = self.text
        while (match := pattern.search(text, position, position + AT_ONCE + _FEW)) is None or match.start() >= position + AT_ONCE:
            position += AT_ONCE
            if position >= len(text):
                return None
            self.spend(AT_ONCE >> 6)
        return match

    def after_row(self, pattern: re.Pattern[str], position: int) -> int:
        """Where what a pattern matches again and again ends, from a position on; a long row asks for time."""
        while match := pattern.match(self.text, position):
            if match.end() > position + _ROW:
                self.spend(match.end() - position >> 5)
            position = match.end()
        return position

    def include(self, reader: Source) -> None:
        """A part of the text was read by a reader of its own, which has told some of its steps."""
        self.steps += reader.steps
        self.step(reader.untold)

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
        raise UnterminatedError(message, self.line_at(start), self.column_at(start))

    def skip_blanks(self) -> None:
        """Skip spaces, tabs, line continuations and a comment."""
        character = self.text[self.position : self.position + 1]
        if character == " ":
            if self.text[self.position + 1 : self.position + 2] not in _SKIPPED:
                self.position += 1
                return
        elif character not in _SKIPPED:
            return
        self.position = _BLANKS(self.text, self.position).end()  # type: ignore[union-attr]  # it matches everywhere

    def skip_lines(self) -> None:
        """Skip blanks, newlines, line continuations and comments."""
        text, position = self.text, self.position
        indented = position + _INDENT
        while (character := text[position : position + 1]) in (" ", "\n", "\t"):
            position += 1
            if position == indented:
                position = _WHITES(text, position).end()  # type: ignore[union-attr]  # it matches everywhere
        self.position = position
        if character in ("#", "\\"):
            while match := _LAYOUT.match(self.text, self.position):
                self.position = match.end()
                self.spend(len(match.group()) >> 4)

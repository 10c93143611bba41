"""The commands of a sed script (POSIX XCU sed, GNU sed manual)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.regex import Pattern

PANIC = 4  # the exit status for a file that cannot be opened, read or written


@dataclass(frozen=True, slots=True)
class Address:
    """Selects lines for a command.

    Attributes:
        kind: ``line``, ``last``, ``regex``, ``step`` (``first~step``), ``plus`` (``+N``) or ``multiple`` (``~N``).
        number: The line, the first of the steps, or N.
        step: The step.
        pattern: The regular expression; None for the empty one, which is the last one used.
        by_line: The pattern for a block of lines, if possible.
        source, modifiers: The text of the regular expression, and the letters after it.
    """

    kind: str
    number: int = 0
    step: int = 0
    pattern: Pattern | None = None
    by_line: Pattern | None = None
    source: str = ""
    modifiers: str = ""

    @property
    def is_zero(self) -> bool:
        """Whether it is line 0, before the first one."""
        return self.kind in ("line", "step") and not self.number and not self.step


@dataclass(frozen=True, slots=True)
class Case:
    r"""``\U``, ``\L``, ``\u``, ``\l`` or ``\E`` in a replacement."""

    letter: str


@dataclass(frozen=True, slots=True)
class Substitution:
    """``s/pattern/replacement/flags``.

    Attributes:
        pattern: None for the empty regular expression.
        parts: Text, numbers of groups (0 for ``&``), and changes of case.
        number: The first match to replace.
        everything: Whether all later matches are replaced too (``g``).
        show: Print the pattern space when something was replaced (``p``).
        file: Write it to this file (``w``), or "".
        by_line: The pattern for a block of several lines; None if it could match across lines.
        source, modifiers: The text of the regular expression, and which of ``I`` and ``M`` it has.
        evaluate: The pattern space is then run as a command, whose output takes its place (``e``).
    """

    pattern: Pattern | None
    parts: tuple[str | int | Case, ...]
    number: int
    everything: bool
    show: bool
    file: str
    by_line: Pattern | None = None
    source: str = ""
    modifiers: str = ""
    evaluate: bool = False


@dataclass(slots=True)
class Command:
    """One command.

    Attributes:
        name: Its letter.
        first, second: Its addresses.
        negated: Whether it applies to all other lines.
        text: The text, label, file name or command line.
        number: The exit status or line length; -1 if omitted.
        target: The index of the command to continue with, for branches, and for ``{`` if its addresses do not match.
        table: The translation of ``y``.
    """

    name: str
    first: Address | None = None
    second: Address | None = None
    negated: bool = False
    text: str = ""
    number: int = -1
    target: int = 0
    substitution: Substitution | None = None
    table: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script.

    Attributes:
        commands: The commands in order, with blocks flattened.
        quiet: Whether its first line is ``#n``.
        files: Files that it writes to.
        leading: Files to print before the first line (``0r``).
    """

    commands: tuple[Command, ...]
    quiet: bool
    files: tuple[str, ...]
    leading: tuple[str, ...] = ()


class ScriptError(Exception):
    """A script that sed rejects; the message includes the position, ``status`` is the exit status.

    Attributes:
        files: The files of ``w`` before the mistake, which sed has emptied by then.
    """

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.files: tuple[str, ...] = ()


class NoPatternError(Exception):
    """An empty regular expression without a previous one, or with one that has too few groups."""

"""Matches the addresses of sed's commands against lines (POSIX XCU sed, Addresses in sed)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.commands.patterns.sed.execute import Editor
    from bashkit.commands.patterns.sed.script import Address, Command

Selector = Callable[["Editor"], bool]

_FOREVER = 1 << 62


def selector(command: Command, ranges: list[Range]) -> Selector | None:
    """Make a function that tells whether a command's addresses select the current line; None if they select every line. For ``{``
    the result is inverted: it tells whether to skip the block.

    Args:
        command: The command.
        ranges: Receives the command's range, if it has one.
    """
    if command.first is None:
        plain: Selector | None = None
    elif command.second is None:
        plain = _single(command.first)
    else:
        ranges.append(Range(command, command.first, command.second))
        plain = ranges[-1].__call__
    if command.negated == (command.name == "{"):
        return plain
    if plain is None:
        return _never
    chosen = plain
    return lambda editor: not chosen(editor)


def _never(_: Editor) -> bool:
    return False


def _single(address: Address) -> Selector:
    kind, number, step = address.kind, address.number, address.step
    if kind == "line":
        return lambda editor: editor.line == number
    if kind == "last":
        return lambda editor: editor.at_last()
    if kind == "step":
        if step <= 0:
            return lambda editor: editor.line == number
        return lambda editor: editor.line >= number and (editor.line - number) % step == 0
    pattern = address.pattern
    return lambda editor: editor.use(pattern).test(editor.space)


class Range:
    """``first,second``: from a line that the first address selects to one that the second does.

    A range that begins at a number begins once, at the first line seen from there on.

    Attributes:
        active: Whether the next line is in the range.
    """

    __slots__ = ("_begun", "_command", "_end", "_from_start", "_number", "_second", "_starts", "active")

    def __init__(self, command: Command, first: Address, second: Address) -> None:
        self._command = command
        self._second = second
        by_number = first.kind == "line" or (first.kind == "step" and first.step <= 0)
        self._number = first.number if by_number else None
        self._from_start = first.kind == "line" and first.number == 0
        self._starts = _single(first)
        self.reset()

    def reset(self) -> None:
        """Forget all lines seen."""
        self.active = self._begun = self._from_start
        self._end = _FOREVER  # the last line of the range, if known

    def __call__(self, editor: Editor) -> bool:
        """Whether the current line is in the range."""
        selected = self._continue(editor) if self.active else self._begin(editor)
        if selected:
            editor.range_end[id(self._command)] = _FOREVER if self.active else editor.line
        return selected

    def overdue(self, line: int) -> bool:
        """Whether the range could have begun at a skipped line up to this one."""
        return self._number is not None and not self._begun and line >= self._number

    def _begin(self, editor: Editor) -> bool:
        second, line = self._second, editor.line
        if self._number is None:
            if not self._starts(editor):
                return False
        elif self._begun or line < self._number or (second.kind == "line" and line > max(second.number, self._number)):
            return False
        self._begun = True
        if second.kind == "line":
            self._end = second.number
        elif second.kind == "plus":
            self._end = line + second.number
        elif second.kind == "multiple":
            self._end = line if second.number <= 0 else (line // second.number + 1) * second.number
        elif second.kind == "step":
            turns = -(-max(line - second.number, 0) // second.step) if second.step > 0 else 0
            self._end = second.number + turns * second.step
        else:
            self._end = _FOREVER
            self.active = second.kind != "last" or not editor.at_last()
            return True
        self.active = line < self._end
        return True

    def _continue(self, editor: Editor) -> bool:
        second = self._second
        if second.kind == "regex":
            self.active = not editor.use(second.pattern).test(editor.space)
        elif second.kind == "last":
            self.active = not editor.at_last()
        elif editor.line >= self._end:
            self.active = False
            return second.kind != "line" or editor.line == self._end
        return True

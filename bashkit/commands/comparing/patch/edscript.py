"""Scripts for ed that ``diff -e`` writes (GNU diffutils manual, Detailed Description of ed Format)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import whole_lines
from bashkit.commands.comparing.patch.indents import outdented, unindented
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.limits import Budget

_FIRST = re.compile(rb"\d++(?:,\d++)?[acdi]\n?")
_COMMAND = re.compile(rb"(?:(\d++)(?:,(\d++))?)?([acdi])\n?")  # without a number, it is for the current line
_UNDOUBLE = re.compile(rb"(?:(\d++)(?:,(\d++))?)?s/(?:\.|\^\\\.)//\n?")
_INDEX = re.compile(rb"Index:[ \t]*([^\n\t]+)")
_DIGITS = 9


class EdError(Exception):
    """A command names lines that the file does not have."""


class EdScript:
    """A script, and the file that its header names.

    Args:
        data: The patch file.
        budget: Asked for the time.

    Attributes:
        index: The name in the header, or "".
        indent: The columns of blanks in front of each line.
        commands: The lines from the first command on; none if there is none.
    """

    def __init__(self, data: bytes, budget: Budget) -> None:
        lines = whole_lines(data, budget)
        start = next((index for index, line in enumerate(paced(lines)) if _FIRST.fullmatch(unindented(line)[0])), len(lines))
        self.indent = unindented(lines[start])[1] if start < len(lines) else 0
        self.commands = [outdented(line, self.indent) for line in paced(lines[start:])] if self.indent else lines[start:]
        found = next((found for line in paced(lines[:start]) if (found := _INDEX.match(line))), None)
        self.index = found[1].strip().decode("utf-8", "surrogateescape") if found else ""

    def apply(self, data: bytes, budget: Budget) -> bytes:
        """Run the commands on a file.

        Raises:
            EdError: There are no such lines.
        """
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        current, position = len(lines), 0
        while position < len(self.commands):
            budget.tick(1 + len(lines) // 64)
            line = self.commands[position]
            position += 1
            if found := _COMMAND.fullmatch(line):
                end = position
                if found[3] != b"d":
                    while end < len(self.commands) and self.commands[end].rstrip(b"\n") != b".":
                        end += 1
                added = [text.removesuffix(b"\n") for text in self.commands[position:end]]
                position = end + (found[3] != b"d")
                current = _edit(lines, found, added, current)
            elif found := _UNDOUBLE.fullmatch(line):
                first = int((found[1] or b"%d" % current)[:_DIGITS])
                last = int((found[2] or b"%d" % first)[:_DIGITS])
                if not 1 <= first <= last <= len(lines):
                    raise EdError
                lines[first - 1 : last] = [text.removeprefix(b".") for text in lines[first - 1 : last]]
        return b"".join([text + b"\n" for text in lines])


def _edit(lines: list[bytes], command: re.Match[bytes], added: list[bytes], current: int) -> int:
    """Do a command; return the number of the line that is then the current one."""
    first = int((command[1] or b"%d" % current)[:_DIGITS])
    last = int((command[2] or b"%d" % first)[:_DIGITS])
    kind = command[3]
    if first > last or last > len(lines) or (not first and kind in b"cd"):
        raise EdError
    start, end = (first - 1, last) if kind in b"cd" else (last, last) if kind == b"a" else (max(last - 1, 0),) * 2
    lines[start:end] = added
    return start + len(added) if added else min(start + 1, len(lines))

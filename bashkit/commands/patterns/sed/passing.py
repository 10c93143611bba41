"""Skips blocks of lines that no address selects, and copies them unchanged."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.commands.patterns.sed.script import Address, Command, Script
    from bashkit.limits import Budget
    from bashkit.regex import Pattern

_CLOSEST = 4  # average number of lines between selected ones from which searching for them pays


class Passer:
    """Counts the next lines that no address selects, while no range is open.

    Args:
        commands: The commands of the script outside of blocks.
        budget: Charged for searches.
    """

    __slots__ = ("_block", "_hits", "_patterns", "_steps")

    def __init__(self, commands: list[Command], budget: Budget) -> None:
        addresses = [command.first for command in commands if command.first is not None]
        self._steps = [address for address in addresses if address.kind in ("line", "step")]
        self._patterns = [address.by_line.with_budget(budget) for address in addresses if address.by_line is not None]
        self._block: list[str] = []
        self._hits: list[int] | None = []  # indices of the lines that a pattern matches; None after it matched too many

    @classmethod
    def of(cls, script: Script, budget: Budget) -> Passer | None:
        """Make the Passer of a script; None if the script selects every line."""
        if any(map(_reuses_pattern, script.commands)):
            return None
        commands: list[Command] = []
        index = 0
        while index < len(script.commands):
            command = script.commands[index]
            commands.append(command)
            index = command.target if command.name == "{" else index + 1
        if script.leading or any(
            command.negated or command.first is None or not _is_sparse(command.first) for command in commands
        ):
            return None
        return cls(commands, budget)

    def count(self, block: list[str], index: int, line: int) -> int:
        """Count the lines that no address selects, without the last line of the block.

        Args:
            block: Lines that have been read.
            index: The first of them that is not edited yet.
            line: The number of the line before it.
        """
        if self._hits is None:
            return 0
        if block is not self._block:
            self._block, self._hits = block, self._found(block)
            if self._hits is None:
                return 0
        end = len(block) - 1
        at = bisect_left(self._hits, index)
        if at < len(self._hits):
            end = min(end, self._hits[at])
        for address in self._steps:
            following = _following(address, line)
            if following is not None:
                end = min(end, index + following - line - 1)
        return max(end - index, 0)

    def _found(self, block: list[str]) -> list[int] | None:
        if not self._patterns:
            return []
        text = "\n".join(block) + "\n"
        hits: set[int] = set()
        for pattern in self._patterns:
            hits.update(_indices(pattern, text))
            if len(hits) * _CLOSEST > len(block):
                return None
        return sorted(hits)


def _reuses_pattern(command: Command) -> bool:
    """Whether a command has an empty regular expression, which repeats the last one."""
    plan = command.substitution
    addresses = (address for address in (command.first, command.second) if address is not None)
    return (plan is not None and plan.pattern is None) or any(
        address.kind == "regex" and address.pattern is None for address in addresses
    )


def _is_sparse(address: Address) -> bool:
    if address.kind == "regex":
        return address.by_line is not None
    return address.kind in ("line", "last") or (address.kind == "step" and not 0 < address.step < _CLOSEST)


def _following(address: Address, line: int) -> int | None:
    """The first line after ``line`` that a numeric address selects."""
    if line < address.number or address.kind == "line" or address.step <= 0:
        return address.number if address.number > line else None
    return address.number + ((line - address.number) // address.step + 1) * address.step


def _indices(pattern: Pattern, text: str) -> list[int]:
    """The indices of the matching lines, from 0."""
    found: list[int] = []
    index = position = 0
    for start, stop in pattern.lines(text):
        index += text.count("\n", position, start)
        found.append(index)
        index += 1
        position = stop
    return found

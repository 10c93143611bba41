"""A script of one ``s`` command, run over whole blocks of lines at once: several times faster than line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.sed.substitute import bounded, replacer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.sed.nodes import Script
    from bashkit.limits import Budget
    from bashkit.regex import Match, Pattern


def block_editor(script: Script, budget: Budget) -> Callable[[str], str] | None:
    """What edits a block of lines without the end of its last line; None where the script has to run line by line."""
    if len(script.commands) != 1:
        return None
    (command,) = script.commands
    plan = command.substitution
    if command.name != "s" or command.first is not None or command.negated or plan is None:
        return None
    if plan.by_line is None or plan.show or plan.file or plan.number != 1:
        return None
    pattern = plan.by_line.with_budget(budget)
    expand = replacer(plan.parts)
    if not plan.everything:
        return lambda text: _first_of_each_line(text, pattern, bounded(expand, plan.parts, len(text), budget), budget)

    def everywhere(text: str) -> str:
        result, count = pattern.replace(text, bounded(expand, plan.parts, len(text), budget))
        budget.tick(count)
        return result

    return everywhere


def _first_of_each_line(text: str, pattern: Pattern, expand: Callable[[Match], str], budget: Budget) -> str:
    search = pattern.searcher(text)
    pieces: list[str] = []
    copied = position = 0
    while (match := search(position)) is not None:
        start, end = match.span()
        pieces += (text[copied:start], expand(match))
        copied = end
        position = text.find("\n", end) + 1
        if not position:
            break
    budget.tick(len(pieces))
    return "".join(pieces) + text[copied:]

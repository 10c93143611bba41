"""Runs scripts of simple commands over whole blocks of lines, several times faster than line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns._long_texts import replaced, translated
from bashkit.commands.patterns.sed.substitute import LONG, bounded, filling, replacer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bashkit.commands.patterns.sed.script import Command, Script, Substitution
    from bashkit.commands.patterns.sed.selection import Selection, Selections
    from bashkit.limits import Budget
    from bashkit.regex import Match, Pattern

    Edit = Callable[[str], str]


_PART = 1 << 14  # characters in which each may be a match of its own without a look at the clock


def block_editor(script: Script, budget: Budget, selections: Selections, *, quiet: bool) -> Edit | None:
    """Make a function that edits a block of complete lines; None if the script must run line by line.

    Supported are ``s`` and ``y`` on every line, ``s`` and ``d`` on the lines that addresses select or do not, blocks of ``s`` and
    ``y`` on such lines, and as the last command of a quiet script ``p`` on them.

    Args:
        script: The script.
        budget: Charged for the work.
        selections: Makes what selects lines by addresses.
        quiet: Only what the script prints is printed.
    """
    commands = script.commands
    if not commands or script.leading or quiet != (commands[-1].name == "p"):
        return None
    steps: list[Edit | None] = []
    index = 0
    counted = True
    while index < len(commands):
        command = commands[index]
        end = command.target if command.name == "{" else index + 1
        select = selections.of(command, counted=counted) if command.first is not None else None
        if command.first is not None and select is None:
            return None
        if command.name == "{":
            steps.append(_block(command, commands[index + 1 : end], select, budget, show=quiet and end == len(commands)))
        else:
            steps.append(_step(command, select, budget, last=end == len(commands), alone=len(commands) == 1))
        counted = counted and command.name != "d"
        index = end
    return _chain(steps)


def _chain(steps: list[Edit | None]) -> Edit | None:
    """Chain several steps; None if one of them is not supported."""
    taken = [step for step in steps if step is not None]
    if len(taken) < len(steps):
        return None
    if len(taken) == 1:
        return taken[0]

    def edit(text: str) -> str:
        for step in taken:
            text = step(text)
        return text

    return edit


def _block(command: Command, inner: Sequence[Command], select: Selection | None, budget: Budget, *, show: bool) -> Edit | None:
    """``/pattern/{…}``; with ``show``, its last command is the ``p`` that ends a quiet script."""
    if select is None or command.negated:
        return None
    if show and (inner[-1].name != "p" or inner[-1].first is not None):
        return None
    body = inner[:-1] if show else inner
    if not body or any(one.first is not None or one.negated for one in body):
        return None
    edit = _chain([_everywhere(one, budget, alone=False) for one in body])
    if edit is None:
        return None
    chosen, change = select, edit
    if show:
        return lambda text: change(_chosen(text, chosen, keep=True))
    return _on_selected(select, change)


def _step(command: Command, select: Selection | None, budget: Budget, *, last: bool, alone: bool) -> Edit | None:
    if select is None:
        return None if command.negated else _everywhere(command, budget, alone=alone)
    if command.name == "d" or (command.name == "p" and last):
        keep, chosen = (command.name == "p") != command.negated, select
        return lambda text: _chosen(text, chosen, keep=keep)
    inner = _everywhere(command, budget, alone=alone)
    if inner is None or command.name != "s":
        return None
    if not alone and not command.negated:
        return _on_selected(select, inner)
    return _one_by_one(select, inner, negated=command.negated)


def _on_selected(select: Selection, edit: Edit) -> Edit:
    """Apply ``edit``, which maps each line to one line, to the selected lines."""

    def some(text: str) -> str:
        places = list(select(text))
        edited = edit("".join([text[start:stop] for start, stop in places])).split("\n")
        parts: Iterable[str] = edited if len(edited) == len(places) + 1 else _regrouped(edited, text, places)
        pieces: list[str] = []
        position = 0
        for (start, stop), part in zip(places, parts, strict=False):
            pieces += (text[position:start], part, "\n")
            position = stop
        return "".join(pieces) + text[position:]

    return some


def _regrouped(lines: list[str], text: str, places: list[tuple[int, int]]) -> Iterator[str]:
    """As many lines at once as there are in each place of the text, without the last newline."""
    index = 0
    for start, stop in places:
        count = text.count("\n", start, stop)
        yield "\n".join(lines[index : index + count])
        index += count


def _one_by_one(select: Selection, edit: Edit, *, negated: bool) -> Edit:
    """Apply ``edit``, which may map a line to several, to the selected lines, or to the others."""

    def some(text: str) -> str:
        pieces: list[str] = []
        position = 0
        for start, stop in select(text):
            before, found = text[position:start], text[start:stop]
            pieces += (edit(before), found) if negated else (before, edit(found))
            position = stop
        rest = text[position:]
        return "".join(pieces) + (edit(rest) if negated else rest)

    return some


def _everywhere(command: Command, budget: Budget, *, alone: bool) -> Edit | None:
    """Apply ``s`` or ``y`` to every line of a text."""
    if command.name == "y":
        table = command.table
        return None if 10 in table or "\n" in table.values() else lambda text: translated(text, table)
    plan = command.substitution
    if command.name != "s" or plan is None or plan.by_line is None or plan.show or plan.file or plan.evaluate:
        return None
    if not alone and any(isinstance(part, str) and "\n" in part for part in plan.parts):
        return None  # it creates lines that later commands would treat as input lines
    pattern = plan.by_line.with_budget(budget)
    literal = pattern.literal
    texts = [part for part in plan.parts if isinstance(part, str)]
    if literal is not None and len(texts) == len(plan.parts) and plan.number == 1:
        return _literally(literal, "".join(texts), budget, everything=plan.everything)
    expand = replacer(plan.parts)
    fixed = len(texts) == len(plan.parts)  # the same for every match

    def substitute(text: str) -> str:
        if not text:
            return ""
        body = text[:-1]  # there is no line after the last newline
        if plan.number > 1:
            return _from_nth_of_each_line(body, pattern, bounded(expand, plan.parts, len(text), budget), plan, budget) + "\n"
        if not plan.everything:
            return _first_of_each_line(body, pattern, bounded(expand, plan.parts, len(text), budget), budget) + "\n"
        if len(body) <= _PART or fixed:
            result, count = pattern.replace(body, filling(expand, plan.parts, len(text), budget))
            budget.tick(count)
            return result + "\n"
        done: list[str] = []
        for part in _parts(body):
            result, count = pattern.replace(part, filling(expand, plan.parts, len(part), budget))
            budget.tick(count)
            done.append(result)
        return "\n".join([*done, ""])

    return substitute


def _parts(text: str) -> Iterator[str]:
    """Parts of whole lines, which are not long unless their lines are; there is no newline behind the last of a part."""
    start = 0
    while len(text) - start > _PART:
        end = text.rfind("\n", start, start + _PART)
        if end < 0 and (end := text.find("\n", start + _PART)) < 0:
            break
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _literally(literal: str, replacement: str, budget: Budget, *, everything: bool) -> Edit:
    """Replace one string by another."""

    def substitute(text: str) -> str:
        pieces = text.split(literal)
        budget.tick(len(pieces))
        budget.string(len(text) + (len(pieces) - 1) * len(replacement))
        between = [] if everything else [piece for piece in pieces[1:-1] if "\n" not in piece]
        if not between:  # no line contains it twice, or every occurrence is replaced
            return replacement.join(pieces)
        result = [pieces[0]]
        first = True  # on its line
        for piece in pieces[1:]:
            result += (replacement if first else literal, piece)
            first = "\n" in piece
        return "".join(result)

    def in_parts(text: str) -> str:
        if len(text) <= LONG:
            return substitute(text)
        return replaced(text, literal, replacement, budget) if everything else firsts(text)

    def firsts(text: str) -> str:
        pieces: list[str] = []
        start = position = 0
        while (found := text.find(literal, position)) >= 0:
            budget.tick()
            pieces += (text[start:found], replacement)
            start = found + len(literal)
            position = text.find("\n", start)
            if position < 0:
                break
        made = "".join(pieces) + text[start:]
        budget.string(len(made))
        return made

    return in_parts


def _chosen(text: str, select: Selection, *, keep: bool) -> str:
    """The selected lines, or the others."""
    if keep:
        return "".join([text[start:stop] for start, stop in select(text)])
    pieces: list[str] = []
    position = 0
    for start, stop in select(text):
        if start > position:
            pieces.append(text[position:start])
        position = stop
    return "".join(pieces) + text[position:] if position else text


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


def _from_nth_of_each_line(
    text: str, pattern: Pattern, expand: Callable[[Match], str], plan: Substitution, budget: Budget
) -> str:
    """Replace one match in each line, or all from the Nth on."""
    pieces: list[str] = []
    copied = count = 0
    line_end = -1
    for match in pattern.finditer(text):
        start, end = match.span()
        if start > line_end:
            budget.tick(count)
            line_end = text.find("\n", start)
            line_end = len(text) if line_end < 0 else line_end
            count = 0
        count += 1
        if count == plan.number or (plan.everything and count > plan.number):
            pieces += (text[copied:start], expand(match))
            copied = end
    budget.tick(count)
    return "".join(pieces) + text[copied:]

"""The ``s`` command of sed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns._long_texts import FEW, check_length, filled
from bashkit.commands.patterns.sed.script import Case, NoPatternError
from bashkit.fs.stream import BLOCK
from bashkit.interp.state.locales import lower, upper

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.sed.execute import Action, Editor
    from bashkit.commands.patterns.sed.script import Substitution
    from bashkit.limits import Budget
    from bashkit.regex import Match

_MANY = 1 << 15  # characters of which each may be a match for which Python code runs
LONG = BLOCK + 4096  # characters in which there can be so many matches that replacing them takes long: more than a block


def replacer(parts: tuple[str | int | Case, ...]) -> Callable[[Match], str]:
    """Make a function that computes the replacement for a match."""
    if not parts:
        return lambda _: ""
    if len(parts) == 1 and isinstance(parts[0], str):
        text = parts[0]
        return lambda _: text
    if any(isinstance(part, Case) for part in parts):
        return lambda match: _with_case(parts, match)
    plain = [part for part in parts if not isinstance(part, Case)]
    if len(plain) > FEW:
        return lambda match: filled(plain, match.group)

    def expand(match: Match) -> str:
        return "".join([part if isinstance(part, str) else match.group(part) or "" for part in plain])

    return expand


def _lenient(parts: tuple[str | int | Case, ...]) -> Callable[[Match], str]:
    """As ``replacer`` for the pattern used last, which may have fewer groups: those that it lacks are empty."""
    made: dict[int, Callable[[Match], str]] = {}

    def expand(match: Match) -> str:
        groups = len(match.groups())
        known = made.get(groups)
        if known is None:
            known = made[groups] = replacer(tuple(part for part in parts if not isinstance(part, int) or part <= groups))
        return known(match)

    return expand


def _check_groups(editor: Editor, parts: tuple[str | int | Case, ...]) -> None:
    """Refuse a group that the pattern used last does not have, if that was an address."""
    highest = max((part for part in parts if isinstance(part, int)), default=0)
    if highest > editor.use(None).groups and not editor.substituted():
        raise NoPatternError(f"invalid reference \\{highest} on `s' command's RHS")


def filling(
    expand: Callable[[Match], str], parts: tuple[str | int | Case, ...], length: int, budget: Budget
) -> Callable[[Match], str] | str:
    """As ``bounded``; the text itself where it is the same for every match and needs no limit."""
    if len(parts) < 2 and all(isinstance(part, str) for part in parts) and _fits(parts, length, budget):
        return "".join(map(str, parts))
    return bounded(expand, parts, length, budget, _MANY)


def _fits(parts: tuple[str | int | Case, ...], length: int, budget: Budget, longest: int = LONG) -> bool:
    """Whether every character may be a match of its own, without much time or room being needed."""
    growth = sum(len(part) if isinstance(part, str) else 1 for part in parts)
    return growth * length <= budget.limits.max_string_bytes and length <= longest


def bounded(
    expand: Callable[[Match], str], parts: tuple[str | int | Case, ...], length: int, budget: Budget, longest: int = LONG
) -> Callable[[Match], str]:
    """Limit ``expand`` if many matches in a text of that length could exceed the maximum string size, or take long."""
    if _fits(parts, length, budget, longest):
        return expand
    total = 0

    def watched(match: Match) -> str:
        nonlocal total
        text = expand(match)
        total += len(text)
        budget.string(total)
        budget.tick()
        return text

    return watched


def _with_case(parts: tuple[str | int | Case, ...], match: Match) -> str:
    r"""Apply ``\U``, ``\L``, ``\u``, ``\l`` and ``\E`` in the replacement."""
    result: list[str] = []
    lasting, once, size = "", "", 0
    for part in parts:
        if isinstance(part, Case):
            if part.letter in "UL":
                lasting, once = part.letter, ""
            elif part.letter == "E":
                lasting = ""
            else:
                once = part.letter
            continue
        text = part if isinstance(part, str) else match.group(part) or ""
        if not text:
            continue
        if lasting:
            text = upper(text) if lasting == "U" else lower(text)
        if once:
            text = (upper(text[0]) if once == "u" else lower(text[0])) + text[1:]
            once = ""
        size += len(text)
        if size > _MANY:
            check_length(size)
        result.append(text)
    return "".join(result)


def _from_nth(editor: Editor, command: Substitution, expand: Callable[[Match], str]) -> str | None:
    """Replace one match in the pattern space, or all from the Nth on; None without a match."""
    pattern, space = editor.use(command.pattern), editor.space
    pieces: list[str] = []
    position = 0
    for count, match in enumerate(pattern.finditer(space), 1):
        if count < command.number:
            editor.budget.tick()
            continue
        start, end = match.span()
        pieces += (space[position:start], expand(match))
        position = end
        if not command.everything:
            break
    if not pieces:
        return None
    return "".join(pieces) + space[position:]


def substitution(command: Substitution) -> Action:
    """Compile an ``s`` command to a closure."""
    expand = replacer(command.parts) if command.pattern is not None else _lenient(command.parts)
    number, everything = command.number, command.everything

    def substitute(editor: Editor) -> None:
        if command.pattern is None:
            _check_groups(editor, command.parts)
        if everything and number == 1:
            space, count = editor.use(command.pattern).replace(
                editor.space, filling(expand, command.parts, len(editor.space), editor.budget)
            )
            if not count:
                return
            editor.budget.tick(count)
        elif number == 1:
            match = editor.use(command.pattern).search(editor.space)
            if match is None:
                return
            before = editor.space
            space = before[: match.start()] + expand(match) + before[match.end() :]
        else:
            replaced = _from_nth(editor, command, bounded(expand, command.parts, len(editor.space), editor.budget))
            if replaced is None:
                return
            space = replaced
        editor.budget.string(len(space))
        editor.space = space
        editor.replaced = True
        if command.evaluate:
            editor.evaluate()
        if command.show:
            editor.show()
        if command.file:
            editor.outputs[command.file].line(editor.space, ended=editor.ended)

    return substitute

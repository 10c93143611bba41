"""Changes the names of members and extracted files (GNU tar manual, 6.7 Modifying File and Member Names)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.commands.archives.tar.errors import HINT, TarError
from bashkit.commands.patterns.sed.parser import parse as parse_script
from bashkit.commands.patterns.sed.reader import Piece
from bashkit.commands.patterns.sed.script import ScriptError
from bashkit.commands.patterns.sed.substitute import replacer

if TYPE_CHECKING:
    from bashkit.commands.patterns.sed.script import Substitution
    from bashkit.limits import Budget

_ALL = frozenset("rsh")
_FLAGS = re.compile(r"flags=([rRsShH]*)")


@dataclass(frozen=True, slots=True)
class Change:
    """One ``s/REGEXP/REPLACEMENT/``.

    Attributes:
        command: The command as parsed by sed.
        scope: The names that it changes: ``r`` members, ``s`` targets of symbolic links, ``h`` of hard links.
    """

    command: Substitution
    scope: frozenset[str]

    def apply(self, name: str, budget: Budget) -> str:
        """Return the changed name."""
        pattern, command = self.command.pattern, self.command
        if pattern is None:
            return name
        expand = replacer(command.parts)
        pieces: list[str] = []
        position = 0
        for count, match in enumerate(pattern.finditer(name), 1):
            budget.tick()
            if count < command.number:
                continue
            pieces += (name[position : match.start()], expand(match))
            position = match.end()
            if not command.everything:
                break
        result = "".join(pieces) + name[position:]
        budget.string(len(result))
        budget.tick(len(result) >> 8)
        return result


def parse(expression: str, scope: frozenset[str] = _ALL) -> list[Change]:
    """Parse the argument of ``--transform``: substitutions separated by ``;``, and ``flags=``.

    Raises:
        TarError: It is malformed.
    """
    changes: list[Change] = []
    position = 0
    while position < len(expression):
        found = _FLAGS.match(expression, position)
        if found is not None:
            scope, position = _scope(found[1], scope), found.end()
        else:
            change, position = _substitution(expression, position, scope)
            changes.append(change)
        if position < len(expression) and expression[position] != ";":
            raise TarError(f"Unknown flag in transform expression: {expression[position]}{HINT}", fatal=False)
        position += 1
    return changes


def _scope(letters: str, scope: frozenset[str]) -> frozenset[str]:
    for letter in letters:
        scope = scope | {letter} if letter.islower() else scope - {letter.lower()}
    return scope


def _substitution(text: str, start: int, scope: frozenset[str]) -> tuple[Change, int]:
    delimiter = text[start + 1 : start + 2]
    ends = [start + 1]
    while len(ends) < 3:
        end = ends[-1] + 1
        while end < len(text) and text[end] != delimiter:
            end += 2 if text[end] == "\\" else 1
        if text[start] != "s" or end >= len(text):
            raise TarError("Invalid transform expression" + HINT, fatal=False)
        ends.append(end)
    end = ends[-1] + 1
    letters = re.compile(r"[gixrRsShH0-9]*").match(text, end)
    assert letters is not None
    kept = re.sub(r"[xrRsShH]", "", letters[0])
    try:
        script = parse_script((Piece(text[start:end] + kept),), "extended" if "x" in letters[0] else "basic")
    except ScriptError as error:
        raise TarError(f"Invalid transform expression: {error.message.partition(': ')[2]}{HINT}", fatal=False) from None
    command = script.commands[0].substitution
    assert command is not None
    scope = _scope(re.sub(r"[^rRsShH]", "", letters[0]), scope)
    return Change(replace(command, by_line=None), scope), letters.end()


def changed(name: str, kind: str, changes: list[Change], budget: Budget) -> str:
    """Apply all changes for a kind of name: ``r``, ``s`` or ``h``."""
    for change in changes:
        if kind in change.scope:
            name = change.apply(name, budget)
    return name

"""Functions of awk's own as functions of the program, for calls by a name in a variable (gawk manual, Indirect Calls)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.syntax.signatures import BUILTINS
from bashkit.commands.patterns.awk.syntax.tree import Block, Builtin, Function, Leave, Name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.patterns.awk.syntax.tree import Call


def name_of(builtin: str, count: int) -> str:
    """The name of the function that calls ``builtin`` with ``count`` arguments; none of a program's own begins with a digit."""
    return f"{count}{builtin}"


def callable_builtins(calls: list[Call]) -> Iterator[Function]:
    """A function for each of awk's own and for each number of arguments that there are indirect calls with.

    Args:
        calls: All calls of the program.
    """
    lines = {len(call.arguments): call.line for call in calls if call.indirect}
    for count, line in lines.items():
        parameters = tuple(f"p{position}" for position in range(count))
        passed = tuple(map(Name, parameters))
        for builtin, (fewest, most) in BUILTINS.items():
            if fewest <= count <= most and not (builtin in ("sub", "gsub") and count > fewest):  # they change the record alone
                body = Block((Leave("return", Builtin(builtin, passed, line), line),))
                yield Function(name_of(builtin, count), parameters, body, line)

"""Declarations of references (bash(1), PARAMETERS)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.variables import EXPORT, INTEGER, NAMEREF, READONLY, TRACE, Variable
from bashkit.syntax import Parser

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_PLAIN_ELEMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[[\w .:/,+*%-]+\]", re.ASCII)
_PER_CHARACTER = 100  # bytes of what a subscript is read to


def is_element(shell: Shell, text: str) -> bool:
    """Whether a text is ``name[subscript]``: with something in the brackets, whose quotes are closed there."""
    if _PLAIN_ELEMENT.fullmatch(text):
        return True
    name, bracket, subscript = text.partition("[")
    if not NAME.fullmatch(name) or not bracket or subscript in {"", "]"}:
        return False
    shell.budget.room(_PER_CHARACTER * len(subscript))
    parser = Parser(bracket + subscript)
    parser.on_progress = shell.budget.tick
    try:
        parser.read_subscript()
    except ScriptSyntaxError:
        return False
    return parser.position == len(parser.text)


def _can_be_referred_to(shell: Shell, text: str) -> bool:
    """Whether a text names what a reference may refer to: a variable or an element."""
    return NAME.fullmatch(text) is not None or is_element(shell, text)


def assign_target(shell: Shell, target: str, value: str) -> None:
    """Assign what a builtin is given the name of: a variable, or an element, whose subscript is expanded."""
    name, bracket, subscript = target.partition("[")
    if not bracket:
        shell.assign(target, value)
        return
    shell.assign_element(name, shell.given_subscript(name, subscript[:-1]), value)


class RefusedError(ExpansionError):
    """A declaration that contradicts what the variable is; the others of the command go on."""


def is_target(shell: Shell, command: str, name: str, target: str) -> bool:
    """Whether ``declare -n name=target`` has a target that a reference may have; False when that was reported.

    Raises:
        RefusedError: The target is empty.
    """
    if not target:
        raise RefusedError("`': not a valid identifier")
    if target.partition("[")[0] == name:
        if not shell.scopes:
            shell.complain(command, f"{name}: nameref variable self references not allowed")
            return False
        shell.complain(command, f"warning: {name}: circular name reference")
    if not _can_be_referred_to(shell, target):
        shell.complain(command, f"`{target}': invalid variable name for name reference")
        return False
    return True


def make_nameref(shell: Shell, command: str, name: str, target: str | None, flags: int, *, append: bool) -> bool:
    """``declare -n name=target``, or ``+=``, or without a target, with attributes of its own; False when it was refused.

    Raises:
        ReadonlyError: The variable is readonly.
    """
    if target is not None and target.partition("[")[0] == name:
        shell.warn(f"warning: {name}: circular name reference")
    old = shell.variables.get(name)
    current = old if isinstance(old, str) else old.value if old is not None and isinstance(old.value, str) else None
    if target is None and current and not _can_be_referred_to(shell, current):
        shell.complain(command, f"`{current}': invalid variable name for name reference")
        return False
    if isinstance(old, Variable) and old.flags & READONLY:
        raise ReadonlyError(name)
    if target is not None and flags & INTEGER:  # a number is no name; bash says nothing
        shell.variables.pop(name, None)
        return False
    if append and current and target:
        target = current + target
    kept = old.flags & (EXPORT | TRACE) if isinstance(old, Variable) else 0
    text = target if target is not None else current
    shell.variables[name] = Variable(text and shell.convert(text, flags & ~INTEGER), NAMEREF | flags | kept)
    return True


def has_no_target(shell: Shell, name: str) -> bool:
    """Whether a name is a reference that refers to nothing yet."""
    variable = shell.variables.get(name)
    return isinstance(variable, Variable) and bool(variable.flags & NAMEREF) and variable.value is None


def last_reference(shell: Shell, name: str) -> str:
    """The reference that refers to what is none, at the end of a chain of them; ``name`` itself if it is no reference."""
    seen = {name}
    while True:
        variable = shell.variables.get(name)
        target = variable.value if isinstance(variable, Variable) and variable.flags & NAMEREF else None
        following = shell.variables.get(target) if isinstance(target, str) and target not in seen else None
        if not isinstance(following, Variable) or not following.flags & NAMEREF:
            return name
        name = str(target)
        seen.add(name)


def give_target(shell: Shell, command: str, name: str, target: str) -> bool:
    """``export name=target`` of a reference without a target."""
    if _can_be_referred_to(shell, target):
        shell.own(name).value = target
        if "[" in target and command in {"export", "readonly"}:  # undocumented: it refers to the element all the same
            shell.complain(command, f"`{target}': not a valid identifier")
        return True
    shell.complain(command, f"`{target}': not a valid identifier")
    if command in {"export", "readonly"}:
        shell.complain(command, "`': not a valid identifier")
    else:
        del shell.variables[name]  # as bash does
    return False

"""The list of all utilities and builtins with their options, for ``bashkit help`` and the reference in the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.builtins import declarations
from bashkit.commands import _python, command_names, find_command

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Command


def describe(name: str) -> dict[str, Any] | None:
    """Describe a command: name, kind, usage, summary and options; None if it does not exist.

    A name of both is that of the builtin, which the shell runs. ``options`` is None for a builtin, and for a utility that parses
    its words itself: its ``help`` names them.
    """
    builtin = declarations().get(name)
    found = (find_command(name) or _python.commands().get(name)) if builtin is None else None
    if found is not None:
        return {
            "name": name,
            "kind": "utility",
            "usage": f"{name} {found.usage}".rstrip(),
            "summary": found.summary,
            "options": _options(found),
            "help": found.help(),
        }
    if builtin is None:
        return None
    usage = f"{name} {builtin.usage}".rstrip()
    help_text = f"Usage: {usage}\n{builtin.summary}\n"
    return {"name": name, "kind": "builtin", "usage": usage, "summary": builtin.summary, "options": None, "help": help_text}


def names() -> list[str]:
    """The names of all utilities and builtins, sorted."""
    return sorted({*command_names(), *_python.commands(), *declarations()})


def _options(command: Command) -> list[dict[str, Any]] | None:
    if command.options is None:
        return None
    return [
        {"names": list(option.names), "argument": option.metavar or None, "optional": option.optional, "help": option.help}
        for option in command.options
    ]

"""Command names that a tool may take only with ``override``, and those that it may always take."""

from __future__ import annotations

INTROSPECTION = ("help", "discover")
RELIED_ON = frozenset(
    """
    awk bash cat cp cut date env find grep head jq ls mkdir mv rm sed seq sh sleep sort tail tee timeout touch tr uniq wc xargs
    """.split()
)  # utilities that a model's script uses around tools without checking that they still exist


def shell_commands() -> frozenset[str]:
    """The names of the utilities and of bash's builtins."""
    from bashkit import builtins, commands

    return frozenset(commands.command_names()) | builtins.NAMES


def needs_override(name: str) -> bool:
    """Whether a tool called ``name`` would hide a builtin, ``help``, ``discover`` or a utility that scripts rely on."""
    from bashkit import builtins

    return name in RELIED_ON or name in INTROSPECTION or name in builtins.NAMES


def hides_utility(name: str) -> bool:
    """Whether a tool called ``name`` hides a utility that it may always hide."""
    from bashkit import commands

    return name in commands.command_names() and not needs_override(name)

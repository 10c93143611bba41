"""What to say after "command not found"."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_LONGEST = 255  # characters of a name that somebody may have mistyped


def suggest(shell: Shell, name: str) -> list[str]:
    """Lines that name the commands the script's author may have meant; only this session's own commands are suggested."""
    known = shell.machine.own_commands
    if not known or len(name) > _LONGEST:
        return []
    close = get_close_matches(name, sorted(known), n=3, cutoff=0.6)
    if not close:
        return []
    return [f"{shell.script_name}: did you mean {' or '.join(f'`{word}`' for word in close)}?"]

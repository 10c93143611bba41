"""What to say after "command not found"."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from bashkit.limits import COMPARED, paced

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell

_LONGEST = 255  # characters of a name that somebody may have mistyped
_TYPO, _ALIKE = 0.8, 0.6  # similarity of names


def suggest(shell: Shell, name: str, find: Callable[[str], list[str]] | None = None) -> list[str]:
    """Lines that name the commands the script's author may have meant; only this session's own commands are suggested.

    Args:
        shell: The shell that has not found the command.
        name: What it has not found.
        find: Gives the commands that are about the words in a name; asked unless the name is a typo.
    """
    known = sorted(shell.machine.own_commands)
    if not known or len(name) > _LONGEST:
        return []
    close = get_close_matches(name, paced(known, COMPARED), n=3, cutoff=_TYPO)
    if not close and find is not None:
        close = shell.machine.system.call(lambda: find(name))
    close = close or get_close_matches(name, paced(known, COMPARED), n=3, cutoff=_ALIKE)
    if not close:
        return []
    return [f"{shell.script_name}: did you mean {' or '.join(f'`{word}`' for word in close)}?"]

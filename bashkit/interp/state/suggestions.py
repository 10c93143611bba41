"""What to say after "command not found"."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import takewhile
from typing import TYPE_CHECKING

from bashkit.limits import COMPARED, paced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.interp.state.shell import Shell

_LONGEST = 255  # characters of a name that somebody may have mistyped
_TYPO, _ALIKE = 0.8, 0.6  # similarity of names
_SUBCOMMAND = re.compile(r"[A-Za-z][\w-]{0,39}")
_MOST_WORDS = 3  # of a name that is written as command and subcommands


def suggest(shell: Shell, words: Sequence[str], find: Callable[[str], list[str]] | None = None) -> list[str]:
    """Lines that name the commands the script's author may have meant; only this session's own commands are suggested.

    Args:
        shell: The shell that has not found the command.
        words: What it has not found, and its arguments: ``issues list`` may mean ``issues_list``.
        find: Gives the commands that are about the words in a name; asked unless the name is a typo.
    """
    name = words[0]
    known = sorted(shell.machine.own_commands)
    if not known or len(name) > _LONGEST:
        return []
    spellings = _spellings(words)
    alike = (get_close_matches(one, paced(known, COMPARED), n=3, cutoff=_TYPO) for one in spellings)
    close = next(filter(None, alike), [])
    if not close and find is not None:
        close = shell.machine.system.call(lambda: next(filter(None, map(find, spellings)), []))
    close = close or get_close_matches(name, paced(known, COMPARED), n=3, cutoff=_ALIKE)
    if not close:
        return []
    return [f"{shell.script_name}: did you mean {' or '.join(f'`{word}`' for word in close)}?"]


def _spellings(words: Sequence[str]) -> list[str]:
    """The name alone, after the names that it would have with its subcommands, the longest first."""
    parts = [words[0], *takewhile(_SUBCOMMAND.fullmatch, words[1:_MOST_WORDS])]
    return ["_".join(parts[:count]) for count in range(len(parts), 0, -1)]

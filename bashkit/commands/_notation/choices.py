"""Parses option arguments that are one of a few words or an unambiguous abbreviation (GNU coreutils manual, Common options)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


def choose(option: str, word: str, choices: tuple[tuple[str, ...], ...], *, exact: bool = False) -> str:
    """Find the choice that ``word`` names; return its first spelling.

    Args:
        option: The option, for the message.
        word: Its argument.
        choices: Each choice with all its spellings.
        exact: Refuse abbreviations.

    Raises:
        UsageError: It matches no choice, or several.
    """
    for spellings in choices:
        if word in spellings:
            return spellings[0]
    found = [] if exact else [spellings for spellings in choices if any(spelling.startswith(word) for spelling in spellings)]
    if len(found) == 1:
        return found[0][0]
    problem = "ambiguous" if found else "invalid"
    listed = "\n".join("  - " + ", ".join(mention(spelling) for spelling in spellings) for spellings in choices)
    raise UsageError(f"{problem} argument {mention(word)} for {mention(option)}\nValid arguments are:\n{listed}", status=1)


def among(option: str, choices: tuple[tuple[str, ...], ...]) -> Callable[[str], str]:
    """A check of an option's argument, see ``choose``."""
    return lambda word: choose(option, word, choices)

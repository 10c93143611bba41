"""Quoting values so that the shell reads them back (bash(1): ``printf %q``, ``${x@Q}``, ``declare -p``).

The functions whose texts may be long take a budget, which is asked between the pieces of such a text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.interp.runtime.pieces import has_any, in_pieces
from bashkit.syntax.escapes import ANSI_C, CONTROL

if TYPE_CHECKING:
    from bashkit.limits import Budget

_SPECIAL = re.compile(r"[ \t\n'\"\\|&;()<>!{}*\[\]?^$`]|(?<=[:=])~")  # what the shell would read differently
_IN_DOUBLE_QUOTES = str.maketrans({character: "\\" + character for character in '\\"$`'})
_IN_SUBSCRIPT = str.maketrans({character: "\\" + character for character in "\"$'[\\]`~"})
_BACKSLASHES = str.maketrans({"\0": "\\"} | {character: "\\" + character for character in " '\"\\|&;()<>!{}*[]?^$`,"})


def ansi_c_quote(text: str, budget: Budget | None = None) -> str:
    """``$'…'``"""
    return "$'" + in_pieces(lambda piece: piece.translate(ANSI_C), text, budget) + "'"


def plain_quote(text: str, budget: Budget | None = None) -> str:
    """``'…'`` whatever is inside (``trap``, ``alias``); a single quote alone gets a backslash, as in bash."""
    if text == "'":
        return "\\'"
    return "'" + in_pieces(lambda piece: piece.replace("'", "'\\''"), text, budget) + "'"


def single_quote(text: str, budget: Budget | None = None) -> str:
    """``'…'``, or ``$'…'`` where control characters need it (``${x@Q}``)."""
    if has_any(CONTROL, text, budget):
        return ansi_c_quote(text, budget)
    return plain_quote(text, budget)


def is_special(text: str, budget: Budget | None = None) -> bool:
    """Whether the shell would read a text differently without quotes."""
    return not text or text[0] in "~#" or has_any(_SPECIAL, text, budget)


def quote_if_needed(text: str, budget: Budget | None = None) -> str:
    """As ``set`` and ``alias`` print values: quoted only where the shell would read it differently."""
    return single_quote(text, budget) if is_special(text, budget) or has_any(CONTROL, text, budget) else text


def backslash_quote(text: str, budget: Budget | None = None) -> str:
    """As ``printf %q``: backslashes before what is special."""
    if not text:
        return "''"
    if has_any(CONTROL, text, budget):
        return ansi_c_quote(text, budget)
    text = text.replace(":~", ":\0~").replace("=~", "=\0~")  # a NUL, which no other place has, becomes a backslash
    first = "\\" if text[0] in "~#" else ""
    return first + in_pieces(lambda piece: piece.translate(_BACKSLASHES), text, budget)


def subscript_quote(text: str, budget: Budget | None = None) -> str:
    """As a subscript in an expression that is evaluated later: backslashes before what would end it or be expanded."""
    first = "\\" if text.startswith("#") else ""
    return first + in_pieces(lambda piece: piece.translate(_IN_SUBSCRIPT), text, budget)


def double_quote(text: str, budget: Budget | None = None) -> str:
    """As ``declare -p`` prints values."""
    if has_any(CONTROL, text, budget):
        return ansi_c_quote(text, budget)
    return '"' + in_pieces(lambda piece: piece.translate(_IN_DOUBLE_QUOTES), text, budget) + '"'


def key_quote(text: str, budget: Budget | None = None) -> str:
    """As ``declare -p`` prints the keys of an associative array."""
    if text not in {"@", "*"} and not is_special(text, budget) and not has_any(CONTROL, text, budget):
        return text
    return double_quote(text, budget)

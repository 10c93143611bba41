"""Names that every provider of models takes for a tool."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 64  # characters; the least that a provider allows (OpenAI)
_LEGAL = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{LONGEST - 1}}}")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]")


def legal_names(names: Iterable[str]) -> list[str]:
    """A legal name for each name, all different; a legal name stays as it is.

    The first character is a letter or underscore (Gemini), the others are letters, digits, underscores and hyphens (OpenAI and
    Anthropic: ``^[a-zA-Z0-9_-]{1,64}$``). What came first keeps its name when two would be the same.
    """
    names = list(names)
    taken: set[str] = {name for name in names if _LEGAL.fullmatch(name)}
    used: set[str] = set()
    found = []
    for name in names:
        chosen = name if name in taken and name not in used else _other(name, taken | used)
        used.add(chosen)
        found.append(chosen)
    return found


def _other(name: str, taken: set[str]) -> str:
    """A legal name like ``name`` that is not taken."""
    base = _ILLEGAL.sub("_", name)
    base = base if _LEGAL.match(base) else f"_{base}"
    candidate, number = base[:LONGEST], 1
    while candidate in taken:
        number += 1
        end = f"_{number}"
        candidate = base[: LONGEST - len(end)] + end
    return candidate

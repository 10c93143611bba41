"""The braces of rg's globs, which stand for several globs (ripgrep's manual, --glob)."""

from __future__ import annotations

import re

from bashkit.commands.patterns.rg.expressions import PatternError
from bashkit.limits import ask

_MOST_ALTERNATIVES = 1000
_LONGEST = 4096  # characters of a glob
_BRACES = re.compile(r"(?<!\\)\{([^{}]*+)(?<!\\)\}")


def alternatives(glob: str) -> list[str]:
    """Expand ``{a,b}`` in a glob to several globs, at most ``_MOST_ALTERNATIVES``.

    Raises:
        PatternError: The glob is too long.
    """
    if len(glob) > _LONGEST:
        raise PatternError("error parsing glob: it is too long\n")
    found: list[str] = []
    pending = [glob]
    while pending and len(found) < _MOST_ALTERNATIVES:
        text = pending.pop()
        ask(1 + (len(text) >> 6))
        braces = _BRACES.search(text)
        if braces is None:
            found.append(text)
            continue
        before, after = text[: braces.start()], text[braces.end() :]
        pending += [before + part + after for part in reversed(braces[1].split(",")[:_MOST_ALTERNATIVES])]
    return found

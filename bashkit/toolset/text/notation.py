"""The notations of toolset files for durations (``30s``) and variables (``${VAR:-default}``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.limits import LONGEST

if TYPE_CHECKING:
    from collections.abc import Mapping

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}
_VARIABLE = re.compile(r"\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|(\{[^}]*\}?))")


def duration(value: float | str) -> float:
    """Return the seconds of a duration, which is a number or text with a unit.

    Raises:
        ValueError: It is malformed, not positive, or longer than any limit can be.
    """
    if isinstance(value, str):
        match = _DURATION.fullmatch(value)
        if not match:
            raise ValueError(f"{value!r} is not a duration: write 500ms, 30s, 2m or 1h")
        value = float(match[1]) * _SECONDS[match[2]]
    if not value > 0:
        raise ValueError("a duration is more than 0")
    if value > LONGEST:
        raise ValueError(f"a duration is at most {LONGEST:.0f} seconds")
    return float(value)


def substitute(text: str, environ: Mapping[str, str]) -> str:
    """Replace ``${VAR}`` and ``${VAR:-default}`` in ``text``; ``$$`` is a dollar sign.

    Raises:
        LookupError: A variable is not set and has no default.
        ValueError: The text in braces is not a variable.
    """

    def replace(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        if match[3] is not None:
            raise ValueError(f"${match[3]} is not a variable: write ${{NAME}} or ${{NAME:-default}}, and $$ for a dollar sign")
        value = environ.get(match[1], "")
        if value or (match[2] is None and match[1] in environ):
            return value
        if match[2] is None:
            raise LookupError(f"the variable {match[1]} is not set and has no default")
        return match[2]

    return _VARIABLE.sub(replace, text)


def variables_of(text: str) -> frozenset[str]:
    """The names of the variables in a text."""
    return frozenset(match[1] for match in _VARIABLE.finditer(text) if match[1])

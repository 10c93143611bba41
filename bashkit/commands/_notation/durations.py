"""Parses durations on command lines: a number with an optional suffix ``s``, ``m``, ``h`` or ``d``."""

from __future__ import annotations

import math
import re

_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST = 4096  # characters of one
_DURATION = re.compile(
    r"\s*(\+?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[-+]?\d+)?|inf(?:inity)?))([smhd]?)",
    re.ASCII | re.IGNORECASE,
)


def seconds(text: str) -> float:
    """Parse ``text`` as seconds; ``inf`` is infinity.

    Raises:
        ValueError: It is not a duration.
    """
    match = _DURATION.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise ValueError(text)
    number = match[1].lower().lstrip("+")
    try:
        value = float.fromhex(number) if number.startswith("0x") else float(number)
    except OverflowError:
        value = math.inf
    return value * _SECONDS[match[2].lower()]

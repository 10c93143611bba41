"""Time zones of the variable TZ (POSIX XBD 8.3): no file but those of the host's zone database is ever opened for them."""

from __future__ import annotations

import re
from datetime import UTC, tzinfo
from functools import lru_cache
from io import BytesIO
from zoneinfo import ZoneInfo

# Names in lower case are no zones: "localtime" is the host's own, and "posix" and "right" are copies of the database.
_NAME = re.compile(r"[A-Z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")
_ABBREVIATION = r"(?:[A-Za-z]{3,10}|<[A-Za-z0-9+-]{3,10}>)"
_OFFSET = r"[-+]?(?:[01]?[0-9]|2[0-2])(?::[0-5][0-9]){0,2}"  # with an hour for summer, less than the day that datetime allows
_RULE = r"(?:M[0-9]{1,2}\.[1-5]\.[0-6]|J?[0-9]{1,3})(?:/[-+]?[0-9]{1,3}(?::[0-9]{2}){0,2})?"
_POSIX = re.compile(f"{_ABBREVIATION}{_OFFSET}(?P<summer>{_ABBREVIATION}(?:{_OFFSET})?(?P<rules>,{_RULE},{_RULE})?)?")
_NO_OFFSET = re.compile(r"[A-Za-z]{3,10}(?![A-Za-z0-9+-])")
_LONGEST = 256  # characters of a name or a rule
_USUAL_RULES = ",M3.2.0,M11.1.0"  # where none are given, as in the C library: those of the United States
# A zone file (RFC 8536) of version 2 with one type, UTC, and no transitions: the text at its end says everything.
_HEADER = b"TZif2" + bytes(15) + b"".join(count.to_bytes(4, "big") for count in (0, 0, 0, 0, 1, 4))
_FILE = (_HEADER + bytes(6) + b"UTC\0") * 2 + b"\n%s\n"


def zone(text: str) -> tzinfo:
    """The zone for a value of TZ: a name of the database, or a POSIX rule; for anything else UTC, called as its letters say.

    A zone that is not UTC is a ``ZoneInfo``, and its ``key`` is a value of TZ for it that the C library may be given.
    """
    return _zone(text) if len(text) <= _LONGEST else UTC


@lru_cache(maxsize=64)
def _zone(text: str) -> tzinfo:
    text = text.removeprefix(":")
    if text in {"", "UTC", "UTC0"}:
        return UTC
    try:
        if _NAME.fullmatch(text):
            return ZoneInfo(text)
    except (ValueError, OSError, KeyError):
        pass  # there is no zone of that name
    rule = _POSIX.fullmatch(text)
    if rule is not None:
        full = text + (_USUAL_RULES if rule["summer"] and not rule["rules"] else "")
    elif letters := _NO_OFFSET.match(text):
        full = letters[0] + "0"
    else:
        return UTC
    try:
        return ZoneInfo.from_file(BytesIO(_FILE % full.encode()), key=full)
    except (ValueError, OverflowError):
        return UTC

"""User and group names of the virtual machine, as its /etc/passwd and /etc/group have them: root, the one user, and nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped, is_count

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

USER_ID = 1000
NOBODY = 65534
KNOWN = frozenset({0, USER_ID, NOBODY})
_BEYOND = (1 << 32) - 1  # the identifiers that there can be; this one would mean none


def name_of(process: Process, number: int, *, group: bool = False) -> str:
    """The user or group name for an identifier; the digits for an unknown one."""
    if number == NOBODY:
        return "nogroup" if group else "nobody"
    if number == 0:
        return "root"
    return process.system.username if number == USER_ID else str(number)


def number_of(process: Process, name: str, *, group: bool = False) -> int | None:
    """The identifier for a user or group name, or for digits; None for an unknown name."""
    if name == ("nogroup" if group else "nobody"):
        return NOBODY
    if name == process.system.username:
        return USER_ID
    if name == "root":
        return 0
    number = clamped(name) if is_count(name) else _BEYOND
    return number if number < _BEYOND else None

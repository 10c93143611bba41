"""chown: change file owner and group (POSIX XCU chown)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import number_of
from bashkit.commands._notation.quoting import mention
from bashkit.commands.permissions._ownership import OPTIONS, Change, change_all
from bashkit.interp.utility.command import Arguments, UsageError, command, value
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "chown",
    usage="[OPTION]... [OWNER][:[GROUP]] FILE...",
    summary="Change the owner and/or group of each FILE to OWNER and/or GROUP.",
    options=(*OPTIONS, value("--from", metavar="OWNER:GROUP", help="change only files that have this owner and group")),
)
def main(process: Process, arguments: Arguments) -> int:
    """Change each file; 1 when one could not be."""
    return change_all(process, arguments, _read)


def _read(process: Process, text: str) -> Change:
    """Parse an operand ``OWNER[:[GROUP]]``; the old ``OWNER.GROUP`` is understood where it means something, with a warning."""
    try:
        return _parts(process, text, ":")
    except UsageError:
        if ":" in text or "." not in text:
            raise
        try:
            change = _parts(process, text, ".")
        except UsageError:
            change = None
        if change is None:
            raise
    process.warn(f"warning: '.' should be ':': {mention(text)}")
    return change


def _parts(process: Process, text: str, separator: str) -> Change:
    """The owner and the group that a separator parts; a separator behind an owner means the owner's own group."""
    owner, parted, group = text.partition(separator)
    uid = gid = -1
    if owner:
        found = number_of(process, owner)
        if text == owner + separator and (found is None or is_digits(owner)):  # nobody of that name, who would have a group
            raise UsageError(f"invalid spec: {mention(text)}", hint=False)
        if found is None:
            raise UsageError(f"invalid user: {mention(text)}", hint=False)
        uid = found
    if group:
        found = number_of(process, group, group=True)
        if found is None:
            raise UsageError(f"invalid group: {mention(text)}", hint=False)
        gid = found
    elif parted and owner:
        gid = uid
    return Change(uid, gid)

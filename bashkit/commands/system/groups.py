"""groups: print the groups a user is in (GNU coreutils manual, groups)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import KNOWN, USER_ID, name_of, number_of
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("groups", usage="[USERNAME]...", summary="Print group memberships for each USERNAME, or for the current user.")
def main(process: Process, arguments: Arguments) -> int:
    """Print for each user; 1 when one is unknown."""
    if not arguments.operands:
        process.write(name_of(process, USER_ID) + "\n")
    status = 0
    for user in arguments.operands:
        number = number_of(process, user)
        if number not in KNOWN:
            process.warn(f"{mention(user)}: no such user")
            status = 1
        else:
            process.write(f"{user} : {name_of(process, number or 0, group=True)}\n")
    return status

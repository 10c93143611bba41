"""id: print user and group IDs (POSIX XCU id)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import KNOWN, USER_ID, name_of, number_of
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "id",
    usage="[OPTION]... [USER]...",
    summary="Print user and group information for each specified USER, or for the current user.",
    options=(
        flag("-a", help="ignore, for compatibility with other versions"),
        flag("-g", "--group", help="print only the effective group ID"),
        flag("-G", "--groups", help="print all group IDs"),
        flag("-n", "--name", help="print a name instead of a number, for -ugG"),
        flag("-r", "--real", help="print the real ID instead of the effective ID, with -ugG"),
        flag("-u", "--user", help="print only the effective user ID"),
        flag("-Z", "--context", help="print only the security context; there is none here"),
        flag("-z", "--zero", help="delimit entries with NUL characters, not whitespace"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print for each user; 1 when one is unknown."""
    if "Z" in arguments:
        raise UsageError("--context (-Z) works only on an SELinux-enabled kernel", hint=False)
    chosen = [key for key in ("u", "g", "G") if key in arguments]
    if len(chosen) > 1:
        raise UsageError('cannot print "only" of more than one choice', hint=False)
    if not chosen:
        if "n" in arguments or "r" in arguments:
            raise UsageError("cannot print only names or real IDs in default format", hint=False)
        if "z" in arguments:
            raise UsageError("option --zero not permitted in default format", hint=False)
    end = "\0" if "z" in arguments else "\n"
    status = 0
    users: list[str | None] = [*arguments.operands] or [None]
    for user in users:
        number = USER_ID if user is None else number_of(process, user)
        if number not in KNOWN:
            process.warn(f"{mention(user or '')}: no such user")
            status = 1
            continue
        assert number is not None
        name, group = name_of(process, number), name_of(process, number, group=True)
        if chosen:
            process.write(((name if chosen == ["u"] else group) if "n" in arguments else str(number)) + end)
        else:
            process.write(f"uid={number}({name}) gid={number}({group}) groups={number}({group})\n")
    return status

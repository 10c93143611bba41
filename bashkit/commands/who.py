"""who: who is logged in (POSIX XCU who); nobody is, because there is no terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "who",
    usage="[OPTION]... [ FILE | ARG1 ARG2 ]",
    summary="Print information about users who are currently logged in.",
    options=(
        flag("-a", "--all", help="same as -b -d --login -p -r -t -T -u"),
        flag("-b", "--boot", help="time of last system boot"),
        flag("-d", "--dead", help="print dead processes"),
        flag("-H", "--heading", help="print line of column headings"),
        flag("--ips", help="print ips instead of hostnames"),
        flag("-l", "--login", help="print system login processes"),
        flag("--lookup", help="attempt to canonicalize hostnames via DNS"),
        flag("-m", help="only hostname and user associated with stdin"),
        flag("-p", "--process", help="print active processes spawned by init"),
        flag("-q", "--count", help="all login names and number of users logged on"),
        flag("-r", "--runlevel", help="print current runlevel"),
        flag("-s", "--short", help="print only name, line, and time (default)"),
        flag("-t", "--time", help="print last system clock change"),
        flag("-T", "-w", "--mesg", "--message", "--writable", help="add user's message status as +, - or ?"),
        flag("-u", "--users", help="list users logged in"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print what was asked for about nobody."""
    if len(arguments.operands) > 2:
        raise UsageError(f"extra operand {mention(arguments.operands[2])}")
    if "q" in arguments:
        process.write("\n# users=0\n")
    elif "H" in arguments:
        process.write("NAME     LINE         TIME             COMMENT\n")
    return 0

"""hostname: print the name of the virtual machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "hostname",
    usage="[OPTION]...",
    summary="Print the system's host name.",
    options=(
        flag("-a", "--alias", help="alias names"),
        flag("-A", "--all-fqdns", help="all long host names"),
        flag("-b", "--boot", help="set a default name; not permitted"),
        flag("-d", "--domain", help="DNS domain name"),
        flag("-f", "--fqdn", "--long", help="long host name"),
        value("-F", "--file", metavar="FILE", help="set the name to what is in FILE; not permitted"),
        flag("-i", "--ip-address", help="addresses for the host name"),
        flag("-I", "--all-ip-addresses", help="all addresses for the host"),
        flag("-s", "--short", help="short host name"),
        flag("-y", "--yp", "--nis", help="NIS domain name"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="hostname 3.23",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print what is asked for; setting the name is not permitted."""
    file = arguments.get("F")
    if file is not None:
        process.open(file)
    if arguments.operands or file is not None or "b" in arguments:
        raise UsageError("you must be root to change the host name", hint=False)
    if arguments.last("a", "A", "d", "f", "i", "I", "s", "y") == "y":
        raise UsageError("Local domain name not set", hint=False)
    name = process.system.hostname
    shown = {"s": name.partition(".")[0], "d": name.partition(".")[2], "a": "", "A": "", "i": "127.0.0.1", "I": "127.0.0.1 "}
    asked = arguments.last("a", "A", "d", "f", "i", "I", "s") or ""
    if asked != "d" or shown["d"]:
        process.write(shown.get(asked, name) + "\n")
    return 0

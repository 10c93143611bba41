"""hostname: print the name of the virtual machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.process import Process


@command(
    "hostname",
    usage="[OPTION]...",
    summary="Print the system's host name.",
    options=(
        flag("-a", "--alias", help="alias names"),
        flag("-d", "--domain", help="DNS domain name"),
        flag("-f", "--fqdn", "--long", help="long host name"),
        flag("-i", "--ip-address", help="addresses for the host name"),
        flag("-I", "--all-ip-addresses", help="all addresses for the host"),
        flag("-s", "--short", help="short host name"),
    ),
    model="hostname 3.23",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print what is asked for; setting the name is not permitted."""
    if arguments.operands:
        raise UsageError("you must be root to change the host name", hint=False)
    name = process.system.hostname
    shown = {"s": name.partition(".")[0], "d": name.partition(".")[2], "a": "", "i": "127.0.0.1", "I": "127.0.0.1 "}
    process.write(shown.get(arguments.last("a", "d", "f", "i", "I", "s") or "", name) + "\n")
    return 0

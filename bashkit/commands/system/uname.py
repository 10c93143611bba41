"""uname: print system information (POSIX XCU uname)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.commands.system import _machine
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "uname",
    usage="[OPTION]...",
    summary="Print certain system information.  With no OPTION, same as -s.",
    options=(
        flag("-a", "--all", help="print all information, in the following order, except omit -p and -i if unknown"),
        flag("-s", "--kernel-name", help="print the kernel name"),
        flag("-n", "--nodename", help="print the network node hostname"),
        flag("-r", "--kernel-release", help="print the kernel release"),
        flag("-v", "--kernel-version", help="print the kernel version"),
        flag("-m", "--machine", help="print the machine hardware name"),
        flag("-p", "--processor", help="print the processor type"),
        flag("-i", "--hardware-platform", help="print the hardware platform"),
        flag("-o", "--operating-system", help="print the operating system"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print what is asked for, in a fixed order."""
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}")
    fields = {
        "s": _machine.KERNEL,
        "n": process.system.hostname,
        "r": _machine.RELEASE,
        "v": _machine.VERSION,
        "m": _machine.MACHINE,
        "p": "unknown",
        "i": "unknown",
        "o": _machine.OPERATING_SYSTEM,
    }
    everything = "a" in arguments
    shown = [text for key, text in fields.items() if key in arguments or (everything and text != "unknown")]
    process.write(" ".join(shown or [_machine.KERNEL]) + "\n")
    return 0

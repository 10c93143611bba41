"""clear: clear the terminal screen (clear(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.system._terminals import clearing, is_known
from bashkit.interp.utility.command import Arguments, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "clear",
    usage="[OPTION]...",
    summary="Clear the terminal screen.",
    options=(
        value("-T", metavar="TERM", help="use this instead of $TERM"),
        version_flag("-V"),
        flag("-x", help="do not try to clear scrollback"),
    ),
    model="ncurses 6.4",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the sequence that clears the screen; 1 where there is none."""
    terminal = arguments.get("T") or process.env.get("TERM")
    if not terminal:
        process.say("TERM environment variable not set.\n")
        return 1
    if not is_known(terminal):
        process.say(f"'{terminal}': unknown terminal type.\n")
        return 1
    sequence = clearing(terminal, scrollback="x" not in arguments)
    process.write(sequence)
    return 0 if sequence else 1

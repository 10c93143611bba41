"""clear: clear the terminal screen (clear(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Write the sequence that clears the screen."""
    if not (arguments.get("T") or process.env.get("TERM")):
        process.say("TERM environment variable not set.\n")
        return 1
    process.write("\x1b[H\x1b[2J" + ("" if "x" in arguments else "\x1b[3J"))
    return 0

"""sponge: take in all of standard input, then write it to a file, which may be one that was read (moreutils manual, sponge)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "sponge",
    usage="[-a] [FILE]",
    summary="Soak up all input from standard input and write it to FILE.",
    options=(flag("-a", help="append to FILE"),),
    model="moreutils 0.67",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the input once it has ended; without a file to standard output."""
    data = slurp(process, process.stdin)
    if not arguments.operands:
        process.stdout.write(data)
        return 0
    try:
        output = process.create(arguments.operands[0], append="a" in arguments)
    except OSError as error:
        process.say(f"error opening output file: {error.strerror}\n")
        return 1
    output.write(data)
    process.close(output)
    return 0

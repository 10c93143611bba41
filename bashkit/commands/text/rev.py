"""rev: lines with their characters in reverse order (util-linux rev(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.interp.utility.command import Arguments, command, flag, help_flag, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "rev",
    usage="[OPTION]... [FILE]...",
    summary="Reverse lines characterwise.",
    options=(flag("-0", "--zero", help="line delimiter is NUL, not newline"), help_flag("-h"), version_flag("-V")),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Reverse the characters of every line."""
    end = "\0" if "0" in arguments else "\n"
    inputs = Inputs(process, arguments.operands, "cannot open {bare}: {error}", "{bare}: 0: {error}", "stdin", dash=False)
    for _, stream in inputs:
        for block in line_blocks(stream.blocks(), process.budget, end.encode()):
            text = block.decode("utf-8", "surrogateescape")
            lines = text.split(end)
            process.budget.tick(len(lines))
            process.write(end.join([line[::-1] for line in lines]))
    return int(inputs.failed)

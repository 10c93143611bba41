"""ts: put the time before each line of input (moreutils manual, ts)."""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from datetime import tzinfo

    from bashkit.interp.utility.process import Process

_ABSOLUTE, _ELAPSED = "%b %d %H:%M:%S", "%H:%M:%S"
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_WITH_FRACTION = re.compile(r"%%|%\.([sST])")
_FRACTIONS = {"s": "%s.%6N", "S": "%S.%6N", "T": "%H:%M:%S.%6N"}


@command(
    "ts",
    usage="[-i | -s] [-m] [FORMAT]",
    summary="Add a timestamp to the beginning of each line of input; FORMAT is that of strftime(3), and %.S, %.s and %.T.",
    options=(
        flag("-i", help="the time since the last line"),
        flag("-s", help="the time since the start"),
        flag("-r", help="(refused: times in the input are not converted here)"),
        flag("-m", help="(ignored: the clock of the sandbox never goes back)"),
    ),
    usage_status=255,
    model="moreutils 0.67",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write each line behind the time at which it came."""
    if "r" in arguments:
        raise UsageError("-r: times in the input are not converted here; `date -d` converts one", hint=False)
    relative = "i" in arguments or "s" in arguments
    form = arguments.operands[0] if arguments.operands else _ELAPSED if relative else _ABSOLUTE
    form = _WITH_FRACTION.sub(lambda found: _FRACTIONS[found[1]] if found[1] else found[0], form)
    zone: tzinfo = UTC if relative else process.system.timezone(process.env.get("TZ", ""))
    last = process.system.now() if relative else 0.0
    inputs = Inputs(process, arguments.operands[1:], message="Can't open {bare}: {error}")
    for _, stream in inputs:
        for block in line_blocks(stream.blocks(), process.budget):
            now = process.system.now()
            for line in _LINE.findall(block):
                stamp = strftime(form, Moment.of(now - last, zone), process.budget)
                process.stdout.write(encode(stamp) + b" " + line)
                last = now if "i" in arguments else last
    return 0  # also where a file could not be read: it is Perl that says so, and goes on

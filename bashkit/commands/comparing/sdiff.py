"""sdiff: show two files side by side (GNU diffutils manual, Invoking sdiff); merging by hand (``-o``) needs a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_OF_DIFF = {
    "s": "--suppress-common-lines",
    "l": "--left-column",
    "W": "--ignore-all-space",
    "w": "--width",
    "H": "--speed-large-files",
}


@command(
    "sdiff",
    usage="[OPTION]... FILE1 FILE2",
    summary="Show the differences between FILE1 and FILE2 side by side.",
    options=(
        flag("-i", "--ignore-case", help="consider upper- and lower-case to be the same"),
        flag("-E", "--ignore-tab-expansion", help="ignore changes due to tab expansion"),
        flag("-Z", "--ignore-trailing-space", help="ignore white space at line end"),
        flag("-b", "--ignore-space-change", help="ignore changes in the amount of white space"),
        flag("-W", "--ignore-all-space", help="ignore all white space"),
        flag("-B", "--ignore-blank-lines", help="ignore changes whose lines are all blank"),
        value("-I", "--ignore-matching-lines", metavar="RE", help="ignore changes all whose lines match RE"),
        flag("--strip-trailing-cr", help="strip trailing carriage return on input"),
        flag("-a", "--text", help="treat all files as text"),
        value("-w", "--width", metavar="NUM", help="output at most NUM (default 130) print columns"),
        flag("-l", "--left-column", help="output only the left column of common lines"),
        flag("-s", "--suppress-common-lines", help="do not output common lines"),
        flag("-t", "--expand-tabs", help="expand tabs to spaces in output"),
        value("--tabsize", metavar="NUM", help="tab stops at every NUM (default 8) print columns"),
        flag("-d", "--minimal", help="try hard to find a smaller set of changes"),
        flag("-H", "--speed-large-files", help="(ignored: it only tunes the search)"),
        version_flag("-v"),
    ),
    usage_status=2,
    model="GNU diffutils 3.8",
)
def main(process: Process, arguments: Arguments) -> int:
    """Let diff show both files; its status."""
    operands = arguments.operands
    if len(operands) < 2:
        raise UsageError(f"missing operand after '{operands[0] if operands else process.name}'")
    if len(operands) > 2:
        raise UsageError(f"extra operand '{operands[2]}'")
    options: list[str] = []
    for key, argument in arguments.given:
        options.append(_OF_DIFF.get(key) or (f"-{key}" if len(key) == 1 else f"--{key}"))
        if argument is not None:
            options.append(argument)
    return process.launcher.run(["diff", "--side-by-side", *options, "--", *operands])

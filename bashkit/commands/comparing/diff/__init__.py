"""diff: compare files line by line (POSIX XCU diff; GNU diffutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.comparing.diff.compare import Comparer
from bashkit.commands.comparing.diff.settings import number_of, settings_for
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


def _check_horizon(text: str) -> None:
    number_of(text, "horizon length")


@command(
    "diff",
    usage="[OPTION]... FILES",
    summary="Compare FILES line by line.",
    options=(
        flag("--normal", help="output a normal diff (the default)"),
        flag("-q", "--brief", help="report only when files differ"),
        flag("-s", "--report-identical-files", help="report when two files are the same"),
        flag("-c", help="output 3 lines of copied context"),
        value("-C", metavar="NUM", help="output NUM lines of copied context"),
        value("--context", metavar="NUM", optional=True, help="output NUM (default 3) lines of copied context"),
        flag("-u", help="output 3 lines of unified context"),
        value("-U", metavar="NUM", help="output NUM lines of unified context"),
        value("--unified", metavar="NUM", optional=True, help="output NUM (default 3) lines of unified context"),
        *(flag(f"-{digit}", help="a digit of NUM, the obsolete way") for digit in "0123456789"),
        flag("-e", "--ed", help="output an ed script"),
        flag("-f", "--forward-ed", help="output something like an ed script, in forward order"),
        flag("-n", "--rcs", help="output an RCS format diff"),
        flag("-y", "--side-by-side", help="output in two columns"),
        value("-W", "--width", metavar="NUM", help="output at most NUM (default 130) print columns"),
        flag("--left-column", help="output only the left column of common lines"),
        flag("--suppress-common-lines", help="do not output common lines"),
        flag("-p", "--show-c-function", help="show which C function each change is in"),
        value("-F", "--show-function-line", metavar="RE", help="show the most recent line matching RE"),
        value("--label", "-L", metavar="LABEL", help="use LABEL instead of file name and timestamp (can be repeated)"),
        flag("-t", "--expand-tabs", help="expand tabs to spaces in output"),
        flag("-T", "--initial-tab", help="make tabs line up by prepending a tab"),
        flag("-r", "--recursive", help="recursively compare any subdirectories found"),
        flag("--no-dereference", help="don't follow symbolic links"),
        flag("-N", "--new-file", help="treat absent files as empty"),
        flag("--unidirectional-new-file", "-P", help="treat absent first files as empty"),
        value("-x", "--exclude", metavar="PAT", help="exclude files that match PAT"),
        value("-X", "--exclude-from", metavar="FILE", help="exclude files that match any pattern in FILE"),
        flag("--ignore-file-name-case", help="ignore case when comparing file names"),
        flag("--no-ignore-file-name-case", help="consider case when comparing file names"),
        value("--from-file", metavar="FILE1", help="compare FILE1 to all operands; FILE1 can be a directory"),
        value("--to-file", metavar="FILE2", help="compare all operands to FILE2; FILE2 can be a directory"),
        value("-D", "--ifdef", metavar="NAME", help="output merged file with '#ifdef NAME' diffs"),
        *(
            value(f"--{kind}-group-format", metavar="GFMT", help=f"format {kind} groups with GFMT")
            for kind in ("old", "new", "unchanged", "changed")
        ),
        value("--line-format", metavar="LFMT", help="format all input lines with LFMT"),
        value("--old-line-format", metavar="LFMT", help="format lines only in the first file with LFMT"),
        value("--new-line-format", metavar="LFMT", help="format lines only in the second file with LFMT"),
        value("--unchanged-line-format", metavar="LFMT", help="format lines in both files with LFMT"),
        flag("--suppress-blank-empty", help="suppress space or tab before empty output lines"),
        value("--tabsize", metavar="NUM", help="tab stops every NUM (default 8) print columns"),
        value("-S", "--starting-file", metavar="FILE", help="start with FILE when comparing directories"),
        flag("-i", "--ignore-case", help="ignore case differences in file contents"),
        flag("-E", "--ignore-tab-expansion", help="ignore changes due to tab expansion"),
        flag("-Z", "--ignore-trailing-space", help="ignore white space at line end"),
        flag("-b", "--ignore-space-change", help="ignore changes in the amount of white space"),
        flag("-w", "--ignore-all-space", help="ignore all white space"),
        flag("-B", "--ignore-blank-lines", help="ignore changes where lines are all blank"),
        value("-I", "--ignore-matching-lines", metavar="RE", help="ignore changes where all lines match RE"),
        flag("-a", "--text", help="treat all files as text"),
        flag("--strip-trailing-cr", help="strip trailing carriage return on input"),
        flag("-d", "--minimal", help="try hard to find a smaller set of changes"),
        value("--horizon-lines", metavar="NUM", help="keep NUM lines of the common prefix and suffix", check=_check_horizon),
        flag("-H", "--speed-large-files", help="(ignored: it only tunes the search)"),
        flag("-l", "--paginate", help="pass output through 'pr' to paginate it"),
        version_flag("-v"),
        value("--palette", metavar="PALETTE", help="the colors to use when --color is active: rs=0:hd=1:ad=32:de=31:ln=36"),
        value("--color", metavar="WHEN", optional=True, help="color output; WHEN is never, always, or auto"),
    ),
    usage_status=2,
    model="GNU diffutils 3.8",
)
def main(process: Process, arguments: Arguments) -> int:
    """Compare; 0 when the files are the same, 1 when they differ, 2 when something went wrong."""
    operands = arguments.operands
    one, other = arguments.get("from-file"), arguments.get("to-file")
    if one is not None or other is not None:
        if one is not None and other is not None:
            raise UsageError("--from-file and --to-file both specified", hint=False)
        comparer = Comparer(process, settings_for(process, arguments))
        pairs = [(one or name, other or name) for name in operands]
        return max([comparer.operands(first, second) for first, second in pairs], default=0)
    if len(operands) < 2:
        raise UsageError(f"missing operand after '{[process.name, *process.argv, *operands][-1]}'")
    if len(operands) > 2:
        raise UsageError(f"extra operand '{operands[2]}'")
    return Comparer(process, settings_for(process, arguments)).operands(operands[0], operands[1])

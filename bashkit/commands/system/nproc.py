"""nproc: print the number of processing units (GNU coreutils manual, nproc)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.quoting import mention
from bashkit.commands.system._machine import PROCESSORS
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.syntax.digits import SPACE, is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


def _check_ignored(text: str) -> None:
    if not is_count(text):
        raise UsageError(f"invalid number: {mention(text)}", hint=False)


@command(
    "nproc",
    usage="[OPTION]...",
    summary="Print the number of processing units available.",
    options=(
        flag("--all", help="print the number of installed processors"),
        value("--ignore", metavar="N", help="if possible, exclude N", check=_check_ignored),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print at least 1."""
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}")
    process.write(f"{max(1, _available(process, arguments) - clamped(arguments.get('ignore') or '0'))}\n")
    return 0


def _available(process: Process, arguments: Arguments) -> int:
    """The processors, or how many threads OpenMP may have."""
    if "all" in arguments:
        return PROCESSORS
    wanted, limit = (_threads(process.env.get(name, "")) for name in ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT"))
    return min(wanted or PROCESSORS, limit or wanted or PROCESSORS)


def _threads(text: str) -> int:
    """A number of threads, of which further ones may follow behind commas; 0 for none."""
    first = text.partition(",")[0].strip(SPACE)
    return clamped(first) if is_digits(first) else 0

"""look: show the lines of a sorted file that begin with a string (util-linux manual, look)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._lines import Inputs, lines
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_WORDS = "/usr/share/dict/words"


@command(
    "look",
    usage="[options] <string> [<file>...]",
    summary="Display lines beginning with a specified string.",
    options=(
        flag("-a", "--alternative", help="use the alternative dictionary"),
        flag("-d", "--alphanum", help="compare only blanks and alphanumeric characters"),
        flag("-f", "--ignore-case", help="ignore case differences when comparing"),
        value("-t", "--terminate", metavar="char", help="define the string-termination character"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """0 when a line was found, 1 when none was, 2 on trouble."""
    if not arguments.operands:
        raise UsageError("bad usage")
    wanted, *files = arguments.operands
    letters, fold = "d" in arguments or not files, "f" in arguments or not files
    end = (arguments.get("t") or "")[:1]
    if end and end in wanted:
        wanted = wanted[: wanted.index(end) + 1]
    wanted = _comparable(wanted, letters=letters, fold=fold)
    name = files[0] if files else _WORDS
    if not process.fs.exists(process.path(name)):
        process.warn(f"{name}: No such file or directory")
        return 1
    found = False
    for batch in lines(Inputs(process, [name]).blocks(), process.budget):
        for line in batch:
            text = line.rstrip(b"\n").decode("utf-8", "surrogateescape")
            if _comparable(text, letters=letters, fold=fold).startswith(wanted):
                process.write(text + "\n")
                found = True
    return 0 if found else 1


def _comparable(text: str, *, letters: bool, fold: bool) -> str:
    """What of a text counts."""
    if letters:
        text = "".join(letter for letter in text if letter.isalnum() or letter in " \t")
    return text.lower() if fold else text

"""echo: write words (POSIX XCU echo; GNU coreutils manual, echo); that of the shell is a builtin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands.scripting._escapes import expand_echo
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_OPTION = re.compile("-[neE]+")
_NOTES = """\
  -n                      do not output the trailing newline
  -e                      enable interpretation of backslash escapes
  -E                      disable interpretation of backslash escapes (default)"""


@command(
    "echo",
    usage="[-neE] [STRING]...",
    summary="Write the STRING(s), separated by blanks, to standard output.",
    options=None,
    notes=_NOTES,
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the words."""
    words = arguments.operands
    posix = "POSIXLY_CORRECT" in process.env
    if not posix and words in (["--help"], ["--version"]):
        process.write(main.help() if words == ["--help"] else main.version())
        return 0
    letters = ""
    first = 0
    if not posix or words[:1] == ["-n"]:
        while first < len(words) and _OPTION.fullmatch(words[first]):
            letters += words[first][1:]
            first += 1
    text = " ".join(words[first:])
    stopped = False
    if posix or "e" in letters[letters.rfind("E") + 1 :]:
        text, stopped = expand_echo(text)
    process.write(text if stopped or "n" in letters else text + "\n")
    return 0

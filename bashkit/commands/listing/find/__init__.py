"""find: search for files in a directory hierarchy (POSIX XCU find; GNU findutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands.listing.find.expression import parse
from bashkit.commands.listing.find.search import Search
from bashkit.commands.listing.find.words import FindError, Quit
from bashkit.interp.utility.command import Arguments, HelpRequested, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_HELP = """\
Usage: find [-H] [-L] [-P] [path...] [expression]
Search for files in a directory hierarchy.

Default path is the current directory; default expression is -print.
Operators, by precedence: ( EXPR )   ! EXPR   -not EXPR   EXPR1 -a EXPR2   EXPR1 -and EXPR2
      EXPR1 -o EXPR2   EXPR1 -or EXPR2   EXPR1 , EXPR2
Options: -daystart -depth -maxdepth LEVELS -mindepth LEVELS -mount -noleaf -xdev
Tests (N can be +N or -N or N): -amin N -anewer FILE -atime N -cmin N -cnewer FILE -ctime N -empty -executable -false
      -gid N -group NAME -ilname PATTERN -iname PATTERN -inum N -ipath PATTERN -iregex PATTERN -links N -lname PATTERN
      -mmin N -mtime N -name PATTERN -newer FILE -newerXY REFERENCE -nogroup -nouser -path PATTERN -perm [-/]MODE
      -readable -regex PATTERN -regextype TYPE -samefile FILE -size N[bckwMG] -true -type [fdlpc] -uid N -user NAME
      -wholename PATTERN -writable -xtype [fdlpc]
Actions: -delete -exec COMMAND ; -exec COMMAND {} + -execdir COMMAND ; -fprint FILE -fprint0 FILE -fprintf FILE FORMAT
      -ls -ok COMMAND ; -print -print0 -printf FORMAT -prune -quit
"""


@command(
    "find",
    usage="[-H] [-L] [-P] [path...] [expression]",
    summary="Search for files in a directory hierarchy.",
    options=None,
    model="GNU findutils 4.9.0",
)
def main(process: Process, arguments: Arguments) -> int:
    """Search; 1 when something could not be looked at or a command given to ``-exec … +`` failed."""
    words = arguments.operands
    if words in (["--help"], ["-help"]):
        process.write(_HELP)
        return 0
    if words in (["--version"], ["-version"]):
        raise HelpRequested(main.version())
    follow = "P"
    while words and words[0] in {"-H", "-L", "-P"}:
        follow, words = words[0][1], words[1:]
    count = next((index for index, word in enumerate(words) if _begins_expression(word)), len(words))
    starts, rest = words[:count], words[count:]
    try:
        expression = parse(process, rest)
    except FindError as error:
        process.warn(str(error))
        return 1
    if follow == "L":
        expression.settings.follow = True
    search = Search(process, expression, follow_operands=follow != "P")
    for start in starts or ["."]:
        try:
            search.operand(start)
        except Quit:
            break
        except OSError as error:
            # coreutils quote file names in ASCII, findutils in the locale's quotes.
            process.warn(f"{mention(start) if start.isprintable() else quote(start)}: {error.strerror}")
            search.status = 1
    search.finish()
    return search.status


def _begins_expression(word: str) -> bool:
    return (word.startswith("-") and word != "-") or word in {"(", ")", "!", ","}

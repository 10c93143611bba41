"""find: search for files in a directory hierarchy (POSIX XCU find; GNU findutils manual)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import mention
from bashkit.commands.listing.find.expression import parse
from bashkit.commands.listing.find.search import Search
from bashkit.commands.listing.find.words import FindError, Quit
from bashkit.interp.utility.command import Arguments, HelpRequested, command
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_HIGHEST_LEVEL = 3
_HELP = """\
Usage: find [-H] [-L] [-P] [-Olevel] [-D debugopts] [path...] [expression]
Search for files in a directory hierarchy.

Default path is the current directory; default expression is -print.
Operators, by precedence: ( EXPR )   ! EXPR   -not EXPR   EXPR1 -a EXPR2   EXPR1 -and EXPR2
      EXPR1 -o EXPR2   EXPR1 -or EXPR2   EXPR1 , EXPR2
Options: -daystart -depth -files0-from FILE -maxdepth LEVELS -mindepth LEVELS -mount -noleaf -xdev
Tests (N can be +N or -N or N): -amin N -anewer FILE -atime N -cmin N -cnewer FILE -ctime N -empty -executable -false
      -gid N -group NAME -ilname PATTERN -iname PATTERN -inum N -ipath PATTERN -iregex PATTERN -links N -lname PATTERN
      -mmin N -mtime N -name PATTERN -newer FILE -newerXY REFERENCE -nogroup -nouser -path PATTERN -perm [-/]MODE
      -fstype TYPE -used N
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
    try:
        follow, words = _leading_options(process, arguments.operands)
        count = next((index for index, word in enumerate(words) if _begins_expression(word)), len(words))
        starts, rest = words[:count], words[count:]
        if rest[:1] in (["--help"], ["-help"]):
            process.write(_HELP)
            return 0
        if rest[:1] in (["--version"], ["-version"]):
            raise HelpRequested(main.version())
        expression = parse(process, rest, follow)
        if expression.settings.names_from is not None:
            starts = _listed(process, expression.settings.names_from, starts, rest)
    except FindError as error:
        process.warn(str(error))
        return 1
    search = Search(process, expression, follow_operands=follow != "P")
    source = expression.settings.names_from
    for number, start in enumerate(starts or (["."] if source is None else []), 1):
        if source is not None and not start:
            process.warn(f"{mention('(standard input)' if source == '-' else source)}:{number}: invalid zero-length file name")
            search.status = 1
            continue
        try:
            search.operand(start)
        except Quit:
            break
        except OSError as error:
            process.warn(f"{mention(start)}: {error.strerror}")
            search.status = 1
    search.finish()
    return search.status


def _listed(process: Process, source: str, starts: list[str], words: list[str]) -> list[str]:
    """The starting points that a file names.

    Raises:
        FindError: It cannot be read, or others are given besides.
    """
    if starts:
        raise FindError(f"extra operand {mention(starts[0])}\nfind: file operands cannot be combined with -files0-from")
    if source == "-" and {"-ok", "-okdir"} & set(words):
        raise FindError("option -files0-from reading from standard input cannot be combined with -ok, -okdir\n")
    try:
        data = slurp(process, process.open(source)).decode("utf-8", "surrogateescape")
    except OSError as error:
        if error.errno == errno.EISDIR:
            raise FindError(f"{mention(source)}: read error: {error.strerror}") from None
        raise FindError(f"cannot open {mention(source)} for reading: {error.strerror}") from None
    return data.removesuffix("\0").split("\0") if data else []


def _leading_options(process: Process, words: list[str]) -> tuple[str, list[str]]:
    """What to do with symbolic links, and the words after the options that come before the starting points."""
    follow, place = "P", 0
    while place < len(words):
        word = words[place]
        place += 1
        if word == "--":
            break
        if word in {"-H", "-L", "-P"}:
            follow = word[1]
        elif word.startswith("-O"):
            _check_level(process, word[2:])
        elif word == "-D" and place < len(words):
            place += 1
            process.warn(f"Ignoring unrecognised debug flag {mention(words[place - 1])}")
        else:
            place -= 1
            break
    return follow, words[place:]


def _check_level(process: Process, text: str) -> None:
    """Check the level of optimization in ``-OLEVEL``; there is only one way of searching here."""
    if not text:
        raise FindError("The -O option must be immediately followed by a decimal integer")
    if not is_digits(text):
        raise FindError("Please specify a decimal number immediately after -O")
    if clamped(text) > _HIGHEST_LEVEL:
        process.warn(f"warning: optimisation level {text} is too high, so using {_HIGHEST_LEVEL} instead.")


def _begins_expression(word: str) -> bool:
    return (word.startswith("-") and word != "-") or word in {"(", "!"}

"""The options of patch, and what is read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.backups import CONTROLS
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import quote_word
from bashkit.interp.utility.command import UsageError, flag, value, version_flag

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_READ_ONLY = ("warn", "ignore", "fail")
_REJECTS = (None, "context", "unified")
_QUOTINGS = (
    "literal",
    "shell",
    "shell-always",
    "shell-escape",
    "shell-escape-always",
    "c",
    "c-maybe",
    "escape",
    "locale",
    "clocale",
)


def check(arguments: Arguments) -> None:
    """Refuse invalid arguments of options.

    Raises:
        UsageError: An argument is invalid.
    """
    if (arguments.get("read-only") or "warn") not in _READ_ONLY or arguments.get("reject-format") not in _REJECTS:
        raise UsageError("Try 'patch --help' for more information.", hint=False)


def check_number(what: str, *, signed: bool = False) -> Callable[[str], None]:
    """A check of the argument of a numeric option."""

    def check_text(text: str) -> None:
        try:
            number = clamped(text)
        except ValueError:
            raise UsageError(f"**** {what} {quote_word(text)} is not a number", hint=False) from None
        if number < 0 and not signed:
            raise UsageError(f"**** {what} {text} is negative", hint=False)

    return check_text


def number_of(arguments: Arguments, key: str) -> int | None:
    """The number of an option, or None without it."""
    text = arguments.get(key)
    return None if text is None else clamped(text)


_IN_ITS_LOCALE = {"locale": "shell-always", "clocale": "c"}  # patch is always in that of C


def quoting(process: Process, arguments: Arguments) -> str:
    """The quoting style of file names."""
    given = arguments.get("quoting-style")
    style = given or process.env.get("QUOTING_STYLE") or "shell"
    if style in _QUOTINGS:
        return _IN_ITS_LOCALE.get(style, style)
    if given is None:
        return "shell"
    raise UsageError(
        f"invalid argument '{given}' for 'quoting style'\npatch: Try 'patch --help' for more information.", hint=False
    )


def version_control(process: Process, arguments: Arguments) -> str:
    """The method of naming backups: ``simple``, ``existing`` or ``numbered``."""
    word = arguments.get("V") or process.env.get("PATCH_VERSION_CONTROL") or process.env.get("VERSION_CONTROL") or "existing"
    found = {name for names in CONTROLS for name in names if name.startswith(word)}
    control = next((names[0] for names in CONTROLS if found and found <= set(names)), None)
    if control is None or not word:
        listed = "".join(f"\n  - {', '.join(map(repr, names))}" for names in CONTROLS)
        raise UsageError(
            f"invalid argument '{word}' for '--version-control or -V option'\nValid arguments are:{listed}", hint=False
        )
    return "numbered" if control == "none" else control


OPTIONS = (
    value("-p", "--strip", metavar="NUM", help="strip NUM leading components from file names", check=check_number("strip count")),
    value(
        "-F",
        "--fuzz",
        metavar="LINES",
        help="set the fuzz factor to LINES for inexact matching",
        check=check_number("fuzz factor"),
    ),
    flag("-l", "--ignore-whitespace", help="ignore white space changes between patch and input"),
    flag("-c", "--context", help="interpret the patch as a context difference"),
    flag("-e", "--ed", help="interpret the patch as an ed script"),
    flag("-n", "--normal", help="interpret the patch as a normal difference"),
    flag("-u", "--unified", help="interpret the patch as a unified difference"),
    flag("-N", "--forward", help="ignore patches that appear reversed or already applied"),
    flag("-R", "--reverse", help="assume patches were created with old and new files swapped"),
    value("-i", "--input", metavar="PATCHFILE", help="read patch from PATCHFILE instead of stdin"),
    value("-o", "--output", metavar="FILE", help="output patched files to FILE"),
    value("-r", "--reject-file", metavar="FILE", help="output rejects to FILE"),
    value("--reject-format", metavar="FORMAT", help="create context or unified rejects"),
    flag("-E", "--remove-empty-files", help="remove output files that are empty after patching"),
    flag("--binary", help="keep the carriage returns of a patch whose header has one, too"),
    flag("--follow-symlinks", help="patch what symbolic links lead to"),
    flag("-b", "--backup", help="back up the original contents of each file"),
    flag("--backup-if-mismatch", help="back up if the patch does not match exactly (default)"),
    flag("--no-backup-if-mismatch", help="back up mismatches only if otherwise requested"),
    value("-B", "--prefix", metavar="PREFIX", help="prepend PREFIX to backup file names"),
    value("-z", "--suffix", metavar="SUFFIX", help="append SUFFIX to backup file names"),
    flag("-t", "--batch", help="ask no questions; skip bad-Prereq patches; assume reversed"),
    flag("-f", "--force", help="like -t, but ignore bad-Prereq patches, and assume unreversed"),
    flag("-s", "--quiet", "--silent", help="work silently unless an error occurs"),
    flag("--verbose", help="output extra information about the work being done"),
    flag("--dry-run", help="do not actually change any files; just print what would happen"),
    flag("--posix", help="conform to the POSIX standard"),
    value("-d", "--directory", metavar="DIR", help="change the working directory to DIR first"),
    value("-D", "--ifdef", metavar="NAME", help="make merged if-then-else output using NAME"),
    value("-V", "--version-control", metavar="STYLE", help="name backups in STYLE: simple, numbered or existing"),
    value("-Y", "--basename-prefix", metavar="PREFIX", help="prepend PREFIX to backup file basenames"),
    value(
        "-g",
        "--get",
        metavar="NUM",
        help="(ignored: there is no version control here)",
        check=check_number("get option value", signed=True),
    ),
    value("--read-only", metavar="BEHAVIOR", help="how to handle read-only files: ignore that they are, warn or fail"),
    value("--quoting-style", metavar="WORD", help="output file names in style WORD: literal, shell, shell-always, c, escape"),
    version_flag("-v"),
)

"""The command line of zip (zip(1), Info-ZIP): its options, lists of patterns that follow one, and its words for what is wrong."""

from __future__ import annotations

import re
from itertools import chain

from bashkit.interp.utility.command import UsageError, flag, help_flag, value

OPTIONS = (
    help_flag("-h", "-?"),
    flag("-r", "--recurse-paths", help="recurse into directories"),
    flag("-R", "--recurse-patterns", help="take the files below the working directory that match the names"),
    flag("-j", "--junk-paths", help="don't record directory names"),
    flag("-m", "--move", help="move into ZIPFILE (delete the files)"),
    flag("-d", "--delete", help="delete entries in ZIPFILE"),
    flag("-u", "--update", help="only changed or new files"),
    flag("-f", "--freshen", help="only changed files"),
    flag("-g", "--grow", help="add to ZIPFILE, which should be there"),
    flag("-FS", "--filesync", help="make ZIPFILE hold the FILEs and nothing else"),
    flag("-q", "--quiet", help="quiet operation"),
    flag("-v", "--verbose", help="verbose operation"),
    flag("-y", "--symlinks", help="store symbolic links as links"),
    flag("-D", "--no-dir-entries", help="do not add directory entries"),
    flag("-X", "--no-extra", help="do not keep times to the second"),
    flag("-l", "--to-crlf", help="convert LF to CR LF"),
    flag("-ll", "--from-crlf", help="convert CR LF to LF"),
    value("-n", "--suffixes", metavar="SUFFIXES", help="suffixes to not compress: .gz:.zip"),
    value("-t", "--from-date", metavar="DATE", help="exclude before date"),
    value("-tt", "--before-date", metavar="DATE", help="include before date"),
    flag("-o", "--latest-time", help="make ZIPFILE as old as its latest entry"),
    flag("-sf", "--show-files", help="show the files that it would work on"),
    flag("-z", "--archive-comment", help="read the comment of ZIPFILE from standard input, up to a line with a dot"),
    flag("-T", "--test", help="test ZIPFILE integrity"),
    flag("-@", "--names-stdin", help="read names from standard input"),
    flag("-A", "--adjust-sfx", help="adjust the offsets of a self-extracting archive"),
    flag("-F", "--fix", help="fix an archive that is mostly intact"),
    value("-O", "--output-file", "--out", metavar="FILE", help="output to new archive"),
    value("-b", "--temp-path", metavar="PATH", help="dir to use for temp archive"),
    value("-P", "--password", metavar="PASSWORD", help="encrypt entries, option value is password"),
    flag("-e", "--encrypt", help="encrypt; asks for the password at a terminal, which there is none of"),
    value("-x", "--exclude", metavar="PATTERN", help="exclude files matching patterns"),
    value("-i", "--include", metavar="PATTERN", help="include only files matching patterns"),
    *(flag(f"-{level}", help="store only" if not level else f"compression level {level}") for level in range(10)),
)
_TWO_LETTERS = {"ll": "--from-crlf", "sf": "--show-files", "FS": "--filesync", "tt": "--before-date"}
_LISTS = frozenset({"-x", "-i", "--exclude", "--include"})
_LETTERS = re.compile(r"-([a-zA-Z0-9@]*?)(?=([nObPtxi].*)?$)")  # of one word, up to the first that takes an argument
_HELP = {name: option.help for option in OPTIONS for name in option.names}
_UNKNOWN = re.compile(r"invalid option -- '(?P<short>.)'|unrecognized option '--(?P<long>[^=]*).*'")
_AMBIGUOUS = re.compile(r"option '--(.*?)' is ambiguous.*")
_NO_VALUE = re.compile(r"option (?:requires an argument -- '(.*)'|'--(.*)' requires an argument)")


def expand(words: list[str]) -> list[str]:
    """Rewrite ``-x a b`` as ``-x a -x b``; a list ends at ``@`` or at the next option."""
    result: list[str] = []
    key = ""
    empty = False
    for word in chain.from_iterable(map(_apart, words)):
        if key and word != "@" and not word.startswith("-"):
            result += [key, word]
            empty = False
            continue
        if empty:
            break
        key, empty = (word, True) if word in _LISTS else ("", False)
        result += [] if word == "@" or empty else [word]
    return [*result, key] if empty else result  # which lacks its value


def _apart(word: str) -> list[str]:
    """Write the options of two letters in one word as long ones, and one that a list follows as a word of its own."""
    found = _LETTERS.match(word)
    if found is None:
        return [word]
    letters, rest = found[1], found[2] or ""
    if rest.startswith("tt"):
        ending = ["--before-date" + ("=" + rest[2:] if rest[2:] else "")]
    elif rest in {"x", "i"} and letters:
        ending = ["-" + rest]
    elif any(two in letters for two in _TWO_LETTERS):
        ending = ["-" + rest] if rest else []
    else:
        return [word]
    parts = re.split("(ll|sf|FS)", letters)
    return [*(_TWO_LETTERS.get(part, "-" + part) for part in parts if part), *ending]


def complaint(error: UsageError) -> str:
    """What zip says of a command line that cannot be parsed."""
    text = error.message
    if (found := _UNKNOWN.fullmatch(text)) is not None:
        text = (
            f"short option '{found['short']}' not supported" if found["short"] else f"long option '{found['long']}' not supported"
        )
    elif (found := _AMBIGUOUS.fullmatch(text)) is not None:
        text = f"long option '{found[1]}' ambiguous"
    elif (found := _NO_VALUE.fullmatch(text)) is not None:
        name = (found[1] or found[2]).replace("before-date", "tt")
        text = f"option '{name}' ({_HELP.get('--' + name) or _HELP['-' + name]}) requires a value"
    return text

"""Reads the options of grep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.locale import OCTETS, UTF_8, as_octets, encoding
from bashkit.commands.patterns.grep.colours import NONE, read_colours
from bashkit.interp.utility.command import UsageError, flag, value
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.commands.patterns.grep.colours import Colours
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.regex import Dialect, LinePattern

_DIRECTORIES = (("read",), ("recurse",), ("skip",))
_BINARY = ("binary", "text", "without-match")
_COLOURS = (None, "always", "yes", "force", "never", "no", "none", "auto", "tty", "if-tty")


def _context(text: str) -> int:
    """The number of ``-A``, ``-B`` and ``-C``."""
    if not is_count(text):
        raise UsageError(f"{text}: invalid context length argument", hint=False)
    return clamped(text)


def _most(text: str) -> int | None:
    """The number of ``-m``; None for one below zero, which limits nothing."""
    try:
        number = clamped(text)
    except ValueError:
        raise UsageError("invalid max count", hint=False) from None
    return None if number < 0 else number


def _check_binary(kind: str) -> None:
    if kind not in _BINARY:
        raise UsageError("unknown binary-files type", hint=False)


def _check_devices(action: str) -> None:
    if action not in ("read", "skip"):
        raise UsageError("unknown devices method", hint=False)


OPTIONS = (
    flag("-E", "--extended-regexp", help="PATTERNS are extended regular expressions"),
    flag("-F", "--fixed-strings", help="PATTERNS are strings"),
    flag("-G", "--basic-regexp", help="PATTERNS are basic regular expressions"),
    flag("-P", "--perl-regexp", help="PATTERNS are Perl regular expressions"),
    value("-e", "--regexp", metavar="PATTERNS", help="use PATTERNS for matching"),
    value("-f", "--file", metavar="FILE", help="take PATTERNS from FILE"),
    flag("-i", "--ignore-case", help="ignore case distinctions in patterns and data"),
    flag("-y", help="like -i (obsolete)"),
    flag("--no-ignore-case", help="do not ignore case distinctions (default)"),
    flag("-w", "--word-regexp", help="match only whole words"),
    flag("-x", "--line-regexp", help="match only whole lines"),
    flag("-z", "--null-data", help="a data line ends in 0 byte, not newline"),
    flag("-s", "--no-messages", help="suppress error messages"),
    flag("-v", "--invert-match", help="select non-matching lines"),
    value("-m", "--max-count", metavar="NUM", help="stop after NUM selected lines", check=_most),
    flag("-b", "--byte-offset", help="print the byte offset with output lines"),
    flag("-n", "--line-number", help="print line number with output lines"),
    flag("--line-buffered", help="(ignored: output is never held back)"),
    flag("-H", "--with-filename", help="print file name with output lines"),
    flag("-h", "--no-filename", help="suppress the file name prefix on output"),
    value("--label", metavar="LABEL", help="use LABEL as the standard input file name prefix"),
    flag("-o", "--only-matching", help="show only nonempty parts of lines that match"),
    flag("-q", "--quiet", "--silent", help="suppress all normal output"),
    value("--binary-files", metavar="TYPE", help="binary files are TYPE: binary, text, or without-match", check=_check_binary),
    flag("-a", "--text", help="equivalent to --binary-files=text"),
    flag("-I", help="equivalent to --binary-files=without-match"),
    flag("-U", "--binary", help="(ignored: carriage returns are never removed)"),
    flag("-u", "--unix-byte-offsets", help="(ignored, as GNU grep does)"),
    value(
        "-d",
        "--directories",
        metavar="ACTION",
        help="how to handle directories: read, recurse, or skip",
        check=lambda action: choose("--directories", action, _DIRECTORIES),
    ),
    value("-D", "--devices", metavar="ACTION", help="how to handle devices: read or skip", check=_check_devices),
    flag("-r", "--recursive", help="like --directories=recurse"),
    flag("-R", "--dereference-recursive", help="likewise, but follow all symlinks"),
    value("--include", metavar="GLOB", help="search only files that match GLOB"),
    value("--exclude", metavar="GLOB", help="skip files that match GLOB"),
    value("--exclude-from", metavar="FILE", help="skip files that match any file pattern from FILE"),
    value("--exclude-dir", metavar="GLOB", help="skip directories that match GLOB"),
    flag("-L", "--files-without-match", help="print only names of FILEs with no selected lines"),
    flag("-l", "--files-with-matches", help="print only names of FILEs with selected lines"),
    flag("-c", "--count", help="print only a count of selected lines per FILE"),
    flag("-T", "--initial-tab", help="make tabs line up (if needed)"),
    flag("-Z", "--null", help="print 0 byte after FILE name"),
    value("-B", "--before-context", metavar="NUM", help="print NUM lines of leading context", check=_context),
    value("-A", "--after-context", metavar="NUM", help="print NUM lines of trailing context", check=_context),
    value("-C", "--context", metavar="NUM", help="print NUM lines of output context", check=_context, numeral="digits"),
    value("--group-separator", metavar="SEP", help="print SEP on line between matches with context"),
    flag("--no-group-separator", help="do not print separator for matches with context"),
    value("--color", "--colour", metavar="WHEN", optional=True, help="use markers to highlight the matching strings"),
    flag("-V", help="display version information and exit"),
)

_DIALECTS: dict[str, Dialect] = {"E": "extended", "F": "fixed", "G": "basic", "P": "perl"}
_TROUBLE = 2


@dataclass(frozen=True, slots=True)
class Settings:
    """The parsed options.

    Attributes:
        prefix: Show the file name; None to decide by the number of files.
        most: Maximum lines to select in a file.
        before, after: Lines of context; None without context.
        mode: The output: ``lines``, ``matches`` (-o), ``count``, ``names`` (-l), ``names without`` (-L) or ``nothing``.
        colours: How it is coloured, all of it "" without ``--color``.
        binary: ``binary``, ``text`` or ``without-match``.
        directories: ``read``, ``skip`` or ``recurse``.
        encoding: How text is decoded.
        skips_devices: Operands that are devices or named pipes are not read.
        marks_all: Mark lines of context that match as selected ones, as rg does after the last that counts.
    """

    mode: str
    invert: bool
    prefix: bool | None
    label: str
    numbers: bool
    offsets: bool
    most: int | None
    before: int | None
    after: int | None
    separator: str | None
    delimiter: bytes
    colours: Colours
    null_names: bool
    initial_tab: bool
    silent: bool
    binary: str
    directories: str
    follow: bool
    encoding: str = UTF_8
    marks_all: bool = False
    skips_devices: bool = False

    @property
    def may_grow(self) -> bool:
        """Whether reading its own output might never end."""
        return self.mode in ("lines", "matches") and self.most != 1

    @property
    def colour(self) -> bool:
        """Whether anything is coloured."""
        return self.colours is not NONE


def _patterns(process: Process, arguments: Arguments) -> tuple[dict[str, str] | None, list[str]]:
    """The patterns (None without any), each with the place in a file where it stands, and the remaining operands."""
    operands = arguments.operands
    given: dict[str, str] = {}
    none_given = True
    for key, text in arguments.given:
        if key == "e" and text is not None:
            for pattern in paced(text.split("\n")):
                given.setdefault(pattern, "")
            none_given = False
        elif key == "f" and text is not None:
            none_given = False
            content = slurp(process, process.open(text)).decode("utf-8", "surrogateescape")
            lines = content.removesuffix("\n").split("\n") if content else []
            for number, line in enumerate(paced(lines), 1):
                given.setdefault(line, f"{text}:{number}: ")
    if none_given:
        given, operands = dict.fromkeys(operands[0].split("\n"), ""), operands[1:]
    process.budget.tick(len(given) >> 4)
    return given or None, operands


def asks_help(arguments: Arguments) -> bool:
    """Whether ``--color`` has an unknown argument, of which GNU grep says no more than its help."""
    return arguments.get("color") not in _COLOURS


def _mode(arguments: Arguments, most: int | None) -> str:
    listing = arguments.last("l", "L")
    if "q" in arguments or (most == 0 and listing != "L"):
        return "nothing"
    if listing is not None:
        return "names" if listing == "l" else "names without"
    if "c" in arguments:
        return "count"
    return "matches" if "o" in arguments else "lines"


def _pattern(process: Process, arguments: Arguments) -> tuple[LinePattern | None, list[str]]:
    """The compiled pattern, and the operands that are files."""
    matchers: set[Dialect] = {_DIALECTS[key] for key, _ in arguments.given if key in _DIALECTS}
    if len(matchers) > 1:
        raise UsageError("conflicting matchers specified", hint=False)
    dialect: Dialect = matchers.pop() if matchers else "basic"
    patterns, operands = _patterns(process, arguments)
    if dialect == "perl" and patterns is not None and len(patterns) > 1:
        raise UsageError("the -P option only supports a single pattern", hint=False)
    if patterns is None:
        return None, operands
    octets = encoding(process.env) == OCTETS
    fold = arguments.last("i", "y", "no-ignore-case")

    def compiled(chosen: Iterable[str]) -> LinePattern:
        return regex.compile_lines(
            tuple(map(as_octets, chosen)) if octets else tuple(chosen),
            dialect,
            budget=process.budget,
            ignore_case=fold in ("i", "y"),
            whole="line" if "x" in arguments else "word" if "w" in arguments else "",
            syntax="ascii" if dialect == "perl" else "gnu",
            records="z" in arguments,
            octets=octets,
        )

    try:
        pattern = compiled(patterns)
    except regex.RegexError as error:
        raise UsageError(_malformed(patterns, compiled, error.message), hint=False) from None
    for warning in pattern.warnings:
        process.warn(f"warning: {warning}")
    return pattern, operands


def _malformed(patterns: dict[str, str], compiled: Callable[[Iterable[str]], LinePattern], message: str) -> str:
    """What is said of the first pattern that is malformed, with the place in its file."""
    for pattern, place in patterns.items():
        try:
            compiled([pattern])
        except regex.RegexError as error:
            return place + error.message
    return message


def read(process: Process, arguments: Arguments) -> tuple[Settings, LinePattern | None, list[str]]:
    """Parse the options.

    Args:
        process: The running utility.
        arguments: Its command line.

    Returns:
        The settings; the pattern, None without any (an empty ``-f`` file); the operands that are files.

    Raises:
        UsageError: An option or a pattern is invalid.
    """
    if "u" in arguments:
        process.warn("warning: --unix-byte-offsets (-u) is obsolete")
    settings = arguments.once(_settings)
    if arguments.get("color", "never") in {"always", "yes", "force"}:
        settings = replace(settings, colours=read_colours(process))
    if encoding(process.env) == OCTETS:
        settings = replace(settings, encoding=OCTETS)
    if settings.most == 0 and arguments.last("l", "L") != "L":
        return settings, None, []  # GNU grep does not look at the patterns
    pattern, operands = _pattern(process, arguments)
    return settings, pattern, operands


def _settings(arguments: Arguments) -> Settings:
    """The settings without colours, in UTF-8."""
    limit = arguments.get("m")
    most = None if limit is None else _most(limit)
    context, before, after = (None if text is None else _context(text) for text in map(arguments.get, "CBA"))
    names = arguments.last("H", "h")
    separator = (
        None
        if arguments.last("group-separator", "no-group-separator") == "no-group-separator"
        else arguments.get("group-separator", "--")
    )
    return Settings(
        mode=_mode(arguments, most),
        invert="v" in arguments,
        prefix=None if names is None else names == "H",
        label=arguments.get("label") or "(standard input)",
        numbers="n" in arguments,
        offsets="b" in arguments,
        most=most,
        before=context if before is None else before,
        after=context if after is None else after,
        separator=separator,
        delimiter=b"\0" if "z" in arguments else b"\n",
        colours=NONE,
        null_names="Z" in arguments,
        initial_tab="T" in arguments,
        silent="s" in arguments,
        binary=_binary(arguments),
        directories="recurse"
        if arguments.last("d", "r", "R") in {"r", "R"}
        else choose("--directories", arguments.get("d") or "read", _DIRECTORIES),
        follow="R" in arguments,
        skips_devices="skip" in arguments.all("D")[-1:],
    )


def _binary(arguments: Arguments) -> str:
    last = arguments.last("a", "I", "binary-files")
    return {"a": "text", "I": "without-match"}.get(last or "") or arguments.get("binary-files") or "binary"

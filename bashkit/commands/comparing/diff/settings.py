"""Reads the options of diff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import PATTERN, read_names
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.quoting import quote_word
from bashkit.commands.comparing.diff.merged import Formats, conditional
from bashkit.interp.utility.command import Arguments, UsageError
from bashkit.regex import RegexError
from bashkit.regex import compile as compile_regex
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.regex import Pattern

_STYLES = {
    "c": "context", "C": "context", "context": "context", "u": "unified", "U": "unified", "unified": "unified", "e": "ed",
    "f": "forward ed",
    "n": "rcs", "y": "side", "normal": "normal", "q": "brief", "D": "merged", "line-format": "merged",
    **{f"{kind}-line-format": "merged" for kind in ("old", "new", "unchanged")},
    **{f"{kind}-group-format": "merged" for kind in ("old", "new", "unchanged", "changed")},
}  # fmt: skip

_NUMBERED = {"W": "width", "tabsize": "tabsize"}
_UNIQUE = ("from-file", "to-file", "S")
_COLOR_NAMES = {"rs": "reset", "hd": "header", "ad": "added", "de": "deleted", "ln": "place"}


@dataclass(frozen=True, slots=True)
class Palette:
    """The escape sequences for headers, added and deleted lines, line numbers, and the end of each."""

    reset: bytes = b"\x1b[0m"
    header: bytes = b"\x1b[1m"
    added: bytes = b"\x1b[32m"
    deleted: bytes = b"\x1b[31m"
    place: bytes = b"\x1b[36m"

    def paint(self, color: bytes, line: bytes) -> bytes:
        """A line in a colour."""
        first, _, note = line.partition(b"\n")  # behind a line without its newline, that is said
        return color + first + self.reset + b"\n" + note


@dataclass(frozen=True, slots=True)
class Settings:
    """How to compare and how to show it.

    Attributes:
        style: ``normal``, ``unified``, ``context``, ``ed``, ``forward ed``, ``rcs``, ``side``, ``merged`` or ``brief``.
        context: Lines of context.
        horizon: How many of the common lines at the end are compared with the others.
        minimal: The smallest set of changes is wanted, however long that takes.
        width: Columns of the side-by-side form.
        left_column, suppress_common: Of the side-by-side form.
        function: Lines that name a function, for the headings of hunks.
        labels: Instead of names and times.
        expand_tabs, initial_tab: How lines are printed.
        recursive, new_file, new_first, follow: How directories are compared.
        exclude: Names left out of directories.
        identical: Report files that are the same.
        case, trailing, amount, space, tabs, cr: Which differences do not count.
        blank: Changes of only blank lines do not count.
        ignore: Nor those of only lines that match.
        text: Treat everything as text.
        colors: How changes are coloured; None for not at all.
        options: The options as given, for the lines that announce a pair of files.
        formats: How lines and groups are printed in the merged style.
        paginate: Whether each difference goes through ``pr``.
        blank_empty: Nothing stands before empty lines (``--suppress-blank-empty``).
        tab_size: Columns between tab stops.
        name_case: File names match whatever their case.
        start: The first name of directories that is looked at.
    """

    style: str
    context: int
    horizon: int
    minimal: bool
    width: int
    left_column: bool
    suppress_common: bool
    function: Pattern | None
    labels: tuple[str, ...]
    expand_tabs: bool
    initial_tab: bool
    recursive: bool
    new_file: bool
    new_first: bool
    follow: bool
    exclude: tuple[str, ...]
    identical: bool
    case: bool
    trailing: bool
    amount: bool
    space: bool
    tabs: bool
    cr: bool
    blank: bool
    ignore: Pattern | None
    text: bool
    colors: Palette | None
    options: str
    formats: Formats
    paginate: bool
    blank_empty: bool
    tab_size: int
    name_case: bool
    start: str

    @property
    def exact(self) -> bool:
        """Whether every difference counts."""
        parts = (self.case, self.trailing, self.amount, self.space, self.tabs, self.blank, self.ignore is not None)
        return not any(parts)

    @property
    def shows_same(self) -> bool:
        """Whether the lines of files that do not differ are printed."""
        return self.style == "merged" or (self.style == "side" and not self.suppress_common)


def settings_for(process: Process, arguments: Arguments) -> Settings:
    """Parse the options.

    Raises:
        UsageError: Options contradict each other, or an argument is invalid.
    """
    _check_repeated(arguments)
    style = _style(arguments)
    digits = "".join(key for key, _ in arguments.given if is_digits(key))
    context = _context(arguments, digits)
    shown = context if style in {"context", "unified"} else 0
    function = arguments.get("F")
    if function is None and "p" in arguments:
        function = "^[[:alpha:]$_]"
    labels = tuple(arguments.all("label"))
    if len(labels) > 2:
        raise UsageError("too many file label options", hint=False)
    return Settings(
        style=style,
        context=context,
        horizon=max([number_of(text, "horizon length") for text in arguments.all("horizon-lines")] + [shown]),
        minimal="d" in arguments,
        width=max([_positive(text, "W") for text in arguments.all("W")], default=130),
        left_column="left-column" in arguments,
        suppress_common="suppress-common-lines" in arguments,
        function=None if function is None else _pattern(process, function),
        labels=labels,
        expand_tabs="t" in arguments,
        initial_tab="T" in arguments,
        recursive="r" in arguments,
        new_file="N" in arguments,
        new_first="unidirectional-new-file" in arguments,
        follow="no-dereference" not in arguments,
        exclude=(*arguments.all("x"), *_listed(process, arguments)),
        identical="s" in arguments,
        case="i" in arguments,
        trailing="Z" in arguments,
        amount="b" in arguments,
        space="w" in arguments,
        tabs="E" in arguments,
        cr="strip-trailing-cr" in arguments,
        blank="B" in arguments,
        ignore=_any_pattern(process, arguments.all("I")),
        text="a" in arguments,
        colors=_colors(process, arguments),
        options="".join(" " + quote_word(word) for word in _without_operands(process.argv, arguments.operands)),
        formats=_formats(arguments),
        paginate="l" in arguments,
        blank_empty="suppress-blank-empty" in arguments,
        tab_size=min(max([_positive(text, "tabsize") for text in arguments.all("tabsize")], default=8), 1000),
        name_case=arguments.last("ignore-file-name-case", "no-ignore-file-name-case") == "ignore-file-name-case",
        start=arguments.get("S") or "",
    )


def _without_operands(words: list[str], operands: list[str]) -> list[str]:
    """The options of a command line; where the operands do not stand at its end, an argument that is spelled as one is lost."""
    start = len(words) - len(operands)
    return words[:start] if words[start:] == operands else [word for word in words if word not in operands]


def _context(arguments: Arguments, digits: str) -> int:
    """The lines of context: the most that any option asks for; -u and -c ask for three, unless ``digits`` alone say how many."""
    asked = [argument for key, argument in arguments.given if key in {"C", "context", "U", "unified"}]
    if digits and not asked:
        return clamped(digits)
    numbers = [3 if argument is None else number_of(argument, "context length") for argument in asked]
    numbers += [clamped(digits)] if digits else []
    numbers += [3] if "u" in arguments or "c" in arguments else []
    return max(numbers, default=3)


def _style(arguments: Arguments) -> str:
    styles = [_STYLES[key] for key, _ in arguments.given if key in _STYLES]
    shown = {style for style in styles if style != "brief"}
    if len(shown) > 1:
        raise UsageError("conflicting output style options")
    if "brief" in styles:
        return "brief"
    return next(iter(shown), "context" if "p" in arguments else "normal")


def _check_repeated(arguments: Arguments) -> None:
    """Refuse an option that is given twice, with two arguments.

    Raises:
        UsageError: There is one.
    """
    for key in ("W", "tabsize"):
        if len({_positive(text, key) for text in arguments.all(key)}) > 1:
            raise UsageError(f"conflicting {_NUMBERED[key]} options", hint=False)
    for key in _UNIQUE:
        values = arguments.all(key)
        if other := next((text for text in values if text != values[0]), None):
            raise UsageError(f"conflicting {'-' if len(key) == 1 else '--'}{key} option value '{other}'")
    names = {f"{kind}-line-format" for kind in ("old", "new", "unchanged")}
    formats: dict[str, str | None] = {}
    for key, text in arguments.given:
        if key in names or key == "line-format":
            for name in names if key == "line-format" else (key,):
                if formats.setdefault(name, text) != text:
                    raise UsageError(f"conflicting --{key} option value '{text}'")


def _listed(process: Process, arguments: Arguments) -> list[str]:
    """The patterns in the files of ``-X``."""
    patterns: list[str] = []
    for name in arguments.all("X"):
        try:
            lines = read_names(process, process.open(name))
        except OSError as error:
            raise UsageError(f"{name}: {error.strerror}", hint=False) from None
        process.hold(PATTERN * len(lines))
        patterns += filter(None, lines)
    return patterns


def _formats(arguments: Arguments) -> Formats:
    """The formats for lines and groups of lines."""
    lines: dict[str, str] = {}
    groups: dict[str, str] = {}
    for key, text in arguments.given:
        if key == "line-format":
            lines = dict.fromkeys(("old", "new", "unchanged"), text or "")
        elif key == "D":
            groups = conditional(text or "")
        elif key.endswith("-line-format"):
            lines[key.removesuffix("-line-format")] = text or ""
        elif key.endswith("-group-format"):
            groups[key.removesuffix("-group-format")] = text or ""
    return Formats(lines, groups)


def _palette(process: Process, arguments: Arguments) -> Palette | None:
    """The colours of ``--palette``; none if it is malformed."""
    colors = {}
    for part in filter(None, (arguments.get("palette") or "").split(":")):
        name, equals, text = part.partition("=")
        if not equals or name not in _COLOR_NAMES:
            if equals:
                process.warn(f"unrecognized prefix: {name}")
            process.warn("unparsable value for --palette")
            return None
        colors[_COLOR_NAMES[name]] = f"\x1b[{text}m".encode("utf-8", "surrogateescape")
    return Palette(**colors)


def _colors(process: Process, arguments: Arguments) -> Palette | None:
    """The colours, if there are any: output is no terminal."""
    when = arguments.get("color")
    if when not in {None, "never", "auto", "always"}:
        raise UsageError(f"invalid color '{when}'")
    return _palette(process, arguments) if when == "always" else None


def _positive(text: str, key: str) -> int:
    """The argument of an option that accepts a number above zero."""
    number = number_of(text, _NUMBERED[key])
    if not number:
        raise UsageError(f"invalid {_NUMBERED[key]} '{text}'")
    return number


def number_of(text: str, what: str) -> int:
    """A number that an option takes; an empty argument is 0, as it is to strtol(3).

    Raises:
        UsageError: The argument is none.
    """
    if text and not is_count(text):
        raise UsageError(f"invalid {what} '{text}'")
    return min(clamped(text or "0"), 1 << 30)


def _pattern(process: Process, text: str) -> Pattern:
    try:
        return compile_regex(text, "basic", budget=process.budget)
    except RegexError as error:
        raise UsageError(f"{text}: {error}", hint=False) from None


def _any_pattern(process: Process, texts: list[str]) -> Pattern | None:
    return _pattern(process, "\\|".join(texts)) if texts else None

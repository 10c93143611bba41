"""rg: recursively search for a pattern (ripgrep's manual); its expressions are those of grep -P here."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._filesystem.lines import freed, parts_of_lines, read_names, slurp
from bashkit.commands.patterns.grep.colours import NONE
from bashkit.commands.patterns.grep.search import FileSearch
from bashkit.commands.patterns.grep.settings import Settings
from bashkit.commands.patterns.rg.colours import chosen_colours
from bashkit.commands.patterns.rg.expressions import (
    PatternError,
    before_carriage_return,
    is_lower,
    joined,
    refuse_newlines,
    refuse_perl,
    syntax_error,
    with_ascii_classes,
    with_both_cases,
)
from bashkit.commands.patterns.rg.options import OPTIONS, USAGE, context, number, separator, settled
from bashkit.commands.patterns.rg.output import Style, selected, show
from bashkit.commands.patterns.rg.reading import converted, decompressed, has_mark, preprocessed
from bashkit.commands.patterns.rg.selection import Selection
from bashkit.commands.patterns.rg.statistics import CountingStream, Statistics
from bashkit.commands.patterns.rg.types import known_types
from bashkit.fs import BytesStream
from bashkit.fs.stream import NullStream
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.commands.patterns.grep.colours import Colours
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.regex import Dialect, LinePattern, Pattern

_TROUBLE = 2
_LONGEST = 1 << 16  # characters of an expression
# options for which grep's own way to tell lines does not do
_SPECIAL = {
    "r", "column", "vimgrep", "count-matches", "json", "U", "passthru", "trim", "M", "field-match-separator",
    "field-context-separator",
}  # fmt: skip
_TIMES = {"accessed": "atime", "modified": "mtime", "created": "ctime"}


@command(
    "rg",
    usage="[OPTION]... PATTERN [PATH]...",
    summary="Recursively search the current directory for lines matching a pattern.",
    options=OPTIONS,
    usage_status=_TROUBLE,
    model="ripgrep 13.0.0",
)
def main(process: Process, arguments: Arguments) -> int:
    """Search; 0 when a line was found, 1 when none, 2 when there was trouble."""
    if "V" in arguments:
        process.write("ripgrep 13.0.0\n")
        return 0
    try:
        if "type-list" in arguments:
            types = sorted(known_types(arguments).items())
            process.write("".join(f"{name}: {', '.join(sorted(globs.split()))}\n" for name, globs in types))
            return 0
        return _Run(process, settled(arguments)).run()
    except PatternError as error:
        process.say(str(error))
        return _TROUBLE


def _has_lookaround(arguments: Arguments) -> bool:
    return "P" in arguments or "auto-hybrid-regex" in arguments or arguments.get("engine", "default") != "default"


class _Run:
    """One command line."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._painted = chosen_colours(arguments.all("colors"), inverted="v" in arguments)
        self._selection = Selection(process, arguments)
        self._operands = list(arguments.operands)
        self._failed = False
        self._wanted = ""  # the pattern as written, for smart case
        self._separate = False
        self._statistics = Statistics(process.system.now())
        if "stats" in arguments and "json" not in arguments:
            process.stdout = self._counter = CountingStream(process.stdout)

    def run(self) -> int:
        """Search everything and return the exit status."""
        process, arguments = self._process, self._arguments
        pattern = None if "files" in arguments else self._pattern()
        paths = self._operands
        read = "-" in arguments.all("f")  # standard input had the patterns
        if not paths and process.piped and not read and pattern is not None and not isinstance(process.stdin, NullStream):
            paths = ["-"]
        many = len(paths) != 1 or (paths != ["-"] and self._is_directory(paths[0]))
        names = self._names(paths or [""])
        self._failed = self._selection.failed
        if pattern is None:
            if "files" not in arguments:
                return 1
            names = self._existing(names)
            end = "\0" if "0" in arguments else "\n"
            if "q" not in arguments:
                process.write("".join(f"{self._spelled(name)}{end}" for name, _ in names))
            return _TROUBLE if self._failed else 0 if names else 1
        shown = "I" if "I" in arguments and arguments.last("H", "I") == "I" else arguments.last("H", "vimgrep")
        prefix = many if shown is None else shown != "I"
        found = False
        if self._alone():
            names = self._existing(names)
        for name, explicit in names:
            with freed(process):
                found = self._file(pattern, name, prefix=prefix, explicit=explicit) or found
            if found and "q" in arguments and "stats" not in arguments:
                return 0
        now = process.system.now()
        if "json" in arguments and ("q" not in arguments or "stats" in arguments):
            process.write(self._statistics.summary(now))
        elif "stats" in arguments and "json" not in arguments:
            self._statistics.printed = 0 if self._listing() else self._counter.count
            process.write(self._statistics.report(now))
        if not names and not paths and "no-messages" in arguments:
            return _TROUBLE
        if not names and not paths:
            process.say(
                "No files were searched, which means ripgrep probably applied a filter you didn't expect.\n"
                "Running with --debug will show why files are being skipped.\n"
            )
            return _TROUBLE
        return _TROUBLE if self._failed else 0 if found else 1

    def _is_directory(self, name: str) -> bool:
        path = self._process.path(name)
        return name != "-" and self._process.fs.exists(path) and self._process.fs.stat(path).type == "directory"

    def _names(self, paths: list[str]) -> list[tuple[str, bool]]:
        names: list[tuple[str, bool]] = []
        for path in paths:
            if not path or self._is_directory(path):
                names += [(name, False) for name in self._selection.files(path)]
            else:
                names.append((path, True))
        key = self._arguments.last("sort", "sortr")
        by = _TIMES.get((self._arguments.get(key) or "") if key else "")
        if by is not None:
            names = sorted(names, key=lambda found: self._time(found[0], by))
        return names[::-1] if key == "sortr" else names

    def _time(self, name: str, attribute: str) -> float:
        try:
            return float(getattr(self._process.fs.stat(self._process.path(name)), attribute))
        except OSError:
            return 0.0

    def _pattern(self) -> Pattern | None:
        process, arguments = self._process, self._arguments
        patterns = arguments.all("e")
        for file in arguments.all("f"):
            try:
                patterns += read_names(process, process.open(file))
            except OSError as error:
                raise PatternError(f"{file}: {error.strerror} (os error {error.errno})\n") from None
        if not patterns and not {"e", "f"} & {key for key, _ in arguments.given}:
            if not self._operands:
                raise PatternError(f"error: The following required arguments were not provided:\n    <PATTERN>\n{USAGE}")
            patterns.append(self._operands.pop(0))
        if not patterns:
            return None
        case = arguments.last("s", "i", "S")
        fixed = "F" in arguments
        if not fixed and any(len(pattern) > _LONGEST for pattern in patterns):
            raise PatternError("the pattern is too long")
        lower = is_lower("".join(patterns), fixed=fixed)
        whole = joined(patterns, line="x" in arguments)
        if "multiline-dotall" in arguments and not fixed:
            patterns = [f"(?s){pattern}" for pattern in patterns]
        dialect: Dialect = "fixed" if fixed else "perl"
        if "U" not in arguments:
            refuse_newlines(patterns, fixed=fixed)
        if dialect == "perl" and not _has_lookaround(arguments):
            refuse_perl(whole)
            patterns = list(map(with_ascii_classes, patterns))
        ignore_case = case == "i" or (case == "S" and lower)
        if dialect == "perl" and ignore_case and not _has_lookaround(arguments):
            patterns = list(map(with_both_cases, patterns))
        line = "x" in arguments
        if dialect == "perl" and "crlf" in arguments:
            patterns = [before_carriage_return(f"^(?:{pattern})$" if line else pattern) for pattern in patterns]
            line = False
        try:
            compiled = regex.compile_any(
                tuple(patterns),
                dialect,
                budget=process.budget,
                ignore_case=ignore_case,
                by_line="U" not in arguments,
                multiline=True,
                whole="line" if line else "word" if "w" in arguments else "",
            )
            compiled.test("")
        except regex.RegexError as error:
            raise syntax_error(whole, error.message) from None
        return compiled.with_budget(process.budget)

    def _file(self, pattern: Pattern, name: str, *, prefix: bool, explicit: bool) -> bool:
        process, arguments = self._process, self._arguments
        try:
            stream = process.open(name)
        except OSError as error:
            self._complain(name, error)
            return False
        shown = "<stdin>" if name == "-" else self._spelled(name)
        heading = arguments.last("heading", "p", "no-heading") in {"heading", "p"} and not self._listing()
        special = _SPECIAL & {key for key, _ in arguments.given}
        if "o" in arguments and any(context(arguments)):
            special.add("only-matching")  # grep shows no lines of context with it
        if self._colours() is not NONE and not {"v", "null-data"} & {key for key, _ in arguments.given}:
            special.add("color")  # matches that touch are painted as one
        if "c" in arguments and "o" in arguments:
            special.add("count-matches")
        if "o" in arguments and "null-data" not in arguments and pattern.test(""):
            special.add("only-matching")  # grep shows no empty matches
        if self._named():
            special &= {"U", "json"}
        if "null-data" in arguments and (special or (heading and prefix)):
            raise UsageError(f"error: --null-data does not go with --{min(special) if special else 'heading'}", hint=False)
        binary = b""
        text = bool({"a", "null-data"} & {key for key, _ in arguments.given})
        searched = "binary" in arguments or self._selection.binary
        data = b""
        counted = "stats" in arguments and "json" not in arguments
        whole = searched or {"E", "z", "pre", "files-without-match"} & {key for key, _ in arguments.given}
        if special or heading or explicit or counted or whole or has_mark(stream):
            data = slurp(process, stream)
            process.close(stream)
            for change in (preprocessed, decompressed):
                data, failed = change(process, arguments, name, data)
                self._failed = self._failed or failed
                if failed and {"c", "count-matches", "files-without-match"} & {key for key, _ in arguments.given}:
                    return False
            data = converted(process, arguments, data)
            binary = data if b"\0" in data and not text else b""
            stream = BytesStream(data)
            text = text or b"\0" not in data
        if counted and binary and not explicit and not searched:
            self._statistics.searches += 1
        elif counted:
            self._statistics.count(process, pattern, data, inverted="v" in arguments)
        if binary and not explicit and not searched:
            return "files-without-match" in arguments  # the file is not listed either
        settings = self._settings("text" if text else "without-match")
        if binary:
            # In a file that is not named itself, a NUL ends a line, too.
            return self._binary(
                pattern, binary if explicit else binary.replace(b"\0", b"\n"), shown, binary.index(0), prefix=prefix
            )
        if special:
            return self._special(pattern, stream, shown if prefix else None, shown, heading=heading)
        search = FileSearch(process, settings, pattern, shown if prefix and not heading else None, shown)
        if self._separate and not heading:
            search.continue_groups()
        if heading:
            if not selected(process, pattern, data.decode("utf-8", "surrogateescape"), invert=settings.invert, most=1):
                return False
            process.write(self._heading(settings.colours, shown if prefix else None))
        if settings.mode == "count":
            return self._count(search, stream, pattern, settings.binary)
        found = search.run(stream)
        if settings.mode == "names without":
            found = not found
        self._separate = search.printed or (heading and found) or self._separate
        return found

    def _count(self, search: FileSearch, stream: Stream, pattern: LinePattern, binary: str) -> bool:
        """Write a count; counts of zero are not shown."""
        data = slurp(self._process, stream)
        if b"\0" in data and binary != "text":
            return False
        quiet = self._settings(binary, quiet=True)
        if (
            not FileSearch(self._process, quiet, pattern, None, "").run(BytesStream(data))
            and "include-zero" not in self._arguments
        ):
            return False
        return search.run(BytesStream(data))

    def _walking(self, name: str, error: OSError) -> str:
        """What rg says before the reason where one thread looks for the files that are named."""
        return f"IO error for operation on {name}: " if self._alone() and error.errno == errno.ENOENT else ""

    def _alone(self) -> bool:
        """Whether one thread looks for all files before it searches them."""
        return self._arguments.get("j") == "1" or any(key in self._arguments for key in ("sort", "sortr", "sort-files"))

    def _existing(self, names: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
        """The files without those that do not exist, which are complained about before the search."""
        fs, path = self._process.fs, self._process.path
        missing = {name for name, explicit in names if explicit and name != "-" and not fs.exists(path(name))}
        for name in sorted(missing):
            self._complain(name, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
        return [found for found in names if found[0] not in missing]

    def _complain(self, name: str, error: OSError) -> None:
        if "no-messages" not in self._arguments:
            self._process.say(f"{name}: {self._walking(name, error)}{error.strerror} (os error {error.errno})\n")
        self._failed = True

    def _named(self) -> bool:
        """Whether only the names of files, or the numbers of their lines, are told."""
        arguments = self._arguments
        matches = "count-matches" in arguments or "o" in arguments
        if "q" not in arguments and self._counting():
            return "c" in arguments and not matches
        return any(key in arguments for key in ("l", "q", "files-without-match"))

    def _listing(self) -> bool:
        return bool({"c", "l", "files-without-match", "q", "count-matches", "json"} & {key for key, _ in self._arguments.given})

    def _binary(self, pattern: Pattern, data: bytes, name: str, offset: int, *, prefix: bool) -> bool:
        text = data.decode("utf-8", "surrogateescape")
        inverted = "v" in self._arguments
        if not (selected(self._process, pattern, text, invert=True) if inverted else pattern.test(text.removesuffix("\n"))):
            return False
        if not self._listing():
            where = f"{name}: " if prefix else ""
            self._process.write(f'{where}binary file matches (found "\\0" byte around offset {offset})\n')
        elif self._counting():
            parts = parts_of_lines(data, self._process.budget)
            count = sum(pattern.test(line) for part in parts for line in part.decode("utf-8", "surrogateescape").split("\n"))
            self._process.write(f"{name}{self._mark()}{count}\n" if prefix else f"{count}\n")
        elif "l" in self._arguments:
            self._process.write(name + ("\0" if "0" in self._arguments else "\n"))
        return True

    def _mark(self) -> str:
        """What parts a name from a number."""
        return "\0" if "0" in self._arguments else ":"

    def _special(self, pattern: Pattern, stream: Stream, name: str | None, path: str, *, heading: bool) -> bool:
        arguments = self._arguments
        text = slurp(self._process, stream).decode("utf-8", "surrogateescape")
        if self._named() and "json" not in arguments:
            most = number(arguments, "m", "max-count")
            return self._listed(name, path, selected(self._process, pattern, text, invert="v" in arguments, most=most))
        vim = "vimgrep" in arguments
        before, after = context(arguments)
        numbers = arguments.last("n", "N") or arguments.last("column", "vimgrep", "p")
        style = Style(
            pattern=pattern,
            replacement=arguments.get("r"),
            numbers=numbers != "N" if numbers is not None else "json" in arguments,
            column="column" in arguments or (vim and "no-column" not in arguments),
            offsets="b" in arguments,
            only="o" in arguments,
            each=vim,
            count="count-matches" in arguments or ("c" in arguments and "o" in arguments),
            passthru="passthru" in arguments,
            as_json="json" in arguments,
            quiet="q" in arguments,
            most=number(arguments, "m", "max-count"),
            trim="trim" in arguments,
            before=before or 0,
            after=after or 0,
            invert="v" in arguments,
            separator=separator(arguments),
            null_names="0" in arguments,
            widest=number(arguments, "M", "max-columns"),
            preview="max-columns-preview" in arguments,
            colours=self._colours(),
            marks=(arguments.get("field-match-separator") or ":", arguments.get("field-context-separator") or "-"),
        )
        title = ""
        if heading:
            title = self._heading(self._colours(), name)
        elif self._separate and (style.before or style.after) and style.separator is not None:
            title = style.separator + "\n"
        found = show(self._process, style, None if heading else name, text, path, self._statistics, title)
        self._separate = self._separate or (found and not style.count and not style.as_json)
        if style.count and not found and "include-zero" in arguments:
            self._process.write(f"{name}:0\n" if name is not None else "0\n")
        return found

    def _spelled(self, name: str) -> str:
        """A path with the separator of ``--path-separator``."""
        given = self._arguments.get("path-separator")
        if given and len(given.encode("utf-8", "surrogateescape")) > 1:
            size = len(given.encode("utf-8", "surrogateescape"))
            raise PatternError(f"A path separator must be exactly one byte, but the given separator is {size} bytes: {given}\n")
        return name.replace("/", given) if given else name

    def _heading(self, colours: Colours, name: str | None) -> str:
        """What stands above the lines of a file: an empty line if there is a file before it, and its name if names are shown."""
        end = "\0" if "0" in self._arguments else "\n"
        return ("\n" if self._separate else "") + ("" if name is None else colours.paint(colours.name, name) + end)

    def _counting(self) -> bool:
        """Whether numbers are shown, which goes before names of files."""
        return "c" in self._arguments or "count-matches" in self._arguments

    def _listed(self, name: str | None, path: str, count: int) -> bool:
        """Tell the name of a file, or how many of its lines are selected, as options ask for it."""
        arguments, end = self._arguments, "\0" if "0" in self._arguments else "\n"
        if "q" in arguments:
            return count > 0
        without = "files-without-match" in arguments
        if not self._counting() and (without or "l" in arguments):
            if (count > 0) is not without:
                self._process.write(path + end)
            return (count > 0) is not without
        if count or "include-zero" in arguments:
            self._process.write(f"{name}{self._mark()}{count}\n" if name is not None else f"{count}\n")
        return count > 0

    def _has_terminal(self) -> bool:
        """Whether the output is for a terminal with colours, as ``--pretty`` says."""
        environment = self._process.env
        return "p" in self._arguments and "NO_COLOR" not in environment and environment.get("TERM", "dumb") != "dumb"

    def _colours(self) -> Colours:
        return self._painted if self._arguments.get("color") in {"always", "ansi"} or self._has_terminal() else NONE

    def _settings(self, binary: str, *, quiet: bool = False) -> Settings:
        arguments = self._arguments
        before, after = context(arguments)
        mode = "lines"
        for key, chosen in (
            ("" if "v" in arguments else "o", "matches"),  # what does not match has no parts
            ("files-without-match", "names without"),
            ("l", "names"),
            ("c", "count"),
            ("q", "nothing"),
        ):
            if key in arguments:
                mode = chosen
        return Settings(
            mode="nothing" if quiet else mode,
            invert="v" in arguments,
            prefix=None,
            label="<stdin>",
            numbers=(arguments.last("n", "N") or arguments.last("p")) in {"n", "p"},
            offsets="b" in arguments,
            most=number(arguments, "m", "max-count"),
            before=before,
            after=after,
            separator=separator(arguments),
            delimiter=b"\0" if "null-data" in arguments else b"\n",
            colours=self._colours(),
            null_names="0" in arguments,
            initial_tab=False,
            silent=False,
            binary=binary,
            directories="recurse",
            follow=False,
            marks_all=True,
        )

"""grep: print lines that match patterns (POSIX XCU grep, GNU grep manual)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import same_file
from bashkit.commands.patterns.grep.files import EVERYTHING, Filter, read_filter, walk
from bashkit.commands.patterns.grep.search import FileSearch
from bashkit.commands.patterns.grep.settings import OPTIONS, Settings, asks_help, read
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, HelpRequested, command
from bashkit.interp.utility.process import explain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.regex import LinePattern

TROUBLE = 2


class _Run:
    """Runs one command line."""

    def __init__(self, process: Process, settings: Settings, pattern: LinePattern | None, names: Filter) -> None:
        self._process = process
        self._settings = settings
        self._pattern = pattern
        self._names = names
        self._failed = False
        self._separate = False  # an earlier file printed lines with context

    def report(self, name: str, text: str) -> None:
        """Report an error about a file."""
        self._failed = True
        if not self._settings.silent:
            self._process.warn(f"{name}: {text}")

    def files(self, operands: list[str]) -> Iterator[str]:
        """The names of all files to search."""
        process, settings = self._process, self._settings
        recurse = settings.directories == "recurse"
        if not operands:
            operands = [""] if recurse else ["-"]
        if settings.directories == "read" and not settings.skips_devices and self._names is EVERYTHING:
            yield from operands
            return
        for name in operands:
            kind = None if name == "-" or process.descriptor(name) is not None else self._kind(name or ".")
            if kind is None:
                yield name
            elif kind == "directory":
                if recurse and (not name or self._names.enters(name)):
                    yield from walk(process, name, self._names, self.report, follow=settings.follow, silent=settings.silent)
                elif settings.directories == "read":
                    yield name
            elif kind != "file" and settings.skips_devices:
                continue
            elif self._names.takes(name):
                yield name

    def search(self, operands: list[str]) -> int:
        """Search the files and return the exit status."""
        process, settings = self._process, self._settings
        prefix = settings.prefix
        if prefix is None:
            prefix = len(operands) > 1 or (settings.directories == "recurse" and self._many(operands))
        matched = False
        for name in self.files(operands):
            shown = settings.label if name == "-" else name
            search = FileSearch(process, settings, self._pattern, shown if prefix else None, shown)
            try:
                stream = process.open(name)
            except OSError as error:
                self.report("(standard input)" if name == "-" else name, error.strerror or str(error))
                if error.errno == errno.EISDIR and settings.mode != "nothing":
                    search.finish()
                continue
            if settings.may_grow and same_file(stream, process.stdout):
                self.report(shown, "input file is also the output")
                process.close(stream)
                continue
            if settings.initial_tab:
                search.measure(stream.size() if isinstance(stream, FileStream) else None)
            if self._separate:
                search.continue_groups()
            found = search.run(stream)
            self._separate = search.printed
            process.close(stream)
            matched = matched or found
            if matched and settings.mode == "nothing":
                return 0
        return TROUBLE if self._failed else 0 if matched else 1

    def _many(self, operands: list[str]) -> bool:
        return not operands or any(self._kind(name) == "directory" for name in operands)

    def _kind(self, name: str) -> str | None:
        """What kind of a file there is; None if there is none."""
        process = self._process
        try:
            return process.fs.lookup(process.path(name)).type
        except OSError:
            return None


def _selects_nothing(arguments: Arguments) -> bool:
    """Whether ``-v`` is combined with the empty pattern, which matches every line; GNU grep then opens no file."""
    keys = {key for key, _ in arguments.given}
    if keys & {"f", "x", "w"}:
        return False
    return (arguments.all("e") or arguments.operands[:1]) == [""]


def _answer(arguments: Arguments) -> str:
    """What a command line that names no pattern, or asks about grep itself, is answered with; empty for all others."""
    if "V" in arguments:
        return "version"
    if asks_help(arguments):
        return "help"
    return "" if arguments.operands or {"e", "f"} & {key for key, _ in arguments.given} else "pointer"


@command(
    "grep",
    usage="[OPTION]... PATTERNS [FILE]...",
    summary="Search for PATTERNS in each FILE.",
    options=OPTIONS,
    usage_status=TROUBLE,
    notes="Exit status is 0 if a line is selected, 1 if none, 2 if there was trouble.",
    model="GNU grep 3.8",
    shows_usage=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the matching lines."""
    answer = arguments.once(_answer)
    if answer == "pointer":
        process.say(main.pointer())
        return TROUBLE
    if answer:
        raise HelpRequested(main.version() if answer == "version" else main.help())
    try:
        settings, pattern, operands = read(process, arguments)
        names = read_filter(process, arguments)
    except OSError as error:
        process.warn(explain(error))
        return TROUBLE
    if settings.most == 0 and settings.mode == "nothing":
        return 1
    if pattern is None and not settings.invert and settings.mode != "names without":
        return 1  # nothing can match, so GNU grep does not even open the files
    if settings.invert and settings.mode != "names without" and _selects_nothing(arguments):
        return 1
    return _Run(process, settings, pattern, names).search(operands)

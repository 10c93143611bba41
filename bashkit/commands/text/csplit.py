"""csplit: split a file into sections determined by context lines (POSIX XCU csplit)."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.counts import MOST, clamped, is_count, unclamped, width
from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room
from bashkit.syntax.digits import SPACE

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.regex import Pattern

_DIGITS = 9
_INT_MAX = 0x7FFFFFFF
_CONVERSION = re.compile(r"%([-0#']*)(\d*)(?:\.(\d*))?(.?)", re.ASCII)


class _Stop(Exception):  # noqa: N818 - the input does not go as far as a pattern; its message says so
    """The splitting ends with an error."""


class _SkippedError(_Stop):
    """The splitting ends with an error, and no rest is written."""


class _DisappearedError(_SkippedError):
    """Nothing is left to be split at a line; the files stay, and the next one is empty."""


@dataclass(frozen=True, slots=True)
class _Point:
    """One pattern: where a section ends.

    Attributes:
        text: The pattern as given.
        line: The line number, or 0 for an expression.
        pattern: The expression.
        offset: Lines after the matching one.
        skip: Whether the section before it is omitted.
        repeat: The number of repetitions; None for as many as possible.
    """

    text: str
    line: int
    pattern: Pattern | None
    offset: int
    skip: bool
    repeat: int | None


def _check_digits(text: str) -> None:
    if not is_count(text):
        problem = f": {os.strerror(errno.ERANGE)}" if is_count(text.lstrip(SPACE).removeprefix("-")) else ""
        raise UsageError(f"invalid number: {mention(text)}{problem}", hint=False)
    if clamped(text) > _INT_MAX:
        raise UsageError(f"invalid number: {mention(text)}: {os.strerror(errno.EOVERFLOW)}", hint=False)


@command(
    "csplit",
    usage="[OPTION]... FILE PATTERN...",
    summary="Output pieces of FILE separated by PATTERN(s) to files xx00, xx01, ..., and the byte counts of each piece.",
    options=(
        value("-b", "--suffix-format", metavar="FORMAT", help="use sprintf FORMAT instead of %02d"),
        value("-f", "--prefix", metavar="PREFIX", help="use PREFIX instead of 'xx'"),
        flag("-k", "--keep-files", help="do not remove output files on errors"),
        flag("--suppress-matched", help="suppress the lines matching PATTERN"),
        value("-n", "--digits", metavar="DIGITS", help="use specified number of digits instead of 2", check=_check_digits),
        flag("-s", "-q", "--quiet", "--silent", help="do not print counts of output file sizes"),
        flag("-z", "--elide-empty-files", help="remove empty output files"),
    ),
    notes="Each PATTERN is LINE, /REGEXP/[OFFSET], %REGEXP%[OFFSET], or after one of them {TIMES} or {*}.",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the sections; 1 if a pattern is not found."""
    operands = arguments.operands
    if not operands:
        raise UsageError("missing operand")
    if len(operands) == 1:
        raise UsageError(f"missing operand after {mention(operands[0])}")
    names = _Names(process, arguments)
    data, unreadable = b"", ""
    try:
        data = bytes(slurp(process, process.open(operands[0])))
    except OSError as error:
        if error.errno != errno.EISDIR:  # a directory can be opened
            process.warn(f"cannot open {quote(operands[0])} for reading: {error.strerror}")
            return 1
        unreadable = f"read error: {error.strerror}"
    points = _points(process, operands[1:])
    splitter = _Splitter(process, arguments, names, data)
    try:
        if unreadable:
            raise _Stop(unreadable)
        splitter.run(points)
    except _Stop as stop:
        process.warn(str(stop))
        if not isinstance(stop, _SkippedError):
            splitter.rest()
        if "k" not in arguments and not isinstance(stop, _DisappearedError):
            splitter.remove()
        return 1
    return 0


class _Names:
    """Makes the names of the output files."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        digits = arguments.get("n", "2") or ""
        self._prefix = arguments.get("f", "xx") or ""
        self._digits = width(digits, process.budget)
        self._format = arguments.get("b")
        if self._format is not None:
            self._check(self._format.replace("%%", ""))

    @staticmethod
    def _check(form: str) -> None:
        found = list(_CONVERSION.finditer(form))
        if not found:
            raise UsageError("missing % conversion specification in suffix", hint=False)
        letter = found[0][4]
        if not letter:
            raise UsageError("missing conversion specifier in suffix", hint=False)
        if letter not in "diouxX":
            raise UsageError(f"invalid conversion specifier in suffix: {letter}", hint=False)
        if len(found) > 1:
            raise UsageError("too many % conversion specifications in suffix", hint=False)

    def name(self, number: int) -> str:
        """The name of the file with a number."""
        if self._format is None:
            return f"{self._prefix}{number:0{self._digits}d}"

        def convert(found: re.Match[str]) -> str:
            flags, width, precision, letter = found.groups()
            text = format(number, letter if letter in "oxX" else "d")
            lead = {"o": "0", "x": "0x", "X": "0X"}.get(letter, "") if "#" in flags and number else ""
            text = text.rjust(int(precision[:_DIGITS] or 0), "0") if precision is not None else text
            room = min(int(width or 0), 255)
            if "-" in flags:
                return (lead + text).ljust(room)
            if "0" in flags and precision is None:
                return lead + text.rjust(room - len(lead), "0")
            return (lead + text).rjust(room)

        return self._prefix + "%".join(_CONVERSION.sub(convert, part) for part in self._format.split("%%"))


def _is_number(text: str) -> bool:
    """Whether a text is a number without a sign in 64 bits."""
    return is_count(text) and unclamped(text) <= MOST


def _points(process: Process, words: list[str]) -> list[_Point]:
    points: list[_Point] = []
    previous = 0
    for word in words:
        if word.startswith("{"):
            if not points or points[-1].repeat != 0:
                raise UsageError(f"{mention(word)}: invalid pattern", hint=False)
            if not word.endswith("}"):
                raise UsageError(f"{mention(word)}: '}}' is required in repeat count", hint=False)
            inner = word[1:-1]
            if inner != "*" and not _is_number(inner):
                raise UsageError(f"{mention(word[:-1])}}}: integer required between '{{' and '}}'", hint=False)
            last = points.pop()
            points.append(
                _Point(last.text, last.line, last.pattern, last.offset, last.skip, None if inner == "*" else clamped(inner))
            )
            continue
        if word[:1] in {"/", "%"}:
            points.append(_expression(process, word))
            continue
        if not _is_number(word):
            raise UsageError(f"{mention(word)}: invalid pattern", hint=False)
        line = clamped(word)
        if not line:
            raise UsageError(f"{word}: line number must be greater than zero", hint=False)
        if line < previous:
            raise UsageError(f"line number {mention(word)} is smaller than preceding line number, {previous}", hint=False)
        if line == previous:
            process.warn(f"warning: line number {mention(word)} is the same as preceding line number")
        previous = line
        points.append(_Point(word, line, None, 0, skip=False, repeat=0))
    return points


def _expression(process: Process, word: str) -> _Point:
    mark = word[0]
    end = word.rfind(mark)
    if not end:
        raise UsageError(f"{word}: closing delimiter '{mark}' missing", hint=False)
    offset = word[end + 1 :]
    if offset and not _is_number(re.sub(r"^([ \t-\r]*)-(?=[0-9])", r"\1", offset)):
        raise UsageError(f"{mention(word)}: integer expected after delimiter", hint=False)
    try:
        pattern = regex.compile(word[1:end], "basic", budget=process.budget)
    except regex.RegexError as error:
        raise UsageError(f"{mention(word)}: invalid regular expression: {error.message}", hint=False) from None
    return _Point(word, 0, pattern, clamped(offset or "0"), skip=mark == "%", repeat=0)


class _Splitter:
    """Writes the sections one after the other."""

    def __init__(self, process: Process, arguments: Arguments, names: _Names, data: bytes) -> None:
        self._process = process
        self._arguments = arguments
        self._names = names
        ask_room(data, (b"\n",), process.budget)
        self._lines = data.splitlines(keepends=True) if b"\r" not in data else re.findall(rb"[^\n]*\n|[^\n]+", data)
        process.budget.words(len(self._lines))
        self._at = 0  # lines that are written or skipped
        self._searched = 0  # lines that are searched
        self._exhausted = False  # whether the last line was searched; undocumented: then no line number is in range
        self._written: list[str] = []

    def run(self, points: list[_Point]) -> None:
        """Split at every point and write the rest."""
        for point in points:
            turn = 0
            while point.repeat is None or turn <= point.repeat:
                if point.line:
                    self._by_line(point, turn)
                elif not self._by_pattern(point, turn):
                    # The patterns behind a {*} that ran to the end of the file are not looked at.
                    if not point.skip:
                        self.rest()
                    return
                turn += 1
        self.rest()

    def rest(self) -> None:
        """Write the lines that are left."""
        self._write(len(self._lines))

    def remove(self) -> None:
        """Remove the written files."""
        for name in self._written:
            self._process.fs.unlink(self._process.path(name))

    def _by_line(self, point: _Point, turn: int) -> None:
        suppressing = "suppress-matched" in self._arguments
        if self._at == len(self._lines) and not suppressing:
            self._process.create(self._names.name(len(self._written)))
            raise _DisappearedError("input disappeared")
        end = point.line * (turn + 1) - 1
        if end >= len(self._lines) + suppressing or (suppressing and self._at == len(self._lines)):
            again = f" on repetition {turn}" if turn else ""
            raise _Stop(f"{mention(point.text)}: line number out of range{again}")
        self._write(self._at if self._exhausted and suppressing else max(end, self._at))
        if self._exhausted:
            raise _SkippedError(f"{mention(point.text)}: line number out of range")
        self._at = min(self._at + suppressing, len(self._lines))
        self._searched = max(self._searched, self._at if suppressing else end)

    def _by_pattern(self, point: _Point, turn: int) -> bool:
        pattern = point.pattern
        assert pattern is not None
        # A section never ends where it began, so the search starts after its first line, and after the last matching one.
        for index in range(self._searched, len(self._lines)):
            self._process.budget.tick()
            line = self._lines[index].removesuffix(b"\n").decode("utf-8", "surrogateescape")
            if pattern.search(line) is not None:
                break
        else:
            if point.repeat is None:
                return False
            again = f" on repetition {turn}" if turn else ""
            if not point.skip:
                raise _Stop(f"{mention(point.text)}: match not found{again}")
            raise _SkippedError(f"{mention(point.text)}: match not found{again}")
        end = index + point.offset
        if end < self._at:
            if not point.skip:
                self._write(self._at)
            raise _SkippedError(f"{mention(point.text)}: line number out of range")
        if end > len(self._lines):
            raise (_SkippedError if point.skip else _Stop)(f"{mention(point.text)}: line number out of range")
        self._exhausted = index + 1 == len(self._lines)
        if point.skip:
            self._at = end
        else:
            self._write(end)
        if "suppress-matched" in self._arguments:
            self._at = min(self._at + 1, len(self._lines))
        self._searched = max(index, end) + 1
        return True

    def _write(self, end: int) -> None:
        section = b"".join(self._lines[self._at : end])
        self._at = max(self._at, end)
        if not section and "z" in self._arguments:
            return
        name = self._names.name(len(self._written))
        self._process.create(name).write(section)
        self._written.append(name)
        if "s" not in self._arguments:
            self._process.write(f"{len(section)}\n")

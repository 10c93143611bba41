"""Parses differences: unified, context and normal (POSIX XCU patch, Patchfile Format; GNU diffutils manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, whole_lines
from bashkit.commands.comparing.patch.indents import outdented, unindented
from bashkit.limits import Charge, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.limits import Budget

_COPIES = 3  # of a line: in the patch, in a hunk, in what the hunk expects or leaves
_UNIFIED = re.compile(rb"@@ -(\d++)(?:,(\d++))? ?\+(\d++)(?:,(\d++))? ?@@?(.*)")
_NUMBERLESS = re.compile(rb"@@ -(?>(?:\d++,|\d++(?>(?:,\d++)?) ?\+(?>(?:\d++,)?))?)(?!\d)(?! ?[+@])")
_CONTEXT_OLD = re.compile(rb"\*\*\* (\d++)(?:,(\d++))? \*\*\*\*$")
_CONTEXT_NEW = re.compile(rb"--- (\d++)(?:,(\d++))? ----$")
_NORMAL = re.compile(rb"(\d++)(?:,(\d++))?([acd])(\d++)(?:,(\d++))?$")
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"')  # a name with blanks or bytes that are not ASCII
_ESCAPE = re.compile(rb'\\([abfnrtv"\\]|[0-7]{3})')
_NAMED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v", b'"': b'"', b"\\": b"\\"}
_LONGEST_NAME = 1 << 14  # bytes of a quoted name
_NO_NEWLINE = b"\\ "
_DIGITS = 9
_LOST = 3  # lines that may be missing at the end
_EXTENDED = (
    "rename from", "rename to", "copy from", "copy to", "new file mode", "deleted file mode", "old mode", "new mode", "index",
    "GIT binary",
)  # fmt: skip
_NAMES = 2  # entries of what a line ``diff --git`` says


class MalformedError(Exception):
    """A malformed difference; the message names the line."""


@dataclass(slots=True)
class Hunk:
    """One change: its lines, each ``(mark, content)`` with the marks of a unified difference.

    Attributes:
        old, new: The first line in both files, from 1; for no lines, the line before.
        lines: Context (space), removed (``-``) and added (``+``) lines, each with its newline unless it has none.
        section: The text after the second ``@@``.
    """

    old: int
    new: int
    lines: list[tuple[bytes, bytes]] = field(default_factory=list)
    section: bytes = b""

    def reversed(self) -> Hunk:
        """The hunk that undoes this hunk."""
        swapped = {b"-": b"+", b"+": b"-", b" ": b" "}
        lines = [(swapped[mark], text) for mark, text in self.lines]
        # Removed lines come first in every group.
        ordered: list[tuple[bytes, bytes]] = []
        group: list[tuple[bytes, bytes]] = []
        for line in [*lines, (b" ", b"")]:
            if line[0] == b" ":
                ordered += sorted(group, key=lambda item: item[0] == b"+")
                ordered.append(line)
                group = []
            else:
                group.append(line)
        return Hunk(self.new, self.old, ordered[:-1], self.section)

    def before(self) -> list[bytes]:
        """The lines that the hunk expects."""
        return [text for mark, text in self.lines if mark != b"+"]

    def after(self) -> list[bytes]:
        """The lines that the hunk leaves."""
        return [text for mark, text in self.lines if mark != b"-"]

    def context(self) -> tuple[int, int]:
        """How many lines of context begin and end the hunk."""
        marks = [mark for mark, _ in self.lines]
        head = next((count for count, mark in enumerate(marks) if mark != b" "), len(marks))
        return head, next((count for count, mark in enumerate(reversed(marks)) if mark != b" "), len(marks))


@dataclass(slots=True)
class Difference:
    """The changes of a patch to one file.

    Attributes:
        style: ``unified``, ``context`` or ``normal``.
        old, new, index: The names in its header, or empty.
        old_header, new_header: The header lines after their marks.
        line: The line of its first hunk in the patch, from 1.
        text: The lines before it.
        hunks: The changes.
        extended: The headers of git: ``new file mode``, ``rename from`` …
        is_bare: Whether it was read without carriage returns at the ends of its lines.
        indent: The columns of blanks in front of each of its lines.
        is_cut: Whether the patch ends in the middle of one of its lines.
        error: Where it is malformed, after its hunks.
    """

    style: str
    line: int = 0
    old: str = ""
    new: str = ""
    index: str = ""
    old_header: bytes = b""
    new_header: bytes = b""
    text: list[bytes] = field(default_factory=list)
    hunks: list[Hunk] = field(default_factory=list)
    extended: dict[str, str] = field(default_factory=dict)
    is_bare: bool = False
    indent: int = 0
    is_cut: bool = False
    error: MalformedError | None = None

    def is_one_sided(self, *, reverse: bool) -> bool:
        """Whether the hunks only take lines away, or only add some where they are undone."""
        own = b"+" if reverse else b"-"
        return all(mark == own for hunk in self.hunks for mark, _ in hunk.lines)

    def finds_nothing(self, *, reverse: bool) -> bool:
        """Whether there is no line in the file before, or after, where it is undone."""
        hunk = self.hunks[0] if self.hunks else None
        return hunk is not None and not ((hunk.new or hunk.after()) if reverse else (hunk.old or hunk.before()))

    def leaves_nothing(self, *, reverse: bool) -> bool:
        """Whether no line is left of a file."""
        return self.finds_nothing(reverse=not reverse)

    @property
    def is_nameless(self) -> bool:
        """Whether nothing says which file it is about."""
        return not (self.old or self.new or self.index)


def _name(header: bytes) -> str:
    """The file name in a header line, up to a tab or a date."""
    quoted = _QUOTED.match(header, 0, _LONGEST_NAME)
    if quoted is not None:
        return _ESCAPE.sub(_escaped, quoted[1]).decode("utf-8", "surrogateescape")
    text = header.decode("utf-8", "surrogateescape").rstrip("\r\n")
    name = text.split("\t")[0]
    return re.split(r"\s+\d{4}-\d\d-\d\d[ T]", name)[0].rstrip() if "\t" not in text else name


def _plain(header: bytes) -> bytes:
    """A header line whose name is not quoted."""
    quoted = _QUOTED.match(header, 0, _LONGEST_NAME)
    return header if quoted is None else _ESCAPE.sub(_escaped, quoted[1]) + header[quoted.end() :]


def _escaped(found: re.Match[bytes]) -> bytes:
    return _NAMED.get(found[1]) or bytes([int(found[1], 8) & 255])


class Reader:
    """Parses the differences in a patch file.

    Args:
        data: The whole file.
        budget: Charged for every line.
        binary: Whether carriage returns are kept where the header has one, too.
    """

    def __init__(self, data: bytes, budget: Budget, *, binary: bool) -> None:
        budget.tick(len(data) >> 4)
        self._charge = Charge(budget)
        self._charge.reach(_COPIES * LINE * data.count(b"\n"))
        self._lines = whole_lines(data, budget)
        self._at = 0
        self._binary = binary
        self._remarks = 0  # lines about missing newlines so far, which GNU patch does not count
        self._indent = 0  # columns of blanks in front of the lines of the current difference
        self._bare = False  # whether the current difference is read without the carriage returns at the ends of its lines
        # Of a line without its end only a remark about a missing newline counts.
        self._cut = bool(self._lines) and not self._lines[-1].endswith(b"\n") and not self._lines[-1].startswith(_NO_NEWLINE)
        if self._cut:
            self._lines.pop()
        self.rest = False  # whether something follows the last difference
        self.cut = 0  # how often the line without an end that follows it is read

    def read(self) -> Iterator[Difference]:
        """Parse the differences one by one; a malformed one is the last."""
        started = 0
        extended: dict[str, str] = {}
        within = False  # whether the line without an end belongs to a hunk
        headers: dict[bytes, bytes] = {}  # the last lines ``---`` and ``+++``
        index = ""
        while self._at < len(self._lines):
            turn()
            line, indent = unindented(self._lines[self._at])
            following = unindented(self._lines[self._at + 1])[0] if self._at + 1 < len(self._lines) else b""
            difference = None
            if line.startswith(b"@@ -"):
                difference = Difference("unified")
            elif line.startswith((b"--- ", b"+++ ")):
                headers[line[:3]] = line
            elif line.startswith(b"*** ") and following.startswith(b"--- ") and not _CONTEXT_OLD.match(line.rstrip()):
                difference = Difference("context")
            elif _NORMAL.match(line.rstrip()) and following[:2] in {b"< ", b"> "}:
                difference = Difference("normal")
            elif line.startswith(b"Index:"):
                index = _name(line[6:].strip())
            elif line.startswith(b"diff --git "):
                if len(extended) > _NAMES:
                    yield self._without_hunks(extended, started)
                    started = self._at
                extended, headers = _pair(line[11:].strip()), {}
            elif extended:
                for key in _EXTENDED:
                    if line.startswith(key.encode() + b" "):
                        extended[key] = _name(line[len(key) + 1 :].strip())
            if difference is None:
                self._at += 1
                continue
            difference.index, difference.extended = index, extended
            old, new = line, following
            if difference.style == "unified":
                old, new = headers.get(b"---", b""), headers.get(b"+++", b"")
            elif difference.style == "context":
                self._at += 2
            self._bare = not self._binary and (line if difference.style == "normal" else new or old).endswith(b"\r\n")
            difference.is_bare = self._bare
            difference.indent = self._indent = indent
            if difference.style != "normal":
                difference.old_header, difference.new_header = _plain(old[4:]), _plain(new[4:])
                difference.old, difference.new = _name(old[4:]), _name(new[4:])
            difference.text = self._lines[started : self._at]
            difference.line = self._at + 1 - self._remarks
            try:
                {"unified": self._unified, "context": self._context, "normal": self._normal}[difference.style](difference)
            except MalformedError as error:
                difference.error = error
            if self._cut and self._at >= len(self._lines) and difference.style != "unified":
                difference.is_cut = True
                difference.error = MalformedError(f"unexpected end of file in patch at line {self._at}")
            yield difference
            if difference.error is not None:
                return
            started, extended, headers, index, within = self._at, {}, {}, "", difference.is_cut
        if len(extended) > _NAMES:
            yield self._without_hunks(extended, started)
        else:
            self.rest = started < len(self._lines) or (self._cut and not within)
        if self._cut and not within:  # a line directly behind a hunk is read twice
            self.cut = 2 if 0 < started == len(self._lines) else 1

    def _without_hunks(self, extended: dict[str, str], start: int) -> Difference:
        """A difference of git that only names, creates or deletes a file, or changes its mode."""
        return Difference(
            "unified", self._at, extended["old"], extended["new"], text=self._lines[start : self._at], extended=extended
        )

    def _next(self) -> bytes:
        turn()
        line = self._peek()
        self._at += 1
        return line

    def _peek(self) -> bytes:
        line = self._lines[self._at] if self._at < len(self._lines) else b""
        if self._indent:
            line = outdented(line, self._indent)
        return line[:-2] + b"\n" if self._bare and line.endswith(b"\r\n") else line

    def _malformed(self, what: str = "malformed patch") -> MalformedError:
        line = min(self._at, len(self._lines))
        text = outdented(self._lines[line - 1], self._indent) if line == self._at else b" \n"
        return MalformedError(f"{what} at line {line - self._remarks}: {text.decode('utf-8', 'surrogateescape')}")

    def _unified(self, difference: Difference) -> None:
        while (line := self._peek()).startswith(b"@@ -"):
            self._at += 1
            found = _UNIFIED.match(line)
            if found is None:
                raise self._malformed("missing line number" if _NUMBERLESS.match(line) else "malformed patch")
            left = int(found[2][:_DIGITS]) if found[2] else 1
            right = int(found[4][:_DIGITS]) if found[4] else 1
            hunk = Hunk(int(found[1][:_DIGITS]), int(found[3][:_DIGITS]), section=found[5].rstrip(b"\r\n"))
            while left > 0 or right > 0:
                difference.is_cut = self._cut and self._at >= len(self._lines)
                if self._at >= len(self._lines) and left == right:  # blank lines at the end are lost now and then
                    if left > _LOST:
                        raise MalformedError("unexpected end of file in patch")
                    hunk.lines += [(b" ", b"\n")] * left
                    break
                line = self._next()
                mark = line[:1]
                if mark in {b"\n", b"\r"}:
                    mark, line = b" ", b" " + line  # mail programs strip the space of an empty line
                if line.startswith(_NO_NEWLINE):
                    _strip_newline(hunk)
                    self._remarks += 1
                    continue
                if mark not in {b" ", b"-", b"+"} or (mark != b"+" and left <= 0) or (mark != b"-" and right <= 0):
                    raise self._malformed()
                left -= mark != b"+"
                right -= mark != b"-"
                hunk.lines.append((mark, line[1:]))
            if all(mark == b" " for mark, _ in hunk.lines):
                raise self._malformed()
            if self._peek().startswith(_NO_NEWLINE):
                self._at += 1
                self._remarks += 1
                _strip_newline(hunk)
            difference.hunks.append(hunk)

    def _context(self, difference: Difference) -> None:
        while self._peek().startswith(b"***************"):
            self._at += 1
            found = _CONTEXT_OLD.match(self._next().rstrip())
            if found is None:
                raise self._malformed()
            start = int(found[1][:_DIGITS])
            old = self._context_half(b"- !")
            other = _CONTEXT_NEW.match(self._next().rstrip())
            if other is None:
                raise self._malformed()
            new = self._context_half(b"+ !")
            # A half without changes is omitted: its context is in the other half.
            if not old:
                old = [(mark, text) for mark, text in new if mark == b" "]
            if not new:
                new = [(mark, text) for mark, text in old if mark == b" "]
            difference.hunks.append(Hunk(start, int(other[1][:_DIGITS]), _merged(old, new)))

    def _context_half(self, marks: bytes) -> list[tuple[bytes, bytes]]:
        half: list[tuple[bytes, bytes]] = []
        while line := self._peek():
            if line.startswith(_NO_NEWLINE) and half:
                half[-1] = half[-1][0], half[-1][1].removesuffix(b"\n")
                self._remarks += 1
            elif line[1:2] == b" " and line[:1] in {b" ", marks[:1], marks[2:3]} and not _CONTEXT_NEW.match(line.rstrip()):
                half.append((b" " if line[:1] == b" " else line[:1], line[2:]))
            else:
                break
            self._at += 1
        return half

    def _normal(self, difference: Difference) -> None:
        while found := _NORMAL.match(self._peek().rstrip()):
            self._at += 1
            kind = found[3]
            hunk = Hunk(int(found[1][:_DIGITS]), int(found[4][:_DIGITS]))
            for mark, sign in ((b"<", b"-"), (b">", b"+")):
                while self._peek().startswith((mark + b" ", _NO_NEWLINE)):
                    line = self._next()
                    if line.startswith(_NO_NEWLINE):
                        _strip_newline(hunk)
                        self._remarks += 1
                    else:
                        hunk.lines.append((sign, line[2:]))
                if mark == b"<" and kind == b"c":
                    if self._next().rstrip() != b"---":
                        raise self._malformed()
            difference.hunks.append(hunk)


def _pair(names: bytes) -> dict[str, str]:
    """The two names of a line ``diff --git``."""
    quoted = _QUOTED.match(names, 0, _LONGEST_NAME)
    old, new = (quoted[0], names[quoted.end() :].strip()) if quoted else names.rpartition(b' "b/')[::2]
    if not old:
        old, _, new = names.partition(b" b/")
        new = b"b/" + new
    elif quoted is None:
        new = b'"b/' + new
    return {"old": _name(old), "new": _name(new)}


def _strip_newline(hunk: Hunk) -> None:
    if hunk.lines:
        mark, text = hunk.lines[-1]
        hunk.lines[-1] = mark, text.removesuffix(b"\n")


def _merged(old: list[tuple[bytes, bytes]], new: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Merge the two halves of a context difference."""
    lines: list[tuple[bytes, bytes]] = []
    left, right = 0, 0
    while left < len(old) or right < len(new):
        if left < len(old) and old[left][0] != b" ":
            lines.append((b"-", old[left][1]))
            left += 1
        elif right < len(new) and new[right][0] != b" ":
            lines.append((b"+", new[right][1]))
            right += 1
        else:
            lines.append((b" ", old[left][1] if left < len(old) else new[right][1]))
            left, right = left + 1, right + 1
    return lines

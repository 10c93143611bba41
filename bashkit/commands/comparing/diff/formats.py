"""The output formats of diff: normal, unified, context, ed, RCS and side by side (GNU diffutils manual, Output Formats)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands._notation.encoding import width as columns
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.comparing.diff.merged import merged
from bashkit.commands.comparing.diff.sides import shown_name
from bashkit.limits import Charge, paced, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.commands.comparing.diff.edits import Change
    from bashkit.commands.comparing.diff.settings import Settings
    from bashkit.commands.comparing.diff.sides import Side
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_TIME = "%Y-%m-%d %H:%M:%S.%N %z"
_GUTTER = 3
_FUNCTION_WIDTH = 40
_PLAIN = re.compile(rb"[ -~]*")  # a line whose columns are its bytes


def show(
    process: Process, settings: Settings, left: Side, right: Side, found: list[Change], ignored: set[Change], output: Stream
) -> None:
    """Write the changes in the requested style; changes in ``ignored`` appear only in hunks of others."""
    if settings.expand_tabs and settings.style != "side":
        left, right = (replace(side, lines=[line.expandtabs(settings.tab_size) for line in side.lines]) for side in (left, right))
    writer = _Writer(process, settings, left, right, output)
    process.budget.tick(len(found) * 10)
    counted = [change for change in found if change not in ignored]
    if settings.style == "merged":
        for text in merged(settings.formats, left, right, counted, process.budget):
            output.write(text)
    elif settings.style == "side":
        writer.side_by_side(counted)
    elif settings.style in {"unified", "context"}:
        writer.hunks(found, ignored)
    else:
        {"ed": writer.ed, "forward ed": writer.forward_ed, "rcs": writer.rcs}.get(settings.style, writer.normal)(counted)


_ROW = 4096  # pieces that are written at once


class _Writer:
    """Writes one pair of files."""

    def __init__(self, process: Process, settings: Settings, left: Side, right: Side, output: Stream) -> None:
        self._process = process
        self._output = output
        self._settings = settings
        self._left = left
        self._right = right

    def _write(self, pieces: Iterable[bytes]) -> None:
        source = iter(pieces)
        while row := list(islice(source, _ROW)):
            text = b"".join(row)
            self._process.budget.tick(1 + (len(text) >> 10))
            self._output.write(text)

    def _painted(self, line: bytes) -> bytes:
        colors = self._settings.colors
        if colors is None:
            return line
        mark = line[:1]
        return colors.paint(colors.deleted if mark in b"-<" else colors.added if mark in b"+>" else colors.place, line)

    def _marked(self, side: Side, mark: bytes, start: int, end: int) -> list[bytes]:
        """Some lines with what stands before each."""
        return [self._painted(side.line(index, mark)) for index in paced(range(start, end))]

    # -- normal, ed, RCS ---------------------------------------------------------------------------------------------

    def normal(self, found: list[Change]) -> None:
        """``5,7c8,10``, ``<`` lines, ``---`` and ``>`` lines."""
        gap = b"\t" if self._settings.initial_tab else b" "
        for change in found:
            old, new = _range(change.old_start, change.old_end), _range(change.new_start, change.new_end)
            letter = (
                "c"
                if change.old_end > change.old_start and change.new_end > change.new_start
                else "d"
                if change.old_end > change.old_start
                else "a"
            )
            place = f"{old}{letter}{new}\n".encode()
            pieces = [self._painted(place)]
            pieces += self._marked(self._left, b"<" + gap, change.old_start, change.old_end)
            pieces += [b"---\n"] if letter == "c" else []
            pieces += self._marked(self._right, b">" + gap, change.new_start, change.new_end)
            self._write(pieces)

    def ed(self, found: list[Change]) -> None:
        """A script for ed(1), last change first."""
        for change in reversed(found):
            old = _range(change.old_start, change.old_end)
            if change.new_start == change.new_end:
                self._write([f"{old}d\n".encode()])
                continue
            letter = "c" if change.old_end > change.old_start else "a"
            lines = self._right.lines[change.new_start : change.new_end]
            self._write([f"{old}{letter}\n".encode(), *self._inserted(lines)])

    @staticmethod
    def _inserted(lines: list[bytes]) -> Iterator[bytes]:
        """What ed(1) takes for the inserted lines: a lone dot, which would end them, is written as two, and one removed again."""
        inserting = True
        for line in lines:
            if not inserting:
                yield b"a\n"
                inserting = True
            if line == b".":
                yield b"..\n.\ns/.//\n"
                inserting = False
            else:
                yield line + b"\n"
        if inserting:
            yield b".\n"

    def forward_ed(self, found: list[Change]) -> None:
        """As for ed(1), first change first and the letters before the lines, as if the lines before had not changed."""
        for change in found:
            first, last = change.old_start + 1, change.old_end
            place = f"{first} {last}" if last > first else str(first if last == first else change.old_end)
            if change.new_start == change.new_end:
                self._write([f"d{place}\n".encode()])
                continue
            letter = "c" if change.old_end > change.old_start else "a"
            lines = self._right.lines[change.new_start : change.new_end]
            self._write([f"{letter}{place}\n".encode(), *(line + b"\n" for line in lines), b".\n"])

    def rcs(self, found: list[Change]) -> None:
        """``d5 3`` and ``a7 2`` with the lines added."""
        for change in found:
            if change.old_end > change.old_start:
                self._write([f"d{change.old_start + 1} {change.old_end - change.old_start}\n".encode()])
            if change.new_end > change.new_start:
                places = range(change.new_start, change.new_end)
                lines = (self._right.lines[place] + b"\n" * self._right.ends(place) for place in places)
                self._write([f"a{change.old_end} {len(places)}\n".encode(), *lines])

    # -- unified and context -----------------------------------------------------------------------------------------

    def hunks(self, found: list[Change], ignored: set[Change]) -> None:
        """Changes with lines of context around them, near ones together."""
        groups = self._groups(found, ignored)
        if not groups:
            return
        marks = ("---", "+++") if self._settings.style == "unified" else ("***", "---")
        header = [self._header(mark, side) for mark, side in zip(marks, (self._left, self._right), strict=True)]
        colors = self._settings.colors
        self._write(line if colors is None else colors.paint(colors.header, line) for line in header)
        for group in groups:
            (self._unified if self._settings.style == "unified" else self._context)(group)

    def _header(self, mark: str, side: Side) -> bytes:
        if side.label is not None:
            return f"{mark} {side.label}\n".encode("utf-8", "surrogateescape")
        zone = self._process.system.timezone(self._process.env.get("TZ", ""))
        return f"{mark} {shown_name(side.name)}\t{strftime(_TIME, Moment.of(side.modified, zone))}\n".encode()

    def _groups(self, found: list[Change], ignored: set[Change]) -> list[list[Change]]:
        groups: list[list[Change]] = []
        near = 2 * self._settings.context
        for change in found:
            # An ignored change joins others only if it is nearer than the context.
            distance = self._settings.context - 1 if change in ignored else near
            if groups and change.old_start - groups[-1][-1].old_end <= distance:
                groups[-1].append(change)
            else:
                groups.append([change])
        return [group for group in groups if any(change not in ignored for change in group)]

    def _span(self, group: list[Change]) -> tuple[int, int, int, int]:
        context = self._settings.context
        before = min(context, group[0].old_start, group[0].new_start)
        after = min(context, len(self._left.lines) - group[-1].old_end, len(self._right.lines) - group[-1].new_end)
        return group[0].old_start - before, group[-1].old_end + after, group[0].new_start - before, group[-1].new_end + after

    def _function(self, start: int) -> bytes:
        if self._settings.function is None:
            return b""
        for index in paced(range(start - 1, -1, -1)):
            self._process.budget.tick()
            text = self._left.lines[index].decode("utf-8", "surrogateescape")
            if self._settings.function.search(text) is not None:
                return b" " + self._left.lines[index].lstrip()[:_FUNCTION_WIDTH].rstrip()
        return b""

    def _unified(self, group: list[Change]) -> None:
        old_start, old_end, new_start, new_end = self._span(group)
        tab = b"\t" if self._settings.initial_tab else b""
        place = f"@@ -{_extent(old_start, old_end)} +{_extent(new_start, new_end)} @@".encode()
        pieces = [self._painted(place + b"\n")[:-1] + self._function(old_start) + b"\n"]
        position = old_start
        for change in group:
            pieces += [self._left.line(index, tab or b" ") for index in paced(range(position, change.old_start))]
            pieces += self._marked(self._left, b"-" + tab, change.old_start, change.old_end)
            pieces += self._marked(self._right, b"+" + tab, change.new_start, change.new_end)
            position = change.old_end
        pieces += [self._left.line(index, tab or b" ") for index in paced(range(position, old_end))]
        self._write(pieces)

    def _context(self, group: list[Change]) -> None:
        old_start, old_end, new_start, new_end = self._span(group)
        gap = b"\t" if self._settings.initial_tab else b" "
        colors = self._settings.colors
        old, new = f"*** {_range(old_start, old_end)} ****\n".encode(), f"--- {_range(new_start, new_end)} ----\n".encode()
        before: list[bytes] = []
        after: list[bytes] = []
        if any(change.old_end > change.old_start for change in group):
            spans = [(change.old_start, change.old_end, change.new_end > change.new_start) for change in group]
            before = _marked(self._left, spans, old_start, old_end, b"-", gap)
        if any(change.new_end > change.new_start for change in group):
            spans = [(change.new_start, change.new_end, change.old_end > change.old_start) for change in group]
            after = _marked(self._right, spans, new_start, new_end, b"+", gap)
        if colors is not None:
            old, new = colors.paint(colors.place, old), colors.paint(colors.place, new)
            before = [colors.paint(colors.deleted, line) for line in paced(before)]
            after = [colors.paint(colors.added, line) for line in paced(after)]
        self._write([b"***************" + self._function(old_start) + b"\n", old, *before, new, *after])

    # -- side by side ------------------------------------------------------------------------------------------------

    def side_by_side(self, found: list[Change]) -> None:
        """Two columns with a mark between them."""
        self._process.budget.string(self._settings.width)
        layout = _Columns(self._settings.width, self._settings.tab_size, self._settings.expand_tabs)
        position, other = 0, 0
        for change in found:
            self._common(layout, position, change.old_start, other, change.new_start)
            both = min(change.old_end - change.old_start, change.new_end - change.new_start)
            for step in paced_if_many(range(both)):
                self._row(layout, change.old_start + step, "|", change.new_start + step)
            for index in paced(range(change.old_start + both, change.old_end)):
                self._row(layout, index, "<", None)
            for index in paced(range(change.new_start + both, change.new_end)):
                self._row(layout, None, ">", index)
            position, other = change.old_end, change.new_end
        self._common(layout, position, len(self._left.lines), other, len(self._right.lines))

    def _common(self, layout: _Columns, start: int, end: int, other: int, other_end: int) -> None:
        """Common lines, line by line; where changes are ignored, one side may have more of them."""
        if self._settings.suppress_common:
            return
        both = 0 if self._settings.left_column else min(end - start, other_end - other)
        for step in paced_if_many(range(both)):
            self._row(layout, start + step, " ", other + step)
        for index in paced_if_many(range(start + both, end)):
            self._row(layout, index, "(", None)
        if not self._settings.left_column:
            for index in paced_if_many(range(other + both, other_end)):
                self._row(layout, None, ")", index)

    def _row(self, layout: _Columns, left: int | None, mark: str, right: int | None) -> None:
        """Write a row of two lines, or of one; where only one of two has no newline, the mark leans to the other."""
        ends_left = left is not None and self._left.ends(left)
        ends_right = right is not None and self._right.ends(right)
        if mark == "|" and ends_left != ends_right:
            mark = "/" if ends_left else "\\"
        row = layout.row(
            None if left is None else self._left.lines[left], mark, None if right is None else self._right.lines[right]
        )
        if ends_left or ends_right:
            row += b"\n"
        colors = self._settings.colors
        if colors is not None and mark in "<>":  # with its newline
            row = (colors.deleted if mark == "<" else colors.added) + row + colors.reset
        self._write([row])


def _marked(side: Side, spans: list[tuple[int, int, bool]], start: int, end: int, letter: bytes, gap: bytes) -> list[bytes]:
    pieces, position = [], start
    for first, last, both in spans:
        pieces += [side.line(index, b" " + gap) for index in paced(range(position, first))]
        pieces += [side.line(index, (b"!" if both else letter) + gap) for index in paced(range(first, last))]
        position = last
    return pieces + [side.line(index, b" " + gap) for index in paced(range(position, end))]


def _range(start: int, end: int) -> str:
    """A range of lines as ed(1) addresses: ``5``, ``5,7``; an empty range is the line before it."""
    if end - start <= 1:
        return str(end)
    return f"{start + 1},{end}"


def _extent(start: int, end: int) -> str:
    """A range of lines in a unified hunk: start and, unless it is 1, count."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + 1 if count else start},{count}"


class _Columns:
    """The two columns of the side-by-side form.

    Their positions were observed with diff 3.8, two lines longer than any row, and widths from 1 to 133:

    - The second text begins two columns behind the middle of the row. With tabs it begins at a tab stop instead, the next one for
      every two of width: with tabs of 8, it is 8 up to a width of 20, 16 up to 36, 24 up to 52. A tab up to the end is left out.
    - Both texts get as many columns, as there are in front of it without the gutter of three, or behind it.
    - The mark stands halfway between the end of the first text and the second. A row without room for texts has only the mark.

    Args:
        width: The width of a row.
        tab: The columns between tab stops.
        spaces: Pad with spaces only.
    """

    def __init__(self, width: int, tab: int, spaces: bool) -> None:
        step = 1 if spaces else tab
        second = (width + step + _GUTTER) // (2 * step) * step
        self._half = max(0, min(second - _GUTTER, width - second))
        self._second = second if self._half else width
        self._middle = (self._half + self._second - 1) // 2
        self._spaces = spaces
        self._tab = tab

    def row(self, left: bytes | None, mark: str, right: bytes | None) -> bytes:
        """The row without its newline; a missing text stays empty."""
        text, position = self._cut(left) if left is not None else (b"", 0)
        if mark != " ":
            text += self._gap(position, self._middle) + mark.encode()
            position = self._middle + 1
        if right:
            text += self._gap(position, self._second) + self._cut(right, self._second)[0]
        return text

    def _cut(self, line: bytes, start: int = 0) -> tuple[bytes, int]:
        """The part of a line that fits, and its columns; a carriage return goes back to where the text begins."""
        if _PLAIN.fullmatch(line):
            part = line[: self._half]
            return part, len(part)
        taken, position, there = "", 0, 0
        done: list[str] = []  # the text up to the last carriage return
        size, charge = 0, Charge()
        for char in paced_if_many(line.decode("utf-8", "surrogateescape")):
            if char == "\r":
                size += len(taken) + start + 1
                charge.reach(size)
                done.append(taken + "\r" + self._gap(0, start).decode())
                taken, position, there = "", 0, 0
                continue
            if char == "\t":
                width = self._tab - position % self._tab
            elif char == "\b":
                if not position:
                    continue
                width = -1
            else:
                width = int(char >= " " and char != "\x7f") if char < "\x80" else columns(char)
            position += width
            if position <= self._half - (char == "\t" and not self._spaces):
                taken += " " * width if char == "\t" and self._spaces else char
                there = position
            elif char == "\t" and self._spaces:  # the part for which there is room
                taken, there = taken + " " * (self._half - there), max(there, self._half)
        return "".join([*done, taken]).encode("utf-8", "surrogateescape"), there

    def _gap(self, start: int, end: int) -> bytes:
        if self._spaces:
            return b" " * (end - start)
        tabs = max(0, end // self._tab - start // self._tab)
        return b"\t" * tabs + b" " * (end - (end // self._tab * self._tab if tabs else start))

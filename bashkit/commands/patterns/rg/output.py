"""The output modes that rg has and grep does not: replacing, columns, counts of matches, JSON, and matches over several lines."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands.patterns.grep.colours import NONE
from bashkit.commands.patterns.rg.statistics import Statistics
from bashkit.limits import paced_if_many, turn
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.patterns.grep.colours import Colours
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget
    from bashkit.regex import Match, Pattern

_MATCH, _START = 512, 48  # bytes that a match takes, and where a line begins
_LINE_STEPS = 8  # microseconds to show a line
_BATCH = 1 << 16  # characters that are collected before they are written
_REFERENCE = re.compile(r"\$(?:(\$)|\{(\w+)\}|(\w+))")


@dataclass(frozen=True, slots=True)
class Style:
    """The output settings.

    Attributes:
        pattern: The pattern.
        replacement: The replacement of ``-r``; None to print lines unchanged.
        numbers, column, offsets: Whether line numbers, columns and byte offsets go in front.
        only: Matches instead of lines.
        each: A line for every match (``--vimgrep``).
        count: Print only the number of matches.
        passthru: Lines without a match, too.
        as_json: JSON Lines.
        quiet: Nothing at all.
        most: Maximum number of lines; None for all.
        trim: Remove leading blanks.
        before, after: How many lines around a match are shown, too.
        invert: Lines without a match.
        separator: What stands between runs of lines; None for nothing.
        null_names: Whether a NUL follows a name.
        widest: The bytes from which on a line is not shown; None for any.
        preview: Whether the beginning of such a line is shown.
        colours: How the parts are painted.
        marks: What follows each item before the text, in lines that are selected, and in the others.
    """

    pattern: Pattern
    replacement: str | None
    numbers: bool
    column: bool
    offsets: bool
    only: bool
    each: bool
    count: bool
    passthru: bool
    as_json: bool
    quiet: bool
    most: int | None
    trim: bool
    before: int = 0
    after: int = 0
    invert: bool = False
    separator: str | None = None
    null_names: bool = False
    widest: int | None = None
    preview: bool = False
    colours: Colours = NONE
    marks: tuple[str, str] = (":", "-")


def expand(template: str, match: Match, names: dict[str, int], budget: Budget) -> str:
    """Fill in ``$1``, ``${1}`` and ``$name`` in a replacement.

    Args:
        template: The replacement.
        match: The match to replace.
        names: The numbers of the named groups.
        budget: Asked for the room of what is filled in.
    """
    size = len(template)

    def fill(found: re.Match[str]) -> str:
        nonlocal size
        if found[1]:
            return "$"
        name = found[2] or found[3]
        if not is_digits(name) and name not in names:
            return ""
        try:
            text = match.group(names[name] if name in names else int(name)) or ""
        except (IndexError, ValueError):
            return ""
        size += len(text)
        budget.string(size)
        budget.tick(1 + (len(text) >> 10))
        return text

    return _REFERENCE.sub(fill, template)


def show(
    process: Process,
    style: Style,
    name: str | None,
    text: str,
    path: str,
    statistics: Statistics | None = None,
    title: str = "",
) -> bool:
    """Print the selected output of a file; return whether anything was selected.

    Args:
        process: The running command.
        style: The output settings.
        name: The name before each line; None for no name.
        text: The file.
        path: Its name for JSON.
        statistics: What JSON adds to.
        title: What comes before the first line: the heading, or the separator from the file before.
    """
    replaces = style.replacement is not None
    matches, ends = _matches(process, style.pattern, text, None if style.invert else style.most, replaces=replaces)
    if style.invert:
        matches, ends = _others(process, text, ends, style.most)
    if style.count:
        if matches:
            total = len(matches) if style.invert else sum(map(len, matches.values()))
            closing = "\0" if style.null_names else ":"
            process.write(f"{name + closing if name is not None else ''}{total}\n")
        return bool(matches)
    if style.as_json:
        if matches and not style.quiet:
            _json(process, style, text, path, matches, ends, statistics or Statistics(process.system.now()))
        return bool(matches)
    around = _around(process, style, text, ends) if (style.before or style.after) and not style.passthru else {}
    _tell_all(process, style, text, matches, ends, around)
    output = _Output(process, title)
    single = style.each or style.only
    number, offset, counted, last = 1, 0, 0, -1
    for start in sorted(_all_lines(process, text, ends) if style.passthru else {*matches, *around}):
        number += text.count("\n", counted, start)
        offset += _size(text[counted:start])
        counted = start
        found = matches.get(start, [])
        end = ends[start] if start in ends else around[start] if start in around else _end(text, start)
        if around and last >= 0 and start > last + 1 and style.separator is not None:
            output.write(style.separator + "\n")
        last = end
        mark = style.marks[not (start in matches or not (style.passthru or around))]
        shown = [found[:1]] if not single or not found else ([match] for match in found)
        reached = _Place(start, number, offset) if single and found else None
        for group in shown:
            if reached is not None:
                reached.reach(text, group[0].start())
            head = [name] if name is not None else []
            for line in _shown(process, style, text, (start, end), (number, offset), reached, group, found, head, mark):
                output.write(line)
    output.flush()
    return bool(matches)


@dataclass(slots=True)
class _Place:
    """A place in a file, with the number of its line and the bytes before it."""

    at: int
    number: int
    offset: int

    def reach(self, text: str, place: int) -> None:
        """Go on to a place."""
        passed = text[self.at : place]
        self.number += passed.count("\n")
        self.offset += _size(passed)
        self.at = place


class _Output:
    """Collects lines and writes many of them at once.

    Args:
        process: The running command.
        title: What comes before the first line.

    Attributes:
        size: The bytes that were written.
    """

    def __init__(self, process: Process, title: str = "") -> None:
        self._process = process
        self._pieces = [title]
        self._held = 0
        self.size = 0

    def write(self, line: str) -> None:
        """Write a line, now or later."""
        self._process.budget.tick(_LINE_STEPS + (len(line) >> 10))
        self._pieces.append(line)
        self._held += len(line)
        if self._held > _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what was collected, unless there was no line."""
        if self._held:
            data = "".join(self._pieces).encode("utf-8", "surrogateescape")
            self.size += len(data)
            self._pieces.clear()
            self._held = 0
            self._process.stdout.write(data)


def selected(process: Process, pattern: Pattern, text: str, *, invert: bool, most: int | None = None) -> int:
    """How many lines of a file a match begins in, or with ``invert`` how many have none.

    Where matches can have several lines, each one counts.
    """
    matches, ends = _matches(process, pattern, text, None if invert else most)
    if invert:
        return len(_others(process, text, ends, most)[0])
    return sum(map(len, matches.values())) if pattern.has_newline else len(matches)


def _matches(
    process: Process, pattern: Pattern, text: str, most: int | None = None, *, replaces: bool = False
) -> tuple[dict[int, list[Match]], dict[int, int]]:
    """The matches by the lines that they begin in, and where the last line of each ends.

    Where matches can have several lines, those whose lines overlap or follow each other are one.
    """
    matches: dict[int, list[Match]] = {}
    ends: dict[int, int] = {}
    limit = len(text) - text.endswith("\n") if text else -1  # no line
    unended = -1 if text.endswith("\n") or replaces else len(text)  # behind it no line ends: what matches there is not told
    joins = pattern.has_newline
    group, reached = 0, -2
    for match in pattern.finditer(text):
        process.budget.tick()
        process.hold(_MATCH)
        low, high = match.span()
        if low > limit:
            break
        start = text.rfind("\n", 0, low) + 1
        end = _end(text, max(high - 1, low) if high > low else low)
        if not joins or start > reached + 1:
            group = start
        if group not in matches and most is not None and len(matches) >= most:
            break
        found = matches.setdefault(group, [])
        if low != unended:
            found.append(match)
        ends[group] = reached = end
    return matches, ends


def _others(
    process: Process, text: str, ends: dict[int, int], most: int | None = None
) -> tuple[dict[int, list[Match]], dict[int, int]]:
    """The lines without a match, or so many of them, as ``_matches`` gives those with one."""
    others: dict[int, int] = {}
    for start in _all_lines(process, text, ends):
        if len(others) == most:
            break
        if start not in ends:
            process.hold(_MATCH)
            others[start] = _end(text, start)
    return {start: [] for start in others}, others


def _shown(
    process: Process,
    style: Style,
    text: str,
    extent: tuple[int, int],
    place: tuple[int, int],
    reached: _Place | None,
    group: list[Match],
    found: list[Match],
    head: list[str],
    mark: str,
) -> Iterator[str]:
    """The lines for a match, or for a line.

    Args:
        process: The running command.
        style: The output settings.
        text: The file.
        extent: Where the line begins and ends in it.
        place: The line's number, and the bytes before it.
        reached: Where the match begins, if a line is shown for it alone.
        group: The match that it is shown for; empty for none.
        found: All matches in it.
        head: What is before everything.
        mark: What follows each item before the text.
    """
    number, offset = place
    if reached is None:
        before = _size(text[extent[0] : group[0].start()]) if style.column and group else 0
    else:
        before, number = reached.offset - offset, reached.number
    if style.each and reached is not None:  # only the line that the match begins in
        first = max(extent[0], text.rfind("\n", 0, reached.at) + 1)
        before = _size(text[first : reached.at])
        offset = reached.offset - before
        extent = first, min(extent[1], _end(text, first))
    body, spans = _body(process, style, text, extent, group, found)
    if style.widest and _size(body) + (not (style.only and group)) > style.widest:  # with the end of the line, if that is shown
        body, spans = _shortened(style, body, spans, selected=mark == style.marks[0])
    passed = sized = coloured = 0
    for row, part in enumerate((body.removesuffix("\n") if style.only else body).split("\n")):
        told = _head(
            style,
            head,
            number + row if style.numbers else None,
            before + 1 if style.column and group else None,
            offset + (before if style.only or style.each else sized) if style.offsets else None,
            mark,
        )
        while coloured < len(spans) and spans[coloured][1] <= passed:
            coloured += 1
        bare = part.lstrip(" \t") if style.trim else part
        yield told + _painted(bare, passed + len(part) - len(bare), spans, coloured, style.colours) + "\n"
        passed += len(part) + 1
        sized += _size(part) + 1


def _body(
    process: Process, style: Style, text: str, extent: tuple[int, int], group: list[Match], found: list[Match]
) -> tuple[str, list[tuple[int, int]]]:
    """The text that is shown, and where the matches are in it; see ``_shown``."""
    start, end = extent
    if style.only and group:
        fill = style.replacement
        body = expand(fill, group[0], style.pattern.names, process.budget) if fill is not None else group[0].group() or ""
        process.budget.tick(len(body) >> 10)
        return body, [(0, len(body))]
    process.budget.tick(end - start >> 10)
    if style.replacement is not None and found:
        replaced = group if style.each and style.pattern.has_newline else found
        body, spans = _replaced(text[start : end + 1], start, replaced, style.replacement, style.pattern.names, process.budget)
        return body.removesuffix("\n"), spans
    return text[start:end], [(match.start() - start, match.end() - start) for match in (group if style.each else found)]


def _head(style: Style, names: list[str], number: int | None, column: int | None, offset: int | None, mark: str) -> str:
    """What stands before the text of a line."""
    colours = style.colours
    if not colours.name and not style.null_names:
        return "".join([f"{item}{mark}" for item in (*names, number, column, offset) if item is not None])
    shown = [colours.paint(colours.name, name) + ("\0" if style.null_names else mark) for name in names]
    shown += [colours.paint(colours.number, str(number)) + mark] if number is not None else []
    shown += [colours.paint(colours.offset, str(item)) + mark for item in (column, offset) if item is not None]
    return "".join(shown)


def _painted(text: str, start: int, spans: list[tuple[int, int]], first: int, colours: Colours) -> str:
    """A part of a line with its matches in their colour.

    Args:
        text: The part.
        start: Where it begins in the line.
        spans: Where the matches are in the line.
        first: The first of them that does not end before the part.
        colours: The colours.
    """
    if not colours.selected_match:
        return text
    pieces: list[str] = []
    place = 0
    for begin, stop in _joined(spans, first):
        if begin - start >= len(text):
            break
        turn()
        low, high = max(begin - start, place), min(stop - start, len(text))
        if low < high:
            pieces += text[place:low], colours.paint(colours.selected_match, text[low:high])
            place = high
    return "".join([*pieces, text[place:]])


def _joined(spans: list[tuple[int, int]], first: int) -> Iterator[tuple[int, int]]:
    """The spans from the given one on; those that touch are one, and those of nothing are none."""
    low = high = -1
    for begin, stop in itertools.islice(spans, first, None):
        if begin != high:
            if low < high:
                yield low, high
            low = begin
        high = stop
    if low < high:
        yield low, high


def _shortened(style: Style, body: str, spans: list[tuple[int, int]], *, selected: bool) -> tuple[str, list[tuple[int, int]]]:
    """What is shown in place of a line that is too long, and its matches in that."""
    known = spans if style.column or style.replacement is not None or style.colours.selected_match else []
    if not style.preview:
        what = f"line with {len(known)} matches" if known else "matching line" if selected else "context line"
        return f"[Omitted long {what}]", []
    end = style.widest or 0
    more = sum(low >= end for low, _ in known)
    left = f"{more} more match{'es' * (more != 1)}" if known else "omitted end of long line"
    return f"{body[:end]} [... {left}]", [(low, min(high, end)) for low, high in known]


def _size(text: str) -> int:
    """The bytes of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def _end(text: str, start: int) -> int:
    """Where a line ends."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _all_lines(process: Process, text: str, ends: dict[int, int]) -> list[int]:
    process.hold(_START * text.count("\n"))
    starts, position = [], 0
    while position < len(text):
        turn()
        starts.append(position)
        position = (ends[position] if position in ends else _end(text, position)) + 1
    return starts


def _replaced(
    line: str, start: int, found: list[Match], template: str, names: dict[str, int], budget: Budget
) -> tuple[str, list[tuple[int, int]]]:
    """A line with replacements in place of its matches, and where these are in it."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    position = size = 0
    for match in found:
        low, high = match.start() - start, match.end() - start
        pieces += [line[position:low], expand(template, match, names, budget)]
        size += len(pieces[-2]) + len(pieces[-1])
        spans.append((size - len(pieces[-1]), size))
        budget.string(size)
        budget.tick(2)
        position = high
    return "".join([*pieces, line[position:]]), spans


def _text(text: str) -> dict[str, str]:
    return {"text": text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")}


def _around(process: Process, style: Style, text: str, ends: dict[int, int]) -> dict[int, int]:
    """The lines around matches that are told as their context: where each begins and ends."""
    lines = _all_lines(process, text, ends)
    chosen: dict[int, int] = {}
    for index, start in enumerate(paced_if_many(lines)):
        last = min(index + 1 + style.after, len(lines))
        if start in ends:
            for place in (
                *range(max(index - style.before, 0), index),
                *range(index + 1, last),
            ):
                turn()
                if lines[place] not in ends and lines[place] not in chosen:
                    process.hold(_MATCH)
                    chosen[lines[place]] = _end(text, lines[place])
    return chosen


def _tell_all(
    process: Process,
    style: Style,
    text: str,
    matches: dict[int, list[Match]],
    ends: dict[int, int],
    around: dict[int, int],
) -> None:
    """Let the matches in lines of context be told as matches, which those after ``-m`` lines do not count as."""
    if style.most is None or style.invert or not around:
        return
    every, all_ends = _matches(process, style.pattern, text)
    for start in around.keys() & every.keys():
        matches[start], ends[start] = every[start], all_ends[start]


def _json(
    process: Process, style: Style, text: str, path: str, matches: dict[int, list[Match]], ends: dict[int, int], total: Statistics
) -> None:
    output = _Output(process)
    output.write(_event("begin", {"path": _text(path)}))
    number, offset, counted = 1, 0, 0
    around = _around(process, style, text, ends) if style.before or style.after else {}
    own_matches = sum(map(len, matches.values()))
    own_lines = sum(text.count("\n", start, ends[start]) + 1 for start in matches)
    _tell_all(process, style, text, matches, ends, around)
    for start in sorted({*matches, *around}):
        number += text.count("\n", counted, start)
        offset += _size(text[counted:start])
        counted = start

        def place(position: int, start: int = start) -> int:
            process.budget.tick(1 + (position - start >> 10))
            return _size(text[start:position])

        data: dict[str, object] = {
            "path": _text(path),
            "lines": _text(text[start : (ends if start in ends else around)[start] + 1]),
            "line_number": number if style.numbers else None,
            "absolute_offset": offset,
            "submatches": [
                {"match": _text(m.group() or ""), "start": place(m.start()), "end": place(m.end())}
                for m in matches.get(start, ())
            ],
        }
        output.write(_event("match" if start in matches else "context", data))
    output.flush()
    own = Statistics(
        process.system.now(), searches=1, with_match=1, searched=_size(text), printed=output.size, lines=own_lines,
        matches=own_matches,
    )  # fmt: skip
    total.add(own)
    process.write(_event("end", {"path": _text(path), "binary_offset": None, "stats": own.values()}))


def _event(kind: str, data: dict[str, object]) -> str:
    return json.dumps({"type": kind, "data": data}, ensure_ascii=False, separators=(",", ":")) + "\n"

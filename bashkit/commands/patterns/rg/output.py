"""The output modes that rg has and grep does not: replacing, columns, counts of matches, JSON, and matches over several lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands.patterns.rg.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.regex import Match, Pattern

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
        most: Maximum number of lines; None for all.
        trim: Remove leading blanks.
        before, after: How many lines around a match are shown, too.
        invert: Lines without a match.
        separator: What stands between runs of lines; None for nothing.
        null_names: Whether a NUL follows a name.
        widest: The bytes from which on a line is not shown; None for any.
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
    most: int | None
    trim: bool
    before: int = 0
    after: int = 0
    invert: bool = False
    separator: str | None = None
    null_names: bool = False
    widest: int | None = None
    marks: tuple[str, str] = (":", "-")


def expand(template: str, match: Match, names: dict[str, int]) -> str:
    """Fill in ``$1``, ``${1}`` and ``$name`` in a replacement.

    Args:
        template: The replacement.
        match: The match to replace.
        names: The numbers of the named groups.
    """

    def fill(found: re.Match[str]) -> str:
        if found[1]:
            return "$"
        name = found[2] or found[3]
        if not name.isdecimal() and name not in names:
            return ""
        try:
            return match.group(names[name] if name in names else int(name)) or ""
        except (IndexError, ValueError):
            return ""

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
    matches, ends = _matches(process, style.pattern, text, None if style.invert else style.most)
    if style.invert:
        matches, ends = _others(text, ends)
    if style.count:
        if matches:
            total = len(matches) if style.invert else sum(map(len, matches.values()))
            closing = "\0" if style.null_names else ":"
            process.write(f"{name + closing if name is not None else ''}{total}\n")
        return bool(matches)
    if style.as_json:
        if matches:
            _json(process, style, text, path, matches, ends, statistics or Statistics(process.system.now()))
        return bool(matches)
    around = _around(style, text, ends) if (style.before or style.after) and not style.passthru else {}
    _tell_all(process, style, text, matches, ends, around)
    pieces: list[str] = []
    number, counted, last = 1, 0, -1
    for start in sorted(_all_lines(text, ends) if style.passthru else {*matches, *around}):
        number += text.count("\n", counted, start)
        counted = start
        found = matches.get(start, [])
        end = ends.get(start, around.get(start, text.find("\n", start) if "\n" in text[start:] else len(text)))
        if around and last >= 0 and start > last + 1 and style.separator is not None:
            pieces.append(style.separator + "\n")
        last = end
        mark = style.marks[not (start in matches or not (style.passthru or around))]
        shown = [found[:1]] if not (style.each or style.only) or not found else [[match] for match in found]
        for group in shown:
            pieces += _shown(style, text, (start, end), number, group, found, [name] if name is not None else [], mark)
    if pieces:
        process.write(title + "".join(pieces))
    return bool(matches)


def selected(process: Process, pattern: Pattern, text: str, *, invert: bool) -> int:
    """How many lines of a file a match begins in, or with ``invert`` how many have none."""
    matches, ends = _matches(process, pattern, text)
    return len(_others(text, ends)[0]) if invert else len(matches)


def _matches(
    process: Process, pattern: Pattern, text: str, most: int | None = None
) -> tuple[dict[int, list[Match]], dict[int, int]]:
    """The matches by the lines that they begin in, and where the last line of each ends."""
    matches: dict[int, list[Match]] = {}
    ends: dict[int, int] = {}
    limit = len(text) - text.endswith("\n") if text else -1  # no line
    for match in pattern.finditer(text):
        process.budget.tick()
        low, high = match.span()
        if low > limit:
            break
        start = text.rfind("\n", 0, low) + 1
        end = text.find("\n", max(high - 1, low) if high > low else low)
        if start not in matches and most is not None and len(matches) >= most:
            break
        matches.setdefault(start, []).append(match)
        ends[start] = len(text) if end < 0 else end
    return matches, ends


def _others(text: str, ends: dict[int, int]) -> tuple[dict[int, list[Match]], dict[int, int]]:
    """The lines without a match, as ``_matches`` gives those with one."""
    others: dict[int, int] = {}
    for start in _all_lines(text, ends):
        if start not in ends:
            end = text.find("\n", start)
            others[start] = len(text) if end < 0 else end
    return {start: [] for start in others}, others


def _shown(
    style: Style,
    text: str,
    extent: tuple[int, int],
    number: int,
    group: list[Match],
    found: list[Match],
    head: list[str],
    mark: str,
) -> Iterator[str]:
    """The lines for a match, or for a line.

    Args:
        style: The output settings.
        text: The file.
        extent: Where the line begins and ends in it.
        number: The line's number.
        group: The match that it is shown for; empty for none.
        found: All matches in it.
        head: What is before everything.
        mark: What follows each item before the text.
    """
    start, end = extent
    body = line = text[start:end]
    named = len(head)
    before = len(text[start : group[0].start()].encode("utf-8", "surrogateescape")) if group else 0
    if style.numbers:
        head.append(str(number))
    if style.column and group:
        head.append(str(before + 1))
    if style.offsets:
        head.append(str(len(text[:start].encode("utf-8", "surrogateescape")) + (before if style.only or style.each else 0)))
    if style.only and group:
        fill = style.replacement
        body = expand(fill, group[0], style.pattern.names) if fill is not None else group[0].group() or ""
    elif style.replacement is not None:
        body = _replaced(line, start, found, style.replacement, style.pattern.names)
    size = len(body.encode("utf-8", "surrogateescape"))
    if style.widest and size >= style.widest:
        several = style.column or style.replacement is not None
        what = (
            f"line with {len(found)} matches"
            if several and found
            else "matching line"
            if mark == style.marks[0]
            else "context line"
        )
        body = f"[Omitted long {what}]"
    for row, part in enumerate((body.removesuffix("\n") if style.only else body).split("\n")):
        if row and style.numbers:
            head[named] = str(number + row)
        shown = [f"{item}{mark}" for item in head]
        if named and style.null_names:
            shown[0] = head[0] + "\0"
        yield "".join(shown) + (part.lstrip(" \t") if style.trim else part) + "\n"


def _all_lines(text: str, ends: dict[int, int]) -> list[int]:
    starts, position = [], 0
    while position < len(text):
        starts.append(position)
        end = ends.get(position, text.find("\n", position))
        position = len(text) if end < 0 else end + 1
    return starts


def _replaced(line: str, start: int, found: list[Match], template: str, names: dict[str, int]) -> str:
    pieces, position = [], 0
    for match in found:
        low, high = match.start() - start, match.end() - start
        pieces += [line[position:low], expand(template, match, names)]
        position = high
    return "".join(pieces) + line[position:]


def _text(text: str) -> dict[str, str]:
    return {"text": text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")}


def _around(style: Style, text: str, ends: dict[int, int]) -> dict[int, int]:
    """The lines around matches that are told as their context: where each begins and ends."""
    lines = _all_lines(text, ends)
    chosen: dict[int, int] = {}
    for index, start in enumerate(lines):
        last = min(index + 1 + style.after, len(lines))
        if start in ends:
            for place in (
                *range(max(index - style.before, 0), index),
                *range(index + 1, last),
            ):
                if lines[place] not in ends:
                    end = text.find("\n", lines[place])
                    chosen[lines[place]] = len(text) if end < 0 else end
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
    events: list[dict[str, object]] = [{"type": "begin", "data": {"path": _text(path)}}]
    number, counted = 1, 0
    around = _around(style, text, ends) if style.before or style.after else {}
    own_lines, own_matches = len(matches), sum(map(len, matches.values()))
    _tell_all(process, style, text, matches, ends, around)
    for start in sorted({*matches, *around}):
        number += text.count("\n", counted, start)
        counted = start

        def place(position: int, start: int = start) -> int:
            return len(text[start:position].encode("utf-8", "surrogateescape"))

        events.append(
            {
                "type": "match" if start in matches else "context",
                "data": {
                    "path": _text(path),
                    "lines": _text(text[start : (ends if start in ends else around)[start] + 1]),
                    "line_number": number,
                    "absolute_offset": len(text[:start].encode("utf-8", "surrogateescape")),
                    "submatches": [
                        {"match": _text(m.group() or ""), "start": place(m.start()), "end": place(m.end())}
                        for m in matches.get(start, ())
                    ],
                },
            }
        )
    shown = _lines(events)
    own = Statistics(
        process.system.now(), searches=1, with_match=1, searched=len(text.encode("utf-8", "surrogateescape")),
        printed=len(shown.encode("utf-8", "surrogateescape")), lines=own_lines, matches=own_matches,
    )  # fmt: skip
    total.add(own)
    end: dict[str, object] = {"type": "end", "data": {"path": _text(path), "binary_offset": None, "stats": own.values()}}
    process.write(shown + _lines([end]))


def _lines(events: list[dict[str, object]]) -> str:
    return "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events)

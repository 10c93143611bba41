"""The output modes of the sqlite3 shell (sqlite.org/cli.html, Changing Output Formats)."""

from __future__ import annotations

import html
import json
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands.data.sqlite3.database import Exact
from bashkit.commands.data.sqlite3.wording import identifier, tcl_string
from bashkit.limits import ask_room_for, paced_if_many, running_budget, turn
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bashkit.commands.data.sqlite3.database import Row, Value
    from bashkit.limits import Budget

MODES = (
    "ascii",
    "box",
    "column",
    "csv",
    "html",
    "insert",
    "json",
    "line",
    "list",
    "markdown",
    "qbox",
    "quote",
    "table",
    "tabs",
    "tcl",
)
_SEPARATORS: dict[str, tuple[str | None, str | None]] = {  # of columns and of rows, where the mode changes them
    "csv": (",", None), "tabs": ("\t", None), "ascii": ("\x1f", "\x1e"), "quote": (",", None),
}  # fmt: skip
_SEPARATORS_OF_COMMAND: dict[str, tuple[str | None, str | None]] = {  # ``.mode`` changes more of them than an option does
    **_SEPARATORS, "csv": (",", "\r\n"), "quote": (",", "\n"), "list": ("|", "\n"), "tcl": (" ", "\n"),
    "column": (None, "\n"), "line": (None, "\n"),
}  # fmt: skip
EXACT = {"insert", "json", "quote"}  # modes that show all digits of numbers
_LONG = 1 << 17  # characters of a cell whose lines need room to speak of
_SHORT = 4096  # characters beside the cells of a row, of which there is always room for a batch
_WRAP = 60  # characters of a cell's line where ``.mode`` chose the table
_BREAK = re.compile(r"\r\n|[\x01-\x08\x0a-\x1f]")
_BREAKS = frozenset(map(chr, range(1, 32))) - {"\t"}
_CSV_SPECIAL = frozenset(map(chr, range(33))) | {'"', "'", "\x7f"}


class ModeError(Exception):
    """There is no such mode, or no such option of one."""


@dataclass(slots=True)
class Layout:
    """How results are shown.

    Attributes:
        mode: One of MODES.
        headers: Show the names of the columns.
        separator, ending: The texts between columns and after rows, in the modes that use them.
        null: The text for NULL.
        table: The table of ``insert``.
        widths: The widths of the columns from ``.width``; negative to align right.
        wrap: Tables break the lines of their cells after so many characters; 0 for never.
        by_words: They do it between words.
        quotes: Tables show SQL literals.
    """

    mode: str = "list"
    headers: bool = False
    separator: str = "|"
    ending: str = "\n"
    null: str = ""
    table: str = "table"
    widths: list[int] = field(default_factory=list)
    wrap: int = 0
    by_words: bool = False
    quotes: bool = False

    @property
    def description(self) -> str:
        """The mode as ``.mode`` and ``.show`` tell it."""
        if self.mode not in TABLES:
            return "list" if self.mode == "tabs" else self.mode
        quote = "quote" if self.quotes else "noquote"
        return f"{self.mode} --wrap {self.wrap} --wordwrap {'on' if self.by_words else 'off'} --{quote}"

    def choose(self, mode: str, *, by_command: bool = False) -> None:
        """Change the mode and its separators, by an option or by ``.mode``."""
        self.mode = "box" if mode == "qbox" else mode
        self.wrap, self.by_words, self.quotes = _WRAP if by_command else 0, False, mode == "qbox"
        separator, ending = (_SEPARATORS_OF_COMMAND if by_command else _SEPARATORS).get(mode, (None, None))
        self.separator, self.ending = separator or self.separator, ending or self.ending

    def change(self, words: list[str]) -> None:
        """Change the mode and how it shows tables, as the words behind ``.mode`` say.

        Raises:
            ModeError: They are wrong.
        """
        operands, options = _options(words)
        if operands:
            name = {"columns": "column", "lines": "line"}.get(operands[0], operands[0])
            chosen = name if name in MODES else next((mode for mode in MODES if mode.startswith(name)), None)
            if chosen is None:
                raise ModeError(f"Error: mode should be one of: {' '.join(MODES)}")
            self.choose(chosen, by_command=True)
            if chosen == "insert":
                self.table = operands[1] if len(operands) > 1 else "table"
        for key, value in options:
            setattr(self, key, value)


def _options(rest: list[str]) -> tuple[list[str], list[tuple[str, int]]]:
    """The operands of ``.mode``, and which attributes of the layout its options set.

    Raises:
        ModeError: There is no such option.
    """
    words: list[str] = []
    options: list[tuple[str, int]] = []
    pending = list(rest)
    while pending:
        word = pending.pop(0)
        name = word.lstrip("-")
        if not word.startswith("-"):
            words.append(word)
        elif name in {"quote", "noquote"}:
            options.append(("quotes", name == "quote"))
        elif name == "ww":
            options.append(("by_words", True))
        elif name == "wrap" and pending:
            text = pending.pop(0)
            options.append(("wrap", int(text[:6]) if is_digits(text) else 0))
        elif name == "wordwrap" and pending:
            options.append(("by_words", pending.pop(0).lower() in {"on", "yes", "1"}))
        else:
            known = "  --noquote\n  --quote\n  --wordwrap on/off\n  --wrap N\n  --ww"
            raise ModeError(f"unknown option: {word}\noptions:\n{known}")
    return words, options


def real(number: float, digits: int = 15) -> str:
    """Write a number with a fraction as SQLite does."""
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    text = format(number or 0.0, f".{digits}g")
    mantissa, mark, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + mark + exponent


def plain(item: Value, null: str) -> str:
    """Write a value as text."""
    if item is None:
        return null
    if isinstance(item, float):
        return real(item)
    if isinstance(item, bytes):
        return item.split(b"\0")[0].decode("utf-8", "surrogateescape")
    return str(item).split("\0", maxsplit=1)[0]


def literal(item: Value) -> str:
    """Write a value as an SQL literal."""
    if item is None:
        return "NULL"
    if isinstance(item, bytes):
        return f"X'{item.hex()}'"
    if isinstance(item, float):
        return _exact(item)
    return str(item) if isinstance(item, int) else "'" + item.replace("'", "''") + "'"


def _exact(number: float) -> str:
    """Write a number with all its digits, as SQL and JSON read it."""
    if not math.isfinite(number):
        return "1e999" if number > 0 else "-1e999"
    return number.text if isinstance(number, Exact) else real(number, 20)


def line_literal(item: Value) -> str:
    """Write a value as an SQL expression without line ends."""
    text = literal(item)
    if not isinstance(item, str):
        return text
    for end, name, code in (("\r", "\\r", 13), ("\n", "\\n", 10)):
        if end in item:
            mark = name if name not in item else f"\\{code:03o}"
            text = f"replace({text.replace(end, mark)},'{mark}',char({code}))"
    return text


def show(names: list[str], rows: list[Row], layout: Layout, *, first: bool = True) -> str:
    """Write a result as text.

    Args:
        names: The columns.
        rows: The result, or a part of it in modes that do not need all rows.
        layout: The layout.
        first: Whether this is the first part.
    """
    if layout.mode in TABLES:
        return TABLES[layout.mode](names, rows, layout) if rows else ""
    beside = (
        sum(map(len, names)) + len(layout.table) + len(names) * (len(layout.separator) + len(layout.null) + len(layout.ending))
    )
    if beside > _SHORT and (budget := running_budget()) is not None:
        budget.room(beside * len(rows))
    head = layout.headers and first and bool(rows)
    if layout.mode == "json":
        return _json(names, rows)
    if layout.mode == "line":
        room = max(5, *map(len, names)) if names else 5
        blocks = [
            "".join(f"{name:>{room}} = {plain(item, layout.null)}{layout.ending}" for name, item in zip(names, row, strict=True))
            for row in rows
        ]
        return ("" if first else layout.ending) + layout.ending.join(blocks) if blocks else ""
    if layout.mode == "html":
        text = _html(names, "TH") if head else ""
        return text + "".join(_html([plain(item, layout.null) for item in row], "TD") for row in rows)
    if layout.mode == "insert":
        table = identifier(layout.table)
        columns = f"({','.join(map(identifier, names))})" if layout.headers else ""
        return "".join(f"INSERT INTO {table}{columns} VALUES({','.join(map(line_literal, row))});\n" for row in rows)
    cell: Callable[[Value], str] = lambda item: plain(item, layout.null)  # noqa: E731 - one of several
    name_cell: Callable[[str], str] = str
    if layout.mode == "csv":
        cell = lambda item: _csv(item, layout)  # noqa: E731
        name_cell = cell
    elif layout.mode == "quote":
        cell = lambda item: real(item) if isinstance(item, float) and math.isinf(item) else literal(item)  # noqa: E731
        name_cell = literal
    elif layout.mode == "tcl":
        cell = lambda item: tcl_string(plain(item, layout.null))  # noqa: E731
        name_cell = cell
    lines = [layout.separator.join(map(name_cell, names))] if head else []
    lines += [layout.separator.join(map(cell, row)) for row in rows]
    return "".join(line + layout.ending for line in lines)


def _csv(item: Value, layout: Layout) -> str:
    if item is None:
        return layout.null
    text = plain(item, "")
    if isinstance(item, (int, float)):
        return text
    special = not text or layout.separator in text or not text.isascii() or not _CSV_SPECIAL.isdisjoint(text)
    return '"' + text.replace('"', '""') + '"' if special else text


def _html(cells: Sequence[str], tag: str) -> str:
    return "<TR>" + "\n".join(f"<{tag}>{html.escape(cell).replace('&#x27;', '&#39;')}</{tag}>" for cell in cells) + "\n</TR>\n"


def _json(names: list[str], rows: list[Row]) -> str:
    if not rows:
        return ""

    def text(item: Value) -> str:
        if isinstance(item, float):
            return _exact(item)
        if isinstance(item, bytes):
            item = item.decode("utf-8", "surrogateescape")
        return json.dumps(item, ensure_ascii=False)

    keys = [json.dumps(name, ensure_ascii=False) for name in names]
    shown = ["{" + ",".join(f"{key}:{text(item)}" for key, item in zip(keys, row, strict=True)) + "}" for row in rows]
    return "[" + ",\n".join(shown) + "]\n"


def _cells(names: list[str], rows: list[Row], layout: Layout) -> tuple[list[str], list[list[list[str]]], list[int]]:
    """The heads of the columns, the lines of every cell, and the widths."""
    fixed = [*(abs(size) for size in layout.widths), *[0] * len(names)][: len(names)]
    limits = [size or layout.wrap for size in fixed]
    cell: Callable[[Value], str] = _quoted if layout.quotes else lambda item: plain(item, layout.null)
    table = [
        [_wrapped(cell(item), limit, layout) for item, limit in zip(row, limits, strict=True)] for row in paced_if_many(rows)
    ]
    heads = [_wrapped(name, limit, layout)[0] for name, limit in zip(names, limits, strict=True)]
    widths = [
        size or max([len(head), *(max(map(len, row[column])) for row in paced_if_many(table))])
        for column, (head, size) in enumerate(zip(heads, fixed, strict=True))
    ]
    budget = running_budget()
    if budget is not None:  # every line is as wide as the widest
        budget.room(sum(max(map(len, row)) for row in paced_if_many(table)) * sum(size + 3 for size in widths))
    return heads, table, widths


def _quoted(item: Value) -> str:
    """A value as a table shows it with ``--quote``."""
    if isinstance(item, bytes):
        return f"x'{item.hex()}'"
    return plain(item, "") if isinstance(item, float) else literal(item)


def _wrapped(text: str, limit: int, layout: Layout) -> list[str]:
    """The lines of a cell, none of more than ``limit`` characters."""
    text = text.removesuffix("\n")
    budget = running_budget()
    if len(text) > _LONG and budget is not None:
        _ask_room(text, limit, budget)
    if "\t" in text and limit and not layout.by_words:
        return [part for line in _BREAK.split(text) for part in _with_tabs(line, limit)]
    lines = [line.expandtabs() for line in paced_if_many(_BREAK.split(text))]
    if not limit:
        return lines
    if layout.by_words:
        return [part for line in lines for part in _by_words(line, limit)]
    return [
        line[start : start + limit]
        for line in paced_if_many(lines)
        for start in paced_if_many(range(0, max(len(line), 1), limit))
    ]


def _ask_room(text: str, limit: int, budget: Budget) -> None:
    """Ask for the room of the lines of a long cell."""
    pieces = len(text) // limit if limit else 0
    for mark in _BREAKS:
        budget.tick(len(text) >> 12)
        pieces += text.count(mark)
    ask_room_for(pieces, len(text), budget)


def _with_tabs(line: str, limit: int) -> Iterator[str]:
    """The parts of a line, in each of which tabs go on to the next multiple of eight."""
    part: list[str] = []
    for char in line:
        if len(part) >= limit:
            yield "".join(part)
            part = []
        turn()
        part += " " * (min(limit, len(part) // 8 * 8 + 8) - len(part)) if char == "\t" else char
    yield "".join(part)


def _by_words(line: str, limit: int) -> Iterator[str]:
    """The parts of a line, which end with words where there are any in the second half of what there is room for."""
    start = 0
    while len(line) - start > limit:
        places = range(start + limit, start + limit // 2, -1)
        end = next((place for place in places if line[place - 1].isspace()), 0) or next(
            (place for place in places if line[place - 1].isalnum() != line[place].isalnum()), start + limit
        )
        yield line[start:end]
        turn()
        start = end
        while start < len(line) and line[start] == " ":
            start += 1
    yield line[start:]


def _has_tall(table: list[list[list[str]]]) -> bool:
    """Whether a row has several lines, so that rows are separated."""
    return any(len(cell) > 1 for row in table for cell in row)


def _padded(text: str, size: int) -> str:
    return text + " " * (size - len(text))


def _centred(text: str, size: int) -> str:
    space = size - len(text)
    return " " * (space // 2) + text + " " * (space - space // 2)


def _columns(names: list[str], rows: list[Row], layout: Layout) -> str:
    heads, table, widths = _cells(names, rows, layout)
    lines = []
    if layout.headers:
        cells = [([head], size) for head, size in zip(heads, widths, strict=True)]
        lines.append("  ".join(_aligned(cell, 0, size, layout, column) for column, (cell, size) in enumerate(cells)))
        lines.append("  ".join("-" * size for size in widths))
    tall = _has_tall(table)
    for number, row in enumerate(paced_if_many(table)):
        lines += [""] if number and tall else []
        placed = [(column, cell, size) for column, (cell, size) in enumerate(zip(row, widths, strict=True))]
        lines += [
            "  ".join(_aligned(cell, line, size, layout, column) for column, cell, size in placed)
            for line in paced_if_many(range(max(map(len, row))))
        ]
    return "\n".join([*lines, ""])


def _aligned(cell: list[str], line: int, size: int, layout: Layout, column: int) -> str:
    text = cell[line] if line < len(cell) else ""
    right = column < len(layout.widths) and layout.widths[column] < 0
    return " " * (size - len(text)) + text if right else _padded(text, size)


def _framed(names: list[str], rows: list[Row], layout: Layout, marks: tuple[str, str, str, str, str]) -> str:
    """Write a table in a frame: vertical and horizontal bars, then the joints of the top, middle and bottom lines."""
    upright, level, top, middle, bottom = marks
    heads, table, widths = _cells(names, rows, layout)

    def rule(joints: str) -> str:
        return joints[0] + joints[1].join(level * (size + 2) for size in widths) + joints[2] + "\n"

    def line(cells: list[str]) -> str:
        return f"{upright} " + f" {upright} ".join(cells) + f" {upright}\n"

    text = rule(top) if top else ""
    text += line([_centred(head, size) for head, size in zip(heads, widths, strict=True)]) + rule(middle)
    between = rule(middle) if bottom and _has_tall(table) else ""
    for index, row in enumerate(paced_if_many(table)):
        text += between if index else ""
        for number in paced_if_many(range(max(map(len, row)))):
            text += line(
                [
                    _aligned(cell, number, size, layout, column)
                    for column, (cell, size) in enumerate(zip(row, widths, strict=True))
                ]
            )
    return text + (rule(bottom) if bottom else "")


TABLES: dict[str, Callable[[list[str], list[Row], Layout], str]] = {
    "column": _columns,
    "table": lambda names, rows, layout: _framed(names, rows, layout, ("|", "-", "+++", "+++", "+++")),
    "markdown": lambda names, rows, layout: _framed(names, rows, layout, ("|", "-", "", "|||", "")),
    "box": lambda names, rows, layout: _framed(names, rows, layout, ("│", "─", "┌┬┐", "├┼┤", "└┴┘")),
}

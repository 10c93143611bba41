"""column: lines in columns, or fields in a table (util-linux column(1))."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, lines
from bashkit.commands._filesystem.targets import is_directory
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.encoding import width
from bashkit.commands._notation.locale import OCTETS, encoding
from bashkit.commands.records.column.table import Columns, table
from bashkit.commands.records.column.tree import as_json, drawn, roots
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.limits import ask_room, paced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_TAB = 8
_CELL = 64  # bytes that a field of a line takes
_ROW = 160  # bytes that a row takes in a tree
_WIDEST = 999_999_999  # columns
_SCREEN = 80  # default columns of a line


def _number(text: str, what: str = "columns") -> int:
    if not is_count(text):
        raise UsageError(f"invalid {what} argument: '{text}'", hint=False)
    return min(clamped(text), _WIDEST)


def _check_limit(text: str) -> None:
    _number(text, "columns limit")


def _fill(items: list[str], limit: int, budget: Budget, *, across: bool) -> str:
    """Arrange the items in as many columns as fit, filled downwards or across, with tabs between them."""
    cell = (max(map(width, paced(items))) // _TAB + 1) * _TAB  # a cell is not wider than the line, so few tabs are needed
    columns = max(limit // cell, 1) if cell < limit else 1
    rows = -(-len(items) // columns)
    budget.room(rows * (columns - 1) * cell // _TAB)
    result: list[str] = []
    for row in paced(range(rows), 1 + columns):
        chosen = items[row * columns : (row + 1) * columns] if across else items[row::rows]
        line = ""
        column = 0
        for index, item in enumerate(chosen):
            if index:
                target = index * cell
                line += "\t" * -(-(target - column) // _TAB)
                column = target
            line += item
            column += width(item)
        result.append(line + "\n")
    return "".join(result)


_OF_TABLES = ("N", "O", "R", "H", "T", "W", "n")  # options


def _split(line: str, separators: str | None, limit: int | None) -> list[str]:
    """Split a line into fields: at spaces and tabs, or at single separators."""
    if separators is None:
        return [field for field in line.replace("\t", " ").split(" ") if field] if limit is None else _limited(line, limit)
    if not separators:
        return [line]
    for char in {*separators[1:]} - {separators[0]}:
        line = line.replace(char, separators[0])
    return line.split(separators[0], -1 if limit is None else limit - 1)


def _limited(line: str, limit: int) -> list[str]:
    """Split a line at blanks into at most so many fields; the last begins behind one blank."""
    fields: list[str] = []
    end = -1
    for word in paced(re.finditer(r"[^ \t]+", line)):
        if len(fields) == limit - 1:
            return [*fields, line[end + 1 :]]
        fields.append(word[0])
        end = word.end()
    return fields


def _line_width(process: Process, arguments: Arguments) -> int:
    """The columns of a line, from the option or the environment."""
    given = arguments.get("c")
    if given is not None:
        return _number(given)
    given = process.env.get("COLUMNS", "")
    return int(given) if re.fullmatch("[1-9][0-9]{0,8}", given) else _SCREEN


def _table(process: Process, arguments: Arguments, rows: list[list[str]], screen: int) -> Iterable[str]:
    columns = Columns.of(arguments, rows)
    shown = rows
    if "J" in arguments or "r" in arguments:
        process.hold(_ROW * len(rows))
        top = roots(rows, columns, arguments, process.budget)
        if "J" in arguments:
            return as_json(top, columns, arguments, process.budget)
        shown = drawn(top, columns, arguments, process.budget, ascii_only=encoding(process.env) == OCTETS)
    if columns.headings and "d" not in arguments:
        shown = [columns.headings, *shown]
    return [table(shown, columns, arguments.get("o", "  ") or "", screen, process.budget)]


def _read(process: Process, names: list[str]) -> tuple[list[str], int]:
    """The lines of the files, and how many of these cannot be read; ``-`` is a name as any other.

    A byte that is no character is shown as ``\\xff``.
    """
    characters = "ascii" if encoding(process.env) == OCTETS else "utf-8"
    found: list[str] = []
    failures = 0
    for name in names or [""]:
        if name == "-":
            process.warn(f"-: {os.strerror(errno.ENOENT)}")
            failures += 1
            continue
        if name and is_directory(process, name):
            raise UsageError(f"read failed: {os.strerror(errno.EISDIR)}", hint=False)
        inputs = Inputs(process, [name] if names else [], "{bare}: {error}", reading="read failed: {error}")
        for _, stream in inputs:
            for block in lines(stream.blocks(), process.budget):
                found += [line.decode(characters, "backslashreplace") for line in block]
                process.budget.words(len(found))
        failures += inputs.failed
    return found, failures


@command(
    "column",
    usage="[OPTION]... [FILE]...",
    summary="Columnate lists.",
    options=(
        flag("-t", "--table", help="create a table"),
        value("-n", "--table-name", metavar="NAME", help="table name for JSON output"),
        value("-O", "--table-order", metavar="COLUMNS", help="specify order of output columns"),
        value("-N", "--table-columns", metavar="NAMES", help="comma separated columns names"),
        value("-l", "--table-columns-limit", metavar="NUM", help="maximal number of input columns", check=_check_limit),
        value("-R", "--table-right", metavar="COLUMNS", help="right align text in these columns"),
        value("-H", "--table-hide", metavar="COLUMNS", help="do not print the columns"),
        flag("-d", "--table-noheadings", help="do not print header"),
        flag("-L", "--keep-empty-lines", "--table-empty-lines", help="do not ignore empty lines"),
        flag("-J", "--json", help="use JSON output format for table"),
        value("-c", "--output-width", metavar="WIDTH", help="width of output in number of characters", check=_number),
        value("-o", "--output-separator", metavar="STRING", help="columns separator for table output (default is two spaces)"),
        value("-s", "--separator", metavar="STRING", help="possible table delimiters"),
        flag("-x", "--fillrows", help="fill rows before columns"),
        value("-T", "--table-truncate", metavar="COLUMNS", help="truncate text in the columns when necessary"),
        value("-W", "--table-wrap", metavar="COLUMNS", help="wrap text in the columns when necessary"),
        flag("-e", "--table-header-repeat", help="(ignored: there are no pages)"),
        value("-r", "--tree", metavar="COLUMN", help="column to use tree-like output for the table"),
        value("-i", "--tree-id", metavar="COLUMN", help="line ID to specify child-parent relation"),
        value("-p", "--tree-parent", metavar="COLUMN", help="parent to specify child-parent relation"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the lines in columns."""
    screen = _line_width(process, arguments)
    if "x" in arguments and ("t" in arguments or "J" in arguments):
        other = "--json" if "J" in arguments else "--table"
        raise UsageError(f"mutually exclusive arguments: {other} --fillrows", hint=False)
    if not any(key in arguments for key in ("t", "J", "r")) and any(key in arguments for key in _OF_TABLES):
        raise UsageError("option --table required for all --table-*", hint=False)
    found, failures = _read(process, arguments.operands)
    keep = "L" in arguments
    items = [line for line in found if line.strip() or keep]
    limit = _number(arguments.get("l") or "0") or None
    if limit is None and "l" in arguments:
        raise UsageError("columns limit must be greater than zero", hint=False)
    if any(key in arguments for key in ("t", "J", "r")):
        separators = arguments.get("s")
        for line in paced(items):
            ask_room(line, separators or " \t", process.budget)
        rows: list[list[str]] = []
        for line in paced(items):
            rows.append(_split(line, separators, limit))
            process.hold(_CELL * len(rows[-1]))
        process.budget.tick(sum(map(len, rows)))
        if "J" in arguments and "N" not in arguments:
            raise UsageError("option --table-columns required for --json", hint=False)
        if rows:
            for piece in _table(process, arguments, rows, screen):
                process.write(piece)
        return int(failures > 0 and not rows)
    if items:
        process.write(_fill(items, screen, process.budget, across="x" in arguments))
    return min(failures, 1) if items else failures

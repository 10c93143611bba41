"""column: lines in columns, or fields in a table (util-linux column(1))."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bashkit.commands._encoding import decode, width
from bashkit.commands._lines import Inputs, lines
from bashkit.interp.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.process import Process
    from bashkit.limits import Budget

_TAB = 8


def _number(arguments: Arguments, key: str, default: int) -> int:
    text = arguments.get(key)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"invalid columns argument: '{text}'", hint=False)
    return int(text[:9])


def _fill(items: list[str], limit: int, *, across: bool) -> str:
    """The items in as many columns as fit, filled downwards or across, with tabs between them."""
    cell = (max(map(width, items)) // _TAB + 1) * _TAB  # a cell is no wider than the line, so tabs stay few
    columns = max(limit // cell, 1) if cell < limit else 1
    rows = -(-len(items) // columns)
    result: list[str] = []
    for row in range(rows):
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


def _split(line: str, separators: str | None, limit: int | None) -> list[str]:
    """The fields of a line: between blanks, or between single separators."""
    if separators is None:
        return line.split(None, -1 if limit is None else limit - 1)
    for char in separators[1:]:
        line = line.replace(char, separators[0])
    return line.split(separators[0], -1 if limit is None else limit - 1)


def _names(text: str | None, count: int, headings: list[str]) -> set[int]:
    """The columns (from 0) that a list of numbers and names means."""
    chosen: set[int] = set()
    for part in (text or "").split(","):
        low, dash, high = part.partition("-")
        if part in headings:
            chosen.add(headings.index(part))
        elif part.isdecimal():
            chosen.add(int(part) - 1)
        elif part == "-":
            chosen.add(count - 1)
        elif part == "0":
            chosen.update(range(count))
        elif dash and low.isdecimal() and high.isdecimal():
            chosen.update(range(int(low) - 1, int(high)))
        elif part:
            raise UsageError(f"undefined column name '{part}'", hint=False)
    return chosen


def _table(rows: list[list[str]], arguments: Arguments, budget: Budget) -> str:
    """The rows with their columns lined up."""
    named = arguments.get("N")
    headings = named.split(",") if named is not None else []
    shown = [headings, *rows] if headings and "d" not in arguments else rows
    count = max(map(len, [*shown, headings]), default=0)
    right = _names(arguments.get("R"), count, headings)
    hidden = _names(arguments.get("H"), count, headings)
    order = [index for index in range(count) if index not in hidden]
    ordered = arguments.get("O")
    if ordered is not None:
        wanted = [index for part in ordered.split(",") for index in sorted(_names(part, count, headings))]
        order = wanted + [index for index in order if index not in wanted]
    widths = [max((width(row[index]) for row in shown if index < len(row)), default=0) for index in range(count)]
    joint = arguments.get("o", "  ") or ""
    budget.string((sum(widths) + len(joint) * count) * len(shown))
    result: list[str] = []
    for row in shown:
        cells: list[str] = []
        for place, index in enumerate(order):
            cell = row[index] if index < len(row) else ""
            gap = " " * (widths[index] - width(cell))
            last = place == len(order) - 1
            cells.append(gap + cell if index in right else cell if last else cell + gap)
        result.append(joint.join(cells) + "\n")
    return "".join(result)


def _json(rows: list[list[str]], arguments: Arguments) -> str:
    named = arguments.get("N")
    if named is None:
        raise UsageError("option --table-columns required for --json", hint=False)
    headings = [name.lower() for name in named.split(",")]
    entries = []
    for row in rows:
        cells = [*row, *[None] * (len(headings) - len(row))]
        pairs = zip(headings, cells, strict=False)
        inner = ",\n".join(f"         {json.dumps(name)}: {json.dumps(cell, ensure_ascii=False)}" for name, cell in pairs)
        entries.append(f"{{\n{inner}\n      }}")
    title = json.dumps(arguments.get("n") or "table")
    return f"{{\n   {title}: [\n      {','.join(entries)}\n   ]\n}}\n"


@command(
    "column",
    usage="[OPTION]... [FILE]...",
    summary="Columnate lists.",
    options=(
        flag("-t", "--table", help="create a table"),
        value("-n", "--table-name", metavar="NAME", help="table name for JSON output"),
        value("-O", "--table-order", metavar="COLUMNS", help="specify order of output columns"),
        value("-N", "--table-columns", metavar="NAMES", help="comma separated columns names"),
        value("-l", "--table-columns-limit", metavar="NUM", help="maximal number of input columns"),
        value("-R", "--table-right", metavar="COLUMNS", help="right align text in these columns"),
        value("-H", "--table-hide", metavar="COLUMNS", help="do not print the columns"),
        flag("-d", "--table-noheadings", help="do not print header"),
        flag("-L", "--keep-empty-lines", "--table-empty-lines", help="do not ignore empty lines"),
        flag("-J", "--json", help="use JSON output format for table"),
        value("-c", "--output-width", metavar="WIDTH", help="width of output in number of characters"),
        value("-o", "--output-separator", metavar="STRING", help="columns separator for table output (default is two spaces)"),
        value("-s", "--separator", metavar="STRING", help="possible table delimiters"),
        flag("-x", "--fillrows", help="fill rows before columns"),
    ),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the lines in columns."""
    inputs = Inputs(process, arguments.operands)
    found: list[str] = []
    for block in lines(inputs.blocks(), process.budget):
        found += [decode(line) for line in block]
        process.budget.words(len(found))
    keep = "L" in arguments
    items = [line for line in found if line.strip() or keep]
    limit = _number(arguments, "l", 0) or None
    if "t" in arguments or "J" in arguments:
        rows = [_split(line, arguments.get("s"), limit) for line in items]
        process.budget.tick(sum(map(len, rows)))
        if rows or "N" in arguments:
            process.write(_json(rows, arguments) if "J" in arguments else _table(rows, arguments, process.budget))
    elif items:
        process.write(_fill(items, _number(arguments, "c", 80), across="x" in arguments))
    return int(inputs.failed)

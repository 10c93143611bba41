"""join: lines of two sorted files with a common field (POSIX XCU join, GNU coreutils manual)."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, lines
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.quoting import mention
from bashkit.interp.runtime.pieces import PIECE
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room, paced, paced_if_many, turn
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

    _Row: TypeAlias = tuple[bytes, list[bytes], bytes]  # a line: the comparison key of the join field, the fields, the whole

_WORD = re.compile(r"[^, \t]+")
_PLACES = re.compile(r"(?:0|[12]\.[0-9]+)(?:[, \t]+(?:0|[12]\.[0-9]+))*")
_BLANKS = re.compile(rb"[ \t\n]+")
_ODD = re.compile(rb"[\r\v\f]|[ \t\n](?:\0|\Z)")  # where bytes.split() sees fields otherwise
_TOGETHER = 1 << 18  # bytes of lines that are split together
_AT_ONCE = 1 << 16  # bytes of lines of a group that are charged together
_ROW = 250  # bytes of a line beside its characters
_FIELD = 50  # bytes of a field beside its characters


class _DisorderError(Exception):
    """A file is not sorted and ``--check-order`` was given."""


class _Order:
    """The state of the order check of both files.

    Attributes:
        check: ``always``, ``never`` or ``default``: only if a line had no partner.
        unpaired: Whether a line had no partner.
        broken: Numbers of the files that were found unsorted.
    """

    def __init__(self, check: str) -> None:
        self.check = check
        self.unpaired = False
        self.broken: set[int] = set()


class _File:
    """One of the two files.

    Attributes:
        row: The current line; None after the last.
    """

    def __init__(self, process: Process, number: int, name: str, rows: Iterator[_Row], order: _Order) -> None:
        self._process = process
        self._number = number
        self._name = name
        self._rows = rows
        self._order = order
        self._count = 0
        self._held = 0  # bytes of the last group
        self.row: _Row | None = None

    def first(self) -> _Row | None:
        """The first line by itself (``--header``)."""
        self._count += 1
        return next(self._rows, None)

    def advance(self) -> None:
        """Go to the next line.

        Raises:
            _DisorderError: It is out of order, and ``--check-order`` was given.
        """
        previous, self.row = self.row, next(self._rows, None)
        self._count += 1
        row, order = self.row, self._order
        if row is None or previous is None or row[0] >= previous[0] or self._number in order.broken:
            return
        if order.check == "always" or (order.check == "default" and order.unpaired):
            order.broken.add(self._number)
            self._process.warn(f"{self._name}:{self._count}: is not sorted: {row[2].decode('utf-8', 'surrogateescape')}")
            if order.check == "always":
                raise _DisorderError

    def group(self) -> list[_Row]:
        """The current line and the following ones with the same key."""
        if self._held:
            self._process.hold(-self._held)
            self._held = 0
        group: list[_Row] = []
        size = 0
        while self.row is not None and (not group or self.row[0] == group[0][0]):
            _, fields, line = self.row
            group.append(self.row)
            size += _ROW + _FIELD * len(fields) + 3 * len(line)
            if size > _AT_ONCE:
                self._held += size
                self._process.hold(size)
                self._process.budget.words(len(group))
                size = 0
            self.advance()
        return group


def _place(word: str) -> tuple[int, int]:
    if word == "0":
        return 0, 0
    if word[:1] in {"0", "1", "2"} and (word[0] == "0" or word[1:2] != "."):
        raise UsageError(f"invalid field specifier: {mention(word)}", hint=False)
    found = re.fullmatch(r"([12])\.(.*)", word, re.DOTALL)
    if found is None:
        raise UsageError(f"invalid file number in field spec: {mention(word)}", hint=False)
    if not re.fullmatch("[0-9]+", found[2]) or not clamped(found[2]):
        raise UsageError(f"invalid field number: {mention(found[2])}", hint=False)
    return clamped(found[1]), clamped(found[2]) - 1


def _places(text: str) -> list[tuple[int, int]]:
    """The fields that an argument of ``-o`` names: the file of each, 0 for the join field, and the place in its line."""
    return [] if text == "auto" else [_place(found[0]) for found in paced(_WORD.finditer(text))] or [_place(text)]


class _Layout:
    """Composes output lines."""

    def __init__(self, arguments: Arguments, keys: tuple[int, int], joint: bytes, end: bytes, budget: Budget) -> None:
        self._keys = keys
        self._joint = joint
        self._end = end
        self._empty = encode(arguments.get("e") or "")
        lists = arguments.all("o")
        self._order = [place for text in lists if text != "auto" for place in _places(text)] or None
        self._automatic = bool(lists) and self._order is None
        self._budget = budget
        budget.string(len(self._empty) * len(self._order or ()))

    def measure(self, left: _Row | None, right: _Row | None) -> None:
        """Set the number of fields from the first lines (``-o auto``)."""
        if self._automatic and self._order is None:
            places = [(0, 0)]
            for number, row, key in ((1, left, self._keys[0]), (2, right, self._keys[1])):
                places += [(number, index) for index in range(len(row[1]) if row else 0) if index != key]
            self._order = places

    def write(self, left: _Row | None, right: _Row | None) -> bytes:
        """Write the output line for a pair; one of its lines may be missing."""
        present = left or right
        assert present is not None
        key_index = self._keys[0] if left else self._keys[1]
        fields = present[1]
        key = fields[key_index] if key_index < len(fields) else b""
        first, second = left[1] if left else [], right[1] if right else []
        if self._order is None:
            skipped, other = self._keys
            cells = [key, *first[:skipped], *first[skipped + 1 :], *second[:other], *second[other + 1 :]]
            if self._empty:
                cells = [cell or self._empty for cell in cells]
        else:
            cells = []
            for number, index in paced_if_many(self._order):
                row = first if number == 1 else second
                cell = key if number == 0 else row[index] if index < len(row) else b""
                cells.append(cell or self._empty)
            self._budget.string(sum(map(len, cells)))
        return self._joint.join(cells) + self._end


def _rows(blocks: Iterator[list[bytes]], separator: bytes | None, key: int, budget: Budget, *, fold: bool) -> Iterator[_Row]:
    """Read the lines of a file, split into fields."""
    for block in blocks:
        rows: Iterable[list[bytes]] = _split_together(block, separator) or (_split(line, separator, budget) for line in block)
        for line, fields in zip(block, rows, strict=True):
            text = fields[key] if key < len(fields) else b""
            yield text.lower() if fold else text, fields, line


def _split_together(block: list[bytes], separator: bytes | None) -> list[list[bytes]]:
    """The fields of many short lines in which they are easily found; nothing for other lines."""
    text = b"\0".join(block)
    if len(text) > _TOGETHER or (_ODD.search(text) if separator is None else not separator):
        return []
    turn()
    return [line.split(separator) if line else [] for line in block]


def _split(line: bytes, separator: bytes | None, budget: Budget) -> list[bytes]:
    """The fields of a line.

    Args:
        line: The line.
        separator: What separates them; None for blanks, nothing where the line is the only one.
        budget: Is asked for the room that they take.
    """
    turn()
    if separator == b"":
        return [line]
    if separator is not None:
        ask_room(line, (separator,), budget)
        return line.split(separator) if line else []
    ask_room(line, (b" ", b"\t"), budget)
    start = line.lstrip(b" \t\n")
    if len(start) > PIECE:
        return list(_pieces(start))
    return _BLANKS.split(start) if start else []


def _field_number(text: str) -> int:
    if not is_count(text) or not clamped(text):
        raise UsageError(f"invalid field number: {mention(text)}", hint=False)
    return clamped(text)


def _field(arguments: Arguments, key: str) -> int | None:
    """The field that an option says, counted from 0; it may be repeated, but not contradict itself."""
    numbers: list[int] = []
    for text in arguments.all(key):
        numbers.append(_field_number(text))
        if numbers[0] != numbers[-1]:
            raise UsageError(f"incompatible join fields {numbers[0]}, {numbers[-1]}", hint=False)
    return numbers[0] - 1 if numbers else None


def _pieces(line: bytes) -> Iterator[bytes]:
    """``_BLANKS.split`` of a long line."""
    place = 0
    for found in _BLANKS.finditer(line):
        yield line[place : found.start()]
        place = found.end()
        turn()
    yield line[place:]


def _separator(arguments: Arguments) -> bytes | None:
    """What separates fields; None for blanks, nothing where the whole line is the only field."""
    text = arguments.get("t")
    if len(set(arguments.all("t"))) > 1:
        raise UsageError("incompatible tabs", hint=False)
    return None if text is None else _tab(text) if text else b""


def _tab(text: str) -> bytes:
    tab = b"\0" if text == "\\0" else encode(text)
    if len(tab) > 1:
        raise UsageError(f"multi-character tab {mention(text)}", hint=False)
    return tab


def _file_number(text: str) -> int:
    if text not in {"1", "2"}:
        raise UsageError(f"invalid field number: {mention(text)}", hint=False)
    return int(text)


def _which(arguments: Arguments, key: str) -> set[int]:
    return {_file_number(text) for text in arguments.all(key)}


def _key(arguments: Arguments, key: str, both: int | None) -> int:
    """The join field of a file, counted from 0: that of ``-1`` or ``-2``, or of ``-j``."""
    own = _field(arguments, key) if key in arguments else both
    if own is not None and both is not None and own != both:
        first, second = (own, both) if arguments.last(key, "j") == "j" else (both, own)
        raise UsageError(f"incompatible join fields {first + 1}, {second + 1}", hint=False)
    return own or 0


def _sorted_out(arguments: Arguments) -> None:
    """Move what older spellings leave among the operands, to their options: ``-o 1.1 2.2``, ``-j1 FIELD``."""
    rest = list(arguments.operands)
    for index, (key, argument) in enumerate(arguments.given):
        if key == "j" and argument in {"1", "2"} and len(rest) > 2 and is_digits(rest[0]):
            arguments.given[index] = (argument, rest.pop(0))
    if len(rest) > 2 and arguments.get("o", "auto") != "auto":
        chosen = [index for index, word in enumerate(paced_if_many(rest)) if _PLACES.fullmatch(word)][: len(rest) - 2]
        arguments.given += [("o", rest[index]) for index in paced_if_many(chosen)]
        for index in paced_if_many(chosen[::-1]):
            del rest[index]
    arguments.operands = rest


@command(
    "join",
    usage="[OPTION]... FILE1 FILE2",
    summary="For each pair of input lines with identical join fields, write a line to standard output.",
    options=(
        value("-a", metavar="FILENUM", help="also print unpairable lines from file FILENUM, 1 or 2", check=_file_number),
        value("-e", metavar="STRING", help="replace missing (empty) input fields with STRING"),
        flag("-i", "--ignore-case", help="ignore differences in case when comparing fields"),
        value("-j", metavar="FIELD", help="equivalent to -1 FIELD -2 FIELD", check=_field_number),
        value("-o", metavar="FORMAT", help="obey FORMAT while constructing output line", check=_places),
        value("-t", metavar="CHAR", help="use CHAR as input and output field separator", check=_tab),
        value("-v", metavar="FILENUM", help="like -a FILENUM, but suppress joined output lines", check=_file_number),
        value("-1", metavar="FIELD", help="join on this FIELD of file 1", check=_field_number),
        value("-2", metavar="FIELD", help="join on this FIELD of file 2", check=_field_number),
        flag("--check-order", help="check that the input is correctly sorted"),
        flag("--nocheck-order", help="do not check that the input is correctly sorted"),
        flag("--header", help="treat the first line in each file as field headers"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Join the files."""
    _sorted_out(arguments)
    both = _field(arguments, "j")
    keys = tuple(_key(arguments, key, both) for key in "12")
    if len(set(arguments.all("e"))) > 1:
        raise UsageError("conflicting empty-field replacement strings", hint=False)
    names = arguments.operands
    if len(names) < 2:
        raise UsageError(f"missing operand after {mention(process.argv[-1])}" if names else "missing operand")
    if len(names) > 2:
        raise UsageError(f"extra operand '{names[2]}'")
    if names == ["-", "-"]:
        raise UsageError("both files cannot be standard input: No such file or directory", hint=False)
    separator = _separator(arguments)
    joint = b" " if separator is None else separator or b"\n"
    end = b"\0" if "z" in arguments else b"\n"
    chosen = arguments.last("check-order", "nocheck-order")
    order = _Order({"check-order": "always", "nocheck-order": "never"}.get(chosen or "", "default"))
    fold = "i" in arguments
    layout = _Layout(arguments, (keys[0] or 0, keys[1] or 0), joint, end, process.budget)
    shown = _which(arguments, "a") | _which(arguments, "v")
    inputs = Inputs(process, names, reading="read error: {error}")
    files: list[_File] = []
    for number, (name, key) in enumerate(zip(names, keys, strict=True), 1):
        stream = inputs.open(name)
        if stream is None:
            return 1

        rows = _rows(lines(stream.blocks(), process.budget, end), separator, key or 0, process.budget, fold=fold)
        files.append(_File(process, number, name, rows, order))
    try:
        _merge(process, files[0], files[1], layout, shown, order, paired="v" not in arguments, header="header" in arguments)
    except _DisorderError:
        return 1
    if order.broken:
        process.warn("input is not in sorted order")
    return int(bool(order.broken))


def _merge(
    process: Process, left: _File, right: _File, layout: _Layout, shown: set[int], order: _Order, *, paired: bool, header: bool
) -> None:
    output = process.stdout
    if header:
        titles = left.first(), right.first()
        if titles[0] or titles[1]:
            layout.measure(*titles)
            output.write(layout.write(*titles))
    left.advance()
    right.advance()
    layout.measure(left.row, right.row)
    while left.row is not None or right.row is not None:
        process.budget.tick(2)
        both = left.row is not None and right.row is not None
        if right.row is None or (left.row is not None and left.row[0] < right.row[0]):
            if 1 in shown:
                output.write(layout.write(left.row, None))
            left.advance()
            order.unpaired |= both
        elif left.row is None or right.row[0] < left.row[0]:
            if 2 in shown:
                output.write(layout.write(None, right.row))
            right.advance()
            order.unpaired |= both
        else:
            for row, other in product(left.group(), right.group()):
                process.budget.tick()
                if paired:
                    output.write(layout.write(row, other))

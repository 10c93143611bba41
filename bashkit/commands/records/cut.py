"""cut: select parts of lines (POSIX XCU cut, GNU coreutils manual); characters are bytes, as in GNU cut."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.commands._notation.counts import MOST_UNSIGNED, unclamped
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced, paced_if_many
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs.stream import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_END = 1 << 62
_DIGITS = 18  # maximum digits of a position; longer ones are beyond any line
_FAR = 10_000  # a field number that hardly any line has
_FEW = 32  # maximum number of fields that are selected one by one
_TABLE = 1 << 20  # maximum bytes of a block whose fields are all made at once
_PER_RANGE = 8  # microseconds to read a range
_AT_ONCE = 1 << 14  # lines times ranges between two looks at the clock
_LONG_LINE = 1 << 16  # bytes of a line that may have many fields
_LONG = 256  # output delimiters from this length on are charged to the budget


def _ranges(text: str, *, fields: bool, complement: bool) -> list[tuple[int, int]]:
    """Parse the list ``N,N-M,N-,-M`` to sorted, merged pairs of first index (from 0) and index after the last.

    Raises:
        UsageError: It is malformed.
    """
    what = "fields" if fields else "byte/character positions"
    found: list[tuple[int, int]] = []
    for part in paced(text.replace(" ", ",").replace("\t", ",").split(","), _PER_RANGE):
        low, dash, high = part.partition("-")
        for number in (low, high):
            if is_digits(number) and unclamped(number) >= MOST_UNSIGNED:
                raise UsageError(f"{'field number' if fields else 'byte/character offset'} {mention(number)} is too large")
        low, high = low[:_DIGITS], high[:_DIGITS]
        if not all(is_digits(number) for number in (low, high) if number):
            kind = "field value" if fields else "byte/character position"
            hint = "field range" if fields else "byte or character range"
            if "-" in high:
                raise UsageError(f"invalid {hint}")
            bad = re.search(r"[^0-9 ,\t-].*", text, re.DOTALL)
            raise UsageError(f"invalid {kind} {mention(bad[0] if bad is not None else part)}")
        if dash and not low and not high:
            raise UsageError("invalid range with no endpoint: -")
        if not part or (low and not int(low)) or (not dash and not int(low or 0)):
            raise UsageError(f"{what} are numbered from 1")
        first = int(low or 1) - 1
        last = int(high) if high else _END if dash else first + 1
        if last <= first:
            raise UsageError("invalid decreasing range")
        found.append((first, last))
    merged: list[tuple[int, int]] = []
    for first, last in paced_if_many(sorted(found)):
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return _others(merged) if complement else merged


def _others(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    position = 0
    for first, last in ranges:
        if first > position:
            result.append((position, first))
        position = last
    if position < _END:
        result.append((position, _END))
    return result


def _by_bytes(ranges: list[tuple[int, int]], joint: bytes) -> Callable[[bytes], bytes]:
    if len(ranges) == 1:
        first, last = ranges[0]
        return lambda line: line[first:last]
    return lambda line: joint.join(line[first:last] for first, last in ranges if first < len(line))


def _by_fields(ranges: list[tuple[int, int]], delimiter: bytes, joint: bytes) -> Callable[[bytes], bytes]:
    if len(ranges) == 1 and ranges[0][1] - ranges[0][0] == 1:
        index = ranges[0][0]

        def one(line: bytes) -> bytes:
            parts = line.split(delimiter, min(index + 1, len(line)))
            return parts[index] if index < len(parts) else b"" if len(parts) > 1 else line

        return one

    pick: Callable[[list[bytes]], tuple[bytes, ...]] | None = None
    most = 0
    indices = _few(ranges)
    if 1 < len(indices) < _FEW:
        pick, most = itemgetter(*indices), indices[-1] + 1

    endless = bool(ranges) and ranges[-1][1] == _END
    needed = max(1, ranges[-1][0] if endless else ranges[-1][1]) if ranges else 1

    def at_most(line: bytes) -> list[bytes]:
        """The fields of a long line, as far as they are needed."""
        parts = line.split(delimiter, needed)
        if endless and len(parts) > needed:
            parts[-1] = parts[-1].replace(delimiter, joint)
        return parts

    def several(line: bytes) -> bytes:
        parts = line.split(delimiter) if len(line) < _LONG_LINE else at_most(line)
        if len(parts) == 1:
            return line
        if len(ranges) == 1:
            return joint.join(parts[ranges[0][0] : ranges[0][1]])
        return joint.join([part for first, last in ranges for part in parts[first:last]])

    if pick is None:
        return several
    chosen = pick

    def few(line: bytes) -> bytes:
        try:
            return joint.join(chosen(line.split(delimiter, most)))
        except IndexError:
            return several(line)  # the line has fewer fields

    return few


def _by_blocks(
    ranges: list[tuple[int, int]], delimiter: bytes, joint: bytes, select: Callable[[bytes], bytes]
) -> Callable[[list[bytes]], list[bytes]]:
    """Select the fields of many lines at once, without a call for each line if all lines have all fields."""
    first, last = ranges[0]
    if last == _END and 0 < first < _FAR and joint == delimiter:

        def rest(block: list[bytes]) -> list[bytes]:
            try:
                return [line.split(delimiter, first)[first] for line in block]
            except IndexError:
                return list(map(select, block))

        return rest
    indices = _few(ranges)
    if not indices or len(indices) >= _FEW or indices[-1] >= _FAR:
        return lambda block: list(map(select, block))
    most = indices[-1] + 1
    only = indices[0]
    pick = itemgetter(*indices)

    def cut(block: list[bytes]) -> list[bytes]:
        try:
            if len(indices) == 1:
                return [line.split(delimiter, most)[only] for line in block]
            return [joint.join(pick(line.split(delimiter, most))) for line in block]
        except IndexError:
            return list(map(select, block))

    return cut


class _Columns:
    """Selects the fields of blocks whose lines all have the same number of fields, as columns of a table: all fields of a block
    are found at once, without a list for each line.

    Args:
        indices: The numbers of the fields, from 0.
        delimiter: What is between two fields.
        joint: What is to be between two of the selected fields.
        end: What ends a line.
    """

    def __init__(self, indices: list[int], delimiter: bytes, joint: bytes, end: bytes) -> None:
        self._indices = indices
        self._delimiter = delimiter
        self._joint = joint
        self._end = end
        # Where one early field is wanted, a line is split no further; a long joint is charged before it is repeated.
        self._useful = indices[-1] > 1 and len(indices) < _FEW and delimiter != end and len(joint) <= _LONG

    def cut(self, block: bytes, budget: Budget) -> bytes | None:
        """The output for some lines; None if there may be lines with fewer fields or more."""
        end, delimiter = self._end, self._delimiter
        if not self._useful or len(block) > _TABLE or not block.endswith(end):
            return None
        size = block.count(delimiter, 0, block.index(end)) + 1
        count = block.count(end)
        fields = block.replace(end, end + delimiter).split(delimiter)
        fields.pop()
        last = b"".join(fields[size - 1 :: size])  # each has one end of a line at most
        if self._indices[-1] >= size or len(fields) != count * size or last.count(end) != count:
            self._useful = False
            return None
        budget.tick(count)
        step = 2 * len(self._indices)
        row = [self._joint] * (count * step)
        for place, index in enumerate(self._indices):
            row[2 * place :: step] = fields[index::size]
        row[step - 1 :: step] = [b"" if self._indices[-1] == size - 1 else end] * count
        return b"".join(row)


def _few(ranges: list[tuple[int, int]]) -> list[int]:
    """The indices in ranges that are all short; none if one is not."""
    if not all(last - first < _FEW for first, last in ranges):
        return []
    return [index for first, last in paced_if_many(ranges) for index in range(first, last)]


def _blocks(process: Process, stream: Stream, end: bytes, table: _Columns | None, most: int) -> Iterator[list[bytes]]:
    """The lines of a file, some at once but at ``most`` so many, without those that are written as columns of a table."""
    for text in line_blocks(stream.blocks(), process.budget, end):
        columns = table.cut(text, process.budget) if table is not None else None
        if columns is not None:
            process.stdout.write(columns)
            continue
        block = text.split(end)
        if not block[-1]:
            block.pop()
        for start in range(0, len(block), most):
            row = block[start : start + most] if len(block) > most else block
            process.budget.tick(len(row) * (_AT_ONCE // most))
            yield row


def _whole(process: Process, stream: Stream, end: bytes) -> list[list[bytes]]:
    """All of a file as one record: where the delimiter is the end of a line, lines are fields."""
    text = stream.read_all()
    process.budget.string(len(text))
    return [[text.removesuffix(end)]] if text else []


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _check_delimiter(text: str) -> None:
    if len(_bytes(text)) > 1:
        raise UsageError("the delimiter must be a single character")


class _Plan:
    """What a command line asks for.

    Attributes:
        end: What ends a line.
        delimiter: What is between two fields.
        joint: What is to be between two of the selected fields.
        whole: Lines are fields, since the delimiter is what ends one.
        only: Lines without a delimiter are left out.
        select: Selects the parts of a line.
        cut: Selects those of some lines.
        few: The numbers of the fields from 0, where they are few.
        most: How many lines are cut between two looks at the clock.
        charged: How many bytes each byte of a line may become, where that is charged; else 0.

    Raises:
        UsageError: It asks for nothing that can be.
    """

    def __init__(self, arguments: Arguments) -> None:
        text = arguments.get("d")
        lists = [(key, listed or "") for key, listed in arguments.given if key in "bcf"]
        if not lists:
            raise UsageError("you must specify a list of bytes, characters, or fields")
        if len(lists) > 1:
            raise UsageError("only one list may be specified")
        fields = lists[0][0] == "f"
        if text is not None and not fields:
            raise UsageError("an input delimiter may be specified only when operating on fields")
        if "s" in arguments and not fields:
            raise UsageError("suppressing non-delimited lines makes sense\n\tonly when operating on fields")
        ranges = _ranges(lists[0][1], fields=fields, complement="complement" in arguments)
        output = arguments.get("output-delimiter")
        self.end = b"\0" if "z" in arguments else b"\n"
        self.delimiter = b"\t" if text is None else _bytes(text) or b"\0"
        self.whole = fields and self.delimiter == self.end
        self.only = "s" in arguments
        self.most = max(1, _AT_ONCE // max(1, len(ranges)))
        self.charged = len(output) if output is not None and len(output) > _LONG else 0
        self.few: list[int] = []
        if fields:
            self.joint = self.delimiter if output is None else _bytes(output) or b"\0"
            self.select = _by_fields(ranges, self.delimiter, self.joint)
            self.cut = _by_blocks(ranges, self.delimiter, self.joint, self.select) if ranges else self._one_by_one
            self.few = _few(ranges)
        else:
            self.joint = b"" if output is None else _bytes(output) or b"\0"
            self.select = _by_bytes(ranges, self.joint)
            self.cut = self._one_by_one

    def _one_by_one(self, block: list[bytes]) -> list[bytes]:
        return list(map(self.select, block))


@command(
    "cut",
    usage="OPTION... [FILE]...",
    summary="Print selected parts of lines from each FILE to standard output.",
    options=(
        value("-b", "--bytes", metavar="LIST", help="select only these bytes"),
        value("-c", "--characters", metavar="LIST", help="select only these characters"),
        value("-d", "--delimiter", metavar="DELIM", help="use DELIM instead of TAB for field delimiter", check=_check_delimiter),
        value("-f", "--fields", metavar="LIST", help="select only these fields; also print lines without delimiter"),
        flag("-n", help="(ignored, as GNU cut does)"),
        flag("--complement", help="complement the set of selected bytes, characters or fields"),
        flag("-s", "--only-delimited", help="do not print lines not containing delimiters"),
        value("--output-delimiter", metavar="STRING", help="use STRING as the output delimiter"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
    notes="LIST is made up of N, N-, N-M and -M, separated by commas.",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the selected parts of every line."""
    plan = arguments.once(_Plan)
    end = plan.end
    table = _Columns(plan.few, plan.delimiter, plan.joint, end) if plan.few else None
    inputs = Inputs(process, arguments.operands)
    for _, stream in inputs:
        blocks = _whole(process, stream, end) if plan.whole else _blocks(process, stream, end, table, plan.most)
        for block in blocks:
            if plan.charged:
                process.budget.string(plan.charged * sum(map(len, block)))
            if plan.only:
                block = [line for line in block if plan.delimiter in line]
            chosen = plan.cut(block)
            if chosen:
                chosen.append(b"")
                process.stdout.write(end.join(chosen))
    return int(inputs.failed)

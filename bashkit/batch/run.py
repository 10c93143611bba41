"""Runs a batch: what has a result already is left out, and every result is written as soon as it may be."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections import Counter, deque
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

from bashkit import host_files
from bashkit.batch.rows import read_rows, rows_and_lines
from bashkit.errors import BashkitError
from bashkit.tools import json_text
from bashkit.toolset.writing.saving import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bashkit.batch.rows import Row


_START = b'{"row":'  # of every line
_SHARES = 256
_EARLY = 16 << 20  # bytes of results that wait in memory
_KEYS: dict[str, tuple[type, ...]] = {
    "row": (int,), "id": (str, int), "stdout": (str,), "stderr": (str,), "exit_code": (int,), "error": (str, type(None)),
    "calls": (list,),
}  # fmt: skip
_CALL: dict[str, tuple[type, ...]] = {"tool": (str,), "exit_code": (int, type(None)), "error": (str, type(None))}


class Workers(Protocol):
    """What runs rows."""

    def run(self, rows: Iterator[Row]) -> Iterator[tuple[int, bytes]]:
        """Run rows; yields the number of each and its result as JSON, in any order."""
        ...

    def close(self) -> None:
        """End what runs."""
        ...


@dataclass(slots=True)
class Batch:
    """A batch: the rows of a file, and the file of their results.

    Attributes:
        rows: The file of the rows.
        results: The file of the results: one line of JSON for each row that has ended.
        has: For each row, whether it has a result.
        size: The length in bytes of the file of the results, and of the whole results in it.
        shown: How messages call the file of the rows.
    """

    rows: Path
    results: Path
    has: bytearray
    size: tuple[int, int]
    shown: str

    @classmethod
    def open(cls, rows: Path, results: Path, shown: str = "") -> Batch:
        """Read what there is. Half a line at the end of the results, of a run that was killed, is passed over.

        Args:
            rows: The file of the rows.
            results: The file of the results, which may not exist yet.
            shown: How messages call the file of the rows; its path when left out.

        Raises:
            BashkitError: A row is wrong, or two have one id, or the results are of other rows, are damaged, or are no file.
        """
        if results.exists() and not results.is_file():
            raise BashkitError(f"{results}: results go into a file, which is read again when the run is gone on with")
        names = array("q", (hash(row.id) for row in read_rows(rows, shown)))  # the names themselves may be too many for memory
        _refuse_twice(names, rows, shown)
        has = bytearray(len(names))
        whole = length = 0
        if results.exists():
            length = results.stat().st_size
            for place, size, number, name in read_results(results, torn=True):
                if not 0 <= number < len(names) or names[number] != hash(name):
                    raise BashkitError(
                        f"{results}:{place}: this is a result of other rows: {shown or rows} has no {name!r} in this place"
                    )
                if has[number]:
                    raise BashkitError(f"{results}:{place}: an earlier line has a result of {name!r}, too: remove one of them")
                has[number] = 1
                whole += size
        return cls(rows, results, has, (length, whole), shown)

    def run(self, pool: Workers, told: Callable[[], None], *, ordered: bool = False) -> None:
        """Run the rows that have no result yet. Half a line at the end of the results is cut off before.

        Args:
            pool: What runs them; it is closed in the end.
            told: Called after each result.
            ordered: Results are written in the order of the rows.

        Raises:
            BashkitError: The toolset cannot be used there, or the results cannot be written, or another batch writes them.
        """
        missing = (row for row in read_rows(self.rows, self.shown) if not self.has[row.number])
        try:
            with self.results.open("ab", buffering=0) as file:
                if not host_files.lock(file.fileno()) or os.fstat(file.fileno()).st_size != self.size[0]:
                    raise BashkitError(f"{self.results}: another batch writes its results there: only one can at a time")
                _mend(self.results, self.size[1])
                for line in (
                    _in_order(pool, missing, self.results.parent) if ordered else (result for _, result in pool.run(missing))
                ):
                    write_all(file, line + b"\n")
                    told()
        except OSError as error:
            raise BashkitError(f"{self.results}: it cannot be written: {error.strerror}") from None
        finally:
            pool.close()


def _in_order(pool: Workers, rows: Iterator[Row], folder: Path) -> Iterator[bytes]:
    """The results in the order of the rows: one that is early waits for those before it."""
    expected: deque[int] = deque()

    def noted() -> Iterator[Row]:
        for row in rows:
            expected.append(row.number)
            yield row

    with tempfile.TemporaryFile(dir=folder) as file:
        early = _Early(file)
        for number, result in pool.run(noted()):
            early.put(number, result)
            while expected and (found := early.take(expected[0])) is not None:
                expected.popleft()
                yield found


class _Early:
    """The results that wait for earlier ones: in memory, and those for which that has no room in a file.

    Args:
        file: The file, which is empty.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._kept: dict[int, bytes] = {}
        self._size = 0  # of all that are kept
        self._written: dict[int, tuple[int, int]] = {}  # place and length in the file

    def put(self, number: int, result: bytes) -> None:
        """Add the result of a row."""
        if self._size + len(result) <= _EARLY:
            self._kept[number] = result
            self._size += len(result)
            return
        self._written[number] = self._file.seek(0, os.SEEK_END), len(result)
        self._file.write(result)

    def take(self, number: int) -> bytes | None:
        """Remove and return the result of a row; None if it is not there."""
        if number not in self._written:
            result = self._kept.pop(number, None)
            self._size -= len(result or b"")
            return result
        place, size = self._written.pop(number)
        self._file.seek(place)
        result = self._file.read(size)
        if not self._written:
            self._file.truncate(0)
        return result


def _mend(results: Path, size: int) -> None:
    """End a file with its last whole result: half a line behind it is cut off, and its newline added if that is missing."""
    with results.open("rb+") as file:
        file.truncate(size)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")


def _refuse_twice(names: array[int], rows: Path, shown: str) -> None:
    """Refuse rows of which two have one id: results are found and compared by it.

    Args:
        names: The hashes of the ids; two ids may have the same.
        rows: The file of the rows.
        shown: How messages call it.

    Raises:
        BashkitError: There are two; the message has file and lines.
    """
    shares = [array("q") for _ in range(_SHARES)]  # a set of all would take too much memory
    for name in names:
        shares[name % _SHARES].append(name)
    again = {name for share in shares if len(set(share)) < len(share) for name, count in Counter(share).items() if count > 1}
    lines: dict[str | int, int] = {}
    for row, line in rows_and_lines(rows, shown) if again else ():
        if hash(row.id) in again and lines.setdefault(row.id, line) != line:
            raise BashkitError(f"{shown or rows}:{line}: the row of line {lines[row.id]} has the id {row.id!r}, too")


class Result(NamedTuple):
    """Whose result a line of a file is.

    Attributes:
        line: The number of the line, from 1.
        size: Its length in bytes.
        row: The row's number.
        id: The row's id.
    """

    line: int
    size: int
    row: int
    id: str | int


def read_results(path: Path, *, torn: bool = False) -> Iterator[Result]:
    """Read whose results a file has.

    Args:
        path: The file.
        torn: Whether half a line may stand at its end, of a run that was killed; it is passed over.

    Raises:
        BashkitError: The file cannot be read, or a line is no result; the message has file and line.
    """
    try:
        for place, line in enumerate(host_files.read_lines(path), 1):
            try:
                value = result_of(line)
            except ValueError as error:
                half = not line.endswith(b"\n") and (line.startswith(_START) or _START.startswith(line))
                if half and torn:
                    return
                reason = "it is cut off; the batch that wrote it can be gone on with" if half else str(error)
                raise BashkitError(f"{path}:{place}: this line is no result of a batch: {reason}") from None
            yield Result(place, len(line), value["row"], value["id"])
    except OSError as error:
        raise BashkitError(f"{path}: it cannot be read: {error.strerror}") from None


def result_of(line: bytes) -> dict[str, Any]:
    """The result that a line has.

    Raises:
        ValueError: It has none; the message is the reason.
    """
    value = json_text.decode(line.decode("utf-8", "surrogateescape"))
    calls = value.get("calls") if isinstance(value, dict) else None
    checked = [(value, _KEYS, "")] + [(call, _CALL, "of a call ") for call in (calls if isinstance(calls, list) else ())]
    for item, keys, whose in checked:
        if not isinstance(item, dict):
            raise ValueError(f"{'a call' if whose else 'it'} is no object")  # noqa: TRY004 - as where it is not JSON
        for key, kinds in keys.items():
            if not isinstance(item.get(key), kinds) or isinstance(item.get(key), bool):
                raise ValueError(f"{key!r} {whose}is {'missing' if key not in item else 'of another type'}")  # noqa: TRY004 - as above
    return dict(value)

"""A database of the virtual file system, which a worker process has in its memory: SQLite itself never runs in the host."""

from __future__ import annotations

import json
import struct
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bashkit.commands._workers.exchange import Exchange
from bashkit.commands._workers.worker import Program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.interp.utility.process import Process

    Value = None | int | float | str | bytes
    Row = Sequence[Any]

PROGRAM = Program("sqlite3", Path(__file__).with_name("server"))
_SMALL = 1 << 20  # bytes of a database that is saved after each statement, and not only when the text ends
_BEFORE_IT_RUNS = {1, 26}  # codes of statements that are malformed, and of files that are no databases
_MANY = 500  # rows that are sent at once


class Exact(float):
    """A number with what SQLite's ``%!.20g`` makes of it.

    Attributes:
        text: That.
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        """Read the text."""
        number = super().__new__(cls, text)
        number.text = text
        return number


class SqlError(Exception):
    """A statement failed.

    Args:
        message: SQLite's words.
        code: SQLite's primary result code (sqlite.org/rescode.html).
        runs: Whether the statement is well formed and failed while it ran.
    """

    def __init__(self, message: str, code: int, *, runs: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.runs = runs or code not in _BEFORE_IT_RUNS

    def __str__(self) -> str:
        """SQLite's words, and its code unless that is the general one."""
        return self.message if self.code <= 1 else f"{self.message} ({self.code})"


class Database:
    """One database.

    Args:
        process: The command whose file system and budget it uses.
        name: The file as the user wrote it; ``:memory:`` or empty for no file.
        read_only: Whether changes are refused.

    Attributes:
        changes, total_changes: The rows changed by the last statement, and by all of them.
        bindings: The values of parameters such as ``:name``; all others are NULL.

    Raises:
        OSError: The file cannot be read.
        SqlError: It is not a database.
        UnavailableError: There can be no worker on this host.
        WorkerDiedError: The worker died. All methods raise it.
    """

    def __init__(self, process: Process, name: str, *, read_only: bool = False) -> None:
        self._process = process
        self._path = "" if name in {"", ":memory:"} else process.path(name)
        self._name = name
        self._changed = False
        self._kept = bool(self._path) and not read_only
        self.read_only = read_only
        self.changes = self.total_changes = 0
        self.bindings: dict[str, Value] = {}
        self._failures: list[tuple[int, str]] = []  # rows that could not be filled in, and why
        self._stored = b""
        if self._path:
            self._stored = self._read()
        self._exchange = Exchange(process, PROGRAM)
        try:
            self._open()
        except BaseException:
            self._exchange.end()
            raise

    def _read(self) -> bytes:
        """The content of the file, which is made if it does not exist, as opening a database does."""
        fs = self._process.fs
        try:
            if not self.read_only and not fs.exists(self._path):
                fs.write_file(self._path, b"", 0o644 & ~self._process.umask)
            return fs.read_file(self._path)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise FileNotFoundError(2, "unable to open database file", self._name) from None

    def _open(self) -> None:
        limit = self._process.budget.limits.max_string_bytes
        self._ask("open", data=self._stored, read_only=self.read_only, longest=limit, largest=limit)

    def _ask(self, action: str, **details: Any) -> bytes:
        """Send a request whose answer is only an end, or the database, which is returned."""
        pieces: list[bytes] = []
        self._exchange.send({"do": action, **details}, size=len(details.get("data", b"")))
        for _, content in self._answer():
            pieces.append(content)
            self._process.budget.string(sum(map(len, pieces)))
        return b"".join(pieces)

    def backup(self) -> bytes:
        """The content of a file with this database."""
        return self._ask("backup")

    def _answer(self) -> Iterator[tuple[bytes, bytes]]:
        """The frames of an answer before its end, which is taken note of.

        Raises:
            SqlError: The end says so.
        """
        pieces: list[bytes] = []
        size = 0
        for letter, content in self._exchange.answer():
            if letter == b"e":
                size += len(content)
                self._process.budget.string(size)
                pieces.append(content)
            elif letter != b"x":
                yield letter, content
        end: dict[str, Any] = json.loads(b"".join(pieces))
        if "error" in end:
            raise SqlError(end["error"], end["code"], runs=end.get("runs", False))
        self._changed = end.get("changed", False)
        self.changes, self.total_changes = end.get("changes", self.changes), end.get("total", self.total_changes)
        self._failures = end.get("failures", [])

    def run(self, statement: str, *values: Value, exact: bool = False) -> Iterator[tuple[list[str], list[Row]]]:
        """Run one statement; yield the names of its columns with a batch of rows until there are no more.

        Args:
            statement: The statement.
            values: Those of its parameters.
            exact: Numbers with a fraction come as ``Exact``.

        Raises:
            SqlError: The statement fails.
            LimitExceededError: It takes too long or returns too much.
        """
        budget = self._process.budget
        sql = statement.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        bindings = {key[1:]: [value.hex()] if isinstance(value, bytes) else value for key, value in self.bindings.items()}
        request = {"do": "run", "sql": sql, "values": list(values), "bindings": bindings, "exact": exact}
        self._exchange.send(request, size=len(sql))
        batch: list[bytes] = []
        held = 0
        try:
            for letter, content in self._answer():
                batch.append(content)
                held += len(content)
                budget.hold(len(content))
                if letter == b"R":
                    yield _rows(b"".join(batch))
                    budget.tick(held >> 6)
                    budget.hold(-held)
                    batch, held = [], 0
        finally:
            budget.memory += held  # ``hold`` would complain if it has just done so

    def query(self, sql: str, *values: Value) -> list[Row]:
        """All rows of a short result.

        Raises:
            SqlError: The statement fails.
        """
        found: list[Row] = []
        for _, rows in self.run(sql, *values):
            found += rows
            self._process.budget.words(len(found))
        return found

    def fill(self, sql: str, rows: Iterator[list[str | None]]) -> Iterator[tuple[int, str]]:
        """Run a statement for each row; yield the indices of those that failed, with the messages."""
        start = 0
        while part := list(islice(rows, _MANY)):
            size = sum(len(cell or "") for row in part for cell in row)
            self._exchange.send({"do": "fill", "sql": sql, "rows": part}, size=size)
            for _ in self._answer():
                pass
            for number, message in self._failures:
                yield start + number, message
            start += len(part)

    def save(self, *, small: bool = False) -> None:
        """Write changes to the file; with ``small``, only those of a database that is copied quickly."""
        if self._changed and self._kept and not (small and len(self._stored) > _SMALL):
            self._write(self._ask("copy"))

    def _write(self, data: bytes) -> None:
        if data and data != self._stored:
            self._process.create(self._name).write(data)
            self._stored = data

    def close(self) -> None:
        """Close the database; an open transaction is rolled back."""
        try:
            self._write(self._ask("close", copy=self._kept))
        finally:
            self._exchange.close()

    def abandon(self) -> None:
        """End the worker, whatever it is doing."""
        self._exchange.end()


def _rows(message: bytes) -> tuple[list[str], list[Row]]:
    """The names and rows in a batch; see ``_send_rows`` of the server."""
    (length,) = struct.unpack_from("<I", message)
    names, rows = json.loads(message[4 : 4 + length])
    start = 4 + length
    for row in rows:
        for index, cell in enumerate(row):
            if type(cell) is list and cell[0] == "float":
                row[index] = Exact(cell[1])
            elif type(cell) is list:
                data = message[start : start + cell[1]]
                start += cell[1]
                row[index] = data.decode("utf-8", "surrogateescape") if cell[0] == "str" else data
    return names, rows

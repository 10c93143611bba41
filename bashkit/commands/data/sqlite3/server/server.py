"""The server of sqlite3's worker process: one database in memory, and one statement after another.

Requests have a key ``do``: ``open``, ``run``, ``fill``, ``backup``, ``copy`` or ``close``. An answer is made of frames: ``r`` and
``R`` (rows: all parts of a batch but the last, and the last), ``d`` (parts of the database), ``e`` (parts of the end, JSON) and
``x`` (nothing follows).
"""

from __future__ import annotations

import json
import re
import sqlite3
import struct
from functools import lru_cache, partial
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.commands._workers.program.answers import Answer

_BATCH_ROWS, _BATCH_BYTES = 500, 1 << 18
_LONG = 4096  # characters of a text from which it is not written as JSON
_OUT_OF_MEMORY = 7
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)  # of a regular expression
_DENIED_PRAGMAS = {
    "temp_store",
    "temp_store_directory",
    "data_store_directory",
    "mmap_size",
    "max_page_count",
    "cache_size",
    "hard_heap_limit",
}
_DENIED_FUNCTIONS = {"load_extension", "fts3_tokenizer"}
_HARMLESS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class _Bindings(dict[str, Any]):
    """The values of parameters by their names without the sign; NULL for the others."""

    def __missing__(self, name: str) -> None:
        return None


def _bindings(sent: dict[str, Any]) -> _Bindings:
    return _Bindings((name, bytes.fromhex(value[0]) if isinstance(value, list) else value) for name, value in sent.items())


class Server:
    """Answers requests about the database that was opened last."""

    opens_files = False

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._digits = sqlite3.connect(":memory:")  # writes numbers: unlike the database, it keeps what it has prepared
        self._changed = False

    @property
    def _database(self) -> sqlite3.Connection:
        if self._connection is None:
            raise sqlite3.ProgrammingError("no database is open")
        return self._connection

    def answer(self, request: dict[str, Any], descriptor: int | None, answer: Answer) -> None:  # noqa: ARG002 - a server's
        """Do what a request asks for; an error is part of the answer."""
        try:
            actions = {
                "open": self._open, "run": self._run, "fill": self._fill, "backup": self._backup, "copy": self._copy,
                "close": self._close,
            }  # fmt: skip
            end = actions[request["do"]](request, answer)
        except MemoryError:
            end = {"error": "out of memory", "code": _OUT_OF_MEMORY}
        except Exception as error:
            end = {"error": str(error), "code": getattr(error, "sqlite_errorcode", 1) & 0xFF, "runs": self._compiles(request)}
        answer.send(b"e", json.dumps(end).encode(), b"x", b"")

    def _open(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:  # noqa: ARG002
        self._connection = database = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, request["longest"])
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
        database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        if request["data"]:
            database.deserialize(request["data"])
            database.execute("select count(*) from sqlite_master").fetchone()
        database.execute("pragma temp_store=memory")
        page = database.execute("pragma page_size").fetchone()[0]
        database.execute(f"pragma max_page_count={max(1, request['largest'] // page)}")
        if request["read_only"]:
            database.execute("pragma query_only=on")
        for name, flags in (("regexp", 0), ("regexpi", re.IGNORECASE)):
            database.create_function(name, 2, partial(_found, flags), deterministic=True)
        self._changed = False
        database.set_authorizer(self._authorize)
        return {}

    def _authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """Deny access to files, extensions, and changes of the memory limits; note whether a statement may write."""
        if action == sqlite3.SQLITE_ATTACH and first not in {"", ":memory:"}:
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_PRAGMA and second is not None and (first or "").lower() in _DENIED_PRAGMAS:
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _DENIED_FUNCTIONS:
            return sqlite3.SQLITE_DENY
        if action not in _HARMLESS and not (action == sqlite3.SQLITE_PRAGMA and second is None):
            self._changed = True
        return sqlite3.SQLITE_OK

    def _run(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        cursor = self._database.execute(request["sql"], request["values"] or _bindings(request["bindings"]))
        names = [column[0] for column in cursor.description or ()]
        rows: list[list[Any]] = []
        long: list[bytes] = []
        size = 0
        for row in cursor:
            cells = list(row)
            for index, cell in enumerate(cells):
                if type(cell) is str:
                    size += len(cell)
                    if len(cell) < _LONG:
                        continue
                    long.append(cell.encode("utf-8", "surrogateescape"))
                elif type(cell) is bytes:
                    size += len(cell)
                    long.append(cell)
                elif type(cell) is float and request["exact"] and isfinite(cell):
                    cells[index] = ["float", self._digits.execute("select printf('%!.20g', ?)", (cell,)).fetchone()[0]]
                    continue
                else:
                    continue
                cells[index] = [type(cell).__name__, len(long[-1])]
            rows.append(cells)
            size += 16 * len(cells)
            if len(rows) >= _BATCH_ROWS or size >= _BATCH_BYTES:
                _send_rows(answer, names, rows, long)
                rows, long, size = [], [], 0
        if rows:
            _send_rows(answer, names, rows, long)
        return self._state()

    def _compiles(self, request: dict[str, Any]) -> bool:
        """Whether a statement is well formed, so that its error came while it ran."""
        try:
            self._database.execute("explain " + request["sql"], request["values"] or _bindings(request["bindings"])).close()
        except Exception:
            return False
        return True

    def _state(self) -> dict[str, Any]:
        """What the host must know after a statement."""
        database = self._database
        changes = database.execute("select changes()").fetchone()[0]
        changed = self._changed and not database.in_transaction
        return {"changed": changed, "changes": changes, "total": database.total_changes}

    def _fill(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:  # noqa: ARG002
        """Run a statement for each row of values; the numbers of those that failed are told."""
        failures = []
        for number, row in enumerate(request["rows"]):
            try:
                self._database.execute(request["sql"], row)
            except sqlite3.Error as error:
                failures.append([number, str(error)])
        return {**self._state(), "failures": failures}

    def _backup(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:  # noqa: ARG002
        """Send the database as it was committed last."""
        answer.send(b"d", self._database.serialize())
        return self._state()

    def _copy(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:  # noqa: ARG002
        """Send the database, if it was changed since it was sent last."""
        if self._changed and not self._database.in_transaction and self._database.execute("pragma page_count").fetchone()[0]:
            answer.send(b"d", self._database.serialize())
            self._changed = False
        return {}

    def _close(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        """Roll an open transaction back, send the database if it was changed and is wanted, and forget it."""
        if self._database.in_transaction:
            self._database.rollback()
        if request["copy"]:
            self._copy(request, answer)
        self._database.close()
        self._connection = None
        return {}


def _found(flags: int, pattern: object, text: object) -> bool | None:
    """Whether a text has what matches a regular expression, as SQLite's extension ``regexp`` says it."""
    if pattern is None or text is None:
        return None
    return _compiled(str(pattern), flags).search(str(text)) is not None


@lru_cache(100)
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(_PIECE.sub(lambda piece: r"\Z" if piece[0] == "$" else piece[0], pattern), flags | re.DOTALL)


def _send_rows(answer: Answer, names: list[str], rows: list[list[Any]], long: list[bytes]) -> None:
    """Send a batch: the length of its JSON, the JSON, and the long cells, for which the JSON has their types and lengths."""
    text = json.dumps([names, rows]).encode()
    message = memoryview(b"".join([struct.pack("<I", len(text)), text, *long]))
    part = 1 << 20
    last = (len(message) - 1) // part * part
    for start in range(0, last, part):
        answer.send(b"r", bytes(message[start : start + part]))
    answer.send(b"R", bytes(message[last:]))

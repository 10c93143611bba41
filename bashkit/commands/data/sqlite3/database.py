"""Opens a database of the virtual file system in memory, with limits on operations, time and size."""

from __future__ import annotations

import re
import resource
import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_STEPS = 200  # steps of SQLite's virtual machine between checks of the clock and the memory
_LONGEST = 1 << 20  # maximum bytes of a value, so that these steps cannot use much memory
# multiple of max_memory_bytes by which the host's process may grow, because SQLite does not report a statement's memory
_GROWTH = 4
_DENIED_PRAGMAS = {
    "temp_store",
    "temp_store_directory",
    "data_store_directory",
    "mmap_size",
    "max_page_count",
    "cache_size",
    "hard_heap_limit",
}
_BATCH = 500
_CORRUPT = 26


class NotADatabaseError(Exception):
    """The file is not a database."""


class Database:
    """One database.

    Args:
        process: The command whose file system and budget it uses.
        name: The file as the user wrote it; ``:memory:`` or empty for no file.
        read_only: Whether changes are refused.

    Raises:
        OSError: The file cannot be read.
        NotADatabaseError: It is not a database.
    """

    def __init__(self, process: Process, name: str, *, read_only: bool = False) -> None:
        self._process = process
        self.name = name
        self._stopped = self._full = False
        self._peak = 0
        self._path = "" if name in {"", ":memory:"} else process.path(name)
        self._stored = b""
        self.read_only = read_only
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        limit = process.budget.limits.max_string_bytes
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(limit, _LONGEST))
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
        self.connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        if self._path and process.fs.exists(self._path):
            self._stored = process.fs.read_file(self._path)
        elif self._path and not process.fs.exists(self._path.rpartition("/")[0] or "/"):
            raise FileNotFoundError(2, "unable to open database file", name)
        if self._stored:
            try:
                self.connection.deserialize(self._stored)
                self.connection.execute("select count(*) from sqlite_master").fetchone()
            except sqlite3.DatabaseError:
                raise NotADatabaseError(name) from None
        self.connection.execute("pragma temp_store=memory")
        size = self.connection.execute("pragma page_size").fetchone()[0]
        self.connection.execute(f"pragma max_page_count={max(1, limit // size)}")
        if read_only:
            self.connection.execute("pragma query_only=on")
        self._changes = self.connection.total_changes
        self.connection.set_authorizer(_authorize)
        self.connection.set_progress_handler(self._too_long, _STEPS)

    def _too_long(self) -> bool:
        """Whether SQLite must stop; it runs in its own thread, where the script cannot be ended."""
        budget = self._process.budget
        self._full = _peak() - self._peak > budget.limits.max_memory_bytes * _GROWTH
        return self._full or self._stopped or budget.clock() > budget.deadline

    def run(self, statement: str) -> Iterator[tuple[list[str], list[tuple[Any, ...]]]]:
        """Run one statement; yield the names of its columns with a batch of rows until there are no more.

        Raises:
            sqlite3.Error: The statement fails.
            LimitExceededError: It takes too long or returns too much.
        """
        process, budget = self._process, self._process.budget
        sql = statement.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        self._peak = _peak()
        try:
            cursor = process.system.call(lambda: self.connection.execute(sql))
            names = [column[0] for column in cursor.description or ()]
            while rows := process.system.call(lambda: cursor.fetchmany(_BATCH)):
                budget.tick(len(rows))
                yield names, rows
        except sqlite3.OperationalError as error:
            if str(error) == "interrupted":
                if self._full:
                    budget.fail("max_memory_bytes")
                budget.refuel()
            raise
        except BaseException:
            self._stopped = True
            raise

    def save(self) -> None:
        """Write changes to the file."""
        if not self._path or self.read_only or self.connection.in_transaction:
            return
        data = self.connection.serialize()
        if data != self._stored:
            self._process.budget.string(len(data))
            self._process.create(self.name).write(data)
            self._stored = data

    def close(self) -> None:
        """Close the database; an open transaction is rolled back."""
        self._stopped = True
        if self.connection.in_transaction:
            self.connection.set_progress_handler(None, 0)
            self.connection.rollback()
        self.save()
        self.connection.close()


def _peak() -> int:
    """The peak memory of the host's process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _authorize(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:  # noqa: ARG001
    """Deny access to the host: other files, extensions, and changes of the memory limits."""
    if action == sqlite3.SQLITE_ATTACH and first not in {"", ":memory:"}:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and second is not None and (first or "").lower() in _DENIED_PRAGMAS:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in {"load_extension", "fts3_tokenizer"}:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def statements(text: str) -> Iterator[str]:
    """Split a text into complete statements; the last one may lack its semicolon."""
    start = position = 0
    while True:
        position = text.find(";", position) + 1
        if not position:
            break
        if sqlite3.complete_statement(text[start:position]):
            yield text[start:position]
            start = position
    if not is_blank(text[start:]):
        yield text[start:]


def is_blank(text: str) -> bool:
    """Whether a text contains only blanks and comments."""
    return not re.sub(r"--[^\n]*|/\*.*?(\*/|\Z)|[\s;]", "", text, flags=re.DOTALL)

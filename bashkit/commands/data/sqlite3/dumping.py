"""The sqlite3 shell's ``.dump``: a database as the SQL that makes it again (sqlite.org/cli.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands.data.sqlite3.database import SqlError
from bashkit.commands.data.sqlite3.modes import line_literal, literal
from bashkit.commands.data.sqlite3.schema import guarded
from bashkit.commands.data.sqlite3.wording import identifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.data.sqlite3.database import Database

_VIRTUAL = re.compile(r"CREATE VIRTUAL TABLE", re.IGNORECASE)


def dumped(database: Database, patterns: list[str], options: set[str]) -> Iterator[str]:
    """The SQL, piece by piece.

    Args:
        database: The database.
        patterns: What the names of tables, indexes, views and triggers have to be like, one of them.
        options: Those of ``data-only``, ``newlines``, ``nosys`` and ``preserve-rowids`` that were given.

    Raises:
        SqlError: A table cannot be read.
    """
    data_only = "data-only" in options
    like = "(" + " or ".join(["name like ? escape '\\'"] * len(patterns)) + ") and sql is not null"
    if "nosys" in options:
        like += " and name not like 'sqlite\\_%' escape '\\'"
    if not data_only:
        yield "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"
    found = database.query(
        f"select name, sql from sqlite_master where {like} and type = 'table' order by tbl_name = 'sqlite_sequence', rowid",  # noqa: S608 - of our own
        *patterns,
    )
    virtual = False
    for name, sql in found:
        if name == "sqlite_sequence" or name.startswith("sqlite_stat"):
            if not data_only:
                yield "DELETE FROM sqlite_sequence;\n" if name == "sqlite_sequence" else "ANALYZE sqlite_schema;\n"
        elif name.startswith("sqlite_"):
            continue
        elif _VIRTUAL.match(sql):
            if not data_only:
                yield "" if virtual else "PRAGMA writable_schema=ON;\n"
                values = f"'table',{literal(name)},{literal(name)},0,{literal(sql)}"
                yield f"INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES({values});\n"
                virtual = True
            continue
        elif not data_only:
            yield f"{guarded(sql)};\n"
        yield from inserts(database, name, options)
    if data_only:
        return
    rest = f"select sql from sqlite_master where {like} and type in ('index','trigger','view') order by rowid"  # noqa: S608
    for (sql,) in database.query(rest, *patterns):
        yield f"{sql};\n"
    yield "PRAGMA writable_schema=OFF;\nCOMMIT;\n" if virtual else "COMMIT;\n"


def inserts(database: Database, name: str, options: set[str]) -> Iterator[str]:
    """The statements that fill a table, many at a time."""
    written = literal if "newlines" in options else line_literal
    quoted = identifier(name, always=True)
    into, wanted = identifier(name), "*"
    if "preserve-rowids" in options and _has_plain_rowid(database, name):
        columns = [identifier(str(row[0])) for row in database.query("select name from pragma_table_info(?)", name)]
        into, wanted = f"{into}(rowid,{','.join(columns)})", "rowid, *"
    for _, rows in database.run(f"select {wanted} from {quoted}", exact=True):  # noqa: S608 - quoted
        yield "".join(f"INSERT INTO {into} VALUES({','.join(map(written, row))});\n" for row in rows)


def _has_plain_rowid(database: Database, name: str) -> bool:
    """Whether a table has row IDs that are no column of it."""
    try:
        database.query(f"select rowid from {identifier(name, always=True)} limit 0")  # noqa: S608 - quoted
    except SqlError:
        return False
    keys = database.query("select type from pragma_table_info(?) where pk", name)
    return not (len(keys) == 1 and str(keys[0][0]).upper() == "INTEGER")

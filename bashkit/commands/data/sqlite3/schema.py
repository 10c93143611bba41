"""How the sqlite3 shell writes the statements that made a schema (sqlite.org/cli.html, Querying the Database Schema)."""

from __future__ import annotations

import re

from bashkit.interp.runtime.pieces import finditer
from bashkit.limits import turn

_QUOTED_TABLE = re.compile(r"CREATE TABLE (?=['\"])")
_KEPT = ("CREATE VIEW", "CREATE TRIG")  # statements that --indent leaves as they are
_SHORT = 79  # characters from which --indent breaks a statement into lines
_PIECE = re.compile(r"""'[^']*+'?|"[^"]*+"?|`[^`]*+`?|\[[^\]]*+\]?|--[^\n]*+\n?|[(),\n]|[^'"`\[(),\n-]+|-""")
_SPACES = re.compile(r"\s+")
_REST_OF_LINE = re.compile(r"[ \t]*(?:--|\n|\Z)")
MASTER = """\
CREATE TABLE {} (
  type text,
  name text,
  tbl_name text,
  rootpage integer,
  sql text
);
"""
MASTERS = {"sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"}


def guarded(statement: str) -> str:
    """A statement that makes a table with a quoted name, written so that it makes the table only if there is none."""
    return _QUOTED_TABLE.sub("CREATE TABLE IF NOT EXISTS ", statement, count=1)


def indented(statement: str) -> str:
    """A statement with a line for each column, if it is long."""
    if statement.startswith(_KEPT):
        return statement
    text = re.sub(r"\s+\)", ")", re.sub(r"([\s(])\s+", lambda found: " " if found[1] != "(" else "(", statement.strip()))
    if len(text) < _SHORT:
        return text
    lines: list[str] = []
    line: list[str] = []
    depth = 0
    for found in finditer(_PIECE, text):
        piece = found[0]
        turn()
        depth += (piece == "(") - (piece == ")")
        if piece == ")" and depth == 0 and lines and line:
            lines.append("".join(line) + "\n")
            line = []
        line.append(piece.lstrip() if len(line) == 0 and lines and depth else piece)
        if depth == 1 and (piece in {"(", "\n"} or (piece == "," and not _REST_OF_LINE.match(text, found.end()))):
            lines.append("".join(line).removesuffix("\n") + "\n  ")
            line = []
    return "".join([*lines, *line])


def of_schema(statement: str, schema: str) -> str:
    """A statement that makes something, with the schema before its name."""
    return re.sub(r"^(CREATE (?:TABLE|VIEW|INDEX|UNIQUE INDEX|TRIGGER|VIRTUAL TABLE) )", rf"\1{schema}.", statement, count=1)


def makes_columns(kind: object, sql: object) -> bool:
    """Whether the columns of what a statement makes do not stand in it."""
    return kind == "view" or str(sql).upper().startswith("CREATE VIRTUAL")

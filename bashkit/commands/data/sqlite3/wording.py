"""Writes names, literals and error positions as the sqlite3 shell does."""

from __future__ import annotations

import re


def clean(text: str) -> str:
    """Replace the bytes of a text that are not UTF-8, which SQLite rejects."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# https://sqlite.org/lang_keywords.html
_KEYWORDS = frozenset(
    (
        "ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE CASE "
        "CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP "
        "DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE "
        "EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE "
        "IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH "
        "MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA "
        "PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT "
        "ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE "
        "UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT "
    ).split()
)


def identifier(name: str, *, always: bool = False) -> str:
    """Write a name in SQL, quoted if necessary, or always."""
    plain = name.isidentifier() and name.isascii() and name.upper() not in _KEYWORDS
    return name if plain and not always else '"' + name.replace('"', '""') + '"'


def unescaped(text: str) -> str:
    """Replace the escapes in a separator."""
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r")


def tcl_string(text: str) -> str:
    """Write a text as the tcl mode does: bytes that are not printable in octal."""
    pieces = []
    for byte in text.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        pieces.append(_TCL.get(char) or (char if 32 <= byte < 127 else f"\\{byte:03o}"))
    return f'"{"".join(pieces)}"'


_TCL = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def c_string(text: str) -> str:
    """Write a text as a C string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f'"{escaped}"'


def pointer(message: str, text: str) -> str:
    """The statement with a mark under the word that the message names."""
    found = re.match(
        r'near "(.+?)": |no such column: (?:.+\.)?(.+)|no such function: (.+)|wrong number .* function (.+)\(\)', message
    )
    if found is None:
        return ""
    word = next(filter(None, found.groups()))
    line = " ".join(text.split("\n")).strip()
    place = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line)
    if place is None:
        return ""
    return f"  {line}\n  {' ' * place.start()}^--- error here\n"

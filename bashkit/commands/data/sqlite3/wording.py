"""Writes names, literals and error positions as the sqlite3 shell does."""

from __future__ import annotations

import re

from bashkit.interp.runtime.pieces import finditer
from bashkit.limits import turn


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


def tcl_string(text: str) -> str:
    """Write a text as a string literal of Tcl or C: bytes that are not printable in octal."""
    pieces = []
    for byte in text.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        pieces.append(_TCL.get(char) or (char if 32 <= byte < 127 else f"\\{byte:03o}"))
    return f'"{"".join(pieces)}"'


_TCL = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def dot_words(text: str) -> list[str]:
    """The words of a dot command: quotes enclose one, and a backslash means something but between single quotes.

    Source: https://sqlite.org/cli.html#dot_command_arguments
    """
    words: list[str] = []
    place = 0
    while (found := _FIRST.search(text, place)) is not None:
        quote, place = found[0], found.end()
        if quote == "'":
            end = text.find("'", place)
            end = len(text) if end < 0 else end
            words.append(text[place:end])
            place = end + 1
        elif quote == '"':
            end = _end(_QUOTED, text, place)
            words.append(_with_characters(text[place:end]))
            place = end + 1
        else:
            end = _end(_BARE, text, place)
            words.append(_with_characters(text[place - 1 : end]))
            place = end
        turn()
    return words


_FIRST = re.compile(r"\S")
_QUOTED = re.compile(r'(?>[^"\\]|\\.?){1,4096}+', re.DOTALL)  # parts of what may be long
_BARE = re.compile(r"\S{1,4096}")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_CHARACTERS = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}


def _end(part: re.Pattern[str], text: str, place: int) -> int:
    """Where a row of parts ends."""
    while (found := part.match(text, place)) is not None:
        place = found.end()
        turn()
    return place


def _with_characters(word: str) -> str:
    """A word with characters in place of its escapes."""
    pieces: list[str] = []
    place = 0
    for found in finditer(_ESCAPE, word):
        code, letter = found.groups()
        pieces += word[place : found.start()], chr(int(code, 8) & 255) if code else _CHARACTERS.get(letter, letter)
        place = found.end()
        turn()
    return "".join([*pieces, word[place:]])


def pointer(message: str, statement: str, following: str) -> str:
    """A part of a statement and of what follows it, with a mark at the word that the message names; "" where it names none.

    As the real shell does, it shows at most 78 bytes, from 50 before the word on, and points from the side where there is room.
    """
    word = _named(message)
    place = _place(word, statement) if word else -1
    if place < 0 or (message.startswith("no such column") and _UPDATE.match(statement)):
        return ""
    before = _cut(statement[max(0, place - _BEFORE) : place].encode("utf-8", "replace")[-_BEFORE:])
    offset = len(before.encode())
    behind = statement[place : place + _SHOWN] + following[:_SHOWN]
    line = before + _cut(behind.encode("utf-8", "replace")[: _SHOWN - offset])
    mark = " " * offset + "^--- error here" if offset < _NEAR else " " * (offset - _NEAR + 11) + "error here ---^"
    return f"  {_SPACE.sub(' ', line)}\n  {mark}\n"


_SHOWN = 78  # bytes of a statement that are shown
_BEFORE = 50  # of them before the word
_NEAR = 25  # those before a word whose mark points from the right
_SPACE = re.compile(r"[ \t\n\v\f\r]")
_UPDATE = re.compile(r"\s*update\b", re.IGNORECASE)
_NAMED = (
    ('near "', '": syntax error'),
    ('unrecognized token: "', '"'),
    ("no such column: ", ""),
    ("no such function: ", ""),
    ("ambiguous column name: ", ""),
    ("table ", " already exists"),
    ("view ", " already exists"),
    ("wrong number of arguments to function ", "()"),
)  # what stands before and behind the word in a message


def _cut(data: bytes) -> str:
    """What is whole of a text that was cut at any byte."""
    return data.decode("utf-8", "ignore")


def _named(message: str) -> str:
    for before, behind in _NAMED:
        if message.startswith(before) and message.endswith(behind):
            return message[len(before) : len(message) - len(behind)]
    return ""


def _place(word: str, statement: str) -> int:
    """Where a statement has a word that is not a part of a longer one; -1 where it has not."""
    place = statement.find(word)
    while place >= 0:
        end = place + len(word)
        inside = place and _is_part(word[0]) and _is_part(statement[place - 1])
        if not inside and not (end < len(statement) and _is_part(word[-1]) and _is_part(statement[end])):
            return place
        turn()
        place = statement.find(word, place + 1)
    return -1


def _is_part(character: str) -> bool:
    return character.isalnum() or character in "_$"

"""Writes names, literals and error positions as the sqlite3 shell does."""

from __future__ import annotations

import re


def clean(text: str) -> str:
    """Replace the bytes of a text that are not UTF-8, which SQLite rejects."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def identifier(name: str, *, always: bool = False) -> str:
    """Write a name in SQL, quoted if necessary, or always."""
    return name if name.isidentifier() and not always else '"' + name.replace('"', '""') + '"'


def unescaped(text: str) -> str:
    """Replace the escapes in a separator."""
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r")


def c_string(text: str) -> str:
    """Write a text as a C string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f'"{escaped}"'


def pointer(message: str, text: str) -> str:
    """The statement with a mark under the word that the message names."""
    found = re.match(r'near "(.+?)": |no such column: (.+)', message)
    if found is None:
        return ""
    word = (found[1] or found[2]).rpartition(".")[2] if found[2] else found[1]
    line = " ".join(text.split("\n")).strip()
    place = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line)
    if place is None:
        return ""
    return f"  {line}\n  {' ' * place.start()}^--- error here\n"

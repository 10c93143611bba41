"""Quotes file names as the GNU utilities do in messages and listings."""

from __future__ import annotations

import re

from bashkit.limits import paced, paced_if_many

_C_ESCAPES = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}
_SPECIAL = re.compile("[|&;<>()$`\\\\\"'*?[=! ^\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff]")  # anywhere in a word
_QUOTE = '"'
_SPECIAL_FIRST = frozenset("#~")
_SPECIAL_ALONE = frozenset("{}")
_PLAINLESS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff\\\\]")
_DOUBLE = re.compile(r"[#~]?[^\x00-\x1f!-$&(-*;-?\[\\^`{-\x7f]*+")  # what stands in double quotes if it has a single one
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff]")
_RUN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff]+|[^\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff]+")

STYLES = (
    "literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "c-maybe", "escape", "locale", "clocale",
)  # fmt: skip


def style_of(word: str | None) -> str | None:
    """The style that a word means, which may be the beginning of its name; None if it means no single one."""
    if not word or word in STYLES:
        return word or None
    found = [style for style in STYLES if style.startswith(word)]
    return found[0] if len(found) == 1 else None


def quote(name: str) -> str:
    """Quote a name for a message: ``'name'``, so that a shell would read it back."""
    if "'" in name and _CONTROL.search(name) is None and _DOUBLE.fullmatch(name) is not None:
        return f'"{name}"'
    pieces = [""] if _CONTROL.match(name) or not name else []
    pieces += [found[0] for found in paced(_RUN.finditer(name))]
    result: list[str] = []
    for piece in paced_if_many(pieces):
        if _CONTROL.match(piece):
            result.append("$'" + "".join(map(_escape, paced_if_many(piece))) + "'")
        elif result:
            result.append(_enclosed(piece).removeprefix("''"))  # behind $'...' no quotes are opened to be closed at once
        else:
            result.append(_enclosed(piece))
    return "".join(result)


def _enclosed(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def mention(word: str) -> str:
    """Quote a word that is not a file name for a message, in the quotes of a UTF-8 locale."""
    return f"\u2018{escape_c(word, special='') if _PLAINLESS.search(word) else word}\u2019"


def quote_if_needed(name: str) -> str:
    """Quote a name in a message only if a shell needs it, or if a colon would look like the end of the name."""
    return quote(name) if ":" in name else quote_word(name)


def quote_word(name: str) -> str:
    """Quote a word only if a shell needs it."""
    plain = _SPECIAL.search(name) is None
    if name and plain and name[0] not in _SPECIAL_FIRST and name not in _SPECIAL_ALONE:
        return name
    return quote(name)


def quote_as(style: str, name: str, marks: str = "") -> str:
    """Quote a name in one of the styles of ``--quoting-style``.

    Args:
        style: The style.
        name: The file name.
        marks: Characters that mean something behind a name, and therefore are quoted within it.
    """
    if style == "literal":
        return name
    marked = any(mark in name for mark in marks)
    if style == "c-maybe":
        return quote_c(name) if marked or '"' in name or _CONTROL.search(name) else name
    if style == "c":
        return f'"{escape_c(name, special=marks + _QUOTE)}"'
    if style == "escape":
        return escape_c(name, special=marks)
    if style in {"locale", "clocale"}:
        return f"\u2018{escape_c(name, special=marks)}\u2019"
    if style in {"shell", "shell-always"} and _CONTROL.search(name):
        plain = style == "shell" and not re.search("[\t\n\r]", name) and (bare := _CONTROL.sub("_", name)) == quote_word(bare)
        return name if plain and not marked else _enclosed(name)
    return (quote if marked or style not in {"shell", "shell-escape"} else quote_word)(name)


def quote_c(name: str) -> str:
    """Write a name as a C string literal with its double quotes (``ls -Q``)."""
    return f'"{escape_c(name)}"'


def escape_c(name: str, *, special: str = _QUOTE) -> str:
    """Replace unprintable characters of a name by C escapes (``ls -b``, ``ls -Q``).

    Args:
        name: The file name.
        special: The printable characters that are escaped too.
    """
    return "".join(
        "\\\\" if char == "\\" else "\\" + char if char in special else _escape(char) if is_control(char) else char
        for char in paced_if_many(name)
    )


def is_control(char: str) -> bool:
    """Whether a character, or a byte that is not UTF-8, is not shown as it is."""
    return char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029" or "\udc80" <= char <= "\udcff"


def _escape(char: str) -> str:
    known = _C_ESCAPES.get(char)
    if known is not None:
        return known
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))

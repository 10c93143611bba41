"""Quoting values so that the shell reads them back (bash(1): ``printf %q``, ``${x@Q}``, ``declare -p``)."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SPECIAL = re.compile(r"[\s'\"\\|&;()<>!{}*\[\]?^$`]|^[~#]|(?<=[:=])~")  # what the shell would read differently
_BACKSLASHED = re.compile(r"[ '\"\\|&;()<>!{}*\[\]?^$`,]|^[~#]|(?<=[:=])~")
_NAMED = {
    "\a": "\\a",
    "\b": "\\b",
    "\x1b": "\\E",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    "'": "\\'",
}


def ansi_c_quote(text: str) -> str:
    """``$'…'``"""
    pieces = []
    for character in text:
        code = ord(character)
        if character in _NAMED:
            pieces.append(_NAMED[character])
        elif code < 32 or code == 127:
            pieces.append(f"\\{code:03o}")
        elif 0xDC80 <= code < 0xDD00:
            pieces.append(f"\\{code - 0xDC00:03o}")
        else:
            pieces.append(character)
    return "$'" + "".join(pieces) + "'"


def plain_quote(text: str) -> str:
    """``'…'`` whatever is inside (``trap``, ``alias``)."""
    return "'" + text.replace("'", "'\\''") + "'"


def single_quote(text: str) -> str:
    """``'…'``, or ``$'…'`` where control characters need it (``${x@Q}``)."""
    if _CONTROL.search(text):
        return ansi_c_quote(text)
    return plain_quote(text)


def quote_if_needed(text: str) -> str:
    """As ``set`` and ``alias`` print values: quoted only where the shell would read it differently."""
    return single_quote(text) if not text or _SPECIAL.search(text) or _CONTROL.search(text) else text


def backslash_quote(text: str) -> str:
    """As ``printf %q``: backslashes before what is special."""
    if not text:
        return "''"
    if _CONTROL.search(text):
        return ansi_c_quote(text)
    return _BACKSLASHED.sub(lambda match: "\\" + match.group(), text)


def double_quote(text: str) -> str:
    """As ``declare -p`` prints values."""
    if _CONTROL.search(text):
        return ansi_c_quote(text)
    return '"' + re.sub(r'([\\"$`])', r"\\\1", text) + '"'


def key_quote(text: str) -> str:
    """As ``declare -p`` prints the keys of an associative array."""
    if re.fullmatch(r"[A-Za-z0-9_@%+=:,./-]+", text) and text not in {"@", "*"}:
        return text
    return double_quote(text)

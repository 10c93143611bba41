"""Writes values as YAML for people, with anchors for values that are used several times."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

from yaml.emitter import Emitter
from yaml.events import ScalarEvent

from bashkit.toolset.text.scalars import plain

_WIDTH = 120
_INDENT = 2
_SHORT = 80  # maximum characters of a list on one line
_KEY = 122  # maximum characters of a key without a question mark before it
_FIRST = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$/(")  # of an easy text
_HARD = (": ", " #", "  ")
_HARD_IN_BRACKETS = re.compile(r"[,?:\[\]{}]")
_BREAKS = re.compile("[\n\x85\u2028\u2029]")
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")  # lines end there for YAML alone
_MERGE = "<<"


def yaml_text(value: Any) -> str:
    """Write an object or a list as YAML."""
    return YamlWriter().text(value)


def alias(name: str) -> str:
    """A placeholder for a value that ``anchored`` writes; ``link`` turns it into a YAML alias."""
    return f"*{name}"


def anchored(name: str, value: Any) -> str:
    """Write a value under the key ``x-NAME``, with an anchor to which ``alias`` refers."""
    key = f"x-{name}"
    return yaml_text({key: value}).replace(f"{key}:", f"{key}: &{name}", 1)


def link(text: str, name: str) -> str:
    """Replace every ``alias`` placeholder, which YAML quotes because of its asterisk, by a YAML alias."""
    return re.sub(rf"(?m)^( +[\w-]+:) '\*{re.escape(name)}'$", rf"\1 *{name}", text)


class YamlWriter:
    """Writes YAML as a person would: block style, lists indented below their key, quotes only where necessary.

    Imported APIs have hundreds of thousands of values, for which PyYAML takes half a minute; it writes only the texts that need
    quotes or blocks, each once.
    """

    def __init__(self) -> None:
        self._emitter: Any = Emitter(StringIO(), allow_unicode=True, width=_WIDTH)
        self._written: dict[tuple[str, int, int, bool, bool], str] = {}

    def text(self, value: Any) -> str:
        """Write an object or a list.

        Raises:
            TypeError: Something in it is not JSON.
        """
        parts: list[str] = []
        if value and (isinstance(value, dict) or not _is_short(value)):
            self._block(value, 0, parts, started=False)
        else:
            self._value(value, -1, -_INDENT, parts, inline=True)
        return "".join(parts).removeprefix(" ")

    def _block(self, value: Any, indent: int, parts: list[str], *, started: bool) -> None:
        """Write the lines of an object or a list that is not empty; the indentation of the first may be there already."""
        margin = " " * indent
        if not isinstance(value, dict):
            for item in value:
                parts.append("-" if started else f"{margin}-")
                self._value(item, indent + 1, indent, parts, inline=True)
                started = False
            return
        for key, item in value.items():
            if not started:
                parts.append(margin)
            started = False
            if isinstance(key, str) and (not key or len(key) > _KEY or _BREAKS.search(key)):
                written = self._scalar(key, indent + 1, indent + _INDENT)
                parts += ["?", _line(written), margin, ":"]
                self._value(item, indent + 1, indent, parts, inline=True)
                continue
            name = self._scalar(key, indent, indent + _INDENT, key=True)
            parts.append(f"{name}:")
            self._value(item, indent + len(name) + 1, indent, parts, inline=False)

    def _value(self, value: Any, column: int, indent: int, parts: list[str], *, inline: bool) -> None:
        """Write the value of a key or an item of a list, up to the end of its line.

        Args:
            value: The value.
            column: Where its line is.
            indent: The indentation of the object or list around it.
            parts: Gets the text.
            inline: The first line of an object or list begins in this line.
        """
        if not isinstance(value, (dict, list, tuple)):
            parts.append(_line(self._scalar(value, column, indent + _INDENT)))
        elif not value:
            parts.append(" {}\n" if isinstance(value, dict) else " []\n")
        elif not isinstance(value, dict) and _is_short(value):
            parts.append(self._brackets(value, column, indent + _INDENT))
        else:
            parts.append(" " if inline else "\n")
            self._block(value, indent + _INDENT, parts, started=inline)

    def _brackets(self, items: Any, column: int, indent: int) -> str:
        """Write a list in brackets."""
        text, line = " [", column + 2
        for index, item in enumerate(items):
            if index:
                text, line = f"{text},", line + 1
            if line > _WIDTH:
                text, line = f"{text}\n{' ' * indent}", indent
            spaced = text.endswith(",")
            written = self._scalar(item, line if spaced else line - 1, indent + _INDENT, brackets=True)
            text += written if spaced else written.removeprefix(" ")
            line = len(text) - text.rfind("\n") - 1 + (0 if "\n" in text else column)
        return text + "]\n"

    def _scalar(self, value: Any, column: int, indent: int, *, key: bool = False, brackets: bool = False) -> str:
        """Write a text, a number, a truth value or null, with a space before it unless it is a key.

        Args:
            value: The value.
            column: Where its line is.
            indent: The indentation of its further lines.
            key: It is a key.
            brackets: It is in a list in brackets.
        """
        if not isinstance(value, str):
            return _word(value) if key else f" {_word(value)}"
        if _is_easy(value) and not (brackets and _HARD_IN_BRACKETS.search(value)):
            return value if key else _folded(value, column, indent)
        place = (value, column, indent, key, brackets)
        if place not in self._written:
            self._written[place] = self._hard(*place)
        return self._written[place]

    def _hard(self, text: str, column: int, indent: int, key: bool, brackets: bool) -> str:
        """Write a text as PyYAML does at a place."""
        lines = text.split("\n")
        block = len(lines) > 1 and all(line == line.rstrip() for line in lines) and "\t" not in text
        emitter = self._emitter
        emitter.stream = StringIO()
        emitter.column, emitter.indent, emitter.whitespace, emitter.indention = column, indent, key, False
        emitter.flow_level, emitter.simple_key_context = int(brackets), key
        style = '"' if _ODD_BREAKS.search(text) else "|" if block else None
        emitter.event = ScalarEvent(None, None, (_reads_as_text(text) and text != _MERGE, True), text, style=style)
        emitter.process_scalar()
        return str(emitter.stream.getvalue())


def _is_easy(text: str) -> bool:
    """Whether a text is certain to need no quotes, by YAML 1.2 rather than PyYAML's 1.1."""
    return (
        text[:1] in _FIRST
        and text.isascii()
        and text.isprintable()
        and text[-1] not in ": "
        and not any(hard in text for hard in _HARD)
        and _reads_as_text(text)
    )


def _reads_as_text(text: str) -> bool:
    """Whether a reader would take it for a text if it were plain."""
    try:
        return isinstance(plain(text), str)
    except ValueError:
        return False


def _folded(text: str, column: int, indent: int) -> str:
    """An easy text after a space, in lines that end with the first word that exceeds the width."""
    if column + len(text) < _WIDTH:
        return f" {text}"
    parts: list[str] = []
    for word in text.split(" "):
        if parts and column > _WIDTH:
            parts.append(f"\n{' ' * indent}")
            column = indent
        else:
            parts.append(" ")
            column += 1
        parts.append(word)
        column += len(word)
    return "".join(parts)


def _line(text: str) -> str:
    """A text with the end of its line, which blocks have already."""
    return text if text.endswith("\n") else f"{text}\n"


def _is_short(items: Any) -> bool:
    """Whether a list is on one line."""
    scalars = all(item is None or isinstance(item, (str, int, float)) for item in items)
    return scalars and sum(len(str(item)) + 2 for item in items) <= _SHORT


def _word(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if not isinstance(value, float):
        raise TypeError(f"JSON has no {type(value).__name__}")
    text = float.__repr__(value)
    return text if "." in text else text.replace("e", ".0e", 1)

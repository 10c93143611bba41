"""The rows of a batch: one script each, as a line of JSON."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import dataclass, field
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_TEXTS = ("files", "env")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYS = ("id", "script", "files", "env", "stdin")


@dataclass(frozen=True, slots=True)
class Row:
    """One script.

    Attributes:
        number: Its place in the batch, from 0.
        id: What its result is found by.
        script: The script.
        files: Files that it finds, by absolute path.
        env: Variables of its environment.
        stdin: Its standard input.
    """

    number: int
    id: str | int
    script: str
    files: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""


def read_rows(path: Path, shown: str = "") -> Iterator[Row]:
    """Read the rows of a file, one after the other: a batch may be larger than memory.

    Args:
        path: The file.
        shown: How messages call it; its path when left out.

    Raises:
        BashkitError: The file cannot be read, or a line is no row; the message has file and line.
    """
    return (row for row, _ in rows_and_lines(path, shown))


def rows_and_lines(path: Path, shown: str = "") -> Iterator[tuple[Row, int]]:
    """The same, each row with its line in the file, from 1."""
    number = 0
    shown = shown or str(path)
    try:
        for place, line in enumerate(host_files.read_lines(path), 1):
            text = _text(line.removeprefix(BOM_UTF8) if place == 1 else line, f"{shown}:{place}")
            if text.strip():
                yield _row(number, text, f"{shown}:{place}"), place
                number += 1
    except OSError as error:
        raise BashkitError(f"{shown}: it cannot be read: {error.strerror}") from None


def _text(line: bytes, place: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BashkitError(f"{place}: this is not UTF-8, from byte {error.start + 1} of the line on") from None


def _row(number: int, line: str, place: str) -> Row:
    try:
        value = json_text.decode(line.rstrip())
    except JSONDecodeError as error:
        raise BashkitError(f"{place}:{error.colno}: this is not JSON: {error.msg}") from None
    except ValueError as error:
        raise BashkitError(f"{place}: this is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BashkitError(f"{place}: a row is an object with the keys {', '.join(_KEYS)}")
    problem = _problem(value)
    if problem:
        raise BashkitError(f"{place}: {problem}")
    return Row(number, **value)


def _problem(value: dict[str, Any]) -> str:
    """What is wrong with a row, or ""."""
    for key in value:
        if key not in _KEYS:
            return f"unknown key {key!r}; there are {', '.join(_KEYS)}"
    for key in ("id", "script"):
        if key not in value:
            return f"{key} is missing"
    if isinstance(value["id"], bool) or not isinstance(value["id"], (str, int)):
        return "id is a text or a whole number"
    for key in ("script", "stdin"):
        if not isinstance(value.get(key, ""), str):
            return f"{key} is a text"
    for key in _TEXTS:
        texts = value.get(key, {})
        if not isinstance(texts, dict):
            return f"{key} is an object of texts"
        other = next((name for name, text in texts.items() if not isinstance(text, str)), None)
        if other is not None:
            return f"{key} is an object of texts, and {other!r} is none"
    relative = next((path for path in value.get("files", {}) if not path.startswith("/")), None)
    if relative is not None:
        return f"a path of files is absolute, not {relative!r}"
    odd = next((name for name in value.get("env", {}) if not _NAME.fullmatch(name)), None)
    return "" if odd is None else f"{odd!r} is no name of a variable"

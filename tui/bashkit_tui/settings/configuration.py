"""The user's settings: theme and keys from ``inspector.toml``, and the mistakes in it with line and key."""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.runs.state_directory import home_directory

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bashkit_tui.settings.key_bindings import Declared

_KNOWN = ("theme", "keys")
_MODIFIERS = frozenset({"ctrl", "alt", "shift", "super", "meta", "hyper"})
_HEADER = re.compile(r"\s*\[\s*([^\]]*?)\s*\]\s*(#.*)?")
_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A setting that is ignored because it is wrong.

    Attributes:
        file: The file.
        line: One-based line; 0 for the file as a whole.
        message: The mistake, with the key.
    """

    file: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in the file.

    Attributes:
        theme: The name of the theme, or None.
        keys: Comma-separated keys by the ids of bindings.
        mistakes: The mistakes in the file.
    """

    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    mistakes: tuple[Mistake, ...] = ()


def default_file(environ: Mapping[str, str] = os.environ) -> Path:
    """``$XDG_CONFIG_HOME/bashkit/inspector.toml`` (XDG Base Directory Specification: ``~/.config`` where that is not set)."""
    home = environ.get("XDG_CONFIG_HOME", "")
    folder = Path(home) if Path(home).is_absolute() else Path(environ.get("HOME") or home_directory()) / ".config"
    return folder / "bashkit" / "inspector.toml"


def read(file: Path, *, required: bool, themes: Collection[str], actions: Mapping[str, Declared]) -> Configuration:
    """Read the settings; mistakes are in ``mistakes``, nothing is raised.

    Args:
        file: The file.
        required: Whether the file must exist, because the user named it.
        themes: The names of the themes.
        actions: The bindings by their ids.
    """
    try:
        text = host_files.read_text(file)
    except FileNotFoundError:
        return Configuration(mistakes=(Mistake(file, 0, "there is no such file"),) if required else ())
    except OSError as error:
        return Configuration(mistakes=(Mistake(file, 0, f"the file cannot be read: {error.strerror}"),))
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Configuration(mistakes=(_syntax_mistake(file, text, error),))
    return _Reader(file, text, value).configuration(themes, actions)


class _Reader:
    def __init__(self, file: Path, text: str, value: Mapping[str, Any]) -> None:
        self._file = file
        self._lines = text.splitlines()
        self._value = value
        self._mistakes: list[Mistake] = []

    def configuration(self, themes: Collection[str], actions: Mapping[str, Declared]) -> Configuration:
        for key in self._value:
            if key not in _KNOWN:
                self._mistake(key, f"{key}: there is no such setting{_hint(key, _KNOWN)}")
        theme = self._value.get("theme")
        if theme is not None and theme not in themes:
            self._mistake("theme", f"theme: there is no theme {theme!r}{_hint(theme, themes)}")
            theme = None
        return Configuration(theme, self._keys(actions), tuple(sorted(self._mistakes, key=lambda mistake: mistake.line)))

    def _keys(self, actions: Mapping[str, Declared]) -> dict[str, str]:
        table = self._value.get("keys", {})
        if not isinstance(table, dict):
            self._mistake("keys", "keys: it must be a table, [keys]")
            return {}
        found: dict[str, str] = {}
        for name, keys in _flat(table).items():
            if name not in actions:
                self._mistake(name, f"{name}: there is no such action{_hint(name, actions)}", "keys")
            elif not isinstance(keys, str) or not keys.strip():
                self._mistake(name, f'{name}: its keys must be a string such as "f9,ctrl+r"', "keys")
            elif wrong := [key for key in (part.strip() for part in keys.split(",")) if not is_key(key)]:
                self._mistake(name, f"{name}: there is no key {wrong[0]!r}", "keys")
            else:
                found[name] = ",".join(part.strip() for part in keys.split(","))
        for name in found:
            self._check_taken(name, found, actions)
        return found

    def _check_taken(self, name: str, found: Mapping[str, str], actions: Mapping[str, Declared]) -> None:
        """Report another action of the same group that has one of the keys already."""
        wanted = set(found[name].split(","))
        for other, declared in actions.items():
            shared = wanted & {key.strip() for key in found.get(other, declared.keys).split(",")}
            if shared and other != name and declared.group == actions[name].group:
                self._mistake(name, f"{name}: the key {min(shared)!r} is that of {other} too", "keys")

    def _mistake(self, key: str, message: str, table: str = "") -> None:
        self._mistakes.append(Mistake(self._file, self._line(key, table), message))

    def _line(self, key: str, table: str) -> int:
        """The one-based line of a key, else the line of its table, else 0."""
        section, header = "", 0
        words = re.escape(key).replace(r"\.", r"\s*\.\s*")
        written = re.compile(rf"\s*(?:{words}|\"{re.escape(key)}\"|'{re.escape(key)}')\s*[=.]")
        for number, line in enumerate(self._lines, 1):
            if (found := _HEADER.fullmatch(line)) is not None:
                section = found[1]
                header = number if section == (table or key) else header
            elif section == table and written.match(line):
                return number
        return header


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Join nested tables to dotted names: TOML reads ``script.run = …`` without quotes as a table in a table."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        found |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) and value else {f"{prefix}{name}": value}
    return found


def _syntax_mistake(file: Path, text: str, error: tomllib.TOMLDecodeError) -> Mistake:
    found = _PLACE.fullmatch(str(error))
    if found is None:
        return Mistake(file, 1, f"TOML: {error}")
    line = int(found[2]) if found[2] else max(1, len(text.splitlines()))
    return Mistake(file, line, f"TOML: {found[1]}")


def is_key(key: str) -> bool:
    """Whether a terminal can send this key: ``a``, ``f9``, ``ctrl+r``, ``question_mark``."""
    from textual.keys import KEY_NAME_REPLACEMENTS, KEY_TO_UNICODE_NAME, Keys

    *modifiers, last = key.split("+") if key != "+" else [key]
    if not set(modifiers) <= _MODIFIERS or not last:
        return False
    if (
        len(last) == 1
        or last in {known.value for known in Keys}
        or last in {*KEY_NAME_REPLACEMENTS.values(), *KEY_TO_UNICODE_NAME}
    ):
        return True
    try:
        unicodedata.lookup(last.replace("_", " "))
    except KeyError:
        return False
    return True


def _hint(word: Any, known: Collection[str]) -> str:
    close = get_close_matches(str(word), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""

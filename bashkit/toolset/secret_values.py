"""The values of a toolset's secrets: from the host's environment, from files, and from commands such as a password manager's."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import ToolsetError

if TYPE_CHECKING:
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_PATIENCE = 60.0  # seconds that a command may take, which may ask its user something
_MOST = 1 << 20  # bytes of a secret


def declared_name(entry: str | Mapping[str, Any]) -> str:
    """The name of an entry of ``secrets``."""
    return entry if isinstance(entry, str) else entry["name"]


@dataclass(slots=True)
class _Command:
    """A command that prints a secret, and the position of its declaration."""

    document: Document
    path: DocumentPath
    words: list[str]


class SecretValues(Mapping[str, str]):
    """The secrets that have a value, by name. A command runs when its value is first needed, and once.

    Args:
        environ: The environment of the host.

    Raises:
        ToolsetError: By every access to the value of a command that fails.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._values: dict[str, str | _Command] = {}

    def declare(self, document: Document, path: DocumentPath, entry: str | Mapping[str, Any]) -> None:
        """Add an entry of ``secrets``; what is wrong with its file or command is noted in the document."""
        if isinstance(entry, str):
            if entry in self._environ:
                self._values[entry] = self._environ[entry]
            return
        if "file" in entry and "command" in entry:
            document.at((*path, "command"), "a secret has a file or a command, not both", key=True)
        elif "file" in entry:
            self._read(document, (*path, "file"), entry["name"], entry["file"])
        elif "command" in entry:
            try:
                words = shlex.split(entry["command"])
            except ValueError as error:
                document.at((*path, "command"), f"not a command line: {error}")
            else:
                self._values[entry["name"]] = _Command(document, (*path, "command"), words)
        elif entry["name"] in self._environ:
            self._values[entry["name"]] = self._environ[entry["name"]]

    def commands(self) -> frozenset[str]:
        """The names of those whose command has not run."""
        return frozenset(name for name, value in self._values.items() if isinstance(value, _Command))

    def ready(self) -> dict[str, str]:
        """Those whose value is known without running a command."""
        return {name: value for name, value in self._values.items() if isinstance(value, str)}

    def _read(self, document: Document, path: DocumentPath, name: str, file: str) -> None:
        try:
            text = host_files.read_text(Path(document.file).parent / file, _MOST, pipes=True)
            self._values[name] = text.replace("\r\n", "\n").rstrip("\n")
        except OSError as error:
            document.at(path, f"{file} cannot be read: {error.strerror}")

    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        if isinstance(value, _Command):
            value = self._values[name] = _printed(value)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _printed(command: _Command) -> str:
    """What a command prints.

    Raises:
        ToolsetError: It cannot be started, or fails.
    """
    try:
        done = subprocess.run(command.words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE, check=False)
        value = done.stdout[:_MOST].decode().rstrip("\n")
    except OSError as error:
        reason = f"{command.words[0] if command.words else 'nothing'} cannot be started: {error.strerror}"
    except subprocess.TimeoutExpired:
        reason = f"{command.words[0]} timed out after {_PATIENCE:g} s"
    except (ValueError, IndexError):
        reason = "it does not print text"
    else:
        if not done.returncode:
            return value
        said = done.stderr.decode("utf-8", "replace").strip()
        reason = f"{command.words[0]} exits with {done.returncode}" + (f": {said}" if said else "")
    raise ToolsetError([command.document.problem(command.path, reason)])

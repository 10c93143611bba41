"""Resolves the operands of a tar command line, each with its directory from ``-C`` (GNU tar manual, 6.10.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names
from bashkit.commands._notation.quoting import mention
from bashkit.commands.archives.tar.errors import TarError
from bashkit.interp.utility.command import Arguments
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import Process


_MATCHING = frozenset("wildcards wildcards-match-slash anchored ignore-case recursion null unquote verbatim-files-from".split())
_QUOTED = re.compile(r"\\([abfnrtv?\\]|[0-3]?[0-7]{1,2})")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "?": "\x7f", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Place:
    """A name and its directory.

    Attributes:
        directory: The result of the ``-C`` options before it; empty for the current directory.
        name: The name as written.
        options: How many of the options stand before it: those that select files affect only the names that follow.
    """

    directory: str
    name: str
    options: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed command line.

    Attributes:
        arguments: The options, and the operands without their directories.
        steps: The options, and the operands (with an empty key), in the order given.
    """

    arguments: Arguments
    steps: tuple[tuple[str, str | None], ...]


def parse(declared: Command, words: list[str]) -> Request:
    """Parse a command line into options and operands, keeping the order of those that affect each other.

    Args:
        declared: The declared options, with ``stop_at_operand`` set so that each operand keeps its position.
        words: The command line.
    """
    given: list[tuple[str, str | None]] = []
    steps: list[tuple[str, str | None]] = []
    while words:
        parsed = declared.parse(words)
        given.extend(parsed.given)
        steps.extend(parsed.given)
        operands = parsed.operands
        plain = 1
        if len(operands) < len(words) and words[-len(operands) - 1] == "--":
            plain = len(operands)
        else:
            plain = next((index for index, word in enumerate(operands) if word.startswith("-") and word != "-"), len(operands))
        steps.extend(("", word) for word in operands[:plain])
        words = operands[plain:]
    return Request(Arguments(given, [word or "" for key, word in steps if not key]), tuple(steps))


class Names:
    """Turns the steps of a command line into places.

    Args:
        process: Reads the files of ``-T``.
        request: The command line.
        checked: Whether directories must exist; not for listing.
    """

    def __init__(self, process: Process, request: Request, *, checked: bool) -> None:
        self._process = process
        self._request = request
        self._checked = checked
        self._directory = ""
        self._unused: list[str] = []
        self._options = 0
        self._null = self._verbatim = False
        self.complaints: list[str] = []
        self.places: list[Place] = []
        for key, text in paced_if_many(request.steps):
            self._options += bool(key)
            if key == "C":
                self._enter(text or "")
            elif key == "T":
                self._file(text or "")
            elif key in {"null", "no-null"}:
                self._null = key == "null"
            elif key in {"verbatim-files-from", "no-verbatim-files-from"}:
                self._verbatim = key == "verbatim-files-from"
            elif key in {"", "add-file"}:
                self._add(text or "")
            if _is_positional(key):
                option = "exclude-from" if key == "X" else key
                self._unused.append(f"--{option}" if text is None else f"--{option} {mention(text)}")

    @property
    def directory(self) -> str:
        """The directory if nothing was named, or after the last name."""
        return self._directory

    @property
    def unused(self) -> list[str]:
        """The options after the last name that have no effect there."""
        return self._unused if self.places else [option for option in self._unused if not option.startswith("-C ")]

    def _enter(self, text: str) -> None:
        directory = text if text.startswith("/") or not self._directory else f"{self._directory}/{text}"
        if self._checked and not self._process.fs.exists(self._process.path(directory)):
            raise TarError(f"{text}: Cannot open: No such file or directory")
        self._directory = directory
        self._unused.append(f"-C {mention(text)}")

    def _add(self, name: str) -> None:
        self.places.append(Place(self._directory, name, self._options))
        self._unused.clear()

    def _file(self, file: str) -> None:
        """The names in a file, where ``-C DIR`` works too unless the names end with NUL."""
        plain = self._null or self._verbatim
        quoted = self._null or self._request.arguments.last("unquote", "no-unquote") == "no-unquote"
        for number, line in enumerate(lines(self._process, file, "\0" if self._null else "\n", doing="Cannot stat: "), 1):
            option = line.startswith("-") and line != "-" and not plain
            directory = line.removeprefix("--directory=").removeprefix("-C").lstrip()
            if option and directory and line.startswith(("-C", "--directory=")):
                self._enter(directory)
            elif option:
                self.complaints.append(f"{file}:{number}: unrecognized option")
            elif line:
                self._add(line if quoted else _unquoted(line))


def _is_positional(key: str) -> bool:
    """Whether an option affects only the names that follow it."""
    return key == "X" or key.startswith("exclude") or key.removeprefix("no-") in _MATCHING


def _unquoted(name: str) -> str:
    """Replace the escapes in a quoted name: ``\n``, ``\t``, ``\101``, …"""
    return _QUOTED.sub(lambda found: _ESCAPES.get(found[1]) or chr(int(found[1], 8) & 255), name) if "\\" in name else name


def lines(process: Process, file: str, end: str = "\n", *, doing: str = "") -> list[str]:
    """Read the lines of a file.

    Args:
        process: The running tar.
        file: Its name.
        end: The line terminator.
        doing: What a message says before the reason that it cannot be read.

    Raises:
        TarError: It cannot be read.
    """
    try:
        return read_names(process, process.open(file), end.encode())
    except OSError as error:
        raise TarError(f"{file}: {doing}{error.strerror}") from None

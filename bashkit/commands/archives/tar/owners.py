"""Decides the owners of the members of a new archive (GNU tar manual, 4.3.1 Overriding File Metadata)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import KNOWN, name_of, number_of
from bashkit.commands.archives.tar.errors import TarError
from bashkit.commands.archives.tar.places import lines
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_WHOSE = {"owner": "UID", "group": "GID"}


class Owners:
    """The owners, or groups, of the members of a new archive.

    Args:
        process: The running command, which knows the machine's names.
        arguments: ``--owner`` and ``--owner-map``, or ``--group`` and ``--group-map``.
        kind: ``owner`` or ``group``.

    Raises:
        TarError: A map cannot be read.
    """

    def __init__(self, process: Process, arguments: Arguments, kind: str) -> None:
        self._process = process
        self._of_groups = kind == "group"
        self._forced = arguments.get(kind)
        self._numeric = "numeric-owner" in arguments
        self._map: dict[int, tuple[int, str]] = {}
        for file in arguments.all(f"{kind}-map"):
            self._read(file, _WHOSE[kind])

    def _read(self, file: str, whose: str) -> None:
        failed = False
        for number, line in enumerate(lines(self._process, file, doing="Cannot open: "), 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            source = self._number(words[0])
            target = self._pair(words[1]) if len(words) > 1 else None
            if source is None or target is None:
                self._process.warn(f"{file}:{number}: can't obtain {whose} of {words[0] if source is None else words[-1]}")
                failed = True
            else:
                self._map[source] = target
        if failed:
            self._process.warn("errors reading map file")
            raise TarError("Error is not recoverable: exiting now", fatal=False)

    def _number(self, word: str) -> int | None:
        return (
            int(word[1:18])
            if word.startswith("+") and is_digits(word[1:])
            else number_of(self._process, word, group=self._of_groups)
        )

    def _pair(self, word: str) -> tuple[int, str] | None:
        """Parse ``NAME:NUMBER``, ``+NUMBER`` or a name of the machine."""
        name, colon, number = word.partition(":")
        if colon and is_digits(number):
            return int(number[:18]), name
        found = self._number(word)
        return None if found is None else (found, "" if word.startswith("+") else word)

    def _known(self, name: str, number: int) -> int:
        """The number of a name of the machine; ``number`` for another one."""
        found = number_of(self._process, name, group=self._of_groups)
        return number if found is None else found

    def of(self, number: int) -> tuple[int, str]:
        """The number and name for the owner of a file; no name where only numbers are stored."""
        chosen, name = self._chosen(number)
        return chosen, "" if self._numeric else name

    def _chosen(self, number: int) -> tuple[int, str]:
        if number in self._map:
            return self._map[number]
        if self._forced is not None:
            name, colon, given = self._forced.partition(":")
            if not colon and is_digits(name):
                number = int(name[:18])
                return number, name_of(self._process, number, group=self._of_groups) if number in KNOWN else ""
            return (int(given[:18]) if colon and is_digits(given) else self._known(name, number)), name
        return number, name_of(self._process, number, group=self._of_groups)

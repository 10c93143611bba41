"""Changing files in place (``-i inplace``; gawk manual, Enabling In-Place File Editing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from bashkit.commands.patterns.awk.run.output import Output
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process


class InPlace:
    """Holds what is printed from the beginning of each file to its end.

    Args:
        process: The running awk.
        standard: Its standard output.
        suffix: What the name of a copy of the file as it was ends with; empty for no copy.
    """

    def __init__(self, process: Process, standard: Output, suffix: str) -> None:
        self._process = process
        self._standard = standard
        self._stream: Stream = standard.stream
        self._suffix = suffix
        self._name = ""
        self._held: Substitution | None = None

    def begin(self, name: str) -> None:
        """Hold what is printed from now on, if the input is a file."""
        fs, path = self._process.fs, self._process.path(name)
        if name == "-" or not fs.exists(path) or fs.stat(path).type != "file":
            return
        self._standard.flush()
        self._name, self._held = name, Substitution(self._process.budget)
        self._standard.stream = self._held

    def end(self) -> None:
        """Replace the file by what was printed."""
        if self._held is None:
            return
        self._standard.flush()
        self._standard.stream = self._stream
        fs, path = self._process.fs, self._process.path(self._name)
        if self._suffix:
            fs.write_file(self._process.path(self._name + self._suffix), fs.read_file(path), fs.stat(path).mode)
        self._process.create(self._name).write(self._held.value())
        self._held = None

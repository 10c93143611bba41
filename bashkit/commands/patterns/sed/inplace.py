"""Editing files in place (``sed -i``): each file's output replaces it once its last line is done."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import copy
from bashkit.commands.patterns.sed.files import Output
from bashkit.commands.patterns.sed.script import PANIC
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.commands._filesystem.lines import Inputs
    from bashkit.commands.patterns.sed.execute import Editor
    from bashkit.interp.utility.process import Process


class InPlace:
    """Edits the files of one command line one after the other.

    Args:
        process: The running utility.
        editor: Runs the script.
        inputs: Reports unreadable files.
        end: The line terminator.
        suffix: The suffix of the backup's name, or the name itself with ``*`` for the file's; None for no backup.
    """

    def __init__(self, process: Process, editor: Editor, inputs: Inputs, end: str, suffix: str | None) -> None:
        self._process = process
        self._editor = editor
        self._inputs = inputs
        self._end = end
        self._suffix = suffix
        self._name = ""  # the file being edited
        self._held: Substitution | None = None

    def visit(self, name: str) -> bool:
        """Finish the previous file and begin another; return whether it can be edited."""
        self.finish()
        process = self._process
        path = process.path(name)
        if name == "-" or not process.fs.exists(path):
            self._inputs.report(name, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
            return False
        if process.fs.stat(path).type != "file":
            raise UsageError(f"couldn't edit {name}: not a regular file", hint=False, status=PANIC)
        self._name = name
        self._held = Substitution(process.budget)
        self._editor.output = Output(self._held, self._end)
        self._editor.begin_file()
        return True

    def finish(self) -> None:
        """Replace the file that was read by the written output."""
        if self._held is None:
            return
        self._editor.output.flush()
        if self._suffix:
            self._back_up(self._suffix)
        self._process.create(self._name).write(self._held.value())
        self._held = None

    def _back_up(self, suffix: str) -> None:
        process, name = self._process, self._name
        source = process.open(name)
        try:
            target = process.create(suffix.replace("*", name) if "*" in suffix else name + suffix)
        except OSError as error:
            raise UsageError(f"cannot rename {name}: {error.strerror}", hint=False, status=PANIC) from None
        copy(source, target, process.budget)
        process.close(target)
        process.close(source)

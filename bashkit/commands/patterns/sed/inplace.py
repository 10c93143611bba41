"""Editing files in place (``sed -i``): once a file's last line is done, its output is renamed over it."""

from __future__ import annotations

import errno
import os
import string
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands.patterns.sed.files import Output, panic
from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from bashkit.commands._filesystem.lines import Inputs
    from bashkit.commands.patterns.sed.execute import Editor
    from bashkit.interp.utility.process import Process

_ALPHABET = string.ascii_letters + string.digits


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
        try:
            kind = process.fs.stat(path if name != "-" else "").type
        except OSError as error:
            self._inputs.failed = True
            process.warn(f"can't read {name}: {error.strerror}")
            return False
        if kind != "file":
            raise panic(f"couldn't edit {name}: not a regular file")
        if not process.fs.access(path, "r"):
            self._inputs.failed = True
            process.warn(f"can't read {name}: {os.strerror(errno.EACCES)}")
            return False
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
        process, fs, name = self._process, self._process.fs, self._name
        path, suffix = process.path(name), self._suffix
        before = fs.stat(path)
        written = process.path(self._write_beside(self._held.value()))
        self._held = None
        fs.chmod(written, before.mode)
        fs.chown(written, before.uid, before.gid)
        try:
            if suffix:
                fs.rename(path, process.path(suffix.replace("*", name) if "*" in suffix else name + suffix))
            fs.rename(written, path)
        except OSError as error:
            fs.unlink(written)
            raise panic(f"cannot rename {name}: {error.strerror}") from None

    def _write_beside(self, content: bytes) -> str:
        """Write a temporary file into the directory of the file being edited; return its name."""
        process = self._process
        directory = self._name.rpartition("/")[0] or ("/" if self._name.startswith("/") else ".")
        while True:
            process.budget.tick(10)
            name = join(directory, "sed" + "".join(process.system.random.choices(_ALPHABET, k=6)))
            try:
                stream = process.fs.open(process.path(name), write=True, create=True, exclusive=True, mode=0o600)
            except FileExistsError:
                continue
            except OSError as error:
                raise panic(f"couldn't open temporary file {name}: {error.strerror}") from None
            stream.write(content)
            stream.close()
            return name

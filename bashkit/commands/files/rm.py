"""rm: remove files or directories (POSIX XCU rm)."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands._filesystem.trees import say_root_is_kept, trimmed
from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.quoting import quote, quote_word
from bashkit.commands.files._replies import confirm, kind_for_question
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_WHEN = (("never", "no", "none"), ("once",), ("always", "yes"))


def _advise(process: Process) -> str:
    """How to remove a file whose name looks like an option, where there is one."""
    for word in process.argv:
        process.budget.tick(5)
        try:
            if word.startswith("-"):
                process.fs.stat(process.path(word), follow=False)
                return f"Try 'rm ./{quote_word(word)}' to remove the file {quote(word)}.\n"
        except OSError:
            pass  # there is no such file
    return ""


def _refuse(process: Process, error: UsageError) -> None:
    process.warn(error.message)
    process.say(_advise(process) + main.pointer() if error.hint else "")


@command(
    "rm",
    usage="[OPTION]... [FILE]...",
    summary="Remove (unlink) the FILE(s).",
    options=(
        flag("-f", "--force", help="ignore nonexistent files and arguments, never prompt"),
        flag("-i", help="prompt before every removal"),
        flag("-I", help="prompt once before removing more than three files, or when removing recursively"),
        value(
            "--interactive",
            metavar="WHEN",
            optional=True,
            help="prompt according to WHEN: never, once (-I), or always (-i)",
            check=among("--interactive", _WHEN),
        ),
        flag("-r", "-R", "--recursive", help="remove directories and their contents recursively"),
        flag("-d", "--dir", help="remove empty directories"),
        flag("-v", "--verbose", help="explain what is being done"),
        value("--preserve-root", metavar="all", optional=True, help="do not remove '/' (default)"),
        flag("--no-preserve-root", help="do not treat '/' specially"),
        flag("--one-file-system", help="(ignored: mounted directories are part of the tree)"),
    ),
    refuse=_refuse,
)
def main(process: Process, arguments: Arguments) -> int:
    """Remove each operand; 1 when one could not be removed."""
    if not arguments.operands:
        if _forgives(arguments):
            return 0
        raise UsageError("missing operand")
    when = _when(arguments)
    if when == "once" and ("r" in arguments or len(arguments.operands) > 3):
        count = len(arguments.operands)
        how = " recursively" if "r" in arguments else ""
        if not confirm(process, f"remove {count} argument{'s' if count != 1 else ''}{how}?"):
            return 0
    remover = _Remover(process, arguments, ask=when == "always")
    for name in arguments.operands:
        remover.operand(trimmed(name))
    return 1 if remover.failures else 0


def _when(arguments: Arguments) -> str:
    last = arguments.last("f", "i", "I", "interactive")
    if last == "interactive":
        return choose("--interactive", arguments.get("interactive") or "always", _WHEN)
    return {"i": "always", "I": "once"}.get(last or "", "never")


def _forgives(arguments: Arguments) -> bool:
    """Whether it is no error that a file, or any operand, is missing: ``-f``, unless a later option asks for questions."""
    asking = [key for key, text in arguments.given if key in ("f", "i", "I") or (key == "interactive" and text != "never")]
    return asking[-1:] == ["f"]


_CLIMB = re.compile(r"(?:\.\./+)+(?=.)")


class _Remover:
    """Removes operands and counts what cannot be removed."""

    def __init__(self, process: Process, arguments: Arguments, *, ask: bool) -> None:
        self._process = process
        self._ask = ask
        self._force = _forgives(arguments)
        self._recursive = "r" in arguments
        self._empty_directories = "d" in arguments
        self._verbose = "v" in arguments
        wanted = arguments.get("preserve-root")
        if wanted not in {None, "all"}:
            raise UsageError(f"unrecognized --preserve-root argument: {quote(wanted or '')}", hint=False)
        self._preserve_root = arguments.last("preserve-root", "no-preserve-root") != "no-preserve-root"
        self.failures = 0
        self._climb = ""  # the `../` that the operand begins with, and where they lead
        self._start = ""

    def _path(self, name: str) -> str:
        """The path of a name: its ``..`` lead on also when the working directory has been removed with the operand."""
        if self._climb:
            return f"{self._start.rstrip('/')}/{name[len(self._climb) :]}"
        return self._process.path(name)

    def operand(self, name: str) -> None:
        """Remove one operand."""
        process = self._process
        last = name.rstrip("/").rpartition("/")[2]
        climb = _CLIMB.match(name)
        self._climb = climb[0] if climb is not None else ""
        try:
            self._start = process.fs.realpath(process.path(self._climb)) if self._climb else ""
            stat = process.fs.stat(self._path(name), follow=name.endswith("/"))
        except OSError as error:
            problem = errno.ENOTDIR if not self._ask and self._is_link(name) else error.errno or 0
            if not (self._force and problem in {errno.ENOENT, errno.ENOTDIR}):
                self._fail(f"cannot remove {quote(name)}: {os.strerror(problem)}")
            return
        if stat.type != "directory":
            self._file(name, stat.type, stat.size)
        elif not self._recursive and not (self._empty_directories and self._is_empty(name)):
            reason = os.strerror(errno.ENOTEMPTY if self._empty_directories else errno.EISDIR)
            self._fail(f"cannot remove {quote(name)}: {reason}")
        elif last in {".", ".."}:
            self._fail(f"refusing to remove '.' or '..' directory: skipping {quote(name)}")
        elif self._preserve_root and process.fs.realpath(self._path(name)) == "/":
            say_root_is_kept(process, name)
            self.failures += 1
        else:
            self._directory(name)

    def _is_link(self, name: str) -> bool:
        """Whether a name with a slash behind it is that of a symbolic link."""
        try:
            return name.endswith("/") and self._process.fs.stat(self._path(name.rstrip("/")), follow=False).type == "symlink"
        except OSError:
            return False

    def _is_empty(self, name: str) -> bool:
        try:
            return not self._process.fs.listdir(self._path(name))
        except OSError:
            return False

    def _file(self, name: str, kind: str, size: int) -> None:
        protected = "" if kind == "symlink" else self._protection(name)
        if self._ask and not confirm(self._process, f"remove {protected}{kind_for_question(kind, size)} {quote(name)}?"):
            return
        try:
            self._process.fs.unlink(self._path(name))
        except OSError as error:
            self._fail(f"cannot remove {quote(name)}: {error.strerror}")
            return
        self._tell(f"removed {quote(name)}")

    def _directory(self, top: str) -> None:
        """Remove a tree without recursion in Python: each directory is visited twice, before and after its entries.

        What holds something that cannot be removed is left without a further message.
        """
        process, fs = self._process, self._process.fs
        pending: list[tuple[str, bool, str]] = [(top, False, "")]
        kept: set[str] = set()
        failures, above = self.failures, ""
        while pending:
            if self.failures > failures:
                failures = self.failures
                kept.add(above)
            process.budget.tick(10)
            name, emptied, above = pending.pop()
            if emptied and name in kept:
                kept.add(above)
                continue
            path = self._path(name)
            try:
                stat = fs.stat(path, follow=False)
                if stat.type != "directory":
                    self._file(name, stat.type, stat.size)
                    continue
                if emptied or not self._recursive:
                    self._empty_directory(name)
                    continue
                try:
                    entries = fs.listdir(path)
                except PermissionError:
                    if not self._goes_unread(name):
                        raise
                    continue
            except OSError as error:
                if not (self._force and error.errno == errno.ENOTDIR):  # a link with a slash behind it
                    self._fail(f"cannot remove {quote(name)}: {error.strerror}")
                continue
            if entries and self._ask and not confirm(process, f"descend into {self._protection(name)}directory {quote(name)}?"):
                continue
            pending.append((name, True, above))
            pending.extend((join(name, entry), False, name) for entry in reversed(entries))

    def _goes_unread(self, name: str) -> bool:
        """Remove a directory whose entries may not be read, if it has none; or leave it, as the user answers."""
        if self._ask and not confirm(self._process, f"attempt removal of inaccessible directory {quote(name)}?"):
            return True
        try:
            self._process.fs.rmdir(self._path(name))
        except OSError:
            return False
        self._tell(f"removed directory {quote(name)}")
        return True

    def _protection(self, name: str) -> str:
        return "" if self._process.fs.access(self._path(name), "w") else "write-protected "

    def _empty_directory(self, name: str) -> None:
        if self._ask and not confirm(self._process, f"remove {self._protection(name)}directory {quote(name)}?"):
            return
        self._process.fs.rmdir(self._path(name))
        self._tell(f"removed directory {quote(name)}")

    def _tell(self, message: str) -> None:
        if self._verbose:
            self._process.write(message + "\n")

    def _fail(self, message: str) -> None:
        self._process.warn(message)
        self.failures += 1

"""chmod: change file mode bits (POSIX XCU chmod)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode, letters
from bashkit.commands._filesystem.trees import refuses_root, walk
from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_LETTERS = "rwxXstugo"  # a mode like "-x" looks like options

_DECLARED = (
    flag("-c", "--changes", help="like verbose but report only when a change is made"),
    flag("-f", "--silent", "--quiet", help="suppress most error messages"),
    flag("-v", "--verbose", help="output a diagnostic for every file processed"),
    flag("-R", "--recursive", help="change files and directories recursively"),
    value("--reference", metavar="RFILE", help="use RFILE's mode instead of specifying MODE values"),
    flag("--preserve-root", help="fail to operate recursively on '/'"),
    flag("--no-preserve-root", help="do not treat '/' specially (the default)"),
    *(flag(f"-{letter}", help=f"the mode '-{letter}'") for letter in _LETTERS),
)


@command(
    "chmod",
    usage="[OPTION]... MODE[,MODE]... FILE...",
    summary="Change the mode of each FILE to MODE.",
    options=_DECLARED,
)
def main(process: Process, arguments: Arguments) -> int:
    """Change each file; 1 when one could not be."""
    operands = arguments.operands[:]
    reference = arguments.get("reference")
    mode: Mode | None = None
    removed = "".join(key for key, _ in arguments.given if len(key) == 1 and key in _LETTERS)
    if reference is None:
        if removed:
            operands.insert(0, "-" + removed)
        if not operands:
            raise UsageError("missing operand")
        text = operands.pop(0)
        if not operands:
            raise UsageError(f"missing operand after {mention(text)}")
        try:
            mode = Mode(text)
        except ValueError:
            raise UsageError(f"invalid mode: {mention(text)}") from None
    elif removed:
        raise UsageError("cannot combine mode and --reference options")
    elif not operands:
        raise UsageError("missing operand")
    fixed = 0
    if reference is not None:
        try:
            fixed = process.fs.stat(process.path(reference)).mode
        except OSError as error:
            raise UsageError(f"failed to get attributes of {quote(reference)}: {error.strerror}", hint=False) from None
    changer = _Changer(process, arguments, mode, fixed)
    for name in operands:
        changer.operand(name)
    return 1 if changer.failed else 0


class _Changer:
    """Changes files and reports it."""

    def __init__(self, process: Process, arguments: Arguments, mode: Mode | None, fixed: int) -> None:
        self._process = process
        self._arguments = arguments
        self._mode = mode
        self._fixed = fixed
        self._recursive = "R" in arguments
        self._report = arguments.last("c", "v")
        self._quiet = "f" in arguments
        self.failed = False

    def operand(self, name: str) -> None:
        """Change one operand and, with ``-R``, everything below it."""
        process = self._process
        path = process.path(name)
        try:
            dangling = process.fs.stat(path, follow=False).type == "symlink" and not process.fs.exists(path)
            if dangling:
                self._fail(f"cannot operate on dangling symlink {quote(name)}")
                return
        except OSError as error:
            self._fail(f"cannot access {quote(name)}: {error.strerror}")
            if self._report == "v":
                process.write(f"{quote(name)} could not be accessed\n")
            return
        if not self._recursive:
            self._change(name)
            return
        if refuses_root(process, self._arguments, name):
            self.failed = True
            return
        try:
            for child, stat in walk(process, name):
                if stat.type != "symlink" or child == name:
                    self._change(child)
        except OSError as error:
            self._fail(f"cannot access {quote(error.filename or name)}: {error.strerror}")

    def _change(self, name: str) -> None:
        fs, path = self._process.fs, self._process.path(name)
        try:
            stat = fs.stat(path)
            new = self._fixed
            if self._mode is not None:
                new = self._mode.apply(stat.mode, directory=stat.type == "directory", umask=self._process.umask)
            fs.chmod(path, new)
        except OSError as error:
            self._fail(f"changing permissions of {quote(name)}: {error.strerror}")
            return
        if new != stat.mode and self._report:
            self._process.write(f"mode of {quote(name)} changed from {_both(stat.mode)} to {_both(new)}\n")
        elif self._report == "v":
            self._process.write(f"mode of {quote(name)} retained as {_both(new)}\n")

    def _fail(self, message: str) -> None:
        if not self._quiet:
            self._process.warn(message)
        self.failed = True


def _both(mode: int) -> str:
    return f"{mode:04o} ({letters('file', mode)[1:]})"

"""chmod: change file mode bits (POSIX XCU chmod)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode, letters
from bashkit.commands._filesystem.trees import refuses_root, trimmed, walk
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_PARTS = re.compile(r"-(?!-)[rwxXstugo]*(?:[-+=][^-]|,.)")
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


def _rewrite(words: list[str]) -> list[str]:
    """Let the first word that looks like a mode of several parts, as ``-w,+x``, be an operand."""
    end = words.index("--") if "--" in words else len(words)
    place = next((index for index, word in enumerate(words[:end]) if word[:1] == "-" and _PARTS.match(word)), None)
    if place is None:
        return words
    options = [word for word in words[:end] if word.startswith("-") and word != words[place]]
    files = [word for word in words[:end] if not word.startswith("-")]
    return [*options, "--", words[place], *files, *words[end + 1 :]]


@command(
    "chmod",
    usage="[OPTION]... MODE[,MODE]... FILE...",
    summary="Change the mode of each FILE to MODE.",
    options=_DECLARED,
    rewrite=_rewrite,
)
def main(process: Process, arguments: Arguments) -> int:
    """Change each file; 1 when one could not be."""
    operands = arguments.operands[:]
    reference = arguments.get("reference")
    mode: Mode | None = None
    text = ""
    removed = ",-".join(key for key, _ in arguments.given if len(key) == 1 and key in _LETTERS)
    if reference is None:
        if removed:
            operands.insert(0, "-" + removed)
        if not operands:
            raise UsageError("missing operand")
        text = operands.pop(0)
        if not operands:
            raise UsageError("missing operand" + (f" after {mention(text)}" if not removed else ""))
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
    masked = mode if removed or (mode is not None and _is_option(process.argv, text)) else None
    changer = _Changer(process, arguments, mode, fixed, masked)
    for name in map(trimmed, operands):
        changer.operand(name)
    return 1 if changer.failed else 0


def _is_option(words: list[str], mode: str) -> bool:
    return mode.startswith("-") and mode in words and "--" not in words[: words.index(mode)]


class _Changer:
    """Changes files and reports it."""

    def __init__(self, process: Process, arguments: Arguments, mode: Mode | None, fixed: int, masked: Mode | None) -> None:
        self._process = process
        self._arguments = arguments
        self._mode = mode
        self._fixed = fixed
        self._masked = masked  # a mode like "-x": that it does less than it says, because of the umask, is an error
        self._recursive = "R" in arguments
        self._report = arguments.last("c", "v")
        self._quiet = "f" in arguments
        self.failed = False

    def operand(self, name: str) -> None:
        """Change one operand and, with ``-R``, everything below it."""
        process = self._process
        path = process.path(name)
        try:
            is_link = process.fs.stat(path, follow=False).type == "symlink"
            try:
                process.fs.lookup(path)
            except FileNotFoundError:
                if not is_link:
                    raise
                self._lose(name, f"cannot operate on dangling symlink {quote(name)}")
                return
        except OSError as error:
            self._lose(name, f"cannot access {quote(name)}: {error.strerror}")
            return
        if not self._recursive:
            self._change(name)
            return
        if refuses_root(process, self._arguments, name):
            self.failed = True
            return
        try:
            for child, stat in walk(process, name, self._lose, enter=True):
                if stat.type != "symlink":
                    self._change(child)
                elif self._report == "v":
                    process.write(f"neither symbolic link {quote(child)} nor referent has been changed\n")
        except OSError as error:
            lost = name + (error.filename or "").removeprefix(path)
            self._lose(lost, f"cannot access {quote(lost)}: {error.strerror}")

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
        if self._masked is not None:
            wanted = self._masked.apply(stat.mode, directory=stat.type == "directory", umask=0)
            if new & ~wanted:
                modes = f"{letters('file', new)[1:]}, not {letters('file', wanted)[1:]}"
                self._fail(f"{quote_if_needed(name)}: new permissions are {modes}")

    def _lose(self, name: str, message: str) -> None:
        self._fail(message)
        if self._report == "v":
            self._process.write(f"{quote(name)} could not be accessed\n")

    def _fail(self, message: str) -> None:
        if not self._quiet:
            self._process.warn(message)
        self.failed = True


def _both(mode: int) -> str:
    return f"{mode:04o} ({letters('file', mode)[1:]})"

"""The actions of find: printing, running, deleting, steering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.commands._filesystem.modes import letters
from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.quoting import mention
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.listing.find.printf import compile_format
from bashkit.commands.listing.find.words import FindError, Quit
from bashkit.interp.runtime.control import KilledStatus

if TYPE_CHECKING:
    from bashkit.commands.listing.find.candidate import Candidate
    from bashkit.commands.listing.find.words import Reader, Test
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_BATCH_BYTES = 131072  # the size of the names given to one command by ``-exec … +``
_HALF_YEAR = 15778476  # seconds
_NAMED = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", " ": "\\ ", '"': '\\"', "\\": "\\\\"}
_SHOWN = [_NAMED.get(chr(byte)) or (chr(byte) if 0x20 < byte < 0x7F else f"\\{byte:03o}") for byte in range(256)]  # by ``-ls``


def print_name(candidate: Candidate) -> bool:
    """``-print``."""
    candidate.process.write(candidate.name + "\n")
    return True


def make_print(reader: Reader, name: str) -> Test:
    """``-print`` and ``-print0``."""
    reader.acts = True
    if name == "-print":
        return print_name

    def test(candidate: Candidate) -> bool:
        candidate.process.write(candidate.name + "\0")
        return True

    return test


def _output(reader: Reader, name: str) -> Stream:
    file = reader.argument(name)
    outputs = reader.settings.outputs
    if file not in outputs:
        try:
            outputs[file] = reader.process.create(file)
        except OSError as error:
            raise FindError(f"{mention(file)}: {error.strerror}") from None
    return outputs[file]


def make_fprint(reader: Reader, name: str) -> Test:
    """``-fprint FILE`` and ``-fprint0 FILE``."""
    reader.acts = True
    stream, end = _output(reader, name), "\0" if name.endswith("0") else "\n"

    def test(candidate: Candidate) -> bool:
        stream.write((candidate.name + end).encode("utf-8", "surrogateescape"))
        return True

    return test


def make_printf(reader: Reader, name: str) -> Test:
    """``-printf FORMAT`` and ``-fprintf FILE FORMAT``."""
    reader.acts = True
    stream = reader.process.stdout
    if name == "-fprintf":
        file, stream = reader.peek(), _output(reader, name)
        if reader.peek() is None:
            raise FindError(f"invalid argument `{file}' to `{name}'")
    render = compile_format(reader.process, reader.argument(name))

    def test(candidate: Candidate) -> bool:
        text = render(candidate)
        candidate.process.budget.string(len(text))
        stream.write(text.encode("utf-8", "surrogateescape"))
        return True

    return test


def make_ls(reader: Reader, name: str) -> Test:
    """``-ls`` and ``-fls FILE``."""
    reader.acts = True
    stream = _output(reader, name) if name == "-fls" else reader.process.stdout
    zone = reader.process.system.timezone(reader.process.env.get("TZ", ""))

    def test(candidate: Candidate) -> bool:
        stat, process = candidate.stat, candidate.process
        blocks = 4 if stat.type == "directory" else -(-stat.size // 4096) * 4 if stat.type == "file" else 0
        recent = 0 <= process.system.now() - stat.mtime < _HALF_YEAR
        when = strftime("%b %e %H:%M" if recent else "%b %e  %Y", Moment.of(stat.mtime, zone))
        owner, group = name_of(process, stat.uid), name_of(process, stat.gid, group=True)
        shown = _escaped(candidate.name)
        if stat.type == "symlink":
            shown += f" -> {_escaped(candidate.target())}"
        size = f"{stat.size:8d}" if stat.type != "character" else "{:3d}, {:3d}".format(*stat.device)
        line = (
            f"{stat.ino:9d} {blocks:6d} {letters(stat.type, stat.mode)} {stat.links:3d} {owner:8} {group:8} {size} "
            f"{when} {shown}\n"
        )
        stream.write(line.encode("utf-8", "surrogateescape"))
        return True

    return test


def _escaped(name: str) -> str:
    """A name as ``-ls`` shows it: what is no visible ASCII character as an escape, byte by byte."""
    return "".join([_SHOWN[byte] for byte in encode(name)])


def make_delete(reader: Reader, _: str) -> Test:
    """``-delete``; implies ``-depth``."""
    reader.acts = True
    settings = reader.settings
    settings.deletes_only |= not settings.depth_first
    settings.depth_first = True

    def test(candidate: Candidate) -> bool:
        fs = candidate.process.fs
        if candidate.name == ".":
            return True
        try:
            (fs.rmdir if candidate.type == "directory" else fs.unlink)(candidate.path)
        except OSError as error:
            candidate.process.warn(f"cannot delete {mention(candidate.name)}: {error.strerror}")
            settings.status = 1
            return False
        return True

    return test


def make_prune(reader: Reader, _: str) -> Test:
    """``-prune``."""
    settings = reader.settings
    settings.prunes = True

    def test(_: Candidate) -> bool:
        settings.pruned = not settings.depth_first
        return True

    return test


def make_quit(_reader: Reader, _: str) -> Test:
    """``-quit``; by itself it does not replace the implied ``-print``."""

    def test(_: Candidate) -> bool:
        raise Quit

    return test


def make_exec(reader: Reader, name: str) -> Test:
    """``-exec``, ``-execdir``, ``-ok`` and ``-okdir``: up to ``;`` or ``{} +``."""
    reader.acts = True
    words: list[str] = []
    while True:
        word = reader.peek()
        if word is None:
            raise FindError(f"missing argument to `{name}'")
        reader.take()
        if word == ";":
            break
        if word == "+" and words and "{}" in words[-1] and not name.startswith("-ok"):
            return _Batch(reader, _single(words, name), name).add
        words.append(word)
    if not words:
        raise FindError(f"invalid argument `;' to `{name}'")
    in_directory = name.endswith("dir")
    if in_directory:
        _check_path(reader.process, name)
    ask = name.startswith("-ok")

    def test(candidate: Candidate) -> bool:
        shown, cwd = _where(candidate, in_directory=in_directory)
        argv = [word.replace("{}", shown) for word in words]
        if ask and not _agreed(candidate.process, argv[0], candidate.name):
            return False
        return _run(candidate.process, argv, cwd) == 0

    return test


def _check_path(process: Process, name: str) -> None:
    """Refuse to run commands in the directories found if ``PATH`` may find the commands there."""
    insecure = f"is included in the PATH environment variable, which is insecure in combination with the {name} action of find."
    for folder in process.env["PATH"].split(":") if "PATH" in process.env else ():
        if folder in {"", "."}:
            raise FindError(
                f"The current directory {insecure}  Please remove the current directory from your $PATH "
                '(that is, remove ".", doubled colons, or leading or trailing colons)'
            )
        if not folder.startswith("/"):
            raise FindError(f"The relative path {mention(folder)} {insecure}  Please remove that entry from $PATH")


def _single(words: list[str], name: str) -> list[str]:
    """The words before the last one, which is ``{}`` and the only one that has it."""
    for place, word in enumerate(words):
        if "{}" in word and word != "{}":
            where = mention(f"{name} ... {{}} +")
            raise FindError(f"In {where} the {mention('{}')} must appear by itself, but you specified {mention(word)}")
        if word == "{}" and place < len(words) - 1:
            raise FindError(f"Only one instance of {{}} is supported with {name} ... +")
    return words[:-1]


def _where(candidate: Candidate, *, in_directory: bool) -> tuple[str, str | None]:
    """The file's name for a command, and the directory in which it runs."""
    if not in_directory:
        return candidate.name, None
    if candidate.base == "/":
        return "/", "/"
    process = candidate.process
    inside = "/" in candidate.name.rstrip("/") and candidate.directory != "."
    return f"./{candidate.last}", process.path(candidate.directory or "/") if inside else process.cwd


def _agreed(process: Process, command: str, name: str) -> bool:
    process.stderr.write(f"< {command} ... {name} > ? ".encode("utf-8", "surrogateescape"))
    return process.stdin.read_line()[:1] in {b"y", b"Y"}


def _run(process: Process, argv: list[str], cwd: str | None) -> int:
    status = refusal(process, argv[0], mention(argv[0])) or process.launcher.run(argv, cwd=cwd)
    if isinstance(status, KilledStatus):
        process.warn(f"{mention(argv[0])} terminated by signal {status - 128}")
    return status


class _Batch:
    """Collects names for ``-exec COMMAND {} +``."""

    def __init__(self, reader: Reader, words: list[str], name: str) -> None:
        if not words:
            raise FindError(f"missing argument to `{name}'")
        self._words = words
        self._settings = reader.settings
        self._in_directory = name.endswith("dir")
        if self._in_directory:
            _check_path(reader.process, name)
        self._names: list[str] = []
        self._size = 0
        self._cwd: str | None = None
        self._process = reader.process
        self._settings.at_end.append(self._flush)

    def add(self, candidate: Candidate) -> bool:
        """Add a name; always return true."""
        shown, cwd = _where(candidate, in_directory=self._in_directory)
        if cwd != self._cwd or self._size + len(shown) > _BATCH_BYTES:
            self._flush()
        self._cwd = cwd
        self._names.append(shown)
        self._size += len(shown) + 1
        return True

    def _flush(self) -> None:
        if not self._names:
            return
        names, self._names, self._size = self._names, [], 0
        if _run(self._process, [*self._words, *names], self._cwd):
            self._settings.status = 1

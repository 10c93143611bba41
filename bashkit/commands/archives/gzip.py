"""gzip: Compress or uncompress FILEs (GNU gzip manual)."""

from __future__ import annotations

import errno
from datetime import datetime
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands._filesystem.trees import walk
from bashkit.commands.archives._compression import CorruptError, discard, expand_all, gzip_header, gzip_member, kind_of
from bashkit.interp.utility.command import Arguments, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SUFFIXES = (".gz", "-gz", ".z", "-z", "_z", ".Z", ".tgz", ".taz")

_KINDS = {"gzip": "defla", "compress": "compr"}  # that it expands, and the method in lists

_OPTIONS = (
    flag("-a", "--ascii", help="(ignored, as gzip does on POSIX systems)"),
    flag("-c", "--stdout", "--to-stdout", help="write on standard output, keep original files unchanged"),
    flag("-d", "--decompress", "--uncompress", help="decompress"),
    flag("-f", "--force", help="force overwrite of output file and compress links"),
    flag("-k", "--keep", help="keep (don't delete) input files"),
    flag("-l", "--list", help="list compressed file contents"),
    flag("-n", "--no-name", help="do not save or restore the original name and timestamp"),
    flag("-N", "--name", help="save or restore the original name and timestamp"),
    flag("-q", "--quiet", help="suppress all warnings"),
    flag("-r", "--recursive", help="operate recursively on directories"),
    flag("--rsyncable", help="(ignored: only the compressed bytes would differ)"),
    value("-S", "--suffix", metavar="SUF", help="use suffix SUF on compressed files"),
    flag("--synchronous", help="(ignored: nothing waits to be written)"),
    flag("-t", "--test", help="test compressed file integrity"),
    flag("-v", "--verbose", help="verbose mode"),
    help_flag("-h"),
    version_flag("-V", "-L", "--license"),
    *(
        flag(f"-{level}", *({1: ("--fast",), 9: ("--best",)}.get(level, ())), help=f"compression level {level}")
        for level in range(1, 10)
    ),
)


class _Gzip:
    """One run of gzip."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._decompress = any(key in arguments for key in ("d", "l", "t"))
        self._to_stdout = "c" in arguments
        loudness = arguments.last("q", "v")
        self._quiet, self._verbose = loudness == "q", loudness == "v"
        self._level = int(arguments.last(*"123456789") or "6")
        self._suffix = arguments.get("S") or ".gz"
        self._totals = [0, 0, 0]
        self._overhead = 0  # of the last file that was listed: all that the ratio of the totals leaves out
        self._status = 0
        self._replaces = not self._to_stdout and not {"l", "t"} & {key for key, _ in arguments.given}

    def run(self) -> int:
        """Treat every operand and return the exit status: 1 for an error, 2 for a warning."""
        if self._arguments.get("S") == "":
            self._process.warn("invalid suffix ''")
            return 1
        for name in self._arguments.operands or ["-"]:
            if name == "-":
                self._stream()
            elif "r" in self._arguments and self._kind(name) == "directory":
                for child, stat in list(walk(self._process, name)):
                    if stat.type in {"file", "symlink"}:
                        self._file(child)
            else:
                self._file(name)
        if len(self._arguments.operands) > 1 and self._totals[0] and not self._quiet:
            self._process.write(" " * 28 * (self._verbose))
            self._row(self._totals[1], self._totals[2], "(totals)", self._overhead)
        return self._status

    def _kind(self, name: str) -> str:
        try:
            return self._process.fs.stat(self._process.path(name)).type
        except OSError:
            return ""

    def _warn(self, message: str, *, status: int = 2) -> None:
        self._process.warn(message)
        self._fail(status)

    def _fail(self, status: int) -> None:
        self._status = 1 if 1 in {self._status, status} else status or self._status

    def _warn_unless_quiet(self, message: str, *, status: int = 2) -> None:
        if not self._quiet:
            self._process.warn(message)
        self._fail(status)

    def _corrupt(self, name: str, error: CorruptError) -> None:
        self._overhead = 0
        if (self._to_stdout or name == "stdin") and not {"t", "l"} & {key for key, _ in self._arguments.given}:
            self._process.stdout.write(error.partial)
        self._process.stderr.write(b"\n")
        self._warn(f"{name}: {error}", status=1)

    def _stream(self) -> None:
        data = slurp(self._process, self._process.stdin)
        self._process.budget.string(len(data))
        try:
            result = self._expanded(data, "stdin") if self._decompress else gzip_member(data, self._process, level=self._level)
        except CorruptError as error:
            self._corrupt("stdin", error)
            return
        if "l" in self._arguments:
            self._list("stdout", data, result, 0)
        elif "t" in self._arguments:
            self._process.say(" OK\n" if self._verbose else "")
        else:
            self._process.stdout.write(result)
            if not self._decompress:
                self._tell("", data, result, "")

    def _expanded(self, data: bytes, name: str) -> bytes:
        kind = kind_of(data)
        if kind not in _KINDS:
            passes = self._to_stdout or name == "stdin" or "t" in self._arguments
            if passes and "f" in self._arguments and "l" not in self._arguments:
                return data
            raise CorruptError("unexpected end of file" if len(data) < 2 else "not in gzip format")
        result, garbage = expand_all(data, kind, self._process.budget)
        if len(garbage) == 1:  # too little to say that it is no member
            raise CorruptError("unexpected end of file", result)
        if garbage:
            self._process.say("" if self._quiet else "\n")
            self._warn_unless_quiet(f"{name}: decompression OK, trailing garbage ignored")
        return result

    def _suffix_of(self, name: str) -> str:
        suffixes = (self._suffix, *_SUFFIXES) if self._suffix not in _SUFFIXES else _SUFFIXES
        return next((suffix for suffix in suffixes if name.lower().endswith(suffix.lower()) and len(name) > len(suffix)), "")

    def _file(self, name: str) -> None:
        with freed(self._process):
            self._convert(name)

    def _convert(self, name: str) -> None:
        process = self._process
        self._process.budget.tick(20)
        if self._decompress and not self._kind(name) and not self._suffix_of(name) and self._kind(name + self._suffix):
            name += self._suffix
        if self._replaces and "f" not in self._arguments and self._is_link(name):
            self._warn(f"{name}: Too many levels of symbolic links", status=1)
            return
        try:
            kind = self._process.fs.stat(self._process.path(name)).type
        except OSError as error:
            absent = self._decompress and error.errno == errno.ENOENT and not self._suffix_of(name)
            self._warn(f"{name + self._suffix if absent else name}: {error.strerror}", status=1)
            return
        if kind == "directory":
            self._warn_unless_quiet(f"{name} is a directory -- ignored")
            return
        try:
            data = slurp(process, process.open(name))
        except OSError as error:
            self._warn(f"{name}: {error.strerror}", status=1)
            return
        suffix = self._suffix_of(name)
        if "r" in self._arguments and bool(suffix) != self._decompress:  # nothing is said of it
            if self._decompress and self._replaces and "f" not in self._arguments:
                self._alone(name)
            return
        if self._decompress and not suffix and self._replaces:
            self._warn_unless_quiet(f"{name}: unknown suffix -- ignored", status=0 if self._quiet else 2)
            return
        if not self._decompress and suffix and not self._to_stdout and "f" not in self._arguments:
            self._warn_unless_quiet(f"{name} already has {name[-len(suffix) :]} suffix -- unchanged", status=0)
            return
        if self._replaces and "f" not in self._arguments and not self._alone(name):
            return
        process.budget.string(len(data))
        stat = process.fs.stat(process.path(name))
        target = self._target(name, suffix, data) if self._replaces else ""
        known = not self._decompress or kind_of(data) in _KINDS
        if target and known and "f" not in self._arguments and process.fs.exists(process.path(target)):
            self._warn(f"{target} already exists;\tnot overwritten")
            return
        try:
            result = self._expanded(data, name) if self._decompress else self._packed(name, data, stat.mtime)
        except CorruptError as error:
            if target and known:
                discard(process, target)
            self._corrupt(name, error)
            return
        self._deliver(name, target, data, result)

    def _is_link(self, name: str) -> bool:
        try:
            return self._process.fs.stat(self._process.path(name), follow=False).type == "symlink"
        except OSError:
            return False

    def _alone(self, name: str) -> bool:
        """Whether a file has no other name, so that it may be replaced; else this is said."""
        stat = self._process.fs.stat(self._process.path(name), follow=False)
        if stat.links > 1:
            others = stat.links - 1
            self._warn_unless_quiet(f"{name} has {others} other link{'s' * (others > 1)} -- file ignored")
        else:
            return True
        return False

    def _packed(self, name: str, data: bytes, modified: float) -> bytes:
        plain = "n" in self._arguments and self._arguments.last("n", "N") == "n"
        title = "" if plain else name.rpartition("/")[2]
        return gzip_member(data, self._process, level=self._level, name=title, modified=0 if plain else int(modified))

    def _deliver(self, name: str, target: str, data: bytes, result: bytes) -> None:
        process, arguments = self._process, self._arguments
        if "l" in arguments:
            self._list(name, data, result, process.fs.stat(process.path(name)).mtime)
            return
        if "t" in arguments:
            if self._verbose:
                process.stderr.write(f"{name}:\t OK\n".encode("utf-8", "surrogateescape"))
            return
        if self._to_stdout:
            process.stdout.write(result)
            self._tell(name, data, result, "stdout")
            return
        path = process.path(target)
        stat = process.fs.stat(process.path(name))
        process.fs.write_file(path, result, stat.mode)
        process.fs.utime(path, stat.atime, self._restored_time(data, stat.mtime))
        if "k" not in arguments:
            process.fs.unlink(process.path(name))
        self._tell(name, data, result, target)

    def _target(self, name: str, suffix: str, data: bytes) -> str:
        if not self._decompress:
            return name + self._suffix
        if self._arguments.last("n", "N") == "N":
            original = gzip_header(data)[0].rpartition("/")[2]
            if original:
                head, slash, _ = name.rpartition("/")
                return head + slash + original
        return _without(name, suffix)

    def _restored_time(self, data: bytes, modified: float) -> float:
        if self._decompress and self._arguments.last("n", "N") == "N":
            return gzip_header(data)[1] or modified
        return modified

    def _tell(self, name: str, data: bytes, result: bytes, target: str) -> None:
        if not self._verbose:
            return
        plain, packed = (len(result), len(data)) if self._decompress else (len(data), len(result))
        kept = "k" in self._arguments and not self._to_stdout
        action = f" -- {'created' if kept else 'replaced with'} {target}" if target else ""
        overhead = _overhead(data if self._decompress else result)
        shown = f"{name}:\t" if name else ""
        line = f"{shown}{_ratio(plain, packed - overhead)}{action}\n"
        self._process.stderr.write(line.encode("utf-8", "surrogateescape"))

    def _list(self, name: str, data: bytes, result: bytes, modified: float) -> None:
        verbose, quiet = self._verbose, self._quiet
        if not self._totals[0] and not quiet:
            self._process.write("method  crc     date  time  " * verbose)
            self._process.write("         compressed        uncompressed  ratio uncompressed_name\n")
        suffix = self._suffix_of(name)
        self._overhead = _overhead(data)
        if verbose and not quiet:
            zone = self._process.system.timezone(self._process.env.get("TZ", ""))
            when = datetime.fromtimestamp(gzip_header(data)[1] or modified, zone)
            kind = kind_of(data) or "gzip"
            checksum = f"{int.from_bytes(data[-8:-4], 'little'):08x}" if kind == "gzip" else "f" * 16
            self._process.write(f"{_KINDS[kind]} {checksum} {when:%b} {when.day:2d} {when:%H:%M} ")
        self._row(len(data), len(result), _without(name, suffix) if suffix else name, self._overhead)
        self._totals = [self._totals[0] + 1, self._totals[1] + len(data), self._totals[2] + len(result)]

    def _row(self, packed: int, plain: int, name: str, overhead: int) -> None:
        self._process.write(f"{packed:19d} {plain:19d} {_ratio(plain, packed - overhead)} {name}\n")


def _without(name: str, suffix: str) -> str:
    """The name of a compressed file without its suffix, in whose place ``.tar`` may stand."""
    return name[: -len(suffix)] + (".tar" if suffix.lower() in {".tgz", ".taz"} else "")


def _overhead(data: bytes) -> int:
    """The bytes of header and trailer, which the ratio excludes."""
    if kind_of(data) != "gzip":
        return 0
    name = gzip_header(data)[0]
    return 18 + (len(name.encode("utf-8", "surrogateescape")) + 1 if name else 0)


def _ratio(plain: int, packed: int) -> str:
    """The saved size in the form that gzip prints."""
    saved = (plain - packed) / plain * 100 if plain else 0.0
    return f"{saved:5.1f}%"


@command(
    "gzip",
    usage="[OPTION]... [FILE]...",
    summary="Compress or uncompress FILEs (by default, compress FILES in-place).",
    options=_OPTIONS,
    model="gzip 1.12",
)
def main(process: Process, arguments: Arguments) -> int:
    """Treat each file; 1 for an error, 2 for a warning."""
    return _Gzip(process, arguments).run()

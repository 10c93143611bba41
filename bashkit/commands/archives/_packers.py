"""The code that bzip2 and xz share (bzip2(1), xz(1))."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands.archives._compression import CHECKS, CorruptError, compress, discard, expand_all, kind_of
from bashkit.interp.utility.command import Arguments, Command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_OPTIONS = (
    flag("-d", "--decompress", "--uncompress", help="decompress"),
    flag("-z", "--compress", help="compress"),
    flag("-k", "--keep", help="keep (don't delete) input files"),
    flag("-f", "--force", help="overwrite existing output files"),
    flag("-t", "--test", help="test compressed file integrity"),
    flag("-c", "--stdout", "--to-stdout", help="write to standard output and don't delete input files"),
    flag("-q", "--quiet", help="suppress warnings"),
    flag("-v", "--verbose", help="be verbose"),
)
_BZIP2_OPTIONS = (
    *_OPTIONS,
    help_flag("-h"),
    version_flag("-V", "-L", "--license"),
    flag("-s", "--small", help="(ignored: files are small here)"),
    *(
        flag(f"-{level}", *({1: ("--fast",), 9: ("--best",)}.get(level, ())), help=f"block size {level}00k")
        for level in range(1, 10)
    ),
)
_XZ_OPTIONS = (
    *_OPTIONS,
    help_flag("-h", "-H", "--long-help"),
    version_flag("-V"),
    flag("-l", "--list", help="list information about .xz files"),
    flag("-e", "--extreme", help="(ignored: only the compressed bytes would differ)"),
    value("-T", "--threads", metavar="NUM", help="(ignored: one thread does it)"),
    value("-S", "--suffix", metavar=".SUF", help="use the suffix .SUF on compressed files"),
    value("-C", "--check", metavar="CHECK", help="integrity check of .xz files: none, crc32, crc64 or sha256"),
    value("-F", "--format", metavar="FMT", help="file format to encode or decode: auto, xz or lzma"),
    flag("-Q", "--no-warn", help="make warnings not affect the exit status"),
    *(
        flag(f"-{level}", *({0: ("--fast",), 9: ("--best",)}.get(level, ())), help=f"compression preset {level}")
        for level in range(10)
    ),
)
_HEADER = 12  # bytes of the header of an .xz stream, and of its end
_CHECK_PLACE = 7  # of the byte in an .xz file that says which check it has
_CHECK_NAMES = {0: "None", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}
_BZIP2_UNTESTED = "Can't open input {name}: {error}."  # with -t
_LARGEST_RATIO = 9.999  # that xz shows
_NAME_WIDTH = 7  # the length of "(stdin)": bzip2 aligns names to it
_RECOVERY = "You can use the `bzip2recover' program to attempt to recover\ndata from undamaged sections of corrupted files.\n"
_UNITS = ("B", "KiB", "MiB", "GiB")


@dataclass(frozen=True, slots=True)
class Program:
    """A compressor and its messages.

    Attributes:
        kind: The result of ``kind_of``.
        suffixes: The suffixes of compressed files, each with its replacement; the first is the default.
        level: The default level.
        failure: The exit status for damaged data.
        skipped: The exit status for a skipped file.
        absent, directory, link, linked, suffixed, exists: Messages; ``{name}`` and ``{target}`` are the files.
        unknown: The message for a file in another format.
        broken: The message for a truncated or damaged file.
    """

    kind: str
    suffixes: tuple[tuple[str, str], ...]
    level: int
    failure: int
    skipped: int
    absent: str
    directory: str
    link: str
    linked: str
    suffixed: str
    exists: str
    unknown: str
    broken: str


_BZIP2 = Program(
    "bzip2", ((".bz2", ""), (".bz", ""), (".tbz2", ".tar"), (".tbz", ".tar")), 9, 2, 1,
    "Can't open input file {name}: {error}.", "Input file {name} is a directory.",
    "Input file {name} is not a normal file.", "Input file {name} has {others}.",
    "Input file {name} already has {suffix} suffix.", "Output file {target} already exists.",
    "{name} is not a bzip2 file.", "{name}: file ends unexpectedly or is corrupted",
)  # fmt: skip
_XZ = Program(
    "xz", ((".xz", ""), (".txz", ".tar")), 6, 1, 2,
    "{name}: {error}", "{name}: Is a directory, skipping",
    "{name}: Is a symbolic link, skipping", "{name}: Input file has more than one hard link, skipping",
    "{name}: File already has `{suffix}' suffix, skipping", "{target}: File exists",
    "{name}: File format not recognized", "{name}: Unexpected end of input",
)  # fmt: skip
_LZMA = replace(_XZ, kind="lzma", suffixes=((".lzma", ""), (".tlz", ".tar")))
_PROGRAMS = {"bzip2": _BZIP2, "xz": _XZ, "lzma": _LZMA}


class _Refused(Exception):  # noqa: N818 - a skipped file, with its message and status
    def __init__(self, message: str, status: int, *, always: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.always = always  # whether it is said with -q, too


class _Damaged(_Refused):
    """A file whose format is known, so that its output was begun when the damage was found."""


class _Run:
    """One command line."""

    def __init__(self, process: Process, arguments: Arguments, program: Program) -> None:
        self._process = process
        self._arguments = arguments
        self._form = arguments.get("F") or "auto"
        self._program = program = _LZMA if self._form in {"lzma", "alone"} else program
        self._expanding = arguments.last("d", "z", "t", "l") not in {None, "z"}
        # xz expands either format
        self._kinds = {_XZ.kind, _LZMA.kind} if program is _XZ and self._form == "auto" else {program.kind}
        self._to_stdout = "c" in arguments
        suffix = arguments.get("S")
        self._suffixes = ((suffix, ""),) if suffix else program.suffixes
        if self._expanding and program is not _BZIP2:  # whatever the format: it is looked at later
            self._suffixes += _XZ.suffixes + _LZMA.suffixes

    def run(self) -> int:
        """Treat every operand; return the highest status."""
        if self._form not in {"auto", "xz", "lzma", "alone"}:
            self._process.warn(f"{self._form}: Unknown file format type")
            return 1
        for check in self._arguments.all("C"):
            if check not in CHECKS:
                self._process.warn(f"{check}: Unsupported integrity check type")
                return 1
        if "l" in self._arguments and self._program is _LZMA:
            self._process.warn("--list works only on .xz files (--format=xz or --format=auto)")
            return 1
        status = 0
        for name in self._arguments.operands or ["-"]:
            self._process.budget.tick(20)
            try:
                with freed(self._process):
                    self._file(name)
            except _Refused as reason:
                if "q" not in self._arguments or reason.status == self._program.failure or reason.always:
                    self._process.warn(str(reason))
                status = max(status, reason.status) if status != 1 or self._program is _BZIP2 else 1
        return 0 if status == self._program.skipped and "Q" in self._arguments else status

    def _file(self, name: str) -> None:
        process, program, arguments = self._process, self._program, self._arguments
        if name == "-" and "l" in arguments:
            raise _Refused("--list does not support reading from standard input", 1)
        if name == "-":
            data = slurp(process, process.stdin)
            result = self._converted("(stdin)", data)
            if "t" not in arguments:
                process.stdout.write(result)
            self._report("(stdin)", data, result)
            return
        path = process.path(name)
        if not name and program is not _BZIP2:
            raise _Refused("Empty filename, skipping", 1)
        try:
            stat = process.fs.stat(path)
        except OSError as error:
            raise self._unreadable(name, error) from None
        if stat.type == "directory":
            raise _Refused(program.directory.format(name=name), program.skipped, always=program is _BZIP2)
        try:
            data = slurp(process, process.open(name))
        except OSError as error:
            raise self._unreadable(name, error) from None
        quiet = self._to_stdout or "t" in arguments or "l" in arguments
        # xz looks at the data first, bzip2 at the name.
        late = self._expanding and program is not _BZIP2
        if not self._expanding and (program is _BZIP2 or not self._to_stdout):
            self._refuse_suffixed(name)
        target = "" if quiet or late else self._target(name)
        if target and program is _BZIP2:
            self._check_absence(target)
        if not quiet and "f" not in arguments:
            self._check_links(name, path)
        try:
            result = self._converted(name, data)
        except _Damaged:
            if not quiet and "f" in arguments:
                discard(process, target or self._target(name))
            raise
        if late and not quiet:
            target = self._target(name)
        if "l" in arguments:
            self._list(name, data, len(result))
        elif "t" in arguments:
            self._report(name, data, result)
        elif self._to_stdout:
            if program is _BZIP2:
                self._report(name, data, result)
            process.stdout.write(result)
        else:
            self._check_absence(target)
            process.fs.write_file(process.path(target), result, stat.mode)
            process.fs.utime(process.path(target), stat.atime, stat.mtime)
            if "k" not in arguments:
                process.fs.unlink(path)
            self._report(name, data, result)

    def _unreadable(self, name: str, error: OSError) -> _Refused:
        absent = self._program.absent
        if self._program is _BZIP2 and "t" in self._arguments:
            absent = _BZIP2_UNTESTED
        return _Refused(absent.format(name=name, error=error.strerror), 1, always=True)

    def _check_absence(self, target: str) -> None:
        """Refuse to replace the file that is to be made, unless ``-f`` is given."""
        if "f" not in self._arguments and self._process.fs.exists(self._process.path(target)):
            raise _Refused(self._program.exists.format(target=target), 1, always=True)

    def _check_links(self, name: str, path: str) -> None:
        """Refuse to replace a file that has other names."""
        program, stat = self._program, self._process.fs.stat(path, follow=False)
        if program is not _BZIP2 and "k" in self._arguments:
            return
        if stat.type == "symlink":
            raise _Refused(program.link.format(name=name), program.skipped)
        if stat.links > 1:
            others = stat.links - 1
            raise _Refused(program.linked.format(name=name, others=f"{others} other link{'s' * (others > 1)}"), program.skipped)

    def _refuse_suffixed(self, name: str) -> None:
        """Refuse to compress a file whose name says that it is compressed."""
        for suffix, _ in (*self._suffixes, *self._program.suffixes):
            if name.endswith(suffix):
                raise _Refused(self._program.suffixed.format(name=name, suffix=suffix), self._program.skipped)

    def _target(self, name: str) -> str:
        if not self._expanding:
            return name + self._suffixes[0][0]
        for suffix, replacement in self._suffixes:
            if name.endswith(suffix) and len(name) > len(suffix):
                return name[: -len(suffix)] + replacement
        if self._program is not _BZIP2:
            raise _Refused(f"{name}: Filename has an unknown suffix, skipping", self._program.skipped)
        self._process.warn(f"Can't guess original name for {name} -- using {name}.out")
        return name + ".out"

    def _converted(self, name: str, data: bytes) -> bytes:
        program, process = self._program, self._process
        if not self._expanding:
            level, check = self._arguments.last(*"0123456789") or program.level, self._arguments.get("C") or "crc64"
            return compress(data, program.kind, int(level), process, check=check)
        if "l" in self._arguments and len(data) < 2 * _HEADER:
            problem = "Too small to be a valid .xz file" if data else "File is empty"
            raise _Refused(f"{name}: {problem}", program.failure)
        kind = kind_of(data)
        if kind not in (self._kinds if "l" not in self._arguments else {_XZ.kind}):
            passes = "f" in self._arguments and not {"t", "l"} & {key for key, _ in self._arguments.given}
            if passes and (data if program is _BZIP2 else self._to_stdout):
                return data
            if not data and program is _BZIP2:
                raise _Damaged(program.broken.format(name=name), program.failure)
            if "t" in self._arguments and program is _BZIP2:
                hint = "" if "q" in self._arguments else f"\n\n{_RECOVERY}"
                raise _Refused(f"{name}: bad magic number (file not created by bzip2){hint}", program.failure)
            raise _Refused(program.unknown.format(name=name), program.failure)
        assert kind is not None
        try:
            result, garbage = expand_all(data, kind, process.budget)
        except CorruptError as error:
            early = "end of file" in str(error) and "l" not in self._arguments
            text = program.broken if early or program is _BZIP2 else "{name}: Compressed data is corrupt"
            raise _Damaged(text.format(name=name), program.failure) from None
        if garbage and program is _BZIP2:
            process.say("\n")
            process.warn(f"{name}: trailing garbage after EOF ignored")
        elif garbage:
            if (self._to_stdout or name == "(stdin)") and "t" not in self._arguments:
                process.stdout.write(result)
            short = kind == "xz" and len(garbage) < _HEADER and garbage.strip(b"\0") and "l" not in self._arguments
            text = program.broken if short else "{name}: Compressed data is corrupt"
            raise _Damaged(text.format(name=name), program.failure)
        return result

    def _report(self, name: str, data: bytes, result: bytes) -> None:
        """With ``-v``, say what became of a file."""
        if "v" not in self._arguments:
            return
        plain, packed = (len(result), len(data)) if self._expanding else (len(data), len(result))
        if self._program is not _BZIP2:
            ratio = packed / plain if plain else 0
            shown = f"= {ratio:.3f}" if ratio <= _LARGEST_RATIO else f"> {_LARGEST_RATIO}"
            self._process.say(f"{name}: {_size(packed)} / {_size(plain)} {shown}\n")
            return
        width = max([_NAME_WIDTH, *map(len, self._arguments.operands)])
        text = "ok" if "t" in self._arguments else "done"
        if not self._expanding:
            text = (
                " no data compressed."
                if not plain
                else (
                    f"{plain / packed:6.3f}:1, {packed * 8 / plain:6.3f} bits/byte, {100 * (1 - packed / plain):5.2f}% "
                    f"saved, {plain} in, {packed} out."
                )
            )
        self._process.say(f"  {name}: {' ' * (width - len(name))}{text}\n")

    def _list(self, name: str, data: bytes, plain: int) -> None:
        packed, number = len(data), data[_CHECK_PLACE] & 15
        check = _CHECK_NAMES.get(number, f"Unknown-{number}")
        self._process.write("Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename\n")
        ratio = f"{packed / plain:.3f}" if packed <= plain * _LARGEST_RATIO else "---"
        self._process.write(
            f"    1       {1 if plain else 0} {_size(packed):>12} {_size(plain):>12}  {ratio:>5}  {check:<7} {name}\n"
        )


def _size(count: int) -> str:
    """Write a size as xz does: bytes unchanged, larger units with one decimal."""
    if count < 10_000:
        return f"{count} B"
    number, unit = float(count), 0
    while number >= 10_000 and unit < len(_UNITS) - 1:
        number, unit = number / 1024, unit + 1
    return f"{number:.1f} {_UNITS[unit]}"


def declare(name: str, summary: str) -> Command:
    """Declare the utility ``name``: ``bzip2``, ``xz`` or ``lzma``."""
    program = _PROGRAMS[name]

    def main(process: Process, arguments: Arguments) -> int:
        return _Run(process, arguments, program).run()

    options = _BZIP2_OPTIONS if program is _BZIP2 else _XZ_OPTIONS
    return Command(
        name, main, "[OPTION]... [FILE]...", summary, options, model="bzip2 1.0.8" if program is _BZIP2 else "XZ Utils 5.4.1"
    )

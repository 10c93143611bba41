"""dos2unix: convert line breaks between DOS, Unix and old Mac text files (dos2unix manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.interp.runtime.pieces import PIECE
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.limits import ask

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_DOS, _UNIX, _MAC = re.compile(rb"\r\n"), re.compile(rb"(?<!\r)\n"), re.compile(rb"\r(?!\n)")
_PART = 1 << 18  # bytes that are searched without a look at the clock
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f]")
_MARK = b"\xef\xbb\xbf"
_UTF_16 = {b"\xff\xfe": "UTF-16LE", b"\xfe\xff": "UTF-16BE"}
_COLUMNS = (("d", "     DOS"), ("u", "    UNIX"), ("m", "     MAC"), ("b", "  BOM     "), ("t", "  TXTBIN"))


@dataclass(frozen=True, slots=True)
class _Conversion:
    """What a name converts: line breaks of one kind to others, named in messages; whether it keeps a byte order mark."""

    breaks: re.Pattern[bytes]
    result: bytes
    form: str
    keeps_mark: bool


_CONVERSIONS = {
    "dos2unix": _Conversion(_DOS, b"\n", "Unix", keeps_mark=False),
    "unix2dos": _Conversion(_UNIX, b"\r\n", "DOS", keeps_mark=True),
    "mac2unix": _Conversion(_MAC, b"\n", "Unix", keeps_mark=False),
    "unix2mac": _Conversion(_UNIX, b"\r", "Mac", keeps_mark=True),
}
_MODES = {("dos2unix", "mac"): "mac2unix", ("unix2dos", "mac"): "unix2mac"}


@command(
    "dos2unix",
    usage="[OPTION]... [FILE]... [-n INFILE OUTFILE...]",
    summary="Convert text files from DOS line breaks to Unix line breaks.",
    options=(
        flag("-b", "--keep-bom", help="keep Byte Order Mark"),
        value("-c", "--convmode", metavar="MODE", help="ascii, or mac for the line breaks of old Macs"),
        flag("-f", "--force", help="force conversion of binary files"),
        value("-i", "--info", metavar="FLAGS", optional=True, help="display file information: d u m b t c h"),
        flag("-k", "--keepdate", help="keep output file date"),
        flag("-l", "--newline", help="add additional newline"),
        flag("-m", "--add-bom", help="add Byte Order Mark"),
        flag("-n", "--newfile", help="write to new files: the operands are pairs"),
        flag("-o", "--oldfile", help="write to old file (default)"),
        flag("-q", "--quiet", help="suppress all warnings"),
        flag("-r", "--remove-bom", help="remove Byte Order Mark"),
        flag("-s", "--safe", help="skip binary files (default)"),
        flag("-v", "--verbose", help="tell how many line breaks were converted"),
        flag("-F", "--follow-symlink", help="follow symbolic links and convert the targets"),
        flag("-R", "--replace-symlink", help="replace symbolic links with converted files"),
        flag("-S", "--skip-symlink", help="keep symbolic links and targets unchanged (default)"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="dos2unix 7.4.3",
)
def main(process: Process, arguments: Arguments) -> int:
    """Convert each file, or standard input; 2 when there is no such file, 1 for anything else that is wrong."""
    return _Converter(process, arguments).run()


def _binary(data: bytes) -> re.Match[bytes] | None:
    """The first byte that no text has."""
    for start in range(0, len(data), _PART):
        ask(_PART >> 8)
        found = _BINARY.search(data, start, start + _PART)
        if found is not None:
            return found
    return None


class _Skipped(Exception):  # noqa: N818 - a file that is left alone, with the reason and the status
    def __init__(self, *reasons: str, status: int = 0) -> None:
        super().__init__(*reasons)
        self.status = status


class _Converter:
    """One command line."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        mode = arguments.get("c") or "ascii"
        if mode not in {"ascii", "mac"}:
            raise UsageError(f"invalid {mode} conversion mode specified", hint=False)
        self._conversion = _CONVERSIONS[_MODES.get((process.name, mode), process.name)]

    def run(self) -> int:
        """Treat every operand; return the highest status."""
        operands, status = self._arguments.operands, 0
        if not operands:
            return self._attempt("stdin", "")
        pairs = self._arguments.last("n", "o") == "n" and "i" not in self._arguments
        if "i" in self._arguments and "h" in (self._arguments.get("i") or ""):
            self._process.write("".join(title for letter, title in _COLUMNS if letter in self._shown()) + "  FILE\n")
        for index in range(0, len(operands), 1 + pairs):
            name = operands[index]
            if pairs and index + 1 == len(operands):
                raise UsageError(f"target of file {name} not specified in new-file mode", hint=False)
            with freed(self._process):
                status = max(status, self._attempt(name, operands[index + pairs]))
        return status

    def _attempt(self, name: str, target: str) -> int:
        try:
            self._file(name, target)
        except _Skipped as skipped:
            if "q" in self._arguments:
                return 0
            for reason in skipped.args:
                self._process.warn(reason)
            return skipped.status
        return 0

    def _file(self, name: str, target: str) -> None:
        process, arguments = self._process, self._arguments
        data = slurp(process, process.open(self._checked(name)) if target else process.stdin)
        if "i" in arguments:
            self._inform(name if target else "", data)
            return
        binary = None if data[:2] in _UTF_16 else _binary(data)
        if binary is not None and "f" not in arguments:
            line = data.count(b"\n", 0, binary.start()) + 1
            found = f"Binary symbol 0x{data[binary.start()]:02X} found at line {line}"
            raise _Skipped(found, f"Skipping binary file {name}", status=0 if target else 1)
        result = self._converted(data)
        if not target:
            process.stdout.write(result)
            return
        wide = _UTF_16.get(data[:2])
        source = f"{wide} file {name} to UTF-8" if wide else f"file {name} to"
        new = f" file {target} in" if target != name else ""
        if "q" not in arguments:
            process.warn(f"converting {source}{new} {self._conversion.form} format...")
        self._write(name, target, result)

    def _checked(self, name: str) -> str:
        """The name of a file that is to be converted.

        Raises:
            _Skipped: It is none.
        """
        fs, path = self._process.fs, self._process.path(name)
        linked = self._arguments.last("F", "R", "S")
        try:
            stat = fs.stat(path)
        except OSError as error:
            raise _Skipped(f"{name}: {error.strerror}", f"Skipping {name}, not a regular file.", status=2) from None
        if stat.type != "file":
            raise _Skipped(f"Skipping {name}, not a regular file.")
        if fs.stat(path, follow=False).type == "symlink" and linked not in {"F", "R"} and "i" not in self._arguments:
            raise _Skipped(f"Skipping symbolic link {name}.")
        return name

    def _converted(self, data: bytes) -> bytes:
        arguments, conversion, process = self._arguments, self._conversion, self._process
        if data[:2] in _UTF_16:
            process.hold(2 * len(data))
            data = _MARK + data[2:].decode(_UTF_16[data[:2]], "replace").encode()
        marked = data.startswith(_MARK)
        data = data[len(_MARK) :] if marked else data
        result = conversion.result * (2 if "l" in arguments else 1)
        process.budget.room(len(data) + data.count(b"\n") * len(result))
        process.budget.tick(len(data) >> 4)
        converted, count = self._replaced(data, conversion.breaks, result)
        if "v" in arguments:
            breaks = sum(len(kind.findall(data)) for kind in (_DOS, _UNIX, _MAC))
            process.warn(f"Converted {count} out of {breaks} line breaks.")
        last = arguments.last("b", "r", "m")
        keeps = last == "m" or (marked and (last == "b" or (last is None and conversion.keeps_mark)))
        return (_MARK if keeps else b"") + converted

    @staticmethod
    def _replaced(data: bytes, breaks: re.Pattern[bytes], result: bytes) -> tuple[bytes, int]:
        """``breaks.subn(result, data)``, piece by piece."""
        pieces: list[bytes] = []
        total = start = 0
        while start < len(data):
            end = start + PIECE
            end += data[end - 1 : end + 1] == b"\r\n"  # which belong together
            piece, count = breaks.subn(result, data[start:end])
            pieces.append(piece)
            total += count
            start = end
            ask(PIECE >> 3)
        return b"".join(pieces), total

    def _write(self, name: str, target: str, result: bytes) -> None:
        fs = self._process.fs
        stat, path = fs.stat(self._process.path(name)), self._process.path(target)
        if self._arguments.last("F", "R", "S") == "R" and fs.stat(path, follow=False).type == "symlink":
            fs.unlink(path)
        fs.write_file(path, result, stat.mode)
        if "k" in self._arguments:
            fs.utime(path, stat.atime, stat.mtime)

    def _shown(self) -> str:
        """The letters of the columns of ``--info``."""
        chosen = {*(self._arguments.get("i") or "")} & {letter for letter, _ in _COLUMNS}
        return "".join(chosen) or ("" if "c" in (self._arguments.get("i") or "") else "dumbt")

    def _inform(self, name: str, data: bytes) -> None:
        mark = _UTF_16.get(data[:2]) or ("UTF-8" if data.startswith(_MARK) else "no_bom")
        text = data[2:].decode(mark, "replace").encode() if data[:2] in _UTF_16 else data
        flags, binary = self._arguments.get("i") or "", _BINARY.search(text)
        if "c" in flags and ((binary and "f" not in self._arguments) or not self._conversion.breaks.search(text)):
            return
        counts = {"d": _DOS, "u": _UNIX, "m": _MAC}
        shown = self._shown()
        cells = [f"{len(pattern.findall(text)):8}" for letter, pattern in counts.items() if letter in shown]
        cells += [f"  {mark:8}"] * ("b" in shown) + [f"  {'binary' if binary else 'text':6}"] * ("t" in shown)
        line = "".join(cells)
        self._process.write(f"{line}  {name}\n" if line and name else f"{line}{name}\n")

"""xxd: make a hexadecimal dump, or do the reverse (the manual of Vim's xxd)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import parts_of_lines, slurp
from bashkit.commands.bytes._dumps import number, slices
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_MAX_ADDRESS = (1 << 64) - 1
_MAX_COLUMNS = 256
_ASCII = bytes(byte if 32 <= byte < 127 else 46 for byte in range(256))
# Code page 037, except for the characters that xxd places differently.
_PLAIN_EBCDIC = bytes(
    ord(char) if " " <= char <= "~" and char not in "[]^~" else 46 for char in bytes(range(256)).decode("cp037")
)
_EBCDIC = bytes({0x5F: 0x7E, 0x9A: 0x5E, 0xAD: 0x5B, 0xBD: 0x5D}.get(byte, shown) for byte, shown in enumerate(_PLAIN_EBCDIC))
_REST = re.compile(rb"(?<=[0-9a-fA-F])([^0-9a-fA-F\n]*?)[^0-9a-fA-F\s]{2}.*")
_PAIRS = re.compile(rb"[0-9a-fA-F]{2,65536}")  # of a run of digits, as many as are converted together
_LINE = re.compile(rb"\s*([0-9a-fA-F]+):?(?: |\t)\s*((?:[0-9a-fA-F]{2}\s?)*)")


_LONG = {
    "-autoskip": "-a", "-bits": "-b", "-cols": "-c", "-capitalize": "-C", "-EBCDIC": "-E", "-groupsize": "-g", "-include": "-i",
    "-len": "-l", "-name": "-n", "-plain": "-p", "-postscript": "-p", "-ps": "-p", "-revert": "-r", "-seek": "-s",
    "-uppercase": "-u", "-help": "-h", "-version": "-v",
}  # fmt: skip


def _shorten(words: list[str]) -> list[str]:
    """Replace the long names of options, which have one dash and may not be run together."""
    return [_LONG.get(word, word) for word in words]


@command(
    "xxd",
    usage="[options] [infile [outfile]]",
    summary="Make a hexdump or do the reverse.",
    options=(
        flag("-a", "-autoskip", help="toggle autoskip: a single '*' replaces nul-lines"),
        flag("-b", "-bits", help="binary digit dump"),
        value("-c", "-cols", metavar="COLS", help="format COLS octets per line (default 16)"),
        flag("-C", "-capitalize", help="capitalize variable names in C include file style"),
        flag("-E", "-EBCDIC", help="show characters in EBCDIC"),
        flag("-e", help="little-endian dump"),
        value("-g", "-groupsize", metavar="BYTES", help="number of octets per group (default 2)"),
        flag("-i", "-include", help="output in C include file style"),
        value("-l", "-len", metavar="LEN", help="stop after LEN octets"),
        value("-n", "-name", metavar="NAME", help="the variable name in C include output"),
        value("-o", metavar="OFF", help="add OFF to the displayed file position"),
        flag("-p", "-ps", "-postscript", "-plain", help="output in plain hexdump style"),
        flag("-r", "-revert", help="reverse operation: convert hexdump into binary"),
        value("-s", "-seek", metavar="SEEK", help="start at SEEK bytes"),
        flag("-d", help="show offset in decimal"),
        flag("-u", "-uppercase", help="use upper case hex letters"),
        help_flag("-h", "-help"),
        version_flag("-v", "-version"),
    ),
    model="xxd 2022-01-14",
    rewrite=_shorten,
)
def main(process: Process, arguments: Arguments) -> int:
    """Dump or revert; 2 when a file cannot be opened."""
    if len(arguments.operands) > 2:
        raise UsageError("too many files")
    name = arguments.operands[0] if arguments.operands else "-"
    try:
        stream = process.open(name)
    except OSError as error:
        process.warn(f"{name}: {error.strerror}")
        return 2
    output = process.stdout
    if len(arguments.operands) == 2 and arguments.operands[1] != "-":
        output = process.create(arguments.operands[1])
    seek = _number(arguments.get("s"), 0)
    if seek < 0 and "r" not in arguments:  # from the end
        if not isinstance(stream, FileStream) or stream.size() + seek < 0:
            process.warn("Sorry, cannot seek.")
            return 4
        seek += stream.size()
    seek = max(0, seek)
    kind = arguments.last("b", "e", "i", "p")
    dumper = _Dumper(arguments, kind, seek + _number(arguments.get("o"), 0))
    if "r" in arguments:
        if kind not in {None, "p"}:
            process.warn("Sorry, cannot revert this type of hexdump")
            return 255
        data = slurp(process, stream)
        process.budget.string(len(data) + seek)
        plain = bytes(seek) + _revert_plain(data, process.budget) if kind == "p" else b""
        output.write(plain if kind == "p" else _revert(process, data, seek, dumper.columns))
        return 0
    limit = _number(arguments.get("l"), -1)
    length = None if limit < 0 else limit
    if kind == "i":
        data = b"".join(slices(process, stream.blocks(), 4096, seek, length))
        process.budget.string(len(data) * 6)
        label = arguments.get("n") or ("" if name == "-" else re.sub(r"\W", "_", name))
        output.write(_include(data, label, dumper.columns, upper="u" in arguments, capital="C" in arguments).encode())
        return 0
    skip = _Autoskip() if sum(key == "a" for key, _ in arguments.given) % 2 else None
    for line in slices(process, stream.blocks(), dumper.columns, seek, length):
        process.budget.tick(4 + (dumper.columns >> 2))
        text = dumper.line(line)
        output.write((text if skip is None else skip.filter(line, text)).encode())
    if skip is not None:
        output.write(skip.last.encode())
    return 0


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    try:
        return number(text.lstrip("+")) if not text.startswith("-") else -number(text[1:])
    except ValueError:
        return 0


class _Autoskip:
    """Replaces a run of lines with only NULs by its first line, a star, and its last line."""

    def __init__(self) -> None:
        self._count = 0
        self.last = ""

    def filter(self, line: bytes, text: str) -> str:
        """The lines to print for a line."""
        if line.strip(b"\0"):
            self._count, self.last = 0, ""
            return text
        self._count += 1
        if self._count == 1:
            return text
        self.last = text
        return "*\n" if self._count == 2 else ""


class _Dumper:
    """Formats the lines of a dump."""

    def __init__(self, arguments: Arguments, kind: str | None, offset: int) -> None:
        self._plain = kind == "p"
        self._bits = kind == "b"
        self._little = kind == "e"
        self._upper = "u" in arguments
        self._decimal = "d" in arguments
        self._characters = _EBCDIC if "E" in arguments else _ASCII
        self._offset = offset
        usual = 30 if self._plain else 6 if self._bits else 12 if kind == "i" else 16
        self.columns = _number(arguments.get("c"), usual)
        if self.columns == 0:
            self.columns = 1 << 20 if self._plain else usual
        if self.columns < 1 or (self.columns > _MAX_COLUMNS and not self._plain):
            raise UsageError(f"invalid number of columns (max. {_MAX_COLUMNS}).", hint=False)
        default = 4 if self._little else 1 if self._bits else 2
        self._group = _number(arguments.get("g"), default) or self.columns
        if self._little and self._group & (self._group - 1):
            raise UsageError("number of octets per group must be a power of 2 with -e.", hint=False)

    def line(self, data: bytes) -> str:
        """One line of the dump."""
        if self._plain:
            text = data.hex()
            return (text.upper() if self._upper else text) + "\n"
        if self._bits:
            units = [f"{byte:08b}" for byte in data]
            dump = " ".join("".join(units[start : start + self._group]) for start in range(0, len(units), self._group))
        elif self._little:
            pieces = (data[start : start + self._group] for start in range(0, len(data), self._group))
            dump = " ".join(piece[::-1].hex().rjust(self._group * 2) for piece in pieces)
        else:
            dump = data.hex(" ", -self._group)
        if self._upper:
            dump = dump.upper()
        full = self.columns * (8 if self._bits else 2) + (self.columns - 1) // self._group
        shown = data.translate(self._characters).decode("ascii")
        address = f"{self._offset:08d}" if self._decimal else f"{self._offset & _MAX_ADDRESS:08x}"
        self._offset += len(data)
        return f"{address}: {dump:<{full}}  {shown}\n"


def _include(data: bytes, label: str, columns: int, *, upper: bool, capital: bool) -> str:
    form = "0X{:02X}" if upper else "0x{:02x}"
    rows = [", ".join(form.format(byte) for byte in data[start : start + columns]) for start in range(0, len(data), columns)]
    body = ",\n".join("  " + row for row in rows)
    if not label:
        return body + "\n" if body else ""
    ending = "_LEN" if capital else "_len"
    label = label.upper() if capital else label
    body += "\n" * bool(body)
    return f"unsigned char {label}[] = {{\n{body}}};\nunsigned int {label}{ending} = {len(data)};\n"


def _revert_plain(data: bytes, budget: Budget) -> bytes:
    """Convert digits back to bytes; another character ends a pair that is not complete, two of them end what counts of a line."""
    parts = (_REST.sub(b"!", part) for part in parts_of_lines(data, budget))
    digits = b"".join([part.translate(None, b" \t\n\r\f\v") for part in parts])
    pairs: list[bytes] = []
    for run in _PAIRS.finditer(digits):
        budget.tick(1 + (len(run[0]) >> 6))
        pairs.append(bytes.fromhex(run[0][: len(run[0]) // 2 * 2].decode()))
    return b"".join(pairs)


def _revert(process: Process, data: bytes, seek: int, columns: int) -> bytes:
    """Convert a dump back to bytes, so many of a line; each line's address is its offset."""
    result = bytearray()
    for line in data.splitlines():
        process.budget.tick(10)
        match = _LINE.match(line)
        if match is None:
            continue
        address = int(match[1], 16) + seek
        # Two blanks end the digits; what follows is the text column.
        digits = re.sub(rb"\s", b"", re.split(rb"\s\s", match[2].rstrip(b"\n"))[0])
        piece = bytes.fromhex(digits[: min(len(digits) // 2, columns) * 2].decode())
        process.budget.string(address + len(piece))
        if address > len(result):
            result.extend(bytes(address - len(result)))
        result[address : address + len(piece)] = piece
    return bytes(result)

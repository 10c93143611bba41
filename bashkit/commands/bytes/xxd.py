"""xxd: make a hexadecimal dump, or do the reverse (the manual of Vim's xxd)."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import parts_of_lines, slurp
from bashkit.commands.bytes._dumps import slices
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

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
_TOKEN = re.compile(rb"([0-9a-fA-F \t\n\r]{1,65536})|([^0-9a-fA-F \t\n\r]{1,65536})")
_NUMBER = re.compile(r"\s*([-+]?)(0[xX][0-9a-fA-F]{1,16}|0[0-7]{0,20}|[1-9][0-9]{0,18})", re.ASCII)
_LINE = re.compile(rb"\s*([0-9a-fA-F]+):?(?: |\t)\s*((?:[0-9a-fA-F]{2}\s?)*)")


_FLAGS = frozenset("abeupiCdrEvh")
_LONG = {"c": "ols", "g": "roup", "o": "ffset", "s": "kip eek", "l": "en", "n": "ame"}  # how the names of values go on


def _rewrite(words: list[str]) -> list[str]:
    """Shorten the names of options, which have one dash: of a flag, only the first letter counts, and nothing is run together."""
    result: list[str] = []
    pending = iter(words)
    for word in pending:
        word = word[1:] if word.startswith("--") and len(word) > 2 else word
        word = "-C" if word == "-capitalize" else word
        letter, rest = word[1:2], word[2:]
        if not word.startswith("-") or (letter not in _FLAGS and letter not in _LONG):
            return [*result, word, *pending]
        if letter in _LONG and any(rest.startswith(name) for name in _LONG[letter].split()):
            word = f"-{letter}"
        result.append(f"-{letter}" if letter in _FLAGS else word)
        if word == f"-{letter}" and letter in _LONG:
            result += islice(pending, 1)
    return result


@command(
    "xxd",
    write_status=3,
    usage="[options] [infile [outfile]]",
    summary="Make a hexdump or do the reverse.",
    options=(
        flag("-a", help="toggle autoskip: a single '*' replaces nul-lines"),
        flag("-b", help="binary digit dump"),
        value("-c", metavar="COLS", help="format COLS octets per line (default 16)"),
        flag("-C", help="capitalize variable names in C include file style"),
        flag("-E", help="show characters in EBCDIC"),
        flag("-e", help="little-endian dump"),
        value("-g", metavar="BYTES", help="number of octets per group (default 2)"),
        flag("-i", help="output in C include file style"),
        value("-l", metavar="LEN", help="stop after LEN octets"),
        value("-n", metavar="NAME", help="the variable name in C include output"),
        value("-o", metavar="OFF", help="add OFF to the displayed file position"),
        flag("-p", help="output in plain hexdump style"),
        flag("-r", "-revert", help="reverse operation: convert hexdump into binary"),
        value("-s", metavar="SEEK", help="start at SEEK bytes"),
        flag("-d", help="show offset in decimal"),
        flag("-u", help="use upper case hex letters"),
        help_flag("-h"),
        version_flag("-v"),
    ),
    model="xxd 2022-01-14",
    rewrite=_rewrite,
    stop_at_operand=True,
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
    kind = arguments.last("b", "e", "i", "p")
    dumper = _Dumper(arguments, kind, seek + _number(arguments.get("o"), 0))
    if "r" in arguments:
        if kind not in {None, "p"}:
            process.warn("Sorry, cannot revert this type of hexdump")
            return 255
        data = slurp(process, stream)
        process.budget.string(len(data) + abs(seek))
        if kind == "p":
            output.write(bytes(max(0, seek)) + _revert_plain(data, process.budget))
            return 0
        reverted, complete = _revert(process, data, seek, dumper.columns, seekable=isinstance(output, FileStream))
        output.write(reverted)
        if not complete:
            process.warn("Sorry, cannot seek backwards.")
        return 0 if complete else 5
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
    """The number at the beginning of a text, as strtol(3) reads it."""
    if text is None:
        return default
    found = _NUMBER.match(text)
    if found is None:
        return 0
    number = int(found[2], 8 if is_digits(found[2]) and found[2].startswith("0") else 0)
    return -number if found[1] == "-" else number


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
        group = _number(arguments.get("g"), default)
        group = default if group < 0 else group
        self._group = group if 0 < group <= self.columns else self.columns
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
    """Convert digits back to bytes.

    Any other character drops the first digit of a pair; the rest of a line does not count behind two of them, or three if they
    follow a first digit.
    """
    pairs: list[bytes] = []
    pending = b""
    limit = garbage = place = 0  # there is no limit before the first digit
    while (token := _TOKEN.match(data, place)) is not None:
        budget.tick(1 + (len(token[0]) >> 6))
        place = token.end()
        if token[1] is not None:
            digits = pending + token[1].translate(None, b" \t\n\r")
            if digits != pending:
                even = len(digits) // 2 * 2
                pairs.append(bytes.fromhex(digits[:even].decode()))
                pending, garbage = digits[even:], 0
                limit = 3 if pending else 2
            continue
        pending = b""
        garbage += len(token[0])
        if limit and garbage >= limit:
            place = data.find(b"\n", token.end() - (garbage - limit))
            place = len(data) if place < 0 else place
            limit = garbage = 0
    return b"".join(pairs)


def _revert(process: Process, data: bytes, seek: int, columns: int, *, seekable: bool) -> tuple[bytes, bool]:
    """Convert a dump back to bytes, so many of a line; each line's address is its offset.

    Returns:
        The bytes, and whether they are all; they end before a line that belongs before others, unless the output is seekable.
    """
    result = bytearray()
    for line in (line for part in parts_of_lines(data, process.budget) for line in part.split(b"\n")):
        process.budget.tick(10)
        match = _LINE.match(line)
        if match is None:
            continue
        address = int(match[1], 16) + seek
        # Two blanks end the digits; what follows is the text column.
        digits = re.sub(rb"\s", b"", re.split(rb"\s\s", match[2].rstrip(b"\n"))[0])
        piece = bytes.fromhex(digits[: min(len(digits) // 2, columns) * 2].decode())
        if address < 0 or (address < len(result) and not seekable):
            return bytes(result), False
        process.budget.string(address + len(piece))
        if address > len(result):
            result.extend(bytes(address - len(result)))
        result[address : address + len(piece)] = piece
    return bytes(result), True

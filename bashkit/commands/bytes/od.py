"""od: dump files in octal and other formats (POSIX XCU od)."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.counts import MOST, clamped, is_count
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.commands._notation.sizes import no_size
from bashkit.commands.bytes._dumps import files, number, slices
from bashkit.interp.utility.command import ArgumentError, Arguments, UsageError, command, flag, value
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_TYPE = re.compile(r"([acdfoux])(\d+|[CSILFD])?(z)?", re.ASCII)
_SIZES = {"C": 1, "S": 2, "I": 4, "L": 8, "F": 4, "D": 8, "fL": 16}
_WIDTHS = {
    "d": {1: 4, 2: 6, 4: 11, 8: 20},
    "u": {1: 3, 2: 5, 4: 10, 8: 20},
    "o": {1: 3, 2: 6, 4: 11, 8: 22},
    "x": {1: 2, 2: 4, 4: 8, 8: 16},
    "f": {4: 15, 8: 24},
}
_NAMES = (
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr", "so", "si", "dle", "dc1", "dc2",
    "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us", "sp",
)  # fmt: skip
_C_NAMES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
_TRADITIONAL = {
    "a": "a", "b": "o1", "c": "c", "d": "u2", "f": "fF", "i": "dI", "l": "dL", "o": "o2", "s": "d2", "x": "x2",
    "B": "o2", "D": "u4", "e": "fD", "F": "fD", "h": "x2", "H": "x4", "I": "dL", "L": "dL", "O": "o4", "X": "x4",
}  # fmt: skip


_LONGEST = 30  # maximum characters of an offset; longer ones are beyond any file
_MUCH = 1 << 16  # characters of the lines for one piece of the input that are written at once


@dataclass(frozen=True, slots=True)
class _Addresses:
    """Writes addresses in a radix, optionally with a label in parentheses."""

    radix: str
    shift: int | None

    def show(self, address: int) -> str:
        """One address."""
        text = _address(address, self.radix)
        if self.shift is None:
            return text
        if self.radix == "n":
            return f"({_address(address, 'o')})"  # observed with od 9.1: the label is of no account where there is no address
        return f"{text} ({_address(address + self.shift, self.radix)})"

    def blank(self) -> str:
        """What stands in the place of an address where a line goes on in another format; a label has none."""
        return " " * len(_address(0, "o" if self.radix == "n" and self.shift is not None else self.radix))


_PRINTED = bytes(byte if 32 <= byte < 127 else ord(".") for byte in range(256))  # the characters behind ``z``


@dataclass(frozen=True, slots=True)
class _Format:
    """An output type: the bytes and the width of a field, and how it is written."""

    size: int
    width: int
    render: Callable[[bytes], str]
    text: bool


_ORDERS = (("little",), ("big",))


def _count(text: str) -> int:
    try:
        count = number(text)
    except ValueError:
        raise no_size(text) from None
    if count > MOST:
        raise ArgumentError("{} argument", f"{quote(text)} too large")
    return count


def _check_width(text: str) -> None:
    if not is_count(text):
        raise no_size(text)
    if clamped(text) == MOST:
        raise ArgumentError("{} argument", f"{quote(text)} too large")


def _check_radix(text: str) -> None:
    if text[:1] not in {"d", "o", "x", "n"}:
        raise UsageError(f"invalid output address radix '{text[:1] or chr(0)}'; it must be one character from [doxn]", hint=False)


@command(
    "od",
    usage="[OPTION]... [FILE]...",
    summary="Write an unambiguous representation, octal bytes by default, of FILE to standard output.",
    options=(
        value("-A", "--address-radix", metavar="RADIX", help="output format for file offsets: d, o, x or n", check=_check_radix),
        value(
            "--endian",
            metavar="ORDER",
            help="swap input bytes according to the specified order: big or little",
            check=among("--endian", _ORDERS),
        ),
        value("-j", "--skip-bytes", metavar="BYTES", help="skip BYTES input bytes first", check=_count),
        value("-N", "--read-bytes", metavar="BYTES", help="limit dump to BYTES input bytes", check=_count),
        value("-S", metavar="BYTES", help="output strings of at least BYTES graphic chars", check=_count),
        value("--strings", metavar="BYTES", optional=True, help="likewise; 3 when BYTES is left out", check=_count),
        value("-t", "--format", metavar="TYPE", help="select output format or formats"),
        flag("--traditional", help="accept arguments in the form [FILE] [[+]OFFSET[.][b] [[+]LABEL[.][b]]]"),
        flag("-v", "--output-duplicates", help="do not use * to mark line suppression"),
        value("-w", "--width", metavar="BYTES", optional=True, help="output BYTES bytes per output line", check=_check_width),
        *(flag(f"-{letter}", help=f"same as -t {form}") for letter, form in _TRADITIONAL.items()),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Dump; 1 when a file cannot be read."""
    order = {"big": ">", "little": "<"}[choose("--endian", arguments.get("endian") or "little", _ORDERS)]
    formats = _formats(arguments, order)
    operands, offset, label = _offsets(arguments)
    skip = _count(arguments.get("j") or "0") if offset is None else offset
    limit = _count(arguments.get("N") or "0") if "N" in arguments else None
    radix = (arguments.get("A", "o") or "")[:1]
    width = _line_width(process, arguments, formats)
    failed: list[OSError] = []
    source = files(process, operands, failed, _shown, None if limit is None else skip + limit)
    wanted = arguments.last("S", "strings")
    if wanted is not None and any(key == "t" or key in _TRADITIONAL for key, _ in arguments.given):
        raise UsageError("no type may be specified when dumping strings", hint=False)
    if wanted is not None:
        _strings(process, b"".join(_behind(source, skip)), skip, _count(arguments.get(wanted) or "3"), radix)
    elif operands and not any(_readable(process, name) for name in operands):
        for _ in source:
            pass  # nothing but the messages is printed
    else:
        lines = slices(process, _behind(source, skip), width, 0, limit)
        shift = None if label is None else label - skip
        _dump(process, lines, formats, width, skip, _Addresses(radix, shift), everything="v" in arguments)
    return 1 if failed else 0


def _shown(name: str) -> str:
    return quote_if_needed("standard input" if name == "-" else name)


# with these options, a word that looks like an offset is a file
_MODERN = ("A", "j", "N", "S", "strings", "t", "v", "w")
_OFFSET = re.compile(r"\+?(?:0[xX]([0-9a-fA-F]+)|([0-7]+))(b?)")


def _offset(text: str) -> int | None:
    """Parse an operand as an offset; None if it is not one."""
    match = _OFFSET.fullmatch(text)
    if match is None or len(text.lstrip("+").lstrip("0")) > _LONGEST:
        return None
    return (int(match[1], 16) if match[1] else int(match[2], 8)) * (512 if match[3] else 1)


def _offsets(arguments: Arguments) -> tuple[list[str], int | None, int | None]:
    """The files, and the offset and label that follow them in the traditional form: ``od [FILE] [[+]OFFSET [[+]LABEL]]``.

    Raises:
        UsageError: The traditional form has other operands.
    """
    words = arguments.operands
    traditional = "traditional" in arguments
    if not words or (not traditional and any(key in arguments for key in _MODERN)):
        return words, None, None
    values = [_offset(word) for word in words]
    if len(words) == 1 and values[0] is not None and (traditional or words[0].startswith("+")):
        return [], values[0], None
    if len(words) == 2 and values[1] is not None and (traditional or words[1][0] in "+0123456789"):
        if traditional and values[0] is not None:
            return [], values[0], values[1]
        return words[:1], values[1], None
    if len(words) == 3 and traditional and values[1] is not None and values[2] is not None:
        return words[:1], values[1], values[2]
    if traditional and len(words) > 1:
        raise UsageError(f"extra operand {mention(words[1])}\nod: compatibility mode supports at most one file")
    return words, None, None


def _behind(blocks: Iterator[bytes], skip: int) -> Iterator[bytes]:
    """Skip the first bytes of the input.

    Raises:
        UsageError: The input is shorter.
    """
    for block in blocks:
        if len(block) < skip:
            skip -= len(block)
            continue
        yield block[skip:]
        skip = 0
    if skip:
        raise UsageError("cannot skip past end of combined input", hint=False)


def _readable(process: Process, name: str) -> bool:
    return name == "-" or process.descriptor(name) is not None or process.fs.access(process.path(name), "r")


def _line_width(process: Process, arguments: Arguments, formats: list[_Format]) -> int:
    if "w" not in arguments:
        return 16
    width = clamped(arguments.get("w") or "32")
    process.budget.string(width * max(form.width + 1 for form in formats))
    if not width or any(width % form.size for form in formats):
        fitting = max(form.size for form in formats)
        process.warn(f"warning: invalid width {width}; using {fitting} instead")
        return fitting
    return width


def _formats(arguments: Arguments, order: str) -> list[_Format]:
    found: list[_Format] = []
    for key, argument in arguments.given:
        if key == "t":
            found.extend(_read_types(argument or "", order))
        elif key in _TRADITIONAL:
            found.extend(_read_types(_TRADITIONAL[key], order))
    return found or _read_types("o2", order)


def _read_types(text: str, order: str) -> list[_Format]:
    found, position = [], 0
    while position < len(text):
        match = _TYPE.match(text, position)
        if match is None:
            raise UsageError(f"invalid character '{text[position]}' in type string {mention(text)}", hint=False)
        letter, size_text, trailer = match.groups()
        if letter in "ac":
            found.append(_Format(1, 3, _named if letter == "a" else _character, bool(trailer)))
            if size_text:
                raise UsageError(f"invalid character '{size_text[0]}' in type string {mention(text)}", hint=False)
        else:
            default = 8 if letter == "f" else 4
            size = default if size_text is None else _SIZES.get(letter + size_text) or _SIZES.get(size_text) or clamped(size_text)
            if size == MOST:
                raise UsageError(f"invalid type string {mention(text)}", hint=False)
            if size not in _WIDTHS[letter]:
                kind = "floating point" if letter == "f" else "integral"
                raise UsageError(
                    f"invalid type string {mention(text)};\nthis system doesn't provide a {size}-byte {kind} type", hint=False
                )
            found.append(_Format(size, _WIDTHS[letter][size], _numeric(letter, size, order), bool(trailer)))
        position = match.end()
    return found


@cache
def _numeric(letter: str, size: int, order: str) -> Callable[[bytes], str]:
    if letter == "f":
        unpack = struct.Struct(order + {4: "f", 8: "d"}[size]).unpack
        digits = {4: 9, 8: 17}[size]
        return lambda data: _float(unpack(data)[0], digits, size)
    byte_order = "big" if order == ">" else "little"
    pad = _WIDTHS[letter][size]
    if letter == "d":
        return lambda data: str(int.from_bytes(data, byte_order, signed=True))  # type: ignore[arg-type]  # a literal by construction
    form = {"u": "d", "o": f"0{pad}o", "x": f"0{pad}x"}[letter]
    return lambda data: format(int.from_bytes(data, byte_order), form)  # type: ignore[arg-type]  # a literal by construction


def _float(found: float, digits: int, size: int) -> str:
    """The shortest text that parses to the same number."""
    if math.isnan(found):
        return "nan" if math.copysign(1, found) > 0 else "-nan"
    smallest = 2.0**-126 if size == 4 else 2.0**-1022  # below it, a number has fewer digits than its type
    for precision in range(1 if abs(found) < smallest else 6 if size == 4 else 15, digits + 1):
        text = f"{found:.{precision}g}"
        back = struct.unpack("f", struct.pack("f", float(text)))[0] if size == 4 else float(text)
        if back == found:
            break
    return text


def _named(data: bytes) -> str:
    code = data[0] & 127
    return _NAMES[code] if code <= 32 else "del" if code == 127 else chr(code)


def _character(data: bytes) -> str:
    code = data[0]
    return _C_NAMES.get(code) or (chr(code) if 32 <= code < 127 else f"{code:03o}")


def _dump(
    process: Process,
    lines: Iterator[bytes],
    formats: list[_Format],
    width: int,
    skip: int,
    addresses: _Addresses,
    *,
    everything: bool,
) -> None:
    address, previous, starred = skip, None, False
    size = max((form.width + 1) * (width // form.size) for form in formats)
    writers = {form: _line_writer(form, width, size) for form in dict.fromkeys(formats)}
    for line in lines:
        process.budget.tick(1)
        if line == previous and len(line) == width and not everything:
            if not starred:
                process.write("*\n")
                starred = True
        else:
            starred, previous = False, line
            text = ""
            head = addresses.show(address)
            for form in formats:
                process.budget.tick(len(line))
                text += head + writers[form](line) + "\n"
                head = addresses.blank()
                if len(text) > _MUCH:
                    process.write(text)
                    text = ""
            process.write(text)
        address += len(line)
    if addresses.radix != "n" or addresses.shift is not None:
        process.write(addresses.show(address) + "\n")


def _address(address: int, radix: str) -> str:
    return {"d": f"{address:07d}", "o": f"{address:07o}", "x": f"{address:06x}", "n": ""}[radix]


def _line_writer(form: _Format, width: int, size: int) -> Callable[[bytes], str]:
    """Writes lines of one format with its fields spread over ``size`` columns.

    Observed with od 9.1 and formats of different widths (``-t x1 -t f8``, ``-t d2 -t f8 -t c``, …): each field ends so that the
    fields after it on a full line get equal shares of the columns, rounded down.
    """
    count = width // form.size
    alike = form.size == 1 and size == (form.width + 1) * count
    cells = [form.render(bytes([byte])).rjust(form.width + 1) for byte in range(256)] if alike else []

    def write(line: bytes) -> str:
        if alike:
            text = "".join([cells[byte] for byte in line])
        else:
            text = ""
            for place, index in enumerate(paced_if_many(range(0, len(line), form.size)), 1):
                end = size - size * (count - place) // count
                text += form.render(line[index : index + form.size].ljust(form.size, b"\0")).rjust(end - len(text))
        return text.ljust(size) + f"  >{line.translate(_PRINTED).decode('ascii')}<" if form.text else text

    return write


def _strings(process: Process, data: bytes, skipped: int, shortest: int, radix: str) -> None:
    process.budget.string(len(data))
    for match in re.finditer(rb"([\x20-\x7e]++)(\0?)", data):  # each run is read once, whatever its length
        process.budget.tick(5)
        if len(match[1]) < shortest or not match[2]:
            continue
        text = match[1].decode("ascii")
        head = _address(skipped + match.start(), radix)
        process.write(f"{head} {text}\n" if head else f"{text}\n")

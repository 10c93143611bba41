"""iconv: convert text from one character encoding to another (POSIX XCU iconv)."""

from __future__ import annotations

import codecs
import errno
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.interp.utility.command import Arguments, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_NAMES = (
    "ASCII", "US-ASCII", "UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE", "UTF-7", "LATIN1",
    "LATIN2", "LATIN9", "CP437", "CP850", "KOI8-R", "KOI8-U", "MACINTOSH", "SHIFT_JIS", "EUC-JP", "ISO-2022-JP", "GB2312",
    "GBK", "GB18030", "BIG5", "EUC-KR", "JOHAB", "CP852", "CP855", "CP866", "CP874", "CP932", "CP936", "CP949",
    "TIS-620", "MAC-CYRILLIC",
    *(f"ISO-8859-{part}" for part in range(1, 17) if part != 12), *(f"CP{page}" for page in range(1250, 1259)),
)  # fmt: skip
_ALIASES = {
    "latin9": "iso8859-15", "macintosh": "mac-roman", "unicode": "utf-16", "ucs-2": "utf-16", "ucs-4": "utf-32-be",
    **{f"windows-{page}": f"cp{page}" for page in range(1250, 1259)},
    **{f"ibm{page}": f"cp{page}" for page in (437, 850, 852, 855, 866)},
    **{f"l{part}": f"latin{part}" for part in range(1, 7)},
    "sjis": "shift_jis", "windows-31j": "cp932", "cp936": "gbk", "euc-cn": "gb2312",
    "ansi_x3.4-1968": "ascii", "csisolatin1": "latin1", "ms-ansi": "cp1252",
    "ms-cyrl": "cp1251", "cyrillic": "iso8859-5", "arabic": "iso8859-6", "greek": "iso8859-7", "hebrew": "iso8859-8",
}  # fmt: skip
_LIKE = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2026": "...", "\u20ac": "EUR",
    "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "«": "<<", "»": ">>", "©": "(C)", "®": "(R)", "\u00d7": "x",
    "\u00a0": " ", "œ": "oe", "Œ": "OE", "\u2122": "(TM)",
})  # fmt: skip
_UTF16_MARK, _UTF32_MARK = b"\xff\xfe", b"\xff\xfe\0\0"


@command(
    "iconv",
    usage="[OPTION...] [FILE...]",
    summary="Convert encoding of given files from one encoding to another.",
    options=(
        value("-f", "--from-code", metavar="NAME", help="encoding of original text"),
        value("-t", "--to-code", metavar="NAME", help="encoding for output"),
        flag("-l", "--list", help="list the known encodings"),
        flag("-c", help="omit invalid characters from output"),
        value("-o", "--output", metavar="FILE", help="output file"),
        flag("-s", "--silent", help="suppress warnings"),
        flag("--verbose", help="(ignored: there is nothing to tell)"),
        help_flag("-?"),
        version_flag("-V"),
    ),
    notes="A NAME may end in //TRANSLIT (write what looks alike) or //IGNORE (omit what cannot be written).",
    usage_status=64,
    model="GNU libc 2.36",
)
def main(process: Process, arguments: Arguments) -> int:
    """Convert; 1 when a file cannot be read or converted."""
    if "l" in arguments:
        process.write("".join(f"{name}//\n" for name in sorted(_NAMES)))
        return 0
    source, target, ways = (
        _codec(arguments.get("f")),
        _codec(arguments.get("t")),
        (arguments.get("t") or "").upper().split("//")[1:],
    )
    if source is None or target is None:
        unknown = [name for name, codec in ((arguments.get("f"), source), (arguments.get("t"), target)) if codec is None]
        side = "conversions from" if source is None and target is not None else "conversion to" if source is not None else ""
        if side:
            process.warn(f"{side} encoding `{unknown[0]}' {'are' if side.endswith('from') else 'is'} not supported")
        else:
            process.warn(f"conversions from encoding `{unknown[0]}' and to encoding `{unknown[1]}' are not supported")
        process.say("Try `iconv --help' or `iconv --usage' for more information.\n")
        return 1
    output = process.create(arguments.get("o") or "") if "o" in arguments else process.stdout
    status, first = 0, True
    for name in arguments.operands or ["-"]:
        with freed(process):
            try:
                data = slurp(process, process.open(name))
            except OSError as error:
                what = "error while reading the input" if error.errno == errno.EISDIR else f"cannot open input file `{name}'"
                process.warn(f"{what}: {error.strerror}")
                status = 1
                continue
            process.budget.string(4 * len(data))
            process.budget.tick(len(data) >> 4)
            result, fault = _converted(data, source, target, ways, omit="c" in arguments, marked=first)
            first = first and not result
            output.write(result)
        if fault:
            process.warn(fault)
            status = 1
            break
    process.close(output)
    return status


def _codec(name: str | None) -> str | None:
    """Python's name of an encoding, or None for an unknown one."""
    plain = (name or "UTF-8").partition("//")[0].lower() or "utf-8"
    return _known().get(plain.replace("_", "-")) or _known().get(_bare(plain))


def _bare(name: str) -> str:
    return name.replace("-", "").replace("_", "")


@cache
def _known() -> dict[str, str]:
    """The encodings by their names: no other codec of Python's is one of text."""
    found: dict[str, str] = {}
    for name in (*_NAMES, *_ALIASES):
        codec = codecs.lookup(_ALIASES.get(name.lower(), name.lower())).name
        found[name.lower()] = found[_bare(name.lower())] = codec
    return found


def _converted(data: bytes, source: str, target: str, ways: list[str], *, omit: bool, marked: bool) -> tuple[bytes, str]:
    """The converted bytes, up to the first fault, and the message about that."""
    fault = ""
    omit = omit or "IGNORE" in ways
    while True:
        try:
            text = data.decode(source)
            break
        except UnicodeDecodeError as error:
            if omit:
                text = data.decode(source, "ignore")
                fault = "" if "IGNORE" not in ways else f"illegal input sequence at position {error.start}"
                break
            short = error.end >= len(data) and "unexpected end" in error.reason
            what = "incomplete character or shift sequence at end of buffer" if short else "illegal input sequence at position "
            fault = what if short else f"{what}{error.start}"
            data = data[: error.start]
    if "TRANSLIT" in ways:
        text = _alike(text, target)
    try:
        result = text.encode(target) if text else b""  # no mark either
    except UnicodeEncodeError as error:
        if omit:
            result = text.encode(target, "ignore")
            fault = fault or (f"illegal input sequence at position {len(data)}" if "IGNORE" in ways else "")
        else:
            start = len(text[: error.start].encode(source, "ignore"))
            fault = f"illegal input sequence at position {start}"
            result = text[: error.start].encode(target)
    if not marked:
        for codec, mark in (("utf-16", _UTF16_MARK), ("utf-32", _UTF32_MARK)):
            result = result.removeprefix(mark) if target == codec else result
    return result, fault


def _alike(text: str, target: str) -> str:
    """Characters that the encoding lacks, replaced by what looks alike, or by ``?``."""
    pieces = []
    for char in text:
        try:
            char.encode(target)
            pieces.append(char)
        except UnicodeEncodeError:
            like = char.translate(_LIKE)
            plain = (
                like if like != char else "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
            )
            pieces.append(plain if plain and plain.isascii() else "?")
    return "".join(pieces)

"""strings: print the sequences of printable characters in files (POSIX XCU strings)."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.quoting import mention
from bashkit.interp.runtime.pieces import PIECE
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.limits import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_WIDE = {"s": rb"%s", "S": rb"%s", "b": rb"\0%s", "l": rb"%s\0", "B": rb"\0\0\0%s", "L": rb"%s\0\0\0"}
_UNICODE: dict[str, Callable[[re.Match[bytes]], bytes]] = {
    **dict.fromkeys("dil", lambda found: found[0]),
    "x": lambda found: b"<0x" + found[0].hex().encode() + b">",
    **dict.fromkeys("eh", lambda found: b"\\u%04x" % ord(found[0].decode("utf-8", "replace")[0])),
}
_WORDS = {"default": "d", "locale": "l", "show": "l", "invalid": "i", "hex": "x", "escape": "e", "highlight": "h"}
_AS_THEY_ARE = "dil"  # of the letters above
_WIDEST = 4  # bytes of a character
_FEW = 64  # characters that are looked at again and again without harm
_NUMBER = re.compile(r"-[0-9]+")
_RADIX = {"d": "7d", "o": "7o", "x": "7x"}


def _numbered(words: list[str]) -> list[str]:
    """Rewrite ``-5`` as ``-n 5``."""
    end = words.index("--") if "--" in words else len(words)
    return [f"-n{word[1:]}" if index < end and _NUMBER.fullmatch(word) else word for index, word in enumerate(words)]


@command(
    "strings",
    usage="[option(s)] [file(s)]",
    summary="Display printable strings in [file(s)] (standard input by default).",
    rewrite=_numbered,
    options=(
        flag("-a", "--all", help="scan the entire file (default)"),
        flag("-d", "--data", help="(ignored: nothing here reads object files)"),
        value("-e", "--encoding", metavar="{s,S,b,l,B,L}", help="select character size and endianness"),
        flag("-f", "--print-file-name", help="print the name of the file before each string"),
        value(
            "-n", "--bytes", metavar="NUMBER", help="locate any sequence of at least NUMBER displayable characters (default 4)"
        ),
        flag("-o", help="an alias for --radix=o"),
        value("-s", "--output-separator", metavar="STRING", help="string used to separate strings in output"),
        value("-t", "--radix", metavar="{o,d,x}", help="print the location of the string in base 8, 10 or 16"),
        value("-T", "--target", metavar="BFDNAME", help="(ignored: nothing here reads object files)"),
        value("-U", "--unicode", metavar="{d,l,i,x,e,h}", help="how to treat UTF-8 encoded characters"),
        flag("-w", "--include-all-whitespace", help="include all whitespace as valid string characters"),
        help_flag("-h"),
        version_flag("-v", "-V"),
    ),
    model="GNU Binutils 2.40",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print; 1 when a file cannot be read."""
    shortest = arguments.get("n", "4") or ""
    if not is_count(shortest):
        raise UsageError(f"invalid integer argument {shortest}", hint=False)
    if not 0 < clamped(shortest) <= 65535:
        raise UsageError(f"invalid minimum string length {shortest}", hint=False)
    radix = "o" if arguments.last("o", "t") == "o" else arguments.get("t")
    if radix is not None and radix not in _RADIX:
        raise UsageError(f"invalid radix {mention(radix)}", hint=False)
    encoding, unicode = arguments.get("e") or "s", arguments.get("U") or "d"
    unicode = _WORDS.get(unicode, unicode)
    if encoding not in _WIDE:
        raise UsageError(f"invalid argument to -e/--encoding: {encoding}", hint=False)
    if unicode not in _UNICODE:
        raise UsageError(f"invalid argument to -U/--unicode: {unicode}", hint=False)
    pattern = _pattern(arguments, encoding, unicode, clamped(shortest))
    drop = {"b": slice(1, None, 2), "l": slice(0, None, 2), "B": slice(3, None, 4), "L": slice(0, None, 4)}.get(
        encoding, slice(None)
    )
    allowed = _allowed(arguments, encoding) if unicode in "di" and encoding in "sS" else b""
    separator = (arguments.get("s") or "\n").encode("utf-8", "surrogateescape")
    status = 0
    for name in arguments.operands or ["-"]:
        label = f"{'{standard input}' if name == '-' else name}: ".encode("utf-8", "surrogateescape") if "f" in arguments else b""

        def show(base: int, data: bytes, label: bytes = label) -> None:
            process.budget.tick(len(data) >> 6)
            for match in _matches(pattern, data, _WIDEST * clamped(shortest)):
                process.budget.tick(2)
                if match[1] is not None:
                    where = format(base + match.start(), _RADIX[radix]).encode() + b" " if radix else b""
                    shown = match[1][drop]
                    if unicode not in _AS_THEY_ARE:
                        shown = _UTF8.sub(_UNICODE[unicode], shown)
                    process.stdout.write(label + where + shown + separator)

        with freed(process):
            try:
                for base, data in _parts(process, name, allowed):
                    show(base, data)
            except OSError as error:
                reason = {errno.ENOENT: ": No such file", errno.EISDIR: " is a directory"}
                warning = "Warning: " if error.errno == errno.EISDIR else ""
                known = error.errno in reason
                process.warn(f"{warning}'{name}'{reason[error.errno or 0]}" if known else f"{name}: {error.strerror}")
                status = 1
    return status


def _parts(process: Process, name: str, allowed: bytes) -> Iterator[tuple[int, bytes]]:
    """Parts of a file and where each begins: none ends within a run of ``allowed`` bytes; without those the file is one part."""
    stream = process.open(name)
    try:
        if not allowed:
            yield 0, slurp(process, stream)
            return
        base = size = 0
        pending: list[bytes] = []
        for block in stream.blocks():
            process.hold(len(block))
            process.budget.tick(len(block) >> 8)
            size += len(block)
            process.budget.string(size)
            cut = len(block.rstrip(allowed))
            if cut:
                part = b"".join([*pending, block[:cut]])
                yield base, part
                process.hold(-len(part))
                base, size, pending = base + len(part), len(block) - cut, []
            pending.append(block[cut:])
        yield base, b"".join(pending)
    finally:
        process.close(stream)


def _matches(pattern: re.Pattern[bytes], data: bytes, least: int) -> Iterator[re.Match[bytes]]:
    """The matches of a pattern, of each of which the first ``least`` bytes match, too; others have their turn in between."""
    position = 0
    while position < len(data):
        edge = position + PIECE + least
        match = pattern.search(data, position, edge)
        if match is None:
            position += PIECE
            ask(PIECE >> 6)
            continue
        if match.end() > edge - _WIDEST:  # it may go on
            match = pattern.match(data, match.start()) or match
        yield match
        position = match.end()


def _allowed(arguments: Arguments, encoding: str) -> bytes:
    """The bytes that a string consists of."""
    spaces = b"\t\n\r\v\f" if "w" in arguments else b"\t"
    return bytes(range(0x20, 0x7F)) + spaces + (bytes(range(0x80, 0x100)) if encoding == "S" else b"")


def _pattern(arguments: Arguments, encoding: str, unicode: str, shortest: int) -> re.Pattern[bytes]:
    """The pattern of a string: characters of the encoding, with ``-U`` also multi-byte characters.

    Without its first group it is a run that is too short: where it may be long, no other match is tried inside of it.
    """
    one = _WIDE[encoding] % (b"[" + re.escape(_allowed(arguments, encoding)) + b"]")
    if unicode not in "di" and encoding in "sS":
        one = _UTF8.pattern + b"|" + one
    too_short = b"|(?>%s)++" % one if shortest > _FEW else b""
    return re.compile(b"((?>%s){%d,}+)%s" % (one, shortest, too_short))

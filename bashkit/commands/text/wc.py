"""wc: count lines, words, characters and bytes (POSIX XCU wc, GNU coreutils manual)."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING
from unicodedata import category

from bashkit.commands._filesystem.lines import Inputs, line_blocks, slurp, unreadable_list
from bashkit.commands._notation.encoding import width
from bashkit.commands._notation.locale import OCTETS, encoding
from bashkit.commands._notation.quoting import quote, quote_if_needed
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask, paced_if_many

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_ORDER = "lwmcL"
_RAW = frozenset("lc")  # what is counted without a look at characters
# iswspace of the C library in UTF-8, and what GNU wc takes for a space besides (U+00A0, U+2007, U+202F, U+2060)
_SEPARATOR = re.compile(r"[ \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u2060\u3000]+")
_AT_ONCE = 1 << 14  # characters that are split at once
_SPACES = b" \t\n\v\f\r"
_SHAPES = bytes(32 if byte in _SPACES else ord("x") for byte in range(256))  # words and what is between them
_UNKNOWN = bytes(byte if byte < 128 else 1 for byte in range(256))  # in the C locale, a byte that is not ASCII is not printable
_UNSEEN = bytes(byte for byte in range(128) if byte not in _SPACES and not chr(byte).isprintable())  # of no word


def _width(line: str) -> int:
    """The number of columns of a line; a tab goes to the next multiple of eight."""
    if line.isascii() and line.isprintable():
        return len(line)
    column = widest = 0
    for char in paced_if_many(line):
        if char == "\t":
            column += 8 - column % 8
        elif char in "\r\f":
            column = 0
        else:
            column += width(char)
        widest = max(widest, column)
    return widest


class _Counts:
    """The counts of one file, or of all."""

    def __init__(self) -> None:
        self.values = dict.fromkeys(_ORDER, 0)

    def add(self, other: _Counts) -> None:
        for key, number in other.values.items():
            self.values[key] = max(self.values[key], number) if key == "L" else self.values[key] + number

    def read(self, stream: Stream, wanted: frozenset[str], process: Process) -> None:
        counts, budget = self.values, process.budget
        if wanted <= _RAW:
            for block in stream.blocks():
                budget.tick(1 + (len(block) >> 11))
                counts["c"] += len(block)
                if "l" in wanted:
                    counts["l"] += block.count(b"\n")
            return
        octets = encoding(process.env) == OCTETS
        if "L" in wanted:
            for block in line_blocks(stream.blocks(), budget):
                block = block.translate(_UNKNOWN) if octets else block
                self._block(block, wanted, final=True)
                budget.tick(len(block) >> 3)
                counts["L"] = max(counts["L"], *map(_width, block.decode("utf-8", "ignore").split("\n")))
            return
        in_word = False
        decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        for block in stream.blocks():
            budget.tick(1 + (len(block) >> 7))
            counts["c"] += len(block)
            counts["l"] += block.count(b"\n")
            block = block.translate(_UNKNOWN) if octets else block
            if block.isascii():
                decoder.reset()  # what was begun before is no character
                counts["m"] += len(block)
                shape = block.translate(_SHAPES, _UNSEEN) if "w" in wanted else b""
                if shape:
                    counts["w"] += shape.count(b" x") + (not in_word and shape[0] != 32)
                    in_word = shape[-1] != 32
                continue
            text = decoder.decode(block)
            counts["m"] += len(text)
            if "w" in wanted:
                words, in_word = _words(text, in_word)
                counts["w"] += words

    def _block(self, block: bytes, wanted: frozenset[str], *, final: bool) -> None:
        text = codecs.decode(block, "utf-8", "ignore") if final else ""
        self.values["c"] += len(block)
        self.values["l"] += block.count(b"\n")
        self.values["m"] += len(text)
        if "w" in wanted:
            self.values["w"] += _words(text, False)[0]


def _is_printable(char: str) -> bool:
    """Whether a word may consist of a character: for the C library, what formats text and what is private is printable, too."""
    return char.isprintable() or category(char) in {"Cf", "Co"}


def _words(text: str, in_word: bool) -> tuple[int, bool]:
    """How many words begin in a text, and whether one goes on behind it. A word has a printable character.

    Args:
        text: The text.
        in_word: A word goes on at its beginning.
    """
    count = 0
    for start in range(0, len(text), _AT_ONCE):
        pieces = _SEPARATOR.split(text[start : start + _AT_ONCE])
        words = [(piece.isprintable() and piece != "") or any(map(_is_printable, piece)) for piece in pieces]
        count += sum(words) - (in_word and words[0])
        in_word = words[-1] or (in_word and len(pieces) == 1)
        ask(_AT_ONCE >> 4)
    return count, in_word


def _column_width(process: Process, names: list[str], wanted: frozenset[str], *, unforeseen: bool) -> int:
    """The width of the numbers: that of the files' sizes, 7 if a size is not known before, 1 if the names are ``unforeseen``."""
    if unforeseen or (len(names) == 1 and len(wanted) == 1):
        return 1
    total, least = 0, 1
    for name in names:
        if name == "-":
            stream = process.stdin
            if isinstance(stream, FileStream):
                total += stream.size()
            else:
                least = 7
            continue
        try:
            stat = process.fs.stat(process.path(name))
        except OSError:
            continue
        total += stat.size if stat.type == "file" else 0
        least = least if stat.type == "file" else 7
    return max(least, len(str(total)))


def _wanted(arguments: Arguments) -> frozenset[str]:
    """What is counted."""
    return frozenset(key for key in _ORDER if key in arguments) or frozenset("lwc")


def _names(process: Process, arguments: Arguments) -> tuple[list[str], bool]:
    """The names of the files, and whether they come from a pipe, so that all of them are not known at the beginning."""
    listed = arguments.get("files0-from")
    if listed is None:
        return arguments.operands, False
    if arguments.operands:
        raise UsageError(f"extra operand '{arguments.operands[0]}'\nfile operands cannot be combined with --files0-from")
    try:
        stream = process.open(listed)
        data = slurp(process, stream).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise unreadable_list(listed, error) from None
    return data.removesuffix("\0").split("\0") if data else [], not isinstance(stream, FileStream)


def _refuse(process: Process, name: str, number: int, listed: str | None) -> bool:
    """Report a name that cannot be one of a file."""
    if not name:
        place = f"{quote_if_needed(listed)}:{number}: " if listed is not None else ""
        process.warn(f"{place}invalid zero-length file name")
        return True
    if name == listed == "-":
        process.warn("when reading file names from stdin, no file name of '-' allowed")
        return True
    return False


@command(
    "wc",
    usage="[OPTION]... [FILE]...",
    summary="Print newline, word, and byte counts for each FILE, and a total line if more than one is given.",
    options=(
        flag("-c", "--bytes", help="print the byte counts"),
        flag("-m", "--chars", help="print the character counts"),
        flag("-l", "--lines", help="print the newline counts"),
        value("--files0-from", metavar="F", help="read names of files, each ended by NUL, from F"),
        flag("-L", "--max-line-length", help="print the maximum display width"),
        flag("-w", "--words", help="print the word counts"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the counts of each file and their total."""
    wanted = arguments.once(_wanted)
    names, unforeseen = _names(process, arguments)
    listed = arguments.get("files0-from")
    width = _column_width(process, names or ["-"], wanted, unforeseen=unforeseen)
    inputs = Inputs(process, names, standard_input="standard input")
    total = _Counts()
    refused = False

    def show(counts: _Counts, name: str) -> None:
        numbers = " ".join(f"{counts.values[key]:>{width}}" for key in _ORDER if key in wanted)
        shown = quote(name) if "\n" in name else name
        process.write(f"{numbers} {shown}\n" if name else f"{numbers}\n")

    for number, name in enumerate(names or ["-"] * (listed is None), 1):
        if _refuse(process, name, number, listed):
            refused = True
            continue
        stream = inputs.open(name)
        counts = _Counts()
        if stream is not None:
            counts.read(stream, wanted, process)
            process.close(stream)
        elif name != "-" and not (process.fs.is_directory(process.path(name)) and process.fs.access(process.path(name), "r")):
            continue
        if len(names) > 1:
            total.add(counts)
        show(counts, name if names else "")
    if len(names) > 1:
        show(total, "total")
    return int(inputs.failed or refused)

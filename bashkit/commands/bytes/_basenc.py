"""Encodes bytes as base64 and base32 text, and decodes it (RFC 4648; GNU coreutils manual, base64)."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import open_only, slurp
from bashkit.commands._notation.counts import MOST, clamped, is_count
from bashkit.commands._notation.quoting import mention
from bashkit.interp.runtime.pieces import PIECE
from bashkit.interp.utility.command import Arguments, UsageError, flag, value
from bashkit.limits import ask, paced, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

OPTIONS = (
    flag("-d", "--decode", help="decode data"),
    flag("-i", "--ignore-garbage", help="when decoding, ignore non-alphabet characters"),
    value("-w", "--wrap", metavar="COLS", help="wrap encoded lines after COLS character (default 76); 0 disables wrapping"),
)


class EncodingError(Exception):
    """Input that an encoding does not allow."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding.

    Attributes:
        alphabet: Its characters.
        plain: Bytes of a group.
        coded: Characters of an encoded group.
        bodies: The allowed numbers of characters before the padding of a group.
        encode: Encodes bytes as padded characters.
        decode: Decodes padded characters to bytes.
        aliases: What other characters are taken for when they are decoded, as a table for translate; or nothing.
    """

    alphabet: bytes
    plain: int
    coded: int
    bodies: frozenset[int]
    encode: Callable[[bytes], bytes]
    decode: Callable[[bytes], bytes]
    aliases: bytes = b""


BASE64 = Encoding(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    3,
    4,
    frozenset({2, 3, 4}),
    base64.b64encode,
    binascii.a2b_base64,
)
BASE32 = Encoding(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 8, frozenset({2, 4, 5, 7, 8}), base64.b32encode, base64.b32decode)


def run(process: Process, arguments: Arguments, encoding: Encoding) -> int:
    """Encode or decode the operand; 1 for invalid input.

    Args:
        process: The utility.
        arguments: Parsed with OPTIONS.
        encoding: The encoding.
    """
    wrap = "76"
    for wrap in arguments.all("w"):
        if not is_count(wrap):
            raise UsageError(f"invalid wrap size: {mention(wrap)}", hint=False)
    if len(arguments.operands) > 1:
        raise UsageError(f"extra operand {mention(arguments.operands[1])}")
    file = arguments.operands[0] if arguments.operands else "-"
    try:
        if "d" in arguments:
            return _decode(process, file, encoding, garbage="i" in arguments)
        return _encode(process, file, encoding, clamped(wrap) % MOST)  # no line is as long as that
    except EncodingError as error:
        process.warn(str(error))
        return 1


def _encode(process: Process, file: str, encoding: Encoding, wrap: int) -> int:
    held, column = b"", 0  # the last block is encoded with its end, which the encoding may refuse
    for block in open_only(process, file).blocks():
        process.budget.tick(len(block) >> 8)
        whole = len(held) - len(held) % encoding.plain
        column = _write(process, encoding.encode(held[:whole]), wrap, column)
        held = held[whole:] + block
    column = _write(process, encoding.encode(held), wrap, column)
    if wrap and column:
        process.stdout.write(b"\n")
    return 0


def _write(process: Process, text: bytes, wrap: int, column: int) -> int:
    """Write text in lines of ``wrap`` characters and return the column reached."""
    if not text:
        return column
    if not wrap:
        process.stdout.write(text)
        return 0
    pieces = [text[: wrap - column]]
    pieces.extend(text[start : start + wrap] for start in range(wrap - column, len(text), wrap))
    process.budget.tick(len(pieces) >> 2)
    process.stdout.write(b"\n".join(pieces))
    last = len(pieces[-1]) + (column if len(pieces) == 1 else 0)
    if last == wrap:
        process.stdout.write(b"\n")
        return 0
    return last


def _decode(process: Process, file: str, encoding: Encoding, *, garbage: bool) -> int:
    data = slurp(process, open_only(process, file))
    process.budget.string(len(data))
    process.budget.tick(len(data) >> 7)
    unwanted = bytes(set(range(256)) - set(encoding.alphabet) - {ord("=")}) if garbage else b"\n"
    text = data.translate(encoding.aliases or None, unwanted)
    good = _valid_length(text, encoding)
    process.stdout.write(_decoded(text[:good], encoding))
    if good < len(text) or good % encoding.coded:
        process.warn("invalid input")
        return 1
    return 0


def _valid_length(text: bytes, encoding: Encoding) -> int:
    """The length of the complete groups in ``text``; a group may end with padding, after which another text may follow."""
    position = _whole_groups(text, encoding)
    while position < len(text):
        turn()
        group = text[position : position + encoding.coded]
        body = group.rstrip(b"=")
        if len(group) < encoding.coded or body.translate(None, encoding.alphabet) or len(body) not in encoding.bodies:
            return position + _partial(body, encoding, whole=len(group) == encoding.coded)
        position += encoding.coded
    return position


def _whole_groups(text: bytes, encoding: Encoding) -> int:
    """The length of the groups at the beginning of ``text`` in which there is neither padding nor anything else."""
    return (len(text) - len(text.lstrip(encoding.alphabet))) // encoding.coded * encoding.coded


def _partial(body: bytes, encoding: Encoding, *, whole: bool) -> int:
    """The characters at the beginning of a wrong group that still make whole bytes.

    Args:
        body: The group without its padding.
        encoding: Its encoding.
        whole: Whether the group has as many characters as it should; of one that is too short only base64 takes a part.
    """
    good = len(body) - len(body.lstrip(encoding.alphabet))
    return max((length for length in encoding.bodies if length <= good), default=0) if whole or 3 in encoding.bodies else 0


def _decoded(text: bytes, encoding: Encoding) -> bytes:
    size = encoding.coded
    whole = _whole_groups(text, encoding)
    step = PIECE // size * size
    pieces: list[bytes] = []
    for start in range(0, whole, step):
        pieces.append(encoding.decode(text[start : min(start + step, whole)]))
        ask(PIECE >> 3)
    for start in paced(range(whole, len(text), size), 2):
        group = text[start : start + size].rstrip(b"=")
        count = len(group) * (encoding.plain * 8 // size) // 8
        padded = group + encoding.alphabet[:1] * (size - len(group))
        pieces.append(encoding.decode(padded)[:count])
    return b"".join(pieces)

"""basenc: encode or decode in one of several encodings (GNU coreutils manual, basenc)."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from bashkit.commands.bytes._basenc import BASE32, BASE64, OPTIONS, Encoding, EncodingError, run
from bashkit.interp.utility.command import Arguments, UsageError, command, flag
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_HEX32 = b"0123456789ABCDEFGHIJKLMNOPQRSTUV"
_TO_HEX32 = bytes.maketrans(BASE32.alphabet, _HEX32)
_FROM_HEX32 = bytes.maketrans(_HEX32, BASE32.alphabet)
_URL_ALPHABET = BASE64.alphabet[:62] + b"-_"
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def _z85_encode(data: bytes) -> bytes:
    if len(data) % 4:
        raise EncodingError("invalid input (length must be multiple of 4 characters)")
    text = bytearray()
    for start in paced(range(0, len(data), 4), 3):
        number = int.from_bytes(data[start : start + 4])
        text += bytes(_Z85[number // 85**power % 85] for power in (4, 3, 2, 1, 0))
    return bytes(text)


def _z85_decode(text: bytes) -> bytes:
    data = bytearray()
    for start in paced(range(0, len(text), 5), 2):
        number = 0
        for byte in text[start : start + 5]:
            number = number * 85 + _Z85.index(byte)
        if number >> 32:
            raise EncodingError("invalid input")
        data += number.to_bytes(4)
    return bytes(data)


def _bits(data: bytes) -> bytes:
    return bin(int.from_bytes(b"\1" + data))[3:].encode() if data else b""


def _from_bits(text: bytes) -> bytes:
    return int(text, 2).to_bytes(len(text) // 8) if text else b""


def _mirrored(function: Callable[[bytes], bytes], *, after: bool) -> Callable[[bytes], bytes]:
    if after:
        return lambda text: function(text).translate(_MIRRORED)
    return lambda data: function(data.translate(_MIRRORED))


_ONE = frozenset({8})
_ENCODINGS = {
    "base64": BASE64,
    "base64url": Encoding(_URL_ALPHABET, 3, 4, BASE64.bodies, base64.urlsafe_b64encode, base64.urlsafe_b64decode),
    "base32": BASE32,
    "base32hex": Encoding(
        _HEX32,
        5,
        8,
        BASE32.bodies,
        lambda data: BASE32.encode(data).translate(_TO_HEX32),
        lambda text: BASE32.decode(text.translate(_FROM_HEX32)),
        bytes.maketrans(b"WXYZ", b"MNOP"),  # these stand for what they do in base32
    ),
    "base16": Encoding(
        b"0123456789ABCDEF", 1, 2, frozenset({2}), lambda data: binascii.hexlify(data).upper(), binascii.unhexlify
    ),
    "base2msbf": Encoding(b"01", 1, 8, _ONE, _bits, _from_bits),
    "base2lsbf": Encoding(b"01", 1, 8, _ONE, _mirrored(_bits, after=False), _mirrored(_from_bits, after=True)),
    "z85": Encoding(_Z85, 4, 5, frozenset({5}), _z85_encode, _z85_decode),
}


@command(
    "basenc",
    usage="[OPTION]... [FILE]",
    summary="Encode or decode FILE, or standard input, to standard output, in the encoding that an option names.",
    options=(*(flag(f"--{name}", help=f"use the encoding {name}") for name in _ENCODINGS), *OPTIONS),
)
def main(process: Process, arguments: Arguments) -> int:
    """Encode or decode; 1 for input that is no such text."""
    name = arguments.last(*_ENCODINGS)
    if name is None:
        raise UsageError("missing encoding type")
    return run(process, arguments, _ENCODINGS[name])

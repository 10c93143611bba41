"""cksum: print CRC checksum and byte counts, or message digests (POSIX XCU cksum; GNU coreutils manual, cksum)."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import MOST, clamped, is_count
from bashkit.commands._notation.quoting import mention, quote_if_needed
from bashkit.commands.bytes import _digests
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_ALGORITHMS = {
    "md5": _digests.Algorithm("MD5", "md5", 128),
    "sha1": _digests.Algorithm("SHA1", "sha1", 160),
    "sha224": _digests.Algorithm("SHA224", "sha224", 224),
    "sha256": _digests.Algorithm("SHA256", "sha256", 256),
    "sha384": _digests.Algorithm("SHA384", "sha384", 384),
    "sha512": _digests.Algorithm("SHA512", "sha512", 512),
    "blake2b": _digests.Algorithm("BLAKE2b", "blake2b", 512),
    "sm3": _digests.Algorithm("SM3", "sm3", 256),
}
if "sm3" not in hashlib.algorithms_available:  # a build of OpenSSL may leave it out
    del _ALGORITHMS["sm3"]
_NAMES = tuple((name,) for name in ("bsd", "sysv", "crc", *_ALGORITHMS))


def _check_length(text: str) -> None:
    if not is_count(text):
        raise UsageError(f"invalid length: {mention(text)}", hint=False)
    if clamped(text) == MOST:
        raise UsageError(f"invalid length: {mention(text)}: Value too large for defined data type", hint=False)


@command(
    "cksum",
    usage="[OPTION]... [FILE]...",
    summary="Print or verify checksums; by default use the 32 bit CRC algorithm.",
    options=(
        value(
            "-a",
            "--algorithm",
            metavar="TYPE",
            help="bsd, sysv, crc, md5, sha1, sha224, sha256, sha384, sha512, blake2b or sm3",
            check=lambda word: choose("--algorithm", word, _NAMES, exact=True),
        ),
        value(
            "-l", "--length", metavar="BITS", help="digest length in bits, for blake2b only; a multiple of 8", check=_check_length
        ),
        flag("--debug", help="(ignored: there is one implementation to name)"),
        flag("--untagged", help="create a reversed style checksum, without digest type"),
        *_digests.OPTIONS,
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print a line for each file; 1 when one cannot be read."""
    for text in arguments.all("l"):
        if clamped(text) % 8:
            raise UsageError(f"invalid length: {mention(text)}\n{process.name}: length is not a multiple of 8", hint=False)
    name = arguments.get("a") or "crc"
    algorithm = _shortened(process, arguments, name)
    _digests.refuse_without_check(arguments)
    if "c" in arguments and "z" in arguments:
        raise UsageError("the --zero option is not supported when verifying checksums")
    if "c" in arguments and "a" not in arguments:
        return _digests.check(process, arguments, tuple(_ALGORITHMS.values()))
    if algorithm is not None:
        return _digests.run(process, arguments, algorithm, tagged=arguments.last("untagged", "tag") != "untagged")
    if "c" in arguments:
        raise UsageError("--check is not supported with --algorithm={bsd,sysv,crc}", hint=False)
    sums = {"crc": _crc, "bsd": bsd, "sysv": sysv}
    return print_sums(process, arguments.operands, sums[name], "\0" if "z" in arguments else "\n")


def print_sums(process: Process, operands: list[str], of: Callable[[Process, str], str], end: str = "\n") -> int:
    """Print the sum of each file, and its name where names are given; 1 when one cannot be read."""
    status = 0
    files: list[str | None] = [*operands] or [None]
    for file in files:
        try:
            line = of(process, "-" if file is None else file)
        except OSError as error:
            process.warn(f"{quote_if_needed('-' if file is None else file)}: {error.strerror}")
            status = 1
            continue
        process.write(line + (f" {file}" if file is not None else "") + end)
    return status


def _shortened(process: Process, arguments: Arguments, name: str) -> _digests.Algorithm | None:
    """The digest ``name`` with the length of ``-l``; None for a checksum."""
    text = arguments.get("l")
    if text is None:
        return _ALGORITHMS.get(name)
    bits = clamped(text)
    if name != "blake2b":
        if bits:
            raise UsageError("--length is only supported with --algorithm=blake2b", hint=False)
        return _ALGORITHMS.get(name)
    if bits > 512:
        raise UsageError(
            f"invalid length: {mention(text)}\n{process.name}: maximum digest length for {mention('BLAKE2b')} is 512 bits",
            hint=False,
        )
    return _digests.Algorithm("BLAKE2b" if bits in {0, 512} else f"BLAKE2b-{bits}", "blake2b", bits or 512)


def _crc(process: Process, file: str) -> str:
    """The CRC of POSIX XCU cksum, and the size. It is zlib's CRC-32 with the bits of every byte and of the result reversed, and
    the size appended.
    """
    state, size = 0, 0
    for block in process.open(file).blocks():
        process.budget.tick(len(block) >> 9)
        state = _update(state, block)
        size += len(block)
    length = size.to_bytes((size.bit_length() + 7) // 8, "little")
    mirrored = _update(state, length)
    return f"{int(f'{mirrored:032b}'[::-1], 2) ^ 0xFFFFFFFF} {size}"


def _update(state: int, data: bytes) -> int:
    # zlib complements before and after, which this CRC does not.
    return zlib.crc32(data.translate(_MIRRORED), state ^ 0xFFFFFFFF) ^ 0xFFFFFFFF


def bsd(process: Process, file: str) -> str:
    """The rotating 16-bit checksum and the count of 1024-byte blocks."""
    total, size = 0, 0
    for block in process.open(file).blocks():
        process.budget.tick(len(block) // 8)
        size += len(block)
        for byte in block:
            total = ((total >> 1) + ((total & 1) << 15) + byte) & 0xFFFF
    return f"{total:05} {-(-size // 1024):5}"


def sysv(process: Process, file: str) -> str:
    """The folded sum of all bytes and the count of 512-byte blocks."""
    total, size = 0, 0
    for block in process.open(file).blocks():
        process.budget.tick(len(block) >> 7)
        size += len(block)
        total += sum(block)
    total &= 0xFFFFFFFF
    folded = (total & 0xFFFF) + (total >> 16)
    return f"{(folded & 0xFFFF) + (folded >> 16)} {-(-size // 512)}"

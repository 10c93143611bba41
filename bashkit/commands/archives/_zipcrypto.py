"""Encrypts members of zip archives in the traditional way, which is weak (PKWARE APPNOTE.TXT, 6.1)."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from bashkit.limits import Budget

_HEADER = 12  # bytes before the content, of which the last one shows whether a password is right
_KEYS = (0x12345678, 0x23456789, 0x34567890)
_BLOCK = 1 << 12
_WORD = 0xFFFFFFFF


def _table() -> tuple[int, ...]:
    """The remainders of single bytes, by which CRC-32 goes on."""
    return tuple(zlib.crc32(bytes([byte]), _WORD) ^ _WORD for byte in range(256))


_REMAINDERS = _table()


def encrypted(data: bytes, password: bytes, checksum: int, random: Random, budget: Budget) -> bytes:
    """Encrypt the compressed content of a member.

    Args:
        data: The content.
        password: The password.
        checksum: The CRC-32 of the plain content.
        random: For the header.
        budget: Charged for time.
    """
    first, second, third = _KEYS
    plain = bytearray(password) + random.randbytes(_HEADER - 1) + bytes([checksum >> 24]) + data
    result = bytearray(len(plain))
    for index, byte in enumerate(plain):
        if index % _BLOCK == 0:
            budget.tick(_BLOCK)
        mask = third | 2
        result[index] = byte ^ (mask * (mask ^ 1) >> 8 & 0xFF)
        first = first >> 8 ^ _REMAINDERS[(first ^ byte) & 0xFF]
        second = ((second + (first & 0xFF)) * 134775813 + 1) & _WORD
        third = third >> 8 ^ _REMAINDERS[(third ^ second >> 24) & 0xFF]
    return bytes(result[len(password) :])

"""The order in which ``for (… in array)`` goes through an array: POSIX leaves it open, here it is gawk's."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bashkit.limits import paced_if_many, sorted_in_runs

if TYPE_CHECKING:
    from bashkit.commands.patterns.awk.run.values import Array

_LONGEST_INTEGER: Final = 16  # maximum digits of a subscript that counts as a number
_SIZES: Final = (13, 127, 1021, 8191, 16381, 32749, 65497, 131101, 262147)  # of the hash table, as it grows
_FULL: Final = 3  # subscripts for each bucket with which it does
_WORD: Final = 0xFFFFFFFF
_SHORT: Final = 32  # characters of subscripts whose hash is remembered: loops often go through the same array


def natural(array: Array) -> list[str]:
    """The subscripts in the order of ``for``: strings as a hash table has them, then integers from the lowest to the highest.

    Where the first one is no integer, none counts as one.
    """
    words: list[str] = []
    numbers: list[int] = []
    for key in paced_if_many(list(array)):
        if key.isdecimal() and key.isascii() and (key[0] != "0" or key == "0") and len(key) < _LONGEST_INTEGER:
            numbers.append(int(key))
        elif numbers:
            words.append(key)
        else:  # the first one
            return _hashed(list(array))
    return [*_hashed(words), *map(str, sorted_in_runs(numbers))]


def _hashed(keys: list[str]) -> list[str]:
    """Strings as a hash table lists them that they were put into: by bucket, newest first within one."""
    hashes = {key: _known_hash(key) if len(key) < _SHORT else _hash(key) for key in paced_if_many(keys)}

    def listed(some: list[str], size: int) -> list[str]:
        return sorted_in_runs(some[::-1], key=lambda key: hashes[key] % size)

    for size, _ in pairwise(_SIZES):
        most = _FULL * size - 1
        if len(keys) <= most:
            return listed(keys, size)
        keys[:most] = listed(keys[:most], size)  # the table grows
    return listed(keys, _SIZES[-1])


def _hash(key: str) -> int:
    """The hash function of sdbm, of signed bytes."""
    value = 0
    for byte in paced_if_many(key.encode("utf-8", "surrogateescape")):
        value = value * 65599 + (byte if byte < 0x80 else byte - 0x100) & _WORD
    return value


_known_hash = lru_cache(maxsize=4096)(_hash)

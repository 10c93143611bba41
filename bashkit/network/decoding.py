"""Decodes the content of HTTP answers in small pieces, so that one which grows a thousandfold can be refused in time."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

ACCEPTED = "gzip, deflate"
PIECE = 1 << 16  # bytes of the longest piece


class Decoder(Protocol):
    """Decodes a body block by block."""

    def pieces(self, block: bytes) -> Iterator[bytes]:
        """What the next block adds, in pieces of at most PIECE bytes.

        Raises:
            zlib.error: It is damaged.
        """
        ...


def decoder_of(encoding: str) -> Decoder:
    """The decoder for a ``Content-Encoding``; what has another encoding, or several, is left as it is."""
    name = encoding.strip().lower()
    return _Deflated(name) if name in {"gzip", "x-gzip", "deflate"} else _Plain()


class _Plain:
    """Leaves blocks as they are."""

    def pieces(self, block: bytes) -> Iterator[bytes]:
        """The block in pieces."""
        for start in range(0, len(block), PIECE):
            yield block[start : start + PIECE]


class _Deflated:
    """Expands ``gzip`` and ``deflate``, the latter with or without the header of RFC 1950, as servers send both."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._inner: zlib._Decompress | None = None

    def pieces(self, block: bytes) -> Iterator[bytes]:
        """What the block expands to; bytes after the end are ignored."""
        if not block:
            return
        inner = self._inner
        if inner is None:
            headed = block[0] & 15 == 8 and (len(block) < 2 or not (block[0] << 8 | block[1]) % 31)
            wbits = zlib.MAX_WBITS | 16 if self._encoding != "deflate" else zlib.MAX_WBITS if headed else -zlib.MAX_WBITS
            inner = self._inner = zlib.decompressobj(wbits)
        piece = inner.decompress(block, PIECE)
        while piece:
            yield piece
            piece = inner.decompress(inner.unconsumed_tail, PIECE)

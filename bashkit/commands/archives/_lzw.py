"""Expands what compress(1) has compressed: codes of 9 to 16 bits for strings that came before (LZW; ncompress manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.limits import Budget

_HEADER = 3
_WIDTH, _CLEAR = 0x1F, 0x80  # of the third byte: the greatest width of a code, and whether a code clears the table
_LEAST, _MOST = 9, 16  # bits of a code
_LETTERS = 256


class LzwError(Exception):
    """The data is damaged; the message is gzip's."""


def expand_lzw(data: bytes, budget: Budget) -> bytes:
    """Expand a whole ``.Z`` file.

    Args:
        data: The file, with its header.
        budget: Charged as the result grows.

    Raises:
        LzwError: The data is damaged.
    """
    if len(data) < _HEADER:
        raise LzwError("unexpected end of file")
    most = data[2] & _WIDTH
    if most > _MOST:
        raise LzwError(f"compressed with {most} bits, can only handle {_MOST} bits")
    if most < _LEAST:
        raise LzwError("corrupt input.")
    table = _Table(most, clears=bool(data[2] & _CLEAR))
    position = _HEADER
    while position < len(data):
        group = data[position : position + table.width]  # eight codes; when the width changes, the rest of one is padding
        position += len(group)
        table.take(group)
        budget.string(len(table.output))
        budget.tick(4 + (len(table.output) >> 16))
    return bytes(table.output)


class _Table:
    """The strings that have codes, each a part of the output.

    Attributes:
        output: What has been expanded.
        width: Bits of the next code.
    """

    def __init__(self, most: int, *, clears: bool) -> None:
        self.output = bytearray()
        self.width = _LEAST
        self._most = most
        self._clear = _LETTERS if clears else -1
        self._first = _LETTERS + clears
        self._parts: list[tuple[int, int]] = []  # where the string of each code begins and ends
        self._previous = -1  # where the string of the last code begins

    def take(self, group: bytes) -> None:
        """Expand the codes of a group, up to a change of their width.

        Raises:
            LzwError: There is no such code.
        """
        value = int.from_bytes(group, "little")
        mask = (1 << self.width) - 1
        for _ in range(len(group) * 8 // self.width):
            code = value & mask
            value >>= self.width
            if code == self._clear:
                self._parts.clear()
                self.width, self._previous = _LEAST, -1
                return
            self._append(code)
            if self._first + len(self._parts) > mask and self.width < self._most:
                self.width += 1
                return

    def _append(self, code: int) -> None:
        at = len(self.output)
        if self._previous >= 0 and self._first + len(self._parts) < 1 << self._most:
            self._parts.append((self._previous, at + 1))
        if code < _LETTERS:
            self.output.append(code)
        else:
            index = code - self._first
            if not 0 <= index < len(self._parts):
                raise LzwError("corrupt input.")
            start, end = self._parts[index]
            self.output += self.output[start:end]
            if end > at:  # the string ends with its own first byte
                self.output.append(self.output[start])
        self._previous = at

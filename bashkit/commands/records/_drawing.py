"""Random choices from the bytes of a file (GNU coreutils manual, Random sources)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.fs import Stream


class ByteDraws:
    """Draws numbers from bytes, without bias and with as few bytes as that takes.

    What is left of the bytes after a choice goes into the next: at every moment ``_value`` is a random number of 0 to ``_most``.

    Args:
        name: The file, for the message when it has no more bytes.
        stream: Its content.
    """

    def __init__(self, name: str, stream: Stream) -> None:
        self._name = name
        self._stream = stream
        self._block = b""
        self._at = 0
        self._value = self._most = 0

    def randrange(self, stop: int) -> int:
        """A number below ``stop``.

        Raises:
            UsageError: There are no more bytes.
        """
        value, most = self._value, self._most
        while True:
            while most < stop - 1:
                value, most = value << 8 | self._byte(), most << 8 | 255
            if most == stop - 1:
                self._value = self._most = 0
                return value
            beyond = (most - stop + 1) % stop  # so many values at the end would favour the lowest numbers
            rest, chosen = divmod(value, stop)
            if value <= most - beyond:
                self._value, self._most = rest, (most - stop + 1) // stop
                return chosen
            value, most = chosen, beyond - 1

    def _byte(self) -> int:
        if self._at == len(self._block):
            self._block, self._at = self._stream.read(), 0
            if not self._block:
                raise UsageError(f"{mention(self._name)}: end of file", hint=False)
        self._at += 1
        return self._block[self._at - 1]

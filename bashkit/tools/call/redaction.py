"""Removes secrets, and details of the host in exception texts, from everything that scripts see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_MASK = "***"
_CREDENTIALS = re.compile(r"(?<=://)[^\s/@]+:[^\s/@]*(?=@)")
_PATH = re.compile(r"(?<![\w:/.])(?:/[\w.+@~-]+){2,}/?|\b[A-Za-z]:\\[^\s'\"]+|~/[^\s'\"]+")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
_LONGEST = 500  # maximum characters of a message
_READ = 4 * _LONGEST  # maximum characters that are examined


class Secrets:
    """Masks the values of secrets in outputs. It prevents accidents (a callback that prints its configuration), but cannot stop a
    callback that encodes a secret on purpose.

    Args:
        values: The secrets; empty ones are ignored.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = sorted({value for value in values if value}, key=len, reverse=True)

    def text(self, text: str) -> str:
        """Replace every secret in ``text`` by ``***``."""
        for value in self._values:
            text = text.replace(value, _MASK)
        return text

    def bytes(self, data: bytes) -> bytes:
        """Replace every secret in ``data`` by ``***``."""
        for value in self._values:
            data = data.replace(value.encode("utf-8", "surrogateescape"), _MASK.encode())
        return data

    def data(self, value: Any) -> Any:
        """Replace every secret in the texts of a JSON value."""
        if not self._values:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self.data(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.data(inner) for inner in value]
        return value


def sanitized(error: BaseException) -> str:
    """Describe an exception on one line, without host paths, credentials in URLs and object addresses."""
    text = next(iter(str(error)[:_READ].strip().splitlines()), "")
    text = _CREDENTIALS.sub(_MASK, text)
    text = _ADDRESS.sub("0x…", _PATH.sub("<path>", text))
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "…"
    if not text:
        return type(error).__name__
    return f"{type(error).__name__}: {text}" if isinstance(error, (LookupError, AttributeError, TypeError)) else text

"""Measures texts in characters and, if they can be counted, in tokens."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ENCODING = "o200k_base"
_DATA = f"https://openaipublic.blob.core.windows.net/encodings/{ENCODING}.tiktoken"  # tiktoken names its local copy by this URL


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a text.

    Attributes:
        characters: Unicode characters.
        tokens: Tokens in ``ENCODING``, or None if they cannot be counted.
    """

    characters: int
    tokens: int | None = None


def size_of(text: str) -> Size:
    """Measure a text; tokens are counted if ``tiktoken`` is installed and has its data, which is never downloaded."""
    count = _counter()
    return Size(len(text), None if count is None else count(text))


def describe(before: str | None, after: str | None, budget: int | None = None) -> str:
    """Describe both sizes, their difference and the share of the budget: ``612 → 655 characters (+43), 11 % of 6000``.

    Args:
        before: The size of the snapshot, or None.
        after: The current size, or None.
        budget: Maximum number of characters, or None.
    """
    old, new = size_of(before or ""), size_of(after or "")
    parts = [_change(old.characters, new.characters, "characters", before, after)]
    if old.tokens is not None and new.tokens is not None:
        parts.append(_change(old.tokens, new.tokens, "tokens", before, after))
    if budget and after is not None:
        parts.append(f"{100 * new.characters / budget:.0f} % of {budget}")
    return ", ".join(parts)


def _change(old: int, new: int, unit: str, before: str | None, after: str | None) -> str:
    if before is None:
        return f"{new} {unit}"
    if after is None:
        return f"{old} {unit}"
    return f"{old} → {new} {unit} ({new - old:+d})"


@cache
def _counter() -> Callable[[str], int] | None:
    if not _data_is_here():
        return None
    try:
        from importlib import import_module

        encoding: Any = import_module("tiktoken").get_encoding(ENCODING)
    except Exception:  # not installed, or its data is damaged: only characters are counted
        return None
    return lambda text: len(encoding.encode_ordinary(text.encode("utf-8", "replace").decode("utf-8")))


def _data_is_here() -> bool:
    """Whether tiktoken would find its data in its cache folder, without the network."""
    folder = (
        os.environ.get("TIKTOKEN_CACHE_DIR")
        or os.environ.get("DATA_GYM_CACHE_DIR")
        or str(Path(tempfile.gettempdir()) / "data-gym-cache")
    )
    return (Path(folder) / hashlib.sha1(_DATA.encode(), usedforsecurity=False).hexdigest()).is_file()

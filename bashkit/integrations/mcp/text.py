"""Makes any output fit for JSON: a byte that is not UTF-8 becomes U+FFFD."""

from __future__ import annotations

import re
from typing import Any

_SURROGATES = re.compile("[\ud800-\udfff]")  # each stands for a byte that is not UTF-8


def clean(text: str) -> str:
    """``text`` with a replacement character for each byte that is not UTF-8."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def clean_all(value: Any) -> Any:
    """The same for all texts in JSON data."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): clean_all(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [clean_all(inner) for inner in value]
    return value

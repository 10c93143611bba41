"""The value of a program's last expression, as JSON."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_DEEPEST = 100  # containers within containers


def shown(value: Any, spend: Callable[[int], None]) -> str:
    """A value on one line: plain data as it is, tuples and sets as arrays, attributes of an object by name, any other as text.

    Args:
        value: It.
        spend: Called with the characters that every part may take; what is contained twice is two parts.

    Raises:
        ValueError: It is nested too deeply.
    """
    return json.dumps(_plain(value, spend, 0), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _plain(value: Any, spend: Callable[[int], None], depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError("the value is nested too deeply to be shown")
    spend(len(value) + 2 if isinstance(value, (str, bytes)) else 2)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {_key(key): _plain(one, spend, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, spend, depth + 1) for one in value]
    if isinstance(value, (set, frozenset)):
        return [_plain(one, spend, depth + 1) for one in sorted(value, key=repr)]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    attributes = getattr(value, "attributes", None)  # of an instance of a class of the program
    return _plain(attributes, spend, depth + 1) if isinstance(attributes, dict) else str(value)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    return json.dumps(key) if key is None or isinstance(key, (int, float)) else str(key)

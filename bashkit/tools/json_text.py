"""Reads and writes JSON strictly, on one line, keeping bytes that are not UTF-8."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

_SURROGATES = re.compile("[\ud800-\udfff]")  # each stands for a byte that is not UTF-8
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _made_once() -> Callable[[Any], str]:
    """A single encoder; JSONEncoder makes a new one for every value, which takes three times as long as a small value."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _ENCODER.encode
    chunks = make(None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", False, False, False)
    return lambda value: "".join(chunks(value, 0))


_COMPACT = _made_once()


def decode(text: str) -> Any:
    """Parse one JSON value (RFC 8259: no NaN, no Infinity).

    Raises:
        ValueError: The text is not JSON, nests too deeply to be read, or has an integer that is too long for Python.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        raise _plainly(error) from None


def decode_object(text: str) -> dict[str, Any] | None:
    """Parse ``text`` as a JSON object; None if it is anything else."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = decode(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def encode(value: Any, *, indent: int | None = None, sort: bool = False) -> str:
    """Write a value as JSON, on one line unless ``indent`` spaces are asked for.

    Raises:
        TypeError: The value contains a type that JSON cannot express.
        ValueError: It contains itself, is nested too deeply, or contains NaN or an infinity.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        if indent is None and not sort:
            return _COMPACT(value)
        return json.dumps(value, ensure_ascii=False, separators=separators, indent=indent, sort_keys=sort, allow_nan=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        raise _plainly(error) from None


def deeper(value: Any, levels: int) -> bool:
    """Whether arrays and objects are nested in each other more than ``levels`` deep."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            inner
            for item in layer
            if isinstance(item, (dict, list))
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, (dict, list))
        ]
        if not layer:
            return False
    return True


def clean(text: str) -> str:
    """``text`` with a replacement character for each byte that is not UTF-8, for those who encode it strictly."""
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


def _plainly(error: ValueError) -> ValueError:
    """The same without Python's own terms."""
    if "set_int_max_str_digits" in str(error):
        return ValueError(f"an integer has more than {sys.get_int_max_str_digits()} digits")
    return ValueError("NaN and infinities are not JSON") if "JSON compliant" in str(error) else error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")

"""Reads plain YAML scalars by the core schema of YAML 1.2: ``on`` is text, ``012`` is twelve, a date is text."""

from __future__ import annotations

import re
import sys
from typing import Any

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_NUMERIC = frozenset("+-.0123456789")  # the first characters of a number
_TAGS: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}
_PREFIX = "tag:yaml.org,2002:"


def plain(text: str) -> Any:
    """Return the value of a scalar that is neither quoted nor tagged (YAML 1.2.2, 10.3.2).

    Raises:
        ValueError: It is a number that JSON cannot express.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text, 10)
    if _OCTAL.fullmatch(text):
        return _integer(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return _integer(text[2:], 16)
    if _FLOAT.fullmatch(text):
        value = float(text)
        if value in {float("inf"), float("-inf")}:
            raise ValueError(f"{text} is too large a number")
        return value
    if _SPECIAL.fullmatch(text):
        raise ValueError(f"{text} is a number that JSON cannot express")
    return text


def tagged(text: str, tag: str) -> Any:
    """The value of a scalar with an explicit tag.

    Raises:
        ValueError: The tag is not one of YAML's scalar tags, or the text does not fit it.
    """
    name = tag.removeprefix(_PREFIX)
    if tag == "!" or name == "str":
        return text
    if name not in _TAGS or not tag.startswith(_PREFIX):
        raise ValueError(f"the tag {tag} is not supported")
    value = plain(text)
    if not isinstance(value, _TAGS[name]) or (isinstance(value, bool) and name != "bool"):
        raise ValueError(f"{text!r} is not of the type !!{name}")
    return value


def _integer(text: str, base: int) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise ValueError(f"the number has more than {sys.get_int_max_str_digits()} digits") from None

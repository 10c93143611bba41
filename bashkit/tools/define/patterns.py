"""The regular expressions in JSON Schemas: what is one, and its matcher."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import Any

_WRONG = (re.error, RecursionError, OverflowError)
_SETS = re.compile(r"\[\[|--|&&|\|\||~~")  # Python warns of what these could mean some day


def mistake(pattern: str) -> str:
    """Why a pattern is no regular expression, or "" if it is one."""
    if _SETS.search(pattern) is None:
        try:
            re.compile(pattern)
        except _WRONG:
            pass
        else:
            return ""  # without the import of re2
    try:
        matcher(pattern)
    except _WRONG as error:
        return str(error)
    return ""


@lru_cache(maxsize=256)
def matcher(pattern: str) -> Any:
    r"""Compile a pattern for a matcher that takes linear time where possible, because the value comes from an untrusted script.

    That matcher also has what ECMA-262 has and Python's has not: ``\p{L}`` and ``[\w-.]``.

    Raises:
        re.error: It is no regular expression.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:  # look-around and back-references: only Python's matcher supports them
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern)

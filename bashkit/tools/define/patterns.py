"""The regular expressions in JSON Schemas: what is one, and its matcher."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bashkit.errors import LimitExceededError
from bashkit.limits import Budget, ExecutionLimits

if TYPE_CHECKING:
    from bashkit.regex.matches import Match
    from bashkit.regex.pattern import Pattern

_LIMITS = ExecutionLimits(timeout=1)  # seconds for one value
_WRONG = (re.error, RecursionError, OverflowError)
_DASH = re.compile(r"(\\[dswDSW])-(?!\])")  # in a class of ECMA-262 it is a character
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
    try:
        import re2
    except ImportError:  # where there is no wheel
        return _patient(_DASH.sub(r"\1\-", pattern))
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:  # look-around and back-references
        return _patient(pattern)


class _Patient:
    """A pattern that a value does not match, either, if that cannot be said in time."""

    __slots__ = ("_pattern",)

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def search(self, value: str) -> Match | None:
        """Where the pattern matches."""
        try:
            return self._pattern.with_budget(Budget(_LIMITS)).search(value)
        except LimitExceededError:
            return None


def _patient(pattern: str) -> Any:
    """A matcher that does not search for ever, or Python's own where only that knows the pattern."""
    from bashkit import regex

    try:
        return _Patient(regex.compile(pattern, "perl"))
    except regex.RegexError:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern)

"""The keys of many lines at once: one regular expression cuts them, and plain numbers become floats without a call for each."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.commands._sortkeys import Key

_PLAIN_NUMBER = b"0123456789. \t\n-"
_EXACT = 16  # characters of a number that a float surely holds: 15 digits and a point
_SAMPLE = 512
_MOST_FIELDS = 100


def bulk_keys(key: Key, separator: bytes | None, lines: list[bytes]) -> list[Any] | None:
    """The keys of ``lines``, which hold no newline, or None where each line has to be looked at by itself.

    They compare as those of ``Key.extract`` and ``Order.convert`` do.
    """
    order = key.order
    if order.kind not in ("", "n") or order.fold or order.dictionary or order.printing or order.skip_end:
        return None
    whole = key.field == 1 and key.char == 1 and not key.end_field
    if whole and not order.kind and not order.skip_start:
        return lines
    if whole and order.kind and separator is None:
        return _numbers(lines)
    if key.char != 1 or key.end_char or max(key.field, key.end_field) > _MOST_FIELDS:
        return None
    cut = _cutter(key.field, key.end_field, separator, bare=bool(order.kind) or order.skip_start)
    if cut is None or (order.skip_start and separator is not None and not order.kind):
        return None
    found: list[bytes] = cut.findall(b"\n".join(lines) + b"\n")
    if len(found) != len(lines):
        return None
    return found if not order.kind else _numbers(found)


@lru_cache(maxsize=64)
def _cutter(field: int, end: int, separator: bytes | None, *, bare: bool) -> re.Pattern[bytes] | None:
    """What finds one key in every line.

    Args:
        field: Where it begins.
        end: The last field in it; 0 for the end of the line.
        separator: What separates fields; None for the edge of blanks.
        bare: Blanks in front of it do not matter.
    """
    if end and end < field:
        return None
    if separator is None:
        one = rb"[ \t]*[^ \t\n]*"
        first = rb"(?:%s){%d}%s" % (one, field - 1, rb"[ \t]*" if bare else b"")
        taken = rb"(?:%s){%d}" % (one, end - field + 1) if end else rb"[^\n]*"
    else:
        one = rb"[^%s\n]*" % re.escape(separator)
        skipped = one + re.escape(separator)
        if field > 1:
            # A line with fewer fields has an empty key.
            return re.compile(rb"(?:(?:%s){%d}(%s)[^\n]*|[^\n]*)\n" % (skipped, field - 1, _several(one, separator, end - field) if end else rb"[^\n]*"))
        first = b""
        taken = _several(one, separator, end - field) if end else rb"[^\n]*"
    return re.compile(rb"%s(%s)[^\n]*\n" % (first, taken))


def _several(one: bytes, separator: bytes, more: int) -> bytes:
    return rb"%s(?:%s%s){0,%d}" % (one, re.escape(separator), one, more)


_LEADING_NUMBER = re.compile(rb"[ \t]*(-?[0-9]*(?:\.[0-9]*)?)[^\n]*\n")


def _numbers(texts: list[bytes]) -> list[float] | None:
    """The values of ``-n``; None where one of them is more than a float holds."""
    joined = b"\n".join(texts)
    if joined.translate(None, _PLAIN_NUMBER):
        texts = _LEADING_NUMBER.findall(joined + b"\n")
    if max(map(len, texts), default=0) > _EXACT:
        return None
    try:
        return list(map(float, texts))
    except ValueError:
        pass
    try:
        return [float(text) if text else 0.0 for text in map(bytes.strip, texts)]
    except ValueError:
        return None


def few_distinct(items: list[bytes]) -> bool:
    """Whether the same few come again and again, judged by the first of them."""
    sample = items[:_SAMPLE]
    return len(sample) == _SAMPLE and len(set(sample)) * 8 < _SAMPLE


def ranks(items: list[Any]) -> list[Any]:
    """Small numbers that compare as the items do, where there are few different ones."""
    if not items or items[0].__class__ is not bytes or not few_distinct(items):
        return items
    order = {item: rank for rank, item in enumerate(sorted(set(items)))}
    return [order[item] for item in items]

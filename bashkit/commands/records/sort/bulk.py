"""Computes the keys of many lines at once: one regular expression extracts them, and plain numbers become floats without a call
for each.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.commands.records.sort.keys import Key
    from bashkit.limits import Budget

Item = TypeVar("Item")
_PLAIN_NUMBER = b"0123456789. \t\n-"
_FAR = 100  # a field beyond it is found by splitting
_EXACT = 16  # characters of a number that a float certainly represents: 15 digits and a point
_LARGEST = 1 << 62
_SAMPLE = 512
_MOST_FIELDS = 100
_AT_ONCE = 1 << 14  # lines between two looks at the clock


def bulk_keys(key: Key, separator: bytes | None, lines: list[bytes]) -> Sequence[Any] | None:
    """The keys of ``lines``, which contain no newline; None if each line must be examined separately.

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
    if separator is not None and key.end_field == key.field and (order.kind or not order.skip_start):
        found = _split_off(lines, separator, key.field)
        if found is not None:
            return found if not order.kind else _numbers(found)
    cut = _cutter(key.field, key.end_field, separator, bare=bool(order.kind) or order.skip_start)
    if cut is None or (order.skip_start and separator is not None and not order.kind):
        return None
    found = cut.findall(b"\n".join(lines) + b"\n")
    if len(found) != len(lines):
        return None
    return found if not order.kind else _numbers(found)


@lru_cache(maxsize=64)
def _cutter(field: int, end: int, separator: bytes | None, *, bare: bool) -> re.Pattern[bytes] | None:
    """Make a pattern that finds one key in every line.

    Args:
        field: The first field.
        end: The last field in it; 0 for the end of the line.
        separator: The field separator; None for the transition to blanks.
        bare: Whether leading blanks are ignored.
    """
    if (end and end < field) or max(field, end) > _FAR:
        return None
    if separator is None:
        one = rb"[ \t]*+[^ \t\n]*+"
        first = one * (field - 1) + (rb"[ \t]*+" if bare else b"")
        taken = one * (end - field + 1) if end else rb"[^\n]*+"
    else:
        one = rb"[^%s\n]*+" % re.escape(separator)
        skipped = one + re.escape(separator)
        if field > 1:
            # A line with fewer fields has an empty key.
            taken = _several(one, separator, end - field) if end else rb"[^\n]*+"
            return re.compile(rb"(?:%s(%s)[^\n]*+|[^\n]*+)\n" % (skipped * (field - 1), taken))
        first = b""
        taken = _several(one, separator, end - field) if end else rb"[^\n]*+"
    return re.compile(rb"%s(%s)[^\n]*+\n" % (first, taken))


def _several(one: bytes, separator: bytes, more: int) -> bytes:
    return rb"%s(?>%s%s){0,%d}+" % (one, re.escape(separator), one, more) if more else one


def _split_off(lines: list[bytes], separator: bytes, field: int) -> list[bytes] | None:
    """One field of each line; None if a line lacks it."""
    try:
        return [line.split(separator, field)[field - 1] for line in lines]
    except IndexError:
        return None


_LEADING_NUMBER = re.compile(rb"[ \t]*(-?[0-9]*(?:\.[0-9]*)?)[^\n]*\n")


def _numbers(texts: list[bytes]) -> Sequence[int] | Sequence[float] | None:
    """The values of ``-n``, all of one type; None if one is too large for a float."""
    firsts, blank = texts, False
    if texts and texts[0].strip(_PLAIN_NUMBER):  # something follows the numbers
        firsts = [text.partition(b" ")[0] for text in texts]
        blank = b"" in firsts
    if not blank and not b"\n".join(firsts).translate(None, _PLAIN_NUMBER):
        found = _values(firsts)
        if found is not None:
            return found
    return _values(_LEADING_NUMBER.findall(b"\n".join(texts) + b"\n"))


def _values(texts: list[bytes]) -> Sequence[int] | Sequence[float] | None:
    """The values of numbers that stand alone; None if one is too large for a float, or is none."""
    try:
        return array("q", map(int, texts))
    except (OverflowError, ValueError):
        pass
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


def packed(values: Sequence[Any]) -> Sequence[Any]:
    """The same values, numbers as an array, which takes 8 bytes for each of them."""
    if isinstance(values, array):
        return values
    kinds = set(map(type, values))
    if kinds == {float}:
        return array("d", values)
    if kinds != {int}:
        return values
    try:
        return array("q", values)
    except OverflowError:
        return values


def in_a_row(pieces: list[Sequence[Any]]) -> Sequence[Any]:
    """The values of all pieces, as an array if each is one of the same kind."""
    first = pieces[0] if pieces else []
    if not isinstance(first, array) or any(getattr(piece, "typecode", "") != first.typecode for piece in pieces):
        return list(chain.from_iterable(pieces))
    for piece in pieces[1:]:
        first.extend(piece)
    return first


def joined(passes: list[tuple[Sequence[Any], bool]], budget: Budget) -> list[tuple[Sequence[Any], bool]]:
    """Reduce the keys without changing the order: small whole numbers of two keys become one.

    Args:
        passes: The values of each key, and whether they go backwards.
        budget: Asked for time.
    """
    result = passes[-1:]
    for values, reverse in reversed(passes[:-1]):
        later, backwards = result[0]
        budget.tick(len(values) >> 3)
        span = _span(later)
        budget.tick(len(values) >> 3)
        if span and _span(values) * span in range(1, _LARGEST):
            sign = 1 if reverse == backwards else -1
            pairs = zip(values, later, strict=True)
            pieces: list[Sequence[Any]] = []
            while row := [first * span + sign * second for first, second in islice(pairs, _AT_ONCE)]:
                pieces.append(packed(row))
                budget.tick(len(row) >> 2)
            result[0] = in_a_row(pieces), reverse
        else:
            result.insert(0, (values, reverse))
    return result


def _span(values: Sequence[Any]) -> int:
    """The number of whole numbers from the smallest to the largest of ``values``; 0 if not all are whole."""
    if isinstance(values, array):
        return max(values) - min(values) + 1 if values.typecode == "q" else 0
    return max(values) - min(values) + 1 if set(map(type, values)) == {int} else 0


def few_distinct(items: Sequence[object]) -> bool:
    """Whether the same few values recur, judged by the first ones."""
    sample = items[:_SAMPLE]
    return len(sample) == _SAMPLE and len(set(sample)) * 8 < _SAMPLE


def recur(items: Sequence[object]) -> bool:
    """Whether values recur, judged by the first ones."""
    sample = items[:_SAMPLE]
    return len(set(sample)) < len(sample)


def taken(items: Sequence[Item], places: Sequence[int]) -> Sequence[Item]:
    """The items at many places; in half the time of a call for each."""
    return itemgetter(*places)(items) if len(places) > 1 else [items[place] for place in places]


def ranks(items: Sequence[Any]) -> Sequence[Any]:
    """Replace items by small numbers that compare like them, if there are few different ones."""
    if not items or items[0].__class__ is not bytes or not few_distinct(items):
        return items
    order = {item: rank for rank, item in enumerate(sorted(set(items)))}
    return [order[item] for item in items]

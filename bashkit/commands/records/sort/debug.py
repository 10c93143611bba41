"""``sort --debug``: marks the compared part of each line, and warns about likely mistakes (GNU coreutils manual, sort)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.commands._notation.encoding import width
from bashkit.commands._notation.quoting import mention
from bashkit.commands.records.sort.keys import FLOAT, MONTHS, Key, Order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_NUMERIC = frozenset("ngh")
_DIGITS = rb"[ \t\n]*(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)%s)"
_EXTENTS = {
    "n": re.compile(_DIGITS % b""),
    "h": re.compile(_DIGITS % b"[kKMGTPEZY]?"),
    "g": FLOAT,
    "M": re.compile(rb"[ \t]*(%s)" % b"|".join(MONTHS), re.IGNORECASE),
}
_BLANKS = re.compile(rb"[ \t\n]*")


def collation(environment: Mapping[str, str]) -> str:
    """The locale by which text is ordered."""
    return environment.get("LC_ALL") or environment.get("LC_COLLATE") or environment.get("LANG") or "C"


def ordering(environment: Mapping[str, str]) -> Iterator[str]:
    """The message about the collation order."""
    name = collation(environment)
    if name.startswith("C."):
        yield f"text ordering performed using {mention(name)} sorting rules"
        return
    if name not in {"C", "POSIX"}:
        yield "failed to set locale"
    yield "text ordering performed using simple byte comparison"


def suspicions(
    own: list[Key], obsolete: list[bool], default: Order, separator: bytes | None, *, last_resort: bool
) -> Iterator[str]:
    """Warn about options that may be mistakes.

    Args:
        own: The keys that were given, with their own order only.
        obsolete: Which of them were given as ``+1 -2``.
        default: The order of those that have none of their own.
        separator: The field separator.
        last_resort: Whether whole lines are compared in the end.
    """
    kinds = [default.kind] if not own else []
    spanning: list[str] = []
    for number, key in enumerate(own, 1):
        order = default if key.order == Order() else key.order
        kinds.append(order.kind)
        if obsolete[number - 1]:
            end = f" -{key.end_field}" if key.end_field else ""
            better = f"-k {key.field}" + (f",{key.end_field}" if key.end_field else "")
            yield f"obsolescent key {mention(f'+{key.field - 1}{end}')} used; consider {mention(better)} instead"
        empty = key.end_field and key.field > key.end_field
        if empty:
            yield f"key {number} has zero width and will be ignored"
            continue
        within_first = key.end_field == 1 and key.end_char
        if separator is None and not order.skip_start and order.kind not in {*_NUMERIC, "M"} and not within_first:
            yield f"leading blanks are significant in key {number}; consider also specifying 'b'"
        if order.kind in _NUMERIC and (not key.end_field or key.end_field > key.field):
            yield f"key {number} is numeric and spans multiple fields"
            spanning.append(order.kind)
    yield from _about_numbers(kinds, spanning, separator)
    yield from _without_effect(own, default, last_resort=last_resort)


def _about_numbers(kinds: list[str], spanning: list[str], separator: bytes | None) -> Iterator[str]:
    if not _NUMERIC.intersection(kinds):
        return
    sign = {b".": "a decimal point", b"-": "a minus sign", b"+": "a plus sign"}.get(separator or b"")
    treated = sign is not None and bool(spanning) and (separator != b"+" or "g" in spanning)
    if treated and separator is not None:
        yield f"field separator {mention(separator.decode())} is treated as {sign} in numbers"
    if not (treated and separator == b"."):
        yield f"{'' if separator == b'.' else 'note '}numbers use {mention('.')} as a decimal point in this locale"


def _letters(order: Order) -> set[str]:
    """The letters of an order; of ``d`` and ``i`` only the first applies."""
    flags = {
        "b": order.skip_start or order.skip_end,
        "d": order.dictionary,
        "f": order.fold,
        "i": order.printing and not order.dictionary,
    }
    return {letter for letter, given in flags.items() if given} | set(order.kind) | ({"r"} if order.reverse else set())


def _without_effect(own: list[Key], default: Order, *, last_resort: bool) -> Iterator[str]:
    """The global options that no key inherits."""
    if not own or any(key.order == Order() for key in own):
        return
    unused = _letters(default)
    for key in own:
        unused -= _letters(key.order) - {"b"}
    reverse = "r" in unused and last_resort
    ignored = "".join(letter for letter in "bdfghiMnRrV" if letter in unused and not (letter == "r" and reverse))
    if ignored:
        yield f"option{'s' if len(ignored) > 1 else ''} '-{ignored}' {'are' if len(ignored) > 1 else 'is'} ignored"
    if reverse:
        yield "option '-r' only applies to last-resort comparison"


def annotate(lines: Iterable[bytes], keys: list[Key], separator: bytes | None, *, whole: bool) -> Iterator[bytes]:
    """Each line with a line of marks for every key, and with ``whole`` also for the whole line."""
    extracts = [
        (key.order.kind, replace(key, end_field=0, end_char=0).extract(separator), key.extract(separator)) for key in keys
    ]
    for line in lines:
        shown = [line.replace(b"\t", b">") + b"\n"]
        shown += [_marker(line, *extract) for extract in extracts]
        if whole:
            shown.append(_underline(line, 0, len(line)))
        yield b"".join(shown)


def _marker(line: bytes, kind: str, rest: Callable[[bytes], bytes], extract: Callable[[bytes], bytes]) -> bytes:
    key = extract(line)
    begin = len(line) - len(rest(line))
    pattern = _EXTENTS.get(kind)
    if pattern is None:
        return _underline(line, begin, begin + len(key))
    found = pattern.match(key)
    if found is not None:
        return _underline(line, begin + found.start(1), begin + found.end(1))
    blanks = _BLANKS.match(key)
    begin += blanks.end() if blanks is not None else 0
    return _underline(line, begin, begin)


def _underline(line: bytes, begin: int, end: int) -> bytes:
    offset, width = _width(line[:begin]), _width(line[begin:end])
    return b" " * offset + (b"_" * width if width else b"^ no match for key") + b"\n"


def _width(text: bytes) -> int:
    shown = text.replace(b"\t", b">").decode("utf-8", "replace")  # a byte that is no character takes a column
    return width(shown)

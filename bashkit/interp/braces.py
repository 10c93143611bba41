"""Brace expansion (bash(1), Brace Expansion): textual, before everything else, so done when a word is compiled."""

from __future__ import annotations

import re

from bashkit.interp.control import ExpansionError
from bashkit.syntax.nodes import Literal, Word, WordPart
from bashkit.syntax.source import MAX_NESTING

_SEQUENCE = re.compile(r"(-?[0-9]+|[A-Za-z])\.\.(-?[0-9]+|[A-Za-z])(?:\.\.(-?[0-9]+))?")
_Item = tuple[str, WordPart | None]  # a character of unquoted text, or ("", a part that is kept whole)


def expand_braces(word: Word, limit: int) -> list[Word]:
    """The words that a word's braces make; just the word when it has none.

    Args:
        word: The word.
        limit: How many words there may be at most.

    Raises:
        ExpansionError: It would make more.
    """
    if not any(isinstance(part, Literal) and "{" in part.text for part in word.parts):
        return [word]
    items: list[_Item] = []
    for part in word.parts:
        if isinstance(part, Literal):
            items.extend((character, None) for character in part.text)
        else:
            items.append(("", part))
    expanded = _expand(items, limit)
    if len(expanded) == 1 and expanded[0] == items:
        return [word]
    return [_rebuild(found) for found in expanded]


def _rebuild(items: list[_Item]) -> Word:
    parts: list[WordPart] = []
    for character, part in items:
        if part is not None:
            parts.append(part)
        elif parts and isinstance(parts[-1], Literal):
            parts[-1] = Literal(parts[-1].text + character)
        else:
            parts.append(Literal(character))
    return Word(tuple(parts))


def _expand(items: list[_Item], limit: int, depth: int = 0) -> list[list[_Item]]:
    """Expand the first brace expression, then what follows it."""
    if depth > MAX_NESTING:
        return [items]
    closing = _pairs(items)
    for start, end in sorted(closing.items()):
        choices = _choices(items[start + 1 : end], limit, depth)
        if choices is not None:
            break
    else:
        return [items]
    tails = _expand(items[end + 1 :], limit, depth + 1)
    if len(choices) * len(tails) > limit:
        raise ExpansionError(f"brace expansion: limit exceeded: max_words ({limit})", fatal=True)
    head = items[:start]
    return [head + choice + tail for choice in choices for tail in tails]


def _pairs(items: list[_Item]) -> dict[int, int]:
    """Where each opening brace that is closed is closed."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for index, (character, _) in enumerate(items):
        if character == "{":
            opened.append(index)
        elif character == "}" and opened:
            pairs[opened.pop()] = index
    return pairs


def _choices(inner: list[_Item], limit: int, depth: int) -> list[list[_Item]] | None:
    """What stands for the braces, or None when they are no brace expression."""
    pieces: list[list[_Item]] = [[]]
    depth = 0
    for item in inner:
        if item[0] == "," and depth == 0:
            pieces.append([])
            continue
        depth += {"{": 1, "}": -1}.get(item[0], 0)
        pieces[-1].append(item)
    if len(pieces) > 1:
        return [choice for piece in pieces for choice in _expand(piece, limit, depth + 1)]
    if any(part is not None for _, part in inner):
        return None
    match = _SEQUENCE.fullmatch("".join(character for character, _ in inner))
    if match is None:
        return None
    words = _sequence(*match.groups(), limit=limit)
    return None if words is None else [[(character, None) for character in word] for word in words]


def _sequence(first: str, last: str, step: str | None, *, limit: int) -> list[str] | None:
    increment = abs(int(step)) if step else 1
    increment = increment or 1
    if first.isalpha() != last.isalpha():
        return None
    if first.isalpha():
        start, stop = ord(first), ord(last)
        sign = 1 if stop >= start else -1
        return [chr(code) for code in range(start, stop + sign, sign * increment)]
    start, stop = int(first), int(last)
    if abs(stop - start) // increment >= limit:
        raise ExpansionError(f"brace expansion: limit exceeded: max_words ({limit})", fatal=True)
    sign = 1 if stop >= start else -1
    numbers = range(start, stop + sign, sign * increment)
    if re.match(r"-?0[0-9]", first) or re.match(r"-?0[0-9]", last):
        width = max(len(first), len(last))
        return [f"{number:0{width}d}" for number in numbers]
    return [str(number) for number in numbers]

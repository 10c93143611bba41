"""Brace expansion (bash(1), Brace Expansion): textual, before everything else, so done when a word is compiled."""

from __future__ import annotations

import re

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.runtime.control import ExpansionError
from bashkit.syntax import Parser
from bashkit.syntax.nodes import Literal, ParameterExpansion, Quoted, Word, WordPart
from bashkit.syntax.source import MAX_NESTING

_MAX_DIGITS = 1000  # of a number in a sequence, which may be padded with zeros
_SEQUENCE = re.compile(r"([-+]?[0-9]+|[A-Za-z])\.\.([-+]?[0-9]+|[A-Za-z])(?:\.\.([-+]?[0-9]+))?")
_READ_AGAIN = re.compile(r"[$\\`]")
_Item = tuple[str, WordPart | None]  # a character of unquoted text, or ("", a part that is kept whole)


def may_have_braces(word: Word) -> bool:
    """Whether an opening brace stands unquoted in the word."""
    return any(isinstance(part, Literal) and "{" in part.text for part in word.parts)


def expand_braces(word: Word, limit: int) -> list[Word]:
    """The words that a word's braces make; just the word when it has none.

    Args:
        word: The word.
        limit: How many words there may be at most.

    Raises:
        ExpansionError: It would make more.
    """
    if not may_have_braces(word):
        return [word]
    items: list[_Item] = []
    for part in word.parts:
        if isinstance(part, Literal):
            items.extend((character, None) for character in part.text)
        elif isinstance(part, ParameterExpansion) and part.source[:1] == "$" and part.source[1:2] != "{":
            items.extend((character, None) for character in part.source)  # the text that follows may lengthen its name
        else:
            items.append(("", part))
    expanded = _expand(items, limit)
    if len(expanded) == 1 and expanded[0] == items:
        return [word]
    return [_rebuild(found) for found in expanded]


def _rebuild(items: list[_Item]) -> Word:
    parts: list[WordPart] = []
    text = ""
    for character, part in [*items, ("", None)]:
        if character:
            text += character
            continue
        if text:
            parts.extend(_read_again(text) if _READ_AGAIN.search(text) else [Literal(text)])
            text = ""
        if part is not None:
            parts.append(part)
    return Word(tuple(parts))


def _read_again(text: str) -> tuple[WordPart, ...]:
    """Text that the braces put together: only now it is known which parameters it names."""
    ending: tuple[WordPart, ...] = ()
    if (len(text) - len(text.rstrip("\\"))) % 2 == 1:  # {Z..a} makes a backslash, which quotes nothing at the end,
        ending = (Quoted("", "\\"),)
    elif text[-1] == "`" and text.count("`") % 2 == 1:  # and a backquote, which begins nothing there
        ending = (Literal("`"),)
    try:
        return Parser(text[:-1] if ending else text).read_unquoted() + ending
    except ScriptSyntaxError:
        return (ParameterExpansion("", operator="bad", source=text),)


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
    """What stands for the braces, or None if they are not a brace expression."""
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
    if max(len(first), len(last), len(step or "")) > _MAX_DIGITS:
        return None  # a number that the shell cannot count with
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

"""The strings that any match of a pattern contains: finding those first is faster than running the pattern everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit.regex.analysis import flatten
from bashkit.regex.syntax_tree import Alternation, Literal, Node, Repeat

if TYPE_CHECKING:
    from collections.abc import Collection

    from bashkit.regex.analysis import Analysis

_MOST = 8  # strings looked for at once
_SAMPLE = 8192  # characters that tell how common a string is
_LONG = 1 << 14  # characters of a text for which a pattern is compiled
_LONGEST = 256  # characters of a string of which a pattern is made


@dataclass(slots=True, unsafe_hash=True)
class Required:
    """What every match contains.

    Attributes:
        texts: One of these; in lower case where case does not matter.
        exact: A line with one of them matches: there is nothing more to the pattern.
        leading: There is one, and the match begins with it.
    """

    texts: tuple[str, ...]
    exact: bool
    leading: bool


@dataclass(slots=True, unsafe_hash=True)
class Choice:
    """What every match of one choice contains.

    Attributes:
        texts: These strings, in this order.
        exact: It is one string, and nothing more.
        leading: A match begins with the first of them.
    """

    texts: tuple[str, ...]
    exact: bool
    leading: bool


def required(node: Node, analysis: Analysis, *, ignore_case: bool) -> Required | None:
    """Find them; None when no string is in every match.

    Args:
        node: The pattern's tree.
        analysis: Knows its shapes.
        ignore_case: Letters stand for both cases; holds for texts of ASCII only then.
    """
    found = choices_of(node, analysis)
    if len(found) > _MOST:
        return None
    texts = [max(choice.texts, key=len, default="") for choice in found]
    if any(not text or not text.isascii() or "\n" in text for text in texts):
        return None
    leading = len(found) == 1 and found[0].leading and texts[0] == found[0].texts[0] and not ignore_case
    known = dict.fromkeys(text.lower() if ignore_case else text for text in texts)
    return Required(tuple(known), all(choice.exact for choice in found), leading)


def choices_of(node: Node, analysis: Analysis) -> list[Choice]:
    """The choices of a pattern, with the strings in each.

    Args:
        node: The pattern's tree.
        analysis: Knows its shapes.
    """
    choices = node.choices if isinstance(node, Alternation) else (node,)
    return [_choice(flatten(choice), analysis) for choice in choices]


def _choice(items: list[Node], analysis: Analysis) -> Choice:
    """What a row of items holds."""
    texts: list[str] = []
    run: list[str] = []
    for item in items:
        if isinstance(item, Literal):
            run.append(item.char)
            continue
        if run:
            texts.append("".join(run))
            run = []
        if isinstance(item, Repeat) and item.low and not analysis.shape(item).nullable:
            parts = flatten(item.item)
            if parts and all(isinstance(part, Literal) for part in parts):
                texts.append("".join(part.char for part in parts if isinstance(part, Literal)))
    if run:
        texts.append("".join(run))
    leading = bool(items) and isinstance(items[0], Literal)
    return Choice(tuple(texts), exact=bool(items) and all(isinstance(item, Literal) for item in items), leading=leading)


# -- lines that have them ----------------------------------------------------------------------------------------------


def few_lines_have(text: str, wanted: tuple[str, ...]) -> bool:
    """Whether looking at the lines with these strings one by one pays: judged by the beginning of the text."""
    sample = text[:_SAMPLE]
    return sum(map(sample.count, wanted)) * 2 <= sample.count("\n")


def ends_with(text: str, wanted: tuple[str, ...]) -> Collection[int]:
    """Where the lines that hold one of several strings end, in no order."""
    if len(text) >= _LONG and max(map(len, wanted)) <= _LONGEST:
        found = [match.end() for one in wanted for match in _line_from(one).finditer(text)]
        return set(found) if len(wanted) > 1 else found
    find = text.find
    ends: list[int] = []
    for one in wanted:
        at = 0
        while (at := find(one, at)) >= 0:
            at = find("\n", at)
            ends.append(at)
    return set(ends) if len(wanted) > 1 else ends


def count_with(text: str, wanted: str) -> int | None:
    """How many lines hold a string; None where to find their ends is as quick."""
    return len(_counted(wanted).findall(text)) if len(text) >= _LONG and len(wanted) <= _LONGEST else None


@lru_cache(maxsize=256)
def _counted(text: str) -> re.Pattern[str]:
    """As ``_line_from``, with an empty group: ``findall`` makes no text for each line."""
    return re.compile(f"{re.escape(text)}[^\\n]*+()")


@lru_cache(maxsize=256)
def _line_from(text: str) -> re.Pattern[str]:
    """A string and the rest of its line: ``re`` finds all of them in half the time of a call for each."""
    return re.compile(f"{re.escape(text)}[^\\n]*")

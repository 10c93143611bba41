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


def required(node: Node, analysis: Analysis, *, ignore_case: bool) -> Required | None:
    """Find them; None when no string is in every match.

    Args:
        node: The pattern's tree.
        analysis: Knows its shapes.
        ignore_case: Letters stand for both cases; holds for texts of ASCII only then.
    """
    choices = node.choices if isinstance(node, Alternation) else (node,)
    texts: list[str] = []
    exact = True
    leading = False
    for choice in choices:
        items = flatten(choice)
        best, start, whole = _longest_run(items, analysis)
        if not best or not best.isascii() or "\n" in best:
            return None
        exact = exact and whole
        leading = len(choices) == 1 and start == 0
        texts.append(best.lower() if ignore_case else best)
    if len(texts) > _MOST:
        return None
    return Required(tuple(dict.fromkeys(texts)), exact, leading and not ignore_case)


def _longest_run(items: list[Node], analysis: Analysis) -> tuple[str, int, bool]:
    """The longest row of characters that stand side by side, where it begins, and whether there is nothing else."""
    best, start = "", 0
    run = ""
    plain = True
    for index, item in enumerate(items):
        if isinstance(item, Literal):
            run += item.char
            if len(run) > len(best):
                best, start = run, index - len(run) + 1
            continue
        plain = False
        run = ""
        if isinstance(item, Repeat) and item.low and not analysis.shape(item).nullable:
            inner = "".join(part.char for part in flatten(item.item) if isinstance(part, Literal))
            if inner and len(inner) == len(flatten(item.item)) and len(inner) > len(best):
                best, start = inner, -1
    return best, start, plain


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

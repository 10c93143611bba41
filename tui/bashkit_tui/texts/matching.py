"""Words that are searched in a text: small letters find both cases, a capital letter finds itself alone."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.text import Text

MARK = "reverse"  # the style of a place that a search has found


@cache
def pattern(words: str) -> re.Pattern[str]:
    """The pattern of the words, as they are written."""
    return re.compile(re.escape(words), 0 if any(map(str.isupper, words)) else re.IGNORECASE)


def matcher(words: str) -> Callable[[str], bool]:
    """Decides whether a text has the words."""
    if words.isascii() and not any(map(str.isupper, words)):  # quicker than a pattern that ignores case
        return lambda text: words in text.lower()
    find = pattern(words).search
    return lambda text: find(text) is not None


def marked(text: Text, words: str) -> None:
    """Mark the words in a text that is drawn."""
    if words:
        for found in pattern(words).finditer(text.plain):
            text.stylize(MARK, *found.span())

"""What a search finds: a match of ``re``, or one given by its spans."""

from __future__ import annotations

import re


class SpanMatch:
    """A match given by its spans."""

    __slots__ = ("_spans", "_text")

    def __init__(self, text: str, spans: list[tuple[int, int]]) -> None:
        self._text = text
        self._spans = spans

    def start(self, group: int = 0, /) -> int:
        """Where the group begins, -1 when it took no part."""
        return self._spans[group][0]

    def end(self, group: int = 0, /) -> int:
        """Where the group ends, -1 when it took no part."""
        return self._spans[group][1]

    def span(self, group: int = 0, /) -> tuple[int, int]:
        """Both."""
        return self._spans[group]

    def group(self, group: int = 0, /) -> str | None:
        """The text of the group, None when it took no part."""
        start, end = self._spans[group]
        return None if start < 0 else self._text[start:end]

    def groups(self) -> tuple[str | None, ...]:
        """The texts of all groups from 1 on."""
        return tuple(self.group(number) for number in range(1, len(self._spans)))


Match = re.Match[str] | SpanMatch

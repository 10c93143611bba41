"""Work on long texts piece by piece: between two pieces the budget is asked, and others have their turn."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bashkit.limits import ask, turn

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.limits import Budget

PIECE = 1 << 16  # characters; what takes 30 nanoseconds for each takes two milliseconds for a piece

_SOME = 4096  # pieces that are joined at once


def in_pieces(change: Callable[[str], str], text: str, budget: Budget | None) -> str:
    """What ``change`` makes of a text.

    Args:
        change: It maps each character for itself, whatever stands beside it.
        text: The text.
        budget: Asked between the pieces of a long text; None where no text is long.
    """
    if len(text) <= PIECE or budget is None:
        return change(text)
    done: list[str] = []
    size = 0
    for start in range(0, len(text), PIECE):
        piece = change(text[start : start + PIECE])
        size += len(piece)
        budget.string(size)
        budget.tick(PIECE >> 6)
        done.append(piece)
    return "".join(done)


def joined(pieces: Iterable[str]) -> str:
    """A long text made of many short pieces, which are joined as they come: all together they take much more memory than it."""
    source = iter(pieces)
    done: list[str] = []
    while some := list(islice(source, _SOME)):
        done.append("".join(some))
    return "".join(done)


def split(text: str, separator: str) -> Iterator[str]:
    """The pieces of a text between separators, as ``str.split`` makes them, but one by one."""
    if len(text) <= PIECE:
        yield from text.split(separator)
        return
    begin = 0
    while (end := text.find(separator, begin)) >= 0:
        yield text[begin:end]
        turn()
        begin = end + len(separator)
    yield text[begin:]


def finditer(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern in a text, one by one; where the text is long, the running task's budget is asked.

    Args:
        pattern: What it matches has at most two characters, or each beginning of it is a match, too.
        text: The text.
    """
    if len(text) <= PIECE:
        yield from pattern.finditer(text)
        return
    position = 0
    while position < len(text):
        edge = position + PIECE
        match = pattern.search(text, position, edge)
        if match is None:
            position = edge - 1
            ask(PIECE >> 6)
            continue
        if match.end() == edge:  # it may go on
            match = pattern.match(text, match.start()) or match
        yield match
        position = match.end()


def has_any(characters: re.Pattern[str], text: str, budget: Budget | None) -> bool:
    """Whether one of some characters, or pairs of them, is in a text; for the arguments see ``in_pieces``."""
    if len(text) <= PIECE or budget is None:
        return characters.search(text) is not None
    for start in range(0, len(text), PIECE):
        if characters.search(text, start, start + PIECE + 1):
            return True
        budget.tick(PIECE >> 6)
    return False

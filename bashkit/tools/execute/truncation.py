"""Shortens outputs that are too long for the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools.describe.in_bash import BASH

if TYPE_CHECKING:
    from bashkit.tools.describe.dialect import Dialect

SHORTEST_LIMIT = 400  # minimum characters; below it the note would leave no room


def cut(text: str, most: int, file: str = "", dialect: Dialect = BASH) -> str:
    """Replace the middle of ``text`` by a note, so that at most ``most`` characters remain.

    Args:
        text: The output.
        most: Maximum number of characters.
        file: The file with the whole text, or "".
        dialect: What the model knows to read it with.
    """
    if len(text) <= most:
        return text
    digits = len(str(text.count("\n") + 100))
    longest = len(_note(text, 0, len(text), file, dialect)) + 4 * digits  # its line numbers may be longer
    room = max(0, most - longest)
    first, last = _at_line(text, (room + 1) // 2, back=True), _at_line(text, len(text) - room // 2, back=False)
    return text[:first] + _note(text, first, last, file, dialect) + text[last:]


def _at_line(text: str, place: int, *, back: bool) -> int:
    """The start of a line near ``place``; ``place`` itself if lines are long."""
    if back:
        found = text.rfind("\n", 0, place) + 1
        return found if found > place // 2 else place
    found = text.find("\n", place) + 1
    return found if 0 < found < place + (len(text) - place) // 2 else place


def _note(text: str, first: int, last: int, file: str, dialect: Dialect) -> str:
    """Say what is missing and how to read it."""
    begin = text.count("\n", 0, first) + 1
    end = text.count("\n", 0, last) + (0 if text[last - 1 : last] == "\n" else 1)
    lines = f" (lines {begin} to {end})" if end > begin else f" (of line {begin})"
    missing = f"{last - first} of {len(text)} characters left out{lines}"
    advice = dialect.page(begin if end > begin else 0, file)
    lead = "" if not first or text[first - 1] == "\n" else "\n"
    return f"{lead}[... {missing}; {advice} ...]\n"

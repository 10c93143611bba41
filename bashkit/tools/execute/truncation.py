"""Shortens outputs that are too long for the model."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.tools.describe.in_bash import BASH

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.bash import Bash
    from bashkit.tools.execute.contract import ToolResponse

    Page = Callable[[int, str], str]

SHORTEST_LIMIT = 400  # minimum characters; below it the note would leave no room
MOST_FOR_MODELS = 100_000  # characters of an output where nobody has said how many; about 25 000 tokens
_FILES = 2  # of a session: an output may be as large as a quarter of all files


class OutputFiles:
    """The files of a session that hold the last outputs that were too long for the model."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made = 0

    def keep(self, text: str, bash: Bash) -> str:
        """Write an output to a file, and remove an older one; return the file's name, or "" if none was written."""
        self._made += 1
        path = _place(self._made)
        with suppress(OSError):
            bash.fs.remove(_place(self._made - _FILES))
        try:
            bash.fs.write_file(path, text)
        except OSError:  # the file system is full or switched off
            return ""
        return path


def _place(number: int) -> str:
    return f"/tmp/stdout-{number}.txt"  # noqa: S108 - virtual


def shorten(
    response: ToolResponse,
    most: int | None,
    page: Page = BASH.page,
    outputs: OutputFiles | None = None,
    bash: Bash | None = None,
) -> ToolResponse:
    """Cut the standard output of a response, if it is too long for the model.

    Args:
        response: The response.
        most: Maximum number of characters, or None.
        page: As for ``cut``.
        outputs: Where the session keeps the whole; None without a session.
        bash: The shell of the session.
    """
    whole = response.stdout
    if most is None or len(whole) <= most:
        return response
    file = "" if outputs is None or bash is None else outputs.keep(whole, bash)
    return replace(response, stdout=cut(whole, most, file, page), full_stdout=whole)


def cut(text: str, most: int, file: str = "", page: Page = BASH.page) -> str:
    """Replace the middle of ``text`` by a note, so that at most ``most`` characters remain.

    Args:
        text: The output.
        most: Maximum number of characters.
        file: The file with the whole text, or "".
        page: Given the first line that is missing, or 0, and the file, says how to read the rest; see ``Dialect``.
    """
    if len(text) <= most:
        return text
    digits = len(str(text.count("\n") + 100))
    longest = len(_note(text, 0, len(text), file, page)) + 4 * digits  # its line numbers may be longer
    room = max(0, most - longest)
    first, last = _at_line(text, (room + 1) // 2, back=True), _at_line(text, len(text) - room // 2, back=False)
    return text[:first] + _note(text, first, last, file, page) + text[last:]


def _at_line(text: str, place: int, *, back: bool) -> int:
    """The start of a line near ``place``; ``place`` itself if lines are long."""
    if back:
        found = text.rfind("\n", 0, place) + 1
        return found if found > place // 2 else place
    found = text.find("\n", place) + 1
    return found if 0 < found < place + (len(text) - place) // 2 else place


def _note(text: str, first: int, last: int, file: str, page: Page) -> str:
    """Say what is missing and how to read it."""
    begin = text.count("\n", 0, first) + 1
    end = text.count("\n", 0, last) + (0 if text[last - 1 : last] == "\n" else 1)
    lines = f" (lines {begin} to {end})" if end > begin else f" (of line {begin})"
    missing = f"{last - first} of {len(text)} characters left out{lines}"
    advice = page(begin if end > begin else 0, file)
    lead = "" if not first or text[first - 1] == "\n" else "\n"
    return f"{lead}[... {missing}; {advice} ...]\n"

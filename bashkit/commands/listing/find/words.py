"""Reads the words of a find expression, and holds the settings of the whole search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.listing.find.candidate import Candidate
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

    Test = Callable[[Candidate], bool]

_WORD = 16  # microseconds to read a word


class Quit(Exception):  # noqa: N818 - the end of the search is no error
    """``-quit`` was evaluated: the search ends."""


class FindError(Exception):
    """An expression that find rejects."""


@dataclass(slots=True)
class Settings:
    """The settings of the whole search, from options anywhere in the expression.

    Attributes:
        depth_first: Visit directories after their entries, as ``-depth`` asks for, or ``-delete``.
        deletes_only: Only ``-delete`` has asked for it.
        prunes: There is a ``-prune``.
        min_depth, max_depth: Levels that the tests apply to.
        follow: Follow symbolic links.
        follow_references: Follow those that a test compares files with.
        day_start: Measure times from the beginning of today.
        names_from: The file that holds the names of the starting points, each ended by NUL; ``-`` is standard input.
        regex_type: The dialect of ``-regex``.
        pruned: Whether ``-prune`` was evaluated for the current candidate.
        status: The exit status so far.
        at_end: Functions to call at the end of the search.
        outputs: The files that actions write, by name: those of one name share a stream.
    """

    depth_first: bool = False
    deletes_only: bool = False
    prunes: bool = False
    min_depth: int = 0
    max_depth: int = 1 << 30
    follow: bool = False
    follow_references: bool = False
    day_start: bool = False
    names_from: str | None = None
    regex_type: str = "emacs"
    pruned: bool = False
    status: int = 0
    at_end: list[Callable[[], None]] = field(default_factory=list)
    outputs: dict[str, Stream] = field(default_factory=dict)


class Reader:
    """The words of the expression, taken one by one.

    Attributes:
        process: The utility.
        settings: Filled by options.
        acts: Whether an action replaces the implied ``-print``.
        primary: The last primary or operator that was read.
    """

    def __init__(self, process: Process, words: list[str]) -> None:
        self.process = process
        self.settings = Settings()
        self.acts = False
        self.primary = ""
        self._words = words
        self._next = 0

    def peek(self) -> str | None:
        """The next word, without taking it."""
        return self._words[self._next] if self._next < len(self._words) else None

    def take(self) -> str:
        """The next word."""
        self.process.budget.tick(_WORD)
        word = self._words[self._next]
        self._next += 1
        return word

    def argument(self, name: str) -> str:
        """Take the argument of a primary.

        Raises:
            FindError: It is missing.
        """
        if self._next >= len(self._words):
            raise FindError(f"missing argument to `{name}'")
        return self.take()

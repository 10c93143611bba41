"""Searches with google-re2, in portions whose time is known before.

re2 is linear in the text where its automaton stays small. Where that grows beyond its memory, each character takes as many steps
as the pattern has parts: a text that is too long for this is searched in windows, or watched.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bashkit.regex.cache import Overflow, Recent

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.limits import Budget

try:
    re2: Any = import_module("re2")
except ImportError:  # no wheel for this Python or system: what re cannot do is then done by the backtracking matcher
    re2 = None
is_there = re2 is not None

_MEMORY = ((300, 1 << 20), (3000, 4 << 20), (1 << 62, 16 << 20))  # by the size of the program, in bytes
_LARGE = 8192  # bytes of a pattern that takes long to compile
_KEPT = 48 << 20  # bytes that the engines used last may take
_ENGINES: Recent[tuple[bytes, bool, bool], Engine] = Recent(_KEPT)
_AT_ONCE = 1 << 23  # characters times parts of the pattern in one call: 50 ms at the worst
_MOST_CHOICES = 2000  # optional and repeated parts: the time that re2 takes to compile them grows with their square
_LAZY = 500  # parts of a pattern from which the automaton is slow, because most of its states are made anew
_LONG = 1 << 18  # characters times parts: what takes the event loop's time where the automaton is slow
_LONGER = 1 << 22  # characters that do so where it is fast
_MOST_CELLS = 1 << 21  # parts of a pattern times its groups: re2 notes for each part where each group is, in 16 bytes
_SLOW = 30e-9  # seconds for one byte: the automaton takes 1 to 5 nanoseconds
_NOTICEABLE = 0.01  # seconds
_ESCAPED_BYTES = {code: 0x10FF00 + (code & 0xFF) for code in range(0xDC80, 0xDD00)}  # private characters


def _purge() -> None:
    """Drop the 128 engines that re2 keeps by itself, of whatever size."""
    re2.purge()


_MADE = Overflow(_KEPT, _purge)
Spans = list[tuple[int, int]]


class Engine:
    """A pattern that re2 has compiled: its methods, and its size, which re2 counts anew each time it is asked."""

    __slots__ = ("__weakref__", "fullmatch", "match", "programsize", "search")

    def __init__(self, compiled: Any) -> None:
        self.search, self.match, self.fullmatch = compiled.search, compiled.match, compiled.fullmatch
        self.programsize: int = compiled.programsize

    def is_quick(self, text: str) -> bool:
        """Whether a search takes so little time that nobody needs a turn meanwhile."""
        return self.programsize * len(text) < _LONG

    def spans(self, data: bytes, start: int, method: str, groups: int) -> Spans | None:
        """The match from ``start`` on and its groups, found by the method of that name."""
        found = getattr(self, method)(data, start, len(data))
        return None if found is None else [found.span(number) for number in range(groups + 1)]


class TooSlowError(Exception):
    """The automaton is too large for a text of this length."""


def encode(text: str) -> bytes:
    """The text as UTF-8, undecodable bytes as private characters."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.translate(_ESCAPED_BYTES).encode("utf-8", "replace")


def engine(pattern: bytes, groups: int, *, longest: bool, ignore_case: bool) -> Engine | None:
    """The compiled pattern, or None where it is beyond re2 or re2 is not there; those used last are kept."""
    if not is_there or pattern.count(b"?") + pattern.count(b"*") + pattern.count(b"+") + pattern.count(b"{") > _MOST_CHOICES:
        return None
    found = _compiled(pattern, longest=longest, ignore_case=ignore_case)
    return None if found is None or found.programsize * groups > _MOST_CELLS else found


def _compiled(pattern: bytes, *, longest: bool, ignore_case: bool) -> Engine | None:
    key = (pattern, longest, ignore_case)
    found = _ENGINES.get(key)
    if found is not None:
        return found
    options = re2.Options()
    options.longest_match = longest
    options.case_sensitive = not ignore_case
    options.log_errors = False
    for size, memory in _MEMORY if len(pattern) < _LARGE else _MEMORY[-1:]:
        options.max_mem = memory
        try:
            found = Engine(re2.compile(pattern, options))
        except re2.error:
            continue
        if found.programsize <= size:
            _ENGINES.put(key, found, memory)
            _MADE.note(memory)
            return found
    return None


class Search:
    """Searches of one text.

    Args:
        engine: The pattern.
        text: What is searched.
        data: The same, encoded.
        groups: How many groups the pattern has.
        reach: How many characters a match has at most; None where it may have any number.
        by_line: No match goes beyond a line.
        budget: Pays for the searches.
    """

    __slots__ = ("_begun", "_budget", "_by_line", "_data", "_engine", "_groups", "_plain", "_reach", "_read", "_step", "_text")

    def __init__(
        self, engine: Engine, text: str, data: bytes, groups: int, *, reach: int | None, by_line: bool, budget: Budget | None
    ) -> None:
        self._text = text
        self._data = data
        self._engine = engine
        self._groups = groups
        self._by_line = by_line
        self._budget = budget
        self._plain = len(data) == len(text)
        self._reach = reach if reach is None or self._plain else 4 * reach
        self._step = _AT_ONCE // (engine.programsize * (1 + (groups >> 3))) + 1
        self._read = self._begun = 0  # a place in the text, in characters and in bytes

    def spans(self, position: int, method: str) -> Spans | None:
        """The match from ``position`` on and its groups, found by the method of that name.

        Raises:
            TooSlowError: It would take too long.
        """
        start = position if self._plain else self._bytes(position)
        if len(self._data) - start <= self._step:
            found = self._run(method, start)
        elif method == "search":
            found = self._in_portions(start)
        else:
            self._probe(start, method)
            found = self._run(method, start)
        if self._budget is not None:
            self._budget.tick(1 + ((len(self._data) if found is None else found.end()) - start >> 9))
        if found is None:
            return None
        spans = [found.span(number) for number in range(self._groups + 1)]
        return spans if self._plain else [(self._characters(low), self._characters(high)) for low, high in spans]

    def _in_portions(self, start: int) -> Any:
        data, size = self._data, len(self._data)
        while size - start > self._step:
            end = start + self._step
            if self._by_line:
                next_start = end = data.find(b"\n", end) + 1 or size
            elif self._reach is not None:
                next_start, end = end, end + self._reach + 1
            else:
                break
            if end - start > 4 * self._step:
                break
            found = self._run("search", start, end)
            if found is not None:
                return found
            start = next_start
            if self._budget is not None:
                self._budget.tick(_AT_ONCE >> 9)
        if size - start > self._step:
            self._probe(start, "search")
        return self._run("search", start)

    def _run(self, method: str, start: int, end: int | None = None) -> Any:
        """Search between two places; re2 lets other threads run meanwhile, so what takes long is no work for the event loop's."""
        run, data = getattr(self._engine, method), self._data
        last = len(data) if end is None else end
        size = self._engine.programsize
        slow = size >= _LAZY or self._groups  # to note where groups are is slow, too
        if self._budget is None or (size if slow else 1) * (last - start) < (_LONG if slow else _LONGER):
            return run(data, start, last)
        return self._budget.aside(lambda: run(data, start, last))

    def _probe(self, start: int, method: str) -> None:
        """Search ever longer beginnings, and give up where that takes too long."""
        run = getattr(self._engine, method)
        portion = self._step
        while portion < len(self._data) - start:
            spent = self._time(run, start, start + portion)
            if spent > _NOTICEABLE and spent / portion > _SLOW:
                raise TooSlowError
            portion *= 2
            if self._budget is not None:
                self._budget.tick(1 + (portion >> 9))

    def _time(self, run: Callable[..., Any], start: int, end: int) -> float:
        """Seconds of the processor that a search takes."""

        def timed() -> float:
            begin = time.thread_time()
            run(self._data, start, end)
            return time.thread_time() - begin

        return timed() if self._budget is None else self._budget.aside(timed)

    def _bytes(self, position: int) -> int:
        """The byte where the character at ``position`` begins."""
        if position < self._read:
            self._read = self._begun = 0
        self._begun += len(encode(self._text[self._read : position]))
        self._read = position
        return self._begun

    def _characters(self, offset: int) -> int:
        """The character that begins at byte ``offset``."""
        if offset < self._begun:
            return offset if offset < 0 else len(self._data[:offset].decode())
        return self._read + len(self._data[self._begun : offset].decode())

"""A compiled regular expression, and the choice of the engine for each text."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import ref

from bashkit.limits import Budget, ExecutionLimits, ask, at_once, paced
from bashkit.regex.analysis import Analysis, flatten
from bashkit.regex.automaton import Engine, Search, TooSlowError, encode, engine
from bashkit.regex.backtrack import MAX_PROGRAM, CutError, Program, ProgramTooLargeError
from bashkit.regex.cache import compiled_by_re
from bashkit.regex.character_types import disputed_in_words
from bashkit.regex.charset import CharSet
from bashkit.regex.effort import effort, largest_part
from bashkit.regex.emit import KEEP_GROUP, Emitter, NotForRe2Error
from bashkit.regex.matches import Match, SpanMatch
from bashkit.regex.required import Choice, Required, choices_of, count_with, ends_with, few_lines_have, required
from bashkit.regex.syntax_tree import Alternation, Literal, RegexError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from bashkit.regex.charset import Alphabet
    from bashkit.regex.syntax_tree import Node

_MANY_CHOICES = 8  # above it one pass of re2 beats trying each choice at each place
_LARGE_SOURCE = 4096  # characters of a pattern that is compiled in another thread, so that others have their turn
_MOST_PARTS = 10_000  # of a pattern for which neither re nor re2 serves
_LONG_TEXT = 1 << 20  # characters in which finding all matches takes long
_MOST_REACH = 16  # windows in the longest text that suits, and so many times the reach of a match is a window
_WINDOW_STEPS = 4096  # microseconds that one takes
_SIZES = 6  # leading bits of a text's size that count
_SHORT_LINE = 64  # to look for lines longer than fewer characters takes longer than the search


class Pattern:
    """A compiled regular expression over text (``str`` with ``surrogateescape``).

    Args:
        node: Its tree.
        groups: How many groups it captures.
        posix: The longest of the leftmost matches counts; otherwise the first in Perl's order.
        ignore_case: Letters match both cases.
        by_line: A newline is matched by nothing, and ``^`` and ``$`` hold at every line.
        multiline: ``^`` and ``$`` hold at every line.
        keep: It holds ``\\K``.
        folds: Parts of it differ in whether case matters.
        programmed: Only the backtracking matcher can run it.
        warnings: What is odd about it.
        names: The numbers of its named groups.
        long: Its text is so long that stdlib ``re``, which takes some microseconds for a character, would compile it for long.
        octets: Bytes that are not UTF-8 are characters, too.
    """

    def __init__(
        self,
        node: Node,
        groups: int,
        *,
        posix: bool,
        ignore_case: bool,
        by_line: bool,
        multiline: bool,
        keep: bool = False,
        folds: bool = False,
        programmed: bool = False,
        warnings: tuple[str, ...] = (),
        names: dict[str, int] | None = None,
        long: bool = False,
        octets: bool = False,
    ) -> None:
        self.groups = groups
        self.warnings = warnings
        self.names = names or {}
        self.budget: Budget | None = None
        self._node = node
        self._posix = posix
        self._keep = keep
        self._flags = re.IGNORECASE if ignore_case else 0
        self._by_line = by_line
        self._line_anchors = by_line or multiline
        analysis = Analysis(ignore_case=ignore_case or folds, by_line=by_line, multiline=multiline)
        self._analysis = analysis
        self._wide = long or (isinstance(node, Alternation) and len(node.choices) > _MANY_CHOICES)
        self._right = not posix or (not self._wide and analysis.longest(node))
        self._effort = effort(node, analysis)
        self._limit = -1 if programmed else self._effort.longest_text()
        if self._effort.size > MAX_PROGRAM and largest_part(node, analysis) > MAX_PROGRAM:
            raise RegexError("Regular expression too big")
        self._programmed = programmed
        self._compiled: dict[tuple[bool, bool, bool], re.Pattern[str]] = {}
        self._sees_bytes = not octets and analysis.sees_bytes(node)
        self._lengths: dict[int, int] = {}
        self._lazy: dict[str, Any] = {}  # the other engines, shared with every twin
        self._engines: dict[str, ref[Engine]] = {}  # those of re2 that are there: many are not kept
        self._nullable = analysis.shape(node).nullable
        if self._limit < _SHORT_LINE and largest_part(node, analysis) > _MOST_PARTS and self._re2 is None:
            raise RegexError("Regular expression too big")  # the engine that is left takes milliseconds for every line

    def with_budget(self, budget: Budget | None) -> Pattern:
        """The same pattern, paying for long searches from ``budget``."""
        if budget is self.budget:
            return self
        twin = Pattern.__new__(Pattern)
        twin.__dict__.update(self.__dict__)
        twin.budget = budget
        return twin

    @property
    def has_newline(self) -> bool:
        """Whether a match can have a newline in it."""
        return self._analysis.has_newline(self._node)

    # -- searching ------------------------------------------------------------------------------------------------------

    def search(self, text: str, position: int = 0) -> Match | None:
        """The leftmost match that begins at ``position`` or later."""
        if self._right and self._suits(text):
            return self._fix(self._re(text).search(text, position), text)
        return self._slow(text, position, "search")

    def match(self, text: str, position: int = 0) -> Match | None:
        """The match that begins at ``position``."""
        if self._right and self._suits(text):
            return self._fix(self._re(text).match(text, position), text)
        return self._slow(text, position, "match")

    def fullmatch(self, text: str, position: int = 0) -> Match | None:
        """The match of the whole text from ``position`` on."""
        if self._suits(text):
            return self._fix(self._re(text).fullmatch(text, position), text)
        return self._slow(text, position, "fullmatch")

    def test(self, text: str) -> bool:
        """Whether it matches anywhere: cheaper than asking where."""
        if self._suits(text):
            return self._re(text).search(text) is not None
        return (self._slow if self._has_re2(text) else self._patiently)(text, 0, "search") is not None

    def finditer(self, text: str) -> Iterator[Match]:
        """Every match from left to right; no empty one where another match has just ended."""
        position, last_end = 0, -1
        if self._right and self._suits(text) and not self._keep and (self._posix or not self._nullable):
            for found in self._re(text).finditer(text):
                if found.end() > found.start() or found.start() != last_end:
                    yield found
                last_end = found.end()
            return
        search = self.searcher(text)
        while position <= len(text):
            match = search(position)
            if match is None:
                return
            start, end = match.span()
            if end > start or start != last_end:
                yield match
            last_end = end
            position = end if end > position and end > start else end + 1 if end == start else position + 1

    def replace(self, text: str, replacement: Callable[[Match], str] | str) -> tuple[str, int]:
        """The text with every match replaced, and how many there were.

        Args:
            text: The text.
            replacement: What makes the new text of a match, or that text itself where it is always the same.
        """
        if isinstance(replacement, str):
            if (done := self._replace_characters(text, replacement)) is not None:
                return done
            if self._right and not self._keep and not self._nullable and self._suits(text):
                return self._re(text).subn(replacement.replace("\\", "\\\\"), text)
            fixed = replacement
            return self.replace(text, lambda _: fixed)
        if self._right and not self._keep and not self._nullable and self._suits(text):
            return self._re(text).subn(replacement, text)
        pieces: list[str] = []
        position = count = 0
        for match in self.finditer(text):
            start, end = match.span()
            pieces += (text[position:start], replacement(match))
            position = end
            count += 1
        return ("".join(pieces) + text[position:], count) if count else (text, 0)

    def _replace_characters(self, text: str, replacement: str) -> tuple[str, int] | None:
        """``replace`` for ASCII text and a pattern that is one set of characters: a table does it, a hundred times as fast."""
        if not isinstance(self._node, (Literal, CharSet)) or len(replacement) > 1 or not (text + replacement).isascii():
            return None
        if "characters" not in self._lazy:
            matches = self._re("").match
            self._lazy["characters"] = bytes(code for code in range(128) if matches(chr(code)))
        wanted: bytes = self._lazy["characters"]
        data = text.encode("ascii")
        rest = data.translate(None, wanted)
        if replacement:
            made = data.translate(bytes.maketrans(wanted, replacement.encode("ascii") * len(wanted)))
        else:
            made = rest
        return made.decode("ascii"), len(data) - len(rest)

    def searcher(self, text: str, *, exact: bool = True) -> Callable[[int], Match | None]:
        """A function that searches ``text`` from a position, the engine chosen once; positions may only grow.

        Args:
            text: What to search, over and over.
            exact: Where a match begins and ends matters, not only on which line it is.
        """
        if self._suits(text) and (self._right or not exact):
            search = self._re(text).search
            return (lambda position: self._fix(search(text, position), text)) if self._keep else partial(search, text)
        if self._is_short and (self._right if exact else not self._has_re2(text)):
            return self._in_windows(text)
        if not self._has_re2(text):
            return partial(self.search, text) if exact else lambda position: self._backtrack(text, position, "search")
        return _Re2Search(self, text).search

    # -- whole lines ----------------------------------------------------------------------------------------------------

    def all_matches(self, text: str) -> list[str] | None:
        """The texts of all matches, found in one call; None where that cannot be done."""
        if self._right and not (self._keep or self.groups or self._nullable) and self._suits(text):
            if len(text) > _LONG_TEXT:
                return [match[0] for match in paced(self._re(text).finditer(text))]
            found: list[str] = self._re(text).findall(text)
            return found
        return None

    def count_lines(self, text: str) -> int:
        """How many lines match; see ``lines``."""
        count = self._count_by_string(text)
        if count is not None:
            return count
        ends = self._ends_by_strings(text)
        if ends is not None:
            return len(ends)
        if self._nullable or not self._suits(text):
            return len(self.lines(text))
        return len(self._whole_re(text).findall(text))

    def lines(self, text: str) -> list[tuple[int, int]]:
        """Where the lines that match begin and end, their newlines included.

        Args:
            text: Whole lines; the pattern was compiled with ``by_line``.
        """
        rfind, size = text.rfind, len(text)
        found: list[tuple[int, int]] = []
        position = 0
        ends = self._ends_by_strings(text)
        if ends is not None:
            for end in sorted(ends):
                start, position = position, end + 1
                found.append((rfind("\n", start, end) + 1 or start, position))
            return found
        search, find = self.searcher(text, exact=False), text.find
        while position < size and (match := search(position)) is not None:
            begin = match.start()
            if begin >= size:
                break
            start, position = position, find("\n", begin) + 1
            found.append((rfind("\n", start, begin) + 1 or start, position))
        return found

    def _whole_re(self, text: str) -> re.Pattern[str]:
        """The pattern with the rest of its line, so that every match is a line of its own, and an empty group, which ``findall``
        gives in the place of the line.
        """
        compiled = self._re(text)
        key = f"whole {compiled.pattern}"
        if key not in self._lazy:
            self._lazy[key] = compiled_by_re(f"(?:{compiled.pattern})[^\\n]*+()", compiled.flags)
        whole: re.Pattern[str] = self._lazy[key]
        return whole

    def _count_by_string(self, text: str) -> int | None:
        """How many lines of a long text match, where they are those that hold one string; None where they are others."""
        wanted = self._required
        if wanted is None or not wanted.exact or len(wanted.texts) != 1 or (self._flags and not text.isascii()):
            return None
        return count_with(text.lower() if self._flags else text, wanted.texts[0])

    def _ends_by_strings(self, text: str) -> Collection[int] | None:
        """Where the lines that match end, in no order, by the strings they have to contain; None where that is not quicker."""
        wanted = self._required
        if wanted is None or (self._flags and not text.isascii()):
            return None
        haystack = text.lower() if self._flags else text
        if wanted.exact:
            return ends_with(haystack, wanted.texts)
        if wanted.leading or not few_lines_have(haystack, wanted.texts):
            return None  # re looks for a leading string itself
        rfind, test = text.rfind, self.test
        return [end for end in ends_with(haystack, wanted.texts) if test(text[rfind("\n", 0, end) + 1 : end])]

    @property
    def literal(self) -> str | None:
        """The one string that it matches; None if it may match others."""
        wanted = self._required
        return wanted.texts[0] if wanted is not None and wanted.exact and wanted.leading and not self._flags else None

    def choices(self) -> list[Choice]:
        """What each of its choices contains."""
        return choices_of(self._node, self._analysis)

    @property
    def _required(self) -> Required | None:
        if "required" not in self._lazy:
            usable = self._by_line and not self._keep and self._posix
            self._lazy["required"] = required(self._node, self._analysis, ignore_case=bool(self._flags)) if usable else None
        wanted: Required | None = self._lazy["required"]
        return wanted

    # -- engines --------------------------------------------------------------------------------------------------------

    def _suits(self, text: str) -> bool:
        """Whether ``re`` runs over this text in reasonable time."""
        if self._wide and self._has_re2(text):
            return False
        if len(text) <= self._limit:
            return True
        if not self._by_line or self._limit <= 0:
            return False
        longest = self._longest_line(len(text))
        return longest >= _SHORT_LINE and not _has_long_line(text, longest)

    def _longest_line(self, size: int) -> int:
        """``Effort.longest_line``, computed once for texts of nearly one size: for the longest of them."""
        shift = max(size.bit_length() - _SIZES, 0)
        size = (size >> shift) + 1 << shift
        if size not in self._lengths:
            self._lengths[size] = self._effort.longest_line(size)
        return self._lengths[size]

    def _re(self, text: str) -> re.Pattern[str]:
        ascii_only = text.isascii()
        no_bytes = self._sees_bytes and not ascii_only and _has_bytes(text)
        disputed = not ascii_only and self._disputes(text)
        compiled = self._compiled.get((ascii_only, no_bytes, disputed))
        if compiled is None:
            alphabet: Alphabet = "ascii" if ascii_only else "unicode"
            emitter = Emitter(alphabet, self._by_line, self._line_anchors, self._analysis, no_bytes, posix=disputed)
            try:
                source = emitter.write(self._node)
                compile_source = partial(compiled_by_re, source, self._flags)
                aside = at_once if self.budget is None or len(source) < _LARGE_SOURCE else self.budget.aside
                compiled = aside(compile_source)
            except re.error as error:
                message = "lookbehind assertion is not fixed length" if "look-behind" in str(error) else str(error)
                raise RegexError(message) from None
            except (RecursionError, OverflowError, MemoryError):
                raise RegexError("Regular expression too big") from None
            self._compiled[ascii_only, no_bytes, disputed] = compiled
        return compiled

    def _disputes(self, text: str) -> bool:
        """Whether ``re`` would see other edges of words in the text than the C library, and the pattern asks for them."""
        if not self._posix:
            return False
        if "edges" not in self._lazy:
            source = Emitter("ascii", self._by_line, self._line_anchors).write(self._node)
            self._lazy["edges"] = "\\w" in source or "\\b" in source
        return self._lazy["edges"] and disputed_in_words().search(text) is not None

    @property
    def _re2(self) -> Engine | None:
        """The pattern for re2, or None where it has no such thing."""
        return self._engine("re2", no_bytes=False)

    def _has_re2(self, text: str) -> bool:
        """Whether re2 has the pattern, and a text in which it sees the edges of words: it knows none beyond ASCII."""
        if self._re2 is None:
            return False
        return text.isascii() or not (b"\\b" in self._lazy["re2"] or b"\\B" in self._lazy["re2"])

    def automaton(self, text: str) -> Search:
        """Searches of a text with re2."""
        data = encode(text)
        unusual = self._sees_bytes and len(data) != len(text) and _has_bytes(text)
        found = self._engine("re2 bytes", no_bytes=True) if unusual else self._re2
        assert found is not None  # as the caller has asked
        reach = None if self._effort.endless else self._effort.span
        return Search(found, text, data, self.groups, reach=reach, by_line=self._by_line, budget=self.budget)

    def _engine(self, key: str, *, no_bytes: bool) -> Engine | None:
        if key not in self._lazy:
            self._lazy[key] = self._text_for_re2(no_bytes=no_bytes)
        text = self._lazy[key]
        if text is None:
            return None
        known = self._engines.get(key)
        found = None if known is None else known()
        if found is None:
            found = engine(text, self.groups, longest=self._posix, ignore_case=bool(self._flags))
            if found is None:
                self._lazy[key] = None
            else:
                self._engines[key] = ref(found)
        return found

    def _text_for_re2(self, *, no_bytes: bool) -> bytes | None:
        if self._programmed:
            return None
        node = self._node
        if isinstance(node, Alternation) and self._posix and not self.groups:
            node = Alternation(tuple(sorted(node.choices, key=_beginning)))  # re2 shares what neighbours begin with
        try:
            return encode(Emitter("re2", self._by_line, self._line_anchors, no_bytes=no_bytes).write(node))
        except NotForRe2Error:
            return None

    def _slow(self, text: str, position: int, method: str) -> Match | None:
        """Search with re2, or where it cannot with ``re`` or the backtracking matcher."""
        engine = self._re2
        if engine is not None and text.isascii() and engine.is_quick(text):
            if self.budget is not None:
                self.budget.tick()
            spans = engine.spans(text.encode(), position, method, self.groups)
            return None if spans is None else self.filled(text, spans)
        if not self._has_re2(text):
            if not self._suits(text):
                return self.carefully(text, position, method)
            return self._checked(self._fix(getattr(self._re(text), method)(text, position), text), text, method)
        return _Re2Search(self, text).search(position, method)

    def carefully(self, text: str, position: int, method: str) -> Match | None:
        """Search without re2 what ``re`` would take too long for in one go."""
        return self._checked(self._patiently(text, position, method), text, method)

    def _patiently(self, text: str, position: int, method: str) -> Match | None:
        """Search with ``re`` window by window, or with the backtracking matcher, which asks for time."""
        if method == "search" and self._is_short:
            return self._in_windows(text)(position)
        return self._backtrack(text, position, method)

    @property
    def _is_short(self) -> bool:
        """Whether what it matches has so few characters that a text can be searched window by window."""
        return not self._effort.endless and self._limit >= _MOST_REACH * (self._effort.span + 1)

    def _in_windows(self, text: str) -> Callable[[int], Match | None]:
        """A function that searches a text with ``re`` window by window."""
        reach = self._effort.span + 1  # a match, and the character behind it
        run, step = self._re(text).search, self._limit // _MOST_REACH

        def search(position: int) -> Match | None:
            while position <= len(text):
                found = run(text, position, position + step + reach)
                if found is not None and found.start() <= position + step:  # so that it does not see the window's end
                    return self._fix(found, text)
                position += step + 1
                ask(_WINDOW_STEPS)
            return None

        return search

    def _checked(self, found: Match | None, text: str, method: str) -> Match | None:
        return found if found is None or self._right or method == "fullmatch" else self._lengthened(found, text)

    def filled(self, text: str, spans: list[tuple[int, int]]) -> Match:
        """A match found by re2, its groups filled as glibc fills them."""
        if self.groups and self._posix and spans[0][1] - spans[0][0] <= self._limit:
            # glibc fills the groups in the order of the pattern, once the longest match is known.
            exact = self._re(text).fullmatch(text, *spans[0])
            if exact is not None:
                return exact
        return SpanMatch(text, spans)

    @property
    def _program(self) -> Program:
        """The program of the backtracking matcher."""
        if "program" not in self._lazy:
            self._lazy["program"] = self._compile_program()
        program: Program = self._lazy["program"]
        return program

    def _compile_program(self) -> Program:
        emitter = Emitter("unicode", self._by_line, self._line_anchors, no_bytes=True, posix=self._posix)
        try:
            return Program(self._node, self.groups, emitter, self._flags)
        except ProgramTooLargeError:
            (self.budget or Budget(ExecutionLimits())).fail("timeout")  # there is no engine that could end in time

    def _backtrack(self, text: str, position: int, method: str) -> Match | None:
        budget = self.budget or Budget(ExecutionLimits())
        program = self._program
        start, end = position, len(text)
        beginning = self._analysis.beginning(self._node) if method == "search" else None
        while start <= (end if method == "search" else position):
            budget.tick()
            if beginning is not None:
                found = beginning.search(text, start)
                if found is None:
                    return None
                start = found.start()
            try:
                slots = program.run(text, start, end, budget, whole=method == "fullmatch")
            except CutError as cut:
                line_end = text.find("\n", start) + 1 if self._by_line else 0
                start = min(max(cut.position, start + 1), line_end or end + 1)
                continue
            if slots is not None:
                return SpanMatch(
                    text, list(zip(slots[: 2 * self.groups + 2 : 2], slots[1 : 2 * self.groups + 2 : 2], strict=True))
                )
            start += 1
        return None

    def _lengthened(self, found: Match, text: str) -> Match:
        """The longest match from where one begins: POSIX wants it, and re2 cannot look for it."""
        start, end = found.span()
        longest = self._program.longest(text, start, len(text), self.budget or Budget(ExecutionLimits()))
        if longest <= end:
            return found
        return self._re(text).fullmatch(text, start, longest) or SpanMatch(text, [(start, longest), *[(-1, -1)] * self.groups])

    def _fix(self, found: re.Match[str] | None, text: str) -> Match | None:
        r"""A match of ``re`` with ``\K`` applied."""
        if found is None or not self._keep:
            return found
        keep = self._re(text).groupindex[KEEP_GROUP]
        start = found.end(keep) if found.end(keep) >= 0 else found.start()
        spans = [found.span(number) for number in range(self.groups + 2) if number != keep]
        return SpanMatch(text, [(start, found.end()), *spans[1:]])


def _has_bytes(text: str) -> bool:
    """Whether it holds bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _beginning(node: Node) -> str:
    """The characters that a choice begins with."""
    text = ""
    for item in flatten(node):
        if not isinstance(item, Literal):
            break
        text += item.char
    return text


class _Re2Search:
    """Searches of one text with re2."""

    __slots__ = ("_pattern", "_search", "_text")

    def __init__(self, pattern: Pattern, text: str) -> None:
        self._pattern = pattern
        self._text = text
        self._search = pattern.automaton(text)

    def search(self, position: int, method: str = "search") -> Match | None:
        """The match from ``position`` on."""
        try:
            spans = self._search.spans(position, method)
        except TooSlowError:
            return self._pattern.carefully(self._text, position, method)
        return None if spans is None else self._pattern.filled(self._text, spans)


def _has_long_line(text: str, limit: int) -> bool:
    """Whether a line is longer than ``limit``, found in steps of about ``limit`` characters."""
    position, size = 0, len(text)
    while size - position > limit:
        newline = text.rfind("\n", position, position + limit + 1)
        if newline < 0:
            return True
        position = newline + 1
    return False

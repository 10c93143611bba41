"""History expansion: the words of a line that stand for other lines (bash(1), HISTORY EXPANSION)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.parser import whole_number
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.history import History

_NUMBER = re.compile(r"-?[0-9]+")
_PREFIX = re.compile(r"[^\s:;&()|<>^$*%-]*")
_INSIDE = re.compile(r"([^?\n]*)\??")
_RANGE = re.compile(r"(?P<all>\*)|(?P<matched>%)|(?P<first>[0-9]+|\^|\$)?(?:(?P<rest>\*)|(?P<dash>-)(?P<last>[0-9]+|\^|\$)?)?")
_WORD = re.compile(
    r"""[0-9]*[<>]&[0-9-]*|&>>?|[0-9]*(?:<<<|<<-?|>>|<>|>\||<(?!\()|>(?!\())|;;&?|;&|&&|\|\||\|&|[;&|()]"""
    r"""|(?:[<>$]\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{[^}${]*\}|\$?'[^']*'|\$?"(?:\\.|[^"\\])*"|\\.|[^\s;&|()<>'"`\\$]+|[^\s;&|()<>])+""",
    re.DOTALL,
)
_VERY_LONG = 1 << 15  # characters
_BLANK = " \t\n\r"
_BEFORE_COMMENT = frozenset(["", *_BLANK])
_PLAIN_BEFORE = frozenset(["", "=", *_BLANK])
_SPACED = re.compile(r"\S+")


class EventError(LookupError):
    """A ``!`` word that stands for nothing."""


def words_of(line: str) -> list[str]:
    """The words of a line, among them its operators; those of a very long one are what stands between blanks."""
    return _WORD.findall(line) if len(line) < _VERY_LONG else line.split()


class HistoryExpansion:
    """Replaces the history words of texts.

    Args:
        history: The lines that they stand for.
        characters: The value of ``histchars``.
        extglob: ``!(`` begins a pattern.
        grow: Is told how long a text becomes.
    """

    def __init__(
        self, history: History, grow: Callable[[int], object], characters: str = "!^#", *, extglob: bool = False
    ) -> None:
        self._history = history
        characters = characters + "!^#"[len(characters) :] if characters else "\0\0\0"
        self._bang, self._caret, self._comment = characters[0], characters[1], characters[2]
        self._extglob = extglob
        self._grow = grow
        self._ordinary = re.compile(rf"[^\\'\"{re.escape(self._bang + self._comment)}]*")
        self.shown_only = False  # a modifier `:p` was there

    def expand(self, text: str, quote: str = "") -> str:
        """A text with its history words replaced.

        Args:
            text: One line of a script, or several.
            quote: The quotes in which it begins: a single quote, a double quote or neither.

        Raises:
            EventError: A word that stands for nothing.
        """
        if text.startswith(self._caret) and not quote:
            line, end = self._modified(text, 0, self._last_line(f":s{text}"), quick=True)
            while text[end : end + 1] == ":":
                line, end = self._modified(text, end, line, end)
            return line + text[end:]
        if self._next_word(text, 0, quote, inhibits=True) is None:
            return text
        done: list[str] = []
        position = added = 0
        while (found := self._next_word(text, position, quote, inhibits=False)) is not None:
            start, quote = found
            done.append(text[position:start])
            line, position = self._replaced(text, start, quote, done)
            done.append(line)
            added += len(line)
            self._grow(added)
        done.append(text[position:])
        return "".join(done)

    def _next_word(self, text: str, position: int, quote: str, *, inhibits: bool) -> tuple[int, str] | None:
        """Where the next history word begins, and in which quotes.

        Args:
            text: The text.
            position: Where to look from.
            quote: The quotes there.
            inhibits: What belongs to an expansion or a pattern is none. Undocumented: where there is another one, it is.
        """
        while position < len(text):
            turn()
            character = text[position]
            if character == "\\" and quote != "'":
                position += 2
                continue
            if character in "'\"" and quote in {"", character}:
                quote = "" if quote else character
            elif character == self._comment and not quote and text[max(position - 1, 0) : position] in _BEFORE_COMMENT:
                return None
            elif character == self._bang and quote != "'" and not self._is_plain(text, position, quote, inhibits=inhibits):
                return position, quote
            position = self._ordinary.match(text, position + 1).end()  # type: ignore[union-attr]  # it matches everywhere
        return None

    def _is_plain(self, text: str, position: int, quote: str, *, inhibits: bool) -> bool:
        """Whether the ``!`` there is an ordinary character."""
        following = text[position + 1 : position + 2]
        if following in _PLAIN_BEFORE or (quote and following == quote):
            return True
        if not inhibits:
            return False
        return text[max(position - 2, 0) : position].endswith(("$", "${", "[")) or (following == "(" and self._extglob)

    def _last_line(self, word: str) -> str:
        if not self._history:
            raise EventError(f"{word}: event not found")
        return self._history[-1]

    def _replaced(self, text: str, start: int, quote: str, before: list[str]) -> tuple[str, int]:
        """What the word that begins at ``start`` stands for, and where it ends."""
        line, position = self._event(text, start, quote, before)
        following = text[position : position + 1]
        if following == ":" and re.compile(r"[0-9^$*%-]").match(text, position + 1):
            line, position = self._selected(line, text, position, position + 1)
        elif following and following in "^$*%-":
            line, position = self._selected(line, text, position, position)
        modifiers = position
        while text[position : position + 1] == ":":
            line, position = self._modified(text, position, line, modifiers)
        return line, position

    def _event(self, text: str, start: int, quote: str, before: list[str]) -> tuple[str, int]:
        """The line that a ``!`` word names, and where the name ends."""
        history, position = self._history, start + 1
        character = text[position]
        if character in ":^$*%":
            return self._last_line(text[start:]), position
        if character == self._bang:
            return self._last_line(text[start : position + 1]), position + 1
        if character == "#":
            return "".join(before), position + 1
        number = _NUMBER.match(text, position)
        if number is not None:
            index = whole_number(number[0]) + (len(history) if character == "-" else -history.first)
            if 0 <= index < len(history) and number[0] != "-0":
                return history[index], number.end()
            raise EventError(f"{text[start : number.end()]}: event not found")
        if character == "?":
            return self._containing(text, start)
        end = _PREFIX.match(text, position).end()  # type: ignore[union-attr]  # it matches everywhere
        if quote and quote in text[position:end]:
            end = text.index(quote, position)
        found = history.find(text[position:end]) if end > position else None
        if found is None:
            end = end if end > position or character != "-" else end + 1
            raise EventError(f"{text[start:end]}: event not found")
        return found, end

    def _containing(self, text: str, start: int) -> tuple[str, int]:
        """``!?string?``"""
        history = self._history
        match = _INSIDE.match(text, start + 2)
        assert match is not None
        wanted = match[1] or history.searched
        for line in reversed(history) if wanted else ():
            if wanted in line:
                history.searched = wanted
                history.matched = next((word for word in words_of(line) if wanted in word), "")
                return line, match.end()
        raise EventError(f"{text[start : match.end()]}: event not found")

    def _selected(self, line: str, text: str, start: int, position: int) -> tuple[str, int]:
        """The words of a line that a designator selects, and where it ends."""
        match = _RANGE.match(text, position)
        assert match is not None
        words = words_of(line)
        last = len(words) - 1
        if match["matched"]:
            return self._history.matched, match.end()
        if match["all"]:
            return " ".join(words[1:]), match.end()
        ends = {"^": 1, "$": last, None: 0}
        begin, end = (ends[name] if name in ends else whole_number(name) for name in (match["first"], match["last"]))
        if match["rest"]:
            end = last
        elif not match["dash"]:
            end = begin
        elif match["last"] is None:
            end = max(last - 1, begin - 1)
        if match["rest"] and begin == last + 1:
            return "", match.end()
        if begin > last or end > last or (end < begin and match["last"] is not None):
            raise EventError(f"{text[start : match.end()]}: bad word specifier")
        return " ".join(words[begin : end + 1]), match.end()

    def _modified(self, text: str, start: int, line: str, first: int = 0, *, quick: bool = False) -> tuple[str, int]:
        """A line after the modifier at ``start``, and where that ends.

        Args:
            text: The text.
            start: Where it has the colon of the modifier; of ``^a^b^``, where that begins.
            line: The line.
            first: Where it has the first of the modifiers.
            quick: The text is ``^a^b^``.
        """
        position, everywhere, by_word = start + 1, False, False
        letter = "s" if quick else text[position : position + 1]
        while letter and letter in "gaG":
            everywhere, by_word = everywhere or letter != "G", by_word or letter == "G"
            position += 1
            letter = text[position : position + 1]
        if letter and letter in "s&":
            end = self._read_change(text, 0 if quick else position + 1) if letter == "s" else position + 1
            shown = f":s{text[:end]}" if quick else text[first:end]
            return self._changed(line, shown.rstrip("\n"), everywhere=everywhere, by_word=by_word), end
        if letter == "p":
            self.shown_only = True
            return line, position + 1
        if letter == "" or letter not in "htreqx" or everywhere or by_word:
            raise EventError(f"{letter}: unrecognized history modifier")
        return _shortened(line, letter), position + 1

    def _read_change(self, text: str, position: int) -> int:
        """Read ``/old/new/`` from the delimiter at ``position`` on; returns where it ends."""
        delimiter = text[position : position + 1]
        if not delimiter:
            return position
        part = re.compile(rf"((?:\\.|(?!{re.escape(delimiter)})[^\n])*)({re.escape(delimiter)})?", re.DOTALL)
        match = part.match(text, position + 1)
        assert match is not None
        old = match[1].replace("\\" + delimiter, delimiter) or self._history.replaced[0] or self._history.searched
        match = part.match(text, match.end()) if match[2] else match
        assert match is not None
        new = match[1].replace("\\" + delimiter, delimiter) if match.start() > position + 1 else ""
        new = re.sub(r"\\(&)|&", lambda found: found[1] or old, new)
        self._history.replaced = (old, new)
        return match.end()

    def _changed(self, line: str, shown: str, *, everywhere: bool, by_word: bool) -> str:
        old, new = self._history.replaced
        if not old or old not in line:
            raise EventError(f"{shown}: substitution failed")
        if by_word:
            return _SPACED.sub(lambda word: word[0].replace(old, new, -1 if everywhere else 1), line)
        return line.replace(old, new, -1 if everywhere else 1)


def _shortened(line: str, letter: str) -> str:
    """A line after one of the modifiers ``:h``, ``:t``, ``:r``, ``:e``, ``:q`` and ``:x``."""
    head, slash, tail = line.rpartition("/")
    stem, dot, suffix = line.rpartition(".")
    if letter == "h":
        return head if slash else line
    if letter == "t":
        return tail
    if letter == "r":
        return stem if dot else line
    if letter == "e":
        return dot + suffix if dot else line
    if letter == "q":
        return _quoted(line)
    return re.sub(r"[^ \t\n]+", lambda word: _quoted(word[0]), line)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"

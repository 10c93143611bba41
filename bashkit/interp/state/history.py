"""The history list of a shell, and the words that stand for its lines (bash(1), HISTORY and HISTORY EXPANSION)."""

from __future__ import annotations

import re

_EVENT = re.compile(
    r"!(?:(!)|(-?[0-9]+)|\?([^?]*)\??|([^\s!:^$*?=(%]+))?((?::?[$^*]|:[0-9]+(?:-(?:[0-9]+|\$)?|\*)?|:-[0-9]+)?)((?::[hterpq])*)"
)
_QUICK = re.compile(r"\^([^^]*)\^([^^]*)\^?$")


class History(list[str]):
    """The lines, oldest first.

    Attributes:
        first: The number of the oldest line.
        filed: How many lines of the history file the list knows: ``-n`` reads on from there.
        unwritten: How many lines at the end are not in the file yet, for ``-a``.
    """

    first = 1
    filed = 0
    unwritten = 0

    def fork(self) -> History:
        """The list of a subshell."""
        twin = History(self)
        twin.first, twin.filed, twin.unwritten = self.first, self.filed, self.unwritten
        return twin

    def add(self, line: str, most: int | None) -> None:
        """Put a line at the end, and drop the oldest where there are more than ``most``."""
        self.append(line)
        self.unwritten += 1
        if most is not None and len(self) > most:
            self.first += len(self) - most
            del self[: len(self) - most]

    def find(self, text: str) -> str | None:
        """The last line that begins with ``text``."""
        return next((line for line in reversed(self) if line.startswith(text)), None)

    def expand(self, text: str) -> str:
        """``text`` with its ``!`` words replaced by what they stand for.

        Raises:
            LookupError: The word that stands for nothing.
        """
        quick = _QUICK.match(text)
        if quick is not None:
            if not self or quick[1] not in self[-1]:
                raise LookupError(":s" + text + ": substitution failed")
            return self[-1].replace(quick[1], quick[2], 1)
        return _EVENT.sub(self._stand_for, text)

    def _stand_for(self, match: re.Match[str]) -> str:
        whole = match[0]
        if not any(match.groups()[:5]):
            return whole
        line = self._event(match)
        if line is None:
            raise LookupError(whole + ": event not found")
        if match[5]:
            line = _words(line, match[5].removeprefix(":"), whole)
        for letter in match[6].split(":")[1:]:
            line = _modified(line, letter)
        return line

    def _event(self, match: re.Match[str]) -> str | None:
        same, number, inside, prefix = match[1], match[2], match[3], match[4]
        if number is not None:
            index = int(number) + (len(self) if number.startswith("-") else -self.first)
            return self[index] if 0 <= index < len(self) else None
        if inside is not None:
            return next((line for line in reversed(self) if inside in line), None)
        if prefix is not None:
            return self.find(prefix)
        return self[-1] if self and (same or match[5]) else None


def _words(line: str, selector: str, whole: str) -> str:
    """The words of a line that ``0``, ``1-3``, ``^``, ``$`` or ``*`` select."""
    words = line.split()
    last = len(words) - 1
    if selector == "*":
        return " ".join(words[1:])
    begin, dash, end = selector.partition("-")
    if begin.endswith("*"):
        begin, dash, end = begin[:-1], "-", "$"
    low = {"": 0, "^": 1, "$": last}.get(begin)
    low = int(begin) if low is None else low
    high = (last if end == "$" else int(end) if end else last - 1) if dash else low
    if low > last or high > last:
        raise LookupError(whole + ": bad word specifier")
    return " ".join(words[low : high + 1])


def _modified(line: str, letter: str) -> str:
    """A line after one of the modifiers ``:h``, ``:t``, ``:r``, ``:e``, ``:q`` and ``:p``."""
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
    return "'" + line.replace("'", "'\\''") + "'" if letter == "q" else line

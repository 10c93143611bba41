"""Where any of many strings stands in a text: re2 finds where one may begin, and a set tells which it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from bashkit.limits import ask
from bashkit.regex.automaton import encode, engine, is_there
from bashkit.regex.syntax_tree import RegexError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_BEGINNINGS = (32, 16, 12, 8, 6, 4, 3, 2, 1)  # characters of each string that the automaton knows
_MOST_CHARACTERS = 1 << 18  # of the beginnings together: re2 reads them in 50 ms
Form = Literal["", "word", "longest"]
_FORMS: dict[Form, tuple[bytes, bool]] = {"word": (rb"(?m)(?:^|\W)(?:%b)(?:\W|$)", False), "longest": (b"%b", True)}
_ESCAPES = {code: f"\\x{code:02x}" for code in range(128) if not chr(code).isalnum()}
_AT_ONCE = 1 << 20  # bytes that are searched in one call
_CHARGED = 9  # bits of the bytes that one step searches
_READ = 3  # bits of the characters that one step reads


class Strings:
    """Finds strings in lines, overlapping ones too.

    Args:
        texts: They; none is empty, and none holds a newline.

    Raises:
        RegexError: They are too many.
    """

    def __init__(self, texts: Collection[str]) -> None:
        self._texts = frozenset(texts)
        self._lengths = sorted(set(map(len, self._texts)), reverse=True)
        self._automaton, self._source, self._is_exact = _automaton(self._texts, self._lengths[0])
        self._forms: dict[Form, Any] = {"": self._automaton}

    def lines(self, text: str, form: Form = "") -> Iterator[tuple[int, int]]:
        """Where the lines that may hold one begin and end, without their newlines.

        Args:
            text: The lines.
            form: What is ``word`` is a whole word; only for text that is all ASCII, and only what ``knows`` says.
        """
        if not text.isascii():
            yield from self._lines_of_any(text)
            return
        search, data, size = self._forms[form].search, text.encode(), len(text)
        for position, cut in _parts(data):
            while position < cut and (found := search(data, position, cut)):
                begin = found.start()
                begin += text[begin] == "\n"  # what stands before a word
                end = text.find("\n", begin)
                end = size if end < 0 else end
                yield text.rfind("\n", position, begin) + 1 or position, end
                position = end + 1

    def _lines_of_any(self, text: str) -> Iterator[tuple[int, int]]:
        """As ``lines``, for text that is not all ASCII, where places in characters and in bytes differ."""
        search = self._automaton.search
        position = 0
        for line in text.split("\n"):
            ask(1 + (len(line) >> _CHARGED))
            if search(encode(line)):
                yield position, position + len(line)
            position += len(line) + 1

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where strings begin and end in ASCII text: leftmost, longest, not overlapping. Only where it ``knows`` them."""
        search, data = self._forms["longest"].search, text.encode()
        for position, cut in _parts(data):
            while position < cut and (found := search(data, position, cut)):
                ask(1)
                yield found.span()
                position = found.end()

    def knows(self, form: Form) -> bool:
        """Whether the automaton alone tells where the strings are: a line that may hold one does."""
        if form not in self._forms:
            template, longest = _FORMS[form]
            self._forms[form] = engine(template % self._source, 0, longest=longest, ignore_case=False)
        return self._is_exact and self._forms[form] is not None

    def places(self, line: str) -> Iterator[tuple[int, str]]:
        """Where strings begin in a line, and which: from left to right, of those that begin at one place the longest first."""
        data, texts, size = encode(line), self._texts, len(line)
        plain = len(data) == size
        place = offset = 0  # in characters, and in bytes
        while found := self._automaton.search(data, offset):
            place = found.start() if plain else place + len(data[offset : found.start()].decode())
            ask(1 + (found.start() - offset >> _CHARGED))
            for length in self._lengths:
                if place + length <= size and (text := line[place : place + length]) in texts:
                    yield place, text
            offset = found.start() + (1 if plain else len(encode(line[place])))
            place += 1


def _parts(data: bytes) -> Iterator[tuple[int, int]]:
    """Where the parts of lines of text that are searched in one call begin and end; asks for the time that each takes."""
    position = 0
    while position < len(data):
        cut = data.find(b"\n", position + _AT_ONCE) + 1 or len(data)
        ask(1 + (cut - position >> _CHARGED))
        yield position, cut
        position = cut


def _automaton(texts: Collection[str], longest: int) -> tuple[Any, bytes, bool]:
    """The expression of re2 for what the strings begin with, its source, and whether that is all of each.

    It knows as much of them as stays small. ``re`` looks for the first byte.
    """
    if not is_there:
        source = b"[%b]" % b"".join(re.escape(byte) for byte in sorted({encode(text[0])[:1] for text in texts}))
        return re.compile(source), source, False
    for length in _BEGINNINGS:
        beginnings = sorted({text[:length] for text in texts})  # re2 shares what neighbours begin with
        size = sum(map(len, beginnings))
        ask(len(texts) + (size >> _READ))
        if size <= _MOST_CHARACTERS:
            source = encode("|".join(beginning.translate(_ESCAPES) for beginning in beginnings))
            if (found := engine(source, 0, longest=False, ignore_case=False)) is not None:
                return found, source, length >= longest
    raise RegexError("Regular expression too big")

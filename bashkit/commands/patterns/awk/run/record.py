"""The current record and its fields, each derived from the other on demand (POSIX XCU awk, Variables and Special Variables)."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.run.regexes import compile_regex
from bashkit.commands.patterns.awk.run.values import assigned
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.limits import ask_room, ask_room_for
from bashkit.regex.cache import compiled_by_re

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.awk.run.values import Value
    from bashkit.limits import Budget

    Splitter = Callable[[str], list[str]]

# Characters that str.split() treats as blanks and awk does not.
ODD_BLANKS = re.compile("[\x0b-\x0d\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_SHORT = 64  # characters
_ODD_ASCII = "\x0b\x0c\r\x1c\x1d\x1e\x1f"
_LONG = 4096
BLANKS = " \t\n"
_MANY = 0xFFF  # pieces after which time and room for them are asked for
_NO_INDEX = 9.3e18  # gawk's indices have 64 bits: one from here on, or an infinite one, is none
_SCANNED = 2  # the last field, from 0, for which a search is faster than splitting
_NO_WIDTH = 1 << 32  # gawk's widths have 32 bits
_SKIP = re.compile(r"([0-9]+):")
_WIDTH = re.compile(r"\+?([0-9]+)(?:\s+|$)", re.ASCII)
_WORD = re.compile(r"[^ \t\n]+")


@lru_cache(maxsize=64)
def _scanner(separator: str, index: int) -> Callable[[str], list[str]]:
    """A pattern that finds one field, counted from 0, of each line; nothing for lines with fewer fields."""
    if separator == " ":
        pattern = "[ \t]*+" + "[^ \t\n]++[ \t]++" * index + "([^ \t\n]*+)"
    else:
        char = re.escape(separator)
        pattern = f"[^{char}\n]*+{char}" * index + f"([^{char}\n]*+)"
    return compiled_by_re(pattern + "[^\n]*+\n").findall


def has_odd_blanks(text: str) -> bool:
    """Whether ``str.split`` would split a text differently than awk."""
    if len(text) > _SHORT and text.isascii():
        return any(blank in text for blank in _ODD_ASCII)  # a search for each character is faster than one for all
    return ODD_BLANKS.search(text) is not None


def split_blank(text: str) -> list[str]:
    """Split a text at spaces, tabs and newlines."""
    return _WORD.findall(text) if has_odd_blanks(text) else text.split()


def _pace(pieces: int, characters: int, budget: Budget) -> None:
    """Ask for the time of some more pieces, and for the room of all so far."""
    budget.tick(_MANY >> 3)
    ask_room_for(pieces, characters, budget)


def split_regex(
    text: str, pattern: str, budget: Budget, *, ignore_case: bool = False, seps: list[str] | None = None
) -> list[str]:
    """Split a text at matches of a pattern; an empty match separates nothing."""
    if not text:
        return []
    pieces: list[str] = []
    start = 0
    for found in compile_regex(pattern, budget, ignore_case=ignore_case).finditer(text):
        low, high = found.span()
        if low == high:
            continue
        pieces.append(text[start:low])
        if seps is not None:
            seps.append(text[low:high])
        start = high
        if not len(pieces) & _MANY:
            _pace(len(pieces), low, budget)
    pieces.append(text[start:])
    budget.tick((len(pieces) & _MANY) >> 3)
    return pieces


def match_pieces(
    text: str, pattern: str, budget: Budget, *, ignore_case: bool = False, seps: list[str] | None = None
) -> list[str]:
    """The parts of a text that match a pattern (FPAT)."""
    pieces: list[str] = []
    end, last = 0, -1
    for found in compile_regex(pattern, budget, ignore_case=ignore_case).finditer(text):
        low, high = found.span()
        if low == high and (low == last or not text):
            continue  # where a field ends no empty one begins
        if seps is not None:
            seps.append(text[end:low])
        pieces.append(text[low:high])
        end = last = high
        if not len(pieces) & _MANY:
            _pace(len(pieces), low, budget)
    if seps is not None:
        seps.append(text[end:])
    budget.tick((len(pieces) & _MANY) >> 3)
    return pieces


def _no_field(index: float) -> AwkError:
    return AwkError(f"attempt to access field {int(index) if abs(index) < _NO_INDEX else -(1 << 63)}")


def _fixed_widths(value: str) -> Splitter:
    widths: list[tuple[int, int | None]] = []
    rest = value.lstrip()
    while rest:
        skip = _SKIP.match(rest)
        after = rest[skip.end() :] if skip else rest
        width = _WIDTH.match(after)
        if after.startswith("*"):
            if after.rstrip() != "*":
                raise AwkError("`*' must be the last designator in FIELDWIDTHS")
        elif not width or not 0 < int(width[1][:20]) < _NO_WIDTH or (skip and not 0 < int(skip[1][:20]) < _NO_WIDTH):
            raise AwkError(f"invalid FIELDWIDTHS value, for field {len(widths) + 1}, near `{after}'")
        widths.append((int(skip[1]) if skip else 0, int(width[1]) if width else None))
        rest = after[width.end() :] if width else ""

    def split(text: str) -> list[str]:
        pieces: list[str] = []
        at = 0
        for skip, width in widths:
            if at >= len(text):
                break
            at += skip
            end = len(text) if width is None else at + width
            pieces.append(text[at:end])
            at = end
        return pieces

    return split


class Record:
    """``$0`` and its fields.

    Args:
        pad: The number of empty strings after the fields, so that a constant ``$n`` need not check NF; at least 1.
        most: The number of fields that are read; -1 for all fields and NF.
        budget: Charged before fields are made.
        to_text: Converts a number that was assigned to a field.
        grown: Notes that a long string was made.

    Attributes:
        text: ``$0``; None if the fields have changed since.
        fields: The padded fields; None if ``text`` is not split yet.
        count: NF, if ``fields`` is set.
        quick: Whether ``text.split(None, most)`` makes the fields.
        regular: Whether records probably have the same number of fields.
        plain: Whether ``text`` contains no character that only Python treats as a blank.
        number: NR; ``file_number`` is FNR.
        ofs: The output field separator.
    """

    __slots__ = (
        "_budget",
        "_grown",
        "_separator",
        "_splitter",
        "_to_text",
        "count",
        "fields",
        "file_number",
        "most",
        "number",
        "ofs",
        "pad",
        "plain",
        "quick",
        "regular",
        "text",
    )

    def __init__(self, pad: int, most: int, budget: Budget, to_text: Callable[[Value], str], grown: Callable[[str], str]) -> None:
        self.pad = [""] * pad
        self.most = most
        self._budget = budget
        self._to_text = to_text
        self._grown = grown
        self._splitter: Splitter | None = None
        self._separator = " "  # the character between fields; empty if the separator is not a single character
        self.regular = True
        self.text: str | None = ""
        self.fields: list[Value] | None = None
        self.count = 0
        self.plain = self.quick = False
        self.number: float = 0
        self.file_number: float = 0
        self.ofs = " "

    def split(self) -> list[Value]:
        """Split ``text`` and return the padded fields."""
        text = self.text or ""
        fields: list[Value]
        if self._splitter is not None:
            fields = self._splitter(text)  # type: ignore[assignment]  # its strings are values
        elif self.plain:
            if self.most < 0:
                ask_room(text, BLANKS, self._budget)
            fields = text.split(None, self.most)  # type: ignore[assignment]  # as above
        else:
            ask_room(text, BLANKS, self._budget)
            fields = split_blank(text)  # type: ignore[assignment]  # as above
        self.count = len(fields)
        fields += self.pad
        self.fields = fields
        return fields

    def cutter(self) -> Callable[[str], list[str]]:
        """A function that splits records into fields without storing them."""
        splitter, most = self._splitter, self.most
        if splitter is not None:
            return splitter
        return (lambda text: text.split(None, most)) if self.plain else split_blank

    def rows(self, texts: list[str]) -> list[list[str]]:
        """The fields of many records."""
        if self._separator and self.most < 0:
            for text in texts:
                ask_room(text, BLANKS if self._separator == " " else self._separator, self._budget)
        if self.quick:
            most = self.most
            return [text.split(None, most) for text in texts]
        return list(map(self.cutter(), texts))

    def columns(self, records: list[str] | str, size: int, wanted: tuple[int, ...]) -> list[list[str]]:
        """Return some fields of many records: for each field the texts of all records, empty for records with fewer fields.

        Args:
            records: The records, or a text with newlines between them.
            size: The number of records.
            wanted: The fields, counted from 0.
        """
        text = records if isinstance(records, str) else "\n".join(records)
        if self._separator and (isinstance(records, str) or text.count("\n") < size):
            if len(wanted) == 1 and wanted[0] <= _SCANNED:
                found = self._column(text, wanted[0])
                if len(found) == size:
                    return [found]
            elif self.regular:
                table = self._table(text, size)
                if table is not None:
                    cells, width = table
                    return [cells[index::width] if index < width - 1 else [""] * size for index in wanted]
                self.regular = False
        rows = self.rows(records.split("\n") if isinstance(records, str) else records)
        if min(map(len, rows), default=0) < len(self.pad):
            pad = self.pad
            for row in rows:
                row += pad
        return [[row[index] for row in rows] for index in wanted]

    def _column(self, text: str, index: int) -> list[str]:
        """One field of each line of a text; too few where that cannot be said."""
        separator = self._separator
        if not index and separator not in text and not (separator == " " and "\t" in text):
            return text.split("\n")  # a line is one field
        if self.quick and separator == " ":
            try:
                return [line.split(None, index + 1)[index] for line in text.split("\n")]
            except IndexError:  # a line has fewer
                pass
        return _scanner(separator, index)(text + "\n")

    def _table(self, text: str, size: int) -> tuple[list[str], int] | None:
        """All fields in one list, each record's followed by a newline, and the number of list items per record. None unless one
        separator stands between all fields and all records have the same number of fields.

        None where the records are not such that one separator stands between any two fields, and all have as many fields.
        """
        separator = self._separator
        if text.partition("\n")[0].count(separator) > len(self.pad) * 2 + 6:
            return None
        if separator == " ":
            text = text.replace("\t", " ")
        text = text.replace("\n", f"{separator}\n{separator}")
        if separator == " " and ("  " in text or text.startswith(" ") or text.endswith(" ")):
            return None
        cells = text.split(separator)
        width, rest = divmod(len(cells) + 1, size)
        if rest or cells[width - 1 :: width].count("\n") != size - 1:
            return None
        return cells, width

    def whole(self) -> str:
        """``$0``, joined from the fields if they have changed."""
        if self.text is None:
            fields = (self.fields or [])[: self.count]
            if len(self.ofs) * len(fields) > _LONG:
                self._budget.string(len(self.ofs) * (len(fields) - 1))
            try:
                text = self.ofs.join(fields)  # type: ignore[arg-type]  # mostly they are strings
            except TypeError:
                text = self.ofs.join(map(self._to_text, fields))
            if len(text) > _LONG:
                self._grown(text)
            self.text = text = assigned(text)
            return text
        return self.text

    def arrive(self, *, plain: bool) -> None:
        """Note whether the following records are ``plain``."""
        self.plain = plain
        self.quick = plain and self._splitter is None

    def set_text(self, text: str) -> None:
        """Assign ``$0``."""
        if len(text) > _LONG:
            self._budget.tick(len(text) >> 6)  # it is probably split
        self.text = text
        self.fields = None
        self.plain = self.quick = False

    def fields_count(self) -> int:
        """NF."""
        if self.fields is None:
            self.split()
        return self.count

    def get(self, index: float) -> Value:
        """``$index``.

        Raises:
            AwkError: The index is negative, or no index.
        """
        if index >= 1:
            fields = self.fields or self.split()
            return fields[int(index) - 1] if index < self.count + 1 else self.beyond(index)
        if index > -1:
            return self.whole()
        raise _no_field(index)

    def beyond(self, index: float) -> str:
        """What a field is that the record does not have."""
        if index < _NO_INDEX:
            return ""
        raise _no_field(index)

    def last(self) -> Value:
        """``$NF``."""
        fields = self.fields or self.split()
        return fields[self.count - 1] if self.count else self.whole()

    def reach(self, index: float) -> Value:
        """``$index`` as a place that may be assigned: fields are made up to it, and ``$0`` stays as it is."""
        if self.fields_count() + 1 <= index < _NO_INDEX:
            self._resize(self.fields or self.split(), int(index))
        return self.get(index)

    def put(self, index: float, value: Value) -> Value:
        """Assign ``$index`` and return the value."""
        if not -1 < index < _NO_INDEX:
            raise _no_field(index)
        place = int(index)
        if place == 0:
            self.set_text(assigned(value) if type(value) is str else self._to_text(value))
            return value
        fields = self.fields or self.split()
        if place > self.count:
            self._resize(fields, place)
        fields[place - 1] = assigned(value) if type(value) is str else value
        self.text = None
        return value

    def put_last(self, value: Value) -> Value:
        """Assign ``$NF``, as NF is once the value is known, and return the value."""
        return self.put(self.fields_count(), value)

    def set_count(self, count: float) -> None:
        """Assign NF."""
        if not -1 < count < _NO_INDEX:
            raise AwkError("NF set to negative value")
        fields = self.fields or self.split()
        self._resize(fields, int(count))
        self.text = None

    def _resize(self, fields: list[Value], count: int) -> None:
        self._budget.words(count)
        self._budget.tick(count >> 6)
        del fields[min(self.count, count) :]
        fields += [""] * (count - len(fields))
        fields += self.pad
        self.count = count

    # -- how to split -----------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Split the current record by the old rules before they change."""
        self.quick = False
        if self.fields is None and self.text:
            self.split()

    def set_separator(self, separator: str, *, paragraphs: bool, ignore_case: bool) -> None:
        """Split by FS from the next record on.

        Args:
            separator: FS.
            paragraphs: RS is empty, so that a newline separates fields too.
            ignore_case: IGNORECASE is set.
        """
        self._settle()
        self._separator = ""
        self.regular = True
        budget = self._budget
        if separator == " ":
            self._splitter = None
            self._separator = " "
        elif separator == "":
            self._splitter = self._characters
        elif len(separator) == 1 and not (paragraphs and separator != "\n"):
            self._splitter = partial(self._parted, separator)
            self._separator = separator if separator != "\n" else ""
        else:
            pattern = separator
            if len(separator) == 1 and not separator.isalnum():
                pattern = f"[{separator}]" if separator not in "^\\]" else "\\" + separator
            if paragraphs and len(separator) == 1:  # only then a newline separates too
                pattern = f"({pattern})|\n"
            compile_regex(pattern, budget)
            self._splitter = lambda text: split_regex(text, pattern, budget, ignore_case=ignore_case)

    def _characters(self, text: str) -> list[str]:
        ask_room(text, "", self._budget)
        return list(text)

    def _parted(self, separator: str, text: str) -> list[str]:
        if self.most < 0:
            ask_room(text, separator, self._budget)
        return text.split(separator, self.most) if text else []

    def set_widths(self, widths: str) -> None:
        """Split by FIELDWIDTHS from the next record on."""
        self._settle()
        self._splitter, self._separator = _fixed_widths(widths), ""

    def set_pattern(self, pattern: str, *, ignore_case: bool) -> None:
        """Split by FPAT from the next record on."""
        self._settle()
        compile_regex(pattern, self._budget)
        self._separator = ""
        budget = self._budget
        self._splitter = lambda text: match_pieces(text, pattern, budget, ignore_case=ignore_case)

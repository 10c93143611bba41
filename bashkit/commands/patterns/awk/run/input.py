"""The main input of an awk program: the files and assignments of ARGV in order (POSIX XCU awk, OPERANDS)."""

from __future__ import annotations

import errno
import re
from operator import length_hint
from typing import TYPE_CHECKING, Any

from bashkit.commands.patterns.awk.run.reader import Reader
from bashkit.commands.patterns.awk.syntax.tree import AwkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.commands.patterns.awk.run.inplace import InPlace
    from bashkit.commands.patterns.awk.run.runtime import Runtime
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_BATCH = 512  # records that are read at once for getline
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


def assignment(word: str) -> tuple[str, str] | None:
    """The name and text of an operand ``name=text``; None for a file."""
    found = _ASSIGNMENT.fullmatch(word)
    return (found[1], found[2]) if found else None


def opened(process: Process, name: str) -> Stream:
    """An input; the name of a descriptor is that descriptor for awk, which does not open it anew.

    Raises:
        OSError: It cannot be opened.
    """
    descriptor = process.descriptor(name)
    return process.open(name) if descriptor is None or descriptor.unreadable else descriptor


class MainInput:
    """Records of the operands.

    Args:
        runtime: The running program.

    Attributes:
        counted: Whether the input counts records, because the program never reads NR.
        exact: Whether records are read one at a time, because the program reads RT.
        records: The last batch, as a text if it was read whole.
        size: The number of records in it.
        in_place: Changes files in place, if they are.
        begin_file: Runs BEGINFILE; returns whether to skip the file. Likewise ``end_file``.
    """

    __slots__ = (
        "_delivered",
        "_index",
        "_iterator",
        "_opened",
        "_reader",
        "_runtime",
        "begin_file",
        "counted",
        "end_file",
        "exact",
        "in_place",
        "records",
        "size",
    )

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._reader: Reader | None = None
        self._iterator: Iterator[Any] = iter(())
        self._index = 0
        self._opened = False  # a file operand was seen
        self._delivered = 0  # records of the file that were read
        self.counted = False
        self.exact = False
        self.records: list[str] | str = []
        self.size = 0
        self.in_place: InPlace | None = None
        self.begin_file: Callable[[], bool] | None = None
        self.end_file: Callable[[], None] | None = None

    def batch(self, most: int, *, whole: bool = False) -> Iterator[Any] | None:
        """Return the buffered records or the next ones; None at the end of the input.

        Args:
            most: The maximum number of records.
            whole: Whether they may be one text; the returned iterable then only yields as many placeholders.
        """
        left = length_hint(self._iterator)
        if left:
            self.records, self.size = self.records[-left:], left
            return self._iterator
        runtime = self._runtime
        while True:
            reader = self._reader
            if reader is None:
                reader = self._next_file()
                if reader is None:
                    return None
                self._reader = reader
            try:
                text = reader.block(runtime.separator) if whole else None
                records = reader.take(runtime.separator, 1 if self.exact else most) if text is None else []
            except OSError as error:
                raise AwkError(f"error reading input file `{runtime.special['FILENAME']}': {error.strerror}") from None
            if text is None and not records:
                self._finish_file()
                continue
            if self.exact:
                runtime.special["RT"] = reader.ends[-1]
            runtime.read(reader.arrived)
            reader.arrived = 0
            runtime.record.arrive(plain=reader.plain)
            self.size = len(records) if text is None else text.count("\n") + 1
            self._delivered += self.size
            self.records = records if text is None else text
            self._iterator = iter(records) if text is None else iter(range(self.size))
            return self._iterator

    def next(self) -> str | None:
        """Read one record and count it; None at the end."""
        text: str | None = next(self._iterator, None)
        if text is None:
            iterator = self.batch(_BATCH)
            if iterator is None:
                return None
            text = next(iterator)
        record = self._runtime.record
        record.number += 1
        record.file_number += 1
        return text

    def position(self) -> float:
        """FNR, for a message."""
        if self.counted:
            return float(self._delivered - length_hint(self._iterator))
        return self._runtime.record.file_number

    def unread(self) -> None:
        """Return the buffered records to the reader, because RS will change."""
        records = list(self._iterator)
        if self._reader is not None:
            self._reader.unread(records)
            self._delivered -= len(records)

    def skip_file(self) -> None:
        """Nextfile."""
        list(self._iterator)
        if self._reader is not None:
            self._finish_file()

    def _finish_file(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            if self.end_file is not None:
                self.end_file()
            if self.in_place is not None:
                self.in_place.end()
            self._runtime.process.close(reader.stream)

    def _next_file(self) -> Reader | None:
        """Open the next operand; standard input if no operand is a file."""
        runtime = self._runtime
        while True:
            self._index += 1
            if self._index >= runtime.argc:
                if self._opened:
                    return None
                self._opened = True
                return self._open("-", shown="-")
            value = runtime.argv.get(str(self._index), "")
            word = runtime.to_text(value)
            if word == "" or runtime.assign_operand(word):
                continue
            if not runtime.outputs.allowed and word not in runtime.operands:
                raise AwkError(f"cannot add a new file ({word}) to ARGV in sandbox mode", self._line())
            self._opened = True
            runtime.special["ARGIND"] = float(self._index)
            reader = self._open(word, shown=word)
            if reader is not None:
                return reader

    def _open(self, name: str, shown: str) -> Reader | None:
        runtime = self._runtime
        runtime.special["FILENAME"] = shown
        runtime.special["ERRNO"] = ""
        runtime.record.file_number = 0
        runtime.begun |= self._delivered > 0
        self._delivered = 0
        failure = ""
        reader = None
        try:
            reader = Reader(opened(runtime.process, name), runtime.budget, runtime.encoding)
        except OSError as error:
            failure = error.strerror or str(error)
            if error.errno == errno.EISDIR and self.begin_file is None:
                runtime.standard.flush()
                place = runtime.place(self._line())
                runtime.process.warn(f"{place}warning: command line argument `{name}' is a directory: skipped")
                return None
            runtime.special["ERRNO"] = failure
        if self.in_place is not None and reader is not None:
            self.in_place.begin(name)
        if self.begin_file is not None:
            runtime.record.set_text("")
        if self.begin_file is not None and self.begin_file():
            if reader is not None:
                runtime.process.close(reader.stream)
            return None
        if reader is None:
            doing = f"error reading input file `{name}'" if name == "-" else f"cannot open file `{name}' for reading"
            raise AwkError(f"{doing}: {failure}", self._line())
        return reader

    def _line(self) -> int:
        """The line of the program that has run last, as far as that is known."""
        return self._runtime.last_line if self._runtime.begun else 0

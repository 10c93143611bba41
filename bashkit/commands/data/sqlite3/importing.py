"""The sqlite3 shell's ``.import`` (sqlite.org/cli.html, Importing files as CSV or other formats)."""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands.data.sqlite3.wording import clean, identifier
from bashkit.limits import ask, paced
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.commands.data.sqlite3.database import Database, Row
    from bashkit.interp.utility.process import Process

_COLUMNS = 1 << 15  # of a table: no database can have so many (sqlite.org/limits.html)
_HELP = """\
.import FILE TABLE       Import data from FILE into TABLE
   Options:
     --ascii               Use \\037 and \\036 as column and row separators
     --csv                 Use , and \\n as column and row separators
     --skip N              Skip the first N rows of input
     --schema S            Target table to be S.TABLE
     -v                    "Verbose" - increase auxiliary output
   Notes:
     *  If TABLE does not exist, it is created.  The first row of input
        determines the column names.
     *  If neither --csv or --ascii are used, the input mode is derived
        from the ".mode" output mode
     *  If FILE begins with "|" then it is a command that generates the
        input text.
"""


class WrongUsageError(Exception):
    """The words of a command are wrong; the text says so and explains the command."""


@dataclass(slots=True)
class Import:
    """One ``.import``.

    Attributes:
        file, table: Its operands.
        separator: What stands between columns.
        ascii: Rows end with the separator of records of ASCII, and nothing is quoted.
        skip: So many rows at the beginning are left out.
        schema: The database of the table; "" for the main one.
        verbose: Whether it tells what it does.
        lines: The lines that were read.
    """

    file: str
    table: str
    separator: str
    ascii: bool = False
    skip: int = 0
    schema: str = ""
    verbose: bool = False
    lines: int = field(default=0, init=False)
    _line: int = field(default=1, init=False)  # where the row begins that was read last

    @classmethod
    def read(cls, words: list[str], separator: str) -> Import:
        """Understand the words behind ``.import``.

        Raises:
            WrongUsageError: They are wrong.
        """
        operands: list[str] = []
        found = cls("", "", separator)
        pending = list(words)
        while pending:
            word = pending.pop(0)
            option = word.replace("--", "-", 1) if word.startswith("--") else word
            if not word.startswith("-"):
                operands.append(word)
                if len(operands) > 2:
                    raise WrongUsageError(f'ERROR: extra argument: "{word}".  Usage:\n{_HELP}')
            elif option == "-v":
                found.verbose = True
            elif option == "-csv":
                found.separator = ","
            elif option == "-ascii":
                found.separator, found.ascii = "\x1f", True
            elif option == "-skip" and pending:
                text = pending.pop(0)
                found.skip = int(text[:9]) if is_digits(text) else 0
            elif option == "-schema" and pending:
                found.schema = pending.pop(0)
            else:
                raise WrongUsageError(f'ERROR: unknown option: "{option}".  Usage:\n{_HELP}')
        if len(operands) < 2:
            raise WrongUsageError(f"ERROR: missing {'TABLE' if operands else 'FILE'} argument. Usage:\n{_HELP}")
        found.file, found.table = operands
        return found

    def rows(self, data: bytes, say: Callable[[str], None]) -> Iterator[list[str]]:
        """The rows of a file; a line without anything is a row with one empty cell.

        Args:
            data: The file.
            say: Complains of quotes that are wrong.
        """
        text = data.decode("utf-8", "surrogateescape")
        if self.ascii:
            for record in text.removesuffix("\x1e").split("\x1e") if text else ():
                self.lines += 1
                self._line = self.lines
                yield record.split("\x1f")
            return
        source = io.StringIO(text, newline="")
        reader = csv.reader(source, delimiter=self.separator, strict=True)
        while True:
            position = source.tell()
            try:
                row = next(reader, None)
            except csv.Error:  # a quote is wrong: from here on they are read as they stand
                yield from self._loose_rows(text, position, say)
                return
            if row is None:
                return
            self._line, self.lines = self.lines + 1, reader.line_num
            yield row or [""]

    def _loose_rows(self, text: str, position: int, say: Callable[[str], None]) -> Iterator[list[str]]:
        """The rows from a position on, in which quotes may be wrong."""
        ends = re.compile(rf"{re.escape(self.separator)}|\r?\n|\Z")
        while position < len(text):
            self._line = line = self.lines + 1
            row: list[str] = []
            end = None
            while end is None or end[0] == self.separator:
                ask(1)
                if text.startswith('"', position):
                    cell, position, line = self._loose_cell(text, position + 1, line, ends, say)
                    end = ends.match(text, position)
                else:
                    end = ends.search(text, position)
                    cell = text[position : end.start()] if end else ""
                row.append(cell)
                position = end.end() if end else len(text)
            self.lines = line
            yield row

    def _loose_cell(
        self, text: str, position: int, line: int, ends: re.Pattern[str], say: Callable[[str], None]
    ) -> tuple[str, int, int]:
        """A cell in quotes, where it ends, and in which line. A quote that is not its last character belongs to it."""
        first, pieces = line, [""]
        while (quote := text.find('"', position)) >= 0:
            ask(1)
            line += text.count("\n", position, quote)
            pieces.append(text[position:quote])
            position = quote + 1
            if ends.match(text, position):
                return "".join(pieces), position, line
            pieces.append('"')
            if text.startswith('"', position):
                position += 1
            else:
                say(f'{self.file}:{line}: unescaped " character\n')
        say(f'{self.file}:{first}: unterminated "-quoted field\n')
        return "".join([*pieces, text[position:]]), len(text), line + text.count("\n", position)

    def fill(
        self, process: Process, database: Database, query: Callable[..., list[Row]], data: bytes, write: Callable[[str], None]
    ) -> bool:
        """Put the rows into the table, which is made if there is none; return whether the last one fitted.

        Args:
            process: Who complains.
            database: The database.
            query: Runs a statement, and reports its error.
            data: The file.
            write: Writes what is told on standard output.
        """
        places: list[int] = []
        warnings: deque[tuple[int, str]] = deque()
        rows = islice(self.rows(data, lambda told: warnings.append((len(places), told))), self.skip, None)
        prefix = f"{self.schema}." if self.schema else ""
        quoted = prefix + identifier(self.table, always=True)
        name = self.schema or "main"
        master = "sqlite_temp_master" if name == "temp" else f"{identifier(name)}.sqlite_master"
        if not query(f"select 1 from {master} where name = ? and type in ('table','view')", self.table):  # noqa: S608 - quoted
            names = next(rows, None)
            if names is None:
                process.say(f"{self.file}: empty file\n")
                return False
            fields = ", ".join(
                f"{identifier(name, always=True)} TEXT" for name in paced(self._distinct(process, names[:_COLUMNS]))
            )
            statement = f"CREATE TABLE {quoted}(\n{fields})"
            query(statement)
            if self.verbose:
                write(statement + "\n\n")
        count = len(query("select name from pragma_table_info(?, ?)", self.table, name))
        failed: list[int] = []
        sql = f"INSERT INTO {quoted} VALUES({','.join('?' * count)})"
        for index, message in database.fill(sql, self._fitting(process, rows, count, places, warnings)):
            while warnings and warnings[0][0] <= index:
                process.say(warnings.popleft()[1])
            process.say(f"{self.file}:{places[index]}: INSERT failed: {message}\n")
            failed.append(index)
        for _, warning in paced(warnings):
            process.say(warning)
        database.save()
        if self.verbose:
            added = len(places) - len(failed)
            write(f"Added {added} rows with {len(failed)} errors using {self.lines} lines of input\n")
        return not failed or failed[-1] < len(places) - 1

    def _distinct(self, process: Process, names: list[str]) -> list[str]:
        """The names of the columns, numbered where several are the same."""
        names = [name or "?" for name in names]
        seen: dict[str, int] = {}
        for name in paced(names):
            seen[name.casefold()] = seen.get(name.casefold(), 0) + 1
        digits = len(str(len(names)))
        chosen = [
            f"{name}_{number:0{digits}}" if seen[name.casefold()] > 1 else name for number, name in enumerate(paced(names), 1)
        ]
        changed = [f'"{old}" to "{new}"' for old, new in zip(names, chosen, strict=True) if old != new]
        if changed:
            told = ",\n".join(changed)
            process.say(f"Columns renamed during .import {self.file} due to duplicates:\n{told}\n")
        return chosen

    def _fitting(
        self, process: Process, rows: Iterator[list[str]], count: int, places: list[int], warnings: deque[tuple[int, str]]
    ) -> Iterator[list[str | None]]:
        """The rows, each with as many cells as the table has columns.

        Args:
            process: Who reads them.
            rows: The rows of the file.
            count: The columns of the table.
            places: Filled with the lines that the rows begin in.
            warnings: Filled with what is to be said of some rows, after their indices.
        """
        for index, row in enumerate(rows):
            process.budget.tick(5)
            process.hold(8)
            places.append(self._line)
            if len(row) != count:
                done = "filling the rest with NULL" if len(row) < count else "extras ignored"
                told = f"{self.file}:{self._line}: expected {count} columns but found {len(row)} - {done}\n"
                process.hold(len(told))
                warnings.append((index, told))
            yield [*(clean(cell) for cell in row[:count]), *[None] * (count - len(row))]

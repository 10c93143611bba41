"""The sqlite3 shell: SQL and dot commands, one after the other (sqlite.org/cli.html)."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.encoding import width
from bashkit.commands.data.sqlite3.database import Database, SqlError
from bashkit.commands.data.sqlite3.dumping import dumped, inserts
from bashkit.commands.data.sqlite3.importing import Import, WrongUsageError
from bashkit.commands.data.sqlite3.modes import EXACT, TABLES, Layout, ModeError, literal, show
from bashkit.commands.data.sqlite3.schema import MASTER, MASTERS, guarded, indented, makes_columns, of_schema
from bashkit.commands.data.sqlite3.splitting import Splitter, is_blank, statements
from bashkit.commands.data.sqlite3.wording import dot_words, identifier, pointer, tcl_string
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.runtime.pieces import split
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.data.sqlite3.database import Row
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_WHOLE = {*TABLES, "json"}  # modes that need all rows before the first
_EXPLAIN = re.compile(r"\s*explain\b", re.IGNORECASE)
_SCREEN = 80
_CONTEXT = 80  # characters after a statement that may be shown with its error
_INCLUDED = 10  # maximum nesting of .read
_PARAMETER_HELP = """\
.parameter CMD ...       Manage SQL parameter bindings
   clear                   Erase all bindings
   init                    Initialize the TEMP table that holds bindings
   list                    List the current parameter bindings
   set PARAMETER VALUE     Given SQL parameter PARAMETER a value of VALUE
                           PARAMETER should start with one of: $ : @ ?
   unset PARAMETER         Remove PARAMETER from the binding table
"""
_HELP = """\
.backup FILE             Write the database to FILE; also .save
.bail on|off             Stop after hitting an error.  Default OFF
.databases               List names and files of attached databases
.dump ?OBJECTS?          Render database content as SQL
.echo on|off             Turn command echo on or off
.eqp on|off              Show the query plan of each statement
.exit ?CODE?             Exit this program with return-code CODE
.headers on|off          Turn display of headers on or off
.help                    Show this text
.import FILE TABLE       Import data from FILE into TABLE
.indexes ?TABLE?         Show names of indexes
.mode MODE ?TABLE?       Set output mode
.nullvalue STRING        Use STRING in place of NULL values
.once FILE               Output for the next SQL command only to FILE
.open ?FILE?             Close existing database and reopen FILE
.output ?FILE?           Send output to FILE or stdout if FILE is omitted
.parameter CMD ...       Manage SQL parameter bindings
.print STRING...         Print literal STRING
.quit                    Exit this program
.read FILE               Read input from FILE
.schema ?PATTERN?        Show the CREATE statements matching PATTERN
.separator COL ?ROW?     Change the column and row separators
.show                    Show the current values for various settings
.system CMD ARGS...      Run CMD ARGS... in a shell; also .shell
.tables ?PATTERN?        List names of tables matching LIKE pattern TABLE
.timer on|off            (ignored: no times are shown)
.width NUM1 NUM2 ...     Set minimum column widths for columnar output
"""


class Leave(Exception):  # noqa: N818 - the end, not an error
    """Ends the shell: ``.quit`` and ``.exit``, with the status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class DotError(Exception):
    """A dot command failed; the message is complete, or empty if it stands on standard output."""


class Shell:
    """One run of the shell.

    Attributes:
        layout: How results are shown.
        bail: Stop at the first error.
        echo: Print each command before it runs.
    """

    def __init__(self, process: Process, name: str, *, read_only: bool) -> None:
        self._process = process
        self._read_only = read_only
        self._name = name
        self._database: Database | None = None
        self.layout = Layout()
        self.bail = self.echo = False
        self.headers_chosen = False
        self._target: Stream | None = None
        self._finish: Callable[[], int] | None = None  # waits for the command that reads the output
        self._once = 0  # dot commands, and lines of SQL in scripts, after which output goes to standard output again
        self._depth = 0
        self._shows_changes = self._shows_plans = False

    @property
    def database(self) -> Database:
        """The database, opened at its first use."""
        if self._database is None:
            self._database = Database(self._process, self._name, read_only=self._read_only)
        return self._database

    def close(self) -> None:
        """End the run."""
        self._end_output()
        database, self._database = self._database, None
        if database is not None:
            database.close()

    def abandon(self) -> None:
        """End the run at once; what is not saved is lost."""
        if self._database is not None:
            self._database.abandon()

    def _print(self, text: str) -> None:
        budget = self._process.budget
        budget.tick(len(text) >> 8)
        data = text.encode("utf-8", "surrogateescape")
        budget.tick(len(data) >> 8)
        (self._target or self._process.stdout).write(data)

    # -- running ---------------------------------------------------------------------------------------------------------

    def argument(self, text: str) -> int:
        """Run an argument of the command line; return the exit status, 0 for success."""
        try:
            if text.startswith("."):
                self.dot(text)
                return 0
            place = 0
            for statement in statements(text, self._process.budget):
                place += len(statement)
                self._statement(statement)
        except DotError as error:
            self._complain(error)
            return 1
        except SqlError as error:
            stage = "stepping" if error.runs else "in prepare"
            self._process.say(f"Error: {stage}, {error}\n{self._pointer(error, statement, text[place : place + _CONTEXT])}")
            return error.code
        return 0

    def _pointer(self, error: SqlError, statement: str, following: str) -> str:
        return "" if error.runs else pointer(str(error), statement.lstrip(), following)

    def script(self, text: str) -> int:
        """Run the lines of a script; return 1 if one failed."""
        text = text.removesuffix("\n")
        status, first, pending = 0, 0, Splitter(self._process.budget)
        count = text.count("\n") + 1
        for number, line in enumerate(split(text, "\n"), 1):
            self._process.budget.tick()
            if not first and line.startswith("."):
                try:
                    done = self._dot_line(line)
                except Leave as leave:
                    raise Leave(leave.status or status) from None
            elif not first and (line.startswith("#") or is_blank(line)):
                continue
            else:
                first = first or number
                if not pending.feed(line + "\n") and number < count:
                    continue
                done = self._piece(pending, first)
                self._count_once()
                first, pending = 0, Splitter(self._process.budget)
            if not done:
                status = 1
            if status and self.bail:
                break
        return status

    def _dot_line(self, line: str) -> bool:
        """Run the dot command of a line; return whether it succeeded."""
        if self.echo:
            self._print(line + "\n")
        try:
            self.dot(line)
        except DotError as error:
            self._complain(error)
            return False
        return True

    def _complain(self, error: DotError) -> None:
        if str(error):
            self._process.say(f"{error}\n")

    def _piece(self, text: Splitter, line: int) -> bool:
        """Run the statements of a part of a script, and what follows them; return whether all succeeded."""
        if self.echo:
            self._print("".join([*text.statements, text.rest]))
        pieces = [*text.statements, text.rest.removesuffix("\n")]
        for index, statement in enumerate(pieces):
            try:
                self._statement(statement)
            except SqlError as error:
                stage = "Runtime" if error.runs else "Parse"
                following = "".join(pieces[index + 1 : index + 1 + _CONTEXT])
                self._process.say(f"{stage} error near line {line}: {error}\n{self._pointer(error, statement, following)}")
                return False
        return True

    def _statement(self, statement: str) -> None:
        if is_blank(statement):
            return
        held: list[Row] = []
        names: list[str] = []
        first = True
        database, budget = self.database, self._process.budget
        memory = 0
        if self._shows_plans and not _EXPLAIN.match(statement):
            plan = database.query(f"explain query plan {statement}")
            if plan:
                self._plan(plan)
        for names, rows in database.run(statement, exact=self.layout.mode in EXACT):
            if names and names[0] == "id" and names[-1] == "detail" and re.match(r"\s*explain\s+query", statement, re.IGNORECASE):
                self._plan(rows)
            elif self.layout.mode in _WHOLE:
                held += rows
                budget.words(len(held))
                grown = sum(map(_size, rows))
                memory += grown
                budget.hold(grown)
            else:
                self._print(show(names, rows, self.layout, first=first))
            first = False
        if held:
            self._print(show(names, held, self.layout))
            budget.hold(-memory)
        if held and self.layout.mode in TABLES:
            self.layout.widths += [0] * (len(names) - len(self.layout.widths))
        database.save(small=True)
        if self._shows_changes:
            self._print(f"changes: {database.changes}   total_changes: {database.total_changes}\n")

    def _plan(self, rows: list[Row]) -> None:
        children: dict[object, list[Row]] = {}
        for row in rows:
            children.setdefault(row[1], []).append(row)
        self._print("QUERY PLAN\n")
        pending = [(row, "", index == len(children[0]) - 1) for index, row in enumerate(children.get(0, []))][::-1]
        while pending:
            row, prefix, last = pending.pop()
            self._print(f"{prefix}{'`' if last else '|'}--{row[3]}\n")
            below = children.get(row[0], [])
            inner = prefix + ("   " if last else "|  ")
            pending += [(child, inner, index == len(below) - 1) for index, child in enumerate(below)][::-1]

    # -- dot commands ----------------------------------------------------------------------------------------------------

    def dot(self, line: str) -> None:
        """Run a dot command.

        Raises:
            DotError: The command fails.
            Leave: It is ``.quit`` or ``.exit``.
        """
        words = dot_words(line[1:])
        if not words:
            return
        name, *rest = words
        table: dict[str, Callable[[list[str]], None]] = {
            "tables": self._tables, "schema": self._schema, "mode": self._mode, "headers": self._headers, "header": self._headers,
            "separator": self._separator, "nullvalue": self._null, "import": self._import, "output": self._redirect,
            "read": self._read, "dump": self._dump, "indexes": self._indexes, "indices": self._indexes,
            "databases": self._databases, "show": self._show, "quit": self._quit, "exit": self._quit,
            "print": lambda rest: self._print(" ".join(rest) + "\n"), "width": self._width, "echo": self._switch_echo,
            "bail": self._switch_bail, "help": lambda _: self._print(_HELP), "timer": lambda _: None,
            "timeout": lambda _: None, "open": self._open, "once": lambda rest: self._redirect(rest, once=True),
            "changes": self._switch_changes, "fullschema": self._full_schema, "stats": lambda _: None,
            "eqp": self._switch_plans, "parameter": self._parameter, "system": self._system, "shell": self._system,
            "backup": self._backup, "save": self._backup, "prompt": lambda _: None,
            "log": self._only_off, "explain": self._only_off, "binary": self._only_off,
        }  # fmt: skip
        matches = [key for key in table if key.startswith(name)] if name not in table else [name]
        command = table.get(matches[0]) if len({table.get(key) for key in matches}) == 1 else None
        try:
            if command is None:
                raise DotError(f'Error: unknown command or invalid arguments:  "{name}". Enter ".help" for help')
            command(rest)
        finally:
            self._count_once()

    def _only_off(self, rest: list[str]) -> None:
        if rest not in (["off"], ["auto"]):
            raise DotError("Error: this cannot be turned on here")

    def _backup(self, rest: list[str]) -> None:
        names = [word for word in rest if not word.startswith("-")]
        if not 1 <= len(names) <= 2:
            raise DotError("missing FILENAME argument on .backup" if not names else "Usage: .backup ?DB? ?OPTIONS? FILENAME")
        data = self.database.backup()
        try:
            self._process.create(names[-1]).write(data)
        except OSError:
            raise DotError(f'Error: cannot open "{names[-1]}"') from None

    def _query(self, sql: str, *values: str) -> list[Row]:
        try:
            return self.database.query(sql, *values)
        except SqlError as error:
            raise DotError(f"Error: {error.message}") from None

    def _tables(self, rest: list[str]) -> None:
        pattern = rest[0] if rest else "%"
        found = self._query(
            "select name from (select name, type, name as plain from sqlite_master "
            "union all select 'temp.' || name, type, name from sqlite_temp_master) "
            "where type in ('table','view') and plain not like 'sqlite\\_%' escape '\\' and plain like ? order by 1",
            pattern,
        )
        self._list([str(row[0]) for row in found])

    def _indexes(self, rest: list[str]) -> None:
        if len(rest) > 1:
            raise DotError("Usage: .indexes ?LIKE-PATTERN?")
        found = self._query(
            "select name from sqlite_master where type='index' and tbl_name like ? order by 1", rest[0] if rest else "%"
        )
        self._list([str(row[0]) for row in found])

    def _list(self, names: list[str]) -> None:
        """Print names in columns as wide as the widest, as many as fit on a screen."""
        if not names:
            return
        widest = max(map(width, names))
        count = max(1, _SCREEN // (widest + 2))
        rows = -(-len(names) // count)
        lines = ["  ".join(f"{names[index]:<{widest}}" for index in range(row, len(names), rows)) for row in range(rows)]
        self._print("".join(line + "\n" for line in lines))

    def _schema(self, rest: list[str]) -> None:
        options = {word.lstrip("-") for word in rest if word.startswith("-")}
        wrong = options - {"indent", "debug", "nosys"}
        if wrong:
            raise DotError(f'Unknown option "--{min(wrong)}" on ".schema"')
        words = [word for word in rest if not word.startswith("-")]
        if len(words) > 1:
            raise DotError("Usage: .schema ?--indent? ?--nosys? ?LIKE-PATTERN?")
        if words and words[0].lower() in MASTERS:
            self._print(MASTER.format(words[0].lower()))
        write = indented if "indent" in options else str
        for kind, name, sql, part in self._definitions(words[0] if words else "%", system="nosys" not in options):
            text = str(sql) if part == "main" else of_schema(str(sql), str(part))
            self._print(f"{write(guarded(text))}{self._columns_of(str(name)) if makes_columns(kind, sql) else ''};\n")

    def _definitions(self, pattern: str, *, system: bool, order: str = "part, place") -> list[Row]:
        own = "" if system else " and name not like 'sqlite\\_%' escape '\\'"
        tables = ("main", "sqlite_master"), ("temp", "sqlite_temp_master")
        parts = [
            f"select type, name, sql, '{schema}' as part, rowid as place from {table} "  # noqa: S608 - of our own
            f"where tbl_name like ?1 and sql is not null{own}"
            for schema, table in tables
        ]
        sql = f"select type, name, sql, part from ({' union all '.join(parts)}) order by {order}"  # noqa: S608 - likewise
        return self._query(sql, pattern)

    def _columns_of(self, name: str) -> str:
        """The comment behind the statement of a view, or of a virtual table, that tells its columns."""
        fields = self._query("select name from pragma_table_info(?)", name)
        quoted = '"' + name.replace('"', '""') + '"'
        return f"\n/* {name if name.isidentifier() else quoted}({','.join(identifier(str(row[0])) for row in fields)}) */"

    def _full_schema(self, rest: list[str]) -> None:
        write = indented if "--indent" in rest else str
        for _, _, sql, _ in self._definitions("%", system=False, order="place, part"):
            self._print(f"{write(guarded(str(sql)))};\n")
        statistics = self._query("select name from sqlite_master where name glob 'sqlite_stat[134]' order by rowid")
        if not statistics:
            self._print("/* No STAT tables available */\n")
            return
        self._print("ANALYZE sqlite_schema;\n")
        for (name,) in statistics:
            for piece in inserts(self.database, str(name), set()):
                self._print(piece)
        self._print("ANALYZE sqlite_schema;\n")

    def _mode(self, rest: list[str]) -> None:
        if not rest:
            self._print(f"current output mode: {self.layout.description}\n")
            rest = [self.layout.description.split()[0]]  # as in the real shell: it is chosen anew
        try:
            self.layout.change(rest)
        except ModeError as error:
            raise DotError(str(error)) from None
        if self.layout.mode == "column" and not self.headers_chosen:
            self.layout.headers = True

    def _boolean(self, rest: list[str], usage: str) -> bool:
        if len(rest) != 1:
            raise DotError(f"Usage: {usage}")
        if rest[0].lower() in {"on", "yes", "1"}:
            return True
        if rest[0].lower() not in {"off", "no", "0"}:
            self._process.say(f'ERROR: Not a boolean value: "{rest[0]}". Assuming "no".\n')
        return False

    def _headers(self, rest: list[str]) -> None:
        self.layout.headers = self._boolean(rest, ".headers on|off")
        self.headers_chosen = True

    def _switch_echo(self, rest: list[str]) -> None:
        self.echo = self._boolean(rest, ".echo on|off")

    def _switch_bail(self, rest: list[str]) -> None:
        self.bail = self._boolean(rest, ".bail on|off")

    def _switch_plans(self, rest: list[str]) -> None:
        self._shows_plans = self._boolean(rest, ".eqp off|on")

    def _switch_changes(self, rest: list[str]) -> None:
        self._shows_changes = self._boolean(rest, ".changes on|off")

    def _parameter(self, rest: list[str]) -> None:
        bound = self.database.bindings
        match rest:
            case ["init"]:
                pass
            case ["set", key, value]:
                try:
                    bound[key] = self.database.query(f"select ({value})")[0][0]
                except SqlError:  # no expression: a text
                    bound[key] = value
            case ["unset", key]:
                bound.pop(key, None)
            case ["clear"]:
                bound.clear()
            case ["list"]:
                widest = max(map(len, bound), default=0)
                self._print("".join(f"{key:<{widest}} {literal(value)}\n" for key, value in sorted(bound.items())))
            case _:
                self._print(_PARAMETER_HELP)

    def _separator(self, rest: list[str]) -> None:
        if not 1 <= len(rest) <= 2:
            raise DotError("Usage: .separator COL ?ROW?")
        self.layout.separator = rest[0]
        if len(rest) > 1:
            self.layout.ending = rest[1]

    def _null(self, rest: list[str]) -> None:
        if len(rest) != 1:
            raise DotError("Usage: .nullvalue STRING")
        self.layout.null = rest[0]

    def _width(self, rest: list[str]) -> None:
        self.layout.widths = [int(word[:6]) for word in rest if re.fullmatch(r"[-+]?\d+", word)]

    def _redirect(self, rest: list[str], *, once: bool = False) -> None:
        """Send output to a file, or with ``|`` to a command, from now on or for one statement."""
        self._end_output()
        if rest and rest[0].startswith("|"):
            rest = [" ".join(rest)]
        if len(rest) > 1 or (rest and rest[0].startswith("-")):
            raise DotError(f"Usage: .{'once' if once else 'output'} FILE")
        if not rest or rest[0] in {"stdout", "off"}:
            return
        if rest[0].startswith("|"):
            self._target, self._finish = self._process.launcher.open(["sh", "-c", rest[0][1:]], write=True)
        else:
            self._target = self._created(rest[0])
        self._once = 2 if once else 0

    def _count_once(self) -> None:
        """Note that a dot command (``.once`` is one), or the SQL of some lines of a script, has run."""
        self._once -= 1
        if not self._once:
            self._end_output()

    def _end_output(self) -> None:
        """Write to standard output again; a command that reads what was written comes to its end."""
        target, finish = self._target, self._finish
        self._target, self._finish, self._once = None, None, 0
        if target is not None and finish is not None:
            target.release()
            finish()

    def _created(self, name: str) -> Stream:
        try:
            return self._process.create(name)
        except OSError:
            raise DotError(f'Error: cannot open "{name}"\nError: cannot write to "{name}"') from None

    def _opened(self, name: str) -> bytes:
        try:
            return slurp(self._process, self._process.open(name))
        except OSError:
            raise DotError(f'Error: cannot open "{name}"') from None

    def _read(self, rest: list[str]) -> None:
        if len(rest) != 1:
            raise DotError("Usage: .read FILE")
        if self._depth >= _INCLUDED:
            raise DotError("Error: too many nested .read commands")
        self._depth += 1
        try:
            data = self._written_by(rest[0][1:]) if rest[0].startswith("|") else self._opened(rest[0])
            if self.script(data.decode("utf-8", "surrogateescape")):
                raise DotError("")
        finally:
            self._depth -= 1

    def _open(self, rest: list[str]) -> None:
        self.close()
        names = [word for word in rest if not word.startswith("-")]
        self._read_only = "--readonly" in rest or "-readonly" in rest
        self._name = names[0] if names else ":memory:"
        try:
            self.database.save()
        except (OSError, SqlError):
            raise DotError(f'Error: unable to open database "{self._name}": unable to open database file') from None

    def _databases(self, _: list[str]) -> None:
        path = "" if self._name in {"", ":memory:"} else self._process.path(self._name)
        self._print(f"main: {path or chr(34) * 2} {'r/o' if self.database.read_only else 'r/w'}\n")

    def _quit(self, rest: list[str]) -> None:
        raise Leave(int(rest[0]) & 255 if rest and is_digits(rest[0]) else 0)

    def _show(self, rest: list[str]) -> None:
        if rest:
            raise DotError("Usage: .show")
        layout = self.layout
        rows = {
            "echo": "on" if self.echo else "off", "eqp": "on" if self._shows_plans else "off", "explain": "auto",
            "headers": "on" if layout.headers else "off",
            "mode": layout.description, "nullvalue": tcl_string(layout.null), "output": "stdout",
            "colseparator": tcl_string(layout.separator), "rowseparator": tcl_string(layout.ending), "stats": "off",
            "width": "".join(f"{size} " for size in layout.widths), "filename": self._name,
        }  # fmt: skip
        self._print("".join(f"{name:>12}: {text}\n" for name, text in rows.items()))

    def _dump(self, rest: list[str]) -> None:
        options = {word.lstrip("-") for word in rest if word.startswith("-")}
        wrong = options - {"data-only", "newlines", "nosys", "preserve-rowids"}
        if wrong:
            raise DotError(f'Unknown option "--{min(wrong)}" on ".dump"')
        patterns = [word for word in rest if not word.startswith("-")]
        try:
            for piece in dumped(self.database, patterns or ["%"], options):
                self._print(piece)
        except SqlError as error:
            raise DotError(f"Error: {error.message}") from None

    def _import(self, rest: list[str]) -> None:
        layout = self.layout
        separator = layout.separator if layout.mode in {"csv", "tabs", "list", "ascii"} else "|"
        try:
            chosen = Import.read(rest, separator)
        except WrongUsageError as error:
            self._print(str(error))
            raise DotError("") from None
        chosen.ascii = chosen.ascii or (layout.mode == "ascii" and chosen.separator == separator)
        if layout.mode == "csv" and layout.ending == "\r\n" and chosen.separator == separator:
            layout.ending = "\n"  # as in the real sqlite3: from here on, rows end like those of the file
        if len(chosen.separator) != 1:
            wrong = "multi-character column separators not allowed" if separator else "non-null column separator required"
            raise DotError(f"Error: {wrong} for import")
        if chosen.file.startswith("|"):
            data, chosen.file = self._written_by(chosen.file[1:]), "<pipe>"
        else:
            data = self._opened(chosen.file)
        try:
            fitted = chosen.fill(self._process, self.database, self._query, data, self._print)
        except csv.Error as error:
            raise DotError(f"Error: {chosen.file}: {error}") from None
        if not fitted:
            raise DotError("")

    def _written_by(self, command: str) -> bytes:
        """What a command of the shell writes."""
        output = Substitution(self._process.budget)
        self._process.launcher.run(["sh", "-c", command], stdout=output)
        return output.value()

    def _system(self, rest: list[str]) -> None:
        if not rest:
            raise DotError("Usage: .system COMMAND")
        command = " ".join(f'"{word}"' if " " in word else word for word in rest)
        status = self._process.launcher.run(["sh", "-c", command])
        if status:
            self._process.say(f"System command returns {status << 8}\n")


def _size(row: Row) -> int:
    """About how many bytes a row needs until it is printed: its cells as values, as texts and in lines."""
    return sum(200 + 4 * len(cell) if isinstance(cell, (str, bytes)) else 200 for cell in row)

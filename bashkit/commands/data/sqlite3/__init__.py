"""sqlite3: query databases that are files of the virtual file system (sqlite.org/cli.html)."""

from __future__ import annotations

import signal
from shlex import quote
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._workers.exchange import WorkerDiedError
from bashkit.commands._workers.worker import UnavailableError
from bashkit.commands.data.sqlite3.database import SqlError
from bashkit.commands.data.sqlite3.modes import MODES
from bashkit.commands.data.sqlite3.shell import Leave, Shell
from bashkit.interp.utility.command import Arguments, HelpRequested, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SWITCHES = {
    *MODES,
    "batch",
    "interactive",
    "header",
    "noheader",
    "headers",
    "echo",
    "bail",
    "readonly",
    "safe",
    "version",
    "help",
    "stats",
} - {"insert", "tcl", "qbox"}
_WITH_VALUE = {"cmd", "separator", "newline", "nullvalue", "init"}
_USAGE = """\
Usage: sqlite3 [OPTIONS] FILENAME [SQL]
FILENAME is the name of an SQLite database. A new database is created
if the file does not previously exist.
OPTIONS include:
   -ascii -box -column -csv -html -json -line -list -markdown -quote -table -tabs
                        set output mode
   -bail                stop after hitting an error
   -batch               force batch I/O
   -cmd COMMAND         run "COMMAND" before reading stdin
   -echo                print inputs before execution
   -[no]header          turn headers on or off
   -newline SEP         set output row separator. Default: '\\n'
   -nullvalue TEXT      set text string for NULL values. Default ''
   -readonly            open the database read-only
   -separator SEP       set output column separator. Default: '|'
   -version             show SQLite version
"""


@command(
    "sqlite3",
    write_status=0,
    usage="[OPTIONS] FILENAME [SQL]...",
    summary="Query SQLite databases; a new one is made if the file does not exist.",
    options=None,
    notes=_USAGE,
    model="SQLite 3",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the SQL of the command line, or that of standard input."""
    given: list[tuple[str, str]] = []
    operands: list[str] = []
    pending = list(arguments.operands)
    while pending:
        word = pending.pop(0)
        name = word.lstrip("-")
        if not word.startswith("-"):
            operands.append(word)
        elif name in _WITH_VALUE:
            if not pending:
                raise UsageError(f"Error: missing argument to {word}", hint=False)
            given.append((name, pending.pop(0)))
        elif name in _SWITCHES:
            given.append((name, ""))
        else:
            process.warn(f"Error: unknown option: {word[word.startswith('--') :]}\nUse -help for a list of options.")
            return 1
    names = {name for name, _ in given}
    if "help" in names:
        raise HelpRequested(_USAGE)
    if "version" in names:
        from sqlite3 import sqlite_version

        process.write(f"{sqlite_version} (SQLite as linked into Python)\n")
        return 0
    shell = Shell(process, operands[0] if operands else ":memory:", read_only="readonly" in names)
    try:
        try:
            status = _run(process, shell, given, operands[1:])
        except Leave as end:
            status = end.status
        shell.close()
    except FileNotFoundError as error:
        process.say(f'Error: unable to open database "{error.filename}": unable to open database file\n')
        return 1
    except UnavailableError as error:
        process.say(f"Error: {error}\n")
        return 1
    except SqlError as error:  # the database cannot be copied
        process.say(f"Error: {error}\n")
        return error.code
    except WorkerDiedError as death:
        number = -death.status if death.status < 0 else signal.SIGABRT
        process.say("Error: SQLite ran out of memory or crashed\n")
        return 128 + number
    finally:
        shell.abandon()
    return status


def _run(process: Process, shell: Shell, given: list[tuple[str, str]], texts: list[str]) -> int:
    for text in [text for name, text in given if name == "init"]:
        if process.fs.exists(process.path(text)):
            shell.dot(f".read {quote(text)}")
        else:
            process.say(f'cannot open: "{text}"\n')
    for name, text in given:
        if name == "cmd":
            status = shell.argument(text)
            if status and shell.bail:
                return status
        else:
            _set_up(shell, name, text)
    if texts:
        for text in texts:
            status = shell.argument(text)
            if status:
                return status
        return 0
    data = slurp(process, process.stdin)
    return shell.script(data.decode("utf-8", "surrogateescape"))


def _set_up(shell: Shell, name: str, text: str) -> None:
    """Apply an option; those before a ``-cmd`` are in force for it."""
    layout = shell.layout
    if name in MODES:
        layout.choose(name)
    elif name in {"header", "headers", "noheader"}:
        layout.headers = name != "noheader"
        shell.headers_chosen = True
    elif name == "separator":
        layout.separator = text
    elif name == "newline":
        layout.ending = text
    elif name == "nullvalue":
        layout.null = text
    elif name in {"bail", "echo"}:
        setattr(shell, name, True)

"""python3: a Python interpreter in a sandbox of its own (Monty), on the files and the variables of the session.

It needs the extra ``python``. Options, exit statuses and tracebacks are those of CPython.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, Command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.commands._python.functions import Functions
    from bashkit.interp.utility.process import Process

NAMES = ("python3", "python")
_USAGE = "[-c CODE | -m json.tool | FILE | -] [ARG]..."
_SUMMARY = "run Python in a sandbox, on the files and variables of this shell"
_VERSION = "3.14.0"
MODULES = (
    "asyncio base64 binascii bisect collections copy csv dataclasses datetime decimal functools hashlib itertools json math os "
    "pathlib random re sys time tomllib typing unicodedata"
).split()
_NOTES = f"""\
The interpreter is Monty, a part of Python {_VERSION.rpartition(".")[0]}: no generators (yield), no inheritance, no del.
Its modules are {", ".join(MODULES[:12])},
{", ".join(MODULES[12:])};
where there are tools, "from tools import NAME" gives them as functions: keyword arguments, results as plain data,
a failure as a RuntimeError. In an async def a call is awaited, and calls overlap with asyncio.gather.
-m runs json.tool. Time, memory and output count toward the limits of the script.
"""
_IGNORED = frozenset("bBdEiIOPqsSuvx")  # flags of CPython without a meaning here
_WITH_VALUE = frozenset("WX")


@cache
def is_installed() -> bool:
    """Whether the host has Monty."""
    return find_spec("pydantic_monty") is not None


def commands(functions: Functions | None = None) -> Mapping[str, Command]:
    """The commands by name; none where Monty is not installed.

    Args:
        functions: What ``from tools import …`` gives, or None.
    """
    if not is_installed():
        return {}
    return _WITHOUT_FUNCTIONS if functions is None else _declared(functions)


def _declared(functions: Functions | None) -> dict[str, Command]:
    def run(process: Process, arguments: Arguments) -> int:
        return _main(process, arguments.operands, functions)

    return {
        name: Command(name, run, _USAGE, _SUMMARY, options=None, usage_status=2, notes=_NOTES, model=f"Python {_VERSION}")
        for name in NAMES
    }


_WITHOUT_FUNCTIONS = _declared(None)  # every session has them


def _main(process: Process, words: list[str], functions: Functions | None) -> int:
    from bashkit.commands._python.run import Program, run

    options = _Options(words)
    if options.problem:
        process.warn(options.problem)
        return 2
    if options.answer:
        process.write(options.answer)
        return 0
    if options.module:
        return _module(process, options.module, options.rest)
    if options.code is not None:
        return run(process, Program(options.code + "\n", "<string>", ["-c", *options.rest]), functions)
    file = options.rest[0] if options.rest else "-"
    if file == "-":
        return run(process, Program(_text(process.stdin.read_all()), "<stdin>", options.rest or [""]), functions)
    try:
        stream = process.open_file(file)
    except OSError as error:
        process.warn(f"can't open file {process.path(file)!r}: [Errno {error.errno}] {error.strerror}")
        return 2
    return run(process, Program(_text(stream.read_all()), file, options.rest), functions)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


class _Options:
    """The command line: options of the interpreter end at the code, the module or the script.

    Args:
        words: They.
    """

    def __init__(self, words: list[str]) -> None:
        self.code: str | None = None
        self.module = self.answer = self.problem = ""
        self.rest: list[str] = []
        self._read(iter(words))

    def _read(self, words: Iterator[str]) -> None:
        for word in words:
            if word == "--version":
                self.answer = f"Python {_VERSION}\n"
            elif word in {"--help", "-h", "-?"}:
                self.answer = f"usage: python3 {_USAGE}\n{_SUMMARY}\n\n{_NOTES}"
            elif word == "-" or not word.startswith("-"):
                self.rest = [word, *words]
            elif self._flags(word[1:], words):
                continue
            return

    def _flags(self, letters: str, words: Iterator[str]) -> bool:
        """Read one word of flags; whether another option may follow."""
        for place, letter in enumerate(letters):
            if letter == "V":
                self.answer = f"Python {_VERSION}\n"
                return False
            if letter in "cm" or letter in _WITH_VALUE:
                value = letters[place + 1 :] or next(words, None)
                if value is None:
                    self.problem = f"Argument expected for the -{letter} option"
                    return False
                if letter in _WITH_VALUE:
                    return True
                if letter == "c":
                    self.code = value
                else:
                    self.module = value
                self.rest = list(words)
                return False
            if letter not in _IGNORED:
                self.problem = f"Unknown option: -{letter}"
                return False
        return True


def _module(process: Process, name: str, words: list[str]) -> int:
    """``-m``: json.tool is the only module that is a program here."""
    from bashkit.commands._python.run import pretty_json

    if name != "json.tool":
        process.warn(f"No module named {name}: the only one that -m runs here is json.tool")
        return 1
    data = process.stdin.read_all() if not words or words[0] == "-" else process.open_file(words[0]).read_all()
    process.budget.string(len(data))
    try:
        process.write(process.system.call(lambda: pretty_json(data.decode())))
    except (ValueError, RecursionError) as error:
        process.say(f"{error}\n")
        return 1
    return 0

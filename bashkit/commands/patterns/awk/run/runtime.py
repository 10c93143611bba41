"""The state of a running awk program: its record, input and output, special variables and limits."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from bashkit.commands._notation.locale import OCTETS, encoding
from bashkit.commands.patterns.awk.run.formats import parse_format
from bashkit.commands.patterns.awk.run.functions import Library, type_of
from bashkit.commands.patterns.awk.run.input import MainInput, assignment, opened
from bashkit.commands.patterns.awk.run.output import FORBIDDEN, Output, Redirections
from bashkit.commands.patterns.awk.run.reader import Reader, Separator
from bashkit.commands.patterns.awk.run.record import Record
from bashkit.commands.patterns.awk.run.regexes import compile_regex
from bashkit.commands.patterns.awk.run.special_variables import EFFECTS
from bashkit.commands.patterns.awk.run.values import (
    UNINIT,
    Array,
    Looks,
    Numbers,
    NumberTexts,
    Outside,
    Value,
    array_as_scalar,
    field_value,
    number,
    strnum,
)
from bashkit.commands.patterns.awk.run.weight import ELEMENT, program_line, program_variables, weigh
from bashkit.commands.patterns.awk.syntax.lexer import unescape
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.interp.runtime.control import KilledStatus
from bashkit.limits import paced, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.regex import Pattern

_STEPS = 255  # loop turns between checks of the budget
_SLOW = 0.005  # seconds between two of them after which fewer turns are taken until the next
_BATCH = 512  # records between checks of the budget
_PATTERNS = 500  # cached dynamic regular expressions
_SIGPIPE = 128 + 13
_LONG = 256  # longer strings are counted before the memory is measured
_UNWRITTEN = 1 << 22  # characters of longer strings after which what was printed is written
_HEAVY = 1 << 16  # characters from which what is done with a string is a step of its own


class NextRecord(Exception):  # noqa: N818 - a jump, not an error
    """``next`` or ``nextfile``, which is the word, from inside a loop or function."""

    def __init__(self, word: str) -> None:
        self.word = word


class ExitProgram(Exception):  # noqa: N818
    """``exit``."""


class Runtime:
    """The state of one run.

    Args:
        process: The running awk.
        pad: See Record; likewise ``most``.
        operands: ARGV without the command's name.

    Attributes:
        texts: Cached texts of numbers by CONVFMT; ``printed`` those by OFMT.
        encoding: How input is decoded.
        numbers: Cached numbers of strings; ``looks`` and ``outside`` are caches too.
        assign_hook: Assigns a variable of the program by its name; set by the program.
        library: The functions that need the runtime.
        lines: The awk line of each line of Python.
        begun: Whether a rule has run.
        last_line: See Program.
        place: Describes a line of the program for a message.
        status: The exit status.
    """

    def __init__(
        self, process: Process, pad: int, most: int, operands: list[str], lines: tuple[int, ...], place: Callable[[int], str]
    ) -> None:
        self.lines = lines
        self.begun, self.last_line = False, 0
        self.place = place
        self.process, self.budget = process, process.budget
        self.encoding = encoding(process.env)
        self.string_limit = process.budget.limits.max_string_bytes
        self.texts = NumberTexts()  # by CONVFMT
        self.printed = NumberTexts()  # by OFMT
        self.numbers, self.looks, self.outside = Numbers(), Looks(), Outside()
        self.record = Record(pad, most, self.budget, self.to_text, self.grown)
        self.standard = Output(process.stdout)
        self.outputs = Redirections(process, self.standard, self.environment, self._coprocess)
        self.ignore_case = False
        self.separator = Separator("\n", self.budget)
        self.readers: dict[str, Reader] = {}
        self.waits: dict[str, Callable[[], int]] = {}  # for commands whose output is read
        self.special: dict[str, Value] = {
            "FS": " ",
            "OFS": " ",
            "ORS": "\n",
            "RS": "\n",
            "SUBSEP": "\x1c",
            "CONVFMT": "%.6g",
            "OFMT": "%.6g",
            "FIELDWIDTHS": "",
            "FPAT": "[^[:space:]]+",
            "IGNORECASE": 0.0,
            "FILENAME": "",
            "ERRNO": "",
            "RT": "",
            "ARGIND": 0.0,
        }
        self.ors = "\n"
        self.subsep = "\x1c"
        self.rstart: float = 0
        self.rlength: float = 0
        self.operands = frozenset(operands)
        self.argc = float(len(operands) + 1)
        self.argv = Array({str(index): strnum(word) for index, word in enumerate(paced_if_many([process.name, *operands]))})
        self._environ: Array | None = None
        self.procinfo = Array({"version": "5.2.1", "platform": "posix", "strftime": "%a %b %e %H:%M:%S %Z %Y", "FS": "FS"})
        self.input = MainInput(self)
        self.assign_hook: Callable[[str, Value], None] | None = None
        self._given: dict[str, Value] = {}
        self._patterns: dict[tuple[str, bool], Pattern] = {}
        self.library = Library(self)
        self.status = 0
        self.depth = 0
        self.fuel = 0
        self._looked = monotonic()
        self._turns = _STEPS  # of a loop, until the budget is asked
        self._grown = 0
        self._made = 0  # characters of long strings since what was printed was written
        self._held = 0  # bytes of the variables when they were last measured, which the budget has granted
        self._allowed = self.budget.memory // 8
        self.replaced = ""  # the result of the last sub() or gsub()

    # -- conversions ------------------------------------------------------------------------------------------------------

    def to_text(self, value: Value) -> str:
        """Convert any value to a string, by CONVFMT."""
        kind = value.__class__
        if kind is str:
            return value  # type: ignore[return-value]  # its class was just asked
        if isinstance(value, str):
            return str(value)
        if isinstance(value, dict):
            raise array_as_scalar()
        return self.texts[value]

    def to_output(self, value: Value) -> str:
        """Convert any value to a string as ``print`` does, numbers by OFMT."""
        if isinstance(value, str):
            return value
        if isinstance(value, dict):
            raise array_as_scalar()
        return self.printed[value]

    def compare(self, left: Value, right: Value) -> int:
        """Compare two values: -1, 0 or 1; as numbers unless one of them is a string (POSIX XCU awk)."""
        if left.__class__ is str or right.__class__ is str:
            return self.compare_texts(self.to_text(left), self.to_text(right))
        first, second = number(left), number(right)
        return (first > second) - (first < second)

    def compare_texts(self, left: str, right: str) -> int:
        """Compare two strings: -1, 0 or 1."""
        if self.ignore_case:
            left, right = left.lower(), right.lower()
        return (left > right) - (left < right)

    def compare_field(self, text: str, value: float) -> int:
        """Compare an input text with a number; as numbers if the text looks like one."""
        amount = self.looks[text]
        if amount is None:
            return self.compare_texts(text, self.texts[value])
        return (amount > value) - (amount < value)

    def length(self, value: Value) -> int:
        """length() of a value that may be an array."""
        return len(value) if isinstance(value, dict) else len(self.to_text(value))

    def field_type(self, index: float) -> str:
        """typeof() of a field."""
        if index > self.record.fields_count():
            return "unassigned"
        return type_of(field_value(self.record.get(index)))

    def regex(self, pattern: str) -> Pattern:
        """Compile a regular expression."""
        key = pattern, self.ignore_case
        found = self._patterns.get(key)
        if found is None:
            if len(self._patterns) >= _PATTERNS:
                self._patterns.clear()
            octets = self.encoding == OCTETS
            found = self._patterns[key] = compile_regex(pattern, self.budget, ignore_case=self.ignore_case, octets=octets)
        return found

    def format(self, arguments: list[Value]) -> str:
        """printf: the first argument is the format."""
        form, octets = parse_format(self.to_text(arguments[0])), self.encoding == OCTETS
        text = form.apply(arguments[1:], self.to_text, self.budget, octets=octets)
        return self.grown(text) if len(text) > _LONG else text

    # -- limits -----------------------------------------------------------------------------------------------------------

    def more(self) -> int:
        """Charge the budget for the next loop turns; return their number.

        Raises:
            LimitExceededError: The time limit or the memory limit is reached.
        """
        if monotonic() - self._looked > _SLOW:
            self._turns = max(1, self._turns >> 3)
        elif self._turns < _STEPS:
            self._turns = min(_STEPS, 2 * self._turns)
        self.budget.tick(_STEPS + 1)
        self._looked = monotonic()
        self._grown += ELEMENT * _STEPS  # one element each
        if len(self.standard.pending) > _STEPS:
            self.standard.flush()
        if self._grown > self._allowed:
            self._measure()
        return self._turns

    def enter(self) -> None:
        """Charge the budget for a function call."""
        self.depth += 1
        self.fuel -= 1
        if self.fuel < 0:
            self.fuel = self.more()
        if self.depth > self.budget.limits.max_function_depth:
            self.budget.fail("max_function_depth")

    def grown(self, text: str) -> str:
        """Note that a long string was made."""
        self._grown += len(text)
        if len(text) > self.string_limit:
            self.budget.fail("max_string_bytes")
        self._count(len(text))
        return text

    def waiting(self, text: str) -> str:
        """Note that a long string is printed, and waits to be written."""
        self._count(len(text))
        return text

    def _count(self, length: int) -> None:
        """A long string was made, and may be kept or printed."""
        self._made += length
        if self._made > _UNWRITTEN:
            self._made = 0
            self.standard.flush()
            if self._grown > self._allowed:
                self._measure()
        if length > _HEAVY:
            self._toil(length)

    def _toil(self, length: int) -> None:
        """A long string was made: so much work was done, and a few turns of a loop that looks at it may be as much each."""
        self._turns = max(1, min(self._turns, _STEPS * _HEAVY // length))
        self.budget.tick(length >> 10)

    def join(self, parts: Sequence[str]) -> str:
        """Join many strings."""
        size = sum(map(len, parts))
        if size > _LONG:
            self.budget.string(size)
            self._grown += size
            self._count(size)
        return "".join(parts)

    def appended(self, text: str) -> None:
        """Check a string that grows: in place, or by a copy where another variable has it, too."""
        if len(text) > self.string_limit:
            self.budget.fail("max_string_bytes")
        self.budget.tick(len(text) >> 12)

    def batch(self, *, whole: bool = False) -> Iterator[Any] | None:
        """Return the next records of the main input, or None at its end; see ``MainInput.batch``."""
        if len(self.standard.pending) > _STEPS:
            self.standard.flush()
        if self._grown > self._allowed:
            self._measure()
        separators = len(self.record.ofs) + len(self.ors)  # which may stand in what is printed for each record
        most = _BATCH if separators <= _LONG else max(1, _BATCH * _LONG // separators)
        return self.input.batch(most, whole=whole and most == _BATCH)

    def read(self, size: int) -> None:
        """Note that so many bytes of input were read, which the program may keep."""
        self._grown += size + ELEMENT

    def _measure(self) -> None:
        """Measure the program's memory; the next measurement is when half of the remaining memory may be used."""
        budget = self.budget
        held = weigh(program_variables(), budget)
        grown, self._held = held - self._held, held
        budget.hold(grown)
        self._grown = 0
        self._allowed = max(budget.memory // 4, budget.limits.max_memory_bytes // 16)

    def release(self) -> None:
        """Give back the memory of the variables."""
        self.budget.hold(-self._held)
        self._held = 0

    # -- variables --------------------------------------------------------------------------------------------------------

    def initial(self, name: str) -> Value:
        """The value that ``-v`` sets for a variable of the program."""
        return self._given.get(name, UNINIT)

    def set_given(self, assignments: list[tuple[str, str]]) -> None:
        """Apply the assignments of ``-v`` and ``-F``: special variables at once, others when the program reads them."""
        for name, text in assignments:
            value = strnum(unescape(text))
            if not self.assign_special(name, value):
                self._given[name] = value

    def assign_operand(self, word: str) -> bool:
        """Apply the assignment of an operand; return whether it is one."""
        found = assignment(word)
        if found is None:
            return False
        value = strnum(unescape(found[1]))
        if not self.assign_special(found[0], value) and self.assign_hook is not None:
            self.assign_hook(found[0], value)
        return True

    def assign_special(self, name: str, value: Value) -> bool:
        """Assign a special variable; return whether the name is one."""
        if name not in self.special and name not in ("NF", "NR", "FNR", "RSTART", "RLENGTH", "ARGC"):
            return False
        self.assign(name, value)
        return True

    def assign(self, name: str, value: Value) -> Value:
        """Assign a special variable and return the value."""
        if isinstance(value, dict):
            raise array_as_scalar()
        if name in self.special:
            self.special[name] = value
            effect = EFFECTS.get(name)
            if effect is not None:
                effect(self, self.to_text(value))
            return value
        amount = number(value)
        exact: float = int(amount) if amount - amount == 0.0 and amount == int(amount) else amount
        if name == "NF":
            self.record.set_count(amount)
        elif name == "NR":
            self.record.number = exact
        elif name == "FNR":
            self.record.file_number = exact
        elif name == "RSTART":
            self.rstart = exact
        elif name == "RLENGTH":
            self.rlength = exact
        else:
            self.argc = amount
        return value

    def set_fs(self) -> None:
        """Split fields by FS from the next record on."""
        paragraphs = self.separator.paragraphs
        text = self.to_text(self.special["FS"])
        self.record.set_separator(text, paragraphs=paragraphs, ignore_case=self.ignore_case)
        self.procinfo["FS"] = "FS"

    def set_rs(self, value: str) -> None:
        """Read records that end with ``value`` from now on."""
        before = self.separator.paragraphs
        self.input.unread()
        self.separator = Separator(value, self.budget, ignore_case=self.ignore_case)
        if self.separator.paragraphs != before and self.procinfo["FS"] == "FS":
            self.set_fs()

    def set_ignore_case(self, value: str) -> None:  # noqa: ARG002 - a string is true even if it looks like zero
        """Apply a new IGNORECASE."""
        self.ignore_case = bool(self.special["IGNORECASE"])
        self.set_rs(self.to_text(self.special["RS"]))
        if self.procinfo["FS"] == "FS":
            self.set_fs()

    # -- getline ----------------------------------------------------------------------------------------------------------

    def getline(self) -> float:
        """Plain ``getline``: the next record becomes ``$0``; return 1, or 0 at the end."""
        text = self.input.next()
        if text is None:
            return 0.0
        self.record.set_text(text)
        return 1.0

    def getline_record(self, kind: str, name: str) -> float:
        """``getline < file`` and ``command | getline`` without a variable."""
        text = self.getline_from(kind, name)
        if not isinstance(text, str):
            return float(text)
        self.record.set_text(text)
        return 1.0

    def getline_from(self, kind: str, name: str) -> str | int:
        """Read a record of a file or command; return 0 at its end, -1 if it cannot be opened."""
        reader = self.readers.get(name)
        if reader is None:
            opened = self._open_reader(kind, name)
            if opened is None:
                return -1
            reader = self.readers[name] = opened
        try:
            records = reader.take(self.separator, 1)
        except OSError:
            return -1
        if not records:
            return 0
        self.read(len(records[0]))
        if self.input.exact:
            self.special["RT"] = reader.ends[-1]
        return records[0]

    def _open_reader(self, kind: str, name: str) -> Reader | None:
        if not self.outputs.allowed:
            raise AwkError(FORBIDDEN)
        if not name:
            raise AwkError(f"expression for `{'<' if kind == 'file' else '|'}' redirection has null string value")
        if kind == "coprocess":
            if name in self.outputs:
                raise AwkError("getline: attempt to read from closed read end of two-way pipe")
            self.outputs.get("|&", name)
            return self.readers[name]
        if kind == "command":  # as in gawk, it does not see what is still buffered
            self.outputs.flush_commands()
            stream, self.waits[name] = self.process.launcher.open(["sh", "-c", name], write=False, env=self.environment())
            return Reader(stream, self.budget, self.encoding)
        try:
            return Reader(opened(self.process, name), self.budget, self.encoding)
        except OSError as error:
            self.special["ERRNO"] = error.strerror or str(error)
            return None

    def _coprocess(self, name: str) -> Stream:
        """Start a co-process, whose output is read by its name, and give the pipe to it."""
        if name in self.readers:
            raise AwkError("print: attempt to write to closed write end of two-way pipe")
        stream, answers, self.waits[name] = self.process.launcher.open_both(["sh", "-c", name], env=self.environment())
        self.readers[name] = Reader(answers, self.budget, self.encoding)
        return stream

    @property
    def environ(self) -> Array:
        """ENVIRON, made when it is first asked for."""
        if self._environ is None:
            self._environ = Array({name: strnum(text) for name, text in self.process.environment().items()})
        return self._environ

    # -- commands ---------------------------------------------------------------------------------------------------------

    def system(self, command: str) -> float:
        """system(): how the command ended."""
        if not self.outputs.allowed:
            raise AwkError("'system' function not allowed in sandbox mode")
        self.flush()
        return _status(self.process.launcher.run(["sh", "-c", command], env=self.environment()))

    def environment(self) -> dict[str, str] | None:
        """The environment of commands, where the program has changed ENVIRON."""
        if self._environ is None:
            return None
        variables = {name: self.to_text(value) for name, value in paced(self._environ.items())}
        return variables if variables != self.process.environment() else None

    def flush(self) -> None:
        """Write all buffered output."""
        self.standard.flush()
        self.outputs.flush()

    def fflush(self, name: str | None = None) -> float:
        """fflush()."""
        if not name:
            self.flush()
            return 0.0
        if name == "/dev/stdout":
            self.standard.flush()
            return 0.0
        if self.outputs.flush_one(name):
            return 0.0
        if name in self.readers:
            kind = "file" if self.waits.get(name) is None else "pipe"
            self.warn(f"fflush: cannot flush: {kind} `{name}' opened for reading, not writing")
        else:
            self.warn(f"fflush: `{name}' is not an open file, pipe or co-process")
        return -1.0

    def close(self, name: str, end: str = "") -> float:
        """close(): the exit status of a command, 0 for a file, -1 if not open; ``to`` and ``from`` are ends of a co-process."""
        if end not in ("", "to", "from"):
            raise AwkError("close: second argument must be `to' or `from'")
        status = -1
        if name in self.readers or name in self.outputs:
            self.standard.flush()  # gawk writes its own output before the command's remaining output
        else:
            self.special["ERRNO"] = "close of redirection that was never opened"
        if end != "from" and name in self.outputs:
            status = self.outputs.close(name) or 0
        if end != "to" and name in self.readers:
            status = self._close_reader(name, self.readers.pop(name))
        return _status(status)

    def finish(self) -> None:
        """Close everything at the end: the commands run before the rest of standard output is written, as in gawk."""
        self.outputs.close_all()
        self.standard.flush()
        self.close_readers()

    def close_readers(self) -> None:
        """Close the inputs, and wait for commands among them."""
        while self.readers:
            self._close_reader(*self.readers.popitem())

    def abandon(self) -> None:
        """Drop every pipe without waiting, so that no command waits for this one."""
        self.outputs.abandon()
        for reader in self.readers.values():
            self.process.close(reader.stream)

    def _close_reader(self, name: str, reader: Reader) -> int:
        self.process.close(reader.stream)
        wait = self.waits.pop(name, None)
        return 0 if wait is None else wait()

    # -- places -----------------------------------------------------------------------------------------------------------

    def warn(self, message: str) -> None:
        """Print a warning with the running line of the program."""
        self.process.warn(f"{self.place(program_line(self.lines))}{self.where()}warning: {message}")

    def where(self) -> str:
        """The input position for a message."""
        number_in_file = self.input.position()
        if not number_in_file:
            return ""
        return f"(FILENAME={self.to_text(self.special['FILENAME'])} FNR={self.printed[number_in_file]}) "

    def exit(self, status: float) -> None:
        """Set the exit status."""
        self.status = int(status) & 0xFF if status - status == 0.0 else 0


def _status(status: int) -> float:
    """How a command ended: its status; if a signal has ended it, 256 and its number."""
    killed = isinstance(status, KilledStatus) and status != _SIGPIPE  # that ends what the shell runs
    return float(status + 128 if killed else status)

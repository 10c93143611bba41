"""printf formats (bash(1), printf; POSIX XBD 5, File Format Notation)."""

from __future__ import annotations

import math
import re
import sys
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from bashkit.interp.arithmetic.evaluator import plain_integer
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.arithmetic.reading import strtoimax, strtold
from bashkit.interp.arithmetic.writing import floating_field, integer_field, pad
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.environment import exported_variable
from bashkit.interp.state.locales import as_octets, escapes_in_locale, from_octets, in_locale
from bashkit.interp.state.quoting import backslash_quote
from bashkit.interp.state.scopes import NAME
from bashkit.limits import ask, paced_if_many, turn
from bashkit.regex.cache import for_short
from bashkit.syntax.escapes import echo, incomplete, printf_format

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_DIRECTIVE = re.compile(
    r"%(?:%|([-+ 0#']*)(\*|-?[0-9]+)?(?:\.(\*|-?[0-9]+|))?(\((?:[^()]|\([^()]*\))*\))?(?:hh|h|ll|l|j|z|t|L)?(.)?)", re.DOTALL
)
_SIMPLE = re.compile(r"(%(?:-?[1-9][0-9]{0,2})?s|%(?:[-0+ ]?[1-9][0-9]{0,2})?d)")
_LONG = 1 << 16  # characters of a format
_INTEGERS = frozenset("diouxX")
_FLOATS = frozenset("eEfFgGaA")

_PREFIX = re.compile(r"[ \t-\r]*[-+]?0([xX0-9])")
_LEAST_DOUBLE = sys.float_info.min
_OF_THE_ZONE = re.compile(r"%%|%([-_0^#]*)(\d{0,3})([sZz])", re.ASCII)  # what the C library would write of the host's zone
_LONGEST_TIME = 128  # bytes that strftime(3) gets from bash
_CYCLE = 146_097 * 86_400  # seconds of 400 years
_YEARS = (1 << 31) - 1  # a year is a C int: what comes later is shown as the first second of 1970


class FormatError(Exception):
    """A directive that printf does not know."""


@dataclass(slots=True, frozen=True)
class _Directive:
    """One ``%…`` directive; width and precision may be ``*``."""

    flags: str
    width: str
    precision: str | None
    kind: str
    source: str
    time_format: str = ""


class Complaint(NamedTuple):
    """What was wrong with an argument.

    Attributes:
        place: Its place in the text: the lines before that are written before it is reported.
        message: What is reported.
        fails: Whether the status is 1 then.
    """

    place: int
    message: str
    fails: bool = True


class Format:
    """A format, parsed.

    Args:
        text: As the script has it.
    """

    __slots__ = ("_quick", "_stop", "_warnings", "pieces")

    def __init__(self, text: str) -> None:
        self.pieces: list[str | _Directive] = []
        self._stop = False
        self._warnings: dict[int, list[str]] = {}  # of the pieces at these places
        position = 0
        self._quick = _quick(text)
        while not self._stop:
            match = _DIRECTIVE.search(text, position)
            between = text[position:] if match is None else text[position : match.start()]
            if between:
                literal, self._stop = printf_format(between, ask)
                if warnings := incomplete(between, ask):
                    self._warnings[len(self.pieces)] = warnings
                self.pieces += [literal] if literal else []
            if match is None:
                break
            turn()
            position = match.end()
            if match.group() == "%%":
                self.pieces.append("%")
                continue
            flags, width, precision, time_format, kind = match.groups()
            if (time_format and kind != "T") or kind == "(":
                position = text.index("(", match.start()) + 1
                wrong = kind if time_format and kind else ""
                self.pieces.append(_Directive("", "", None, "(", text[match.start() : position], wrong))
                continue
            self.pieces.append(_Directive(flags, width or "", precision, kind or "", match.group(), time_format or ""))

    def render(self, shell: Shell, arguments: list[str]) -> tuple[str, list[Complaint]]:
        """The text, the format used again while arguments are left, and what was wrong with the arguments, or ended it."""
        if self._quick is not None:
            text = self._quick.fill(shell, arguments)
            if text is not None:
                return text, []
        out: list[str] = []
        rendering = _Rendering(shell, arguments)
        size, most = 0, shell.budget.limits.max_string_bytes
        while True:
            before, rendering.made = rendering.position, []
            for place, piece in enumerate(paced_if_many(self.pieces)):
                if isinstance(piece, str):
                    for message in paced_if_many(self._warnings.get(place, ())):
                        rendering.errors.append(Complaint(size, message, fails=False))
                    text = piece
                else:
                    rendering.written = size
                    try:
                        text = rendering.directive(piece)
                    except FormatError as error:
                        return "".join(out), [*rendering.errors, Complaint(size, str(error))]
                out.append(text)
                rendering.made.append(text)
                size += len(text)
                if size > most:
                    shell.budget.string(size)
                if rendering.stopped:
                    return "".join(out), rendering.errors
            shell.budget.string(size)
            shell.budget.tick()
            if self._stop or rendering.position >= len(arguments) or rendering.position == before:
                return "".join(out), rendering.errors


@dataclass(slots=True, frozen=True)
class _Quick:
    """A format of ``%s`` and ``%d`` alone.

    Attributes:
        template: The format as Python's ``%`` knows it.
        count: How many arguments it takes.
        numbers: Which of them are numbers.
        widths: What they are all filled up to together.
        measured: A string has a width, which counts bytes.
    """

    template: str
    count: int
    numbers: tuple[int, ...]
    widths: int
    measured: bool

    def fill(self, shell: Shell, arguments: list[str]) -> str | None:
        """The format filled in, as often as there are arguments for it; None where an argument needs more thought."""
        template, count = self.template, self.count
        if len(arguments) != count:
            turns, left = divmod(len(arguments), count)
            if left or not turns:
                return None
            shell.budget.string(turns * (len(template) + self.widths) + sum(map(len, arguments)) if turns > 999 else 0)
            shell.budget.tick(turns)
            template *= turns
        if self.measured and not all(map(str.isascii, arguments)):
            return None
        if not self.numbers:
            return template % tuple(arguments)
        values: list[str | int] = list(arguments)
        for index in self.numbers:
            for place in range(index, len(values), count):
                number = plain_integer(arguments[place])
                if number is None:
                    return None
                values[place] = number
        return template % tuple(values)


def _quick(text: str) -> _Quick | None:
    """The format as a _Quick, or None for any other."""
    if len(text) > _LONG or "\\c" in text or incomplete(text, ask) or "%" in _SIMPLE.sub("", text):
        return None
    directives = _SIMPLE.findall(text)
    if not directives:
        return None
    literals = [printf_format(piece, ask)[0].replace("%", "%%") for piece in _SIMPLE.split(text)[::2]]
    template = literals[0] + "".join(directive + literal for directive, literal in zip(directives, literals[1:], strict=True))
    numbers = tuple(index for index, directive in enumerate(directives) if directive[-1] == "d")
    measured = any(directive[-1] == "s" and len(directive) > 2 for directive in directives)
    widths = sum(int(width) for directive in directives if (width := directive.strip("%-+ 0sd")))
    return _Quick(template, len(directives), numbers, widths, measured)


class _Rendering:
    """The arguments of one printf, consumed from the left."""

    __slots__ = ("arguments", "errors", "made", "position", "shell", "stopped", "written")

    def __init__(self, shell: Shell, arguments: list[str]) -> None:
        self.shell = shell
        self.arguments = arguments
        self.position = 0
        self.errors: list[Complaint] = []
        self.written = 0  # characters before the directive
        self.made: list[str] = []  # with this use of the format
        self.stopped = False

    def next(self) -> str | None:
        """The next argument, or None after the last."""
        index = self.position
        if index >= len(self.arguments):
            return None
        self.position = index + 1
        return self.arguments[index]

    def directive(self, directive: _Directive) -> str:
        """What one directive makes."""
        flags, kind = directive.flags, directive.kind
        width = self.integer(self.next()) if directive.width == "*" else whole_number(directive.width or "0")
        precision: int | None = None
        if directive.precision == "*":
            precision = self.integer(self.next())
            precision = None if precision < 0 or kind == "Q" else precision  # undocumented: it cuts no argument of %Q
        elif directive.precision is not None:
            precision = whole_number(directive.precision or "0")
            precision = None if precision < 0 else precision
        if width < 0:
            flags, width = flags + "-", -width
        self.shell.budget.string(max(width, precision or 0))
        if kind == "(":
            self._warn(f"warning: `{directive.time_format}': invalid time format specification")
            return directive.source
        if directive.time_format:
            return pad(self.time(directive.time_format[1:-1])[:precision], flags, width)
        if kind in _INTEGERS:
            return self._integer(flags, width, precision, kind)
        if kind in _FLOATS:
            return self._float(flags, width, precision, kind)
        return self._text(directive, flags, width, precision)

    def _text(self, directive: _Directive, flags: str, width: int, precision: int | None) -> str:
        kind = directive.kind
        if kind in {"s", "b", "q", "Q"}:
            text = self.next() or ""
            if kind == "b":
                for message in paced_if_many(incomplete(text, ask)):
                    self._warn(message)
                text, self.stopped = echo(escapes_in_locale(self.shell, text), self.shell.budget.tick, printf=True)
            elif kind == "q":
                text = backslash_quote(in_locale(self.shell, text), self.shell.budget)
            octets = as_octets(text)[:precision]
            if kind == "Q" and (text or precision != 0):
                octets = as_octets(backslash_quote(in_locale(self.shell, from_octets(octets)), self.shell.budget))
            return from_octets(pad(octets, flags, width))
        if kind == "c":
            return from_octets(pad(as_octets(self.next() or "")[:1] or "\0", flags, width))  # a byte
        if kind == "n":
            self._count(self.next())
            return ""
        if not kind:
            raise FormatError(f"`{directive.source}': missing format character")
        raise FormatError(f"`{kind}': invalid format character")

    def _count(self, name: str | None) -> None:
        """``%n``: assign the number of bytes that this use of the format has made."""
        if not name:
            return
        if NAME.fullmatch(name) is None:
            raise FormatError(f"`{name}': not a valid identifier")
        try:
            self.shell.assign(name, str(sum(len(as_octets(text)) for text in paced_if_many(self.made))))
        except ReadonlyError as error:
            self.shell.report(error)

    def _integer(self, flags: str, width: int, precision: int | None, kind: str) -> str:
        number = self.integer(self.next(), 0xFFFFFFFFFFFFFFFF if kind in "ouxX" else 0x7FFFFFFFFFFFFFFF)
        return integer_field(number, kind, flags, width, precision)

    def _float(self, flags: str, width: int, precision: int | None, kind: str) -> str:
        return floating_field(self.decimal(self.next()), kind, flags, width, precision, double=self.shell.options.posix)

    def integer(self, argument: str | None, largest: int = 0x7FFFFFFFFFFFFFFF) -> int:
        """An argument as a C integer of at most ``largest``; what is wrong with it goes into ``errors``."""
        if argument is None:
            return 0
        if argument[:1] in {"'", '"'}:
            return _code(self.shell, argument)
        number, end = strtoimax(argument)
        least = -largest if largest > 0x7FFFFFFFFFFFFFFF else -0x8000000000000000
        self._check(argument, end, fits=least <= number <= largest)
        if least == -largest:
            return number & largest if least <= number <= largest else largest  # as strtoumax(3)
        return max(least, min(number, largest))

    def _check(self, argument: str, end: int, *, fits: bool, octal: bool = True) -> None:
        """Note what is wrong with an argument whose characters before ``end`` are a number that ``fits`` its type or not."""
        if end < len(argument):
            prefix = _PREFIX.match(argument)
            kind = "" if prefix is None else "hex " if prefix[1] in "xX" else "octal " if octal else ""
            self.errors.append(Complaint(self.written, f"{argument}: invalid {kind}number"))
        elif not fits:
            self._warn(f"warning: {argument}: Numerical result out of range")

    def _warn(self, message: str) -> None:
        self.errors.append(Complaint(self.written, message, fails=False))

    def decimal(self, argument: str | None) -> Decimal:
        """An argument as a floating-point number: a C long double or, in posix mode, a double."""
        if argument is None:
            return Decimal(0)
        if argument[:1] in {"'", '"'}:
            return Decimal(_code(self.shell, argument))
        value, end, fits = strtold(argument)
        if self.shell.options.posix:
            double = float(value)
            fits = fits and (not value.is_finite() or not value or _LEAST_DOUBLE <= abs(double) < math.inf)
            value = Decimal.from_float(double)  # noqa: FURB164 - the constructor raises where the host traps FloatOperation
        self._check(argument, end, fits=fits, octal=False)
        return value

    def time(self, form: str) -> str:
        """``%(…)T``: -1 and no argument are now, -2 the start of the shell."""
        argument = self.next()
        seconds = -1 if argument is None else self.integer(argument)
        if seconds == -1:
            seconds = int(self.shell.machine.system.now())
        elif seconds == -2:
            seconds = int(self.shell.seconds_base)
        return time_text(self.shell, form, seconds)


def time_text(shell: Shell, form: str, seconds: int) -> str:
    """A second in the words of strftime(3), of the C library as far as its years go."""
    system = shell.machine.system
    from datetime import UTC, datetime

    cycles = 0 if -_CYCLE < seconds < _CYCLE else seconds // _CYCLE  # the calendar is the same again after one
    zone = system.timezone(exported_variable(shell, "TZ") or "")
    moment = datetime.fromtimestamp(seconds - cycles * _CYCLE, UTC).astimezone(zone)
    year, *rest = moment.timetuple()
    year += 400 * cycles
    if abs(year) > _YEARS:
        return time_text(shell, form, 0)
    texts = {"s": str(seconds), "Z": moment.tzname() or "UTC", "z": moment.strftime("%z")}

    def replaced(match: re.Match[str]) -> str:
        flags, width, letter = match.groups()
        if letter is None:
            return match[0]
        text = texts[letter].lower() if "#" in flags and letter == "Z" else texts[letter]
        return text.rjust(int(width or 0), "0" if "0" in flags else " ")

    form = _OF_THE_ZONE.sub(replaced, form or "%X")
    text = time.strftime(form, time.struct_time((year, *rest)))
    return text if len(text) < _LONGEST_TIME else ""


def _code(shell: Shell, argument: str) -> int:
    """The number of the character after a quote; of a byte that is no character, the byte."""
    code = ord(in_locale(shell, argument)[1]) if len(argument) > 1 else 0
    return code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code


def _weight(text: str) -> int:
    """The characters of a format; each directive becomes much more than its text."""
    return len(text) + 32 * text.count("%")


@for_short(512, _weight)
def compile_format(text: str) -> Format:
    """The parsed format, kept by its text."""
    return Format(text)

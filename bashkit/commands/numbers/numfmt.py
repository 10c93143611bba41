"""numfmt: convert numbers from and to human-readable strings (GNU coreutils manual, numfmt)."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Decimal
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import line_blocks
from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import MOST, clamped, is_count, width
from bashkit.commands._notation.quoting import mention
from bashkit.interp.arithmetic.decimals import calculating, context_of
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room, paced, paced_if_many
from bashkit.syntax.digits import SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_LETTERS = "KMGTPEZY"
_NUMBER = re.compile(r"(-?\d*\.?\d+)(.*)", re.ASCII | re.DOTALL)
_FORMAT = re.compile(r"((?>[^%]++|%%)*+)%([-'0 ]*+)(\d*+)(?:\.(\d*+))?f((?>[^%]++|%%)*+)", re.ASCII)
_DIRECTIVE = re.compile(r"%[-'0 ]*+(\d*+)(?:\.([-+ \t]|\d*))?", re.ASCII)
_UNITS = (("none",), ("auto",), ("si",), ("iec",), ("iec-i",))
_ROUNDINGS = {
    "up": ROUND_CEILING,
    "down": ROUND_FLOOR,
    "from-zero": ROUND_UP,
    "towards-zero": ROUND_DOWN,
    "nearest": ROUND_HALF_UP,
}
_DIGITS = 28  # of a calculation that is not exact
_EXACT = context_of(300)
_KEPT = context_of(20)
_LARGEST_POWER = 26
_AT_ONCE = 1 << 16  # characters that are written at once
_MOST_PLACES = 100  # of a number; zeros come after them
_UNIT_OF_PLACES = [Decimal(1).scaleb(-places, _EXACT) for places in range(_MOST_PLACES + 1)]
_UNITS_OF_BASE = {base: [Decimal(base**power) for power in range(1, len(_LETTERS) + 1)] for base in (1000, 1024)}
_CONVERTIBLE = 27  # digits before the point, and behind it, that a number may have, without leading zeros
_PRECISE = 18  # maximum digits before the point that the program can handle


_CHOICES = {
    "--from": _UNITS,
    "--to": _UNITS[:1] + _UNITS[2:],
    "--round": tuple((name,) for name in _ROUNDINGS),
    "--invalid": (("abort",), ("fail",), ("warn",), ("ignore",)),
}


def _choice(option: str) -> Callable[[str], str]:
    return lambda word: choose(option, word, _CHOICES[option])


@command(
    "numfmt",
    usage="[OPTION]... [NUMBER]...",
    summary="Reformat NUMBER(s), or the numbers from standard input if none are specified.",
    options=(
        flag("--debug", help="print warnings about invalid input"),
        value("-d", "--delimiter", metavar="X", help="use X instead of whitespace for field delimiter"),
        value("--field", metavar="FIELDS", help="replace the numbers in these input fields (default=1)"),
        value("--format", metavar="FORMAT", help="use printf style floating-point FORMAT"),
        value("--from", metavar="UNIT", help="auto-scale input numbers to UNITs; default is 'none'", check=_choice("--from")),
        value("--from-unit", metavar="N", help="specify the input unit size (instead of the default 1)"),
        flag("--grouping", help="use locale-defined grouping of digits (there is none)"),
        value("--header", metavar="N", optional=True, help="print (without converting) the first N header lines"),
        value(
            "--invalid",
            metavar="MODE",
            help="failure mode for invalid numbers: abort, fail, warn, ignore",
            check=_choice("--invalid"),
        ),
        value("--padding", metavar="N", help="pad the output to N characters; negative left-aligns"),
        value("--round", metavar="METHOD", help="up, down, from-zero (default), towards-zero, nearest", check=_choice("--round")),
        value("--suffix", metavar="SUFFIX", help="add SUFFIX to output numbers, and accept it in input numbers"),
        value("--to", metavar="UNIT", help="auto-scale output numbers to UNITs", check=_choice("--to")),
        value("--to-unit", metavar="N", help="the output unit size (instead of the default 1)"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Convert; 2 when a number is invalid."""
    plan = _plan(process, arguments)
    if "debug" in arguments:
        for message in _suspicions(arguments):
            process.warn(message)
    try:
        with calculating(_DIGITS):
            return _convert(process, arguments, plan)
    except _AbortError:
        return 2
    finally:
        if plan.failures and "debug" in arguments and plan.invalid != "abort":
            process.warn("failed to convert some of the input numbers")


def _suspicions(arguments: Arguments) -> Iterator[str]:
    """The warnings of ``--debug`` about the options."""
    form = _FORMAT.fullmatch(arguments.get("format") or "")
    if form is not None and form[3] and ("0" not in form[2] or "-" in form[2]) and "padding" in arguments:
        yield "--format padding overriding --padding"
    converts = any(_choice(f"--{key}")(arguments.get(key) or "none") != "none" for key in ("from", "to"))
    if not converts and not any(key in arguments for key in ("grouping", "padding", "format")):
        yield "no conversion option specified"
    if "grouping" in arguments or (form is not None and "'" in form[2]):
        yield "grouping has no effect in this locale"
    if "header" in arguments and arguments.operands:
        yield "--header ignored with command-line input"


def _convert(process: Process, arguments: Arguments, plan: _Plan) -> int:
    status = 0
    if arguments.operands:
        for word in arguments.operands:
            status = max(status, _line(process, plan, word, plan.end))
    else:
        header = plan.header
        end = plan.end.encode()
        for block in line_blocks(process.stdin.blocks(), process.budget, end):
            *lines, last = block.decode("utf-8", "surrogateescape").split(plan.end)
            for text in lines:
                process.budget.tick(12)
                if header > 0:
                    header -= 1
                    plan.output.write(text + plan.end)
                else:
                    status = max(status, _line(process, plan, text, plan.end))
            if last and header > 0:
                plan.output.write(last)
            elif last:
                status = max(status, _line(process, plan, last, ""))
            plan.output.flush()
    plan.output.flush()
    return status


def _header(arguments: Arguments) -> int:
    """How many lines are copied as they are."""
    if "header" not in arguments:
        return 0
    text = arguments.get("header")
    if text is None:
        return 1
    if not is_count(text) or not 0 < clamped(text) < MOST:
        raise UsageError(f"invalid header value {mention(text)}", hint=False)
    return clamped(text)


class _AbortError(Exception):
    """An invalid number ended the run; its message is already written."""


class _InvalidError(Exception):
    """Text that is not a number in these units."""


class _Output:
    """What is written, before messages, after blocks of lines and when it is long."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._held: list[str] = []
        self._size = 0

    def write(self, text: str) -> None:
        """Write text."""
        self._held.append(text)
        self._size += len(text)
        if self._size > _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        self._process.write("".join(self._held))
        self._held.clear()
        self._size = 0


@dataclass(frozen=True, slots=True)
class _Plan:
    """The parsed options."""

    source: str
    target: str
    from_unit: int
    to_unit: int
    rounding: str
    suffix: str
    padding: int
    zeros: int  # columns that zeros fill
    precision: int | None
    before: str
    after: str
    delimiter: str | None
    fields: tuple[tuple[int, int], ...]
    invalid: str
    end: str
    debug: bool
    header: int
    output: _Output
    failures: list[str] = field(default_factory=list)


def _plan(process: Process, arguments: Arguments) -> _Plan:
    before, after, zeros, precision = "", "", 0, None
    padding = _integer(arguments.get("padding", "0") or "", "padding value")
    if arguments.get("padding") is not None and padding == 0:
        raise UsageError(f"invalid padding value {mention(arguments.get('padding') or '')}", hint=False)
    process.budget.string(abs(padding))
    form = arguments.get("format")
    if len(arguments.all("field")) > 1:
        raise UsageError("multiple field specifications", hint=False)
    if "grouping" in arguments and (form is not None or arguments.get("to", "none") != "none"):
        raise UsageError(
            "--grouping cannot be combined with --format" if form is not None else "grouping cannot be combined with --to",
            hint=False,
        )
    if form is not None:
        match = _FORMAT.fullmatch(form)
        if match is None or any(clamped(number or "0") == MOST for number in match.group(3, 4)):
            raise UsageError(_format_problem(form), hint=False)
        before, flags, columns, digits, after = match.groups()
        if "'" in flags and arguments.get("to", "none") != "none":
            raise UsageError("grouping cannot be combined with --to", hint=False)
        precision = None if digits is None else width(digits or "0", process.budget)
        if "0" in flags and "-" not in flags:
            zeros = width(columns or "0", process.budget)
        else:
            padding = width(columns or "0", process.budget) or abs(padding)
    if any(text.startswith("-") for text in arguments.all("padding")) or (form is not None and "-" in flags):
        padding = -abs(padding)  # what is aligned to the left once stays so
    return _Plan(
        source=_choice("--from")(arguments.get("from", "none") or ""),
        target=_choice("--to")(arguments.get("to", "none") or ""),
        from_unit=_unit(arguments.get("from-unit", "1") or ""),
        to_unit=_unit(arguments.get("to-unit", "1") or ""),
        rounding=_ROUNDINGS[_choice("--round")(arguments.get("round", "from-zero") or "")],
        suffix=arguments.get("suffix") or "",
        padding=padding,
        zeros=zeros,
        precision=precision,
        before=before.replace("%%", "%"),
        after=after,  # where numfmt leaves %% as it is
        delimiter=_delimiter(arguments),
        fields=_fields(arguments.get("field", "1") or ""),
        invalid=_choice("--invalid")(arguments.get("invalid", "abort") or ""),
        end="\0" if "z" in arguments else "\n",
        debug="debug" in arguments,
        header=_header(arguments),
        output=_Output(process),
    )


def _delimiter(arguments: Arguments) -> str | None:
    text = arguments.get("d")
    if text is not None and len(text) > 1:
        raise UsageError("the delimiter must be a single character", hint=False)
    return None if text is None else text or "\0"


def _format_problem(form: str) -> str:
    if "%" not in form.replace("%%", ""):
        return f"format {mention(form)} has no % directive"
    columns, digits = _DIRECTIVE.search(form.replace("%%", "")).groups()  # type: ignore[union-attr]  # there is a percent sign
    if clamped(columns or "0") == MOST:
        return f"invalid format {mention(form)} (width overflow)"
    if digits is not None and (digits[:1] in {"-", "+", " ", "\t"} or clamped(digits or "0") == MOST):
        return f"invalid precision in format {mention(form)}"
    if form.replace("%%", "").count("%") > 1:
        return f"format {mention(form)} has too many % directives"
    if re.search(r"%['0]*-?\d*$", form, re.ASCII):
        return f"format {mention(form)} ends in %"
    return f"invalid format {mention(form)}, directive must be %[0]['][-][N][.][N]f"


def _integer(text: str, what: str) -> int:
    if not re.fullmatch(r"[ \t-\r]*[-+]?[0-9]{1,9}", text):
        raise UsageError(f"invalid {what} {mention(text)}", hint=False)
    return clamped(text)


def _unit(text: str) -> int:
    match = re.fullmatch(r"[ \t-\r]*\+?([0-9]*)([KMGTPEZY]?)(i?)", text)
    if match is None or not (match[1] or match[2]) or (match[3] and not match[2]) or not 0 < clamped(match[1] or "1") < MOST:
        raise UsageError(f"invalid unit size: {mention(text)}", hint=False)
    power = _LETTERS.index(match[2]) + 1 if match[2] else 0
    unit: int = (1024 if match[3] else 1000) ** power
    return clamped(match[1] or "1") * unit


def _fields(text: str) -> tuple[tuple[int, int], ...]:
    found = []
    for part in re.split("[, \t]", text):
        match = re.fullmatch(r"(\d*)(-?)(\d*)", part, re.ASCII)
        if part == "-":
            found.append((1, 1 << 30))
        elif not part or (match is not None and match[1] == "0"):
            raise UsageError("fields are numbered from 1")
        elif match is None:
            raise UsageError(f"invalid field value {mention(part)}")
        else:
            for digits in (match[1], match[3]):
                if clamped(digits or "1") == MOST:
                    raise UsageError(f"field number {mention(digits)} is too large")
            start = clamped(match[1] or "1")
            end = (clamped(match[3]) if match[3] else 1 << 30) if match[2] else start
            if end < start:
                raise UsageError("invalid decreasing range")
            found.append((start, end))
    return tuple(found)


def _pieces(line: str) -> list[str]:
    """The fields with the whitespace before them, of which the first character separates them and is written as a space."""
    if not _BLANK.search(line):
        return [line]
    first, *others = [found[0] for found in paced(_FIELD.finditer(line))] or [line]
    return [first, *(" " + piece[1:] for piece in paced_if_many(others))]


_BLANK = re.compile(r"[ \t\n]")
_FIELD = re.compile(r"[ \t\n]*[^ \t\n]+|[ \t\n]+$")


def _line(process: Process, plan: _Plan, line: str, end: str) -> int:
    """Convert the fields of one line and return the exit status so far."""
    status = 0
    ask_room(line, (" ", "\t") if plan.delimiter is None else (plan.delimiter,), process.budget)
    pieces = _pieces(line) if plan.delimiter is None else line.split(plan.delimiter)
    shown = []
    for number, piece in enumerate(pieces, 1):
        if not any(start <= number <= last for start, last in plan.fields):
            shown.append(piece)
            continue
        word = piece.lstrip(SPACE) if plan.delimiter is None else piece
        if len(piece) - (number > 1) > len(plan.suffix):
            piece, word = piece.removesuffix(plan.suffix), word.removesuffix(plan.suffix)
        blanks = piece[: len(piece) - len(word)]
        try:
            value = _parse(plan, word)
            if plan.debug and _digits_before_point(word) > _PRECISE:
                plan.output.flush()
                process.warn(f"large input value {mention(word.lstrip(SPACE))}: possible precision loss")
            converted = _converted(plan, word, value, len(piece) - (number > 1) if blanks else 0)
        except _InvalidError as error:
            plan.failures.append(word)
            if plan.invalid == "abort":
                plan.output.write((plan.delimiter or "").join(shown) + (plan.delimiter or " ") * bool(shown))
            plan.output.flush()
            if plan.invalid != "ignore":
                process.warn(str(error))
            if plan.invalid == "abort":
                raise _AbortError from None
            status = 2 if plan.invalid == "fail" else 0
            shown.append(piece)
            continue
        shown.append(" " + converted if blanks and number > 1 else converted)
    plan.output.write((plan.delimiter or "").join(shown) + end)
    return status


def _converted(plan: _Plan, text: str, value: Decimal, columns: int) -> str:
    """The text for a field with that value that was so many columns wide, which counts without ``--padding``."""
    number = value * plan.from_unit / plan.to_unit
    digits = plan.precision
    if plan.target == "none":
        kept = digits if digits is not None else _decimals(text)
        if _power(number) + kept > _PRECISE:
            what, shown = ("value/precision", f"{float(number):g}/{kept}") if kept else ("value", f"{float(number):g}")
            raise _InvalidError(f"{what} too large to be printed: '{shown}' (consider using --to)")
        shown = _rounded(plan, number, kept)
    else:
        if _power(number) > _LARGEST_POWER:
            raise _InvalidError(f"value too large to be printed: '{float(number):g}' (cannot handle values > 999Y)")
        shown = _scaled(plan, number)
    columns = abs(plan.padding) or columns
    if plan.zeros:  # to the left of the unit and the suffix, which do not count
        digits_end = len(shown.rstrip("i" + _LETTERS))
        shown = shown[:digits_end].zfill(plan.zeros) + shown[digits_end:]
    shown += plan.suffix
    shown = shown.ljust(columns) if plan.padding < 0 else shown.rjust(columns)
    return plan.before + shown + plan.after


def _power(number: Decimal) -> int:
    """The power of ten of a number as the program keeps it."""
    return _KEPT.plus(number).adjusted() if number else 0


def _rounded(plan: _Plan, number: Decimal, places: int) -> str:
    """The number with so many places; beyond those that it can have stand zeros."""
    exact = min(places, _MOST_PLACES)
    rounded = _to_places(plan, number, exact)
    return f"{rounded:f}" + "0" * (places - exact)


def _to_places(plan: _Plan, number: Decimal, places: int) -> Decimal:
    """The number rounded to so many places; what becomes zero has no sign."""
    rounded = number.quantize(_UNIT_OF_PLACES[places], rounding=plan.rounding, context=_EXACT)
    return rounded or abs(rounded)


def _digits_before_point(text: str) -> int:
    match = _NUMBER.match(text.lstrip(SPACE))
    return len(match[1].partition(".")[0].lstrip("-0")) if match is not None else 0


def _decimals(text: str) -> int:
    match = _NUMBER.fullmatch(text.lstrip(SPACE))
    return len(match[1].partition(".")[2]) if match is not None and not match[2] else 0


def _parse(plan: _Plan, text: str) -> Decimal:
    text = text.lstrip(SPACE)
    match = _NUMBER.fullmatch(text)
    if match is None or (match[2].startswith(".") and "." not in match[1]):
        raise _InvalidError(f"invalid number: {mention(text)}")
    if len(match[1]) > _CONVERTIBLE and any(len(digits.lstrip("-0")) > _CONVERTIBLE for digits in match[1].split(".")):
        raise _InvalidError(f"value too large to be converted: {mention(text)}")
    number, rest = Decimal(match[1]), match[2]
    if not rest:
        if plan.source == "iec-i":
            raise _InvalidError(f"missing 'i' suffix in input: {mention(text)} (e.g Ki/Mi/Gi)")
        return number
    rest = rest.lstrip(" \t")  # a unit may be set apart; then blanks alone are a wrong one
    letter = rest[:1]
    if rest and letter not in _LETTERS:
        raise _InvalidError(f"invalid suffix in input: {mention(text)}")
    if plan.source == "none":
        raise _InvalidError(f"rejecting suffix in input: {mention(text)} (consider using --from)")
    if not rest and plan.source != "iec-i":
        raise _InvalidError(f"invalid suffix in input: {mention(text)}")
    tail = rest[1:]
    base = 1000 if plan.source == "si" else 1024
    if plan.source == "auto":
        base = 1024 if tail == "i" else 1000
        tail = tail.removeprefix("i")
    elif plan.source == "iec-i":
        if not tail.startswith("i"):
            raise _InvalidError(f"missing 'i' suffix in input: {mention(text)} (e.g Ki/Mi/Gi)")
        tail = tail[1:]
    if tail:
        raise _InvalidError(f"invalid suffix in input {mention(text)}: {mention(tail)}")
    unit: int = base ** (_LETTERS.index(letter) + 1)
    return number * unit


def _scaled(plan: _Plan, number: Decimal) -> str:
    units = _UNITS_OF_BASE[1000 if plan.target == "si" else 1024]
    power = bisect_right(units, abs(number))
    magnitude = _EXACT.divide(number, units[power - 1]) if power else number
    if plan.precision is None:
        kept = 1 if abs(magnitude) < 10 else 0
    else:
        kept = min(plan.precision, power * 3, _MOST_PLACES)
    rounded = _to_places(plan, magnitude, kept)
    if abs(rounded) >= units[0] and power < len(_LETTERS):
        power += 1
        rounded /= units[0]
    if plan.precision is not None:
        digits = plan.precision
    else:
        digits = 1 if power and abs(rounded) < 10 else 0
    rounded = rounded.quantize(_UNIT_OF_PLACES[min(digits, _MOST_PLACES)], context=_EXACT)
    letter = _LETTERS[power - 1] if power else ""
    zeros = "0" * (digits - _MOST_PLACES)
    return f"{rounded:f}{zeros}{letter}{'i' if power and plan.target == 'iec-i' else ''}"

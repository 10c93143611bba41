"""seq: print a sequence of numbers (GNU coreutils manual)."""

from __future__ import annotations

import re
from decimal import Decimal, getcontext
from math import ceil, floor
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import mention
from bashkit.interp.arithmetic.decimals import calculating
from bashkit.interp.arithmetic.reading import long_double
from bashkit.interp.arithmetic.writing import floating_field
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_NUMBER = re.compile(
    r"\s*([-+]?)(?:0x(?=\.?[0-9a-f])([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([-+]?[0-9]{1,5}))?"
    r"|([0-9]+\.?[0-9]*|\.[0-9]+)(?:e([-+]?[0-9]+))?|(inf(?:inity)?))",
    re.ASCII | re.IGNORECASE,
)
_FORMAT = re.compile(r"((?>[^%]++|%%)*+)%([-+ #0']*+)([0-9]*+)(?:\.([0-9]*+))?L?([aAeEfFgG])((?>[^%]++|%%)*+)", re.DOTALL)
_DIRECTIVE = re.compile(r"%([-+ #0]*)([0-9]*)(?:\.([0-9]*))?(.)").fullmatch
_CHUNK = 8192  # numbers written at once
_ROOM = 1 << 20  # characters of numbers in a long format, or with many digits, that are
_MOST_DIGITS = 5000  # of a number that is written
_LARGEST = Decimal("1.18973149535723176502e4932")  # of a long double
_DIGITS = 50  # digits of a decimal calculation, more than the long double of GNU seq has


def _number(text: str) -> Decimal:
    if text[:5].lower().lstrip("+-") == "nan":
        raise UsageError(f"invalid {mention('not-a-number')} argument: {mention(text)}")
    found = _NUMBER.fullmatch(text) if len(text) <= 4000 else None
    if found is None:
        raise UsageError(f"invalid floating point argument: {mention(text)}")
    sign, whole, fraction, power, digits, exponent, infinity = found.groups()
    if infinity:
        return Decimal(f"{sign}Infinity")
    if whole is not None:
        fraction = fraction or ""
        with calculating(_MOST_DIGITS):
            value = int(whole + fraction, 16) * Decimal(2) ** (int(power or 0) - 4 * len(fraction))
        return value.copy_negate() if sign == "-" else value
    power_of_ten = clamped(exponent or "0")
    if power_of_ten < -_MOST_DIGITS:
        return Decimal(f"{sign}0")
    value = Decimal(f"{sign}{digits}e{min(power_of_ten, _MOST_DIGITS)}")
    if value.copy_abs() > _LARGEST:
        raise UsageError(f"invalid floating point argument: {mention(text)}")
    return value


def _places(text: str) -> int:
    """The number of decimal places of a number as written."""
    mantissa, _, exponent = text.lower().partition("e")
    if "x" in mantissa:
        return 0
    return max(0, len(mantissa.partition(".")[2]) - clamped(exponent or "0"))


def _integers(first: int, step: int, last: Decimal) -> Iterator[list[str]]:
    """Whole numbers, in chunks."""
    while True:
        end = first + step * max(1, min(_CHUNK, _ROOM // (1 + first.bit_length())))
        if last.is_finite():
            bound = floor(last) + 1 if step > 0 else ceil(last) - 1
            end = min(end, bound) if step > 0 else max(end, bound)
        chunk = list(map(str, range(first, end, step)))
        if not chunk:
            return
        yield chunk
        first += step * len(chunk)


def _exact(first: Decimal, step: Decimal) -> Callable[[int], Decimal]:
    """The number of each turn."""
    return lambda turn: first + turn * step if turn else first  # -0 stays what it is


def _binary(first: Decimal, step: Decimal) -> Callable[[int], Decimal]:
    """The number of each turn as GNU seq calculates it, in C long doubles: a format with few places shows the difference."""
    first = _rounded(first)
    ratios = [number.as_integer_ratio() for number in (first, _rounded(step))]
    places = max(below.bit_length() for _, below in ratios) - 1
    begin, rise = ((above << places) // below for above, below in ratios)
    scale = 5**places
    context = getcontext()
    context.prec = max(context.prec, places + 30)

    def number(turn: int) -> Decimal:
        return Decimal(_mantissa(begin + _mantissa(turn * rise)) * scale).scaleb(-places) if turn else first

    return number


def _mantissa(number: int) -> int:
    """The nearest number that has at most 64 significant bits."""
    surplus = abs(number).bit_length() - 64
    return number if surplus <= 0 else (number + (1 << surplus - 1) - 1 + (number >> surplus & 1)) >> surplus << surplus


def _rounded(number: Decimal) -> Decimal:
    """A number as a C long double holds it."""
    return long_double(*number.as_integer_ratio()) if number else number


def _decimals(
    number: Callable[[int], Decimal], last: Decimal, shape: Callable[[Decimal], str], most: int, *, rising: bool
) -> Iterator[list[str]]:
    """Numbers with a fraction or in a format, in chunks; the one behind the last counts where it is written as the last one."""
    turn = 0
    while True:
        chunk: list[str] = []
        for _ in range(most):
            current = number(turn)
            if current > last if rising else current < last:
                text = shape(current) if turn else ""
                if turn and _is_written(text, last) and text != shape(number(turn - 1)):
                    yield [*chunk, text]
                    return
                break
            chunk.append(shape(current))
            turn += 1
        if not chunk:
            return
        yield chunk


def _unending(first: Decimal, step: float, last: float, shape: Callable[[Decimal], str], most: int) -> Iterator[list[str]]:
    """Numbers from an infinite one, or in infinite steps: what follows the first stays the same, and may be no number."""

    def is_beyond(number: float) -> bool:
        return number > last if step > 0 else number < last

    if is_beyond(float(first)):
        return
    yield [shape(first)]
    following = float(first) + step
    while not is_beyond(following):
        yield [shape(Decimal(following))] * most


def _is_written(text: str, number: Decimal) -> bool:
    """Whether a text spells this number."""
    try:
        return _rounded(_number(text)) == _rounded(number)
    except UsageError:
        return False


def _template(text: str) -> tuple[str, str, str]:
    """Split a format into the text before the number, its format, and the text after it.

    Raises:
        UsageError: It has no directive, or more than one.
    """
    found = _FORMAT.fullmatch(text)
    if found is None:
        left = text.replace("%%", "")
        if "%" not in left:
            raise UsageError(f"format {mention(text)} has no % directive", hint=False)
        if left.count("%") > 1:
            raise UsageError(f"format {mention(text)} has too many % directives", hint=False)
        unknown = re.search(r"%[-+ #0']*[0-9]*(?:\.[0-9]*)?(.?)", left)
        if unknown is not None and not unknown[1]:
            raise UsageError(f"format {mention(text)} ends in %", hint=False)
        raise UsageError(f"format {mention(text)} has unknown %{unknown[1] if unknown else ''} directive", hint=False)
    before, flags, width, precision, letter, behind = found.groups()
    if len(width) > 4 or len(precision or "") > 4:
        raise UsageError(f"format {mention(text)} is too wide", hint=False)
    number = "%" + flags.replace("'", "") + width + ("" if precision is None else f".{precision}") + letter
    return before.replace("%%", "%"), number, behind.replace("%%", "%")


_BINARY = re.compile(
    r"\s*[-+]?0x[^.p]*[.p]", re.ASCII | re.IGNORECASE
).match  # a hexadecimal number with a fraction or an exponent
_SCIENTIFIC = re.compile(r"(-?)([0-9]*)(?:\.([0-9]*))?[eE]\+?([0-9]{1,3})").fullmatch
_TAKES_NEXT = re.compile("-w*[fs]|--f(o(r(m(at?)?)?)?)?|--s(e(p(a(r(a(t(or?)?)?)?)?)?)?)?").fullmatch


def _rewrite(words: list[str]) -> list[str]:
    """Keep negative numbers from being parsed as options."""
    before = ""
    for index, word in enumerate(words):
        if _TAKES_NEXT(before):
            before = ""
        elif word == "--":
            return words
        elif not word.startswith("-") or re.match(r"-[.0-9]", word):
            return [*words[:index], "--", *words[index:]]
        else:
            before = word
    return words


@command(
    "seq",
    usage="[OPTION]... [FIRST [INCREMENT]] LAST",
    summary="Print numbers from FIRST to LAST, in steps of INCREMENT.",
    options=(
        value("-f", "--format", metavar="FORMAT", help="use printf style floating-point FORMAT"),
        value("-s", "--separator", metavar="STRING", help="use STRING to separate numbers (default: \\n)"),
        flag("-w", "--equal-width", help="equalize width by padding with leading zeroes"),
    ),
    rewrite=_rewrite,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the numbers."""
    texts = arguments.operands
    if not texts:
        raise UsageError("missing operand")
    if len(texts) > 3:
        raise UsageError(f"extra operand {mention(texts[3])}")
    layout = arguments.get("f")
    template = None if layout is None else _template(layout)
    if template is not None and "w" in arguments:
        raise UsageError("format string may not be specified when printing equal width strings")
    numbers = [_number(text) for text in texts]
    binary = any(_BINARY(text) for text in texts)
    if template is None and binary:
        template = "", "%g", ""
    last = numbers[-1]
    first = numbers[0] if len(numbers) > 1 else Decimal(1)
    step = numbers[1] if len(numbers) > 2 else Decimal(1)
    if not step:
        raise UsageError(f"invalid Zero increment value: {mention(texts[1])}")
    places = max((_places(text) for text in texts[:-1]), default=0)
    process.budget.string(places)
    before, directive, behind = template or ("", "", "")
    rounds = template is not None and not all(float(number) == number for number in (first, step))
    most = max(1, min(_CHUNK // 8, _ROOM // (1 + len(before) + len(behind) + places)))

    def shape(item: Decimal) -> str:
        return _shape(item, directive, places, rounds=rounds)

    with calculating(max(_DIGITS, *(len(text) + 25 for text in texts))):
        if not first.is_finite() or not step.is_finite():
            unending = _unending(first, float(step), float(last), shape, most)
            chunks: Iterator[list[str]] = ([before + text + behind for text in chunk] for chunk in unending)
        elif not template and not places and first == int(first) and step == int(step) and (first or not first.is_signed()):
            chunks = _integers(int(first), int(step), last)
        else:
            number = (_binary if rounds else _exact)(first, step)
            end = _rounded(last) if rounds and last.is_finite() else last
            decimals = _decimals(number, end, shape, most, rising=step > 0)
            chunks = ([before + text + behind for text in chunk] for chunk in decimals)
        width = _width(texts, places) if "w" in arguments and not binary and all(number.is_finite() for number in numbers) else 0
        _write(process, chunks, arguments.get("s", "\n") or "", width)
    return 0


def _shape(item: Decimal, directive: str, places: int, *, rounds: bool) -> str:
    """A number in a format, or with so many places; ``rounds`` if it is a long double that may be no double."""
    if not item.is_finite() and (not directive or item.is_nan()):
        return "-nan" if item.is_nan() else "-inf" if item < 0 else "inf"
    if not directive:
        return f"{item:.{places}f}"
    if directive[-1] not in "aA" and not rounds:
        return directive % float(item)
    found = _DIRECTIVE(directive)
    assert found is not None
    flags, width, precision, letter = found.groups()
    return floating_field(item, letter, flags, int(width or "0"), None if precision is None else int(precision or "0"))


def _shifted(text: str) -> str:
    """A number whose exponent is positive without it: its digits, zeros in front included, with the point moved."""
    found = _SCIENTIFIC(text)
    if found is None:
        return text
    sign, whole, fraction, exponent = found[1], found[2] or "0", found[3] or "", int(found[4])
    left = fraction[exponent:]
    return f"{sign}{whole}{fraction[:exponent].ljust(exponent, '0')}{'.' if left else ''}{left}"


def _width(texts: list[str], places: int) -> int:
    """The width of the wider one of the first and the last number as they are written (``-w``)."""
    written = [0]
    for text in {texts[0], texts[-1]}:
        plain = _shifted(text.lstrip("+")).removesuffix(".")
        if re.fullmatch(r"-?[0-9]*\.?[0-9]*", plain):
            own = _places(plain)
            point = (places > 0) - (own > 0)
            written.append(len(plain) + plain.lstrip("-").startswith(".") + places - own + point)
        elif re.fullmatch(r"-?[0-9.]+[eE][-+]?[0-9]{1,3}", plain):
            written.append(len(f"{Decimal(plain):.{places}f}"))
    return max(written)


def _write(process: Process, chunks: Iterator[list[str]], separator: str, width: int) -> None:
    first = True
    for chunk in chunks:
        process.budget.tick(len(chunk))
        if width:
            chunk = [item.zfill(width) for item in chunk]
        process.budget.string(len(chunk) * (len(separator) + width))
        process.write(("" if first else separator) + separator.join(chunk))
        first = False
    if not first:
        process.write("\n")

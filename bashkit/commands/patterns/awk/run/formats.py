"""awk's printf: a format is parsed once and then filled in (POSIX XCU awk, Output Statements)."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands.patterns.awk.run.values import StrNum, Value, number, special_float
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.regex.cache import for_short_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.limits import Budget

_SPEC = re.compile(
    r"%(?:([0-9]+)\$)?([-+ #0']*)(\*(?:[0-9]+\$)?|[0-9]+)?(?:\.(\*(?:[0-9]+\$)?|-?[0-9]*))?([hlLjzt]*)(.?)", re.DOTALL
)
_FREE = 4096  # widths up to here are not charged
_MOST_DIGITS = 9
_LEAST_WORD, _WORD_END = -(1 << 63), 1 << 64  # beyond these a number without a sign is written as %g does


class _Odd(Exception):  # noqa: N818 - a detour, not an error
    """An argument that needs the slow path: infinity, not-a-number, or too much for a conversion without a sign."""


class Spec:
    """One conversion of a format.

    Attributes:
        flags: The flags among ``-+ #0``.
        width: A number, ``*``, or None; likewise ``precision``.
        letter: The conversion.
        position: The argument of ``%2$s``, from 1; 0 for the next one.
    """

    __slots__ = ("end", "flags", "letter", "position", "precision", "width")

    def __init__(self, found: re.Match[str]) -> None:
        position, flags, width, precision, sizes, letter = found.groups()
        self.position = int(position[:_MOST_DIGITS]) if position else 0
        self.flags = flags.replace("'", "")
        self.width = _size(width)
        self.precision = None if precision is None or precision.startswith("-") else _size(precision or "0")
        self.letter = letter if len(set(sizes)) == len(sizes) else ""  # `%lld` is no conversion in gawk
        self.end = found.end()


def _size(text: str | None) -> int | str | None:
    if text is None or text.startswith("*"):
        return text
    return int(text[: _MOST_DIGITS + 1])


def _whole(value: Value) -> int:
    converted = number(value)
    if converted - converted != 0.0:
        raise _Odd
    return int(converted)


def _finite(value: Value) -> float:
    converted = number(value)
    if converted - converted != 0.0:
        raise _Odd
    return converted


def _unsigned(value: Value) -> int:
    whole = _whole(value)
    if not _LEAST_WORD <= whole < _WORD_END:
        raise _Odd
    return whole if whole >= 0 else whole & 0xFFFF_FFFF_FFFF_FFFF


def character(value: Value, *, octets: bool = False) -> str:
    """The text for ``%c``: the character with that code, or the first one of a string; octets are characters if so said."""
    if isinstance(value, str) and not isinstance(value, StrNum):
        return value[:1] or "\0"
    converted = number(value)
    code = int(converted) if converted - converted == 0.0 else 0
    if not octets and (0 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF):
        return chr(code)
    byte = code & 0xFF
    return chr(byte) if byte < 0x80 else chr(0xDC00 + byte)


class Format:
    """A parsed format.

    Attributes:
        pieces: Text and Specs, in order.
        simple: Whether it has neither ``*`` nor positions, so that ``template`` with ``converters`` suffices.
        widest: The sum of all its widths, in characters.
        mixed: Whether some conversions name their argument, and others do not, which is refused.
    """

    __slots__ = ("converters", "mixed", "pieces", "simple", "source", "template", "widest")

    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces: list[str | Spec] = []
        self.converters: list[Callable[[Value], object] | None] = []
        self.template = ""
        self.simple = True
        self.widest = 0
        positions: set[bool] = set()
        index = 0
        for found in _SPEC.finditer(source):
            self._text(source[index : found.start()])
            index = found.end()
            self._spec(found)
            if found[6] != "%":
                positions.add(bool(found[1]))
        self.mixed = len(positions) > 1
        self._text(source[index:])

    def _text(self, text: str) -> None:
        if text:
            self.pieces.append(text)
            self.template += text.replace("%", "%%")

    def _spec(self, found: re.Match[str]) -> None:
        spec = Spec(found)
        letter = spec.letter
        if letter == "%":
            self._text("%")
            return
        if not letter or letter not in "diouxXcseEfFgGaA":
            self._text(found[0])
            return
        self.pieces.append(spec)
        self.widest += sum(size for size in (spec.width, spec.precision) if isinstance(size, int))
        dynamic = isinstance(spec.width, str) or isinstance(spec.precision, str)
        if spec.position or dynamic or letter in "aA":
            self.simple = False
            return
        shown, converter = _CONVERSIONS[letter]
        precision = spec.precision if letter != "c" else None
        if letter in "diouxX" and ("#" in spec.flags or precision == 0):
            self.simple = False  # Python writes 0o10, 0x0, and a zero without digits
        flags = spec.flags
        if letter in "ouxX":  # numbers without a sign
            flags = flags.replace("+", "").replace(" ", "")
        if precision is not None and letter in "diouxX":
            flags = flags.replace("0", "")
        if letter in "cs":
            flags = flags.replace("0", "").replace("#", "")
        width = "" if spec.width is None else str(spec.width)
        self.template += f"%{flags}{width}" + ("" if precision is None else f".{precision}") + shown
        self.converters.append(converter)

    def apply(self, arguments: Sequence[Value], text: Callable[[Value], str], budget: Budget, *, octets: bool = False) -> str:
        """Fill in the arguments.

        Args:
            arguments: The values.
            text: Converts a value to a string, by CONVFMT.
            budget: Charged before a wide result is made.
            octets: Whether characters are octets, which only matters for ``%c``.

        Raises:
            AwkError: There are too few arguments, or conversions of both kinds.
        """
        if self.mixed:
            raise AwkError("must use `count$' on all formats or none")
        if self.widest > _FREE:
            budget.string(self.widest)
        if self.simple and not octets and len(arguments) >= len(self.converters):
            try:
                return self.template % tuple(
                    [
                        text(value) if convert is None else convert(value)
                        for convert, value in zip(self.converters, arguments, strict=False)
                    ]
                )
            except _Odd:
                pass
        return _Filling(self, arguments, text, budget, octets=octets).run()

    @property
    def quick(self) -> bool:
        """Whether ``fill`` can be used."""
        return self.simple and self.widest <= _FREE and not set(self.letters) - set("sdifeg")

    def fill(self, arguments: tuple[str | float, ...], budget: Budget) -> str:
        """Fill in a ``quick`` format, with strings for ``%s`` and numbers for other conversions, one argument each."""
        try:
            text = self.template % arguments
        except (OverflowError, ValueError):  # infinity or not-a-number as an integer
            return self.apply(arguments, str, budget)
        if "inf" in text or "nan" in text:
            return self.apply(arguments, str, budget)
        return text

    @property
    def letters(self) -> str:
        """The letters of the conversions."""
        return "".join(piece.letter for piece in self.pieces if isinstance(piece, Spec))


class _Filling:
    """Fills in a format on the slow path, with ``*``, positions and special numbers."""

    def __init__(
        self, form: Format, arguments: Sequence[Value], text: Callable[[Value], str], budget: Budget, *, octets: bool
    ) -> None:
        self._form = form
        self._arguments = arguments
        self._text = text
        self._budget = budget
        self._octets = octets
        self._next = 0

    def run(self) -> str:
        """Return the result."""
        return "".join(piece if isinstance(piece, str) else self._one(piece) for piece in self._form.pieces)

    def _take(self, spec: Spec, position: int = 0) -> Value:
        index = position - 1 if position else self._next
        if not position:
            self._next += 1
        if not 0 <= index < len(self._arguments):
            source = self._form.source
            gap = " " * (spec.end - 1)
            raise AwkError(f"not enough arguments to satisfy format string\n\t`{source}'\n\t{gap}^ ran out for this one")
        return self._arguments[index]

    def _size(self, spec: Spec, size: int | str | None) -> int | None:
        if isinstance(size, str):
            position = clamped(size[1:-1]) if len(size) > 1 else 0
            converted = number(self._take(spec, position))
            size = int(max(min(converted, 2e9), -2e9)) if math.isfinite(converted) else 0
        if size is not None and abs(size) > _FREE:
            self._budget.string(abs(size))
        return size

    def _one(self, spec: Spec) -> str:
        flags = spec.flags
        width = self._size(spec, spec.width)
        precision = self._size(spec, spec.precision)
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        if precision is not None and precision < 0:
            precision = None
        value = self._take(spec, spec.position)
        left = "-" in flags
        letter = spec.letter
        if letter in "cs":
            body = character(value, octets=self._octets) if letter == "c" else self._text(value)[:precision]
            return body.ljust(width or 0) if left else body.rjust(width or 0)
        converted = number(value)
        if converted - converted != 0.0:
            shown = special_float(converted)  # gawk does not pad them
            return shown.upper() if letter in "AEFGX" else shown
        if letter in "ouxX" and not _LEAST_WORD <= converted < _WORD_END:
            letter = "g"
        if letter in "diouxX":
            return _integer(converted, flags, width or 0, precision, letter)
        size = "" if width is None else str(width)
        if letter in "aA":
            body = _hexadecimal(converted, flags, width or 0, precision)
            return body if letter == "a" else body.upper()
        return f"%{flags}{size}{'' if precision is None else f'.{precision}'}{letter}" % converted


def _hexadecimal(value: float, flags: str, width: int, precision: int | None) -> str:
    """``%a`` of a C double (C11 7.21.6.1)."""
    sign = "-" if math.copysign(1, value) < 0 else "+" if "+" in flags else " " if " " in flags else ""
    lead, _, rest = abs(value).hex().removeprefix("0x").partition(".")
    digits, _, exponent = rest.partition("p")
    digits = digits.rstrip("0")
    if precision is not None and precision < len(digits):
        whole = round(Fraction(int(lead + digits, 16), 16 ** (len(digits) - precision)))
        lead, digits = f"{whole >> 4 * precision:x}", f"{whole & (1 << 4 * precision) - 1:0{precision or 1}x}"[:precision]
    digits = digits.ljust(precision or 0, "0")
    body = f"{lead}{'.' if digits or '#' in flags else ''}{digits}p{exponent}"
    if "-" in flags:
        return f"{sign}0x{body}".ljust(width)
    return sign + "0x" + body.rjust(width - len(sign) - 2, "0") if "0" in flags else f"{sign}0x{body}".rjust(width)


def _integer(value: float, flags: str, width: int, precision: int | None, letter: str) -> str:
    whole = int(value)
    if letter in "di":
        digits = str(abs(whole))
        sign = "-" if whole < 0 else "+" if "+" in flags else " " if " " in flags else ""
    else:
        whole = whole if whole >= 0 else whole & 0xFFFF_FFFF_FFFF_FFFF
        digits = str(whole) if letter == "u" else f"{whole:{letter}}"
        sign = f"0{letter}" if letter in "xX" and "#" in flags and value else ""
    # As gawk does: a fraction counts as something where the number has no sign.
    if precision == 0 and not (whole if letter in "di" else value or ("#" in flags and letter in "xX")):
        digits = sign = ""
    if letter == "o" and "#" in flags and (value or not digits):
        sign = "0"
    if precision is not None:
        digits = digits.rjust(precision, "0") if digits else ""
    elif "0" in flags and "-" not in flags:
        digits = digits.rjust(width - len(sign), "0")
    body = sign + digits
    return body.ljust(width) if "-" in flags else body.rjust(width)


_CONVERSIONS: dict[str, tuple[str, Callable[[Value], object] | None]] = {
    "d": ("d", _whole),
    "i": ("d", _whole),
    "u": ("d", _unsigned),
    "o": ("o", _unsigned),
    "x": ("x", _unsigned),
    "X": ("X", _unsigned),
    "c": ("s", character),
    "s": ("s", None),
    "e": ("e", _finite),
    "E": ("E", _finite),
    "f": ("f", _finite),
    "F": ("F", _finite),
    "g": ("g", _finite),
    "G": ("G", _finite),
}


@for_short_texts(512)
def parse_format(source: str) -> Format:
    """Parse a format, cached by its text."""
    return Format(source)

"""printf: format and print (POSIX XCU printf; GNU coreutils manual, printf); that of the shell is a builtin."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from bashkit.commands._notation.locale import as_octets as lone_octets
from bashkit.commands._notation.quoting import mention, quote_word
from bashkit.commands.scripting._escapes import EscapeError, expand_printf
from bashkit.interp.arithmetic.reading import strtoimax, strtold
from bashkit.interp.arithmetic.writing import floating_field, integer_field, pad
from bashkit.interp.state.locales import as_octets, from_octets
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.interp.utility.locales import counts_bytes
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_PIECE = re.compile(
    r"(?P<text>(?>[^%\\]|\\.?)++)|%(?:[%bq]"
    r"|(?P<flags>[-+ 0#'I]*)(?P<width>\*|[0-9]*)(?:\.(?P<precision>\*|[0-9]*))?[hlLjzt]*(?P<kind>.)?)",
    re.DOTALL,
)
_FORBIDDEN = {  # the flags, and the point of a precision, that a conversion does not have
    **dict.fromkeys("di", "#"),
    **dict.fromkeys("oxX", "'I"),
    "u": "#",
    **dict.fromkeys("fFgG", "I"),
    **dict.fromkeys("aAeE", "'I"),
    "s": "#0'I",
    "c": "#0'I.",
}
_LARGEST, _LEAST, _UNSIGNED = (1 << 63) - 1, -(1 << 63), (1 << 64) - 1
_MOST = (1 << 31) - 1  # of a width
_LONG = 1 << 20  # characters that are written before the format is at its end


class _Ended(Exception):  # noqa: N818 - not always an error
    """Nothing more is written: an escape said so or, with a message, something is wrong."""


class _Rendering:
    """The arguments of a format, consumed from the left, and what is made of them.

    Args:
        process: The utility.
        arguments: The words after the format.

    Attributes:
        status: 1 after an argument that is no number.
    """

    def __init__(self, process: Process, arguments: list[str]) -> None:
        self._process = process
        self._arguments = arguments
        self._out: list[str] = []
        self._waiting = 0  # characters of it
        self._octets = counts_bytes(process.env)
        self.position = 0
        self.status = 0

    def fill(self, form: str) -> None:
        """Use the format once.

        Raises:
            _Ended: There is no more to write.
        """
        for match in paced(_PIECE.finditer(form)):
            if match["text"]:
                self._expand(match["text"])
            elif match[0] == "%%":
                self._add("%")
            elif match[0] == "%q":
                word = self._next()
                if word is not None:
                    self._add(quote_word(lone_octets(word) if self._octets else word))
            elif match[0] == "%b":
                self._expand(self._next() or "", zero=True)
            else:
                self._add(self._directive(match))

    def text(self) -> str:
        """What was made since this was last asked for."""
        text = "".join(self._out)
        self._out.clear()
        self._waiting = 0
        return text

    def _add(self, text: str) -> None:
        self._process.budget.string(len(text))
        self._out.append(text)
        self._waiting += len(text)
        if self._waiting > _LONG:
            self._process.write(self.text())

    def _expand(self, text: str, *, zero: bool = False) -> None:
        try:
            expanded, stopped = expand_printf(text, zero=zero, octets=self._octets)
        except EscapeError as error:
            self._add(error.so_far)
            raise _Ended(str(error)) from None
        self._add(expanded)
        if stopped:
            raise _Ended

    def _next(self) -> str | None:
        if self.position >= len(self._arguments):
            return None
        self.position += 1
        return self._arguments[self.position - 1]

    def _directive(self, match: re.Match[str]) -> str:
        _, flags, width_text, precision_text, kind = match.groups()
        forbidden = _FORBIDDEN.get(kind or "")
        given = {*flags} if precision_text is None else {*flags, "."}
        if forbidden is None or not given.isdisjoint(forbidden):
            raise _Ended(f"{match[0]}: invalid conversion specification")
        width = self._size(width_text, "field width")
        precision = None if precision_text is None else self._size(precision_text, "precision")
        if width < 0:
            flags, width = flags + "-", -width
        precision = None if precision is None or precision < 0 else precision
        self._process.budget.string(max(width, precision or 0))
        argument = self._next()
        if kind in "diouxX":
            return integer_field(self._integer(argument or "0", unsigned=kind not in "di"), kind, flags, width, precision)
        if kind in "eEfFgGaA":
            return floating_field(self._decimal(argument or "0"), kind, flags, width, precision)
        octets = as_octets(argument or "")
        return from_octets(pad((octets[:1] or "\0") if kind == "c" else octets[:precision], flags, width))

    def _size(self, text: str, what: str) -> int:
        """A width or precision; ``*`` takes it from the arguments."""
        argument = self._next() if text == "*" else text
        number = self._integer(argument or "0")
        if not -_MOST <= number <= _MOST:
            raise _Ended(f"invalid {what}: {mention(argument or '')}")
        return number

    def _integer(self, argument: str, *, unsigned: bool = False) -> int:
        code = self._code(argument)
        if code is not None:
            return code
        number, end = strtoimax(argument)
        largest = _UNSIGNED if unsigned else _LARGEST
        least = -_UNSIGNED if unsigned else _LEAST
        self._check(argument, end, fits=least <= number <= largest)
        if unsigned and number < least:
            return largest
        return max(least, min(number, largest))

    def _decimal(self, argument: str) -> Decimal:
        code = self._code(argument)
        if code is not None:
            return Decimal(code)
        value, end, fits = strtold(argument)
        self._check(argument, end, fits=fits)
        return value

    def _check(self, argument: str, end: int, *, fits: bool) -> None:
        """Report what is wrong with a number that ends there."""
        if fits and end == len(argument):
            return
        problem = "Numerical result out of range" if not fits else "value not completely converted" if end else ""
        self._process.warn(f"{mention(argument)}: {problem or 'expected a numeric value'}")
        self.status = 1

    def _code(self, argument: str) -> int | None:
        """The code of the character after a quote; None for other arguments."""
        if argument[0] not in "'\"" or len(argument) < 2:
            return None
        argument = lone_octets(argument) if self._octets else argument
        if len(argument) > 2 and "POSIXLY_CORRECT" not in self._process.env:
            ignored = "character(s) following character constant have been ignored"
            self._process.warn(f"warning: {argument[2:]}: {ignored}")
        code = ord(argument[1])
        return code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code


@command(
    "printf",
    usage="FORMAT [ARGUMENT]...",
    summary="Print ARGUMENT(s) according to FORMAT.",
    options=None,
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the arguments as the format says, which is used again while there are more of them."""
    words = arguments.operands
    if words in (["--help"], ["--version"]):
        process.write(main.help() if words == ["--help"] else main.version())
        return 0
    words = words[words[:1] == ["--"] :]
    if not words:
        raise UsageError("missing operand")
    form, *values = words
    rendering = _Rendering(process, values)
    try:
        rendering.fill(form)
        while 0 < rendering.position < len(values):
            process.budget.tick()
            process.write(rendering.text())
            rendering.fill(form)
    except _Ended as end:
        process.write(rendering.text())
        if end.args:
            process.warn(str(end))
        return int(bool(end.args))  # numbers that were none do not count behind \c
    process.write(rendering.text())
    if rendering.position < len(values):
        process.warn(f"warning: ignoring excess arguments, starting with {mention(values[rendering.position])}")
    return rendering.status

"""Compiles the text of an awk program, and caches the result by the text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.commands.patterns.awk.compile import fixed
from bashkit.commands.patterns.awk.compile.inference import Types
from bashkit.commands.patterns.awk.compile.program import ProgramGenerator
from bashkit.commands.patterns.awk.compile.scope import survey
from bashkit.commands.patterns.awk.run import functions, order, strings, values
from bashkit.commands.patterns.awk.run.formats import parse_format
from bashkit.commands.patterns.awk.run.runtime import ExitProgram, NextRecord, Runtime
from bashkit.commands.patterns.awk.run.values import UNINIT, Array, StrNum, Strong, Value
from bashkit.commands.patterns.awk.run.weight import CODE_NAME
from bashkit.commands.patterns.awk.syntax.indirect import name_of
from bashkit.commands.patterns.awk.syntax.parser import Parser
from bashkit.commands.patterns.awk.syntax.signatures import BUILTINS, SPECIALS
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.interp.state.locales import lower, upper
from bashkit.regex.cache import for_short_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_LONGEST = 1 << 16  # characters of a program: reading one takes Python 10 microseconds
_LONGEST_SOURCE = 150_000  # characters of its translation: Python compiles three in a microsecond, and nothing runs meanwhile
# special variables that an operand in ARGV may assign
_ANY_OPERAND = frozenset({"OFS", "ORS", "SUBSEP", "NR", "FNR", "IGNORECASE"})


def _divide(left: float, right: float) -> float:
    if right == 0.0:
        raise AwkError("division by zero attempted in `/='")
    return left / right


def _modulo(left: float, right: float, operator: str = "%") -> float:
    if right == 0.0:
        raise AwkError(f"division by zero attempted in `{operator}'")
    return values.modulo(left, right)


def _put(array: Array, key: str, value: Value) -> Value:
    array[key] = value
    return value


def _subarray(array: Array, key: str) -> Array:
    found = array[key]
    if found is UNINIT:
        found = array[key] = Array()
    if not isinstance(found, Array):
        raise AwkError(f'attempt to use a scalar value as array (element ["{key}"])')
    return found


def _scalar_as_array(name: str, what: str = "") -> AwkError:
    return AwkError(f"attempt to use scalar {what}`{name}' as an array")


def _to_array(value: Value, name: str) -> Array:
    if value is UNINIT:
        return Array()
    raise _scalar_as_array(name)


def _array_given(value: Value | None, name: str) -> Array:
    """What an array parameter is: an indirect call may pass anything, and an array that is not used yet, or nothing, is empty."""
    if isinstance(value, Array):
        return value
    if value is None or value is UNINIT:
        return Array()
    raise _scalar_as_array(name, "parameter ")


def _scalar(value: Value, name: str) -> Value:
    return _bad_array(name) if isinstance(value, dict) else value


def _bad_array(name: str) -> Any:
    raise values.array_as_scalar(name)


def _bad_scalar(name: str, what: str = "") -> Any:
    raise _scalar_as_array(name, what)


def _fatal(message: str) -> Any:
    raise AwkError(message)


def _indirect(defined: dict[str, Callable[..., Value]], name: str, count: int) -> Callable[..., Value]:
    """The function that a call with ``count`` arguments means: one of the program or of awk's own."""
    function = defined.get(name_of(name, count) if name in BUILTINS else name)
    if function is None and name in BUILTINS:
        raise AwkError(f"{name}: called with {count} arguments")
    if function is None:
        raise AwkError(f"`{name}' is not a function, so it cannot be called indirectly")
    return function


_NAMES: dict[str, Any] = {
    "__builtins__": {},
    "Array": Array,
    "ExitProgram": ExitProgram,
    "N": values.number,
    "NextRecord": NextRecord,
    "StrNum": StrNum,
    "Strong": Strong,
    "UNINIT": UNINIT,
    "V": values.field_value,
    "array_given": _array_given,
    "atan2": math.atan2,
    "bad_array": _bad_array,
    "bad_scalar": _bad_scalar,
    "bitwise": functions.bitwise,
    "bool": bool,
    "cosine": functions.cosine,
    "divide": _divide,
    "fatal": _fatal,
    "float": float,
    "gensub": strings.gensub,
    "get": fixed.get,
    "gsub": strings.gsub,
    "gsub_plain": strings.gsub_plain,
    "indirect": _indirect,
    "int": int,
    "len": len,
    "lower": lower,
    "match": strings.match,
    "modulo": _modulo,
    "natural": order.natural,
    "numbers": fixed.numbers,
    "parse_format": parse_format,
    "patsplit": strings.patsplit,
    "power": values.power,
    "put": _put,
    "range": range,
    "scalar": _scalar,
    "sine": functions.sine,
    "split": strings.split,
    "str": str,
    "strtonum": functions.strtonum,
    "sub": strings.sub,
    "subarray": _subarray,
    "substr": strings.substr,
    "to_array": _to_array,
    "truncate": functions.truncate,
    "truth": values.truth,
    "type_of": functions.type_of,
    "upper": upper,
    "zip": zip,
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program that can run.

    Attributes:
        run: Runs it with a Runtime and returns the exit status.
        lines: The awk line of each line of Python.
        pad: See Record; likewise ``most``.
        begins: Whether there is a BEGIN rule.
        last_line: See Program.
        warnings: Warnings about the source, each with its line.
        source: The Python code, for inspection.
    """

    run: Callable[[Runtime], int]
    lines: tuple[int, ...]
    pad: int
    most: int
    begins: bool
    last_line: int
    warnings: tuple[tuple[int, str], ...]
    source: str

    def line(self, traceback: TracebackType | None) -> int:
        """The line of the awk program that raised an exception; 0 if it was raised elsewhere."""
        found = 0
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == CODE_NAME:
                found = self.lines[min(traceback.tb_lineno, len(self.lines)) - 1]
            traceback = traceback.tb_next
        return found


@for_short_texts(128)
def compile_program(text: str, outside: frozenset[str]) -> Compiled:
    """Compile a program.

    Args:
        text: Its source.
        outside: Variables that options and operands may assign.

    Raises:
        AwkError: A syntax error.
    """
    if len(text) > _LONGEST:
        raise AwkError(f"program longer than {_LONGEST} characters")
    parser = Parser(text)
    try:
        program = parser.parse()
        scope = survey(program)
        scope.may_be_scalars(outside)
        if "ARGV" in scope.used:  # any operand may appear
            outside = outside | frozenset(scope.globals) | _ANY_OPERAND
        scope.assigned |= outside & SPECIALS
        generator = ProgramGenerator(scope, Types(scope, outside), outside)
        generator.program(program)
        source = "\n".join("\t" * indent + line for indent, line, _ in generator.lines) + "\n"
        if len(source) > _LONGEST_SOURCE:
            raise AwkError("program too long")
        names = dict(_NAMES)
        exec(compile(source, CODE_NAME, "exec", dont_inherit=True), names)  # noqa: S102 - see translate: only our own text is in it
    except (RecursionError, SyntaxError, MemoryError):
        raise AwkError("program nested too deeply") from None
    lines = tuple(line for _, _, line in generator.lines)
    begins = any(rule.kind == "BEGIN" for rule in program.rules)
    return Compiled(
        names["program"], lines, scope.highest, scope.most, begins, program.last_line(), tuple(parser.warnings), source
    )

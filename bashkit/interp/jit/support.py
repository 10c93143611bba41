"""What generated functions call: the ways that are too long, or too rare, to be written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.interp.arithmetic.evaluator import divide, plain_integer, read_number, remainder, step
from bashkit.interp.arithmetic.parser import Name, blame, wrap
from bashkit.interp.expand.assignments import assign_array
from bashkit.interp.expand.fields import long_may_match, long_needs_splitting, may_match, needs_splitting, split_blanks
from bashkit.interp.run.conditional_expressions import NO_NUMBER, ConditionError, condition_number, match_regex
from bashkit.interp.run.functions import call_function
from bashkit.interp.run.launch import FAILURES, failed_builtin
from bashkit.interp.run.simple_commands import dispatch
from bashkit.interp.run.traps import after_failure
from bashkit.interp.runtime.control import ExpansionError, LoopJump
from bashkit.interp.state.scopes import TemporaryScope
from bashkit.interp.state.variables import LARGE, AssociativeArray, IndexedArray, Variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell

_IFS = " \t\n"


def plain(value: Any) -> int | None:
    """The number that a variable's text plainly is, or None."""
    if value.__class__ is str:
        if value.isdecimal() and len(value) < 19 and (value[0] != "0" or value == "0") and value.isascii():
            return int(value)
        return plain_integer(value)
    return None


def operand(shell: Shell, name: str) -> int:
    """The value of a variable that is not a plain number, in an expression."""
    return read_number(shell, shell.fetch_operand(name, None))


def element(shell: Shell, variable: Any, name: str, index: int, subscript: str) -> int:
    """An element of an indexed array, in an expression; the subscript is also given as it was written, for what goes wrong."""
    text = variable.value.get(index) if index >= 0 else None
    if text is None:
        return operand_element(shell, name, subscript)
    number = plain(text)
    return read_number(shell, text) if number is None else number


def operand_element(shell: Shell, name: str, subscript: str) -> int:
    """An element by the text of its subscript, in an expression."""
    return read_number(shell, shell.fetch_operand(name, subscript))


def store(shell: Shell, name: str, subscript: str | None, number: int) -> int:
    """An assignment inside an expression."""
    shell.store_number(name, subscript, number)
    return number


def store_element(shell: Shell, variable: Any, name: str, index: int, subscript: str, text: str) -> None:
    """Assign an element of an indexed array; the subscript is also given as it was written, for what goes wrong."""
    array = variable.value
    if variable.flags or variable.owner is not shell.token or index < 0 or len(text) > 64:
        shell.assign_element(name, subscript if index < 0 else str(index), text)
        return
    array.set(index, text)
    if len(array) > array.charged:
        shell.filled(array)


def store_key(shell: Shell, variable: Any, name: str, key: str, text: str, written: str) -> None:
    """``a[key]=text``; the subscript is also given as it was written, for what goes wrong."""
    if variable.__class__ is Variable and not variable.flags and variable.owner is shell.token and key:
        array = variable.value
        if array.__class__ is AssociativeArray and len(text) <= 64 and len(key) <= 64:
            array.set(key, text)
            if len(array) > array.charged:
                shell.filled(array)
            return
    shell.assign_element(name, key or shell.empty_subscript(name), text, written=written)


def append_values(shell: Shell, variable: Any, name: str, values: list[str]) -> None:
    """``a+=(values)``"""
    if variable.__class__ is Variable and not variable.flags and variable.owner is shell.token:
        array = variable.value
        if array.__class__ is IndexedArray and len(values) == 1 and len(values[0]) <= 64:
            array.push(values[0])
            if len(array) > array.charged:
                shell.filled(array)
            return
    assign_array(shell, name, [(None, values, False, "")], append=True)


def element_text(variable: Any, index: int) -> str | None:
    """``${a[index]}`` of an indexed array; None where there is more to say."""
    found: str | None = variable.value.get(index) if index >= 0 else None
    return found


def key_text(variable: Any, key: str) -> str | None:
    """``${a[key]}`` of any array; None where there is more to say."""
    if variable.__class__ is not Variable:
        return None
    array = variable.value
    if array.__class__ is AssociativeArray:
        return array.get(key) if key else None
    if array.__class__ is IndexedArray:
        index = plain(key)
        return None if index is None or index < 0 else array.get(index)
    return None


def step_name(shell: Shell, name: str, subscript: str | None, by: int, before: bool) -> int:
    """``++`` or ``--`` inside an expression."""
    return step(shell, Name(name, subscript), by, before=before)


def quotient(left: int, right: int, text: str, rest: str) -> int:
    """``/``"""
    if right == 0:
        raise ExpansionError(blame(text, "division by 0", rest))
    return left // right if left >= 0 < right else divide(left, right)


def modulo(left: int, right: int, text: str, rest: str) -> int:
    """``%``"""
    if right == 0:
        raise ExpansionError(blame(text, "division by 0", rest))
    return left % right if left >= 0 < right else remainder(left, right)


def raised(left: int, right: int, text: str, rest: str) -> int:
    """``**``"""
    if right < 0:
        raise ExpansionError(blame(text, "exponent less than 0", rest))
    return wrap(pow(left, right, 1 << 64))


def harmless(separators: Any) -> bool:
    """Whether an IFS leaves numbers and words whole."""
    return separators.__class__ is str and not any(c.isalnum() or c == "-" for c in separators)


def arithmetic_failed(shell: Shell, error: ExpansionError) -> int:
    """``((`` met an error: said, and counted as false; a fatal one goes on."""
    shell.complain_of_expression("((", error)
    return 0


def failed(shell: Shell, status: int) -> None:
    """Handle a failure that no condition asks for."""
    shell.status = status
    shell.pipe_statuses = None
    after_failure(shell, status)


def test_failed(shell: Shell, status: int, before: int, alone: bool) -> None:
    """As ``failed``, of ``((`` and ``[[``: PIPESTATUS is still that of the command before, which was ``alone`` or is known."""
    if alone or shell.pipe_statuses is None:
        shell.pipe_statuses = [before]
    shell.status = status
    after_failure(shell, status)
    shell.pipe_statuses = None


def local(shell: Shell, name: str, value: str) -> bool:
    """``local name=value``; False where only the builtin knows."""
    scopes = shell.scopes
    if not scopes:
        return False
    scope = scopes[-1]
    variables = shell.variables
    old = variables.get(name)
    if (old is not None and old.__class__ is not str) or len(value) > LARGE or scope.__class__ is TemporaryScope:
        return False
    if name not in scope:
        if shell.options.shopt["localvar_inherit"]:
            return False
        scope[name] = old
    variables[name] = value
    return True


class Deferred:
    """The closure of a command that is only made when it is needed.

    Args:
        make: Makes it.
    """

    __slots__ = ("_make", "_run")

    def __init__(self, make: Callable[[], Callable[[Shell], int]]) -> None:
        self._make = make
        self._run: Callable[[Shell], int] | None = None

    def __call__(self, shell: Shell) -> int:
        """Run the command."""
        run = self._run
        if run is None:
            run = self._run = self._make()
        return run(shell)


NAMES: dict[str, object] = {
    "ConditionError": ConditionError,
    "ExpansionError": ExpansionError,
    "HIGH": 0x7FFFFFFFFFFFFFFF,
    "IFS": _IFS,
    "IndexedArray": IndexedArray,
    "LARGE": LARGE,
    "LOW": -0x8000000000000000,
    "LoopJump": LoopJump,
    "Variable": Variable,
    "append_values": append_values,
    "arithmetic_failed": arithmetic_failed,
    "call_function": call_function,
    "condition_number": condition_number,
    "dispatch": dispatch,
    "element": element,
    "failed": failed,
    "element_text": element_text,
    "harmless": harmless,
    "key_text": key_text,
    "local": local,
    "long_may_match": long_may_match,
    "long_needs_splitting": long_needs_splitting,
    "may_match": may_match,
    "match_regex": match_regex,
    "missing": object(),
    "modulo": modulo,
    "needs_splitting": needs_splitting,
    "no_number": NO_NUMBER,
    "operand": operand,
    "operand_element": operand_element,
    "plain": plain,
    "quotient": quotient,
    "raised": raised,
    "split_blanks": split_blanks,
    "failed_builtin": failed_builtin,
    "FAILURES": FAILURES,
    "step_name": step_name,
    "test_failed": test_failed,
    "store": store,
    "store_element": store_element,
    "store_key": store_key,
    "wrap": wrap,
}

"""The state of a bc program: variables, arrays, functions and output (POSIX XCU bc)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands.numbers.bc.library import Functions
from bashkit.commands.numbers.bc.numbers import ZERO, Arithmetic, Num, cut, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

    Code = Callable[[], Num]
    Step = Callable[[], None]

_MAX_INDEX = 16_777_215
_MAX_SCALE = 2_147_483_647
_BLOCK = 65536
_LONG = 1 << 13  # bits of a number from which it is charged


class RuntimeFailureError(Exception):
    """A mistake that ends the running line, in the words of GNU bc.

    Attributes:
        function: The function in which it happened; "" before it has left one.
    """

    function = ""


class Leave(Exception):  # noqa: N818 - a jump, not an error
    """Control flow of ``break``, ``continue``, ``return`` and the end of the program."""

    def __init__(self, word: str, value: Num = ZERO) -> None:
        super().__init__(word)
        self.word = word
        self.value = value


@dataclass(slots=True)
class Function:
    """A function of the program: parameters and automatic variables as ``x``, ``x[]`` or ``*x[]``."""

    name: str
    parameters: list[str]
    automatic: list[str] = field(default_factory=list)
    body: Step | None = None
    void: bool = False


def _weight(number: Num) -> int:
    """The bytes of a number that are charged while an array holds it."""
    bits = number.digits.bit_length()
    return bits >> 3 if bits > _LONG else 0


class Machine:
    """The state of one run.

    Args:
        process: The running bc.
        width: Columns of a line; 0 for unlimited lines.
    """

    def __init__(self, process: Process, width: int) -> None:
        self.process = process
        self.budget = process.budget
        self.arithmetic = Arithmetic(process.budget)
        self.variables: dict[str, Num] = {}
        self.arrays: dict[str, dict[int, Num]] = {}
        self.functions: dict[str, Function] = {}
        self.scale = 0
        self.ibase = self.obase = 10
        self.last = ZERO
        self.library = False
        self.running = ["(main)"]
        self.reads: Callable[[], Num] = lambda: ZERO
        self._width = width
        self._column = 0
        self._pending: list[str] = []
        self._size = 0

    # -- output -----------------------------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Write text of the program, in which lines are not broken."""
        self._pending.append(text)
        self._size += len(text) + 1
        self._column = len(text) - text.rfind("\n") - 1 + (0 if "\n" in text else self._column)
        if self._size > _BLOCK:
            self.flush()

    def write_number(self, number: Num) -> None:
        """Write a number in the output base, broken at the end of the line."""
        self.last = number
        text = show(number, self.obase)
        room = self._width - 2
        if self._width and self._column + len(text) > room:
            first = max(room - self._column, 0)
            pieces = [text[:first]] + [text[start : start + room] for start in range(first, len(text), room)]
            self.write("\\\n".join(pieces))
        else:
            self.write(text)

    def flush(self) -> None:
        """Write the buffered output."""
        data = "".join(self._pending).encode("utf-8", "surrogateescape")
        self._pending.clear()
        self._size = 0
        if data:
            self.process.stdout.write(data)

    def complain(self, text: str) -> None:
        """Write an error message."""
        self.flush()
        self.process.say(f"{text}\n")

    # -- variables --------------------------------------------------------------------------------------------------------

    def read(self) -> Num:
        """Run read()."""
        return self.reads()

    def index(self, name: str, number: Num) -> int:
        """Convert a value to a subscript of an array."""
        found = cut(number.digits, number.scale) if number.digits >= 0 else -1
        if not 0 <= found <= _MAX_INDEX or (not found and number.digits):  # undocumented: .5 is no 0
            raise RuntimeFailureError(f"Array {name} subscript out of bounds.")
        return found

    def whole(self, number: Num) -> int:
        """The integer part of a number."""
        return cut(number.digits, number.scale)

    def array(self, name: str) -> dict[int, Num]:
        """An array, created at its first use."""
        return self.arrays.setdefault(name, {})

    def put(self, array: dict[int, Num], index: int, value: Num) -> Num:
        """Assign an element."""
        if index not in array:
            self.budget.words(len(array) + 1)
        more = _weight(value) - _weight(array.get(index, ZERO))
        if more:
            self.process.hold(more)
        array[index] = value
        return value

    def special(self, name: str) -> Num:
        """``scale``, ``ibase``, ``obase`` or ``last``."""
        return self.last if name == "last" else Num(getattr(self, name))

    def set_special(self, name: str, value: Num) -> Num:
        """Assign a special variable, within its limits."""
        if name == "last":
            self.last = value
            return value
        whole = self.whole(value)
        if name == "scale":
            if whole < 0:
                self.complain(self.located("warning", "negative scale, set to 0"))
            self.arithmetic.room(min(whole, _MAX_SCALE))
            self.scale = min(max(whole, 0), _MAX_SCALE)
        else:
            highest = 36 if name == "ibase" else 2_147_483_647
            kept = min(max(whole, 2), highest)
            if whole < 0:
                self.complain(self.located("warning", f"negative {name}, set to 2"))
            elif kept != whole:
                word = "small, set to 2" if whole < 2 else f"large, set to {highest}"
                self.complain(self.located("warning", f"{name} too {word}"))
            setattr(self, name, kept)
        return value

    def located(self, kind: str, text: str, function: str = "") -> str:
        """Add the function to a message: the one that runs where none is given."""
        return f"Runtime {kind} (func={function or self.running[-1]}): {text}"

    # -- functions --------------------------------------------------------------------------------------------------------

    def call(self, name: str, arguments: list[Num | str]) -> tuple[Num, bool]:
        """Call a function; return its value, and whether it is void.

        Args:
            name: A function of the program or, with ``-l``, of the library.
            arguments: Values, and names of arrays for ``x[]``.
        """
        function = self.functions.get(name)
        if function is None:
            if self.library and name in ("s", "c", "a", "l", "e", "j"):
                return self._library(name, [item for item in arguments if isinstance(item, Num)]), False
            raise RuntimeFailureError(f"Function {name} not defined.")
        if len(arguments) != len(function.parameters):
            raise RuntimeFailureError("Parameter number mismatch")
        if len(self.running) > self.budget.limits.max_function_depth:
            self.budget.fail("max_function_depth")
        self.budget.tick()
        return self._run(function, arguments), function.void

    def _run(self, function: Function, arguments: list[Num | str]) -> Num:
        saved_variables: dict[str, Num] = {}
        saved_arrays: dict[str, dict[int, Num]] = {}
        given: dict[str, Num] = {}
        arrays: dict[str, dict[int, Num]] = {}
        copies: dict[str, dict[int, Num]] = {}  # those of them that are gone when the function has ended
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            is_array = parameter.endswith("[]")
            if is_array != isinstance(argument, str):
                raise RuntimeFailureError(f"Parameter type mismatch parameter {parameter.strip('*[]')}.")
            if isinstance(argument, Num):
                given[parameter] = argument
            else:
                source = self.array(argument)
                if not parameter.startswith("*"):
                    source = copies[parameter.strip("*[]")] = dict(source)
                    self.process.hold(sum(map(_weight, source.values())))
                arrays[parameter.strip("*[]")] = source
        for name in function.automatic:
            if name.endswith("[]"):
                arrays[name[:-2]] = copies[name[:-2]] = {}
            else:
                given[name] = ZERO
        for name, value in given.items():
            saved_variables[name] = self.variables.get(name, ZERO)
            self.variables[name] = value
        for name, array in arrays.items():
            saved_arrays[name] = self.array(name)
            self.arrays[name] = array
        self.running.append(function.name)
        try:
            if function.body is not None:
                function.body()
            return ZERO
        except Leave as leave:
            if leave.word != "return":
                raise
            return leave.value
        except RuntimeFailureError as error:
            error.function = error.function or function.name
            raise
        finally:
            self.running.pop()
            self.variables.update(saved_variables)
            self.arrays.update(saved_arrays)
            self.process.hold(-sum(_weight(value) for array in copies.values() for value in array.values()))

    def _library(self, name: str, arguments: list[Num]) -> Num:
        if len(arguments) != (2 if name == "j" else 1):
            raise RuntimeFailureError("Parameter number mismatch")
        functions = Functions(self.scale, self.budget)
        if name == "j":
            return functions.bessel(self.whole(arguments[0]), arguments[1])
        known = {
            "s": functions.sine,
            "c": functions.cosine,
            "a": functions.arctangent,
            "l": functions.logarithm,
            "e": functions.exponential,
        }
        return known[name](arguments[0])

"""dc: arbitrary precision reverse-Polish calculator (GNU dc manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.encoding import encode
from bashkit.commands.numbers.bc.numbers import ONE, ZERO, Arithmetic, Num, compare, cut, quotient, raised, show, to_text
from bashkit.interp.utility.command import Arguments, UsageError, command, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

    Value = Num | str

_BRACKET = re.compile(r"[\[\]]")
_WIDTH = 70
_DIGITS = "0123456789ABCDEF"
_MOST_SCALE = 1 << 31


class _Problem(Exception):  # noqa: N818 - one command that could not be done; the program goes on
    """A mistake, in the words of GNU dc."""


class _Quit(Exception):  # noqa: N818 - the program's own end
    """``q`` in no string that another one executes.

    Args:
        status: The exit status.
    """

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


@dataclass(slots=True)
class _Frame:
    """A string that is being executed.

    Attributes:
        text: The string.
        level: How many strings execute each other down to this one; a file is none.
        at: The position in the text.
    """

    text: str
    level: int
    at: int = 0


@dataclass(slots=True)
class _Register:
    """A register: a stack of values, each with an array; None where only the array was used."""

    values: list[Value | None] = field(default_factory=list)
    arrays: list[dict[int, Value]] = field(default_factory=list)

    def top(self) -> Value:
        """The topmost value; 0 where there is none."""
        value = self.values[-1] if self.values else None
        return ZERO if value is None else value


class _Machine:
    """The state of one run."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._budget = process.budget
        self._arithmetic = Arithmetic(process.budget)
        self._stack: list[Value] = []
        self._registers: dict[str, _Register] = {}
        self._frames: list[_Frame] = []
        self._scale, self._ibase, self._obase = 0, 10, 10
        width = process.env.get("DC_LINE_LENGTH", "")
        self._width = int(width[:6]) if is_digits(width) else _WIDTH
        self._output: list[str] = []
        self._size = 0
        self._simple: dict[str, Callable[[], None]] = {
            "p": self._print, "n": self._print_plain, "P": self._print_raw, "f": self._print_all, "c": self._stack.clear,
            "d": self._duplicate, "r": self._swap, "R": self._rotate, "z": lambda: self._push(Num(len(self._stack))),
            "v": self._root, "x": self._execute, "k": self._set_scale, "i": self._set_ibase, "o": self._set_obase,
            "K": lambda: self._push(Num(self._scale)), "I": lambda: self._push(Num(self._ibase)),
            "O": lambda: self._push(Num(self._obase)), "Z": self._length, "X": self._scale_of, "a": self._to_text,
            "~": self._both, "|": self._power_modulo, "?": self._read, "q": self._quit, "Q": self._leave,
        }  # fmt: skip

    # -- running ---------------------------------------------------------------------------------------------------------

    def run(self, text: str, level: int) -> None:
        """Run a program.

        Args:
            text: The program.
            level: 0 for a file, 1 for a string of the command line.

        Raises:
            _Quit: The program quits.
        """
        self._frames = [_Frame(text, level)]
        while self._frames:
            self._budget.tick()
            frame = self._frames[-1]
            if frame.at >= len(frame.text):
                self._frames.pop()
                continue
            char = frame.text[frame.at]
            frame.at += 1
            try:
                self._command(char, frame)
            except _Problem as problem:
                self._report(problem)

    def _report(self, problem: _Problem) -> None:
        self.flush()
        self._process.warn(str(problem))

    def _command(self, char: str, frame: _Frame) -> None:
        if char in _DIGITS or char in "_.":
            frame.at -= 1
            self._push(self._number(frame))
        elif char == "[":
            self._push(self._string(frame))
        elif char in self._simple:
            self._simple[char]()
        elif char in "+-*/%^":
            self._binary(char)
        elif char in "slSL:;":
            self._register(char, self._name(frame))
        elif char in "<>=!":
            self._compare(char, frame)
        elif char == "#":
            end = frame.text.find("\n", frame.at)
            frame.at = len(frame.text) if end < 0 else end
        elif char not in " \t\n":
            self._refuse(char)

    def _refuse(self, char: str) -> None:
        """Tell byte by byte of a character that is no command; undocumented: on standard output, but for the name of dc."""
        self.flush()
        for byte in encode(char):
            self._process.say(f"{self._process.name}: ")
            named = f"'{chr(byte)}' (0{byte:o})" if 0x20 < byte < 0x7F else f"0{byte:o}" if byte else "0"
            self._process.write(f"{named} unimplemented\n")

    def _name(self, frame: _Frame) -> str:
        if frame.at >= len(frame.text):
            raise _Problem("unexpected EOS")
        frame.at += 1
        return frame.text[frame.at - 1]

    def _number(self, frame: _Frame) -> Num:
        text, at = frame.text, frame.at
        negative = text[at] == "_"
        at += negative
        whole, places, digits = 0, -1, 0
        start = at
        while at < len(text) and (text[at] in _DIGITS or (text[at] == "." and places < 0)):
            if text[at] == ".":
                places = 0
            else:
                whole = whole * self._ibase + _DIGITS.index(text[at])
                digits += 1
                places += places >= 0
            at += 1
            if at - start & 255 == 0:
                self._budget.tick(64 + (at - start >> 6))
                self._arithmetic.room(at - start)
        frame.at = at
        places = max(places, 0)
        if self._ibase != 10 and places:
            whole = quotient(whole * raised(10, places), raised(self._ibase, places))
        return Num(-whole if negative else whole, places)

    def _string(self, frame: _Frame) -> str:
        depth, start = 1, frame.at
        while (found := _BRACKET.search(frame.text, frame.at)) is not None:
            self._budget.tick(1 + (found.end() - frame.at >> 6))
            frame.at = found.end()
            depth += 1 if found[0] == "[" else -1
            if not depth:
                return frame.text[start : frame.at - 1]
        frame.at = len(frame.text)
        return frame.text[start:]

    # -- the stack -------------------------------------------------------------------------------------------------------

    def _push(self, item: Value) -> None:
        self._budget.words(len(self._stack))
        self._stack.append(item)

    def _pop(self) -> Value:
        if not self._stack:
            raise _Problem("stack empty")
        return self._stack.pop()

    def _peek(self) -> Value:
        if not self._stack:
            raise _Problem("stack empty")
        return self._stack[-1]

    def _numbers(self, count: int) -> list[Num]:
        """Take the topmost numbers, the last one on top; they stay if one is missing or not a number."""
        if len(self._stack) < count:
            raise _Problem("stack empty")
        found = [item for item in self._stack[-count:] if isinstance(item, Num)]
        if len(found) < count:
            raise _Problem("non-numeric value")
        del self._stack[-count:]
        return found

    def _integer(self, complaint: str) -> int:
        """Take the topmost value, which must be a number."""
        item = self._pop()
        if not isinstance(item, Num):
            raise _Problem(complaint)
        return cut(item.digits, item.scale)

    def _duplicate(self) -> None:
        self._push(self._peek())

    def _swap(self) -> None:
        self._stack[-2:] = self._stack[:-3:-1]

    def _rotate(self) -> None:
        item = self._pop()
        count = cut(item.digits, item.scale) if isinstance(item, Num) else 0
        size = min(abs(count), len(self._stack))
        if size < 2:
            return
        top = self._stack[-size:]
        self._stack[-size:] = [*top[1:], top[0]] if count > 0 else [top[-1], *top[:-1]]

    # -- arithmetic ------------------------------------------------------------------------------------------------------

    def _binary(self, char: str) -> None:
        left, right = self._numbers(2)
        arithmetic, scale = self._arithmetic, self._scale
        try:
            if char == "^":
                if right.scale:
                    self._process.say("Runtime warning: non-zero scale in exponent\n")
                exponent = cut(right.digits, right.scale)
                result = arithmetic.power(left, exponent, scale) if left.digits or exponent >= 0 else ZERO
            elif char in "+-":
                result = (arithmetic.add if char == "+" else arithmetic.subtract)(left, right)
            else:
                result = {"*": arithmetic.multiply, "/": arithmetic.divide, "%": arithmetic.modulo}[char](left, right, scale)
        except OverflowError:
            self.flush()
            self._process.say("Runtime error: exponent too large in raise\n")
            result = ONE
        except ZeroDivisionError:
            self._stack += [left, right]
            raise _Problem("divide by zero" if char != "%" else "remainder by zero") from None
        self._push(result)

    def _both(self) -> None:
        left, right = self._numbers(2)
        if not right.digits:
            self._stack += [left, right]
            raise _Problem("divide by zero")
        self._push(self._arithmetic.divide(left, right, self._scale))
        self._push(self._arithmetic.modulo(left, right, self._scale))

    def _power_modulo(self) -> None:
        base, exponent, modulus = operands = self._numbers(3)
        if not modulus.digits or exponent.digits < 0:
            self._stack += operands
            if not modulus.digits:
                raise _Problem("remainder by zero")
            return
        for name, number in (("base", base), ("exponent", exponent), ("modulus", modulus)):
            if number.scale:
                self.flush()
                self._process.say(f"Runtime warning: non-zero scale in {name}\n")
        self._push(self._raised(base, cut(exponent.digits, exponent.scale), modulus))

    def _raised(self, base: Num, exponent: int, modulus: Num) -> Num:
        """A power, with the remainder of each product at the current scale."""
        arithmetic, scale = self._arithmetic, self._scale
        size = modulus.digits.bit_length()
        arithmetic.room(size + exponent.bit_length())
        self._budget.tick(exponent.bit_length() * (1 + size // 1000) ** 2)
        if not (scale or base.scale or modulus.scale) and exponent:
            found = pow(abs(base.digits), exponent, abs(modulus.digits))
            return Num(-found if base.digits < 0 and exponent & 1 else found)
        found_so_far = ONE
        while exponent:
            if exponent & 1:
                found_so_far = arithmetic.modulo(arithmetic.multiply(found_so_far, base, scale), modulus, scale)
            base = arithmetic.modulo(arithmetic.multiply(base, base, scale), modulus, scale)
            exponent >>= 1
        return found_so_far

    def _root(self) -> None:
        number = self._pop()
        if not isinstance(number, Num):
            raise _Problem("square root of nonnumeric attempted")
        if number.digits < 0:
            raise _Problem("square root of negative number")
        self._push(self._arithmetic.root(number, self._scale) if number.digits else ZERO)

    def _length(self) -> None:
        item = self._pop()
        self._push(Num(len(item) if isinstance(item, str) else len(to_text(abs(item.digits)))))

    def _scale_of(self) -> None:
        item = self._pop()
        self._push(Num(0 if isinstance(item, str) else item.scale))

    def _set_scale(self) -> None:
        complaint = "scale must be a nonnegative number"
        scale = self._integer(complaint)
        if not 0 <= scale < _MOST_SCALE:
            raise _Problem(complaint)
        self._scale = scale

    def _set_ibase(self) -> None:
        complaint = "input base must be a number between 2 and 16 (inclusive)"
        base = self._integer(complaint)
        if not 2 <= base <= 16:
            raise _Problem(complaint)
        self._ibase = base

    def _set_obase(self) -> None:
        complaint = "output base must be a number greater than 1"
        base = self._integer(complaint)
        if base < 2:
            raise _Problem(complaint)
        self._obase = min(base, _MOST_SCALE)

    # -- printing --------------------------------------------------------------------------------------------------------

    def _write(self, text: str) -> None:
        self._output.append(text)
        self._size += len(text)
        if self._size > 65536:
            self.flush()

    def flush(self) -> None:
        """Write the buffered output."""
        self._process.write("".join(self._output))
        self._output.clear()
        self._size = 0

    def _shown(self, item: Value) -> str:
        if isinstance(item, str):
            return item
        self._arithmetic.room(item.digits.bit_length() / 3)
        text = show(item, self._obase)
        if self._width < 2 or len(text) < self._width:
            return text
        room = self._width - 1
        return "\\\n".join(text[start : start + room] for start in range(0, len(text), room))

    def _print(self) -> None:
        self._write(self._shown(self._peek()) + "\n")

    def _print_plain(self) -> None:
        self._write(self._shown(self._pop()))

    def _print_raw(self) -> None:
        item = self._pop()
        if isinstance(item, str):
            self._write(item)
            return
        number = abs(cut(item.digits, item.scale))
        data = number.to_bytes(max(1, (number.bit_length() + 7) // 8))
        self._write(data.decode("utf-8", "surrogateescape"))

    def _print_all(self) -> None:
        for item in reversed(self._stack):
            self._budget.tick()
            self._write(self._shown(item) + "\n")

    def _to_text(self) -> None:
        item = self._pop()
        if isinstance(item, str):
            self._push(item[:1])
        else:
            self._push(bytes([cut(item.digits, item.scale) & 255]).decode("utf-8", "surrogateescape"))

    # -- registers and strings ---------------------------------------------------------------------------------------------

    def _register(self, char: str, name: str) -> None:
        register = self._registers.setdefault(name, _Register())
        if char in "sS":
            item = self._pop()
            if char == "s" and register.values:
                register.values[-1] = item
            else:
                self._budget.words(len(register.values))
                register.values.append(item)
                register.arrays.append({})
        elif char == "l":
            self._push(register.top())
        elif char == "L":
            if not register.values or register.values[-1] is None:
                raise _Problem(f"stack register '{name}' (0{ord(name):o}) is empty")
            self._push(register.top())
            register.values.pop()
            register.arrays.pop()
        else:
            if not register.arrays:
                register.values.append(None)
                register.arrays.append({})
            complaint = "array index must be a nonnegative integer"
            place = self._pop()
            item = self._pop() if char == ":" else ZERO
            index = cut(place.digits, place.scale) if isinstance(place, Num) else -1
            if index < 0:
                raise _Problem(complaint)
            if char == ":":
                self._budget.words(len(register.arrays[-1]))
                register.arrays[-1][index] = item
            else:
                self._push(register.arrays[-1].get(index, ZERO))

    def _call(self, text: str) -> None:
        # A string that is called last replaces its caller, so endless loops need no memory.
        level = self._frames[-1].level + 1
        if self._frames[-1].at >= len(self._frames[-1].text) and len(self._frames) > 1:
            self._frames.pop()
        if len(self._frames) >= self._budget.limits.max_function_depth * 100:
            self._budget.fail("max_function_depth")
        self._frames.append(_Frame(text, level))

    def _execute(self) -> None:
        item = self._pop()
        if isinstance(item, str):
            self._call(item)
        else:
            self._push(item)

    def _compare(self, char: str, frame: _Frame) -> None:
        negated = char == "!"
        if negated:
            char = frame.text[frame.at : frame.at + 1]
            if char not in {"<", ">", "="}:
                end = frame.text.find("\n", frame.at)
                frame.at = len(frame.text) if end < 0 else end
                raise _Problem("there is no shell to run commands in")
            frame.at += 1
        name = self._name(frame)
        holds = self._order() == {"<": -1, ">": 1, "=": 0}[char]
        if holds == negated:
            return
        item = self._registers.get(name, _Register()).top()
        if isinstance(item, str):
            self._call(item)
        else:
            self._push(item)

    def _order(self) -> int:
        """How the topmost number compares with the one below it; where they are not two numbers, GNU dc takes them for equal."""
        try:
            second, top = self._numbers(2)
        except _Problem as problem:
            self._report(problem)
            return 0
        return compare(top, second)

    def _read(self) -> None:
        self.flush()
        line = self._process.stdin.read_line().decode("utf-8", "surrogateescape")
        if line:
            self._call(line)

    def _quit(self) -> None:
        if self._frames[-1].level < 2:
            raise _Quit(0 if self._frames[0].level else 1)  # as GNU dc 1.07.1 has it
        self._end(2)

    def _end(self, count: int) -> None:
        """End the innermost strings that are being executed."""
        level = self._frames[-1].level - count
        while self._frames and self._frames[-1].level > level:
            self._frames.pop()

    def _leave(self) -> None:
        complaint = "Q command requires a number >= 1"
        count = self._integer(complaint)
        if count < 1:
            raise _Problem(complaint)
        if count > self._frames[-1].level:
            self._end(self._frames[-1].level)
            if not self._frames:  # a string of the command line ends, too
                return
            raise _Problem("Q command argument exceeded string execution depth")
        self._end(count)


@command(
    "dc",
    usage="[OPTION] [FILE]...",
    summary="An arbitrary precision reverse-Polish calculator.",
    options=(
        value("-e", "--expression", metavar="EXPR", help="evaluate expression"),
        value("-f", "--file", metavar="FILE", help="evaluate contents of file"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="GNU bc 1.07.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the programs; 1 when a file cannot be opened."""
    machine = _Machine(process)
    programs = [*((key, text or "") for key, text in arguments.given), *(("f", name) for name in arguments.operands)] or [
        ("f", "-")
    ]
    try:
        for key, text in programs:
            if key == "e":
                machine.run(text, 1)
                continue
            try:
                data = slurp(process, process.open(text))
            except OSError:
                machine.flush()
                raise UsageError(f"Could not open file {text}", hint=False, status=0) from None
            machine.run(data.decode("utf-8", "surrogateescape"), 0)
    except _Quit as end:
        return end.status
    finally:
        machine.flush()
    return 0

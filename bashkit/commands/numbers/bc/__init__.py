"""bc: arithmetic of any precision (POSIX XCU bc, GNU bc manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands.numbers.bc.machine import Leave, Machine, RuntimeFailureError
from bashkit.commands.numbers.bc.numbers import ZERO, Num, parse_number
from bashkit.commands.numbers.bc.parser import STANDARD_INPUT, ParseError, Parser
from bashkit.interp.utility.command import Arguments, command, flag, help_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_VERSION = "bc 1.07.1 compatible (bashkit)\n"
_WIDTH = 70
_LIBRARY_SCALE = 20
_LINE = 20  # microseconds to read a line and run it
_NUMBER = re.compile(r"\s*([-+]?)([0-9A-Za-z]*(?:\.[0-9A-Za-z]*)?)", re.ASCII)


def _width(process: Process) -> int:
    text = process.env.get("BC_LINE_LENGTH", "")
    if not is_digits(text):
        return _WIDTH
    width = int(text[:9])
    return width if width >= 3 or width == 0 else _WIDTH


def _pieces(machine: Machine, stream: Stream) -> Iterator[str]:
    """Read a program as it comes, in pieces of whole lines; before each wait the answers so far are written."""
    process = machine.process
    rest = b""
    machine.flush()
    for block in stream.blocks():
        process.hold(len(block))
        process.budget.tick(1 + (len(block) >> 8))
        lines, newline, rest = (rest + block).rpartition(b"\n")
        if newline:
            yield (lines + newline).decode("utf-8", "surrogateescape")
        machine.flush()
    if rest:
        yield rest.decode("utf-8", "surrogateescape")


def _numbers(machine: Machine, pieces: Iterator[str]) -> Iterator[Num]:
    """The numbers of standard input, for read() of a program that is a file; any other character ends one."""
    for piece in pieces:
        position = 0
        while (found := _NUMBER.match(piece, position)) is not None and (found.end() < len(piece) or any(found.groups())):
            machine.budget.tick(_LINE)
            machine.arithmetic.room(found.end() - position)
            number = parse_number(found[2].upper() or "0", machine.ibase)
            yield Num(-number.digits, number.scale) if found[1] == "-" else number
            position = found.end() + 1


def _run(machine: Machine, pieces: Iterator[str], source: str, numbers: Iterator[Num]) -> bool:
    """Run a program; return whether what follows it runs, too."""
    parser = Parser(pieces, machine, source)
    machine.reads = parser.read_number if source == STANDARD_INPUT else lambda: next(numbers, ZERO)
    while True:
        try:
            machine.budget.tick(_LINE)
            steps = parser.line()
            if steps is None:
                return not parser.quits
            for step in steps:
                step()
        except ParseError as error:
            machine.complain(str(error))
            parser.skip_line()
        except RuntimeFailureError as error:
            machine.complain(machine.located("error", str(error), error.function))
            parser.skip_line()
        except RecursionError:
            machine.budget.fail("max_function_depth")
        except Leave:
            return False


@command(
    "bc",
    usage="[options] [file ...]",
    summary="An arbitrary precision calculator language.",
    options=(
        flag("-l", "--mathlib", help="use the predefined math routines"),
        flag("-i", "--interactive", help="(ignored: there is no terminal)"),
        flag("-q", "--quiet", help="(ignored: there is no welcome)"),
        flag("-s", "--standard", "-w", "--warn", help="(ignored: what POSIX does not have is understood without a warning)"),
        flag("-v", "--version", help="print version information and exit"),
        help_flag("-h"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the files, then standard input."""
    if "v" in arguments:
        process.write(_VERSION)
        return 0
    machine = Machine(process, _width(process))
    if "l" in arguments:
        machine.library = True
        machine.scale = _LIBRARY_SCALE
    given = _pieces(machine, process.stdin)
    numbers = _numbers(machine, given)
    try:
        for name in arguments.operands:
            try:
                stream = process.open(name)
            except OSError:
                machine.complain(f"File {name} is unavailable.")
                return 1
            if not _run(machine, _pieces(machine, stream), name, numbers):
                return 0
        _run(machine, given, STANDARD_INPUT, numbers)
    finally:
        machine.flush()
    return 0

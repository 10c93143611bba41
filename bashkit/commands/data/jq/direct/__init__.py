"""Answers simple jq programs without a worker: most programs of scripts follow paths, select, and build values.

A worker costs two process switches, and libjq parses JSON slower than Python's json module. Only programs whose result is
certainly the same as libjq's are answered here. Everything else (an error, a number that may lose digits, text that is not UTF-8,
an unknown function) is left to a worker, which continues from there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.jq.direct.filters import UNIT
from bashkit.commands.data.jq.direct.program import LONGEST_VARIABLE, Parser
from bashkit.commands.data.jq.direct.text import Writer, checked, parsed, parsed_lines
from bashkit.commands.data.jq.direct.values import NotHereError, truth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.commands.data.jq.direct.filters import Filter

_LONGEST = 2_000  # maximum bytes of a program
_MOST = 1 << 23  # maximum size to which a filter may make its input grow
_LAYOUT = 1 | 8 | 64 | 7 << 8  # the supported flags of libjq's jv_dump_string: pretty, sorted, tab, indent
_NO_OUTPUT = 4  # the exit status with ``-e`` if there is no output


class Answering:
    """Answers a request as far as possible without a worker.

    Args:
        request: The request, as for a worker.

    Raises:
        NotHereError: A worker must answer from the beginning.

    Attributes:
        status: The exit status so far.
        lines: The number of lines that ``take`` has answered.
        rest: The input of ``take`` that is not answered.
        LARGEST: Maximum bytes of input that is read as a whole.
    """

    LARGEST = 1 << 18
    __slots__ = ("_filter", "_judges", "_request", "_variables", "_writer", "lines", "rest", "status")

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._request = request
        if request["raw_input"] or request["seq"] or request["parser_flags"] or request["unbuffered"] or request["prefix"]:
            raise NotHereError
        if request["terminator"] not in {b"\n", b""} or request["flags"] & ~_LAYOUT or len(request["inputs"]) > 1:
            raise NotHereError
        if request["arguments"]["positional"]:
            raise NotHereError
        named = request["arguments"]["named"]
        self._filter = _compiled(request["program"], frozenset(name for name, *_ in named))
        self._variables = {name: _argument(kind, data) for name, kind, data, _ in named}
        self._writer = _writer(request["flags"], request["terminator"].decode(), raw=request["raw_output"])
        self._judges: bool = request["exit_status"]
        self.status = _NO_OUTPUT if self._judges else 0
        self.lines = 0
        self.rest = b""

    def whole(self) -> bytes:
        """Return the program's output for the whole input.

        Raises:
            NotHereError: A worker must answer.
        """
        request = self._request
        data: bytes = request["inputs"][0][1] if request["inputs"] else b""
        if not isinstance(data, bytes) or len(data) > self.LARGEST:
            raise NotHereError
        try:
            values = [None] if request["null_input"] else parsed(checked(data))
            return self._answer([values] if request["slurp"] and not request["null_input"] else values, len(data))
        except (ValueError, RecursionError):
            raise NotHereError from None

    @property
    def by_lines(self) -> bool:
        """Whether a long input can be answered line by line."""
        return not (self._request["slurp"] or self._request["null_input"] or self._judges)

    def take(self, block: bytes) -> bytes | None:
        """Return the program's output for the lines that end in the next block; None if a worker must continue with ``rest``.

        Args:
            block: The block; empty at the end of input.
        """
        data = self.rest + block
        cut = data.rfind(b"\n") + 1 if block else len(data)
        self.rest = data
        if cut > self.LARGEST or len(data) - cut > self.LARGEST:
            return None
        lines = data[:cut]
        output = b""
        try:
            if lines.strip(b" \t\r\n"):
                output = self._answer(parsed_lines(checked(lines)), len(lines), fast=True)
        except (NotHereError, ValueError, RecursionError):
            return None
        self.rest = data[cut:]
        self.lines += lines.count(b"\n")
        return output

    def _answer(self, values: list[Any], size: int, *, fast: bool = False) -> bytes:
        if (size + UNIT) * self._filter.peak > _MOST:
            raise NotHereError
        found = self._filter.many(values, self._variables)
        if self._judges and found:
            self.status = 0 if truth(found[-1]) else 1
        return self._writer.write(found, fast=fast).encode()


@lru_cache(maxsize=512)
def _parsed_program(program: bytes, variables: frozenset[str]) -> Filter | None:
    try:
        return Parser(program.decode(), variables).program()
    except (NotHereError, ValueError, RecursionError):
        return None


def _compiled(program: bytes, variables: frozenset[str]) -> Filter:
    long = len(program) + sum(map(len, variables)) > _LONGEST  # such a one is not kept either
    found = None if long else _parsed_program(program, variables)
    if found is None:
        raise NotHereError
    return found


@lru_cache(maxsize=64)
def _writer(flags: int, terminator: str, *, raw: bool) -> Writer:
    return Writer(flags, terminator, raw=raw)


def _argument(kind: str, data: bytes) -> Any:
    """The value of ``--arg`` or ``--argjson``."""
    if kind == "slurp" or len(data) > LONGEST_VARIABLE:
        raise NotHereError
    try:
        values = [data.decode()] if kind == "text" else parsed(checked(data))
    except (ValueError, RecursionError):
        raise NotHereError from None
    if len(values) != 1:
        raise NotHereError
    return values[0]

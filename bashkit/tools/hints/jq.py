"""Hints at fields that a jq program reads and that are not there, for which jq itself silently returns null."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.interp.utility.observing import observed
from bashkit.tools import json_text
from bashkit.tools.define import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.interp.utility.command import Command
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.hints.missing import Place

_BLANKS = re.compile(r"[\s\x1e]*")
_DECODER = json.JSONDecoder()
_STEPS = 10_000  # steps for which one program is followed
_TAKING = {"--arg": 2, "--argjson": 2, "--indent": 1}
_SWITCHES = {
    **dict.fromkeys(("n", "--null-input"), "null_input"),
    **dict.fromkeys(("s", "--slurp"), "slurp"),
    **dict.fromkeys(("R", "--raw-input"), "raw_input"),
}
_INDIFFERENT = frozenset("rjcCMaSb") | {
    "--raw-output",
    "--raw-output0",
    "--join-output",
    "--compact-output",
    "--color-output",
    "--monochrome-output",
    "--ascii-output",
    "--sort-keys",
    "--tab",
    "--unbuffered",
}


def hinting(jq: Command, calls: CallContext) -> Command:
    """Wrap ``jq`` to hint, once for each place of a program, at a field that no object had there."""
    return observed(jq, _JqObserver(calls))


@dataclass(slots=True)
class _CommandLine:
    """What matters of a jq command line.

    Attributes:
        program: The program.
        variables: The variables that the words set.
        switches: ``null_input``, ``slurp``, ``raw_input``.
    """

    program: str = ""
    variables: dict[str, Any] = field(default_factory=dict)
    switches: set[str] = field(default_factory=set)


def _read(words: list[str]) -> _CommandLine | None:
    """Read a command line; None if its program asks on purpose (``-e``), or comes from elsewhere, or is not followed."""
    line = _CommandLine()
    pending = iter(words)
    for word in pending:
        if word in _TAKING:
            given = [next(pending, "") for _ in range(_TAKING[word])]
            if word != "--indent":
                line.variables[given[0]] = given[1] if word == "--arg" else _json(given[1])
        elif len(word) > 1 and word[0] == "-" and (word[1] == "-" or word[1].isalpha()):
            for option in [word] if word[1] == "-" else word[1:]:
                if option in _SWITCHES:
                    line.switches.add(_SWITCHES[option])
                elif option not in _INDIFFERENT:
                    return None
        elif not line.program:
            line.program = word
    return line if line.program and ("." in line.program or "$" in line.program or "{" in line.program) else None


def _json(text: str) -> Any:
    try:
        return json_text.decode(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _JqObserver:
    """Follows a program over its input when it has run.

    Attributes:
        calls: The state of the calls.
    """

    calls: CallContext

    def wants(self, words: list[str]) -> bool:
        """Whether the program can be followed, and may bring news."""
        told = self.calls.told
        return self.calls.hints and told.open and tuple(words) not in told.settled and _read(words) is not None

    def __call__(self, words: list[str], beginning: Callable[[], bytes]) -> str:
        """The hints, or ""."""
        from bashkit.tools.hints import jq_program  # here, since most sessions follow no program
        from bashkit.tools.hints.jq_reading import Reader
        from bashkit.tools.hints.shell_tests import tested_by_shell

        line = _read(words)
        assert line is not None
        try:
            program = jq_program.parse(line.program)
        except jq_program.UnreadableError:
            return ""
        told = self.calls.told
        steps = min(_STEPS, told.steps)
        reader = Reader(told.places, steps)
        reader.follow(program.root, _inputs(line, beginning()), line.variables, null_input="null_input" in line.switches)
        told.steps -= steps - max(reader.steps, 0)
        told.settle(tuple(words), program.readings)
        wrong = [place for place in reader.visited if place.wrong and not self._optional(place)]
        if not wrong or tested_by_shell(self.calls.script, line.program):
            return ""
        return "".join(map(told.tell, wrong))

    def _optional(self, place: Place) -> bool:
        """Whether a tool of the script declares the field for such an object: then it may be absent."""
        shapes = [shape for tool in self.calls.called.values() for shape in _shapes(tool) if place.name in shape]
        return any(holder.keys() <= shape for _, holder in place.lacking for shape in shapes)


def _shapes(tool: ToolDef) -> Iterator[set[str]]:
    """The field names of every object in the output of a tool."""
    root = dict(tool.output_schema or {})
    pending = [(schema.expand(root, root), 0)]
    for part, depth in pending:  # the list grows during the loop
        names = schema.fields(part)
        if names:
            yield set(names)
        if depth < 6:
            inner = [*names.values(), part.get("items")]
            pending += [(schema.expand(one, root), depth + 1) for one in inner if isinstance(one, dict)]


def _inputs(line: _CommandLine, data: bytes) -> Iterable[Any]:
    """The values that the program gets one after the other."""
    text = data.decode("utf-8", "replace")
    if "raw_input" in line.switches:
        return [text] if "slurp" in line.switches else text.splitlines()
    return [list(_values(text))] if "slurp" in line.switches else _values(text)


def _values(text: str) -> Iterator[Any]:
    """The JSON values of a text, up to the first that is not whole."""
    place = 0
    while True:
        blanks = _BLANKS.match(text, place)
        try:
            value, place = _DECODER.raw_decode(text, blanks.end() if blanks else place)
        except (ValueError, RecursionError):
            return
        yield value

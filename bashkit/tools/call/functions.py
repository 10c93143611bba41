"""The tools as functions of Python code: the same validation, policy, approval, trace and redaction as a command line has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.commands._python.functions import FunctionError
from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.utility.command import Arguments
from bashkit.interp.utility.process import Process
from bashkit.tools import json_text
from bashkit.tools.describe.stubs import parameters, python_name, stub, stubs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.tools.call.adapter import ToolAdapter
    from bashkit.tools.call.context import CallContext

_WITHIN = "python3"  # where the trace says that the call is


class ToolFunctions:
    """What ``from tools import …`` gives to Python code.

    Args:
        adapters: The tools.
        calls: The state of the calls of the executions.
    """

    def __init__(self, adapters: Mapping[str, ToolAdapter], calls: CallContext) -> None:
        self._adapters = adapters
        self._calls = calls
        self._stubs: dict[str, str] | None = None

    def stubs(self) -> Mapping[str, str]:
        """The functions by name, each with its declaration."""
        if self._stubs is None:
            self._stubs = stubs({name: adapter.definition for name, adapter in self._adapters.items()})
        return self._stubs

    def call(self, process: Process, name: str, given: Sequence[Any], named: Mapping[str, Any], line: int) -> Any:
        """Call a tool; what it prints is its value: plain data if it is JSON, else text, None if it is nothing.

        Raises:
            FunctionError: A TypeError for wrong arguments; a RuntimeError, with what the tool said, for a call that failed.
        """
        adapter = next(one for tool, one in self._adapters.items() if python_name(tool) == name)
        process.budget.command()
        if adapter.definition.raw:
            words, stdin = [str(word) for word in given], named.get("stdin")
            command = adapter.command(self._calls)
        else:
            params, stdin = self._bound(adapter, given, named)
            words = []
            command = adapter.direct(params, stdin, self._calls)
        output, errors = Substitution(process.budget), Substitution(process.budget)
        source = BytesStream(b"" if stdin is None else str(stdin).encode())
        status = command.run(self._process(process, name, line, (source, output, errors)), Arguments([], words))
        message = errors.value().decode("utf-8", "replace").strip()
        if status:
            raise FunctionError(message or f"{name}: exit status {status}")
        if message:
            process.say(f"{message}\n")
        return _value(output.value().decode("utf-8", "replace"))

    def _bound(self, adapter: ToolAdapter, given: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
        """Arguments by their names in the schema, and what the tool reads."""
        definition = adapter.definition
        known = parameters(definition)
        stdin = None
        if definition.stdin and "stdin" not in known and "stdin" in named:
            named = dict(named)
            stdin = named.pop("stdin")
        problems = []
        if len(given) > len(known):
            problems.append(f"takes {len(known)} positional arguments but {len(given)} were given")
        params = dict(zip(known.values(), given, strict=False))
        open_ended = definition.input_schema.get("additionalProperties") or definition.input_schema.get("patternProperties")
        for name, value in named.items():
            if known.get(name, name) in params:
                problems.append(f"got two values for {name!r}")
            elif name not in known and not open_ended:
                problems.append(f"got an unexpected argument {name!r}")
            params[known.get(name, name)] = value
        problems = problems or [problem.removeprefix("--") for problem in adapter.problems(params)]
        if problems:
            raise FunctionError(f"{'; '.join(problems)} (expected: {stub(definition).removesuffix(': ...')})", "TypeError")
        return params, stdin

    @staticmethod
    def _process(process: Process, name: str, line: int, streams: tuple[BytesStream, Substitution, Substitution]) -> Process:
        return Process(
            name, [], dict(enumerate(streams)), process.env, process.cwd, process.umask, process.fs, process.budget,
            process.system, process.launcher, line, 1, pipeline=process.pipeline, within=_WITHIN,
        )  # fmt: skip


def _value(text: str) -> Any:
    if not text.strip():
        return None
    try:
        return json_text.decode(text)
    except ValueError:
        return text.removesuffix("\n")

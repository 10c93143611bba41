"""The tools as functions of Python code: the same validation, policy, approval, trace and redaction as a command line has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.commands._python.functions import FunctionError
from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.utility.command import Arguments, UsageError
from bashkit.interp.utility.process import Process
from bashkit.tools import json_text
from bashkit.tools.describe.stubs import INTROSPECTION_STUBS, parameters, python_name, signature, stubs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.interp.utility.command import Command
    from bashkit.tools.call.adapter import ToolAdapter
    from bashkit.tools.call.context import CallContext


@dataclass(frozen=True, slots=True)
class _Function:
    """A tool as a function.

    Attributes:
        adapter: The tool.
        parameters: Its parameters' names in the schema, by their names in Python.
        open_ended: It takes arguments that its schema does not name.
    """

    adapter: ToolAdapter
    parameters: dict[str, str]
    open_ended: bool

    @classmethod
    def of(cls, adapter: ToolAdapter) -> _Function:
        """Make the function of a tool."""
        schema = adapter.definition.input_schema
        open_ended = bool(schema.get("additionalProperties") or schema.get("patternProperties"))
        return cls(adapter, parameters(adapter.definition), open_ended)


class ToolFunctions:
    """What ``from tools import …`` gives to Python code.

    Args:
        adapters: The tools.
        calls: The state of the calls of the executions.
        introspection: Commands that are functions, too: ``help`` and ``discover``, or none.
        within: What the trace says that the calls stand in; "" if the code is the script itself.
    """

    def __init__(
        self,
        adapters: Mapping[str, ToolAdapter],
        calls: CallContext,
        introspection: Mapping[str, Command] | None = None,
        within: str = "python3",
    ) -> None:
        self._adapters = adapters
        self._calls = calls
        self._introspection = introspection or {}
        self._within = within
        self._stubs: dict[str, str] | None = None
        self._functions: dict[str, _Function] = {}

    @property
    def hints(self) -> bool:
        """Whether code that has failed is told what the type checker expected."""
        return self._calls.hints

    def missing(self, key: str) -> str:
        """What to say of a key that the code has not found, or ""."""
        return self._calls.told.key_error(key) if self._calls.hints else ""

    def stubs(self) -> Mapping[str, str]:
        """The functions by name, each with its declaration."""
        if self._stubs is None:
            self._stubs = {name: INTROSPECTION_STUBS[name] for name in self._introspection}
            self._stubs |= stubs({name: adapter.definition for name, adapter in self._adapters.items()})
        return self._stubs

    def _function(self, name: str) -> _Function:
        found = self._functions.get(name)
        if found is None:
            adapter = next(one for tool, one in self._adapters.items() if python_name(tool) == name)
            found = self._functions[name] = _Function.of(adapter)
        return found

    def call(self, process: Process, name: str, given: Sequence[Any], named: Mapping[str, Any], line: int) -> Any:
        """Call a tool; what it prints is its value: plain data if it is JSON, else text, None if it is nothing.

        Raises:
            FunctionError: A TypeError for wrong arguments; a RuntimeError, with what the tool said, for a call that failed.
        """
        process.budget.command()
        if name in self._introspection:
            return self._ask(process, self._introspection[name], given, named)
        function = self._function(name)
        adapter = function.adapter
        if adapter.definition.raw:
            words, stdin = [str(word) for word in given], named.get("stdin")
            command = adapter.command(self._calls)
        else:
            params, stdin = self._bound(function, given, named)
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

    @staticmethod
    def _ask(process: Process, command: Command, given: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Have ``help`` or ``discover`` print what it knows; a function that is an argument stands for its name."""
        words = [f"--{name}={value}" if value is not True else f"--{name}" for name, value in named.items() if value]
        words += [str(value).removeprefix("tools.") for value in given]
        try:
            command.run(process, command.parse(words))
        except UsageError as error:
            raise FunctionError(f"{error} (expected: {INTROSPECTION_STUBS[command.name]})", "TypeError") from None

    def _bound(self, function: _Function, given: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
        """Arguments by their names in the schema, and what the tool reads."""
        definition, known = function.adapter.definition, function.parameters
        stdin = None
        if definition.stdin and "stdin" not in known and "stdin" in named:
            named = dict(named)
            stdin = named.pop("stdin")
        problems = []
        if len(given) > len(known):
            problems.append(f"takes {len(known)} positional arguments but {len(given)} were given")
        params = dict(zip(known.values(), given, strict=False))
        for name, value in named.items():
            if known.get(name, name) in params:
                problems.append(f"got two values for {name!r}")
            elif name not in known and not function.open_ended:
                problems.append(f"got an unexpected argument {name!r}")
            params[known.get(name, name)] = value
        problems = problems or function.adapter.problems(params)
        if problems:
            raise FunctionError(f"{'; '.join(problems)} (expected: {signature(definition)})", "TypeError")
        return params, stdin

    def _process(
        self, process: Process, name: str, line: int, streams: tuple[BytesStream, Substitution, Substitution]
    ) -> Process:
        return Process(
            name, [], dict(enumerate(streams)), process.env, process.cwd, process.umask, process.fs, process.budget,
            process.system, process.launcher, line, 1, pipeline=process.pipeline, within=self._within,
        )  # fmt: skip


def _value(text: str) -> Any:
    if not text.strip():
        return None
    try:
        return json_text.decode(text)
    except ValueError:
        return text.removesuffix("\n")

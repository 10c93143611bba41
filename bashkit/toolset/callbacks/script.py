"""Bash callbacks: a tool that is a script over the other tools, in the shell that calls it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolError
from bashkit.interp.run.nested import NestedScript, NestingError
from bashkit.interp.state.startup import own_variables
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.arguments import ToolArgs

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_FOREIGN = re.compile(r"[-.]")


@dataclass(frozen=True, slots=True)
class ScriptTarget:
    """A script as a callback. It runs in a fresh shell that shares files, working directory, limits and tools with its caller.

    Attributes:
        name: The tool, as its messages call it.
        text: The script.
        parameters: The names of the tool's parameters. Each is a variable of the script, unset when it is not given: text as it is,
            numbers and booleans as JSON writes them, an array as an array, an object as its JSON text. All of them are the JSON
            object ``$1``.
        hidden: The names of the secrets: no script sees them.
    """

    name: str
    text: str = field(repr=False)
    parameters: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    key = "script"

    def resolve(self) -> ScriptTarget:
        """Itself: there is nothing to look for."""
        return self

    def __call__(self, args: ToolArgs) -> Any:  # noqa: ARG002 - the callback's signature
        """There is no shell to run in.

        Raises:
            ToolError: Always.
        """
        raise ToolError(f"{self.name} is a script: it runs where a script calls it")

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Run it for a command of a shell.

        Raises:
            TimeoutError: It took too long.
            ToolError: Such tools call each other without end, or an argument cannot be a variable.
        """
        script = NestedScript(
            self.name,
            self.text,
            env={name: text for name, text in args.env.items() if name not in self.hidden},
            variables=self._variables(args.params),
            arguments=(_text(dict(args.params)),),
            stdin=to_bytes(args.stdin or ""),
        )
        try:
            outcome = process.launcher.run_script(script, timeout, column=process.column)
        except NestingError as error:
            raise ToolError(str(error)) from None
        return ToolResult(outcome.stdout, outcome.stderr, outcome.status)

    def _variables(self, params: Mapping[str, Any]) -> dict[str, str | list[str] | None]:
        found: dict[str, str | list[str] | None] = {}
        for parameter in dict.fromkeys([*self.parameters, *params]):
            name = variable_name(parameter)
            value = params.get(parameter)
            if name:
                found[name] = (
                    None if value is None else [_text(item) for item in value] if isinstance(value, list) else _text(value)
                )
        return found


def variable_name(parameter: str) -> str:
    """What a script calls a parameter; "" for one that it finds in ``$1`` only, because bash needs the name itself."""
    name = _FOREIGN.sub("_", parameter)
    return name if _NAME.fullmatch(name) and name not in own_variables() else ""


def unnamed(parameters: Iterable[str]) -> list[str]:
    """Those of the parameters that a script finds in ``$1`` only."""
    return [parameter for parameter in parameters if not variable_name(parameter)]


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json_text.encode(value)
    if "\0" in text:
        raise ToolError("an argument holds a NUL character", exit_code=2)
    return to_bytes(text).decode("utf-8", "surrogateescape")

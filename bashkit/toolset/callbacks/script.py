"""Callbacks written in bash: a script over the other tools, run in the shell that calls the tool."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import ToolError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, to_bytes
from bashkit.toolset.callback import Callback
from bashkit.toolset.starter import Starter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath
    from bashkit.toolset.toolset import Toolset

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_FOREIGN = re.compile(r"[-.]")
_SCRIPT = [
    "# $text is a parameter, $1 the JSON object of all of them, and every other tool a command.",
    "jq -nc --arg text \"$text\" '{text: $text}'",
]


@dataclass(frozen=True, slots=True)
class ScriptCallback(Callback):
    """A script as a callback. It runs in a fresh shell that shares files, working directory, limits and tools with its caller.

    Attributes:
        name: The tool's name, for messages.
        text: The script.
        parameters: The names of the tool's parameters. Each is a variable of the script, unset if the call omits it: text
            unchanged, numbers and booleans as in JSON, an array as a bash array, an object as JSON text. ``$1`` is a JSON object
            with all of them.
        hidden: The names of the secrets, which no script sees.
    """

    name: str
    text: str = field(repr=False)
    parameters: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()

    key = "script"
    noun = "a bash callback"
    summary = "a script over the other tools"
    rank = 60
    properties: ClassVar = {
        "script": {
            "title": "Script",
            "description": (
                "Bash that runs in a fresh shell of the same sandbox: the other tools are commands, files and working "
                "directory are shared. Each parameter is a variable of the same name (- and . become _; unset if omitted): "
                "text unchanged, numbers and booleans as text, an array as an array, an object as JSON; $1 is a JSON object "
                "with all of them; standard input is the piped text; output and exit status are the tool's."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ['get_user --id "$id" | jq -r .name'],
        }
    }
    starter = "The callback is bash over the other tools, in the toolset file itself."
    own_timeout = False
    sees_secrets = False
    calls_tools = True

    @classmethod
    def check(cls, tool: Declaration) -> None:
        """Note a syntax error of the script, unless the callback also names another kind, which may be the intended one."""
        from bashkit.toolset.callbacks import kinds_of
        from bashkit.toolset.text.embedded_scripts import check_script

        if isinstance(tool.callback["script"], str) and kinds_of(tool.callback) == [cls]:
            check_script(tool.document, (*tool.path, "callback", "script"), tool.callback["script"])

    @classmethod
    def read(cls, tool: Declaration) -> ScriptCallback:
        """Make the callback; other keys of the tool may have mistakes."""
        name = str(tool.value.get("name", ""))
        return cls(name, tool.callback["script"], tuple(tool.parameters or ()), tool.around.secrets)

    @classmethod
    def start(cls, toolset: Toolset, name: str) -> Starter:  # noqa: ARG003 - the script is the same for every tool
        """Begin with a script in the toolset file itself."""
        return Starter(["callback:", "  script: |", *(f"    {line}" for line in _SCRIPT)])

    def write(self, folder: Path) -> dict[str, Any]:  # noqa: ARG002 - no path is in it
        """Write ``callback: {script: …}``."""
        return {"callback": {"script": self.text}}

    def lint(self, document: Document, path: DocumentPath, known: frozenset[str]) -> Iterator[Problem]:
        """Warn about unknown commands and about parameters whose names cannot be variables."""
        from bashkit.toolset.text.embedded_scripts import unknown_commands

        yield from unknown_commands(document, (*path, "callback", "script"), self.text, known)
        for parameter in self.parameters:
            if not variable_name(parameter):
                message = f"no variable can be called {parameter!r}, because bash uses the name itself"
                hint = "take it from the JSON in $1, or rename it"
                place = (*path, "input_schema", "properties", parameter)
                yield document.warning(place, "no-variable", message, hint=hint, key=True)

    def __call__(self, args: ToolArgs) -> Any:  # noqa: ARG002 - the callback's signature
        """Refuse the call: a script needs the shell that calls it.

        Raises:
            ToolError: Always.
        """
        raise ToolError(f"{self.name} is a script: it runs where a script calls it")

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Run the script for a command of a shell.

        Raises:
            TimeoutError: It took too long.
            ToolError: Scripts call each other too deeply, or an argument cannot be a variable.
        """
        from bashkit.interp.run.nested import NestedScript, NestingError

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
    """The variable for a parameter; "" if bash itself uses that name, so that the script finds the value only in ``$1``."""
    from bashkit.interp.state.startup import own_variables

    name = _FOREIGN.sub("_", parameter)
    return name if _NAME.fullmatch(name) and name not in own_variables() else ""


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json_text.encode(value)
    if "\0" in text:
        raise ToolError("an argument holds a NUL character", exit_code=2)
    return to_bytes(text).decode("utf-8", "surrogateescape")

"""ScriptedTool: one tool for the model, in whose scripts every declared tool is a command."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.tools import catalog, prompt
from bashkit.tools.adapter import Calls, ToolAdapter
from bashkit.tools.definition import ToolDef
from bashkit.tools.execution import Execution, ScriptRunner
from bashkit.tools.manual import EXIT_STATUS, OUTPUT, Manual, configuration, listing
from bashkit.tools.redaction import Secrets
from bashkit.tools.trace import ToolCall, Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bashkit.bash import Bash
    from bashkit.fs import Mountable
    from bashkit.fs.api import Content
    from bashkit.interp.command import Command
    from bashkit.limits import ExecutionLimits
    from bashkit.tools.contract import ToolRequest, ToolStatus
    from bashkit.tools.policy import Policy

INTROSPECTION = ("help", "discover")


class ScriptedTool(ScriptRunner):
    """Runs bash scripts in which the declared tools are commands. Every execution has a fresh shell.

    Args:
        name: What the tool is called, and the heading of its prompt.
        short_description: One line for listings.
        tools: Pairs of a ToolDef and its callback.
        env: Environment of the scripts; callbacks find it in ``args.env``.
        secrets: Only callbacks see these, in ``args.env``; they are masked in outputs, messages and traces.
        limits: What one execution may spend.
        files: Files that every fresh shell starts with, as in ``Bash``.
        mounts: Where every fresh shell finds more files, as in ``Bash``; each has changes of its own to an Overlay, and all share a
            MemoryFileSystem.
        username, hostname, cwd: As in ``Bash``.
        context: Texts that are appended to the system prompt.
        on_start: Told of every tool call before it runs.
        on_call: Told of every tool call when it has ended. Called in the middle of a script: it should be quick.
        on_error: Told of every exception that a callback raises, with the record of its call.
        policy: Looks at every call before it runs; without one every call is allowed.
        trace_capacity: Calls that the trace of one execution keeps.

    Raises:
        DefinitionError: Two tools of one name, or a name that hides a command without ``override``.
    """

    def __init__(
        self,
        name: str,
        *,
        short_description: str = "",
        tools: Iterable[tuple[ToolDef, Callable[..., Any]]] = (),
        env: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        limits: ExecutionLimits | None = None,
        files: Mapping[str, Content] | None = None,
        mounts: Mapping[str, Mountable] | None = None,
        username: str | None = None,
        hostname: str | None = None,
        cwd: str | None = None,
        context: Iterable[str] = (),
        on_start: Callable[[ToolCall], None] | None = None,
        on_call: Callable[[ToolCall], None] | None = None,
        on_error: Callable[[ToolCall, BaseException], None] | None = None,
        policy: Policy | None = None,
        trace_capacity: int = 10_000,
    ) -> None:
        if not name or not name.isprintable():
            raise DefinitionError(f"a scripted tool needs a name of one line, not {name!r}")
        self.name = name
        self.short_description = short_description
        self.limits = limits
        self.on_start = on_start
        self.on_call = on_call
        self.on_error = on_error
        self.policy = policy
        self._env = dict(env or {})
        self._secrets = dict(secrets or {})
        both = sorted(self._env.keys() & self._secrets.keys())
        if both:
            raise DefinitionError(f"{both[0]} is both a secret and part of the environment that scripts see")
        self._shell: dict[str, Any] = {"files": files, "mounts": dict(mounts or {}), "username": username, "hostname": hostname, "cwd": cwd}
        self._context = tuple(context)
        self._trace_capacity = trace_capacity
        self._adapters: dict[str, ToolAdapter] = {}
        for definition, callback in tools:
            self._add(definition, callback)

    @classmethod
    def builder(cls, name: str) -> ScriptedToolBuilder:
        """Start a builder for a tool called ``name``."""
        return ScriptedToolBuilder(name)

    def _add(self, definition: ToolDef, callback: Callable[..., Any]) -> None:
        if definition.name in self._adapters:
            raise DefinitionError(f"two tools are called {definition.name!r}")
        if not definition.override and (definition.name in INTROSPECTION or definition.name in shell_commands()):
            raise DefinitionError(f"the tool {definition.name!r} would hide the command of that name; say override=True if it should")
        if not callable(callback):
            raise DefinitionError(f"the callback of {definition.name!r} is not callable: {callback!r}")
        self._adapters[definition.name] = ToolAdapter(definition, callback)

    def add_tool(
        self, name: str, description: str, callback: Callable[..., Any], schema: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        """Declare one more tool.

        Args:
            name: The command word.
            description: What it does.
            callback: ``(args: ToolArgs)``, sync or async.
            schema: JSON Schema of the arguments.
            options: Further fields of ToolDef.

        Raises:
            DefinitionError: As for ToolDef and ScriptedTool.
        """
        self._add(ToolDef(name, description, schema or {}, **options), callback)

    @property
    def definitions(self) -> tuple[ToolDef, ...]:
        """The tools, in the order of their declaration."""
        return tuple(adapter.definition for adapter in self._adapters.values())

    @property
    def env(self) -> Mapping[str, str]:
        """The environment that scripts see; no secrets."""
        return dict(self._env)

    def description(self) -> str:
        """The one-liner and the names of the tools."""
        start = f"{self.short_description.rstrip('.')}. " if self.short_description else ""
        return f"{start}Supported tools: {' '.join(self._adapters)}".rstrip()

    def system_prompt(self) -> str:
        """What goes into the model's system prompt."""
        return prompt.system_prompt(self.name, self.definitions, self._context)

    def help(self) -> str:
        """A man page with every tool in it."""
        page = Manual(self.name.upper(), self.version)
        page.section("NAME", [f"{self.name} - {self.short_description}" if self.short_description else self.name])
        page.section("SYNOPSIS", ['{"commands": "<bash script>"}'])
        page.section("DESCRIPTION", _DESCRIPTION)
        page.section("TOOL COMMANDS", listing(self.definitions))
        page.section("INPUT", ['commands    Bash script to execute (like bash -c "commands")'])
        page.section("OUTPUT", OUTPUT)
        examples = [line for item in self.definitions for example in item.examples for line in example.command.splitlines()]
        if examples:
            page.section("EXAMPLES", examples)
        page.section("EXIT STATUS", EXIT_STATUS)
        page.section("SEE ALSO", ["bash(1), jq(1)"])
        configured = configuration(self._shell["username"], self._shell["hostname"], self.limits, self._env)
        if configured:
            page.section("CONFIGURATION", configured)
        return page.render()

    def adapter(self, name: str) -> ToolAdapter | None:
        """The tool called ``name`` as something to call without a script, or None."""
        return self._adapters.get(name)

    def calls(self) -> Calls:
        """What the calls of one execution have in common."""
        trace = Trace(self._trace_capacity)
        secrets = Secrets(self._secrets.values())
        return Calls({**self._env, **self._secrets}, secrets, trace, self.on_start, self.on_call, self.on_error, self.policy)

    def commands(self, calls: Calls) -> dict[str, Command]:
        """The commands of one execution: the tools, ``help`` and ``discover``."""
        tools = {name: adapter.definition for name, adapter in self._adapters.items()}
        own = {"help": catalog.help_command(tools), "discover": catalog.discover_command(tools)}
        return own | {name: adapter.command(calls) for name, adapter in self._adapters.items()}

    def _execution(self, request: ToolRequest | str, status: Callable[[ToolStatus], None] | None = None) -> Execution:
        calls = self.calls()
        return Execution(self._bash(calls), request, calls.trace, status)

    def _bash(self, calls: Calls) -> Bash:
        from bashkit.bash import Bash

        return Bash(env=self._env, limits=self.limits, commands=self.commands(calls), **self._shell)


OrchestratorTool = ScriptedTool


class ScriptedToolBuilder:
    """Puts a ScriptedTool together, a call for each part.

    Args:
        name: What the tool is called.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._tools: list[tuple[ToolDef, Callable[..., Any]]] = []
        self._env: dict[str, str] = {}
        self._secrets: dict[str, str] = {}
        self._files: dict[str, Content] = {}
        self._mounts: dict[str, Mountable] = {}
        self._options: dict[str, Any] = {}

    def short_description(self, text: str) -> ScriptedToolBuilder:
        """One line for listings."""
        self._options["short_description"] = text
        return self

    def tool(self, definition: ToolDef, callback: Callable[..., Any], *, raw: bool = False) -> ScriptedToolBuilder:
        """Add a tool; ``raw=True`` for a callback of the form ``(args: list[str], stdin: str | None)``."""
        self._tools.append((replace(definition, raw=True) if raw else definition, callback))
        return self

    def env(self, name: str, text: str) -> ScriptedToolBuilder:
        """Set a variable of the scripts' environment."""
        self._env[name] = text
        return self

    def secret(self, name: str, text: str) -> ScriptedToolBuilder:
        """Set a value that only callbacks see, in ``args.env``."""
        self._secrets[name] = text
        return self

    def file(self, path: str, content: Content) -> ScriptedToolBuilder:
        """Add a file that every fresh shell starts with, as ``files`` of ``Bash``."""
        self._files[path] = content
        return self

    def mount(self, path: str, source: Mountable) -> ScriptedToolBuilder:
        """Add a HostDirectory, an Overlay or a MemoryFileSystem, as ``mounts`` of ``Bash``."""
        self._mounts[path] = source
        return self

    def limits(self, limits: ExecutionLimits) -> ScriptedToolBuilder:
        """What one execution may spend."""
        self._options["limits"] = limits
        return self

    def options(self, **options: Any) -> ScriptedToolBuilder:
        """Further keyword arguments of ScriptedTool."""
        self._options.update(options)
        return self

    def build(self) -> ScriptedTool:
        """The tool.

        Raises:
            DefinitionError: As for ScriptedTool.
        """
        options: dict[str, Any] = {"files": self._files, "mounts": self._mounts, **self._options}
        return ScriptedTool(self._name, tools=self._tools, env=self._env, secrets=self._secrets, **options)


def shell_commands() -> frozenset[str]:
    """The names of the utilities and of bash's builtins: what a tool hides only on purpose."""
    from bashkit import builtins, commands

    return frozenset(commands.command_names()) | frozenset(builtins.declarations())


_DESCRIPTION = (
    "Runs a bash script in a virtual environment in which each tool below is a",
    "command. Every call starts with a fresh shell.",
    "",
    "'TOOL --help' describes one tool, 'help --list' and 'discover' list them.",
)

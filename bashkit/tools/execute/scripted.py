"""ScriptedTool: a single tool for the model, in whose scripts every declared tool is a command."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from bashkit.commands import _python
from bashkit.errors import DefinitionError
from bashkit.host_options import check_choice, check_execution, check_hooks, check_instance, check_session
from bashkit.limits import DEFAULT_LIMITS
from bashkit.tools.call.adapter import ToolAdapter
from bashkit.tools.call.code import PythonCode
from bashkit.tools.call.context import CallContext
from bashkit.tools.call.dispatch import InShell
from bashkit.tools.call.functions import ToolFunctions
from bashkit.tools.call.redaction import Secrets
from bashkit.tools.call.trace import ToolCall, Trace
from bashkit.tools.define.definition import ToolDef
from bashkit.tools.define.reserved import INTROSPECTION, needs_override, shell_commands
from bashkit.tools.describe import catalog, prompt
from bashkit.tools.describe.languages import DIALECTS
from bashkit.tools.describe.manual import EXIT_STATUS, OUTPUT, Manual, configuration, listing
from bashkit.tools.execute import checks, contract
from bashkit.tools.execute.builder import ScriptedToolBuilder
from bashkit.tools.execute.contract import ToolResponse
from bashkit.tools.execute.discovery import DiscoveryTool
from bashkit.tools.execute.environment import Environment
from bashkit.tools.execute.lasting import LastingRunner
from bashkit.tools.execute.queue import ExecutionQueue
from bashkit.tools.execute.runner import ToolExecution
from bashkit.tools.execute.truncation import OutputFiles
from bashkit.tools.execute.workbench import Workbench
from bashkit.tools.search.index import ToolIndex
from bashkit.tools.typed.function_tool import FunctionTool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bashkit.bash import Bash, ExecResult
    from bashkit.bash.bash import Isolation
    from bashkit.bash.snapshot import Snapshot
    from bashkit.fs import Mountable
    from bashkit.fs.api import Content
    from bashkit.interp.utility.command import Command
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy
    from bashkit.tools.analyze import Analysis
    from bashkit.tools.call.cancellation import Cancellation
    from bashkit.tools.call.policy import Policy
    from bashkit.tools.define.definition import Effects, Errors, Validation
    from bashkit.tools.describe.dialect import Dialect
    from bashkit.tools.describe.languages import Language
    from bashkit.tools.describe.prompt import Mode
    from bashkit.tools.execute.contract import Tool, ToolRequest, ToolStatus
    from bashkit.tools.execute.workbench import Scope

_JQ = "jq"
_DIRECT = "call tool"  # no tool can have this name
_DIRECT_CALL = f"'{_DIRECT}'"


class ScriptedTool(LastingRunner):
    """Runs scripts in which the declared tools are commands, or Python code in which they are functions. Every execution has a
    fresh shell, unless it is persistent.

    Args:
        name: The name of the tool and the heading of its prompt.
        short_description: One line for listings.
        tools: Pairs of a ToolDef and its callback, and functions decorated with ``tool``.
        env: Environment of the scripts; callbacks find it in ``args.env``.
        secrets: Values that only callbacks see, in ``args.env``; they are masked in outputs, messages and traces.
        limits: The limits of one execution.
        max_commands, max_loop_iterations: Shorthand for these ``limits``.
        files: Files that every fresh shell starts with, as in ``Bash``.
        mounts: Further file systems of every fresh shell, as in ``Bash``. Each shell has its own changes to an Overlay; all share
            a MemoryFileSystem.
        filesystem: ``memory``: scripts can keep files; ``none``: a script that writes a file gets an error.
        username, hostname, cwd, network, isolation: As in ``Bash``.
        language: What scripts are written in: ``bash``; ``python``: the tools are functions, and the value of the last expression
            is printed as JSON; ``both``: bash with ``python3`` in it, and the prompt shows commands and functions. All but
            ``bash`` need the extra ``python``.
        python: Scripts have ``python3``, to which the tools are functions, and the prompt says so. None: they have it where the
            extra ``python`` is installed, and the prompt, which is the same everywhere, does not mention it.
        persistent: Variables, functions and files last from one execution to the next, which take turns.
        context: Texts that are appended to the system prompt.
        prompt_mode: ``full``: every command with usage and output; ``compact``: names and one-liners; ``discovery``: how to find
            the commands, for very many of them.
        prompt_max_chars: Maximum characters of the system prompt; a shorter mode is used if ``prompt_mode`` has more.
        prompt_max_tokens: The same in tokens.
        token_counter: Counts the tokens of a text; by default one for four characters.
        hints: Whether scripts get hints about likely mistakes: suggestions, missing fields, the command at which ``set -e`` ended
            the script.
        validate_output: ``off``, ``warn`` or ``error``: as for ToolDef, for tools that do not declare it.
        errors: What scripts read about exceptions of callbacks, for tools that do not declare it: ``message`` or ``type``, as for
            ToolDef. None: the message of a ValueError or LookupError, the type of any other. ``on_error`` gets the exception.
        max_result_chars: Maximum characters of standard output for the model; the middle of a longer output is cut out, and the
            response's ``full_stdout`` has everything. None: no limit for programs, 100 000 in the answers of an Offer.
        on_start: Called with every tool call before it runs.
        on_call: Called with every tool call when it has ended. It should be quick, because the script waits.
        on_error: Called with every exception of a callback and the record of its call.
        around: Returns a context manager for a script, which is entered around its execution; if it yields a function, that is
            called with the response.
        policy: Decides about every call before it runs. By default calls of tools with destructive effects need an approval and,
            since nobody can be asked, are refused with status 126; all others are allowed.
        on_shell: Called with the shell of every execution before it begins; its ``fs`` holds the files before and after the
            script.
        trace_capacity: Maximum calls in the trace of one execution.
        trace_streams: Bytes of each call's standard input, output and error that the trace keeps; 0 for none of them.
        follow: Called before each use; returns all tools if others have come or gone since its last call, else None.

    Raises:
        DefinitionError: Two tools have the same name, a name hides a command without ``override``, or an option is unknown.
    """

    def __init__(
        self,
        name: str,
        short_description: str = "",
        *,
        tools: Iterable[tuple[ToolDef, Callable[..., Any]] | FunctionTool[..., Any]] = (),
        env: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        limits: ExecutionLimits | None = None,
        max_commands: int | None = None,
        max_loop_iterations: int | None = None,
        files: Mapping[str, Content] | None = None,
        mounts: Mapping[str, Mountable] | None = None,
        filesystem: Literal["memory", "none"] = "memory",
        username: str | None = None,
        hostname: str | None = None,
        cwd: str | None = None,
        network: NetworkPolicy | Mapping[str, Any] | None = None,
        isolation: Isolation = "inline",
        language: Language = "bash",
        python: bool | None = None,
        persistent: bool = False,
        context: Iterable[str] = (),
        prompt_mode: Mode = "full",
        prompt_max_chars: int | None = None,
        prompt_max_tokens: int | None = None,
        token_counter: Callable[[str], int] = prompt.tokens,
        hints: bool = True,
        validate_output: Validation = "off",
        errors: Errors | None = None,
        max_result_chars: int | None = None,
        on_start: Callable[[ToolCall], None] | None = None,
        on_call: Callable[[ToolCall], None] | None = None,
        on_error: Callable[[ToolCall, BaseException], None] | None = None,
        around: Scope | None = None,
        policy: Policy | None = None,
        on_shell: Callable[[Bash], None] | None = None,
        trace_capacity: int = 10_000,
        trace_streams: int = 0,
        follow: Callable[[], Sequence[tuple[ToolDef, Callable[..., Any]]] | None] | None = None,
    ) -> None:
        if not isinstance(name, str) or not name or not name.isprintable():
            raise DefinitionError(f"a scripted tool needs a name of one line, not {name!r}")
        check_session(
            files=files, mounts=mounts, env=env, secrets=secrets, username=username, hostname=hostname, cwd=cwd, limits=limits,
            filesystem=filesystem, network=network, isolation=isolation,
        )  # fmt: skip
        check_hooks(on_start=on_start, on_call=on_call, on_error=on_error, around=around, on_shell=on_shell, follow=follow)
        check_instance("short_description", short_description, str)
        checks.check_choices(prompt_mode, validate_output, errors, policy)
        checks.check_language(language, python)
        checks.check_numbers(max_result_chars, trace_capacity, trace_streams)
        self.name = name
        self.short_description = short_description
        if max_commands is not None or max_loop_iterations is not None:
            limits = (limits or DEFAULT_LIMITS).updated(max_commands=max_commands, max_loop_iterations=max_loop_iterations)
        self.limits = limits
        self.persistent = persistent
        self.on_start = on_start
        self.on_call = on_call
        self.on_error = on_error
        self.around = around
        self.policy = policy
        self.hints = hints
        self._validate_output: Validation = validate_output
        self._errors: Errors | None = errors
        self._max_result_chars = max_result_chars
        self._env = dict(env or {})
        self._secrets = dict(secrets or {})
        both = sorted(self._env.keys() & self._secrets.keys())
        if both:
            raise DefinitionError(f"{both[0]} is both a secret and part of the environment that scripts see")
        self._mounts = dict(mounts or {})
        self._shell: dict[str, Any] = {
            "files": files, "mounts": self._mounts, "username": username, "hostname": hostname, "cwd": cwd,
            "filesystem": filesystem, "network": network, "isolation": isolation, "python": python is not False,
        }  # fmt: skip
        self.language: Language = language
        self._setting = prompt.Setting(
            name, checks.texts("context", context), limits, max_result_chars, filesystem != "none", persistent,
            python=language == "both" or (bool(python) and language == "bash"), dialect=self.dialect,
        )  # fmt: skip
        self._prompt_mode: Mode = prompt_mode
        self._budgets = checks.budgets(prompt_max_chars, prompt_max_tokens, token_counter)
        self._prompt: tuple[Mode, str] | None = None
        self.on_shell = on_shell
        self._trace_capacity = trace_capacity
        self._trace_streams = trace_streams
        self._adapters: dict[str, ToolAdapter] = {}
        self._spare: list[Workbench] = []
        self._index: ToolIndex | None = None
        self._lasting: tuple[Bash, Workbench] | None = None
        self._starting = threading.Lock()
        self._queue = ExecutionQueue()
        self._follow = follow
        for definition, callback in checks.pairs(tools):
            self._add(definition, callback)

    @property
    def dialect(self) -> Dialect:
        """How tools and scripts are described to a model that writes this language."""
        return DIALECTS[self.language]

    @classmethod
    def builder(cls, name: str) -> ScriptedToolBuilder:
        """Start a builder for a tool called ``name``."""
        return ScriptedToolBuilder(name, cls)

    def _add(self, definition: ToolDef, callback: Callable[..., Any] | None) -> None:
        if definition.name in self._adapters:
            raise DefinitionError(f"two tools are called {definition.name!r}")
        if not definition.override and needs_override(definition.name):
            raise DefinitionError(
                f"the tool {definition.name!r} would hide the command of that name; pass override=True if it should"
            )
        if not callable(callback):
            raise DefinitionError(f"the callback of {definition.name!r} is not callable: {callback!r}")
        self._adapters[definition.name] = ToolAdapter(definition, callback)
        self._renew()

    def _renew(self) -> None:
        """Have the next execution see the tools as they are now."""
        self._spare.clear()
        self._prompt = self._index = None
        if self._lasting is not None:
            bash, bench = self._lasting
            bench.commands.update(self.commands(bench.calls))
            if bench.code is not None:
                bench.code.functions = self._functions(bench.calls)
            bash.add_commands(bench.commands)

    def _current(self) -> dict[str, ToolAdapter]:
        """The adapters of the tools, after those that have come or gone."""
        tools = self._follow() if self._follow is not None else None
        if tools is None:
            return self._adapters
        before, after = self._adapters, dict[str, ToolAdapter]()
        for definition, callback in tools:
            kept = before.get(definition.name)
            same = kept is not None and kept.definition == definition
            after[definition.name] = kept if kept is not None and same else ToolAdapter(definition, callback)
        self._adapters = after  # as a whole: scripts run in other threads meanwhile
        if self._lasting is not None:
            bash, bench = self._lasting
            for name in before.keys() - self._adapters.keys():
                bench.commands.pop(name, None)
                bash.remove_builtin(name)
        self._renew()
        return self._adapters

    def add_tool(
        self,
        name: str | FunctionTool[..., Any],
        description: str = "",
        callback: Callable[..., Any] | None = None,
        schema: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Declare one more tool.

        Args:
            name: The command word; or a function decorated with ``tool``, which needs nothing else.
            description: What it does.
            callback: ``(args: ToolArgs)``, or a function of the arguments themselves; sync or async.
            schema: JSON Schema of the arguments.
            options: Further fields of ToolDef.

        Raises:
            DefinitionError: As for ToolDef and ScriptedTool.
        """
        if isinstance(name, FunctionTool):
            self._add(name.definition, name.callback)
        else:
            self._add(ToolDef(name, description, {} if schema is None else schema, **options), callback)

    @property
    def definitions(self) -> tuple[ToolDef, ...]:
        """The tools, in the order of their declaration."""
        return tuple(adapter.definition for adapter in self._current().values())

    def tool_count(self) -> int:
        """The number of tools."""
        return len(self._current())

    @property
    def env(self) -> Environment:
        """The environment of the scripts, without secrets. ``tool.env("REGION", "eu")`` adds a variable."""
        return Environment(self._env, self._set_env)

    def _set_env(self, name: str, text: str) -> None:
        if name in self._secrets:
            raise DefinitionError(f"{name} is a secret: no script may see it")
        check_session(env={name: text})
        self._env[name] = text
        self._spare.clear()
        if self._lasting is not None:
            bash, bench = self._lasting
            bench.calls.env = {**self._env, **self._secrets}
            bash.set_env(name, text)

    # -- what the model reads ------------------------------------------------------------------------------------------

    def description(self) -> str:
        """Describe the tool: the one-liner and the names of the tools, or only their number if they must be discovered."""
        start = f"{self.short_description.rstrip('.')}. " if self.short_description else ""
        if prompt.MODES[self.prompt_mode].search:
            return f"{start}Supported tools: {len(self._adapters)}, found with discover and help".rstrip()
        names = " ".join(map(self.dialect.name, self.definitions))
        return f"{start}Supported tools: {names}".rstrip()

    def system_prompt(self, mode: Mode | None = None) -> str:
        """Write the text for the model's system prompt.

        Args:
            mode: The mode to use; by default the tool's own setting within its character budget.
        """
        if mode is not None:
            check_choice("mode", mode, prompt.MODES)
            return prompt.write(self._setting, self.definitions, mode)
        return self._chosen()[1]

    @property
    def prompt_mode(self) -> Mode:
        """The mode of ``system_prompt()``: the configured mode, or the richest below it that fits the character budget."""
        return self._chosen()[0]

    def _chosen(self) -> tuple[Mode, str]:
        definitions = self.definitions
        if self._prompt is None:
            self._prompt = prompt.choose(self._setting, definitions, self._prompt_mode, self._budgets)
        return self._prompt

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of a request."""
        return contract.input_schema(self.dialect.parameter)

    def tools(self) -> list[Tool]:
        """The tools for the model: this tool, and in the discovery mode a second one, ``<name>_discover``."""
        return [self, DiscoveryTool(self)] if prompt.MODES[self.prompt_mode].search else [self]

    def help(self) -> str:
        """Write a man page with every tool."""
        page = Manual(self.name.upper(), self.version)
        page.section("NAME", [f"{self.name} - {self.short_description}" if self.short_description else self.name])
        dialect = self.dialect
        page.section("SYNOPSIS", [f'{{"commands": "<{dialect.script}>"}}'])
        page.section("DESCRIPTION", dialect.about)
        page.section(dialect.heading, listing(self.definitions, dialect))
        page.section("INPUT", [f"commands    {dialect.input}"])
        page.section("OUTPUT", OUTPUT)
        examples = [line for item in self.definitions for example in item.examples for line in example.command.splitlines()]
        if examples and dialect.examples:
            page.section("EXAMPLES", examples)
        page.section("EXIT STATUS", EXIT_STATUS)
        page.section("SEE ALSO", [dialect.also])
        configured = configuration(self._shell["username"], self._shell["hostname"], self.limits, self._env)
        if configured:
            page.section("CONFIGURATION", configured)
        return page.render()

    # -- before a script -----------------------------------------------------------------------------------------------

    def analyze(self, script: str) -> Analysis:
        """Find out what a script may do, without running it: calls with their effects, files, hosts, and what cannot be known."""
        from bashkit.tools.analyze import analyze, analyze_python

        check_execution(script, None, None)
        effects: dict[str, Effects | None] = {name: adapter.definition.effects for name, adapter in self._adapters.items()}
        if self.language == "python":
            return analyze_python(script, effects)

        def body(name: str) -> str | None:
            callback = self._adapters[name].callback
            return getattr(callback, "text", None) if isinstance(callback, InShell) else None

        return analyze(script, effects, shell_commands() | {*INTROSPECTION}, body)

    # -- without a script ----------------------------------------------------------------------------------------------

    def adapter(self, name: str) -> ToolAdapter | None:
        """The adapter of the tool called ``name``, for calls without a script; None if there is no such tool."""
        return self._current().get(name)

    async def call(self, name: str, params: Mapping[str, Any], stdin: str | None = None) -> ToolResponse:
        """Call one tool with JSON arguments as a script in a fresh shell would: checks, policy, limits and retries apply.

        Args:
            name: The tool.
            params: Its arguments.
            stdin: The piped text, or None.

        Returns:
            The response; the first call of its trace is this call.

        Raises:
            DefinitionError: There is no such tool, or it takes words.
            TypeError: The arguments are no mapping, or the piped text is none.
        """
        bash, trace = self._shell_for(self._known(name), params, stdin)
        return _response(await bash.execute(_DIRECT_CALL), trace)

    def call_sync(self, name: str, params: Mapping[str, Any], stdin: str | None = None) -> ToolResponse:
        """``call`` for callers without an event loop; it works where one is running, too, and blocks it."""
        bash, trace = self._shell_for(self._known(name), params, stdin)
        return _response(bash.execute_sync(_DIRECT_CALL), trace)

    def _known(self, name: str) -> ToolAdapter:
        adapter = self.adapter(name)
        if adapter is None:
            raise DefinitionError(f"there is no tool {name!r}")
        if adapter.definition.raw:
            raise DefinitionError(f"the tool {name!r} takes words: call it in a script")
        return adapter

    def _shell_for(self, adapter: ToolAdapter, params: Mapping[str, Any], stdin: str | None) -> tuple[Bash, Trace]:
        """A shell in which one call is a command, and where it is recorded."""
        if not isinstance(params, Mapping):
            raise TypeError(f"the arguments of a call are a mapping, not {type(params).__name__}")
        if stdin is not None and not isinstance(stdin, str):
            raise TypeError(f"the input of a call must be a text (str), not {type(stdin).__name__}")
        calls, trace = self.calls(), Trace(self._trace_capacity)
        calls.begin(trace)
        bash = self._bash({**self.commands(calls), _DIRECT: adapter.direct(params, stdin, calls)})
        bash.forget_state()
        return bash, trace

    def clear_cache(self) -> None:
        """Drop the cached results of tools with ``cache``."""
        for adapter in self._adapters.values():
            adapter.clear_cache()

    # -- running -------------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Drop the session of a persistent tool: the next execution begins in a fresh shell. Mounts stay."""
        self._lasting = None

    def snapshot(self) -> Snapshot:
        """The session as it is now, with what Python code has left if scripts are written in it: see ``Bash.snapshot``.

        Raises:
            BashkitError: The tool is not persistent, or a script is running.
            SnapshotError: Something is mounted that cannot be kept.
        """
        taken = super().snapshot()
        code = self._kept()[1].code
        return taken if code is None else replace(taken, python=code.saved())

    def restore(self, snapshot: Snapshot, *, mounts: Mapping[str, Mountable] | None = None) -> None:
        """Go back, or over, to a snapshot: see ``Bash.restore``.

        Raises:
            BashkitError: The tool is not persistent, or a script is running.
            SnapshotError: A directory of the host is missing, or the files do not fit into the limits.
        """
        super().restore(snapshot, mounts=mounts)
        code = self._kept()[1].code
        if code is not None:
            code.restore(snapshot.python)

    def calls(self) -> CallContext:
        """Make the state that the calls of one execution share."""
        calls = CallContext({**self._env, **self._secrets}, Secrets(self._secrets.values()), Trace(self._trace_capacity))
        self._prepare(calls)
        return calls

    def _prepare(self, calls: CallContext) -> None:
        """Pass the current hooks and settings to the calls' state."""
        calls.on_start, calls.on_call, calls.on_error = self.on_start, self.on_call, self.on_error
        calls.policy, calls.hints, calls.validate_output = self.policy, self.hints, self._validate_output
        calls.errors, calls.streams = self._errors, self._trace_streams
        calls.analyze = self.analyze

    @property
    def search_index(self) -> ToolIndex:
        """The index in which ``discover`` searches."""
        if self._index is None:
            self._index = ToolIndex(self.definitions)
        return self._index

    def introspection(self) -> dict[str, Command]:
        """The commands ``help`` and ``discover``."""
        tools = {name: adapter.definition for name, adapter in self._adapters.items()}
        return {
            "help": catalog.help_command(tools, self.dialect),
            "discover": catalog.discover_command(tools, self.search_index, self.dialect),
        }

    def introspecting(self) -> Workbench:
        """What scripts run with that can find and describe the tools, and not call them."""
        calls, commands = CallContext(hints=False), self.introspection()
        if self.language != "python":
            return Workbench(calls, commands)
        code = PythonCode(ToolFunctions({}, calls, commands), calls, lasting=False)
        return Workbench(calls, commands | code.commands(), code)

    def commands(self, calls: CallContext) -> dict[str, Command]:
        """The commands for executions that record their calls in ``calls``: the tools, ``help``, ``discover``, a ``jq`` with
        hints, and a ``python3`` to which the tools are functions.
        """
        python = dict(_python.commands(self._functions(calls))) if self._shell["python"] else {}
        found = python | self.introspection()
        found |= {name: adapter.command(calls) for name, adapter in self._adapters.items()}
        if _JQ not in found and self.hints and self._adapters:
            from bashkit.commands import find_command
            from bashkit.tools.hints.jq import hinting

            jq = find_command(_JQ)
            if jq is not None:
                found[_JQ] = hinting(jq, calls)
        return found

    def _functions(self, calls: CallContext) -> ToolFunctions:
        """The tools as functions; in code that the model itself sends ``help`` and ``discover`` are functions, too."""
        if self.language != "python":
            return ToolFunctions(self._adapters, calls)
        return ToolFunctions(self._adapters, calls, self.introspection(), within="")

    def _bench(self, spare: list[Workbench] | None = None, queue: ExecutionQueue | None = None) -> Workbench:
        """The state around executions, with the commands bound to it."""
        calls = self.calls()
        commands = self.commands(calls)
        outputs = None if queue is None else OutputFiles()
        if self.language != "python":
            return Workbench(calls, commands, None, spare, queue, outputs=outputs)
        code = PythonCode(self._functions(calls), calls, lasting=self.persistent)
        return Workbench(calls, commands | code.commands(), code, spare, queue, outputs=outputs)

    def _execution(
        self,
        request: ToolRequest | str,
        status: Callable[[ToolStatus], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> ToolExecution:
        self._current()
        if self.persistent:
            bash, bench = self._kept()
        else:
            bench = self._fresh()
            bash = self._bash(bench.commands)
            if self.on_shell is None:
                bash.forget_state()
        bench.around, bench.on_shell, bench.max_result_chars = self.around, self.on_shell, self._max_result_chars
        bash.suggestions = self.search_index.named if self.hints else False
        self._prepare(bench.calls)
        return ToolExecution(bash, request, Trace(self._trace_capacity), status, bench, cancellation)

    def _fresh(self) -> Workbench:
        try:
            return self._spare.pop()
        except IndexError:
            return self._bench(spare=self._spare)

    def _begun(self) -> Bash | None:
        return None if self._lasting is None else self._lasting[0]

    def _continued(self) -> Bash:
        return self._kept()[0]

    def _kept(self) -> tuple[Bash, Workbench]:
        found = self._lasting
        if found is None:
            with self._starting:
                if (found := self._lasting) is None:
                    bench = self._bench(queue=self._queue)
                    found = self._lasting = self._bash(bench.commands), bench
        return found

    def _bash(self, commands: Mapping[str, Command]) -> Bash:
        from bashkit.bash.bash import CheckedBash  # of a package, it would take twice as long

        return CheckedBash(env=self._env, limits=self.limits, commands=commands, **self._shell)


OrchestratorTool = ScriptedTool


def _response(result: ExecResult, trace: Trace) -> ToolResponse:
    return ToolResponse(result.stdout, result.stderr, result.exit_code, result.error, trace)

"""Toolset: a loaded toolset file, and the tool that it defines for the model."""

from __future__ import annotations

import threading
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn, Self

from bashkit.errors import CallbackNotFoundError, DefinitionError, ToolsetError
from bashkit.tools.define.reserved import needs_override
from bashkit.tools.describe.prompt import tokens
from bashkit.tools.execute.scripted import ScriptedTool
from bashkit.tools.offer import Offer
from bashkit.toolset.callback import Callback
from bashkit.toolset.source import Asking, Found, SourceError, ask_all, passed_over, problem
from bashkit.toolset.stubs import Stubs
from bashkit.toolset.text.notation import substitute, variables_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.fs import Mountable
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy
    from bashkit.tools.analyze import Analysis
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.offer import Exposure
    from bashkit.toolset.source import FoundTool, Source
    from bashkit.toolset.text.document import Document, Mark
    from bashkit.toolset.text.document import Path as DocumentPath

_LONG_PROMPT = 10_000  # tokens


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool and its declaration.

    Attributes:
        definition: The tool.
        callback: The callable behind it; nothing is imported or started before the first call.
        document: The file that declares it or its source.
        path: The path of the declaration in that file.
        signature: The callback whose function declares what the file does not, or None.
    """

    definition: ToolDef
    callback: Callable[..., Any]
    document: Document = field(repr=False)
    path: DocumentPath
    signature: Callback | None = field(default=None, repr=False)

    def completed(self) -> DeclaredTool:
        """The same with what the function's signature declares; it is imported.

        Raises:
            CallbackNotFoundError: There is no such function.
            DefinitionError: Its signature cannot be a tool's.
        """
        if self.signature is None:
            return self
        found = self.signature.described()
        stated = found.keys() & {*_value(self.document, self.path)} - {"input_schema"}  # the file comes first
        further = {key: value for key, value in found.items() if key not in stated}
        return replace(self, definition=replace(self.definition, **further), signature=None)

    @property
    def mark(self) -> Mark:
        """The position of the declaration."""
        return self.document.mark(self.path)


@dataclass(frozen=True, slots=True)
class DirectoryMount:
    """A directory of the host that scripts can see.

    Attributes:
        at: Its path in the virtual file system.
        directory: Its path on the host.
        access: ``read``, ``overlay`` (changes stay in memory) or ``write``.
    """

    at: str
    directory: Path
    access: str

    def open(self) -> Mountable:
        """Make the mount for ``Bash``."""
        from bashkit.fs import HostDirectory, Overlay

        return (
            Overlay(self.directory)
            if self.access == "overlay"
            else HostDirectory(self.directory, writable=self.access == "write")
        )


@dataclass(slots=True)
class Toolset:
    """A toolset file, read and checked. Nothing has been imported or run.

    Attributes:
        name: Its name.
        description: One line.
        path: The file.
        document: Its content with positions.
        declared: The tools that the file and what it includes declare.
        sources: The sources of further tools; they are asked at the first use of ``tool`` or ``tools``.
        env: Environment of the scripts.
        secrets: Values that only callbacks see.
        limits: The limits of an execution.
        context: Texts that are appended to the system prompt.
        max_chars: Maximum characters of the system prompt, or None.
        max_tokens: Maximum tokens of it, or None.
        mounts: Directories of the host that scripts can see.
        options: Further keyword arguments of ScriptedTool.
        stubbed: Stubs replace callbacks.
        stub_env: The variables that tell started programs about stubs.
        profile: The profile that was applied, or "".
        late_secrets: The names of the secrets that commands print, which run before the first script.
        wrap: Given a tool and its callback, returns the callback to run instead; or None.
        warnings: Tools that were left out and why, known once the sources were asked.
    """

    name: str
    description: str
    path: Path
    document: Document = field(repr=False)
    declared: tuple[DeclaredTool, ...]
    sources: tuple[Source, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    limits: ExecutionLimits | None = None
    context: tuple[str, ...] = ()
    max_chars: int | None = None
    max_tokens: int | None = None
    mounts: tuple[DirectoryMount, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    stubbed: bool = False
    stub_env: Mapping[str, str] = field(default_factory=dict)
    profile: str = ""
    late_secrets: frozenset[str] = frozenset()
    wrap: Callable[[ToolDef, Callable[..., Any]], Callable[..., Any]] | None = field(default=None, repr=False)
    warnings: list[Problem] = field(default_factory=list)
    _tool: ScriptedTool | None = field(default=None, repr=False)
    _offer: Offer | None = field(default=None, repr=False)
    _found: tuple[DeclaredTool, ...] | None = field(default=None, repr=False)
    _answers: list[Found | SourceError] = field(default_factory=list, repr=False)
    _versions: list[int] = field(default_factory=list, repr=False)
    _making: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)

    def __copy__(self) -> Self:
        """The same toolset; see ``__deepcopy__``."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """The same toolset, as a tool that is copied is the same tool."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: callbacks and connections belong to this process."""
        raise TypeError("a Toolset cannot be pickled: pass its path, and load it in the process that uses it")

    @property
    def tool(self) -> ScriptedTool:
        """The tool for the model: in its scripts, every tool of this set is a command.

        Raises:
            ToolsetError: A source is missing, or two tools have the same name.
        """
        if self._tool is None:
            with self._making:  # of several threads that are the first to ask, all get one tool, with one session
                if self._tool is None:
                    self._tool = self.make_tool()
        return self._tool

    @property
    def prompt_place(self) -> tuple[str, str]:
        """Where the file says how long the system prompt may be."""
        return "prompt", "max_tokens" if self.max_chars is None else "max_chars"

    def prompt_problem(self) -> Problem | None:
        """Why no system prompt keeps the declared maximum, or None.

        Raises:
            ToolsetError: A source is missing, or two tools have the same name.
        """
        tool = self.tool
        if self.max_chars is None and self.max_tokens is None:
            return None  # to write it could take seconds
        try:
            tool.system_prompt()
        except DefinitionError as error:
            return self.document.problem(self.prompt_place, str(error), hint="shorten the context, or allow more")
        return None

    def long_prompt(self) -> int | None:
        """About how many tokens a prompt with all tools has, if that is more than a model should read for every conversation.

        Raises:
            ToolsetError: A source is missing, or two tools have the same name.
        """
        size = tokens(self.tool.system_prompt("full")) if self.prompt_problem() is None else 0
        return size if size > _LONG_PROMPT else None

    def make_tool(self, **options: Any) -> ScriptedTool:
        """Make a new ScriptedTool with further keyword arguments of its constructor (``on_call``, ``limits``, …)."""
        settings: dict[str, Any] = {
            "short_description": self.description,
            "tools": [(item.definition, self._callback(item)) for item in self.entries()],
            "env": self.env,
            "secrets": self.secrets,
            "limits": self.limits,
            "context": (*self.context, *self._context_of_callbacks()),
            "mounts": {mount.at: mount.open() for mount in self._all_mounts()},
            "prompt_max_chars": self.max_chars,
            "prompt_max_tokens": self.max_tokens,
            "follow": self._follower() if self.sources else None,
            **self.options,
            **self._network(),
        }
        return ScriptedTool(self.name, **(settings | options))

    def _network(self) -> dict[str, NetworkPolicy]:
        """The network policy with the secrets that commands print in its headers, where there are such."""
        policy: NetworkPolicy | None = self.options.get("network")
        if policy is None or not self.late_secrets:
            return {}
        values = {**self.env, **self.secrets}
        headers = {
            host: {
                name: substitute(text, values) if self.late_secrets & variables_of(text) else text for name, text in texts.items()
            }
            for host, texts in policy.headers.items()
        }
        return {"network": replace(policy, headers=headers)}

    def _all_mounts(self) -> tuple[DirectoryMount, ...]:
        """The declared mounts, and those that callbacks need; a declared one counts where both have a path."""
        if self.options.get("filesystem") == "none":
            return self.mounts
        taken = {mount.at for mount in self.mounts}
        needed = {path: place for callback in self._callbacks() for path, place in callback.mounts().items()}
        return (*self.mounts, *(DirectoryMount(path, needed[path], "read") for path in sorted(needed.keys() - taken)))

    def _context_of_callbacks(self) -> tuple[str, ...]:
        """What the system prompt says once for many callbacks of a kind."""
        if self.options.get("filesystem") == "none":
            return ()
        return tuple(dict.fromkeys(callback.context for callback in self._callbacks() if callback.context))

    def _follower(self) -> Callable[[], list[tuple[ToolDef, Callable[..., Any]]] | None]:
        """A function that returns the tools whenever they have changed since its last call, else None."""
        seen = self._found

        def follow() -> list[tuple[ToolDef, Callable[..., Any]]] | None:
            nonlocal seen
            entries = self.entries()
            if self._found is seen:
                return None
            seen = self._found
            return [(item.definition, self._callback(item)) for item in entries]

        return follow

    def _callback(self, item: DeclaredTool) -> Callable[..., Any]:
        callback = item.callback.fresh() if isinstance(item.callback, Stubs) else item.callback
        # a script over other tools always runs; only the tools that it calls are wrapped
        if self.wrap is None or (isinstance(callback, Callback) and callback.calls_tools):
            return callback
        return self.wrap(item.definition, callback)

    @property
    def tools(self) -> tuple[ToolDef, ...]:
        """The definitions of all tools."""
        return tuple(item.definition for item in self.entries())

    def analyze(self, script: str) -> Analysis:
        """Find out what a script may do, without running it: calls with their effects, files, hosts, and what cannot be known.

        Raises:
            ToolsetError: A source cannot be read.
        """
        return self.tool.analyze(script)

    # -- for models ----------------------------------------------------------------------------------------------------

    def definitions(
        self, form: str, expose: Exposure = "bash", *, strict: bool = False, with_prompt: bool = False
    ) -> list[dict[str, Any]]:
        """The ``tools`` of a request to a model.

        Args:
            form: ``openai`` (chat completions), ``openai-responses``, ``anthropic``, ``gemini``, ``mcp`` or ``json-schema``.
            expose: ``bash``, ``tools``, ``both``, ``discovery`` or ``all``, as for ``Offer``.
            strict: OpenAI's strict mode, for the tools whose schema it can express.
            with_prompt: The description of the bash tool is its system prompt, for hosts that do not put
                ``toolset.tool.system_prompt()`` into their own.

        Raises:
            BashkitError: There is no such form or exposure, or the form has no strict mode.
            ToolsetError: A source cannot be read.
        """
        return Offer(self.tool, expose, with_prompt=with_prompt).definitions(form, strict=strict)

    def handle(self, call: object) -> dict[str, Any]:
        """``ahandle`` for code without an event loop; it works where one is running, too."""
        return self._offered.handle(call)

    async def ahandle(self, call: object) -> dict[str, Any]:
        """Answer a model's call of whatever ``definitions`` has declared.

        Args:
            call: The provider's object, or the same as a dict: one of a message's ``tool_calls`` (OpenAI), a ``function_call``
                item (OpenAI responses), a ``tool_use`` block (Anthropic), a function call (Gemini), the params of ``tools/call``
                (MCP).

        Returns:
            The message for the model, in the provider's form. What is wrong with a call is told to the model.

        Raises:
            BashkitError: It is not a tool call.
            ToolsetError: A source cannot be read.
        """
        return await self._offered.ahandle(call)

    @property
    def _offered(self) -> Offer:
        if self._offer is None:
            self._offer = Offer(self.tool, "all", with_prompt=False)
        return self._offer

    def position(self, name: str) -> tuple[str, int, int] | None:
        """File, line and column of the declaration of the tool ``name``; None if there is no such tool."""
        for item in self.entries():
            if item.definition.name == name:
                return item.document.file, item.mark.line, item.mark.column
        return None

    def entries(self) -> tuple[DeclaredTool, ...]:
        """All tools; the first access asks the sources, and imports the functions whose signatures declare parameters. Later ones
        follow the sources whose tools have changed.

        Raises:
            ToolsetError: A source or a function is missing, a signature cannot be a tool's, or two tools have the same name.
        """
        if self._found is None:
            with self._making:
                if self._found is None:
                    self._ask_first()
        elif self._versions != [source.version for source in self.sources] and self._making.acquire(blocking=False):
            try:
                self._ask_again()
            finally:
                self._making.release()
        assert self._found is not None
        return self.declared + self._found

    def _ask_first(self) -> None:
        declared, mistakes = self._completed()
        found, problems = self._ask_sources()
        if mistakes or problems:
            raise ToolsetError(mistakes + problems)
        self.declared, self._found = declared, found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    def close(self) -> None:
        """Run the teardown, and stop the processes and connections of sources and callbacks, such as MCP servers.

        A later call starts them again. ``with load(…) as toolset:`` closes it at the end of the block.

        Raises:
            LifespanError: The teardown failed; everything else is closed.
        """
        with ExitStack() as closing:
            for source in self.sources:
                closing.callback(source.close)
            for callback in self._callbacks():
                closing.callback(callback.close)

    async def aclose(self) -> None:
        """As ``close``, on an event loop, which is not held up. ``async with load(…) as toolset:`` does so.

        Raises:
            LifespanError: The teardown failed; everything else is closed.
        """
        from asyncio import to_thread

        async with AsyncExitStack() as closing:
            for source in self.sources:
                closing.push_async_callback(to_thread, source.close)
            for callback in self._callbacks():
                closing.push_async_callback(callback.aclose)

    def _callbacks(self) -> Iterator[Callback]:
        for item in self.declared + (self._found or ()):
            if isinstance(item.callback, Callback):
                yield item.callback

    def _completed(self) -> tuple[tuple[DeclaredTool, ...], list[Problem]]:
        """The declared tools, with what the signatures of their functions declare."""
        found: list[DeclaredTool] = []
        problems: list[Problem] = []
        for item in self.declared:
            try:
                found.append(item.completed())
            except (CallbackNotFoundError, DefinitionError) as error:
                place = (*item.path, "callback", "python")
                problems.append(item.document.problem(place, str(error)))
        return tuple(found), problems

    def _asking(self) -> Asking:
        return Asking({**self.env, **self.secrets}, self.stubbed, self.stub_env)

    def _ask_sources(self) -> tuple[tuple[DeclaredTool, ...], list[Problem]]:
        self._versions = [source.version for source in self.sources]
        self._answers = ask_all(self.sources, self._asking())
        return self._joined()

    def _ask_again(self) -> None:
        """Ask the sources whose tools have changed; if what they have now cannot be used, the tools stay as they are."""
        versions = [source.version for source in self.sources]
        changed = [index for index, version in enumerate(versions) if version != self._versions[index]]
        self._versions = versions
        for index in changed:
            (self._answers[index],) = ask_all([self.sources[index]], self._asking())
        self.warnings.clear()
        found, problems = self._joined()
        if problems:
            self.warnings += problems
        else:
            self._found, self._offer = found, None

    def _joined(self) -> tuple[tuple[DeclaredTool, ...], list[Problem]]:
        """The tools that the sources have found, and what keeps them from being used together."""
        found: list[DeclaredTool] = []
        problems: list[Problem] = []
        families: dict[str, Source] = {}
        taken = {item.definition.name: _origin(item) for item in self.declared}
        for source, answer in zip(self.sources, self._answers, strict=True):
            if isinstance(answer, SourceError):
                problems += answer.problems or [problem(source, str(answer))]
                continue
            self.warnings += [problem(source, reason) if isinstance(reason, str) else reason for reason in answer.skipped]
            chosen = [source.selection.named(tool) for tool in answer.tools if source.selection.takes(tool.definition.name)]
            for tool in self._preferred(source, chosen, families):
                self._take(source, tool, found, taken, problems)
        return tuple(found), problems

    def _preferred(self, source: Source, tools: list[FoundTool], families: dict[str, Source]) -> list[FoundTool]:
        """Drop the families that an earlier source has already, with one warning for each."""
        for name in dict.fromkeys(source.selection.prefix + tool.family for tool in tools if tool.family):
            first = families.setdefault(f"{source.key} {name}", source)
            if first is not source:
                message = f"{name} is skipped: the source on line {_line(first)} has it already and comes first"
                self.warnings.append(problem(source, message))
        return [
            tool
            for tool in tools
            if not tool.family or families[f"{source.key} {source.selection.prefix}{tool.family}"] is source
        ]

    def _take(
        self, source: Source, tool: FoundTool, found: list[DeclaredTool], taken: dict[str, str], problems: list[Problem]
    ) -> None:
        name = tool.definition.name
        if needs_override(name):
            message = f"{tool.origin} is skipped: it would hide the command {name!r}"
            hint = f"give the source a prefix, or exclude it: exclude: [{name.removeprefix(source.selection.prefix)}]"
            self.warnings.append(passed_over(source, message, hint=hint))
        elif name in taken:
            hint = "give one of the sources a prefix, or exclude the tool"
            if tool.optional:
                message = f"{tool.origin} is skipped: {taken[name]} is called {name!r}"
                self.warnings.append(passed_over(source, message, hint=hint))
                return
            problems.append(problem(source, f"{tool.origin} and {taken[name]} are both called {name!r}", hint=hint))
        else:
            taken[name] = tool.origin if len(self.sources) == 1 else f"{tool.origin} of the source on line {_line(source)}"
            found.append(DeclaredTool(tool.definition, tool.callback, source.document, source.path))


def _value(document: Document, path: DocumentPath) -> Any:
    value = document.value
    for step in path:
        value = value[step]
    return value


def _origin(item: DeclaredTool) -> str:
    return f"the tool on line {item.mark.line}"


def _line(source: Source) -> int:
    return source.document.mark(source.path).line

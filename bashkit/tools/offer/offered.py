"""One tool as a model sees and calls it: the bash tool, or a command by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.define import schema as json_schema
from bashkit.tools.describe.in_bash import BASH
from bashkit.tools.execute.runner import ScriptRunner
from bashkit.tools.execute.truncation import MOST_FOR_MODELS, cut, shorten
from bashkit.tools.json_text import clean, clean_all
from bashkit.tools.offer.schemas import without_nulls

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from bashkit.tools.call.adapter import ToolAdapter
    from bashkit.tools.define.definition import Effects
    from bashkit.tools.describe.dialect import Dialect
    from bashkit.tools.execute.contract import Tool, ToolResponse, ToolStatus
    from bashkit.tools.execute.scripted import ScriptedTool

COMMANDS = "commands"  # the parameter of the bash tool


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a call of a model.

    Attributes:
        text: What the model reads: the response as JSON for the bash tool; for a command what it printed, or why it failed, which
            is never empty. The middle of an output that is too long is cut out.
        failed: The exit status is not 0, or nothing ran.
        structured: The same as a JSON object, where the tool has an output schema and did not fail to obey it; else None.
        response: The response with its trace; None if nothing ran.
    """

    text: str
    failed: bool = False
    structured: Mapping[str, Any] | None = None
    response: ToolResponse | None = field(default=None, repr=False)


class Offered(ABC):
    """A tool as a model sees and calls it.

    Attributes:
        name: The name for the model, legal for every provider.
        command: The name of the tool itself.
        description: What the model reads about it.
        input_schema: JSON Schema of the arguments.
        output_schema: JSON Schema of ``Answer.structured``; None if answers are text.
        effects: What a call may do, if that is known.
        category: The group in listings, or "".
        tags: Words to find it by.
    """

    name: str
    command: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None = None
    effects: Effects | None = None
    category: str = ""
    tags: tuple[str, ...] = ()

    def __deepcopy__(self, memo: object) -> Offered:
        """The same tool: an agent that is copied has it as it has the same functions, with one session."""
        return self

    async def call(self, arguments: object, status: Callable[[ToolStatus], None] | None = None) -> Answer:
        """Answer a call; whatever the model passes, the answer tells it what was wrong.

        Args:
            arguments: The arguments, as JSON data.
            status: Called with the progress of a script.
        """
        checked = self._checked(arguments)
        return checked if isinstance(checked, Answer) else self._answer(await self._run(checked, status))

    def call_sync(self, arguments: object, status: Callable[[ToolStatus], None] | None = None) -> Answer:
        """``call`` for code without an event loop; it works where one is running, too."""
        return wait_for(lambda: self.call(arguments, status))

    def _checked(self, arguments: object) -> dict[str, Any] | Answer:
        if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
            return Answer(f"the arguments of {self.name} must be a JSON object", failed=True)
        given = without_nulls(arguments, self.input_schema)
        problems = self._problems(given)
        return Answer(clean("; ".join(problems)), failed=True) if problems else given

    @abstractmethod
    def _problems(self, arguments: dict[str, Any]) -> list[str]:
        """What is wrong with arguments."""

    @abstractmethod
    async def _run(self, arguments: dict[str, Any], status: Callable[[ToolStatus], None] | None) -> ToolResponse:
        """Run with arguments that are right."""

    @abstractmethod
    def _answer(self, response: ToolResponse) -> Answer:
        """What the model reads of a response."""


class OfferedScripts(Offered):
    """A tool that takes scripts.

    Attributes:
        taking: What it takes, for a sentence about it.

    Args:
        name: Its name for the model.
        tool: The tool.
        with_prompt: The description is the system prompt.
        effects: What a script may do, if that is known.
        dialect: How scripts are described.
    """

    def __init__(self, name: str, tool: Tool, *, with_prompt: bool, effects: Effects | None, dialect: Dialect = BASH) -> None:
        self.name = name
        self.command = tool.name
        self.description = tool.system_prompt() if with_prompt else tool.description()
        self.input_schema = tool.input_schema()
        self.output_schema = tool.output_schema()
        self.effects = effects
        self.taking = dialect.taking
        self._script = dialect.script
        self._page = dialect.page
        self._tool = tool

    def _problems(self, arguments: dict[str, Any]) -> list[str]:
        unknown = [f"there is no parameter {name!r}: the only one is {COMMANDS!r}" for name in arguments if name != COMMANDS]
        missing = not isinstance(arguments.get(COMMANDS), str)
        return unknown + ([f"{COMMANDS!r} must be the {self._script}, as text"] if missing else [])

    async def _run(self, arguments: dict[str, Any], status: Callable[[ToolStatus], None] | None) -> ToolResponse:
        commands = arguments[COMMANDS]
        if isinstance(self._tool, ScriptRunner):
            return await self._tool.execute_for_model(commands, status, MOST_FOR_MODELS)
        running = self._tool.execute(commands) if status is None else self._tool.execute_with_status(commands, status)
        return shorten(await running, MOST_FOR_MODELS)

    def _answer(self, response: ToolResponse) -> Answer:
        failed = response.exit_code != 0 or response.error is not None
        shown = replace(response, stderr=cut(response.stderr, MOST_FOR_MODELS, page=self._page))
        return Answer(shown.to_json(), failed, shown.to_dict(), response)


class OfferedCommand(Offered):
    """One command of a ScriptedTool, called by itself.

    Args:
        name: Its name for the model.
        tool: The tool whose environment, secrets, policy and limits apply.
        adapter: The command.
    """

    def __init__(self, name: str, tool: ScriptedTool, adapter: ToolAdapter) -> None:
        definition = adapter.definition
        self.name = name
        self.command = definition.name
        self.description = definition.description or definition.name
        self.input_schema = {"type": "object", "properties": {}, **json_schema.strict(dict(definition.input_schema))}
        produced = json_schema.strict(dict(definition.output_schema)) if definition.output_schema else None
        self.output_schema = produced if produced is not None and produced.get("type") == "object" else None
        self.effects = definition.effects
        self.category = definition.category or ""
        self.tags = tuple(definition.tags)
        self._tool = tool
        self._adapter = adapter

    def _problems(self, arguments: dict[str, Any]) -> list[str]:
        return self._adapter.problems(arguments)

    async def _run(self, arguments: dict[str, Any], status: Callable[[ToolStatus], None] | None) -> ToolResponse:  # noqa: ARG002
        return await self._tool.call(self.command, arguments)

    def _answer(self, response: ToolResponse) -> Answer:
        stdout = clean(response.stdout)
        if response.exit_code == 0 and response.error is None:
            structured = self._structured(stdout) if len(stdout) <= MOST_FOR_MODELS else None
            return Answer(_short(stdout), structured=structured, response=response)
        record = next(iter(response.trace), None)
        if record is not None and record.error.strip():
            told = record.error
        else:
            told = f"exit status {response.exit_code}: {response.stderr.strip()}".removesuffix(": ")
        first, _, rest = clean(told).partition("\n")
        text = "\n".join(part for part in (first, stdout.strip(), rest) if part)
        return Answer(_short(text), failed=True, response=response)

    def _structured(self, stdout: str) -> dict[str, Any] | None:
        found = json_text.decode_object(stdout) if self.output_schema is not None else None
        return None if found is None else clean_all(found)  # JSON may have half a character


def _short(text: str) -> str:
    """What a model gets to read of a command's output, which it cannot pipe into anything."""
    return cut(text, MOST_FOR_MODELS, page=lambda _line, _file: "ask for less, where the parameters can say so")


def wait_for(work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Run a coroutine to its end on the loop on which ``execute_sync`` awaits, so that what async callbacks share belongs to one
    loop.
    """
    import asyncio

    from bashkit.interp.runtime.workers import background_loop

    future = asyncio.run_coroutine_threadsafe(work(), background_loop())
    try:
        return future.result()
    except BaseException:  # an interrupt ends the script, too
        future.cancel()
        raise

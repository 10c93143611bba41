"""Offer: what a host hands to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from bashkit.errors import BashkitError
from bashkit.host_options import check_choice
from bashkit.tools.describe.in_bash import BASH
from bashkit.tools.execute.contract import Tool
from bashkit.tools.execute.discovery import DiscoveryTool
from bashkit.tools.execute.scripted import ScriptedTool
from bashkit.tools.offer.calls import read_call
from bashkit.tools.offer.definitions import definitions
from bashkit.tools.offer.names import legal_names
from bashkit.tools.offer.offered import Answer, Offered, OfferedCommand, OfferedScripts, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.define.definition import Effects
    from bashkit.tools.execute.contract import ToolStatus
    from bashkit.tools.offer.calls import Call

Exposure = Literal["bash", "tools", "both", "discovery", "all"]
EXPOSURES = ("bash", "tools", "both", "discovery", "all")
_BY_DANGER: tuple[Effects | None, ...] = ("destructive", None, "write", "read")


class Offer:
    """The tools that a model gets of a tool, and the calls that come back.

    Names are the same whatever is exposed, and legal for every provider; a name that is not legal is changed, and calls by the
    changed name find their tool.

    Args:
        tool: A ScriptedTool, a BashTool, or any Tool of the host's.
        expose: ``bash``: the one tool that takes scripts, and in the discovery mode of a ScriptedTool the one that searches its
            commands; ``discovery``: both of these in any mode; ``tools``: each command by itself; ``both``: the first and the
            last; ``all``: whatever there is. A command in raw form takes words, not named arguments: it is not offered by itself.
        with_prompt: The description of the bash tool is its system prompt; pass False if the host puts ``tool.system_prompt()``
            into its own.

    Attributes:
        tools: What the model gets.

    Raises:
        BashkitError: There is no such exposure, or the tool has no commands to expose.
    """

    def __init__(self, tool: Tool, expose: Exposure = "bash", *, with_prompt: bool = True) -> None:
        check_choice("expose", expose, EXPOSURES)
        if not isinstance(tool, Tool):
            raise BashkitError(f"a tool is a ScriptedTool, a BashTool or an object with their methods, not {type(tool).__name__}")
        commands = _commands_of(tool)
        if expose not in {"bash", "all"} and not isinstance(tool, ScriptedTool):
            raise BashkitError(f"{tool.name} has no commands of its own to expose: only the exposure 'bash' is possible")
        runners: list[Tool] = [tool, *([DiscoveryTool(tool)] if isinstance(tool, ScriptedTool) else [])]
        names = legal_names([runner.name for runner in runners] + commands)
        scripts: list[Offered] = []
        for name, runner in zip(names, runners, strict=False):
            dialect = runner.dialect if isinstance(runner, (ScriptedTool, DiscoveryTool)) else BASH
            scripts.append(OfferedScripts(name, runner, with_prompt=with_prompt, effects=_effects(runner), dialect=dialect))
        searched = isinstance(tool, ScriptedTool) and (expose in {"discovery", "all"} or len(tool.tools()) > 1)
        found = [] if expose == "tools" else scripts if searched else scripts[:1]
        if expose in {"tools", "both", "all"} and isinstance(tool, ScriptedTool):
            found = found + _offered(tool, names[len(runners) :], commands)
        self.tools: tuple[Offered, ...] = tuple(found)
        self._named = {offered.name: offered for offered in self.tools}

    def definitions(self, form: str, *, strict: bool = False) -> list[dict[str, Any]]:
        """The ``tools`` of a request to a provider, as the function ``definitions`` writes them."""
        return definitions(self.tools, form, strict=strict)

    def handle(self, call: object) -> dict[str, Any]:
        """``ahandle`` for code without an event loop; it works where one is running, too."""
        read = read_call(call)
        return read.reply(wait_for(lambda: self._answered(read, None)))

    async def ahandle(self, call: object, status: Callable[[ToolStatus], None] | None = None) -> dict[str, Any]:
        """Answer a provider's tool call.

        Args:
            call: The call as ``read_call`` takes it.
            status: Called with the progress of a script.

        Returns:
            The message for the model, in the provider's form. A name that does not exist, arguments that are wrong and a call
            that fails are told to the model.

        Raises:
            BashkitError: It is not a tool call.
        """
        read = read_call(call)
        return read.reply(await self._answered(read, status))

    async def call(self, name: str, arguments: object, status: Callable[[ToolStatus], None] | None = None) -> Answer:
        """Answer a call by the name that the definitions say."""
        offered = self._named.get(name)
        if offered is None:
            return Answer(f"there is no tool {name!r}: there are {', '.join(self._named)}", failed=True)
        return await offered.call(arguments, status)

    async def _answered(self, call: Call, status: Callable[[ToolStatus], None] | None) -> Answer:
        return await self.call(call.name, call.arguments, status)


def _commands_of(tool: Tool) -> list[str]:
    """The commands that a tool can offer by themselves."""
    if not isinstance(tool, ScriptedTool):
        return []
    return [definition.name for definition in tool.definitions if not definition.raw]


def _offered(tool: ScriptedTool, names: list[str], commands: list[str]) -> list[Offered]:
    found: list[Offered] = []
    for name, command in zip(names, commands, strict=True):
        adapter = tool.adapter(command)
        if adapter is not None:
            found.append(OfferedCommand(name, tool, adapter))
    return found


def _effects(tool: Tool) -> Effects | None:
    """The worst that a script can do: that of the worst command."""
    if isinstance(tool, DiscoveryTool):
        return "read"
    if not isinstance(tool, ScriptedTool):
        return None
    found = {definition.effects for definition in tool.definitions}
    for effects in _BY_DANGER:
        if effects in found:
            return effects
    return "read"

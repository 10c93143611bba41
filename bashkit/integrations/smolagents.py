"""smolagents: a toolset as its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError, ToolError
from bashkit.integrations.offering import MissingPackageError, identifiers, offer, one, text
from bashkit.tools.define.schema import expand, types
from bashkit.tools.offer.schemas import object_schema

try:
    from smolagents import Tool
except ImportError:
    raise MissingPackageError("smolagents", "smolagents") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> ToolsetTool:
    """The one tool that takes a bash script, in which every tool of the toolset is a command.

    A call that fails raises a ToolError, whose message the agent reads.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the agent's instructions have it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    offered = one(toolset, with_prompt=with_prompt)
    return ToolsetTool(identifiers([offered.name])[0], offered)


def tools(toolset: Source) -> list[ToolsetTool]:
    """The tools of a toolset, one each, with names that are identifiers of Python; see ``bash_tool``."""
    found = offer(toolset, "tools").tools
    return [ToolsetTool(name, offered) for name, offered in zip(identifiers([one.name for one in found]), found, strict=True)]


class ToolsetTool(Tool):  # type: ignore[misc]  # the package's types are not followed
    """A tool of an offer."""

    skip_forward_signature_validation = True  # arguments are checked against the JSON Schema
    output_type = "string"
    name = description = ""
    inputs: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - the framework's form

    def __init__(self, name: str, offered: Offered) -> None:
        self.name = name
        self.description = offered.description
        self.inputs = _inputs(object_schema(offered.input_schema))
        self._offered = offered
        super().__init__()

    def __call__(self, /, *values: Any, sanitize_inputs_outputs: bool = False, **arguments: Any) -> Any:
        """Answer a call; see ``forward``. The package's own way cannot have an argument that is called ``self``."""
        if "self" in arguments:
            return self.forward(*values, **arguments)
        return super().__call__(*values, sanitize_inputs_outputs=sanitize_inputs_outputs, **arguments)

    def forward(self, /, *values: Any, **arguments: Any) -> str:
        """Answer a call.

        Args:
            values: Arguments in the order of ``inputs``, as an agent that writes Python passes them.
            arguments: Arguments by name.

        Raises:
            ToolError: It failed.
        """
        if len(values) > len(self.inputs):
            raise ToolError(
                f"{self.name} was given {len(values)} arguments, and has {len(self.inputs)}: {', '.join(self.inputs)}"
            )
        given = dict(zip(self.inputs, values, strict=False))
        if twice := given.keys() & arguments:
            raise ToolError(f"{self.name} was given {min(twice)} by its place and by its name")
        return text(self._offered.call_sync({**given, **arguments}))

    def to_dict(self) -> dict[str, Any]:
        """Refuse what would save the tool as source code.

        Raises:
            BashkitError: Always: its callbacks belong to this process.
        """
        raise BashkitError(f"the tool {self.name} cannot be saved, or sent to a remote executor: make it where the agent runs")


def _inputs(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = {}
    for name, part in schema["properties"].items():
        flat = expand(part, schema)
        kinds = list(types(flat)) or ["any"]
        field = {"type": kinds[0] if len(kinds) == 1 else kinds, "description": flat.get("description", name)}
        found[name] = field if name in schema.get("required", ()) else {**field, "nullable": True}
    return found

"""DSPy: a toolset as its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, one
from bashkit.tools.offer.schemas import object_schema, or_null

try:
    import dspy
    from dspy.utils.callback import with_callbacks
except ImportError:
    raise MissingPackageError("dspy", "dspy") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> dspy.Tool:
    """The one tool that takes a bash script, in which every tool of the toolset is a command.

    A call that fails is told as its result: of an exception, ``dspy.ReAct`` would show the model the traceback. ``acall`` never
    blocks the event loop.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the program's signature has it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return _tool(one(toolset, with_prompt=with_prompt))


def tools(toolset: Source) -> list[dspy.Tool]:
    """The tools of a toolset, one each; see ``bash_tool``."""
    return [_tool(offered) for offered in offer(toolset, "tools").tools]


class ToolsetTool(dspy.Tool):  # type: ignore[misc]  # the package's types are not followed
    """A tool of an offer, which checks its arguments itself, and whose asynchronous form is asynchronous."""

    _offered: Any = None

    def __call__(self, /, **arguments: Any) -> str:
        """Answer a call."""
        return self._call(arguments)  # type: ignore[no-any-return]

    async def acall(self, /, **arguments: Any) -> str:
        """Answer a call."""
        return await self._acall(arguments)  # type: ignore[no-any-return]

    # What the package wraps takes the arguments as one object, so that they may have any names: "self", "instance"

    @with_callbacks  # type: ignore[untyped-decorator]
    def _call(self, arguments: dict[str, Any]) -> str:
        return self._offered.call_sync(arguments).text  # type: ignore[no-any-return]

    @with_callbacks  # type: ignore[untyped-decorator]
    async def _acall(self, arguments: dict[str, Any]) -> str:
        return (await self._offered.call(arguments)).text  # type: ignore[no-any-return]


def _tool(offered: Offered) -> dspy.Tool:
    def run(**arguments: Any) -> str:
        return offered.call_sync(arguments).text

    schema = object_schema(offered.input_schema)
    required = schema.get("required", ())
    shared = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    parameters = {
        name: {**part, **shared} if name in required else {**or_null(part), **shared, "default": part.get("default")}
        for name, part in schema["properties"].items()
    }
    found = ToolsetTool(
        func=run, name=offered.name, desc=offered.description, args=parameters, arg_types=dict.fromkeys(parameters, Any)
    )
    found._offered = offered  # noqa: SLF001 - its own private field
    return found

"""Simon Willison's ``llm``: a toolset as its tools, and a plugin for its command line.

``llm -T 'Bashkit("shop.yaml")' "…"`` gives a model the bash tool of a toolset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, one, text
from bashkit.tools.offer.schemas import object_schema

try:
    import llm
except ImportError:
    raise MissingPackageError("llm", "llm") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Exposure, Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> llm.Tool:
    """The one tool that takes a bash script, in which every tool of the toolset is a command.

    A call that fails raises a ToolError, whose message the model reads.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the system prompt has it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return _tool(one(toolset, with_prompt=with_prompt))


def tools(toolset: Source) -> list[llm.Tool]:
    """The tools of a toolset, one each; see ``bash_tool``."""
    return [_tool(offered) for offered in offer(toolset, "tools").tools]


class Bashkit(llm.Toolbox):  # type: ignore[misc]  # the package's types are not followed
    """The tools of a toolset file, for ``llm -T 'Bashkit("shop.yaml")'``.

    Args:
        path: The file.
        expose: ``bash``, ``tools``, ``both``, ``discovery`` or ``all``, as for ``bashkit.Offer``.
    """

    def __init__(self, path: str, expose: Exposure = "bash") -> None:
        self._path = path
        self._expose: Exposure = expose

    def tools(self) -> Iterable[llm.Tool]:
        """The tools."""
        return [_tool(offered) for offered in offer(self._path, self._expose).tools]


@llm.hookimpl  # type: ignore[untyped-decorator]
def register_tools(register: Callable[..., None]) -> None:
    """Tell ``llm`` of the toolbox."""
    register(Bashkit)


def _tool(offered: Offered) -> llm.Tool:
    def run(**arguments: Any) -> str:
        return text(offered.call_sync(arguments))

    return llm.Tool(
        name=offered.name,
        description=offered.description,
        input_schema=object_schema(offered.input_schema),
        implementation=run,
        plugin="bashkit",
    )

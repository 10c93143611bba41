"""Catalog: the tools of several toolsets side by side, each under a name of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.tools.offer import Offer
from bashkit.tools.offer.definitions import definitions
from bashkit.tools.offer.names import legal_names
from bashkit.tools.offer.offered import OfferedScripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bashkit.tools.execute.scripted import ScriptedTool
    from bashkit.tools.offer import Exposure, Offered
    from bashkit.toolset.toolset import Toolset

FILES = {
    "type": "array",
    "items": {"type": "string"},
    "description": "The files of the session that the commands have made, changed or removed; at most 1000",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool as clients see it.

    Attributes:
        name: Its name; no other tool of the catalog has it.
        toolset: The toolset it comes from.
        key: The name of that toolset in URIs and of its prompt; no other toolset of the catalog has it.
        place: Its place among the tools that ``offered`` gives for that toolset.
        offered: Its description and its schemas. It is not called: calls go through a Line.
        lasts: Its shell lasts from one call to the next.
    """

    name: str
    toolset: Toolset
    key: str
    place: int
    offered: Offered
    lasts: bool

    @property
    def scripts(self) -> bool:
        """Whether it is the bash tool, whose scripts may have a session."""
        return isinstance(self.offered, OfferedScripts) and self.place == 0

    @property
    def taking(self) -> str:
        """What it takes, if it takes scripts."""
        return self.offered.taking if isinstance(self.offered, OfferedScripts) else ""

    def listed(self) -> dict[str, Any]:
        """The entry of ``tools/list``."""
        found = {**definitions([self.offered], "mcp")[0], "name": self.name}
        if self.lasts:
            schema = found["outputSchema"]
            found["outputSchema"] = {**schema, "properties": {**schema["properties"], "files": FILES}}
        return found


class Catalog:
    """The tools of several toolsets.

    Args:
        toolsets: The toolsets.
        expose: ``bash``: the tool that takes scripts; ``tools``: each command by itself; ``both``.
        discovery: Add the tool that searches the commands. It is there by itself beside a bash tool whose prompt names no
            commands.
        lasts: Whether the shell of a toolset lasts from one call to the next.

    Attributes:
        toolsets: The toolsets, by a name that only one of them has.
        entries: The tools by name, in the order of their listing.
        prompts: The system prompts, by the name of their toolset.
        renamed: What had to be renamed and why, one line each.

    Raises:
        ToolsetError: A source cannot be read, or two tools of one toolset have the same name.
    """

    def __init__(
        self, toolsets: Sequence[Toolset], expose: Exposure, *, discovery: bool, lasts: Callable[[Toolset], bool]
    ) -> None:
        keys = legal_names(toolset.name for toolset in toolsets)
        self.toolsets = dict(zip(keys, toolsets, strict=True))
        self.prompts: dict[str, str] = {}
        found: list[tuple[str, Toolset, int, Offered]] = []
        for key, toolset in self.toolsets.items():
            tool = toolset.make_tool(persistent=lasts(toolset))
            self.prompts[key] = tool.system_prompt()
            found += [
                (key, toolset, place, offered)
                for place, offered in enumerate(offer(tool))
                if _is_wanted(place, tool, expose, discovery=discovery)
            ]
        names = legal_names(offered.name for _, _, _, offered in found)
        self.entries = {
            name: Entry(name, toolset, key, place, offered, place == 0 and lasts(toolset))
            for name, (key, toolset, place, offered) in zip(names, found, strict=True)
        }
        self.renamed = tuple(_renamings(self.entries.values()))


def offer(tool: ScriptedTool) -> tuple[Offered, ...]:
    """All that a tool offers: itself, the tool that searches its commands, the commands."""
    return Offer(tool, "all", with_prompt=True).tools


def _is_wanted(place: int, tool: ScriptedTool, expose: Exposure, *, discovery: bool) -> bool:
    if place == 0:
        return expose != "tools"
    if place == 1:
        return discovery or (expose != "tools" and len(tool.tools()) > 1)
    return expose != "bash"


def _renamings(entries: Iterable[Entry]) -> list[str]:
    return [
        f"{entry.offered.command} of {entry.toolset.path} is called {entry.name}: another tool has that name, or the name is "
        "not one that clients accept"
        for entry in entries
        if entry.name != entry.offered.command
    ]

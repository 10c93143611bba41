"""What the model sees of a toolset, as the Prompt tab lists it: every text with its title, its snapshot and its budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.errors import PromptSnapshotError
from bashkit.prompts import Collection
from bashkit.prompts.documents import HELP, SCHEMA, SYSTEM_PROMPT, tool_file
from bashkit.prompts.exports import FORMS
from bashkit.tools.describe.prompt import MODES

if TYPE_CHECKING:
    from bashkit.prompts import Snapshot, SnapshotStore
    from bashkit.toolset import Toolset

CONFIGURED = "as configured"
_MAKERS = {"openai": "OpenAI", "anthropic": "Anthropic", "mcp": "MCP"}


@dataclass(frozen=True, slots=True)
class PromptDocument:
    """One text that a model may read.

    Attributes:
        name: The file name of its snapshot; that of a mode that is not kept has none and is only a name.
        group, title: Where it stands in the list, and what it is called there.
        text: Exactly what the model sees.
        snapshot: What was kept beside what would be kept now; None where nothing is ever kept.
        budget: Characters that it may have, or None.
    """

    name: str
    group: str
    title: str
    text: str
    snapshot: Snapshot | None = None
    budget: int | None = None

    @property
    def language(self) -> str:
        """What it is highlighted as."""
        return (
            "json"
            if self.name.endswith(".json")
            else "text"
            if self.name == HELP or self.name.startswith("tool.")
            else "markdown"
        )


@dataclass(frozen=True, slots=True)
class Prompts:
    """The texts of one toolset.

    Attributes:
        documents: All of them, in the order of the list.
        store: Where they are kept; None for a directory of executables, of which nothing is kept.
        started: Something is kept already, so what is new is worth a mark.
        trouble: Why no snapshot can be used, or "".
    """

    documents: tuple[PromptDocument, ...] = ()
    store: SnapshotStore | None = None
    started: bool = False
    trouble: str = ""

    def find(self, name: str) -> PromptDocument | None:
        """The document called ``name``."""
        return next((item for item in self.documents if item.name == name), None)

    def state_of(self, tool: str) -> str | None:
        """How the help of a tool compares with what was kept; None where nothing is kept of the toolset."""
        found = self.find(tool_file(tool)) if self.started else None
        return None if found is None or found.snapshot is None else found.snapshot.state


def prompts_of(toolset: Toolset, *, whole: bool) -> Prompts:
    """Write every text of a toolset and compare it with what was kept.

    Args:
        toolset: The toolset.
        whole: It has no mistakes; of half a toolset nothing is compared.

    Raises:
        ToolsetError: A source is missing.
    """
    tool = toolset.tool
    collection, trouble = None, ""
    if whole and toolset.path.is_file():
        try:
            collection = Collection.of(toolset)
        except PromptSnapshotError as error:
            trouble = str(error)
    kept: dict[str, Snapshot] = {}
    if collection is not None:
        try:
            kept = {name: collection.store.look(name, text) for name, text in collection.texts().items()}
        except PromptSnapshotError as error:
            trouble, kept = str(error), {}
    listed = [(SYSTEM_PROMPT, "System prompt", f"{CONFIGURED} ({tool.prompt_mode})", tool.system_prompt())]
    listed += [(f"system-prompt.{mode}.md", "System prompt", mode, tool.system_prompt(mode)) for mode in MODES]
    listed.append((HELP, "Help", "man page", tool.help()))
    texts = {name: snapshot.current or "" for name, snapshot in kept.items()} or _texts(toolset)
    listed += [(f"{form}.json", "Exports", _MAKERS.get(form, form), texts[f"{form}.json"]) for form in FORMS]
    listed.append((SCHEMA, "Exports", "request and response", texts[SCHEMA]))
    listed += [(file := tool_file(item.name), "Help of a tool", item.name, texts[file]) for item in tool.definitions]
    return Prompts(
        tuple(
            PromptDocument(name, group, title, text, kept.get(name), toolset.max_chars if name == SYSTEM_PROMPT else None)
            for name, group, title, text in listed
        ),
        None if collection is None else collection.store,
        any(snapshot.kept is not None for snapshot in kept.values()),
        trouble,
    )


def _texts(toolset: Toolset) -> dict[str, str]:
    from bashkit.prompts import documents

    return documents(toolset.tool)

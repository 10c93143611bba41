"""The texts that the model sees of a toolset, each with its title, its snapshot and its budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.errors import PromptSnapshotError
from bashkit.prompts import Collection
from bashkit.prompts.documents import HELP, SCHEMA, SYSTEM_PROMPT, tool_file
from bashkit.prompts.exports import FORMS
from bashkit.prompts.shares import change_of, shares_of
from bashkit.tools.describe.prompt import MODES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.prompts import PromptSnapshot, SnapshotStore
    from bashkit.prompts.shares import Change, Shares
    from bashkit.tools.describe.prompt import Mode
    from bashkit.toolset import Toolset

CONFIGURED = "as configured"
_MAKERS = {"openai": "OpenAI", "anthropic": "Anthropic", "mcp": "MCP"}


@dataclass(frozen=True, slots=True)
class PromptDocument:
    """One text that a model may read.

    Attributes:
        name: The file name of its snapshot; for a prompt mode without a snapshot, a name of the same form.
        group, title: Its heading and its label in the list.
        text: Exactly what the model sees.
        snapshot: The stored text and the current one; None for a text without snapshots.
        budget: The most characters it may have, or None.
        shares: What each tool takes of a system prompt; None for any other text.
        change: How these differ from what they were when the file was opened, or None.
    """

    name: str
    group: str
    title: str
    text: str
    snapshot: PromptSnapshot | None = None
    budget: int | None = None
    shares: Shares | None = None
    change: Change | None = None

    @property
    def language(self) -> str:
        """The language for its syntax highlighting."""
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
        store: The store of their snapshots; None for a directory of executables.
        started: Whether a snapshot exists already, so that a new text gets a mark.
        trouble: Why no snapshot can be used, or "".
        first: What each tool took of every system prompt when the toolset was first without mistakes.
    """

    documents: tuple[PromptDocument, ...] = ()
    store: SnapshotStore | None = None
    started: bool = False
    trouble: str = ""
    first: Mapping[str, Shares] = field(default_factory=dict)

    def find(self, name: str) -> PromptDocument | None:
        """The document called ``name``."""
        return next((item for item in self.documents if item.name == name), None)

    def state_of(self, tool: str) -> str | None:
        """The state of the snapshot of a tool's help; None where the toolset has no snapshots."""
        found = self.find(tool_file(tool)) if self.started else None
        return None if found is None or found.snapshot is None else found.snapshot.state


def prompts_of(toolset: Toolset, *, whole: bool, first: Mapping[str, Shares] | None = None) -> Prompts:
    """Generate every text of a toolset and compare it with its snapshot.

    Args:
        toolset: The toolset.
        whole: Whether it has no mistakes; only then its texts are compared.
        first: What each tool took of every system prompt when the toolset was first without mistakes, if it ever was.

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
    kept: dict[str, PromptSnapshot] = {}
    if collection is not None:
        try:
            kept = {name: collection.store.look(name, text) for name, text in collection.texts().items()}
        except PromptSnapshotError as error:
            trouble, kept = str(error), {}
    listed = [(SYSTEM_PROMPT, "System prompt", f"{CONFIGURED} ({tool.prompt_mode})", tool.system_prompt())]
    listed += [(_in_mode(mode), "System prompt", mode, tool.system_prompt(mode)) for mode in MODES]
    shares = {SYSTEM_PROMPT: shares_of(tool)} | {_in_mode(mode): shares_of(tool, mode) for mode in MODES}
    first = first or (shares if whole else {})
    listed.append((HELP, "Help", "man page", tool.help()))
    texts = {name: snapshot.current or "" for name, snapshot in kept.items()} or _texts(toolset)
    listed += [(f"{form}.json", "Exports", _MAKERS.get(form, form), texts[f"{form}.json"]) for form in FORMS]
    listed.append((SCHEMA, "Exports", "request and response", texts[SCHEMA]))
    listed += [(file := tool_file(item.name), "Help of a tool", item.name, texts[file]) for item in tool.definitions]
    return Prompts(
        tuple(
            PromptDocument(
                name,
                group,
                title,
                text,
                kept.get(name),
                toolset.max_chars if name == SYSTEM_PROMPT else None,
                shares.get(name),
                change_of(first[name], shares[name]) if name in first else None,
            )
            for name, group, title, text in listed
        ),
        None if collection is None else collection.store,
        any(snapshot.kept is not None for snapshot in kept.values()),
        trouble,
        first,
    )


def _in_mode(mode: Mode) -> str:
    return f"system-prompt.{mode}.md"


def _texts(toolset: Toolset) -> dict[str, str]:
    from bashkit.prompts import documents

    return documents(toolset.tool)

"""The tree of toolsets, categories and tools, and the field that filters it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Tree

from bashkit_tui.guarding import reported
from bashkit_tui.messages import ToolSelected

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.widgets.tree import TreeNode

    from bashkit.tools import ToolDef
    from bashkit_tui.opened import OpenedToolset


@dataclass(frozen=True, slots=True)
class Entry:
    """What a node of the tree stands for: a tool, or with ``tool`` None its toolset."""

    path: Path
    tool: str | None = None


class FilterInput(Input):
    """The field above the tree."""

    BINDING_GROUP_TITLE = "Filter"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "clear", "Clear", id="filter.clear", tooltip="Empty the filter and go back to the tree", show=False),
        Binding("down", "app.focus('tree')", "To the tree", id="filter.down", tooltip="Go on in the tree", show=False),
    ]

    def action_clear(self) -> None:
        """Show every tool again."""
        self.value = ""
        self.screen.set_focus(self.screen.query_one(ToolTree))


class ToolTree(Tree[Entry]):
    """Toolsets, and below them tools by category."""

    BINDING_GROUP_TITLE = "Tools"

    def __init__(self) -> None:
        super().__init__("toolsets", id="tree")
        self.show_root = False
        self.guide_depth = 2
        self._opened: Sequence[OpenedToolset] = ()
        self._words: tuple[str, ...] = ()
        self.auto_expand = False

    def show(self, opened: Sequence[OpenedToolset], selected: Entry | None) -> None:
        """Show these toolsets, with the cursor on ``selected`` where it still exists."""
        self._opened = opened
        self._fill(selected)

    def narrow(self, text: str) -> None:
        """Show only the tools in whose name, description, category or tags every word of ``text`` is."""
        self._words = tuple(text.casefold().split())
        self._fill(self.cursor_node.data if self.cursor_node is not None else None)

    def _fill(self, selected: Entry | None) -> None:
        self.move_cursor(None)  # Tree would take the old node for the one that comes to stand on its line
        self.clear()
        for item in self._opened:
            self._add(item)
        assert self.last_line >= -1  # asking for it gives every node its line
        node = self._find(selected) or self._first()
        if node is not None and node.data is not None:
            self.move_cursor(node)
            self.call_after_refresh(self._to_cursor)

    @reported
    def _to_cursor(self) -> None:
        """Show the cursor's line; moving it does so too, but before the tree knows how high it is."""
        if self.cursor_line >= 0:
            self.scroll_home(animate=False, immediate=True)
            self.scroll_to_line(self.cursor_line, animate=False)

    def _add(self, item: OpenedToolset) -> None:
        found = [one.definition for one in item.tools if self._fits(one.definition)]
        broken = [name for name in item.broken if not self._words or all(word in name.casefold() for word in self._words)]
        if self._words and not found and not broken:
            return
        root = self.root.add(_toolset_label(item, len(found), self._error), Entry(item.path), expand=True)
        categories = list(dict.fromkeys(definition.category for definition in found))
        for category in sorted(categories, key=lambda name: name == ""):  # what has none comes last
            parent = root
            if category or len(categories) > 1:
                parent = root.add(Text(category or "other", style="italic"), Entry(item.path), expand=True)
            for definition in found:
                if definition.category == category:
                    parent.add_leaf(definition.name, Entry(item.path, definition.name))
        for name in broken:
            root.add_leaf(Text(f"! {name}", style=self._error), Entry(item.path, name))

    @property
    def _error(self) -> str:
        """The colour of what is wrong."""
        return self.app.current_theme.error or "red"

    def _fits(self, definition: ToolDef) -> bool:
        text = " ".join([definition.name, definition.description, definition.category, *definition.tags]).casefold()
        return all(word in text for word in self._words)

    def _entries(self) -> Iterable[TreeNode[Entry]]:
        pending = list(reversed(self.root.children))
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def _find(self, entry: Entry | None) -> TreeNode[Entry] | None:
        if entry is None:
            return None
        return next((node for node in self._entries() if node.data == entry), None)

    def _first(self) -> TreeNode[Entry] | None:
        """The first tool; without any the first toolset."""
        nodes = list(self._entries())
        return next((node for node in nodes if node.data is not None and node.data.tool is not None), nodes[0] if nodes else None)

    @on(Tree.NodeHighlighted)
    @reported
    def _highlighted(self, event: Tree.NodeHighlighted[Entry]) -> None:
        event.stop()
        if event.node.data is not None and event.node is self.cursor_node:
            self.post_message(ToolSelected(event.node.data.path, event.node.data.tool))

    @on(Tree.NodeSelected)
    @reported
    def _selected(self, event: Tree.NodeSelected[Entry]) -> None:
        event.stop()
        if event.node.data is None:
            return
        if event.node.data.tool is None and event.node.parent is not self.root:
            event.node.toggle()
        self.post_message(ToolSelected(event.node.data.path, event.node.data.tool, opened=True))


class Sidebar(Vertical):
    """The filter above the tree."""

    def compose(self) -> ComposeResult:
        """The parts."""
        yield FilterInput(placeholder="/ filter", id="filter", compact=True, select_on_focus=False)
        yield ToolTree()

    @on(Input.Changed, "#filter")
    @reported
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one(ToolTree).narrow(event.value)

    @on(Input.Submitted, "#filter")
    @reported
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.screen.set_focus(self.query_one(ToolTree))


def _toolset_label(item: OpenedToolset, shown: int, error: str) -> Text:
    label = Text(item.name, style="bold")
    label.append(f" {shown}", style="dim not bold")
    if item.problems:
        label.append(" !", style=f"bold {error}")
    return label

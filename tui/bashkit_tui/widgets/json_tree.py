"""A JSON value as a coloured tree, whose nodes are made when they are opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Tree

from bashkit.tools import json_text
from bashkit_tui.protocols import ShownText
from bashkit_tui.texts.formatting import count, grouped, printable
from bashkit_tui.texts.json_entries import LONGEST, Entries, JsonEntry, Place, opens, places_of
from bashkit_tui.texts.matching import marked, matcher
from bashkit_tui.widgets.search_bar import Searchable

if TYPE_CHECKING:
    from rich.style import Style
    from textual.widgets.tree import TreeNode

_MOST = 500  # the most entries of one array, object or text that are made at once; the others are folded
_OPEN = 60  # the most nodes that are open at first
_MATCHES = 1_000  # the most places of a search


class JsonTree(Tree[JsonEntry], Searchable):
    """Arrays and objects open and close; a long text opens into its lines."""

    BINDING_GROUP_TITLE = "JSON"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", id="json.copy", tooltip="Copy the value under the cursor as JSON"),
        Binding("plus", "open_all", "Open all", id="json.open", show=False, tooltip="Open everything below the cursor"),
        Binding("minus", "close_all", "Close all", id="json.close", show=False, tooltip="Close everything below the cursor"),
    ]
    DEFAULT_CSS = """
    JsonTree { background: $surface; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        self.shown: Any = None
        self._words = ""
        self._matches: list[Place] = []
        super().__init__("", JsonEntry(None), id=id, classes=classes)
        self.show_root = False
        self.guide_depth = 2

    def show(self, value: Any) -> None:
        """Show a value, its outermost levels open."""
        self.shown = value
        self._words, self._matches = "", []
        self.clear()
        self.root.data = JsonEntry(None, value)
        if not opens(value):
            self.root.add_leaf("", JsonEntry(None, value))
            return
        self._fill(self.root)
        self.root.expand()
        level, opened = list(self.root.children), len(self.root.children)
        while level and opened < _OPEN:
            below: list[TreeNode[JsonEntry]] = []
            for node in level:
                if node.allow_expand and node.data is not None and isinstance(node.data.value, (dict, list)) and opened < _OPEN:
                    self._fill(node)
                    node.expand()
                    opened += len(node.children)
                    below += node.children
            level = below
        self.cursor_line = 0

    # -- nodes ---------------------------------------------------------------------------------------------------------

    @staticmethod
    def _add(parent: TreeNode[JsonEntry], entry: JsonEntry, before: TreeNode[JsonEntry] | None = None) -> TreeNode[JsonEntry]:
        return parent.add("", entry, before=before, allow_expand=opens(entry.value))

    def _fill(self, node: TreeNode[JsonEntry]) -> None:
        """Make the first nodes inside a node, if it has none yet."""
        if node.data is None or node.children:
            return
        entries = Entries(node.data.value)
        first = range(min(_MOST, len(entries)))
        for entry in entries.at(first):
            self._add(node, entry)
        self._fold(node, range(first.stop, len(entries)))

    def _fold(self, parent: TreeNode[JsonEntry], places: range, before: TreeNode[JsonEntry] | None = None) -> None:
        if places:
            self._add(parent, JsonEntry(None, folded=places), before)

    def _unfold(self, node: TreeNode[JsonEntry], start: int) -> TreeNode[JsonEntry]:
        """Put entries from ``start`` on in place of a node that stands for them, and fold those before and behind.

        Returns:
            The first of the new nodes.
        """
        parent, entry = node.parent, node.data
        assert parent is not None
        assert parent.data is not None
        assert entry is not None
        assert entry.folded is not None
        opened = range(start, min(start + _MOST, entry.folded.stop))
        self._fold(parent, range(entry.folded.start, opened.start), node)
        made = [self._add(parent, inner, node) for inner in Entries(parent.data.value).at(opened)]
        self._fold(parent, range(opened.stop, entry.folded.stop), node)
        node.remove()
        return made[0]

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[JsonEntry]) -> None:
        """Make the nodes inside."""
        event.stop()
        self._fill(event.node)

    def on_tree_node_collapsed(self, event: Tree.NodeCollapsed[JsonEntry]) -> None:
        """Stop the event: no other widget needs it."""
        event.stop()

    def on_tree_node_selected(self, event: Tree.NodeSelected[JsonEntry]) -> None:
        """Show entries that are folded."""
        event.stop()
        folded = None if event.node.data is None else event.node.data.folded
        if folded is not None:
            self._go_to(self._unfold(event.node, folded.start))

    def render_label(self, node: TreeNode[JsonEntry], base_style: Style, style: Style) -> Text:
        """Key and value in the colours of the theme, with marks where the words of a search are."""
        theme = self.app.current_theme
        entry = node.data or JsonEntry(None)
        mark = ("▾ " if node.is_expanded else "▸ ") if node.allow_expand else ""
        label = Text(mark, style=base_style)
        if entry.key is not None:
            label.append(
                printable(str(entry.key)).replace("\n", "␊"), style="dim" if isinstance(entry.key, int) else theme.primary
            )
            label.append(": ", style="dim")
        if entry.folded is not None:
            label.append(f"… {grouped(len(entry.folded))} more", style="dim")
        elif entry.line is not None:
            label.append(printable(entry.line), style="dim")
        else:
            label.append(
                _value_text(entry.value, opened=node.is_expanded),
                style=_color(entry.value, theme.success, theme.warning, theme.secondary),
            )
        marked(label, self._words)
        label.stylize(style)
        return label

    # -- searching -----------------------------------------------------------------------------------------------------

    def find(self, words: str) -> int:
        """Mark the words wherever they stand.

        Returns:
            The number of places, up to a limit.
        """
        if words != self._words:
            self._words = words
            self._matches = places_of(self.shown, matcher(words), _MATCHES) if words else []
            self._invalidate()
        return len(self._matches)

    def show_match(self, number: int) -> None:
        """Open what leads to one of the places, and put the cursor there."""
        node = self.root
        for position in self._matches[number]:
            self._fill(node)
            node.expand()
            node = self._child(node, position)
        self._go_to(node)

    def _go_to(self, node: TreeNode[JsonEntry]) -> None:
        """Put the cursor on a node that may be new."""
        assert self.last_line >= 0  # which gives every node its line
        self.move_cursor(node)

    def _child(self, parent: TreeNode[JsonEntry], position: int) -> TreeNode[JsonEntry]:
        """The node of an entry, unfolded if need be."""
        place = 0
        for child in parent.children:
            folded = None if child.data is None else child.data.folded
            if folded is None:
                if place == position:
                    return child
                place += 1
            elif position in folded:
                return self._unfold(child, position)
            else:
                place = folded.stop
        return parent

    # -- copying -------------------------------------------------------------------------------------------------------

    def shown_text(self) -> ShownText:
        """The whole value, for the clipboard and the pager."""
        return ShownText("value.json", json_text.encode(self.shown, indent=2))

    def action_copy(self) -> None:
        """Copy the value under the cursor."""
        node = self.cursor_node
        if node is None or node.data is None:
            return
        value = node.data.value if node.data.line is None else node.data.line
        self.app.copy_to_clipboard(value if isinstance(value, str) else json_text.encode(value, indent=2))
        self.app.notify("The value is on the clipboard.", timeout=2)

    def action_open_all(self) -> None:
        """Open the nodes below the cursor, up to a limit."""
        pending = [self.cursor_node or self.root]
        opened = 0
        while pending and opened < _MOST:
            node = pending.pop(0)
            if node.allow_expand:
                self._fill(node)
                node.expand()
                opened += len(node.children)
                pending += node.children

    def action_close_all(self) -> None:
        """Close the nodes below the cursor."""
        (self.cursor_node or self.root).collapse_all()


def _value_text(value: Any, *, opened: bool) -> str:
    if isinstance(value, dict):
        return "" if opened else f"{{{count(len(value), 'field')}}}" if value else "{}"
    if isinstance(value, list):
        return "" if opened else f"[{count(len(value), 'item')}]" if value else "[]"
    if isinstance(value, str) and opened:
        return count(len(value), "character")
    try:
        text = json_text.encode(value)
    except (TypeError, ValueError):  # a value that is not JSON
        text = str(value)
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _color(value: Any, text: str | None, number: str | None, word: str | None) -> str:
    if isinstance(value, str):
        return text or ""
    if isinstance(value, bool) or value is None:
        return word or ""
    return (number or "") if isinstance(value, (int, float)) else "dim"

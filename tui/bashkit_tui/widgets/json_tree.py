"""A JSON value as a coloured tree, whose nodes are made when they are opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Tree

from bashkit.tools import json_text
from bashkit_tui.protocols import ShownText
from bashkit_tui.texts.formatting import count, grouped, printable

if TYPE_CHECKING:
    from rich.style import Style
    from textual.widgets.tree import TreeNode

_SHOWN = 160  # the most characters of a text on one line
_MOST = 500  # the most entries of one array or object, and lines of one text
_OPEN = 60  # the most nodes that are open at first


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """The data of a node: its key in an object or array, and its value.

    Attributes:
        key: A name, an index, or None.
        value: The JSON value.
        note: A text in place of the value: a line of a long text, or the number of entries left out.
    """

    key: str | int | None
    value: Any = None
    note: str | None = None


class JsonTree(Tree[JsonEntry]):
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
        super().__init__("", JsonEntry(None), id=id, classes=classes)
        self.show_root = False
        self.guide_depth = 2
        self.shown: Any = None

    def show(self, value: Any) -> None:
        """Show a value, its outermost levels open."""
        self.shown = value
        self.clear()
        entries = _entries(value)
        if not entries:
            self.root.add_leaf("", JsonEntry(None, value))
            return
        for entry in entries:
            self._add(self.root, entry)
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

    def _add(self, parent: TreeNode[JsonEntry], entry: JsonEntry) -> None:
        parent.add("", entry, allow_expand=entry.note is None and bool(_entries(entry.value)))

    def _fill(self, node: TreeNode[JsonEntry]) -> None:
        if node.data is not None and not node.children:
            for entry in _entries(node.data.value):
                self._add(node, entry)

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[JsonEntry]) -> None:
        """Make the nodes inside."""
        event.stop()
        self._fill(event.node)

    def on_tree_node_collapsed(self, event: Tree.NodeCollapsed[JsonEntry]) -> None:
        """Stop the event: no other widget needs it."""
        event.stop()

    def render_label(self, node: TreeNode[JsonEntry], base_style: Style, style: Style) -> Text:
        """Key and value in the colours of the theme."""
        theme = self.app.current_theme
        entry = node.data or JsonEntry(None)
        mark = ("▾ " if node.is_expanded else "▸ ") if node.allow_expand else ""
        label = Text(mark, style=base_style)
        if entry.key is not None:
            label.append(
                printable(str(entry.key)).replace("\n", "␊"), style="dim" if isinstance(entry.key, int) else theme.primary
            )
            label.append(": ", style="dim")
        if entry.note is not None:
            label.append(entry.note, style="" if entry.key is not None else "dim")
        else:
            label.append(
                _value_text(entry.value, opened=node.is_expanded),
                style=_color(entry.value, theme.success, theme.warning, theme.secondary),
            )
        label.stylize(style)
        return label

    def shown_text(self) -> ShownText:
        """The whole value, for the clipboard and the pager."""
        return ShownText("value.json", json_text.encode(self.shown, indent=2))

    def action_copy(self) -> None:
        """Copy the value under the cursor."""
        node = self.cursor_node
        if node is None or node.data is None:
            return
        value = node.data.value if node.data.note is None else node.data.note
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


def _entries(value: Any) -> list[JsonEntry]:
    """The entries inside a value; [] for a value on one line."""
    if isinstance(value, dict):
        found = [JsonEntry(str(key), inner) for key, inner in list(value.items())[:_MOST]]
    elif isinstance(value, list):
        found = [JsonEntry(index, inner) for index, inner in enumerate(value[:_MOST])]
    elif isinstance(value, str) and (len(value) > _SHOWN or "\n" in value.rstrip("\n")):
        pieces = [
            line[start : start + _SHOWN]
            for line in value[: _MOST * _SHOWN].split("\n")
            for start in range(0, max(1, len(line)), _SHOWN)
        ]
        return [JsonEntry(None, piece, printable(piece)) for piece in pieces[:_MOST]]
    else:
        return []
    if len(value) > _MOST:
        found.append(JsonEntry(None, None, f"… {grouped(len(value) - _MOST)} more"))
    return found


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
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _color(value: Any, text: str | None, number: str | None, word: str | None) -> str:
    if isinstance(value, str):
        return text or ""
    if isinstance(value, bool) or value is None:
        return word or ""
    return (number or "") if isinstance(value, (int, float)) else "dim"

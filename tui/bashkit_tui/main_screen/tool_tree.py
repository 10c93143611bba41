"""The tree of toolsets, categories and tools: badges, a fuzzy filter, and a cursor that survives every reload."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text
from textual import on
from textual.widgets import Tree

from bashkit_tui.error_reports import reported
from bashkit_tui.messages import ToolSelected
from bashkit_tui.texts.formatting import grouped, printable
from bashkit_tui.texts.fuzzy import match
from bashkit_tui.texts.marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from textual.widgets.tree import TreeNode

    from bashkit.tools import ToolDef
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset
    from bashkit_tui.toolsets.preview import ToolPreview

_EFFECTS = {"read": ("r", "success"), "write": ("w", "warning"), "destructive": ("d", "error")}
_STATES = {"new": ("+", "success"), "changed": ("~", "warning")}
_ELSEWHERE = 0.5  # the score of a match in the description; one in the name scores more


@dataclass(frozen=True, slots=True)
class Entry:
    """The data of a node: its toolset's path, and the name of the tool or category that it stands for."""

    path: Path
    tool: str | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Badges:
    """The marks beside the label of a node.

    Attributes:
        effects: ``read``, ``write``, ``destructive`` or None.
        state: The state of its snapshot, or None.
        failed: Whether a test that calls it failed.
        broken: Whether it has mistakes.
        count: The number of tools of a toolset or category.
        letters: The letters of the label that the filter matches.
    """

    effects: str | None = None
    state: str | None = None
    failed: bool = False
    broken: bool = False
    count: int | None = None
    letters: tuple[int, ...] = ()


_PLAIN = Badges()


class ToolTree(Tree[Entry]):
    """Toolsets, and below them tools by category."""

    BINDING_GROUP_TITLE = "Tools"
    DEFAULT_CSS = """
    ToolTree { background: transparent; padding: 0 0 0 1; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    ToolTree, ToolTree:focus {
        & > .tree--guides, & > .tree--guides-hover, & > .tree--guides-selected { color: $surface-lighten-3; text-style: none; }
        &:light { & > .tree--guides, & > .tree--guides-hover, & > .tree--guides-selected { color: $surface-darken-1; } }
    }
    """

    def __init__(self) -> None:
        self._labels: dict[tuple[object, ...], Text] = {}  # as they were painted last; Tree asks for the first one at once
        super().__init__("toolsets", id="tree")
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False
        self.tooltip = "\n".join(f"{mark} {meaning}" for mark, meaning in MARKS.items())
        self._opened: Sequence[OpenedToolset] = ()
        self._query = ""
        self._badges: dict[Entry, Badges] = {}
        self._folded: set[Entry] = set()
        self._best: tuple[float, Entry] | None = None

    def show(self, opened: Sequence[OpenedToolset], selected: Entry | None) -> None:
        """Show these toolsets, with the cursor on ``selected`` where it still exists."""
        self._opened = opened
        self._fill(selected)

    def narrow(self, query: str) -> None:
        """Show only the tools that fit: every word of ``query`` in the name, or in the description, category or tags."""
        self._query = query.strip()
        self._fill(self.entry)
        if self._query and self._best is not None:
            self._go(self._find(self._best[1]))

    @property
    def entry(self) -> Entry | None:
        """The data of the node under the cursor."""
        return self.cursor_node.data if self.cursor_node is not None else None

    # -- filling -------------------------------------------------------------------------------------------------------

    def _fill(self, selected: Entry | None) -> None:
        place = self.scroll_offset.y
        same = self.cursor_node is not None and self.cursor_node.data == selected
        with self.app.batch_update():
            self.move_cursor(None)  # or Tree keeps its line, on which another node will stand
            self.clear()
            self._badges.clear()
            self._labels.clear()
            self._best = None
            for item in self._opened:
                self._add(item)
            assert self.last_line >= -1  # reading it numbers the lines of the nodes
            self._go(self._find(selected) or self._first(), at=place if same else None)

    def _go(self, node: TreeNode[Entry] | None, at: int | None = None) -> None:
        if node is None:
            return
        self.move_cursor(node)
        self.call_after_refresh(self._to_cursor, at)

    @reported
    def _to_cursor(self, at: int | None) -> None:
        """Scroll to the cursor's line, now that the tree knows its own height."""
        if self.cursor_line >= 0:
            self.scroll_to(y=0 if at is None else at, animate=False, immediate=True)
            self.scroll_to_line(self.cursor_line, animate=False)

    def _add(self, item: OpenedToolset) -> None:
        found = [one for one in item.listed if self._fits(item.path, one)]
        broken = [name for name in item.broken if self._fits_broken(item.path, name)]
        if self._query and not found and not broken:
            return
        entry = Entry(item.path)
        state = _state(item)
        failed = item.tests is not None and bool(item.tests.failed)
        self._badges[entry] = Badges(state=state, failed=failed, broken=bool(item.errors), count=len(found))
        root = self.root.add(Text(_line(item.name)), entry, expand=self._open(entry))
        categories = list(dict.fromkeys(definition.category for definition in found))
        for category in sorted(categories, key=lambda name: name == ""):  # tools without a category come last
            members = [definition for definition in found if definition.category == category]
            parent = root
            if category or len(categories) > 1:
                entry = Entry(item.path, None, category)
                self._badges[entry] = Badges(count=len(members))
                parent = root.add(Text(_line(category) or "other"), entry, expand=self._open(entry))
            for definition in members:
                parent.add_leaf(Text(_line(definition.name)), self._note(item, definition))
        for name in broken:
            root.add_leaf(Text(_line(name)), Entry(item.path, name))

    def _note(self, item: OpenedToolset, definition: ToolDef | ToolPreview) -> Entry:
        """Set the badges of a tool."""
        entry = Entry(item.path, definition.name)
        state = None if item.prompts is None else item.prompts.state_of(definition.name)
        failed = item.tests is not None and definition.name in item.tests.tools
        known = self._badges.get(entry, _PLAIN)
        self._badges[entry] = replace(known, effects=definition.effects, state=state, failed=failed)
        return entry

    def _open(self, entry: Entry) -> bool:
        """Whether a node is unfolded; a filter unfolds everything."""
        return bool(self._query) or entry not in self._folded

    def _fits(self, path: Path, definition: ToolDef | ToolPreview) -> bool:
        """Whether every word matches the name fuzzily, or stands in the other texts literally."""
        if not self._query:
            return True
        text = " ".join([definition.description, definition.category, *definition.tags]).casefold()
        score, letters = 0.0, set[int]()
        for word in self._query.split():
            found = match(word, definition.name)
            if found is None and word.casefold() not in text:
                return False
            score += _ELSEWHERE if found is None else found.score
            letters.update(() if found is None else found.letters)
        entry = Entry(path, definition.name)
        self._badges[entry] = Badges(letters=tuple(sorted(letters)))
        if self._best is None or score > self._best[0]:
            self._best = (score, entry)
        return True

    def _fits_broken(self, path: Path, name: str) -> bool:
        entry = Entry(path, name)
        found = match(self._query, name) if self._query else None
        if self._query and found is None:
            return False
        self._badges[entry] = Badges(broken=True, letters=found.letters if found is not None else ())
        return True

    def _refresh_node(self, node: TreeNode[Entry]) -> None:
        """Paint a node's line; Textual paints all lines below it too, for their guides, which have one colour here."""
        if node.line >= 0:
            self._refresh_line(node.line)

    def watch_hover_line(self, previous_hover_line: int, hover_line: int) -> None:
        """Under the mouse a node is lit with all that is below it."""
        super().watch_hover_line(previous_hover_line, hover_line)
        self.refresh()

    # -- looking -------------------------------------------------------------------------------------------------------

    def render_label(self, node: TreeNode[Entry], base_style: Style, style: Style) -> Text:
        """The label with its badges: the effects before the name, the state of the snapshot behind it."""
        # the background of the cursor has other contrasts
        plain = style.bgcolor is not None and self.has_focus and node is self.cursor_node
        key = (node.id, node.is_expanded, plain, base_style, style, self.app.theme)
        label = self._labels.get(key)
        if label is None:
            label = self._labels[key] = self._label(node, base_style, style, plain=plain)
        return label

    def _label(self, node: TreeNode[Entry], base_style: Style, style: Style, *, plain: bool) -> Text:
        badges = self._badges.get(node.data, _PLAIN) if node.data is not None else _PLAIN
        leaf = node.data is not None and node.data.tool is not None
        label = node.label.copy() if isinstance(node.label, Text) else Text(node.label)
        for letter in badges.letters:
            label.stylize(Style(bold=True, underline=True, color=None if plain else self._colour("accent")), letter, letter + 1)
        parts: list[Text] = []
        if leaf:
            mark, name = ("!", "error") if badges.broken else _EFFECTS.get(badges.effects or "", (" ", "success"))
            parts.append(Text(f"{mark} ", style=Style(color=None if plain else self._colour(name), bold=True)))
        else:
            parts.append(
                Text(self.ICON_NODE_EXPANDED if node.is_expanded else self.ICON_NODE, style=base_style + Style(dim=True))
            )
            label.stylize(Style(bold=True) if node.parent is self.root else Style(italic=True))
        parts.append(label)
        if badges.count is not None:
            parts.append(Text(f" {grouped(badges.count)}", style=Style(dim=True)))
        if badges.broken and not leaf:
            parts.append(Text(" !", style=Style(color=None if plain else self._colour("error"), bold=True)))
        if badges.failed:
            parts.append(Text(" ✗", style=Style(color=None if plain else self._colour("error"), bold=True)))
        if badges.state in _STATES:
            mark, name = _STATES[badges.state]
            parts.append(Text(f" {mark}", style=Style(color=None if plain else self._colour(name), bold=True)))
        text = Text.assemble(*parts)
        text.stylize_before(style)
        return text

    def _colour(self, name: str) -> str:
        return getattr(self.app.current_theme, name, None) or self.app.current_theme.primary

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
        """The first visible tool, or the first toolset where no tool is visible."""
        nodes = list(self._shown())
        return next((node for node in nodes if node.data is not None and node.data.tool is not None), nodes[0] if nodes else None)

    def _shown(self) -> Iterator[TreeNode[Entry]]:
        return (node for node in self._entries() if all(above.is_expanded for above in _above(node)))

    # -- events --------------------------------------------------------------------------------------------------------

    @on(Tree.NodeExpanded)
    @reported
    def _unfolded(self, event: Tree.NodeExpanded[Entry]) -> None:
        if event.node.data is not None:
            self._folded.discard(event.node.data)

    @on(Tree.NodeCollapsed)
    @reported
    def _was_folded(self, event: Tree.NodeCollapsed[Entry]) -> None:
        if event.node.data is not None and not self._query:
            self._folded.add(event.node.data)

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
        if event.node.data.category is not None:
            event.node.toggle()
        self.post_message(ToolSelected(event.node.data.path, event.node.data.tool, opened=True))


def _above(node: TreeNode[Entry]) -> Iterator[TreeNode[Entry]]:
    """The category and the toolset that a node is in."""
    above = node.parent
    while above is not None and above.parent is not None:
        yield above
        above = above.parent


def _line(text: str) -> str:
    """A name on one line, with symbols for control characters."""
    return printable(text).replace("\n", "␊").replace("\t", " ")


def _state(item: OpenedToolset) -> str | None:
    """``changed`` if one of the toolset's texts differs from its snapshot, else ``same``; None without snapshots."""
    if item.prompts is None or not item.prompts.started:
        return None
    states = {one.snapshot.state for one in item.prompts.documents if one.snapshot is not None}
    return "changed" if states - {"same"} else "same"

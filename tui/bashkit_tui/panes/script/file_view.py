"""The files of a run: a tree that marks added, changed and removed files, beside a preview or a diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Tree

from bashkit.runs.file_changes import FileChanges, FileState, compare_files
from bashkit_tui.error_reports import reported
from bashkit_tui.runs.file_preview import preview
from bashkit_tui.texts.formatting import printable, size_text
from bashkit_tui.widgets.output_log import OutputLog

if TYPE_CHECKING:
    from rich.style import Style
    from textual.app import ComposeResult
    from textual.widgets.tree import TreeNode

    from bashkit_tui.runs.script_run import ScriptRun

_MARKS = {"added": "+", "changed": "~", "removed": "-", "same": " "}


class FileTree(Tree[FileState]):
    """The virtual file system; by default only the changed files."""

    BINDING_GROUP_TITLE = "Files"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "all", "All files", id="files.all", tooltip="Every file, or only those that the run has changed"),
    ]

    def __init__(self) -> None:
        super().__init__("/", id="file-tree")
        self.show_root = False
        self.guide_depth = 2
        self.everything = False
        self._found = FileChanges((), cut=False)

    def show(self, found: FileChanges) -> None:
        """Show these files."""
        self._found = found
        self._fill()

    def _fill(self) -> None:
        self.clear()
        folders: dict[str, TreeNode[FileState]] = {"": self.root}
        states = {item.path: item for item in self._found.files}
        for item in self._found.files:
            if item.state == "same" and not self.everything:
                continue
            self._add(item, folders, states)
        if not self.root.children:
            self.root.add_leaf("The run changed no file; a shows them all." if self._found.files else "Nothing was run yet.")
        if self._found.cut:
            self.root.add_leaf("… there are more files than can be shown")
        self.cursor_line = 0

    def _add(self, item: FileState, folders: dict[str, TreeNode[FileState]], states: dict[str, FileState]) -> TreeNode[FileState]:
        above = item.path.rpartition("/")[0]
        parent = folders.get(above)
        if parent is None:
            parent = self._add(states[above], folders, states)
        node = folders.get(item.path)
        if node is None:
            opened = item.state != "same" or not self.everything
            node = parent.add(item.path, item, expand=opened, allow_expand=item.type == "directory")
            folders[item.path] = node
        return node

    def render_label(self, node: TreeNode[FileState], base_style: Style, style: Style) -> Text:
        """Mark, name and size."""
        theme, item = self.app.current_theme, node.data
        if item is None:
            return Text(str(node.label), style=style)
        color = {"added": theme.success, "changed": theme.warning, "removed": theme.error}.get(item.state) or ""
        fold = ("▾ " if node.is_expanded else "▸ ") if item.type == "directory" else ""
        label = Text(f"{_MARKS[item.state]} {fold}", style=base_style)
        label.append(printable(item.path.rpartition("/")[2]).replace("\n", "␊") + ("/" if item.type == "directory" else ""))
        label.stylize(color)
        if item.type == "file":
            label.append(f"  {size_text(item.size)}", style="dim")
        label.stylize(style)
        return label

    def action_all(self) -> None:
        """Switch between all files and the changed ones."""
        self.everything = not self.everything
        self._fill()


class FileView(Horizontal):
    """Tree and preview."""

    DEFAULT_CSS = """
    FileView { height: 1fr; background: $surface; }
    FileView > FileTree { width: 2fr; max-width: 40; background: $surface; scrollbar-size: 1 1; }
    FileView > OutputLog { width: 3fr; height: 1fr; padding: 0 1; border-left: solid $foreground 15%; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._run: ScriptRun | None = None
        self._shown: FileChanges | None = None

    def compose(self) -> ComposeResult:
        """The tree beside the preview."""
        yield FileTree()
        yield OutputLog(id="file-preview")

    def on_mount(self) -> None:
        """Show the comparison that was given before mounting."""
        if self._shown is not None:
            self.query_one(FileTree).show(self._shown)

    def show_run(self, run: ScriptRun | None) -> int | None:
        """Show the changes of a run, and return their number; None without a run."""
        self._run = run
        self._shown = FileChanges((), cut=False) if run is None or run.after is None else compare_files(run.before, run.after)
        if self.is_mounted:
            self.query_one(FileTree).show(self._shown)
        return None if run is None else self._shown.changes

    @on(Tree.NodeHighlighted)
    @reported
    def _highlighted(self, event: Tree.NodeHighlighted[FileState]) -> None:
        event.stop()
        log = self.query_one(OutputLog)
        log.begin()
        run, item = self._run, event.node.data
        if item is not None and run is not None and run.after is not None:
            log.feed(preview(item, run.before, run.after))
            log.scroll_home(animate=False)

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[FileState]) -> None:
        """Stop the event: Enter only folds."""
        event.stop()

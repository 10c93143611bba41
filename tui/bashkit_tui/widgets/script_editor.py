"""The script editor: bash with colours where tree-sitter is installed, and the history of the session."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import TextArea
from textual.widgets.text_area import LanguageDoesNotExist

from bashkit_tui.history import ScriptHistory
from bashkit_tui.themes import EDITOR_DARK, EDITOR_LIGHT


class ScriptEditor(TextArea):
    """Where a script is written. Up on the first line and Down on the last go through what was run before."""

    BINDING_GROUP_TITLE = "Script editor"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+up", "earlier", "Earlier script", id="editor.earlier", show=False,
            tooltip="The script that was run before; or Up on the first line",
        ),
        Binding(
            "ctrl+down", "later", "Later script", id="editor.later", show=False,
            tooltip="The script that was run after; or Down on the last line",
        ),
        Binding("escape", "leave", "Leave", id="editor.leave", tooltip="Go from the editor to the tree of tools", show=False),
    ]  # fmt: skip

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(
            id=id, show_line_numbers=True, tab_behavior="focus", soft_wrap=True, placeholder="A bash script; Ctrl+R runs it"
        )
        self.ran = ScriptHistory()
        self.indent_width = 2
        self.register_theme(EDITOR_DARK)
        self.register_theme(EDITOR_LIGHT)

    def on_mount(self) -> None:
        """Choose the language and the colours."""
        try:
            self.language = "bash"
        except LanguageDoesNotExist:  # tree-sitter-bash is not installed: the editor works without colours
            self.language = None
        self.watch(self.app, "theme", self._follow)

    def _follow(self) -> None:
        self.theme = EDITOR_DARK.name if self.app.current_theme.dark else EDITOR_LIGHT.name

    def put(self, script: str) -> None:
        """Replace the text, in a way that undo takes back, and go to its end."""
        self.replace(script, (0, 0), self.document.end, maintain_selection_offset=False)
        self.move_cursor(self.document.end)

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor at a position, one-based; as close to it as the text has become."""
        row = min(max(line, 1), self.document.line_count) - 1
        self.move_cursor((row, min(max(column, 1) - 1, len(self.document.get_line(row)))), center=True)

    def action_cursor_up(self, select: bool = False) -> None:
        """As in every editor, but from the first line to the script before."""
        if select or self.cursor_location[0] > 0:
            super().action_cursor_up(select)
        else:
            self.action_earlier()

    def action_cursor_down(self, select: bool = False) -> None:
        """As in every editor, but from the last line to the script after."""
        if select or self.cursor_location[0] < self.document.line_count - 1:
            super().action_cursor_down(select)
        else:
            self.action_later()

    def action_earlier(self) -> None:
        """Take the script that was run before this one."""
        found = self.ran.previous(self.text)
        if found is not None:
            self.put(found)
            self.move_cursor((0, 0))

    def action_later(self) -> None:
        """Take the script that was run after this one."""
        found = self.ran.next()
        if found is not None:
            self.put(found)

    def action_leave(self) -> None:
        """Give the focus to the tree, where single keys are commands."""
        self.screen.set_focus(self.screen.query_one("#tree"))

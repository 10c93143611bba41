"""The first line: the name of the selected toolset, its number of tools, its path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from bashkit_tui.texts.formatting import count, printable, shown_path

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult

    from bashkit_tui.toolsets.opened_toolset import OpenedToolset


class TitleBar(Horizontal):
    """Name and path of the toolset that the cursor is in."""

    DEFAULT_CSS = """
    TitleBar {
        height: 1;
        background: $panel;
        & > #title-name { width: auto; }
        & > #title-path { width: 1fr; padding: 0 0 0 2; text-align: right; text-overflow: ellipsis; text-wrap: nowrap; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._known: tuple[str, int, Path] | None = None

    def compose(self) -> ComposeResult:
        """The name on the left, the path on the right."""
        yield Static(Content.styled(" bashkit ", "bold $text-primary"), id="title-name", markup=False)
        yield Static("", id="title-path", markup=False)

    def show(self, opened: OpenedToolset) -> None:
        """Show a toolset; an unchanged title costs no new layout."""
        state = (opened.name, len(opened.listed), opened.path)
        if state == self._known:
            return
        self._known = state
        name = Content.assemble(
            (" bashkit ", "bold $text-primary"), ("│ ", "$foreground-muted"), (printable(opened.name), "bold")
        )
        self.query_one("#title-name", Static).update(
            name + Content.styled(f"  {count(len(opened.listed), 'tool')}", "$foreground-muted")
        )
        self.query_one("#title-path", Static).update(
            Content.styled(printable(shown_path(opened.path)) + " ", "$foreground-muted")
        )

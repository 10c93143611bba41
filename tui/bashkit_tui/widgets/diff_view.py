"""A diff between a snapshot and the current text, unified or side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.widgets import Static

from bashkit_tui.error_reports import reported

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.prompts.differences import DiffLine


class DiffView(VerticalScroll):
    """Scrolls a diff, wrapped to its width."""

    ALLOW_MAXIMIZE = True
    BINDING_GROUP_TITLE = "Difference"
    DEFAULT_CSS = """
    DiffView { height: 1fr; padding: 0 2; background: $surface; scrollbar-size-vertical: 1; }
    DiffView:focus { background-tint: $foreground 3%; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: list[DiffLine] = []
        self._split = False
        self.diff = ""

    def compose(self) -> ComposeResult:
        """One text, so that the mouse can select in it."""
        yield Static(classes="diff-body", markup=False)

    def show(self, diff: str, *, split: bool) -> None:
        """Show a unified diff.

        Args:
            diff: A diff from ``PromptSnapshot.diff``.
            split: Whether to show it side by side.
        """
        from bashkit.prompts.differences import diff_lines

        if diff != self.diff:
            self.diff, self._lines = diff, diff_lines(diff)
            self.scroll_home(animate=False)
        self._split = split
        self._draw()

    @reported
    def on_resize(self) -> None:
        """Wrap to the new width."""
        if self._split:
            self._draw()

    def _draw(self) -> None:
        from bashkit_tui.texts.diffs import side_by_side, unified

        width = self.scrollable_content_region.width
        self.query_one(".diff-body", Static).update(side_by_side(self._lines, width) if self._split else unified(self._lines))

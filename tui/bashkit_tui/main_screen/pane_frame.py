"""The place of a pane among the tabs, which is empty until the pane has its widget."""

from __future__ import annotations

from textual.widgets import TabPane


class PaneFrame(TabPane):
    """Holds the widget of a pane."""

    def render(self) -> str:
        """Nothing, where Textual would draw the name of the class."""
        return ""

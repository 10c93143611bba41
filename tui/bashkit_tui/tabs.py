"""The tabs of the main screen, in their order; what is in them is imported after the first paint."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab.

    Attributes:
        id: Its name; the widget in it has the id ``<name>-view``.
        title: What stands on it.
        module, widget: Where the widget is; it is made with its ``id`` alone.
        focus: What gets the focus when the tab is shown by a key.
        tooltip: What it shows, for the list of keys.
    """

    id: str
    title: str
    module: str
    widget: str
    focus: str
    tooltip: str

    def load(self) -> None:
        """Import what the widget needs; this may be done in another thread."""
        import_module(f"bashkit_tui.widgets.{self.module}")

    def make(self) -> Widget:
        """The widget of the tab."""
        found: Widget = getattr(import_module(f"bashkit_tui.widgets.{self.module}"), self.widget)(id=f"{self.id}-view")
        return found


TABS = (
    Tab("tool", "Tool", "tool_view", "ToolView", "#tree", "Everything about the selected tool"),
    Tab("script", "Script", "script_view", "ScriptView", "#editor", "Write scripts, run them, see what they did"),
    Tab(
        "prompt",
        "Prompt",
        "prompt_view",
        "PromptView",
        "#prompt-documents",
        "Exactly what the model sees, and what changed in it",
    ),
    Tab("problems", "Problems", "problem_view", "ProblemView", "#problem-list", "What is wrong with the toolset"),
)
BY_ID = {tab.id: tab for tab in TABS}

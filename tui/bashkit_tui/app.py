"""The inspector's application: its themes, its commands, and the entry point ``run``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App
from textual.binding import Binding, BindingType

from bashkit.toolset.resources import examples
from bashkit_tui.guarding import describe, report
from bashkit_tui.providers import ActionProvider, ToolProvider
from bashkit_tui.screens.inspector import InspectorScreen
from bashkit_tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from textual.actions import ActionParseResult
    from textual.dom import DOMNode
    from textual.screen import Screen


def run(paths: list[Path] | None = None) -> None:
    """Open the inspector in the terminal and return when the user leaves.

    Args:
        paths: Toolset files or directories of executables; the bundled toolsets when left out.
    """
    InspectorApp(paths).run()


class InspectorApp(App[None]):
    """The inspector.

    Args:
        paths: Toolset files or directories of executables; the bundled toolsets when left out.
        poll_seconds: How often the files are looked at for changes.
    """

    TITLE = "bashkit"
    CSS_PATH = "inspector.tcss"
    BINDING_GROUP_TITLE = "Everywhere"
    COMMANDS: ClassVar[set[Any]] = {ActionProvider, ToolProvider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "Palette", id="app.palette", tooltip="Find a command or a tool by its name"),
        Binding(
            "ctrl+t", "toggle_theme", "Theme", id="app.theme", tooltip="Change between the dark and the light theme", show=False
        ),
        Binding("ctrl+q", "quit", "Quit", id="app.quit", priority=True, tooltip="Leave the inspector"),
    ]

    def __init__(self, paths: Sequence[Path] | None = None, *, poll_seconds: float = 1.0) -> None:
        super().__init__()
        self._paths = tuple(paths) if paths else tuple(sorted(examples().glob("*.yaml")))
        self._poll_seconds = poll_seconds
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name

    def get_default_screen(self) -> Screen[Any]:
        """The main screen."""
        return InspectorScreen(self._paths, self._poll_seconds)

    def action_toggle_theme(self) -> None:
        """Change between dark and light."""
        self.theme = LIGHT.name if self.current_theme.dark else DARK.name

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action; what it raises is shown, and the inspector goes on."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except Exception as error:
            report(self, error)
            return True

    def _fatal_error(self) -> None:
        """End with one line instead of Textual's traceback, when even its own machinery fails."""
        error = self._exception
        if not self._exit_renderables:  # what fails after the first failure is its consequence
            self._exit_renderables.append(Text(f"bashkit: internal error: {describe(error) if error is not None else 'unknown'}"))
        self._close_messages_no_wait()

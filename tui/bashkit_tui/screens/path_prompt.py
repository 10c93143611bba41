"""A prompt for a path, which shows errors until the path works."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, Static

from bashkit_tui.texts.formatting import printable
from bashkit_tui.widgets.plain_inputs import PlainInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.app import ComposeResult


class PathPrompt(ModalScreen["Path | None"]):
    """Asks for a path until ``attempt`` succeeds; the result is None if the user gives up.

    Args:
        title: The title of the prompt.
        path: The suggested path.
        attempt: Uses the path, and returns an error message or "".
    """

    BINDING_GROUP_TITLE = "Path"
    CSS_PATH = "path_prompt.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close", id="path.close", tooltip="Leave it at that"),
    ]

    def __init__(self, title: str, path: str, attempt: Callable[[Path], str]) -> None:
        super().__init__()
        self._title = title
        self._path = path
        self._attempt = attempt

    def compose(self) -> ComposeResult:
        """A line for the path, and one for the error."""
        with Vertical(id="path-box") as box:
            box.border_title = self._title
            box.border_subtitle = "Enter does it, Right completes, Escape closes"
            yield PlainInput(self._path, id="path-input", compact=True, suggester=_Paths(), select_on_focus=False)
            yield Static(id="path-problem", markup=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        from pathlib import Path

        event.stop()
        if not event.value.strip():
            self._say("a path is wanted")
            return
        path = Path(event.value.strip()).expanduser()
        problem = self._attempt(path)
        if problem:
            self._say(problem)
        else:
            self.dismiss(path)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say("")

    def _say(self, problem: str) -> None:
        self.query_one("#path-problem", Static).update(printable(problem))


class _Paths(Suggester):
    """Suggests the first file or directory that begins with the input."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """Textual's protocol."""
        return await asyncio.to_thread(_completed, value)


def _completed(value: str) -> str | None:
    """The path, completed with the first file name that begins like its last part."""
    from pathlib import Path

    folder, slash, start = value.rpartition("/")
    if not value:
        return None
    try:
        names = sorted(path.name + ("/" if path.is_dir() else "") for path in Path(folder + slash or ".").expanduser().iterdir())
    except (OSError, ValueError, RuntimeError):
        return None
    found = next((name for name in names if name.startswith(start) and (start or not name.startswith("."))), None)
    return None if found is None or not found.isprintable() else f"{folder}{slash}{found}"

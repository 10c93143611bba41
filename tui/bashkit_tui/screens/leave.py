"""The question before the inspector ends while a script was neither saved nor run."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult


class LeaveScreen(ModalScreen[bool]):
    """Asks whether to leave; its result says so.

    Args:
        toolsets: The names of the toolsets whose scripts were neither saved nor run.
    """

    CSS_PATH = "leave.tcss"
    BINDING_GROUP_TITLE = "Leave"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "y,enter", "dismiss(True)", "Leave", id="leave.yes", tooltip="Leave; the script is in the editor at the next start"
        ),
        Binding("n,escape", "dismiss(False)", "Stay", id="leave.no", tooltip="Go on"),
    ]

    def __init__(self, toolsets: Sequence[str]) -> None:
        super().__init__()
        self._toolsets = toolsets

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        names = ", ".join(map(printable, self._toolsets))
        with Vertical(id="leave-box") as box:
            box.border_title = "Leave?"
            yield Static(f"A script for {names} was neither saved nor run.", markup=False)
            yield Static(Content.styled("It comes back in the editor at the next start.", "$foreground-muted"))
            yield Static(Content.assemble(("y", "bold $text-primary"), " leave   ", ("n", "bold $text-primary"), " stay"))

"""The Learn screen: may this be written into the toolset file?"""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button

from bashkit.errors import BashkitError
from bashkit_tui.texts.formatting import printable, shown_path
from bashkit_tui.widgets.diff_view import DiffView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.toolset.learning.from_call import Learned


class LearnScreen(ModalScreen[None]):
    """Shows the lines that a toolset file gains, and writes them if the user agrees.

    Args:
        learned: The change.
    """

    BINDING_GROUP_TITLE = "Learn"
    CSS_PATH = "learning.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "write", "Write", id="learn.yes", tooltip="Write the file; every other line stays as it is"),
        Binding("n,escape", "dismiss", "No", id="learn.no", tooltip="Leave the file as it is"),
    ]

    def __init__(self, learned: Learned) -> None:
        super().__init__()
        self._learned = learned
        self._path = Path(learned.document.file)

    def compose(self) -> ComposeResult:
        """The difference, and the answers."""
        with Vertical(id="learn-box") as box:
            box.border_title = printable(f"Write this into {shown_path(self._path)}?")
            yield DiffView(id="learn-diff")
            with Horizontal(id="learn-answers"):
                yield Button("Write (y)", id="learn-yes", compact=True, variant="success")
                yield Button("No (n)", id="learn-no", compact=True, variant="error")

    def on_mount(self) -> None:
        """Show the difference; focus the answer No."""
        before, after = (text.splitlines(keepends=True) for text in (self._learned.document.text, self._learned.text))
        diff = "".join(
            line if line.endswith("\n") else f"{line}\n" for line in unified_diff(before, after, self._path.name, self._path.name)
        )
        self.query_one(DiffView).show(diff, split=False)
        self.query_one("#learn-no").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "learn-yes":
            self.action_write()
        else:
            self.dismiss()

    def action_write(self) -> None:
        """Write the file, and close."""
        try:
            self._learned.save()
        except BashkitError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.app.notify(f"Written to {shown_path(self._path)}.", timeout=3, markup=False)
        self.dismiss()

"""Jump mode: a letter over every widget that can have the focus; pressing it moves the focus there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, chop_cells
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Label

from bashkit_tui.error_reports import reported

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.screen import Screen
    from textual.widget import Widget

_FREE = re.compile("[ ─━╸╺]{5}")  # blanks, or a border
LETTERS = "asdfghjklqwertyuiopzxcvbnm"  # the home row first


class JumpScreen(ModalScreen["Widget | None"]):
    """Shows the letters over another screen.

    Args:
        below: The screen whose widgets get letters.
    """

    CSS_PATH = "jump.tcss"
    BINDING_GROUP_TITLE = "Jump"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f7", "dismiss(None)", "Cancel", id="jump.cancel", tooltip="Leave the focus where it is"),
    ]

    def __init__(self, below: Screen[object]) -> None:
        super().__init__()
        parts = [widget for widget in below.focus_chain if widget.region.height and widget.region.overlaps(below.region)]
        self.targets: dict[str, Widget] = dict(zip(LETTERS, parts, strict=False))
        shown = below._compositor.render_strips()  # noqa: SLF001 - Textual tells nowhere else what is on the screen
        self._rows = [strip.text for strip in shown]

    def compose(self) -> ComposeResult:
        """A letter at the corner of each widget."""
        for letter, widget in self.targets.items():
            label = Label(letter, classes="jump-letter", markup=False)
            label.styles.offset = (self._column(widget), widget.region.y)
            yield label
        yield Label("Press a letter to go where it stands, Escape to stay", id="jump-bar", markup=False)

    def _column(self, widget: Widget) -> int:
        """The first columns of a widget that hold no text, behind its title; its corner if there are none."""
        first, last = widget.region.x, widget.region.right
        row = chop_cells(self._rows[widget.region.y], first) if first else []
        text = "".join(row[1:]) if row else self._rows[widget.region.y]
        free = _FREE.search(text)
        column = first + cell_len(text[: free.start() + 1]) if free is not None else first
        return column if column + 3 <= last else first

    @reported
    def on_key(self, event: events.Key) -> None:
        """Close with the widget of the letter."""
        if event.character in self.targets:
            event.stop()
            self.dismiss(self.targets[event.character])

"""The list of completions under the cursor of the editor; the editor keeps the focus and passes keys on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from textual import events

    from bashkit_tui.scripts.completion import Completion, Offer

_WIDTH = 72
_ROWS = 8
_COLORS = {
    "tool": "$text-primary", "function": "$text-primary", "flag": "$text-accent", "value": "$text-success",
    "variable": "$text-warning", "file": "$foreground", "keyword": "$text-secondary", "builtin": "$text-secondary",
    "utility": "$foreground",
}  # fmt: skip


class CompletionList(OptionList, can_focus=False):
    """The list; hidden without completions."""

    DEFAULT_CSS = """
    CompletionList {
        display: none;
        overlay: screen;
        constrain: inside inflect;
        width: auto;
        max-width: 76;
        height: auto;
        max-height: 10;
        padding: 0;
        border: round $primary 60%;
        background: $panel;
        scrollbar-size-vertical: 1;
        & > .option-list--option { padding: 0 1; }
        & > .option-list--option-highlighted { background: $primary 40%; text-style: none; }
    }
    """

    class Taken(Message):
        """A completion was clicked."""

        def __init__(self, item: Completion) -> None:
            super().__init__()
            self.item = item

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.offered: Offer | None = None

    def offer(self, offered: Offer, place: Offset) -> None:
        """Show completions; the highlight stays where it is when they are the same as before.

        Args:
            offered: The completions.
            place: The cursor, on the screen.
        """
        known = self.offered is not None and self.offered.items == offered.items
        chosen = self.highlighted if known else 0
        self.offered = offered
        self.clear_options()
        room = max(cell_len(printable(item.label)) for item in offered.items)
        self.add_options(Option(_row(item, min(room, 32))) for item in offered.items)
        self.highlighted = chosen
        self.absolute_offset = place + Offset(-2 - cell_len(offered.prefix), 1)
        self.display = True

    def close(self) -> None:
        """Hide."""
        self.offered = None
        self.display = False

    @property
    def current(self) -> Completion | None:
        """The highlighted completion."""
        return None if self.offered is None or self.highlighted is None else self.offered.items[self.highlighted]

    def move(self, step: int) -> None:
        """Move the highlight."""
        if self.offered is not None:
            self.highlighted = ((self.highlighted or 0) + step) % len(self.offered.items)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Stop the event: the editor below would move its cursor."""
        event.stop()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Stop the event, as for the button going down."""
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Stop the event, as for the button going down."""
        event.stop()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the completion that was clicked."""
        event.stop()
        if self.offered is not None:
            self.post_message(self.Taken(self.offered.items[event.option_index]))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Stop the event: no other widget needs it."""
        event.stop()


def _row(item: Completion, room: int) -> Content:
    label = printable(item.label)
    label = label if len(label) <= room else label[: room - 1] + "…"
    detail = printable(item.detail).replace("\n", " ")
    width = _WIDTH - room - 4
    detail = detail if len(detail) <= width else detail[: width - 1] + "…"
    return Content.assemble((label.ljust(room), _COLORS[item.kind]), "  ", (detail, "$foreground-muted"))

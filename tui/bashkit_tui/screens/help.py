"""The help screen: every key binding, read off the bindings themselves."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from bashkit_tui.bindings import Command


class HelpScreen(ModalScreen[None]):
    """A list of keys over the inspector.

    Args:
        commands: The bindings of the screen below.
    """

    BINDING_GROUP_TITLE = "Help"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,question_mark", "dismiss", "Close", id="help.close", tooltip="Back to the inspector"),
    ]

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__()
        self._commands = commands

    def compose(self) -> ComposeResult:
        """A box with the keys."""
        with VerticalScroll(id="help-box") as box:
            box.border_title = "Keys"
            box.border_subtitle = "Escape closes"
            yield Static(self._table(), markup=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#help-box").focus()

    def _table(self) -> Table:
        """The keys on the left, what they do on the right; long texts are wrapped in their own column."""
        color = self.app.current_theme.primary
        table = Table(box=None, show_header=False, show_edge=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True, min_width=max((len(item.keys) for item in self._commands), default=0))
        table.add_column()
        for number, (group, members) in enumerate(groupby(self._commands, key=lambda command: command.group)):
            if number:
                table.add_row("", "")
            table.add_row(Text(group, style=f"bold {color}"), "")
            for item in members:
                table.add_row(Text(f"  {item.keys}", style="bold"), Text(item.tooltip or item.description))
        return table

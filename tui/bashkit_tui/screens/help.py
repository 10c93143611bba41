"""The help screen: every key binding, read off the bindings themselves."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from bashkit_tui.bindings import Command

_GAP = 3


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
            yield Static(self._text(), markup=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#help-box").focus()

    def _text(self) -> Content:
        width = max((len(command.keys) for command in self._commands), default=0) + _GAP
        blocks = []
        for group, members in groupby(self._commands, key=lambda command: command.group):
            lines = [Content.styled(group, "bold $text-primary")]
            lines.extend(Content.assemble("  ", (item.keys.ljust(width), "bold"), item.tooltip or item.description) for item in members)
            blocks.append(Content("\n").join(lines))
        return Content("\n\n").join(blocks)

"""The help screen: the keys that work now, taken from the bindings, those of the focused widget first."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from bashkit_tui.texts.marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.app import ComposeResult

    from bashkit_tui.settings.key_bindings import Command

_WIDE = 100  # columns from which the names of bindings fit
_NARROW = 60  # columns below which descriptions stand under their keys
_KEYS, _NAMES = 20, 18  # columns


class HelpScreen(ModalScreen[None]):
    """Lists keys over the screen.

    Args:
        commands: The bindings of the screen below.
    """

    CSS_PATH = "help.tcss"
    BINDING_GROUP_TITLE = "Help"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,question_mark", "dismiss", "Close", id="help.close", tooltip="Back to where you were"),
    ]

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__()
        self._commands = commands

    def compose(self) -> ComposeResult:
        """A box with the keys."""
        width = self.app.size.width
        names = width >= _WIDE
        with VerticalScroll(id="help-box") as box:
            box.border_title = "Keys"
            box.border_subtitle = "Escape closes; on the right the names for inspector.toml" if names else "Escape closes"
            for number, (group, members) in enumerate(groupby(self._commands, key=lambda command: command.group)):
                yield Static(Content.styled(group, "bold $text-primary"), classes="help-group" if number else "", markup=False)
                listed = _list(members) if width < _NARROW else _table(members, names=names)
                yield Static(listed, markup=False)

            yield Static(Content.styled("Marks in the tree", "bold $text-primary"), classes="help-group", markup=False)
            yield Static(Content("\n".join(f"  {mark}  {meaning}" for mark, meaning in MARKS.items())), markup=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#help-box").focus()


def _list(commands: Iterable[Command]) -> Group:
    """Keys, and each description in lines of its own."""
    return Group(
        *(
            part
            for item in commands
            for part in (Text(f"  {item.keys}", style="bold"), Padding(Text(item.tooltip or item.description), (0, 0, 0, 4)))
        )
    )


def _table(commands: Iterable[Command], *, names: bool) -> Table:
    """Keys, descriptions, and with ``names`` the ids of the bindings; long texts are wrapped in their column."""
    table = Table(box=None, show_header=False, show_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True, width=_KEYS)
    table.add_column(ratio=1)
    if names:
        table.add_column(no_wrap=True, style="dim", width=_NAMES)
    for item in commands:
        row = [Text(f"  {item.keys}", style="bold"), Text(item.tooltip or item.description), Text(item.id)]
        table.add_row(*row[: 3 if names else 2])
    return table

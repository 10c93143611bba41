"""The panes of the main screen, each declared once; to add one, write one file.

A module ``panes/<name>.py``, or a package when the widget needs several files, assigns a ``Pane`` to ``PANE``. The tab, its key,
its lines in the help screen and in the command palette, the name in the key map and ``bashkit tui --screenshot --tab`` follow
from that::

    def _load() -> type[Widget]:
        from bashkit_tui.panes.notes.note_view import NoteView

        return NoteView

    PANE = Pane(id="notes", title="Notes", key="5", order=50, summary="What you wrote down", focus="#note-text", load=_load)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.content import Content
    from textual.widget import Widget

    from bashkit_tui.toolsets.opened_toolset import OpenedToolset


@dataclass(frozen=True, slots=True, kw_only=True)
class Pane:
    """The declaration of one pane; making it imports no widget of the pane.

    Attributes:
        id: Its name in the key map and on the command line.
        title: The text on its tab.
        key: The key that shows it, outside of text fields.
        order: The place of its tab; the lowest number stands first.
        summary: What it shows, for the help screen and the command palette.
        focus: The selector of the widget that gets the focus when a key shows the pane.
        load: Imports and returns the class of the pane's widget, in a thread after the first paint. The class takes ``id``. It
            follows the selection if it implements ``ShowsSelection``, and offers its text if it implements ``OffersText``.
        label: The text on the tab for the selected toolset, where that says more than the title.
    """

    id: str
    title: str
    key: str
    order: int
    summary: str
    focus: str
    load: Callable[[], type[Widget]]
    label: Callable[[OpenedToolset], Content] | None = None

    @property
    def view_id(self) -> str:
        """The id of the pane's widget."""
        return f"{self.id}-view"

    @property
    def binding(self) -> Binding:
        """The key binding that shows the pane; help, palette and key map read it."""
        return Binding(
            self.key, f"tab('{self.id}')", self.title, id=f"tab.{self.id}", show=False, tooltip=f"{self.title}: {self.summary}"
        )

    def make(self) -> Widget:
        """Create the pane's widget."""
        return self.load()(id=self.view_id)


@cache
def panes() -> dict[str, Pane]:
    """Every pane that a module of this package declares, by id, in the order of the tabs."""
    found: list[Pane] = [import_module(f"{__name__}.{module.name}").PANE for module in iter_modules(__path__)]
    return {pane.id: pane for pane in sorted(found, key=lambda pane: pane.order)}

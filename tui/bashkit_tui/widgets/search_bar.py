"""The line at the bottom of the screen in which words are typed that are searched in a text or a JSON value."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Label, Static

from bashkit_tui.error_reports import reported
from bashkit_tui.texts.formatting import grouped
from bashkit_tui.widgets.plain_inputs import PlainInput

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer
_PATIENCE = 0.15  # seconds after a key before a search begins


class Searchable(Widget, can_focus=True):
    """A widget whose text can be searched."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+f", "search", "Search", id="search.open", show=False, tooltip="Search words in the text under the focus"),
    ]

    def find(self, words: str) -> int:
        """Mark the words wherever they stand, or with "" nothing, and return the number of places."""
        raise NotImplementedError

    def show_match(self, number: int) -> None:
        """Scroll to one of the places."""
        raise NotImplementedError

    def action_search(self) -> None:
        """Open the line for the words."""
        self.screen.mount(SearchBar(self))


class SearchBar(Horizontal):
    """Searches one widget.

    Args:
        target: The widget.
    """

    BINDING_GROUP_TITLE = "Search"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down,ctrl+f", "step(1)", "Next", id="search.next", priority=True, tooltip="Go to the next place"),
        Binding("up", "step(-1)", "Previous", id="search.previous", priority=True, tooltip="Go to the place before"),
        Binding("escape", "close", "Close", id="search.close", tooltip="Back to the text, without marks"),
    ]
    DEFAULT_CSS = """
    SearchBar {
        dock: bottom; height: 1; margin-bottom: 1; padding: 0 1; background: $panel;
        & > Label { color: $foreground-muted; padding-right: 1; }
        & > Input { width: 1fr; }
        & > Static { width: auto; color: $foreground-muted; margin-left: 2; }
    }
    """

    def __init__(self, target: Searchable) -> None:
        super().__init__(id="search")
        self._target = target
        self._found = 0
        self._at = -1
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The words and the number of places."""
        yield Label("Search")
        yield PlainInput(compact=True, id="search-words")
        yield Static(id="search-count", markup=False)

    def on_mount(self) -> None:
        """Take the keys."""
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        """Search once the fingers rest."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(_PATIENCE, self._search)

    @reported
    def _search(self) -> None:
        """Search from the start."""
        self._timer = None
        self._at = -1
        self._go(1)

    @reported
    def action_step(self, step: int) -> None:
        """Go to another place; after the last comes the first."""
        if self._timer is not None:
            self._timer.stop()
            self._search()
        else:
            self._go(step)

    def _go(self, step: int) -> None:
        words = self.query_one(Input).value
        self._found = self._target.find(words)
        count = self.query_one("#search-count", Static)
        if not self._found:
            count.update("" if not words else "not found")
            return
        self._at = (self._at + step) % self._found
        self._target.show_match(self._at)
        count.update(f"{grouped(self._at + 1)} of {grouped(self._found)}")

    def action_close(self) -> None:
        """Remove the marks and give the focus back."""
        self._target.find("")
        self.screen.set_focus(self._target)
        self.remove()

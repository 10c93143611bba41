"""The sidebar: the filter above the tree. A narrow terminal folds it to a rail while the focus is elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from bashkit_tui.error_reports import reported
from bashkit_tui.main_screen.tool_tree import ToolTree

if TYPE_CHECKING:
    from textual.app import ComposeResult

_NOTHING_FITS = "No tool fits; Escape shows all."


class FilterInput(Input):
    """The text field that filters the tree."""

    BINDING_GROUP_TITLE = "Filter"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "clear", "Clear", id="filter.clear", tooltip="Empty the filter and go back to the tree", show=False),
        Binding("down", "to_tree", "To the tree", id="filter.down", tooltip="Go on in the tree", show=False),
    ]

    def action_clear(self) -> None:
        """Show every tool again."""
        self.value = ""
        self.action_to_tree()

    async def action_submit(self) -> None:
        """Focus the tree at once: the next key goes there."""
        self.action_to_tree()

    def action_to_tree(self) -> None:
        """Keep the filter and focus the tree."""
        self.screen.set_focus(self.screen.query_one(ToolTree))


class Sidebar(Vertical):
    """The filter above the tree."""

    ALLOW_MAXIMIZE = True
    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    Sidebar {
        width: 28;
        background: $surface;
        padding: 1 0 0 0;
        & > #filter { margin: 0 1 1 1; background: $panel; }
        & > #rail { display: none; color: $foreground-muted; width: 2; height: 1fr; text-align: center; }
        & > #rail:hover { background: $primary; color: $background; }
        & > #sidebar-note { display: none; padding: 0 2; color: $foreground-muted; }
        &.-empty > #sidebar-note { display: block; }
    }
    .-wide Sidebar { width: 36; }
    Sidebar.-maximized { width: 100%; }
    .-narrow Sidebar {
        padding: 0;
        & > #filter { margin: 0 1; }
    }
    Sidebar.-rail {
        width: 2;
        padding: 0;
        & > * { display: none; }
        & > #rail { display: block; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._folds = False
        self._reason = "Reading…"

    def compose(self) -> ComposeResult:
        """The rail, the filter, a note, the tree."""
        yield Static("»", id="rail", markup=False)
        yield FilterInput(placeholder="/ filter", id="filter", compact=True, select_on_focus=False)
        yield Static(self._reason, id="sidebar-note", markup=False)
        yield ToolTree()

    def on_mount(self) -> None:
        """Fold and unfold when the focus moves."""
        self.add_class("-empty")
        self.watch(self.screen, "focused", self.place, init=False)

    def place(self) -> None:
        """Fold to a rail in a narrow terminal or on the user's request, unless the focus is inside."""
        focused = self.screen.focused
        inside = focused is not None and self in focused.ancestors
        if focused is not None or self._folds:  # an open menu takes the focus away
            self.set_class(not inside and (self._folds or self.screen.has_class("-narrow")), "-rail")

    def fold(self) -> bool:
        """Switch between folding whenever the focus is elsewhere and staying open; return whether it folds."""
        self._folds = not self._folds
        self.place()
        return self._folds

    @on(events.Click, "#rail")
    @reported
    def _unfold(self, event: events.Click) -> None:
        event.stop()
        self.screen.set_focus(self.query_one(ToolTree))

    def explain(self, reason: str) -> None:
        """Say why the tree is empty, if it is.

        Args:
            reason: Why it is if no filter is set.
        """
        self._reason = reason
        self._explain()

    def _explain(self) -> None:
        self.set_class(not self.query_one(ToolTree).root.children, "-empty")
        filtered = bool(self.query_one(FilterInput).value.strip())
        self.query_one("#sidebar-note", Static).update(_NOTHING_FITS if filtered else self._reason)

    @on(Input.Changed, "#filter")
    @reported
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one(ToolTree).narrow(event.value)
        self._explain()

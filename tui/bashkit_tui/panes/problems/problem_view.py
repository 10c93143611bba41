"""The widget of the Problems pane: every mistake with place, source line, caret and hint; Enter opens the editor there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from bashkit_tui.error_reports import reported
from bashkit_tui.protocols import FilePlace, ShownText
from bashkit_tui.texts.problems import snippet

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.errors import Problem
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset

_PADDING = 2  # columns beside an option
_WIDE = 1 << 20  # columns of a text that is not shown


class ProblemView(Vertical):
    """Lists the problems of the selected toolset."""

    BINDING_GROUP_TITLE = "Problems"
    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    ProblemView {
        & > #problem-note { height: auto; padding: 1 2 0 2; }
        & > #problem-list {
            height: 1fr; padding: 1 1 0 1; background: transparent; border: none; scrollbar-size-vertical: 1;
            & > .option-list--option { padding: 0 1 1 1; }
            & > .option-list--option-highlighted { background: $primary 12%; color: $foreground; text-style: none; }
            &:focus > .option-list--option-highlighted { background: $primary 25%; }
        }
    }
    .-narrow ProblemView {
        & > #problem-note { padding: 0 2; }
        & > #problem-list { padding: 0 1; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._problems: tuple[Problem, ...] = ()

    def compose(self) -> ComposeResult:
        """A note, and a list of mistakes."""
        yield Static(id="problem-note", markup=False)
        yield OptionList(id="problem-list", markup=False)

    def show_selection(self, opened: OpenedToolset, tool: str | None) -> None:  # noqa: ARG002 - the protocol's signature
        """Show the problems of a toolset."""
        self._problems = opened.problems
        self.query_one("#problem-note", Static).update(_note(opened))
        self._list()

    def on_resize(self) -> None:
        """Cut long source lines anew."""
        self._list()

    def _list(self) -> None:
        listed = self.query_one("#problem-list", OptionList)
        place = listed.highlighted or 0
        listed.clear_options()
        room = listed.scrollable_content_region.width - _PADDING
        listed.add_options(Option(snippet(problem, max(room, 0))) for problem in self._problems)
        listed.display = bool(self._problems)
        if self._problems:
            listed.highlighted = min(place, len(self._problems) - 1)

    def shown_text(self) -> ShownText | None:
        """All problems as plain text."""
        return ShownText("problems.txt", "\n\n".join(snippet(problem, _WIDE).plain for problem in self._problems) + "\n")

    def file_place(self) -> FilePlace | None:
        """The place of the problem under the cursor."""
        at = self.query_one("#problem-list", OptionList).highlighted
        if at is None or at >= len(self._problems):
            return None
        problem = self._problems[at]
        return FilePlace(Path(problem.file), problem.line, problem.column)

    @on(OptionList.OptionSelected, "#problem-list")
    @reported
    def _opened(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.app.call_later(self.app.run_action, "app.edit")


def _note(opened: OpenedToolset) -> Content:
    if opened.stale:
        return Content.styled("The file cannot be read any more; the other tabs show it as it was before.", "$text-warning")
    if not opened.problems:
        return Content.styled(
            "No problems. F4 also looks for what the callbacks point at, and for what could be better.", "$foreground-muted"
        )
    return Content.styled("Enter opens the editor at the line.", "$foreground-muted")

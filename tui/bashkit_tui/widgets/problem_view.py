"""The Problems tab: every mistake with its place, source line, caret and hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from bashkit_tui.documents import snippets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from bashkit.errors import Problem


class ProblemView(VerticalScroll):
    """What is wrong with the selected toolset."""

    def compose(self) -> ComposeResult:
        """One text, so that it can be selected and copied as a whole."""
        yield Static(id="problem-list", markup=False)

    def show(self, problems: Sequence[Problem], *, stale: bool) -> None:
        """Show these problems.

        Args:
            problems: What is wrong.
            stale: What the other tabs show is of an earlier reading.
        """
        text = (
            snippets(problems)
            if problems
            else Content.styled("No problems. F4 also looks for what the callbacks point at.", "$foreground-muted")
        )
        if stale:
            note = Content.styled(
                "The file cannot be read any more; the other tabs show it as it was before.\n\n", "$text-warning"
            )
            text = note + text
        self.query_one("#problem-list", Static).update(text)

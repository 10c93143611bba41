"""The Problems pane: the mistakes and warnings of the selected toolset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from bashkit_tui.panes import Pane

if TYPE_CHECKING:
    from textual.widget import Widget

    from bashkit_tui.toolsets.opened_toolset import OpenedToolset


def _load() -> type[Widget]:
    from bashkit_tui.panes.problems.problem_view import ProblemView

    return ProblemView


def _label(opened: OpenedToolset) -> Content:
    """The title with the number of problems."""
    number = len(opened.problems)
    colour = "$text-error" if opened.errors else "$text-warning"
    return Content.assemble("Problems ", (str(number), f"bold {colour}")) if number else Content("Problems")


PANE = Pane(
    id="problems",
    title="Problems",
    key="4",
    order=40,
    summary="What is wrong with the toolset",
    focus="#problem-list",
    load=_load,
    label=_label,
)

"""The Script pane: an editor, and the output, calls and files of the last run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit_tui.panes import Pane

if TYPE_CHECKING:
    from textual.widget import Widget


def _load() -> type[Widget]:
    from bashkit_tui.panes.script.script_view import ScriptView

    return ScriptView


PANE = Pane(
    id="script",
    title="Script",
    key="2",
    order=20,
    summary="Write scripts, run them, see what they did",
    focus="#editor",
    load=_load,
)

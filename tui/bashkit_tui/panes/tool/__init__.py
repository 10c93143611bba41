"""The Tool pane: what the author of a tool declared, its form, its schemas, its help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit_tui.panes import Pane

if TYPE_CHECKING:
    from textual.widget import Widget


def _load() -> type[Widget]:
    from bashkit_tui.panes.tool.tool_view import ToolView

    return ToolView


PANE = Pane(
    id="tool",
    title="Tool",
    key="1",
    order=10,
    summary="Everything about the selected tool",
    focus="#tree",
    load=_load,
)

"""The Prompt pane: every text that the model sees, and how it differs from its snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit_tui.panes import Pane

if TYPE_CHECKING:
    from textual.widget import Widget


def _load() -> type[Widget]:
    from bashkit_tui.panes.prompt.prompt_view import PromptView

    return PromptView


PANE = Pane(
    id="prompt",
    title="Prompt",
    key="3",
    order=30,
    summary="Exactly what the model sees, and what changed in it",
    focus="#prompt-documents",
    load=_load,
)

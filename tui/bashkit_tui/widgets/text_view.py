"""A generated text, read-only, exactly as the model gets it, with its length above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.highlight import highlight
from textual.widgets import Static

from bashkit_tui.documents import measure, printable, snapshot_note

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.prompts.snapshots import State


class TextView(Vertical):
    """The Help and System prompt tabs.

    Args:
        language: What the text is highlighted as.
        id: The widget's.
    """

    def __init__(self, language: str, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="text-view")
        self._language = language
        self.text = ""

    def compose(self) -> ComposeResult:
        """The measure above the text."""
        with Horizontal(classes="measure"):
            yield Static(classes="measure-length", markup=False)
            yield Static(classes="measure-snapshot", markup=False)
        with VerticalScroll(classes="text-scroll"):
            yield Static(classes="text-body", markup=False)

    def show(self, text: str, state: State | None, allowed: int | None = None) -> None:
        """Show a text.

        Args:
            text: What the model sees.
            state: How it compares with its snapshot; None where there is none.
            allowed: Characters that it may have, or None.
        """
        note = measure(text, allowed)
        over = allowed is not None and len(text) > allowed
        self.query_one(".measure-length", Static).update(Content.styled(note, "$text-error" if over else "$foreground-muted"))
        self.query_one(".measure-snapshot", Static).update(snapshot_note(state))
        if text != self.text or not text:
            self.text = text
            self.query_one(".text-body", Static).update(_exact(text, self._language))


def _exact(text: str, language: str) -> Content:
    """The text with colours, or without where highlighting would change a character of it."""
    shown = printable(text)
    colored = highlight(shown, language=language)
    return colored if colored.plain.rstrip("\n") == shown.rstrip("\n") else Content(shown)

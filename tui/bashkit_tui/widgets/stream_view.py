"""An input or output of a tool: JSON as a tree, other text as it is."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from textual.containers import Vertical
from textual.widgets import ContentSwitcher, Static

from bashkit.tools import json_text
from bashkit_tui.widgets.json_tree import JsonTree
from bashkit_tui.widgets.output_log import OutputLog

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget

_LEAST = 2  # the fewest JSON lines that are shown as one list


class StreamView(Vertical):
    """Shows a text, a JSON value, or a note that there is nothing.

    Args:
        stream: ``stdout`` or ``stderr``, for its colour.
    """

    DEFAULT_CSS = """
    StreamView { height: 1fr; }
    StreamView ContentSwitcher { height: 1fr; }
    StreamView .nothing { padding: 0 1; color: $foreground-muted; }
    StreamView OutputLog { padding: 0 1; height: 1fr; }
    """

    def __init__(self, stream: str = "stdout", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._stream = stream

    def compose(self) -> ComposeResult:
        """The note, the text and the tree, one of which is visible."""
        with ContentSwitcher(initial="nothing"):
            yield Static(id="nothing", classes="nothing", markup=False)
            yield OutputLog(id="text")
            yield JsonTree(id="json")

    def show_text(self, text: str | None, nothing: str) -> None:
        """Show a text.

        Args:
            text: The input or output; None if it was not kept.
            nothing: The note for an empty text.
        """
        if not text:
            self.query_one("#nothing", Static).update(nothing)
            self._switch("nothing")
            return
        value = json_value(text)
        if value is not None:
            self.show_value(value)
            return
        self.query_one(OutputLog).show(self._stream, text)
        self._switch("text")

    def show_value(self, value: Any) -> None:
        """Show a JSON value."""
        self.query_one(JsonTree).show(value)
        self._switch("json")

    def _switch(self, name: str) -> None:
        self.query_one(ContentSwitcher).current = name

    @property
    def target(self) -> Widget:
        """The widget that takes the keys."""
        current = self.query_one(ContentSwitcher).current
        return self.query_one("#json" if current == "json" else "#text")


def json_value(text: str) -> Any:
    """The array or object in a text, or a list of those on its lines; None for any other text."""
    start = text.lstrip()[:1]
    if start not in {"{", "["}:
        return None
    collecting = gc.isenabled()
    gc.disable()  # a large value has so many objects that looking for garbage among them takes longer than making them
    try:
        return _decoded(text)
    finally:
        if collecting:
            gc.enable()


def _decoded(text: str) -> Any:
    try:
        return json_text.decode(text)
    except ValueError:
        pass
    lines = text.strip().split("\n")
    if len(lines) < _LEAST:
        return None
    try:
        return [json_text.decode(line) for line in lines]
    except ValueError:
        return None

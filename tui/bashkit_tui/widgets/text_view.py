"""A read-only text, exactly as the model gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from textual.app import ComposeResult

_COLOURED = 200_000  # characters above which a text has no colours: highlighting would be slow


class TextView(VerticalScroll):
    """Scrolls a text, in which the mouse can select."""

    ALLOW_MAXIMIZE = True
    BINDING_GROUP_TITLE = "Text"
    DEFAULT_CSS = """
    TextView { height: 1fr; padding: 0 2; background: $surface; scrollbar-size-vertical: 1; }
    TextView:focus { background-tint: $foreground 3%; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.text = ""
        self._language = ""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(classes="text-body", markup=False)

    def show(self, text: str, language: str) -> None:
        """Show a text.

        Args:
            text: The text.
            language: The language for syntax highlighting.
        """
        if (text, language) != (self.text, self._language):
            self.text, self._language = text, language
            self.query_one(".text-body", Static).update(exact(text, language))
            self.scroll_home(animate=False)


def exact(text: str, language: str) -> Content:
    """The text with colours, or plain where highlighting would change a character."""
    from textual.highlight import highlight

    shown = printable(text)
    if len(shown) > _COLOURED:
        return Content(shown)
    colored = highlight(shown, language=language)
    return colored if colored.plain.rstrip("\n") == shown.rstrip("\n") else Content(shown)

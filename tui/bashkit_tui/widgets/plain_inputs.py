"""Text inputs that show control characters as symbols: pasted text, and text from a file, is data."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input, TextArea

from bashkit_tui.texts.formatting import printable


class PlainInput(Input):
    """A line of text."""

    @property
    def _value(self) -> Text:
        """Textual's hook: the drawn text, with symbols for control characters."""
        return Text(printable(self.value).replace("\n", "␊"), no_wrap=True, overflow="ignore", end="")


class PlainTextArea(TextArea):
    """Several lines of text."""

    def get_line(self, line_index: int) -> Text:
        """Textual's hook: the drawn text, with symbols for control characters."""
        return Text(printable(super().get_line(line_index).plain), end="", no_wrap=True)

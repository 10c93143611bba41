"""Text inputs that show control characters as symbols: pasted text, and text from a file, is data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea

from bashkit_tui.texts.formatting import printable
from bashkit_tui.widgets.quick_wrapping import QuickWrapping

if TYPE_CHECKING:
    from textual.document._wrapped_document import WrappedDocument
    from textual.geometry import Offset


class PlainInput(Input):
    """A line of text."""

    @property
    def _value(self) -> Text:
        """Textual's hook: the drawn text, with symbols for control characters."""
        return Text(printable(self.value).replace("\n", "␊"), no_wrap=True, overflow="ignore", end="")


class PlainTextArea(TextArea):
    """Several lines of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "cursor_start", "Start", id="text.start", show=False, tooltip="Go to the start of the text"),
        Binding("ctrl+end", "cursor_end", "End", id="text.end", show=False, tooltip="Go to the end of the text"),
        Binding(
            "ctrl+shift+home", "cursor_start(True)", "Select to start", id="text.select-start", show=False,
            tooltip="Select from the cursor to the start of the text",
        ),
        Binding(
            "ctrl+shift+end", "cursor_end(True)", "Select to end", id="text.select-end", show=False,
            tooltip="Select from the cursor to the end of the text",
        ),
    ]  # fmt: skip

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for key in ("f6", "f7"):  # Textual selects with them; here they zoom and jump, as everywhere
            self._bindings.key_to_bindings.pop(key, None)

    @property
    def wrapped_document(self) -> WrappedDocument:
        """The text in lines of the widget's width."""
        return self._wrapping

    @wrapped_document.setter
    def wrapped_document(self, wrapped: WrappedDocument) -> None:
        self._wrapping = QuickWrapping(wrapped.document, tab_width=self.indent_width)

    def action_cursor_start(self, select: bool = False) -> None:
        """Go to the start of the text."""
        self.move_cursor((0, 0), select=select)

    def action_cursor_end(self, select: bool = False) -> None:
        """Go to the end of the text."""
        self.move_cursor(self.document.end, select=select)

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Textual's hook; undo calls it while the cursor still stands below a text that got shorter."""
        if self.cursor_location[0] >= self.document.line_count:
            return self.scroll_offset
        return super().scroll_cursor_visible(center, animate)

    def get_line(self, line_index: int) -> Text:
        """Textual's hook: the drawn text, with symbols for control characters."""
        return Text(printable(super().get_line(line_index).plain), end="", no_wrap=True)

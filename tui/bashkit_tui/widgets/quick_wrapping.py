"""Wrapping of long texts: Textual looks at every word of what is pasted, and counts all lines for each row that it draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual._wrap import compute_wrap_offsets
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import get_tab_widths

if TYPE_CHECKING:
    from textual.document._document import Location

_MANY = 200  # lines of an edit after which the whole text is wrapped anew


class QuickWrapping(WrappedDocument):
    """A text in lines of a width; a line that fits is not looked at closer. The parameters are those of WrappedDocument."""

    @property
    def height(self) -> int:
        """The number of lines after wrapping."""
        return len(self._offset_to_line_info)

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Wrap the whole text.

        Args:
            width: The cells of a line; 0 for no wrapping.
            tab_width: The cells of a tab; None leaves them as they are.
        """
        self._width = width
        self._tab_width = tabs = tab_width or self._tab_width
        self._wrap_offsets, self._tab_width_cache = [], []
        self._offset_to_line_info, self._line_index_to_offsets = [], []
        height = 0
        for number, line in enumerate(self.document.lines):
            breaks: list[int] = []
            widths = [0] if line else []
            if (width and len(line) > width) or not line.isascii() or "\t" in line:
                sections = get_tab_widths(line, tabs)
                widths = [cells for _, cells in sections]
                breaks = compute_wrap_offsets(line, width, tabs, precomputed_tab_sections=sections) if width else breaks
            self._wrap_offsets.append(breaks)
            self._tab_width_cache.append(widths)
            self._offset_to_line_info += [(number, section) for section in range(len(breaks) + 1)]
            self._line_index_to_offsets.append(list(range(height, height + len(breaks) + 1)))
            height += len(breaks) + 1

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Wrap what an edit has changed.

        Args:
            start: Where the edit began.
            old_end: Where it ended before.
            new_end: Where it ends now.
        """
        if abs(new_end[0] - start[0]) > _MANY:
            self.wrap(self._width)
        else:
            super().wrap_range(start, old_end, new_end)

"""The first paint: the surfaces of the main screen, drawn by one widget, before the parts of that screen are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual.screen import Screen
from textual.strip import Strip

if TYPE_CHECKING:
    from collections.abc import Callable

_MODE = "inspector"  # the stack of screens that begins with the one that is made
_SIDEBAR = 28  # columns, as in Sidebar
_WIDE_SIDEBAR = 36
_WIDE = 150


class OpeningScreen(Screen[None]):
    """Stands in for a screen until it is made.

    Args:
        make: Makes the screen.
        opened: Called when that screen has its parts.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"opening--title", "opening--sidebar", "opening--keys"}
    DEFAULT_CSS = """
    OpeningScreen {
        & > .opening--title { background: $panel; color: $text-primary; text-style: bold; }
        & > .opening--sidebar { background: $surface; }
        & > .opening--keys { background: $footer-background; }
    }
    """
    ready = False

    def __init__(self, make: Callable[[], Screen[Any]], opened: Callable[[], None]) -> None:
        super().__init__()
        self._make = make
        self._opened = opened

    def on_mount(self) -> None:
        """Make the screen after the first paint."""
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        self.app.add_mode(_MODE, self._make)
        self.app.switch_mode(_MODE)
        self.app.screen.call_later(self._opened)  # which it does not come to before it has its parts

    def render_line(self, y: int) -> Strip:
        """The title, the sidebar beside the panes, the keys."""
        width, height = self.size
        if y == 0:
            return self._strip("title", " bashkit ".ljust(width), width)
        if y == height - 1:
            return self._strip("keys", " " * width, width)
        sidebar = _WIDE_SIDEBAR if width >= _WIDE else _SIDEBAR
        return self._strip("sidebar", " " * sidebar, width)

    def _strip(self, part: str, text: str, width: int) -> Strip:
        return (
            Strip([Segment(text, self.get_component_rich_style(f"opening--{part}"))])
            .extend_cell_length(width, self.rich_style)
            .crop(0, width)
        )

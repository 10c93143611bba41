"""Protocols of widgets and screens: they follow the selection, or offer a text to copy, or a place to edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from textual.dom import DOMNode
    from textual.screen import Screen

    from bashkit_tui.toolsets.opened_toolset import OpenedToolset


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text that can be copied, or read in the pager.

    Attributes:
        name: A file name for it.
        text: The text.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A place that the editor can open; line and column are one-based."""

    file: Path
    line: int = 1
    column: int = 1


@runtime_checkable
class ShowsSelection(Protocol):
    """The widget of a pane that follows the tree: the main screen calls it when the pane is visible and the selection changes."""

    def show_selection(self, opened: OpenedToolset, tool: str | None) -> None:
        """Show the selected tool, or with None the toolset."""


@runtime_checkable
class OffersText(Protocol):
    """Shows a text that can be copied or paged."""

    def shown_text(self) -> ShownText | None:
        """The text, or None while nothing is shown."""


@runtime_checkable
class OffersPlace(Protocol):
    """Shows something that is declared in a file."""

    def file_place(self) -> FilePlace | None:
        """The place, or None while nothing is shown."""


def focused_text(screen: Screen[object]) -> ShownText | None:
    """The text that the focused widget, or the nearest ancestor, offers."""
    found = (node.shown_text() for node in _outwards(screen) if isinstance(node, OffersText))
    return next((text for text in found if text is not None), None)


def focused_place(screen: Screen[object]) -> FilePlace | None:
    """The place that the focused widget, or the nearest ancestor, offers."""
    found = (node.file_place() for node in _outwards(screen) if isinstance(node, OffersPlace))
    return next((place for place in found if place is not None), None)


def _outwards(screen: Screen[object]) -> Iterator[DOMNode]:
    """The focused widget, then its ancestors up to the application."""
    node: DOMNode | None = screen.focused or screen
    while node is not None:
        yield node
        node = node.parent

"""The last line: the keys that work where the focus is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual import events
    from textual.screen import Screen

_GAP = 2  # columns between two keys
_LISTS_ALL = "keys"  # the action whose key is shown however little room there is


@dataclass(frozen=True, slots=True)
class ShownKey:
    """A key of the line.

    Attributes:
        action: What it does, for Textual.
        key: Its name for Textual.
        display: What stands for it.
        description: What it does, in a word.
        tooltip: What it does, in a sentence.
        enabled: It can be pressed now.
    """

    action: str
    key: str
    display: str
    description: str
    tooltip: str
    enabled: bool

    @property
    def width(self) -> int:
        """Its columns."""
        return cell_len(f"{self.display} {self.description}")


class KeyBar(Widget):
    """As many whole keys as fit, in one widget: Textual's Footer makes and styles one for each key at every move of the focus."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: 1;
        padding: 0 1;
        color: $footer-description-foreground;
        background: $footer-background;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[ShownKey, ...] = ()
        self._hovered: ShownKey | None = None

    def on_mount(self) -> None:
        """Follow the focus, and what lies over the screen: a dialog takes all keys, and says itself which."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)
        self.app.screen_change_signal.subscribe(self, lambda _: self.refresh())

    @property
    def shown(self) -> tuple[ShownKey, ...]:
        """The keys that fit into the line."""
        return tuple(key for _, key in self._placed())

    def render(self) -> Content:
        """The keys in their order."""
        parts: list[Content] = []
        for _, key in self._placed():
            style = "on $block-hover-background" if key is self._hovered else "dim" if not key.enabled else ""
            text = Content.assemble((key.display, "bold $footer-key-foreground"), f" {key.description}")
            parts.append(text.stylize(style) if style else text)
        return Content(" " * _GAP).join(parts)

    def on_resize(self) -> None:
        """More or fewer keys fit."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Press the key under the pointer."""
        key = self._at(event)
        if key is not None and key.enabled:
            self.app.simulate_key(key.key)
        elif key is not None:
            self.app.bell()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark the key under the pointer, and explain it."""
        self._hover(self._at(event))

    def on_leave(self) -> None:
        """Mark nothing."""
        self._hover(None)

    def _hover(self, key: ShownKey | None) -> None:
        if key is not self._hovered:
            self._hovered = key
            self.tooltip = key.tooltip if key is not None else None
            self.refresh()

    def _at(self, event: events.MouseEvent) -> ShownKey | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        return next((key for start, key in self._placed() if start <= offset.x < start + key.width), None)

    def _placed(self) -> Iterator[tuple[int, ShownKey]]:
        """The keys that fit, each with its first column: the last ones are left out."""
        keys, width = list(self._keys) if self.app.screen is self.screen else [], self.content_size.width
        while keys and sum(key.width + _GAP for key in keys) - _GAP > width:
            keys.remove(next((key for key in reversed(keys) if key.action != _LISTS_ALL), keys[-1]))
        column = 0
        for key in keys:
            yield column, key
            column += key.width + _GAP

    def _bindings_changed(self, screen: Screen[object]) -> None:
        if screen.app.app_focus and self.is_attached and screen is self.screen:
            self.call_after_refresh(self._update)

    def _update(self) -> None:
        """Read the keys again; unchanged ones are not drawn again."""
        if not self.is_attached:  # the screen has gone since
            return
        keys: dict[str, ShownKey] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.show and binding.action not in keys:
                display = self.app.get_key_display(binding)
                tooltip = active.tooltip or binding.description
                keys[binding.action] = ShownKey(
                    binding.action, binding.key, display, binding.description, tooltip, active.enabled
                )
        found = tuple(keys.values())
        if found != self._keys:
            self._keys = found
            self._hover(None)
            self.refresh()

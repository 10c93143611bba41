"""The theme picker: the theme under the cursor is applied at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from bashkit_tui.error_reports import reported
from bashkit_tui.settings.themes import OWN

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.theme import Theme


class ThemeScreen(ModalScreen[None]):
    """A list at the side, so that the coloured screen stays visible."""

    CSS_PATH = "theme_picker.tcss"
    BINDING_GROUP_TITLE = "Themes"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "restore", "Cancel", id="themes.cancel", tooltip="Keep the theme of before"),
    ]

    def compose(self) -> ComposeResult:
        """List the inspector's own themes first."""
        with Vertical(id="themes-box") as box:
            box.border_title = "Themes"
            box.border_subtitle = "Enter takes it, Escape does not"
            yield OptionList(
                *(Option(_label(theme), id=theme.name) for theme in self._themes()), id="themes-list", compact=True, markup=False
            )

    def on_mount(self) -> None:
        """Highlight the current theme."""
        self._before = self.app.theme
        listed = self.query_one(OptionList)
        listed.highlighted = listed.get_option_index(self._before)
        listed.focus()

    def _themes(self) -> list[Theme]:
        own = {theme.name for theme in OWN}
        return [*OWN, *(theme for name, theme in sorted(self.app.available_themes.items()) if name not in own)]

    @on(OptionList.OptionHighlighted)
    @reported
    def _look(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id is not None:
            self.app.theme = event.option_id

    @on(OptionList.OptionSelected)
    @reported
    def _take(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(None)

    def action_restore(self) -> None:
        """Go back to the previous theme."""
        self.app.theme = self._before
        self.dismiss(None)


def _label(theme: Theme) -> Content:
    """A few colours of a theme, and its name."""
    colours = [
        colour for colour in (theme.primary, theme.secondary, theme.accent, theme.success, theme.error) if colour is not None
    ]
    return Content.assemble(*(("■", colour) for colour in colours), " " * (6 - len(colours)), theme.name)

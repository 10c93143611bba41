"""The colours of a script in the editor, for each theme of the inspector and for others by their darkness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.widgets.text_area import TextAreaTheme

from bashkit_tui.settings.themes import CONTRAST, DARK, LIGHT

if TYPE_CHECKING:
    from textual.theme import Theme


def _syntax(theme: Theme) -> dict[str, Style]:
    """The styles of the captures of tree-sitter's query for bash."""
    muted = theme.variables.get("foreground-muted")
    return {
        "string": Style(color=theme.success),
        "function": Style(color=theme.primary, bold=True),
        "property": Style(color=theme.accent),
        "keyword": Style(color=theme.secondary, bold=True),
        "comment": Style(color=muted, dim=muted is None, italic=True),
        "number": Style(color=theme.warning),
        "operator": Style(color=theme.secondary),
        "constant": Style(color=theme.accent),
    }


EDITOR_DARK = TextAreaTheme("bashkit-dark", syntax_styles=_syntax(DARK))
EDITOR_LIGHT = TextAreaTheme("bashkit-light", syntax_styles=_syntax(LIGHT))
EDITOR_CONTRAST = TextAreaTheme("bashkit-contrast", syntax_styles=_syntax(CONTRAST))


def editor_theme(theme: Theme) -> TextAreaTheme:
    """The colours that go with a theme."""
    if theme.name == CONTRAST.name:
        return EDITOR_CONTRAST
    return EDITOR_DARK if theme.dark else EDITOR_LIGHT

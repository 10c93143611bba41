"""The colours of a script in the editor, in dark and in light."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.widgets.text_area import TextAreaTheme

from bashkit_tui.settings.themes import DARK, LIGHT

if TYPE_CHECKING:
    from textual.theme import Theme


def _syntax(theme: Theme) -> dict[str, Style]:
    """The styles of the captures of tree-sitter's query for bash."""
    return {
        "string": Style(color=theme.success),
        "function": Style(color=theme.primary, bold=True),
        "property": Style(color=theme.accent),
        "keyword": Style(color=theme.secondary, bold=True),
        "comment": Style(dim=True, italic=True),
        "number": Style(color=theme.warning),
        "operator": Style(color=theme.secondary),
        "constant": Style(color=theme.accent),
    }


EDITOR_DARK = TextAreaTheme("bashkit-dark", syntax_styles=_syntax(DARK))
EDITOR_LIGHT = TextAreaTheme("bashkit-light", syntax_styles=_syntax(LIGHT))

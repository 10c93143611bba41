"""The colours: a dark and a light theme of the inspector, and of the script editor in each."""

from __future__ import annotations

from rich.style import Style
from textual.theme import Theme
from textual.widgets.text_area import TextAreaTheme

DARK = Theme(
    name="bashkit-dark",
    primary="#7aa2f7",
    secondary="#9d7cd8",
    accent="#e0af68",
    success="#9ece6a",
    warning="#e0af68",
    error="#f7768e",
    foreground="#c8d0f0",
    background="#16161e",
    surface="#1a1b26",
    panel="#24283b",
    dark=True,
)
LIGHT = Theme(
    name="bashkit-light",
    primary="#2e5fb8",
    secondary="#7847bd",
    accent="#8f5e15",
    success="#3f6d20",
    warning="#8f5e15",
    error="#b3253f",
    foreground="#2b3350",
    background="#f4f5f8",
    surface="#fbfbfd",
    panel="#e3e6ee",
    dark=False,
)


def _syntax(theme: Theme) -> dict[str, Style]:
    """The names that the bash query of tree-sitter gives to parts of a script."""
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

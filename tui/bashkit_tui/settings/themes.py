"""The colours: a dark, a light and a high-contrast theme of the inspector."""

from __future__ import annotations

from textual.theme import Theme

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
CONTRAST = Theme(
    name="bashkit-contrast",
    primary="#5fd7ff",
    secondary="#ffafff",
    accent="#ffff00",
    success="#5fff5f",
    warning="#ffd700",
    error="#ff8787",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#303030",
    dark=True,
    variables={
        "foreground-muted": "#d0d0d0",
        "foreground-disabled": "#c0c0c0",
        "text-muted": "#d0d0d0",
        "text-disabled": "#c0c0c0",
        "block-cursor-background": "#ffff00",
        "block-cursor-foreground": "#000000",
        "block-cursor-blurred-background": "#3a3a00",
        "block-cursor-blurred-foreground": "#ffffff",
        "footer-key-foreground": "#ffff00",
    },
)
OWN = (DARK, LIGHT, CONTRAST)

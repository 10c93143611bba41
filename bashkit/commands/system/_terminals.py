"""Which terminals there are, and how they clear the screen (terminfo(5))."""

from __future__ import annotations

import re

_BASES = {"ansi", "dumb", "linux", "screen", "tmux", "vt100", "xterm"}
_HOME, _BELOW, _ALL, _SCROLLBACK = "\x1b[H", "\x1b[J", "\x1b[2J", "\x1b[3J"


def is_known(terminal: str) -> bool:
    """Whether there is a terminal of this name."""
    return terminal in _BASES or re.fullmatch(r"[a-z]+-\w+", terminal, re.ASCII) is not None


def clearing(terminal: str, *, scrollback: bool = True) -> str:
    """What clears the screen; empty for a terminal that cannot."""
    base = terminal.partition("-")[0]
    if base == "dumb":
        return ""
    screen = _BELOW if base in {"ansi", "linux", "screen", "tmux", "vt100"} else _ALL
    return _HOME + screen + (_SCROLLBACK if scrollback and base not in {"ansi", "screen", "vt100"} else "")

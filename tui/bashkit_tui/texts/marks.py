"""What the marks of the tree mean, for its tooltip and the help."""

from __future__ import annotations

MARKS = {
    "r": "reads",
    "w": "writes",
    "d": "destroys",
    "~": "changed since the snapshot",
    "+": "new since the snapshot",
    "✗": "a test that calls it failed",
    "!": "has mistakes",
    "»": "the tree is folded; a click or Escape from the editor shows it",
}

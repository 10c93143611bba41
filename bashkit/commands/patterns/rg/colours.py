"""The colours of ripgrep (ripgrep's manual, --colors)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bashkit.commands.patterns.grep.colours import Colours


@dataclass(frozen=True, slots=True)
class AnsiColours(Colours):
    """Codes written as ripgrep writes them: each on its own, between two resets."""

    def paint(self, code: str, text: str) -> str:
        """The text in a colour."""
        if not code:
            return text
        codes = "".join(f"\x1b[{part}m" for part in code.split(";") if part != "0")
        return f"\x1b[0m{codes}{text}\x1b[0m"


COLOURS = AnsiColours(selected_match="1;31", context_match="", offset="0", mark="")
INVERTED = replace(COLOURS, context_match=COLOURS.selected_match)  # with -v the matches are in the lines of context

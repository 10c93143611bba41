"""The colours of ``--color`` (GNU grep manual, Environment Variables, GREP_COLORS)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@dataclass(frozen=True, slots=True)
class Colours:
    """SGR codes, "" for none.

    Attributes:
        selected_match, context_match: Of matching text in selected lines and in those around them (``ms``, ``mc``).
        selected, context: Of whole lines (``sl``, ``cx``).
        name, number, offset, mark: Of the parts before a line (``fn``, ``ln``, ``bn``, ``se``).
        swapped: ``sl`` and ``cx`` change places with ``-v`` (``rv``).
        erase: Whether each code erases the rest of the line; not with ``ne``.
    """

    selected_match: str = "01;31"
    context_match: str = "01;31"
    selected: str = ""
    context: str = ""
    name: str = "35"
    number: str = "32"
    offset: str = "32"
    mark: str = "36"
    swapped: bool = False
    erase: bool = True

    @property
    def longest(self) -> int:
        """The characters of the longest code."""
        codes = (
            self.selected_match,
            self.context_match,
            self.selected,
            self.context,
            self.name,
            self.number,
            self.offset,
            self.mark,
        )
        return max(map(len, codes))

    def paint(self, code: str, text: str) -> str:
        """The text in a colour."""
        if not code:
            return text
        erase = "\x1b[K" if self.erase else ""
        return f"\x1b[{code}m{erase}{text}\x1b[m{erase}"

    def start(self, code: str) -> str:
        """The start of a colour that another text ends."""
        return f"\x1b[{code}m" + ("\x1b[K" if self.erase else "") if code else ""


NONE = Colours("", "", "", "", "", "", "", "")
_CAPABILITIES = {
    "mt": ("selected_match", "context_match"), "ms": ("selected_match",), "mc": ("context_match",), "sl": ("selected",),
    "cx": ("context",), "fn": ("name",), "ln": ("number",), "bn": ("offset",), "se": ("mark",),
}  # fmt: skip


def read_colours(process: Process) -> Colours:
    """Read the colours from the environment."""
    colours = Colours()
    old = process.env.get("GREP_COLOR", "")
    if re.fullmatch("[0-9;]+", old):
        process.warn(f"warning: GREP_COLOR='{old}' is deprecated; use GREP_COLORS='mt={old}'")
        colours = replace(colours, selected_match=old, context_match=old)
    for part in process.env.get("GREP_COLORS", "").split(":"):
        name, equals, code = part.partition("=")
        if not re.fullmatch("[0-9;]*", code):
            break
        if name in _CAPABILITIES and equals:
            for field in _CAPABILITIES[name]:
                colours = replace(colours, **{field: code})  # type: ignore[arg-type]  # all of these are codes
        elif name == "rv" and not equals:
            colours = replace(colours, swapped=True)
        elif name == "ne" and not equals:
            colours = replace(colours, erase=False)
    return colours

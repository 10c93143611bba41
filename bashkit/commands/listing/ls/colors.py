"""The colours of names: those of LS_COLORS, else the usual ones (GNU coreutils manual, dircolors; dir_colors(5))."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_DEFAULT = {
    "di": "01;34", "ln": "01;36", "pi": "33", "cd": "01;33", "ex": "01;32", "su": "37;41", "sg": "30;43", "tw": "30;42",
    "ow": "34;42", "st": "37;44",
}  # fmt: skip
_ENTRY = re.compile(r"([^=:]+)=([^:]*)")
# The terminals that dircolors(1) lists.
_TERMINALS = re.compile(
    r".*color|[Eaex]?term|ansi|con[0-9]+x|cons25|console|cygwin|dtterm|gnome|hurd|jfbterm|konsole|kterm|linux|mlterm|putty|rxvt|"
    r"screen|st\Z|terminator|tmux|vt100|xterm|alacritty"
)
_MOST = 4096  # entries of LS_COLORS


@dataclass(frozen=True, slots=True)
class Colors:
    """The colours of names.

    Attributes:
        kinds: By the two letters of a kind of file.
        endings: By the end of a name in small letters, the last one given first.
    """

    kinds: Mapping[str, str] = field(default_factory=lambda: _DEFAULT)
    endings: tuple[tuple[str, str], ...] = ()

    @property
    def longest(self) -> int:
        """The characters of the longest code."""
        return max(map(len, chain(self.kinds.values(), (color for _, color in self.endings))), default=0)

    def paint(self, stat: Stat, name: str, shown: str, *, broken: bool = False) -> str:
        """Write a name in the colour of its file."""
        code = self.kinds.get(self._kind(stat, broken=broken), "")
        if stat.type == "file" and not code:
            small = name.lower()
            code = next((color for end, color in self.endings if small.endswith(end)), "") or self.kinds.get("fi", "")
        return f"\x1b[{code}m{shown}\x1b[0m" if code else shown

    def paint_missing(self, shown: str) -> str:
        """Write where a link leads that leads nowhere."""
        code = self.kinds.get("mi") or self.kinds.get("or")
        return f"\x1b[{code}m{shown}\x1b[0m" if code else shown

    def _kind(self, stat: Stat, *, broken: bool) -> str:
        """The letters of the most special kind of a file that has a colour."""
        mode = stat.mode
        candidates = {
            "directory": (("tw", mode & 0o1002 == 0o1002), ("ow", mode & 0o002), ("st", mode & 0o1000), ("di", True)),
            "file": (("su", mode & 0o4000), ("sg", mode & 0o2000), ("ex", mode & 0o111)),
            "symlink": (("or", broken), ("ln", True)),
            "fifo": (("pi", True),),
            "character": (("cd", True),),
        }.get(stat.type, ())
        return next((letters for letters, fits in candidates if fits and self.kinds.get(letters)), "")


def colors_for(process: Process) -> Colors | None:
    """The colours that the environment asks for; None for a terminal that has none, as one that nothing is known of."""
    text = process.env.get("LS_COLORS", "")
    if not text:
        known = process.env.get("COLORTERM") or _TERMINALS.match(process.env.get("TERM", ""))
        return Colors() if known else None
    process.budget.tick(len(text) >> 4)
    kinds = dict(_DEFAULT)
    endings: dict[str, str] = {}
    for part in text.split(":", _MOST):
        found = _ENTRY.fullmatch(part)
        if found is not None and found[1].startswith("*"):
            ending = found[1][1:].lower()
            endings.pop(ending, None)
            endings[ending] = found[2]
        elif found is not None and len(found[1]) == 2:
            kinds[found[1]] = found[2]
        elif part:
            process.warn("unparsable value for LS_COLORS environment variable")
            return None
    return Colors(kinds, tuple(reversed(endings.items())))

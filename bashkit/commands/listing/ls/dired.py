"""Reports the byte offsets of names in a listing, for Emacs' dired mode (GNU coreutils manual, ls: -D)."""

from __future__ import annotations

import re

NAME, FOLDER = "\0", "\0\0"  # marks before and after a name, or the name of a listed directory; names contain no NUL
MARGIN = "  "  # before every line
_MARK = re.compile("(\0+)")
_COLOR = re.compile("\x1b\\[[0-9;]*m")  # takes no columns


class NamePlaces:
    """The byte offsets of the names in the printed text."""

    def __init__(self) -> None:
        self._position = 0
        self._places: dict[str, list[int]] = {NAME: [], FOLDER: []}

    def take(self, text: str) -> str:
        """Record the positions of the marked names in ``text``, and return it without the marks."""
        pieces = _MARK.split(text)
        for index, piece in enumerate(pieces):
            if index % 2:
                self._places[piece].append(self._position)
            else:
                self._position += len(_COLOR.sub("", piece).encode("utf-8", "surrogateescape"))
        return "".join(pieces[::2])

    def summary(self, quoting: str) -> str:
        """The lines at the end of the listing."""
        lines = [
            f"//{title}// {' '.join(map(str, self._places[mark]))}\n"
            for title, mark in (("DIRED", NAME), ("SUBDIRED", FOLDER))
            if self._places[mark]
        ]
        return "".join(lines) + f"//DIRED-OPTIONS// --quoting-style={quoting}\n"

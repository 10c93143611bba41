"""Regular expressions of Emacs, as ``find`` and ``tac`` read them (GNU findutils manual, emacs regular expression syntax)."""

from __future__ import annotations

import re

_PARTS = re.compile(r"\\(.)|(\[\^?\]?[^\]]*\])|([+?])|(\.)", re.DOTALL)


def from_emacs(text: str) -> str:
    """Rewrite an Emacs pattern as a GNU basic one.

    In one of Emacs, ``+`` and ``?`` are operators without a backslash, braces never are, and a period matches no newline.
    """

    def replace(match: re.Match[str]) -> str:
        escaped, bracket, operator, period = match.groups()
        if operator:
            return "\\" + operator
        if period:
            return "[^\n]"
        return bracket or (escaped if escaped in "+?{}" else "\\" + escaped)

    return _PARTS.sub(replace, text)

"""Reports unsupported or malformed expressions in ripgrep's words (ripgrep's manual, PCRE2)."""

from __future__ import annotations

import re

_ADVICE = "\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around."
_FOREIGN = re.compile(r"\\(?:[1-9]|[^1-9])|(\(\?(?:<?[=!]))|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\$", re.DOTALL)
_WORDS = {  # PCRE's message, ripgrep's own message for it, and the position that it marks
    "missing closing parenthesis": ("unclosed group", r"\("),
    "unmatched closing parenthesis": ("unopened group", r"\)"),
    "missing terminating ] for character class": ("unclosed character class", r"\["),
    "quantifier does not follow a repeatable item": ("repetition operator missing expression", r"(?:^|(?<=[(|]))[*+?]"),
    "\\ at end of pattern": ("incomplete escape sequence, reached end of pattern prematurely", r"\\$"),
    "unrecognized character follows \\": ("unrecognized escape sequence", r"\\[A-Za-z]"),
}


class PatternError(Exception):
    """A malformed expression; the text says why."""


def refuse_perl(pattern: str) -> None:
    """Refuse back-references and lookaround, which only ``--pcre2`` has.

    Raises:
        PatternError: The pattern contains one of them.
    """
    for found in _FOREIGN.finditer(pattern):
        if found[1]:
            raise _error(pattern, "look-around, including look-ahead and look-behind, is not supported" + _ADVICE, found)
        if re.fullmatch(r"\\[1-9]", found[0]):
            raise _error(pattern, "backreferences are not supported" + _ADVICE, found)


def before_carriage_return(pattern: str) -> str:
    """The pattern whose ``$`` also matches before a carriage return that ends a line (``--crlf``)."""
    return _PIECE.sub(lambda piece: "(?:\\r??$)" if piece[0] == "$" else piece[0], pattern)


def syntax_error(pattern: str, message: str) -> PatternError:
    """The error for a pattern, in ripgrep's words if they are known."""
    words, place = _WORDS.get(message, (message, ""))
    return _error(pattern, words, re.search(place, pattern) if place else None)


def _error(pattern: str, message: str, place: re.Match[str] | None) -> PatternError:
    pointer = "" if place is None else f"    {' ' * place.start()}{'^' * len(place[0])}\n"
    return PatternError(f"regex parse error:\n    {pattern}\n{pointer}error: {message}\n")

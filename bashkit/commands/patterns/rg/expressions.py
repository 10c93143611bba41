"""Reports unsupported or malformed expressions in ripgrep's words (ripgrep's manual, PCRE2)."""

from __future__ import annotations

import re

from bashkit.limits import paced

_ADVICE = "\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around."
_FOREIGN = re.compile(r"\\(?:[1-9]|[^1-9])|(\(\?(?:<?[=!]))|\[(?>\\.|[^\]\\])*+(?:\]|\Z)", re.DOTALL)
_BRACES = re.compile(
    r"\\[pPxuU]\{|\\.|\[\^?\]?(?>\\.|\[:\w+:\]|[^\]\\])*+(?:\]|\Z)|(?P<open>\{(?:\d+(?:,\d*)?)?)\Z|\{(?P<other>\D)", re.DOTALL
)
_GROUPS = re.compile(r"\\.|\[\^?\]?(?>\\.|\[:\w+:\]|[^\]\\])*+(?:\]|\Z)|(?P<open>\()|(?P<close>\))", re.DOTALL)
_NO_LITERAL = re.compile(r"\\[pPxu]\{[^}\\]{0,100}\}|\\.|\(\?P?<\w+>|\(\?[A-Za-z-]*|\[:\w+:\]", re.DOTALL)
_CASED = re.compile(r"\\(?:([pP])\{L[lu]\}|.)", re.DOTALL)
_PIECE = re.compile(r"\\.|\[\^?\]?(?>\\.|\[:\w+:\]|[^\]\\])*+(?:\]|\Z)|\$", re.DOTALL)
_POSIX = re.compile(r"\[:(\w+):\]")
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7f", "blank": r"\t ", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t\n\v\f\r ", "upper": "A-Z",
    "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_NEWLINE = (
    "the literal '\"\\n\"' is not allowed in a regex\n\n"
    "Consider enabling multiline mode with the --multiline flag (or -U for short).\n"
    "When multiline mode is enabled, new line characters can be matched.\n"
)
_WORDS = {  # PCRE's message, ripgrep's own message for it, and the position that it marks
    "missing closing parenthesis": ("unclosed group", ""),
    "unmatched closing parenthesis": ("unopened group", ""),
    "missing terminating ] for character class": ("unclosed character class", r"\["),
    "quantifier does not follow a repeatable item": (
        "repetition operator missing expression",
        r"(?:^|(?<=[(|])(?!\?)|(?<=\(\?:))[*+?]",
    ),
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
    for found in paced(_FOREIGN.finditer(pattern)):
        if found[1]:
            raise _error(pattern, "look-around, including look-ahead and look-behind, is not supported" + _ADVICE, found.span())
        if found[0][0] == "\\" and found[0][1] in "123456789":
            raise _error(pattern, "backreferences are not supported" + _ADVICE, found.span())
    for piece in paced(_BRACES.finditer(pattern)):
        if piece["open"]:
            raise _error(pattern, "unclosed counted repetition", piece.span())
        if piece["other"]:
            raise _error(pattern, "repetition quantifier expects a valid decimal", piece.span("other"))


def is_lower(pattern: str, *, fixed: bool) -> bool:
    """Whether the letters that a pattern looks for are small ones; those of escapes and of the names of groups are none."""
    letters = list(filter(str.isalpha, pattern if fixed else _NO_LITERAL.sub("", pattern)))
    return bool(letters) and not any(map(str.isupper, letters))


def refuse_newlines(patterns: list[str], *, fixed: bool) -> None:
    """Refuse line ends, which only ``--multiline`` finds.

    Raises:
        PatternError: A pattern contains one.
    """
    for pattern in patterns:
        if "\n" in pattern or (not fixed and any(piece[0] == "\\n" for piece in paced(_PIECE.finditer(pattern)))):
            raise PatternError(_NEWLINE)


def with_ascii_classes(pattern: str) -> str:
    """The pattern whose classes such as ``[:alpha:]`` are those of ASCII, as in Rust."""
    return _PIECE.sub(lambda piece: _POSIX.sub(_ascii_class, piece[0]) if piece[0][0] == "[" else piece[0], pattern)


def _ascii_class(found: re.Match[str]) -> str:
    return _CLASSES.get(found[1], found[0])


def with_both_cases(pattern: str) -> str:
    """The pattern for a search that ignores case, whose capital and small letters are letters of both cases, as in Rust."""
    return _CASED.sub(lambda found: f"\\{found[1]}{{L&}}" if found[1] else found[0], pattern)


def before_carriage_return(pattern: str) -> str:
    """The pattern whose ``$`` also matches before a carriage return that ends a line (``--crlf``)."""
    return _PIECE.sub(lambda piece: "(?:\\r??$)" if piece[0] == "$" else piece[0], pattern)


def joined(patterns: list[str], *, line: bool) -> str:
    """The expression that ripgrep makes of several, each of which may have to be a whole line."""
    return "|".join(f"^(?:{pattern})$" if line else pattern for pattern in patterns)


def syntax_error(pattern: str, message: str) -> PatternError:
    """The error for a pattern, in ripgrep's words if they are known."""
    words, place = _WORDS.get(message, (message, ""))
    found = re.search(place, pattern) if place else None
    return _error(pattern, words, found.span() if found is not None else _unbalanced(pattern) if "group" in words else None)


def _unbalanced(pattern: str) -> tuple[int, int] | None:
    """Where the parenthesis is that has no other one."""
    opened: list[tuple[int, int]] = []
    for piece in paced(_GROUPS.finditer(pattern)):
        if piece["open"]:
            opened.append(piece.span())
        elif piece["close"] and not opened:
            return piece.span()
        elif piece["close"]:
            opened.pop()
    return opened[-1] if opened else None


def _error(pattern: str, message: str, place: tuple[int, int] | None) -> PatternError:
    pointer = "" if place is None else f"    {' ' * place[0]}{'^' * (place[1] - place[0])}\n"
    return PatternError(f"regex parse error:\n    {pattern}\n{pointer}error: {message}\n")

r"""Translates awk's regular expressions to POSIX ones: escapes also work inside brackets (POSIX XCU awk)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.limits import turn
from bashkit.regex.cache import for_short_texts

if TYPE_CHECKING:
    from bashkit.limits import Budget
    from bashkit.regex import Pattern

_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_OPERATORS = {
    "y": "\\b",
    "B": "\\B",
    "<": "\\<",
    ">": "\\>",
    "w": "\\w",
    "W": "\\W",
    "s": "\\s",
    "S": "\\S",
    "`": "\\`",
    "'": "\\'",
}
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_META = frozenset("\\^$.[]|()*+?{}")
_PLAIN = re.compile(r"[^\\^$.\[\]|()*+?{}]*")
_BRACE = re.compile(r"\{(|[0-9]+|[0-9]*,[0-9]*(,[^}]*)?)\}")  # an interval, or what is refused as one; other braces are literal


@for_short_texts(1024)
def translate(pattern: str) -> str:
    """Translate an awk regular expression to a POSIX extended one."""
    if "\\" in pattern:
        pattern = _ESCAPE.sub(_decoded, pattern)
    pieces: list[str] = []
    index = depth = 0
    begun = True  # nothing before it can be repeated
    while index < len(pattern):
        turn()
        char = pattern[index]
        if char == "\\":
            piece, index = _escape(pattern, index)
        elif char == "[":
            piece, index = _bracket(pattern, index)
        else:
            piece, index = char, index + 1
            if char == "(":
                depth += 1
            elif char == ")":
                piece, depth = (char, depth - 1) if depth else ("\\)", 0)
            elif (begun and char in "*+?") or (char == "{" and (begun or not _BRACE.match(pattern, index - 1))):
                piece = "\\" + char
        pieces.append(piece)
        begun = piece in ("(", "|", "^")
    return "".join(pieces)


def _coded(char: str) -> str:
    return "\\" + char if char in _META else char


def _escape(pattern: str, index: int) -> tuple[str, int]:
    following = pattern[index + 1 : index + 2]
    if not following:
        raise regex.RegexError("Trailing backslash")
    if following in _OPERATORS:
        return _OPERATORS[following], index + 2
    if following in _CONTROLS:
        return _CONTROLS[following], index + 2
    return _coded(following), index + 2


def _decoded(escape: re.Match[str]) -> str:
    """The character of a number, which may be an operator as well; other escapes as they are."""
    if escape[3]:
        return escape[0]
    byte = int(escape[1], 8) & 0xFF if escape[1] else int(escape[2], 16)
    return "\\\\" if byte == ord("\\") else chr(byte) if byte < 0x80 else chr(0xDC00 + byte)


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """Translate a bracket expression; escaped characters become ``[.x.]``."""
    pieces = ["["]
    index = start + 1
    if pattern.startswith("^", index):
        pieces.append("^")
        index += 1
    if pattern.startswith("]", index):
        pieces.append("]")
        index += 1
    while index < len(pattern):
        char = pattern[index]
        if char == "]":
            return "".join([*pieces, "]"]), index + 1
        if char == "[" and pattern[index + 1 : index + 2] in (":", ".", "="):
            end = pattern.find(pattern[index + 1] + "]", index + 2)
            if end >= 0:
                pieces.append(pattern[index : end + 2])
                index = end + 2
                continue
        if char != "\\" or index + 1 == len(pattern):
            pieces.append(char)
            index += 1
            continue
        following = pattern[index + 1]
        if following in "wWsS":
            pieces.append("[:space:]" if following == "s" else "[:alnum:]_" if following == "w" else f"[.\\.]{following}")
            index += 2
            continue
        char, index = _CONTROLS.get(following, following), index + 2
        pieces.append(f"[.{char}.]")
    return "".join(pieces), index


def compile_regex(
    pattern: str, budget: Budget, *, ignore_case: bool = False, dynamic: bool = True, octets: bool = False
) -> Pattern:
    """Compile an awk regular expression.

    Args:
        pattern: Its text.
        budget: Charged for long searches.
        ignore_case: Whether IGNORECASE is set.
        dynamic: Whether it is not a constant of the program, which changes the message.
        octets: Whether each octet is a character.

    Raises:
        AwkError: It is malformed; the message is gawk's.
    """
    try:
        return regex.compile(translate(pattern), "extended", ignore_case=ignore_case, budget=budget, octets=octets)
    except regex.RegexError as error:
        if dynamic:
            raise AwkError(f"invalid regexp: {error}: /{pattern}/") from None
        raise AwkError(f"{error}: /{pattern}/", kind="error", status=1) from None


def literal(pattern: str) -> tuple[str, str] | None:
    """How a pattern without operators is searched, ``in``, ``startswith``, ``endswith`` or ``==``, and its text."""
    anchored, ended = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    body = pattern[1 if anchored else 0 : len(pattern) - 1 if ended and len(pattern) > anchored else len(pattern)]
    if not _PLAIN.fullmatch(body):
        body = re.sub(r"\\([./\-\"$+*?()|{}\[\]^\\])", "\x00\\1", body)
        if re.search(r"(?<!\x00)[\\^$.\[\]|()*+?{}]", body):
            return None
        body = body.replace("\x00", "")
    method = {(False, False): "in", (True, False): "startswith", (False, True): "endswith", (True, True): "=="}
    return method[anchored, ended and len(pattern) > anchored], body

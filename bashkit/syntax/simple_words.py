"""Simple words: those that are plain text, one parameter or one quoted string, and that are read at a glance."""

from __future__ import annotations

import re
from typing import Final

from bashkit.syntax.nodes import DoubleQuoted, Literal, ParameterExpansion, Quoted, Word
from bashkit.syntax.source import AT_ONCE

ROW: Final = 1024  # simple words that are read at once
_SHARED: Final = 200  # characters below which a word is shared
_MOST_SHARED: Final = 8192  # words
_EXPANDED: Final = r"\$(?:[A-Za-z_][A-Za-z0-9_]*+|[0-9*@#?$!-]|\{[A-Za-z_][A-Za-z0-9_]*+\})"
_SIMPLE: Final = (
    rf"(?:[A-Za-z0-9_./:,=%^~\[\]{{}}-][A-Za-z0-9_./:,=%^~\[\]{{}}#-]{{0,{AT_ONCE}}}+|{_EXPANDED}"
    rf"""|"(?>[^"\\$`]{{1,80}}+|\\[^"\\$`\n]|{_EXPANDED}){{0,16}}+"|'[^']{{0,80}}+')"""
)
_END: Final = r"(?![^ \t\n;&|)])"  # or of the text
_PIECES: Final = re.compile(rf"{_EXPANDED}|[^$]+").findall  # of a simple word in double quotes
match_word: Final = re.compile(_SIMPLE + _END).match
match_row: Final = re.compile(rf"(?>{_SIMPLE}{_END}[ \t]*+){{1,{ROW}}}+").match  # with the blanks behind each
each_word: Final = re.compile(r"""[^ \t"']++|"[^"]*+"|'[^']*+'""").findall  # of a row: no quote is in a string

_words: Final[dict[str, Word]] = {}


def simple_word(text: str) -> Word:
    """The word that a text is which matches; scripts repeat short ones, which are shared."""
    if len(text) >= _SHARED:
        return _new_word(text)
    word = _words.get(text)
    if word is None:
        if len(_words) >= _MOST_SHARED:
            _words.clear()
        word = _words[text] = _new_word(text)
    return word


def may_assign(text: str) -> bool:
    """Whether a simple word may begin with a name that is assigned to."""
    return ("=" in text and text[0] != "=") or ("[" in text and text[0] != "[")


def _new_word(text: str) -> Word:
    if text[0] == "'":
        return Word((Quoted(text[1:-1], "'"),), text)
    if text[0] == '"':
        return Word((DoubleQuoted(tuple([_piece(piece) for piece in _PIECES(text[1:-1])])),), text)
    return Word((_piece(text),), text)


def _piece(text: str) -> Literal | ParameterExpansion:
    if text[0] != "$":
        return Literal(text)
    return ParameterExpansion(text[2:-1] if text[1] == "{" else text[1:], source=text)

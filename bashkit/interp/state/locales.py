"""What a character is: one of UTF-8, or a byte in the C locale (bash(1), Shell Variables, LC_CTYPE)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.syntax.escapes import without_unicode

if TYPE_CHECKING:
    from bashkit.interp.state.store import VariableStore


def counts_bytes(shell: VariableStore) -> bool:
    """Whether the script has chosen the C locale, in which each byte is a character."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = shell.get(name)
        if value:
            return value in {"C", "POSIX"}
    return False


def escapes_in_locale(shell: VariableStore, text: str) -> str:
    """A text with backslash escapes, of which those of Unicode stay as they are in the C locale."""
    return without_unicode(text) if ("\\u" in text or "\\U" in text) and counts_bytes(shell) else text


def upper(text: str) -> str:
    """Capital letters by towupper(3): a letter becomes one letter, or stays."""
    changed = text.upper()
    if len(changed) == len(text):
        return changed
    return "".join([_capital(letter) for letter in text])


def _capital(letter: str) -> str:
    """The one capital letter of a letter: for one whose capitals are several, that which begins a title, if there is one."""
    for capital in (letter.upper(), letter.title()):
        if len(capital) == 1:
            return capital
    return letter


def lower(text: str) -> str:
    """Small letters by towlower(3)."""
    changed = text.lower()
    if len(changed) == len(text) and "\u03a3" not in text:
        return changed
    return "".join([letter.lower()[:1] for letter in text])


def swap(text: str) -> str:
    """Small letters where there are capital ones, and the other way round."""
    if text.isascii():
        return text.swapcase()
    return "".join([small if (small := lower(letter)) != letter else upper(letter) for letter in text])


def in_locale(shell: VariableStore, text: str) -> str:
    """The text with one item for each character of the shell's locale; ``from_locale`` gives the text back."""
    if text.isascii() or not counts_bytes(shell):
        return text
    return text.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")


def from_locale(text: str) -> str:
    """The text of ``in_locale``, or of a part of it."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def as_octets(text: str) -> str:
    """The text with one character of Latin-1 for each byte: for engines that know no lone bytes."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def from_octets(text: str) -> str:
    """The text of ``as_octets``, or of a part of it."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")

"""Backslash escapes of ``$'…'``, ``echo -e`` and ``printf`` (bash(1), QUOTING)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Progress = Callable[[int], None]

_SIMPLE = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_ESCAPE = re.compile(
    r"\\(?:(?P<simple>[abeEfnrtv\\])|(?P<quote>['\"?])|(?P<zero>0[0-7]{0,3})|(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})"
    r"|x\{(?P<brace>[0-9A-Fa-f]*)\}?|u(?P<u4>[0-9A-Fa-f]{1,4})|U(?P<u8>[0-9A-Fa-f]{1,8})|c(?P<control>\\\\|.)|(?P<stop>c))",
    re.DOTALL,
)
_ENDS = (0x10000, 0x200000, 0x4000000, 0x80000000)  # of the codes that UTF-8 of old (RFC 2279) writes in 3, 4, 5 and 6 octets
_UTF8_END = _ENDS[-1]
_ROW = re.compile(r"(?>\\(?:c\\\\|c.|.)?[^\\]{0,4096}+){1,64}+|[^\\]{1,4096}", re.DOTALL)  # whole escapes
_FOR_A_ROW = 160  # microseconds
_LONG = 1000  # characters of a text that is read row by row
_DIGITLESS = re.compile(r"\\(?:([xuU])(?![0-9A-Fa-f{])|.)", re.DOTALL)
_HALF = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # characters that are shown as escapes
ANSI_C = str.maketrans(
    {chr(code): f"\\{code:03o}" for code in (*range(1, 32), 127)}
    | {chr(code): "".join(f"\\{byte:03o}" for byte in chr(code).encode()) for code in (*range(0x80, 0xA0), 0x2028, 0x2029)}
    | {chr(0xDC00 + code): f"\\{code:03o}" for code in range(0x80, 0x100)}
    | {
        "\0": "\\000",
        "\a": "\\a",
        "\b": "\\b",
        "\x1b": "\\E",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\v": "\\v",
        "\\": "\\\\",
        "'": "\\'",
    }
)


def well_formed(text: str) -> str:
    r"""A text of the host as the shell's strings are: a lone surrogate stands for a byte that is not UTF-8 (``surrogateescape``).

    Any other one, such as the half of a character that JSON's ``\ud83d`` leaves alone, becomes U+FFFD.
    """
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def encode(code: int) -> str:
    """The character for ``\\u``/``\\U``: its UTF-8 bytes, even where Unicode has no character."""
    if code < 0x110000 and not 0xD800 <= code < 0xE000:
        return chr(code)
    if code >= _UTF8_END:
        return ""
    more = next(count for count, end in enumerate(_ENDS, 2) if code < end)  # octets behind the first
    first = 0x7F00 >> more + 1 & 0xFF | 0x80 | code >> 6 * more
    return "".join(map(byte, [first, *(0x80 | code >> 6 * count & 0x3F for count in reversed(range(more)))]))


def without_unicode(text: str) -> str:
    """A text with escapes whose ``\\u`` and ``\\U`` are written out, as in a locale that lacks their characters."""

    def replace(match: re.Match[str]) -> str:
        code = int(match.group("u4") or match.group("u8") or "0", 16)
        return match.group() if code < 0x80 else f"\\\\u{code:04X}" if code < 0x10000 else f"\\\\U{code:08X}"

    return _ESCAPE.sub(replace, text)


def byte(code: int) -> str:
    """One byte as the shell's strings hold it: ASCII as it is, anything else as a lone surrogate."""
    return chr(code) if code < 0x80 else chr(0xDC00 + code)


def recode(text: str) -> str:
    """Join bytes that were written separately but make up characters of UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def ansi_c(text: str, on_progress: Progress | None = None) -> str:
    """What stands between ``$'`` and ``'``. A NUL ends the string, as in C.

    Args:
        text: That.
        on_progress: Told now and then how many microseconds it took; it may end the work.
    """
    if "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        kind = match.lastgroup
        found = match.group(kind) if kind else ""
        if kind == "simple":
            return _SIMPLE[found]
        if kind == "quote":
            return found
        if kind in {"zero", "octal"}:
            return byte(int(match.group()[1:4], 8) & 0xFF) + match.group()[4:]
        if kind in {"hex", "brace"}:
            return byte(int(found or "0", 16) & 0xFF)
        if kind in {"u4", "u8"}:
            return encode(int(found, 16))
        if kind == "control":
            octets = found[:1].encode("utf-8", "surrogateescape")
            return "".join(map(byte, [octets[0] & 0x1F, *octets[1:]])) if found != "?" else "\x7f"
        return match.group()

    return recode("".join([_ESCAPE.sub(replace, row) for row in _rows(text, on_progress)]).partition("\0")[0])


def echo(text: str, on_progress: Progress | None = None, *, printf: bool = False) -> tuple[str, bool]:
    """``echo -e``: the text, and whether ``\\c`` said to stop there.

    Args:
        text: What to expand; an octal escape has a leading zero (``\\0nnn``).
        on_progress: As for ``ansi_c``.
        printf: By the rules of ``printf %b``, where ``\\nnn`` counts too.
    """
    return _expand(text, on_progress, zero=True, bare=printf)


def printf_format(text: str, on_progress: Progress | None = None) -> tuple[str, bool]:
    """Escapes in a ``printf`` format: octal is ``\\nnn``; for ``on_progress`` see ``ansi_c``."""
    return _expand(text, on_progress, zero=False, bare=True)


def incomplete(text: str, on_progress: Progress) -> list[str]:
    """What ``printf`` says of the escapes of a text that lack their digits; for ``on_progress`` see ``ansi_c``."""
    if "\\" not in text:
        return []
    letters: list[str] = []
    for row in _rows(text, on_progress):
        letters += filter(None, _DIGITLESS.findall(row))
    return [f"missing {'hex' if letter == 'x' else 'unicode'} digit for \\{letter}" for letter in letters]


def _rows(text: str, on_progress: Progress | None) -> Iterable[str]:
    """A long text in pieces that break no escape; for ``on_progress`` see ``ansi_c``."""
    return (text,) if len(text) < _LONG else _each_row(text, on_progress)


def _each_row(text: str, on_progress: Progress | None) -> Iterator[str]:
    for match in _ROW.finditer(text):
        yield match.group()
        if on_progress is not None:
            on_progress(_FOR_A_ROW)


def _expand(text: str, on_progress: Progress | None, *, zero: bool, bare: bool) -> tuple[str, bool]:
    """Expand escapes; ``zero``: ``\\0nnn`` has three digits after the zero; ``bare``: ``\\nnn`` is octal."""
    if "\\" not in text:
        return text, False
    pieces: list[str] = []
    stopped = False
    for row in _rows(text, on_progress):
        stopped = _expand_row(row, pieces, zero=zero, bare=bare)
        if stopped:
            break
    return recode("".join(pieces)), stopped


def _expand_row(text: str, pieces: list[str], *, zero: bool, bare: bool) -> bool:
    """Append what a text stands for to ``pieces``; whether an escape says to stop."""
    position = 0
    while (match := _ESCAPE.search(text, position)) is not None:
        pieces.append(text[position : match.start()])
        position = match.end()
        kind = match.lastgroup
        found = match.group(kind) if kind else ""
        if kind in {"control", "stop"}:
            if zero:
                return True
            pieces.append("\\c")  # of no meaning in a format
            position = match.start() + 2
        elif kind == "simple":
            pieces.append(_SIMPLE[found])
        elif kind == "zero":
            digits = found if zero else found[:3]
            pieces.append(byte(int(digits, 8) & 0xFF) + found[len(digits) :])
        elif kind == "octal" and bare:
            pieces.append(byte(int(found, 8) & 0xFF))
        elif kind == "hex":
            pieces.append(byte(int(found, 16)))
        elif kind in {"u4", "u8"}:
            pieces.append(encode(int(found, 16)))
        elif kind == "quote" and not zero:
            pieces.append(found)
        else:
            pieces.append(match.group())
    pieces.append(text[position:])
    return False


def visible(name: str) -> str:
    """A name or token in a message: as ``$'…'`` where it has control characters."""
    return f"$'{name.translate(ANSI_C)}'" if CONTROL.search(name) else name

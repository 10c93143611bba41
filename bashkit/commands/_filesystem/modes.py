"""Parses octal and symbolic file modes, and writes them as ``ls -l`` does (POSIX XCU chmod, EXTENDED DESCRIPTION)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bashkit.syntax.digits import is_digits

_CLASSES = {"u": 0o4700, "g": 0o2070, "o": 0o1007, "a": 0o7777}
_PERMISSIONS = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000, "t": 0o1000}
_SYMBOLS = "[-+=](?:[ugo]|[rwxXst]*)"
_CLAUSE = re.compile(rf"(?P<who>[ugoa]*)(?P<actions>(?>{_SYMBOLS})+)|(?P<bits>(?>{_SYMBOLS}(?![0-7]))*[-+=][0-7]+)")
_ACTION = re.compile(r"([-+=])([0-7]+|[ugo]|[rwxXst]*)")
_TYPE_LETTERS = {"file": "-", "directory": "d", "symlink": "l", "character": "c", "fifo": "p"}


@dataclass(frozen=True, slots=True)
class _Change:
    """One action of a mode: the classes (0 for those that the umask leaves), an operator, and permissions or a class to copy."""

    who: int
    operator: str
    permissions: str


_LONGEST = 1 << 14  # characters of a mode


class Mode:
    """A parsed mode operand, which can be applied to files.

    Args:
        text: ``755``, ``u+x,go-w``, ``a=rX``, ``g=u``, ``+t`` …

    Raises:
        ValueError: The mode is malformed.
    """

    def __init__(self, text: str) -> None:
        self._absolute: int | None = None
        self._changes: list[_Change] = []
        if len(text) > _LONGEST:
            raise ValueError(text)
        if re.fullmatch("[0-7]+", text):
            self._absolute = int(text, 8)
            if self._absolute > 0o7777:
                raise ValueError(text)
            self._keeps_special = len(text) < 5
            return
        for clause in text.split(","):
            match = _CLAUSE.fullmatch(clause)
            if match is None:
                raise ValueError(text)
            who = 0
            for letter in match["who"] or "":
                who |= _CLASSES[letter]
            actions = [_Change(who, action[1], action[2]) for action in _ACTION.finditer(match["actions"] or match["bits"])]
            if is_digits(actions[-1].permissions) and int(actions[-1].permissions, 8) > 0o7777:
                raise ValueError(text)
            self._changes += actions

    def apply(self, mode: int, *, directory: bool, umask: int) -> int:
        """The new permission bits of a file that has ``mode``.

        Args:
            mode: Its current permission bits.
            directory: Whether it is a directory: ``X`` means ``x`` there, and short octal modes keep set-user-ID bits.
            umask: The bits that a change without a class (``+w``) does not touch.
        """
        if self._absolute is not None:
            kept = mode & 0o6000 if directory and self._keeps_special else 0
            return self._absolute | kept
        for change in self._changes:
            mode = _applied(change, mode, directory=directory, umask=umask)
        return mode


def _applied(change: _Change, mode: int, *, directory: bool, umask: int) -> int:
    who = change.who or 0o7777 & ~(umask & 0o777)
    text = change.permissions
    if text in {"u", "g", "o"} and text:
        three = mode >> {"u": 6, "g": 3, "o": 0}[text] & 7
        bits = three << 6 | three << 3 | three
    elif is_digits(text):
        bits, who = int(text, 8), 0o7777
    else:
        bits = 0
        for letter in text:
            if letter == "X":
                bits |= 0o111 if directory or mode & 0o111 else 0
            else:
                bits |= _PERMISSIONS[letter]
    bits &= who
    if change.operator == "+":
        return mode | bits
    if change.operator == "-":
        return mode & ~bits
    cleared = (change.who or 0o7777) & (0o1777 if directory and "s" not in text else 0o7777)
    if change.who and change.who != 0o7777 and not change.who & 0o1:
        cleared &= ~0o1000
    return mode & ~cleared | bits


def letters(kind: str, mode: int) -> str:
    """Write a mode as ``drwxr-xr-x``.

    Args:
        kind: The type as ``Stat.type`` has it.
        mode: The permission bits.
    """
    text = [_TYPE_LETTERS[kind]]
    for shift, special, small, large in ((6, 0o4000, "s", "S"), (3, 0o2000, "s", "S"), (0, 0o1000, "t", "T")):
        bits = mode >> shift & 7
        text.append("r" if bits & 4 else "-")
        text.append("w" if bits & 2 else "-")
        executable = bool(bits & 1)
        text.append((small if executable else large) if mode & special else "x" if executable else "-")
    return "".join(text)

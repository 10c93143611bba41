"""Writes rejected hunks in their original style."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.comparing.patch.hunks import Difference, Hunk


def rejects(difference: Difference, hunks: list[Hunk], *, style: str, reverse: bool, stripped: Callable[[str], str]) -> bytes:
    """The text of a reject file, with the failed hunks of a difference, whose files have changed places with ``reverse``.

    Args:
        difference: What was applied.
        hunks: The ones that failed.
        style: ``unified``, ``context`` or ``normal``.
        reverse: It was undone.
        stripped: A file name without the directories that ``-p`` takes off, or "" where it has none.
    """
    old = _header(difference.old_header, difference.old, stripped)
    new = _header(difference.new_header, difference.new, stripped)
    if difference.extended:  # git's name of a file that is not there is that of the other side
        old, new = (new, new) if difference.old == "/dev/null" else (old, old) if difference.new == "/dev/null" else (old, new)
    if reverse:
        old, new = new, old
    if style == "unified":
        head = b"--- " + old + b"+++ " + new
        return head + b"".join(_unified(hunk) for hunk in hunks)
    head = b"*** " + old + b"--- " + new
    shown = _context if style == "context" else _plain
    return head + b"".join(shown(hunk) for hunk in hunks)


def _header(header: bytes, name: str, stripped: Callable[[str], str]) -> bytes:
    written, short = name.encode("utf-8", "surrogateescape"), stripped(name).encode("utf-8", "surrogateescape")
    if written and header.startswith(written):
        return (short or b"/dev/null") + header[len(written) :]
    return header or b"/dev/null\n"


def _unified(hunk: Hunk) -> bytes:
    left, right = len(hunk.before()), len(hunk.after())
    ranges = tuple(
        b"%d" % start if count == 1 else b"%d,%d" % (start, count) for start, count in ((hunk.old, left), (hunk.new, right))
    )
    return b"@@ -%s +%s @@%s\n" % (*ranges, hunk.section) + b"".join(mark + text for mark, text in hunk.lines)


def _context(hunk: Hunk) -> bytes:
    """A hunk with separate halves; lines of a group that both removes and adds are marked ``!``."""
    marks = [mark for mark, _ in hunk.lines]
    changed = _changed(marks)
    halves = []
    for own, start in ((b"-", hunk.old), (b"+", hunk.new)):
        rows = [
            (b"  " if mark == b" " else b"! " if index in changed else own + b" ") + text
            for index, (mark, text) in enumerate(hunk.lines)
            if mark in {own, b" "}
        ]
        halves.append((_range(start, len(rows)), b"".join(rows)))
    return b"***************\n*** %s ****\n%s--- %s ----\n%s" % (halves[0][0], halves[0][1], halves[1][0], halves[1][1])


def _plain(hunk: Hunk) -> bytes:
    """A hunk of a difference without context, in separate halves."""
    halves = []
    for own, start in ((b"-", hunk.old), (b"+", hunk.new)):
        rows = [own + b" " + text for mark, text in hunk.lines if mark == own]
        halves.append((_range(start, len(rows)), b"".join(rows)))
    return b"***************\n*** %s\n%s--- %s -----\n%s" % (halves[0][0], halves[0][1], halves[1][0], halves[1][1])


def _range(start: int, count: int) -> bytes:
    """The first and the last line of a half; 0 where it has none."""
    return b"%d,%d" % (start, start + count - 1) if count > 1 else b"%d" % (start if count else 0)


def _changed(marks: list[bytes]) -> set[int]:
    found: set[int] = set()
    group: list[int] = []
    for index, mark in enumerate([*marks, b" "]):
        if mark != b" ":
            group.append(index)
            continue
        if len({marks[member] for member in group}) == 2:
            found.update(group)
        group = []
    return found

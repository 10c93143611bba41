"""The indentation of a whole difference, which patch sees through (POSIX XCU patch)."""

from __future__ import annotations

_TAB = 8  # columns


def unindented(line: bytes) -> tuple[bytes, int]:
    """A line without the blanks in front of it, and their columns."""
    rest = line.lstrip(b" \t")
    column = 0
    for blank in line[: len(line) - len(rest)]:
        column = _after(column, blank)
    return rest, column


def outdented(line: bytes, columns: int) -> bytes:
    """A line without the blanks in its first columns."""
    index = column = 0
    while column < columns and line[index : index + 1] in {b" ", b"\t"}:
        column = _after(column, line[index])
        if column > columns:
            break
        index += 1
    return line[index:]


def _after(column: int, blank: int) -> int:
    return column + 1 if blank == ord(" ") else (column // _TAB + 1) * _TAB

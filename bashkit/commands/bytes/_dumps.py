"""Reads the input of the dump utilities: bytes from an offset, in lines of fixed length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_NUMBER = re.compile(r"[ \t-\r]*\+?(0[xX][0-9a-fA-F]+|[0-9]+)([a-zA-Z]*)")
_UNITS: dict[str, int] = {"": 1, "b": 512, "k": 1024, "kB": 1000, "m": 1 << 20} | {
    letter + tail: base**power
    for power, letter in enumerate("KMGTPEZY", 1)
    for tail, base in (("", 1024), ("iB", 1024), ("B", 1000))
}


def number(text: str) -> int:
    """Parse a count of bytes: decimal, ``0x`` hexadecimal or ``0`` octal, with a unit.

    Raises:
        ValueError: It is malformed.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or match[2] not in _UNITS:
        raise ValueError(text)
    digits = match[1]
    if digits.lower().startswith("0x"):
        return int(digits, 16) * _UNITS[match[2]]
    return (
        int(digits, 8 if digits.startswith("0") and len(digits) > 1 and not set(digits) & {"8", "9"} else 10) * _UNITS[match[2]]
    )


def slices(process: Process, blocks: Iterator[bytes], width: int, skip: int = 0, limit: int | None = None) -> Iterator[bytes]:
    """Split the input into pieces of ``width`` bytes; the last one may be shorter.

    Args:
        process: Its budget is charged.
        blocks: The input.
        width: Bytes in a piece.
        skip: Bytes to skip at the beginning.
        limit: Maximum bytes to read after those.
    """
    held = b""
    for block in blocks:
        process.budget.tick(len(block) // 4)
        if skip:
            dropped = min(skip, len(block))
            skip -= dropped
            block = block[dropped:]
        if limit is not None:
            block = block[:limit]
            limit -= len(block)
        held += block
        whole = len(held) - len(held) % width
        for start in range(0, whole, width):
            yield held[start : start + width]
        held = held[whole:]
        if limit == 0:
            break
    if held:
        yield held


def files(
    process: Process,
    names: list[str],
    failed: list[OSError],
    shown: Callable[[str], str],
    most: int | None = None,
    *,
    dash: bool = True,
) -> Iterator[bytes]:
    """The blocks of several files, ``most`` bytes of them, behind which standard input is left.

    Those that cannot be read are collected in ``failed``, and named as ``shown`` says. Where ``dash`` is false, ``-`` is a file.
    """
    for name in names or ["-"]:
        try:
            stream = process.open(name) if dash or not names else process.open_file(name)
        except OSError as error:
            process.warn(f"{shown(name)}: {error.strerror}")
            failed.append(error)
            continue
        while most != 0 and (block := stream.read() if most is None else stream.read(most)):
            most = None if most is None else most - len(block)
            yield block

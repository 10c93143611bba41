"""cat: write files one after the other (POSIX XCU cat, GNU coreutils manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_INVISIBLE = re.compile(rb"[^\t\n -~]")
_PART = 1 << 14  # bytes that are shown without a look at the clock


def _visible(byte: int) -> bytes:
    if byte >= 128:
        return b"M-" + (_visible(byte - 128) if not 32 <= byte - 128 < 127 else bytes([byte - 128]))
    return b"^?" if byte == 127 else b"^" + bytes([byte + 64])


_VISIBLE = [_visible(byte) for byte in range(256)]


class _View:
    """Numbers, squeezes and marks the lines of all files together."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._number_full = "b" in arguments
        self._number = "n" in arguments or self._number_full
        self._squeeze = "s" in arguments
        self._invisible = any(key in arguments for key in "vAet")
        self._ends = any(key in arguments for key in "EAe")
        self._tabs = any(key in arguments for key in "TAt")
        self._count = 0
        self._blank = False  # the line before was empty

    def write(self, blocks: Iterator[bytes]) -> None:
        process = self._process
        for block in line_blocks(blocks, process.budget):
            process.stdout.write(self._block(block))

    def _block(self, block: bytes) -> bytes:
        if self._invisible or self._tabs:
            block = b"".join([self._visible(block[start : start + _PART]) for start in range(0, len(block), _PART)])
        if not (self._squeeze or self._number):
            return self._mark(block)
        lines = block.split(b"\n")
        tail = lines.pop()
        self._process.budget.tick(len(lines))
        if self._squeeze:
            lines = list(self._squeezed(lines))
        if tail:
            self._blank = False
            lines.append(tail)
        if self._number:
            lines = [self._numbered(line) for line in lines]
        return self._mark(b"\n".join(lines) + (b"" if tail or not lines else b"\n"))

    def _visible(self, part: bytes) -> bytes:
        self._process.budget.tick(len(part) >> 2)
        if self._invisible:
            part = _INVISIBLE.sub(lambda found: _VISIBLE[found[0][0]], part)
        return part.replace(b"\t", b"^I") if self._tabs else part

    def _mark(self, block: bytes) -> bytes:
        if not self._ends:
            return block
        return block.replace(b"\r\n", b"^M$\n").replace(b"\n", b"$\n").replace(b"^M$$\n", b"^M$\n")

    def _squeezed(self, lines: list[bytes]) -> Iterator[bytes]:
        for line in lines:
            if line or not self._blank:
                yield line
            self._blank = not line

    def _numbered(self, line: bytes) -> bytes:
        if self._number_full and not line:
            return line
        self._count += 1
        return b"%6d\t%s" % (self._count, line)


@command(
    "cat",
    usage="[OPTION]... [FILE]...",
    summary="Concatenate FILE(s) to standard output.",
    options=(
        flag("-A", "--show-all", help="equivalent to -vET"),
        flag("-b", "--number-nonblank", help="number nonempty output lines, overrides -n"),
        flag("-e", help="equivalent to -vE"),
        flag("-E", "--show-ends", help="display $ at end of each line"),
        flag("-n", "--number", help="number all output lines"),
        flag("-s", "--squeeze-blank", help="suppress repeated empty output lines"),
        flag("-t", help="equivalent to -vT"),
        flag("-T", "--show-tabs", help="display TAB characters as ^I"),
        flag("-u", help="(ignored: output is never held back)"),
        flag("-v", "--show-nonprinting", help="use ^ and M- notation, except for LFD and TAB"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy the files, or show them with the requested marks."""
    if 1 not in process.descriptors:
        process.warn("standard output: Bad file descriptor")
        return 1
    inputs = Inputs(process, arguments.operands, output=process.stdout)
    if any(key != "u" for key, _ in arguments.given):
        _View(process, arguments).write(inputs.blocks())
    else:
        output, budget = process.stdout, process.budget
        for block in inputs.blocks():
            budget.tick(1 + (len(block) >> 10))
            output.write(block)
    return int(inputs.failed)

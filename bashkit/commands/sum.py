"""sum: print checksum and block counts (GNU coreutils manual, sum)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "sum",
    usage="[OPTION]... [FILE]...",
    summary="Print or check BSD (16-bit) checksums.",
    options=(
        flag("-r", help="use BSD sum algorithm (the default), use 1K blocks"),
        flag("-s", "--sysv", help="use System V sum algorithm, use 512 bytes blocks"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print a line for each file; 1 when one cannot be read."""
    system_v = arguments.last("r", "s") == "s"
    status = 0
    files: list[str | None] = [*arguments.operands] or [None]
    for file in files:
        try:
            line = (sysv if system_v else bsd)(process, file or "-")
        except OSError as error:
            process.warn(f"{file}: {error.strerror}")
            status = 1
            continue
        process.write(line + (f" {file}" if file is not None else "") + "\n")
    return status


def bsd(process: Process, file: str) -> str:
    """The rotating 16-bit checksum and the count of 1024-byte blocks."""
    total, size = 0, 0
    for block in process.open(file).blocks():
        process.budget.tick(len(block) // 8)
        size += len(block)
        for byte in block:
            total = ((total >> 1) + ((total & 1) << 15) + byte) & 0xFFFF
    return f"{total:05} {-(-size // 1024):5}"


def sysv(process: Process, file: str) -> str:
    """The folded sum of all bytes and the count of 512-byte blocks."""
    total, size = 0, 0
    for block in process.open(file).blocks():
        process.budget.tick(len(block) >> 7)
        size += len(block)
        total += sum(block)
    total &= 0xFFFFFFFF
    folded = (total & 0xFFFF) + (total >> 16)
    return f"{(folded & 0xFFFF) + (folded >> 16)} {-(-size // 512)}"

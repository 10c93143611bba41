"""df: report file system space usage (POSIX XCU df)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bashkit.commands._quoting import quote
from bashkit.commands._sizes import human, parse_size
from bashkit.interp.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.fs.volume import Space, Volume
    from bashkit.interp.process import Process


@command(
    "df",
    usage="[OPTION]... [FILE]...",
    summary="Show information about the file system on which each FILE resides, or all file systems.",
    options=(
        flag("-a", "--all", help="include pseudo file systems (there are none)"),
        value("-B", "--block-size", metavar="SIZE", help="scale sizes by SIZE before printing them"),
        flag("-h", "--human-readable", help="print sizes in powers of 1024 (e.g., 1023M)"),
        flag("-H", "--si", help="print sizes in powers of 1000 (e.g., 1.1G)"),
        flag("-i", "--inodes", help="list inode information instead of block usage"),
        flag("-k", help="like --block-size=1K"),
        flag("-l", "--local", help="limit listing to local file systems"),
        flag("-m", help="like --block-size=1M"),
        flag("-P", "--portability", help="use the POSIX output format"),
        flag("-T", "--print-type", help="print file system type"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the root file system and what is mounted in it; 1 when a file does not exist."""
    status = 0
    volumes = {"/": cast("Volume", process.fs.volume)} | {path: volume for path, (_, volume) in process.fs.mounts().items()}
    rows = [] if arguments.operands else list(volumes.items())
    for name in arguments.operands:
        try:
            rows.append(process.fs.volume_at(process.path(name)))
        except OSError as error:
            process.warn(f"{name}: {error.strerror}")
            status = 1
    if not rows:
        return status
    last = arguments.last("B", "h", "H", "k", "m")
    text = arguments.get("B") or "1K"
    try:
        unit = {"h": 0, "H": 0, "k": 1024, "m": 1 << 20}[last] if last in {"h", "H", "k", "m"} else parse_size(text)
    except ValueError:
        raise UsageError(f"invalid -B argument {quote(text)}", hint=False) from None
    if "i" in arguments:
        titles = ["Inodes", "IUsed", "IFree", "IUse%"]
    else:
        titles = [_size_title(unit, text if last == "B" else ""), "Used", "Avail" if unit == 0 else "Available", "Capacity" if "P" in arguments else "Use%"]
    base = 1000 if last == "H" else 1024
    lines = [[volume.label, volume.kind, *_figures(volume.space(), unit, base, inodes="i" in arguments), path] for path, volume in rows]
    _print(process, [["Filesystem", "Type", *titles, "Mounted on"], *lines], with_type="T" in arguments)
    return status


def _figures(space: Space | None, unit: int, base: int, *, inodes: bool) -> list[str]:
    """Size, used, available and used percentage of a file system; how full one of the host is stays the host's business."""
    if space is None:
        return ["-"] * 4
    if inodes:
        return [str(space.max_files), str(space.files), str(max(0, space.max_files - space.files)), _percent(space.files, space.max_files)]
    sizes = (space.max_bytes, space.bytes, max(0, space.max_bytes - space.bytes))
    return [*(human(size, base) if unit == 0 else str(-(-size // unit)) for size in sizes), _percent(space.bytes, space.max_bytes)]


def _size_title(unit: int, text: str) -> str:
    if unit == 0:
        return "Size"
    return f"{text if text[:1].isdecimal() else '1' + text}-blocks" if text else {1024: "1K-blocks", 1 << 20: "1M-blocks"}.get(unit, f"{unit}-blocks")


def _percent(part: int, whole: int) -> str:
    return f"{-(-part * 100 // whole)}%"


def _print(process: Process, lines: list[list[str]], *, with_type: bool) -> None:
    if not with_type:
        lines = [[line[0], *line[2:]] for line in lines]
    left = 2 if with_type else 1
    widths = [max(14 if index == 0 else 0 if index < left else 5, *map(len, column)) for index, column in enumerate(zip(*lines, strict=True))]
    for line in lines:
        cells = [cell.ljust(width) if index < left else cell.rjust(width) for index, (cell, width) in enumerate(zip(line[:-1], widths, strict=False))]
        process.write(" ".join([*cells, line[-1]]) + "\n")

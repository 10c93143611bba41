"""df: report file system space usage (POSIX XCU df)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._quoting import quote
from bashkit.commands._sizes import human, parse_size
from bashkit.interp.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
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
    """Print the one file system there is; 1 when a file does not exist."""
    status = 0
    count = 0 if arguments.operands else 1
    for name in arguments.operands:
        try:
            process.fs.lookup(process.path(name))
            count += 1
        except OSError as error:
            process.warn(f"{name}: {error.strerror}")
            status = 1
    if not count:
        return status
    last = arguments.last("B", "h", "H", "k", "m")
    text = arguments.get("B") or "1K"
    try:
        unit = {"h": 0, "H": 0, "k": 1024, "m": 1 << 20}[last] if last in {"h", "H", "k", "m"} else parse_size(text)
    except ValueError:
        raise UsageError(f"invalid -B argument {quote(text)}", hint=False) from None
    total = process.budget.limits.max_file_system_bytes
    used, files = _used(process)
    if "i" in arguments:
        limit = process.budget.limits.max_files
        figures = [str(limit), str(files), str(max(0, limit - files)), _percent(files, limit)]
        titles = ["Inodes", "IUsed", "IFree", "IUse%"]
    else:
        base = 1000 if last == "H" else 1024
        figures = [human(size, base) if unit == 0 else str(-(-size // unit)) for size in (total, used, max(0, total - used))]
        figures.append(_percent(used, total))
        titles = [_size_title(unit, text if last == "B" else ""), "Used", "Avail" if unit == 0 else "Available", "Capacity" if "P" in arguments else "Use%"]
    _print(process, titles, figures, count, with_type="T" in arguments)
    return status


def _size_title(unit: int, text: str) -> str:
    if unit == 0:
        return "Size"
    return f"{text if text[:1].isdecimal() else '1' + text}-blocks" if text else {1024: "1K-blocks", 1 << 20: "1M-blocks"}.get(unit, f"{unit}-blocks")


def _percent(part: int, whole: int) -> str:
    return f"{-(-part * 100 // whole)}%"


def _used(process: Process) -> tuple[int, int]:
    """Bytes and files that the tree holds."""
    size, count = 0, 0
    pending = ["/"]
    while pending:
        process.budget.tick(10)
        path = pending.pop()
        stat = process.fs.stat(path, follow=False)
        count += 1
        if stat.type == "directory":
            try:
                pending.extend(f"{path.rstrip('/')}/{name}" for name in process.fs.listdir(path))
            except PermissionError:
                continue
        elif stat.type == "file":
            size += stat.size
    return size, count


def _print(process: Process, titles: list[str], figures: list[str], count: int, *, with_type: bool) -> None:
    heads = ["Filesystem", *(["Type"] if with_type else []), *titles, "Mounted on"]
    row = ["memory", *(["tmpfs"] if with_type else []), *figures, "/"]
    left = 2 if with_type else 1
    widths = [max(len(head), len(cell), 14 if index == 0 else 0 if index <= left - 1 else 5) for index, (head, cell) in enumerate(zip(heads, row, strict=True))]
    for line in [heads] + [row] * count:
        cells = [cell.ljust(width) if index < left else cell.rjust(width) for index, (cell, width) in enumerate(zip(line[:-1], widths, strict=False))]
        process.write(" ".join([*cells, line[-1]]) + "\n")

"""df: report file system space usage (POSIX XCU df)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from bashkit.commands._notation.quoting import mention, quote_if_needed
from bashkit.commands._notation.sizes import BlockSize, block_size, block_size_of, check_block_size
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.fs.volume import Volume
    from bashkit.interp.utility.process import Process

_FIELDS = ("source", "fstype", "itotal", "iused", "iavail", "ipcent", "size", "used", "avail", "pcent", "file", "target")
_TITLES = {"source": "Filesystem", "fstype": "Type", "itotal": "Inodes", "iused": "IUsed", "iavail": "IFree", "ipcent": "IUse%",
           "used": "Used", "pcent": "Use%", "file": "File", "target": "Mounted on"}  # fmt: skip
_LEFT = frozenset({"source", "fstype", "file", "target"})
_NARROWEST = {"source": 14, "fstype": 4, "file": 4, "target": 0, "pcent": 4, "ipcent": 4}


@dataclass(frozen=True, slots=True)
class _Row:
    """One file system; its usage is None if the volume hides it."""

    source: str
    kind: str
    file: str
    target: str
    inodes: tuple[int, int] | None
    bytes: tuple[int, int] | None


@command(
    "df",
    usage="[OPTION]... [FILE]...",
    summary="Show information about the file system on which each FILE resides, or all file systems.",
    options=(
        flag("-a", "--all", help="include pseudo file systems (there are none)"),
        value("-B", "--block-size", metavar="SIZE", help="scale sizes by SIZE before printing them", check=check_block_size),
        flag("-h", "--human-readable", help="print sizes in powers of 1024 (e.g., 1023M)"),
        flag("-H", "--si", help="print sizes in powers of 1000 (e.g., 1.1G)"),
        flag("-i", "--inodes", help="list inode information instead of block usage"),
        flag("-k", help="like --block-size=1K"),
        flag("-l", "--local", help="limit listing to local file systems"),
        flag("-m", help="like --block-size=1M"),
        flag("-P", "--portability", help="use the POSIX output format"),
        value(
            "--output",
            metavar="FIELD_LIST",
            optional=True,
            help="use the output format defined by FIELD_LIST, or print all fields",
        ),
        flag("-T", "--print-type", help="print file system type"),
        value("-t", "--type", metavar="TYPE", help="limit listing to file systems of type TYPE"),
        value("-x", "--exclude-type", metavar="TYPE", help="limit listing to file systems not of type TYPE"),
        flag("--total", help="produce a grand total"),
        flag("--sync", "--no-sync", "-v", help="(ignored: nothing waits to be written)"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the root file system and what is mounted in it; 1 when a file does not exist, or nothing is left to print."""
    fields, unit = _fields(arguments), _unit(process, arguments)
    only, without = arguments.all("t"), arguments.all("x")
    for kind in only:
        if kind in without:
            process.warn(f"file system type {mention(kind)} both selected and excluded")
    if {*only} & {*without}:
        return 1
    status = 0
    volumes = {"/": cast("Volume", process.fs.volume)} | {path: volume for path, (_, volume) in process.fs.mounts().items()}
    found = [] if arguments.operands else [("-", path, volume) for path, volume in volumes.items()]
    for name in arguments.operands:
        try:
            path, volume = process.fs.volume_at(process.path(name))
            found.append((name, path, volume))
        except OSError as error:
            process.warn(f"{quote_if_needed(name)}: {error.strerror}")
            status = 1
    rows = [_row(*place) for place in found]
    rows = [row for row in rows if (not only or row.kind in only) and row.kind not in without]
    if not rows:
        if not status:
            process.warn("no file systems processed")
        return 1
    if "total" in arguments:
        rows.append(_total(rows, "source" in fields))
    titles = _TITLES | {
        "size": f"{unit.size if 'P' in arguments else unit.title()}-blocks" if unit.size else "Size",
        "avail": "Avail" if unit.size == 0 or "output" in arguments else "Available",
        "pcent": "Capacity" if "P" in arguments and unit.size else "Use%",
    }
    _print(
        process, fields, [[titles[field] for field in fields], *([_cell(row, field, unit) for field in fields] for row in rows)]
    )
    return status


def _fields(arguments: Arguments) -> list[str]:
    """The cells of a row."""
    if "output" in arguments:
        for key in ("i", "P", "T"):
            if key in arguments:
                raise UsageError(f"options -{key} and --output are mutually exclusive")
        listed = [text for key, text in arguments.given if key == "output"]
        fields: list[str] = []
        for field in (name for text in listed for name in (text.split(",") if text is not None else _FIELDS)):
            if field not in _FIELDS:
                raise UsageError(f"option --output: field {mention(field)} unknown")
            if field in fields:
                raise UsageError(f"option --output: field {mention(field)} used more than once")
            fields.append(field)
        return fields
    kind = ["fstype"] if "T" in arguments else []
    figures = ["itotal", "iused", "iavail", "ipcent"] if "i" in arguments else ["size", "used", "avail", "pcent"]
    return ["source", *kind, *figures, "target"]


def _unit(process: Process, arguments: Arguments) -> BlockSize:
    last = arguments.last("B", "h", "H", "k", "m")
    if last is None:
        names = () if "P" in arguments else ("DF_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE")
        return block_size_of(process.env, *names)
    if last == "B":
        return block_size(arguments.get("B") or "")
    return BlockSize({"h": 0, "H": 0, "k": 1024, "m": 1 << 20}[last], 1000 if last == "H" else 1024)


def _row(name: str, path: str, volume: Volume) -> _Row:
    space = volume.space()
    if space is None:
        return _Row(volume.label, volume.kind, name, path, None, None)
    return _Row(volume.label, volume.kind, name, path, (space.files, space.max_files), (space.bytes, space.max_bytes))


def _total(rows: list[_Row], named: bool) -> _Row:
    inodes = [row.inodes for row in rows if row.inodes is not None]
    sizes = [row.bytes for row in rows if row.bytes is not None]
    used = (sum(pair[0] for pair in inodes), sum(pair[1] for pair in inodes))
    filled = (sum(pair[0] for pair in sizes), sum(pair[1] for pair in sizes))
    return _Row("total", "-", "-", "-" if named else "total", used, filled)


def _cell(row: _Row, field: str, unit: BlockSize) -> str:
    if field in _LEFT:
        return {"source": row.source, "fstype": row.kind, "file": row.file, "target": row.target}[field]
    pair = row.inodes if field.startswith("i") else row.bytes
    if pair is None:
        return "-"
    used, whole = pair
    if field.endswith("pcent"):
        return f"{-(-used * 100 // whole)}%" if whole else "-"
    amount = {"size": whole, "itotal": whole, "used": used, "iused": used}.get(field, max(0, whole - used))
    return str(amount) if field.startswith("i") else unit.show(amount)


def _print(process: Process, fields: list[str], lines: list[list[str]]) -> None:
    widths = [
        max(_NARROWEST.get(field, 5), *map(len, column)) for field, column in zip(fields, zip(*lines, strict=True), strict=True)
    ]
    for line in lines:
        cells = [
            cell.ljust(width) if field in _LEFT else cell.rjust(width)
            for field, cell, width in zip(fields, line, widths, strict=True)
        ]
        process.write(" ".join([*cells[:-1], line[-1] if fields[-1] in _LEFT else cells[-1]]) + "\n")

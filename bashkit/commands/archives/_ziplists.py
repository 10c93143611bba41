"""Lists the members of zip archives as unzip and zipinfo do (unzip(1), zipinfo(1))."""

from __future__ import annotations

import stat as modes
from typing import TYPE_CHECKING

from bashkit.commands.archives._zipped import (
    effort,
    is_described_behind,
    is_encrypted,
    is_text,
    method,
    moment,
    saved_tenths,
    zone_of,
)
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    import zipfile
    from datetime import tzinfo

    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_METHODS = {0: "stor", 8: "def", 12: "bzp2", 14: "lzma"}
_BESIDE = ("-x", "lX")  # what there is of a member besides its content: an extra field, sizes behind it
_FORMS = ("1", "2", "s", "m", "l", "v")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _moment(entry: zipfile.ZipInfo, zone: tzinfo) -> str:
    year, month, day, hour, minute, _ = moment(entry, zone)
    return f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"


def _ratio(plain: int, packed: int) -> int:
    """The saved size in per cent: rounded from the tenths, which are rounded."""
    tenths = saved_tenths(plain, packed)
    return (tenths + 5) // 10 if tenths >= 0 else -((5 - tenths) // 10)


def show(process: Process, members: list[zipfile.ZipInfo], *, verbose: bool, quiet: int, lower: bool) -> None:
    """List members with their sizes and times, and with ``verbose`` how they are compressed; ``lower`` is said by the heading."""
    told, tail = (' ("^" ==> case', "   conversion)") if lower else ("", "")
    plain, packed, count = sum(entry.file_size for entry in members), sum(entry.compress_size for entry in members), len(members)
    files = f"{count} file{'' if count == 1 else 's'}"
    zone = zone_of(process)
    if not verbose:
        if quiet < 2:
            process.write(f"  Length      Date    Time    Name{told}\n---------  ---------- -----   ----{tail}\n")
        for entry in paced_if_many(members):
            process.write(f"{entry.file_size:9}  {_moment(entry, zone)}   {entry.filename}\n")
        if quiet < 2:
            process.write(f"---------                     -------\n{plain:9}                     {files}\n")
        return
    if quiet < 2:
        process.write(f" Length   Method    Size  Cmpr    Date    Time   CRC-32   Name{told}\n")
        process.write(f"--------  ------  ------- ---- ---------- ----- --------  ----{tail}\n")
    for entry in members:
        process.write(
            f"{entry.file_size:8}  {method(entry):6} {entry.compress_size:8} {_ratio(entry.file_size, entry.compress_size):3}% "
            f"{_moment(entry, zone)} {entry.CRC:08x}  {entry.filename}\n"
        )
    if quiet < 2:
        process.write("--------          -------  ---                            -------\n")
        process.write(f"{plain:8} {packed:16} {_ratio(plain, packed):3}%                            {files}\n")


def show_information(
    process: Process, arguments: Arguments, path: str, members: list[zipfile.ZipInfo], comment: str, *, count: int, chosen: bool
) -> None:
    """List members as zipinfo does: a line for each between the sums, or what the options select of that.

    Args:
        process: The utility.
        arguments: ``-1``, ``-2``, ``-s``, ``-m``, ``-l``, ``-h``, ``-t`` and ``-T`` of zipinfo.
        path: The archive.
        members: The chosen members.
        comment: The archive's, to be shown, or empty.
        count: How many members it has.
        chosen: Whether the members were named.
    """
    form = arguments.last(*_FORMS)
    wanted = [key for key in ("h", "t") if key in arguments]
    if has_header(arguments, chosen=chosen):
        show_header(process, path, comment, count=count)
    elif form != "1":
        process.write(comment)
    if form is not None or not wanted or chosen:
        decimal, zone = "T" in arguments, zone_of(process)
        for entry in members:
            process.budget.tick(10)
            process.write(f"{'' if form in {'1', '2'} else _line(entry, form or 's', zone, decimal=decimal)}{entry.filename}\n")
    if has_totals(arguments, chosen=chosen):
        plain, packed = sum(entry.file_size for entry in members), sum(entry.compress_size for entry in members)
        tenths = saved_tenths(plain, packed)
        ratio = f"{'-' if tenths < 0 else ' '}{abs(tenths) // 10}.{abs(tenths) % 10}%"
        files = f"{len(members)} file{'' if len(members) == 1 else 's'}"
        process.write(f"{files}, {plain} bytes uncompressed, {packed} bytes compressed: {ratio}\n")


def has_header(arguments: Arguments, *, chosen: bool) -> bool:
    """Whether zipinfo shows a line about the archive: with ``-h``, or where all members are shown, each in a line of its own."""
    form = arguments.last(*_FORMS)
    return form != "1" and ("h" in arguments or ("t" not in arguments and form != "2" and not chosen))


def has_totals(arguments: Arguments, *, chosen: bool) -> bool:
    """Whether zipinfo shows a line with sums: with ``-t``, or where all members are shown, each in a line of its own."""
    form = arguments.last(*_FORMS)
    return form != "1" and ("t" in arguments or ("h" not in arguments and form != "2" and not chosen))


def show_header(process: Process, path: str, comment: str, *, count: int) -> None:
    """Show the name and comment of an archive, its size, and how many members it has."""
    size = process.fs.stat(process.path(path)).size
    process.write(f"Archive:  {path}\n{comment}Zip file size: {size} bytes, number of entries: {count}\n")


def _line(entry: zipfile.ZipInfo, form: str, zone: tzinfo, *, decimal: bool) -> str:
    """What stands before a name: mode, version, size, kind, in some forms the compressed size or its ratio, method and time."""
    kind = "t" if is_text(entry) else "b"
    kind = (kind.upper() if is_encrypted(entry) else kind) + _BESIDE[is_described_behind(entry)][bool(entry.extra)]
    packed = {"m": f"{_ratio(entry.file_size, entry.compress_size):3}%", "l": f" {entry.compress_size:8}"}.get(form, "")
    year, month, day, hour, minute, second = moment(entry, zone)
    time = f"{year % 100:02}-{_MONTHS[(month - 1) % 12]}-{day:02} {hour:02}:{minute:02}"
    if decimal:
        time = f"{year:04}{month:02}{day:02}.{hour:02}{minute:02}{second:02}"
    version = f"{entry.create_version // 10}.{entry.create_version % 10}"
    how = _METHODS.get(entry.compress_type, "u###")
    how += effort(entry) if how == "def" else ""
    return f"{modes.filemode(entry.external_attr >> 16)}  {version} unx {entry.file_size:8} {kind}{packed} {how} {time} "

"""The order of a listing: by name, size, time, extension or version (GNU coreutils manual, Sorting the output)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.versions import version_key

if TYPE_CHECKING:
    from bashkit.commands.listing.ls.layout import Entry


def ordered(entries: list[Entry], *, by: str, time: str, reverse: bool, directories_first: bool) -> list[Entry]:
    """Sort entries.

    Args:
        entries: The entries.
        by: ``name``, ``size``, ``time``, ``version``, ``extension``, ``width`` or ``none``.
        time: The time stamp for ``time``.
        reverse: Reverse the order.
        directories_first: Keep directories before files, whatever the order.
    """
    if by != "none":
        entries = sorted(entries, key=lambda entry: name_key(entry.name), reverse=reverse)
        if by == "size":
            entries.sort(key=lambda entry: entry.stat.size if reverse else -entry.stat.size)
        elif by == "time":
            entries.sort(key=lambda entry: getattr(entry.stat, time) * (1 if reverse else -1))
        elif by == "version":
            entries.sort(key=lambda entry: version_key(name_key(entry.name)), reverse=reverse)
        elif by == "extension":
            entries.sort(
                key=lambda entry: name_key(entry.name[entry.name.rfind(".") :] if "." in entry.name else ""), reverse=reverse
            )
        elif by == "width":
            entries.sort(key=lambda entry: len(entry.name), reverse=reverse)
    if directories_first:
        entries = sorted(entries, key=lambda entry: not entry.leads_to_directory)
    return entries


def name_key(name: str) -> bytes:
    """The sort key of the C locale: the bytes."""
    return name.encode("utf-8", "surrogateescape")

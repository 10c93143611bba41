"""The files of a session: what a script has changed, and what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs.inodes import Directory, PendingFile, RegularFile, Symlink

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.bash.snapshot import Snapshot
    from bashkit.fs.inodes import Node


def changed_files(before: Snapshot, after: Snapshot) -> list[str]:
    """The files and links that one snapshot has and the other has not, or not the same, by path. What has not changed since the
    last snapshot is shared by both, and costs nothing.
    """
    old, new = _roots(before), _roots(after)
    found: list[str] = []
    for place in sorted({*old, *new}):
        found += _differences(place, old.get(place), new.get(place))
    return sorted(set(found))


def find_file(snapshot: Snapshot, path: str) -> bytes | None:
    """The content of a file; None if there is none in memory."""
    roots = _roots(snapshot)
    for place in sorted(roots, key=len, reverse=True):
        if path.startswith(f"{place}/"):
            node: Node | None = roots[place]
            for name in path[len(place) + 1 :].split("/"):
                node = node.entries.get(name) if isinstance(node, Directory) else None
            return _data(node)
    return None


def _data(node: Node | None) -> bytes | None:
    if not isinstance(node, RegularFile) or (isinstance(node, PendingFile) and node.source is not None):
        return None
    return bytes(node.data)


def _roots(snapshot: Snapshot) -> Mapping[str, Directory]:
    """The directories that are in memory, by path; "" is the root."""
    mounted = {path.rstrip("/"): mount.tree.root for path, mount in snapshot.mounts.items() if mount.tree is not None}
    return {"": snapshot.tree.root, **mounted}


def _differences(path: str, old: Node | None, new: Node | None) -> Iterator[str]:
    pending = [(path, old, new)]
    while pending:
        here, before, after = pending.pop()
        if before is after:
            continue
        one = before.entries if isinstance(before, Directory) else {}
        other = after.entries if isinstance(after, Directory) else {}
        pending += [(f"{here}/{name}", one.get(name), other.get(name)) for name in {**one, **other}]
        content, now = _content(before), _content(after)
        if content is not now and content != now:  # what is shared need not be compared byte by byte
            yield here


def _content(node: Node | None) -> object:
    """What makes a file another one; None for everything that is not a file or a link."""
    if isinstance(node, PendingFile) and node.source is not None:
        return node.source
    if isinstance(node, RegularFile):
        return node.data
    return node.target if isinstance(node, Symlink) else None

"""Collects the files below a directory for a tree, selected and sorted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.ignorerules import IgnoreRule, read_rules
from bashkit.commands._filesystem.lines import PATTERN, read_names
from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.versions import version_key
from bashkit.commands.listing.ls.order import name_key
from bashkit.commands.listing.tree.notes import Notes, note_about, read_notes
from bashkit.interp.utility.command import UsageError
from bashkit.regex.glob import compile_glob
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stat, Stream
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

SORTS = ("name", "version", "size", "mtime", "ctime")


@dataclass(slots=True)
class Node:
    """A file or directory of the tree.

    Attributes:
        name: Its last component.
        path: Its path from the working directory.
        stat: Its own status, a link's too.
        target: The target of a link; empty for other files.
        target_stat: The status of the target; None if it is missing or this is not a link.
        children: Its entries; None if it was not opened.
        remark: Why it was not opened, shown in brackets after the name.
        size: Its size, with ``--du`` including everything below it.
        note: The lines of an ``.info`` file about it.
        ignored: The ignore rules for its entries, each with the directory of its file.
        matched: Whether, with ``--matchdirs``, it is a directory that ``-P`` selects.
        everything: Whether its entries are shown whatever their names: it matched, and is an entry of the directory that
            was named.
        top: Whether it is the directory that was named.
    """

    name: str
    path: str
    stat: Stat
    target: str = ""
    target_stat: Stat | None = None
    children: list[Node] | None = None
    remark: str = ""
    size: int = 0
    note: tuple[str, ...] = ()
    ignored: tuple[tuple[str, IgnoreRule], ...] = field(default=())
    matched: bool = False
    everything: bool = False
    top: bool = False

    @property
    def is_directory(self) -> bool:
        """Whether it counts as a directory, as a link to one does."""
        return self.stat.type == "directory" or (self.target_stat is not None and self.target_stat.type == "directory")


class Gatherer:
    """Reads directories without recursion in Python.

    Args:
        process: The running command.
        arguments: The options of tree.
        level: How deep to go.
    """

    def __init__(self, process: Process, arguments: Arguments, level: int) -> None:
        self._process = process
        self._arguments = arguments
        self._level = level
        case = "ignore-case" in arguments
        self._only, self._without = (
            [
                compile_glob(part.rstrip("/"), extglob=False, ignore_case=case)
                for pattern in arguments.all(key)
                for part in pattern.split("|")
            ]
            for key in ("P", "I")
        )
        limit = arguments.get("filelimit")
        self._limit = clamped(limit) if limit is not None and is_digits(limit) else 0
        self._seen: set[str] = set()
        given = self._given("gitfile", "gitignore file")
        self._rules = [] if given is None else read_rules(process, given)
        given = self._given("infofile", "infofile")
        self._notes = [] if given is None else read_notes(process, given, whole=True)
        self.failed = False

    def _given(self, key: str, what: str) -> Stream | None:
        """The file of rules that an option names.

        Raises:
            UsageError: It cannot be read.
        """
        name = self._arguments.get(key)
        try:
            return None if name is None else self._process.open(name)
        except OSError:
            raise UsageError(f"Could not load {what}", hint=False) from None

    def gather(self, name: str) -> Node | None:
        """Collect the tree below a directory, or a link to one, whose own status it has; None if it is neither."""
        path = self._process.path(name)
        try:
            target, stat = self._process.fs.stat(path), self._process.fs.stat(path, follow=False)
        except OSError:
            return None
        if target.type != "directory":
            return None
        root = Node(name, name, stat, size=stat.size, ignored=tuple((name, rule) for rule in self._rules), top=True)
        self._seen.add(self._process.fs.realpath(self._process.path(name)))
        pending = [(root, 0)]
        order: list[Node] = []
        while pending:
            node, depth = pending.pop()
            if depth >= self._level or (depth and self._is_loop(node)):
                continue
            order.append(node)
            self._open(node)
            pending.extend(
                (child, depth + 1)
                for child in reversed(node.children or [])
                if child.stat.type == "directory" or ("l" in self._arguments and child.is_directory)
            )
        for node in reversed(order):
            self._close(node)
        return root

    def from_names(self, name: str, stream: Stream) -> Node:
        """Build the tree from a list of paths (``--fromfile``)."""
        stat = self._process.fs.stat("/")
        plain = stat._replace(type="file", size=0, mode=0o644)
        root = Node(name, name, stat, top=True)
        for line in read_names(self._process, stream):
            node = root
            path, arrow, target = line.partition(" -> ") if "fflinks" in self._arguments else (line, "", "")
            parts = [part for part in path.split("/") if part]
            self._process.budget.tick(len(parts) + 1)
            for part in parts:
                node.children = node.children or []
                known = next((child for child in node.children if child.name == part), None)
                if known is None:
                    self._process.hold(PATTERN + len(node.path))
                    self._process.budget.tick(1 + (len(node.path) >> 12))
                    known = Node(part, join(node.path, part), plain)
                    node.children.append(known)
                node.stat = stat
                node = known
            if arrow and parts:
                node.target, node.stat = target, node.stat._replace(type="symlink")
        order, depths = [root], [0]
        for node, depth in zip(order, depths, strict=False):  # both lists grow during the loop
            chosen = [child for child in node.children or [] if self._is_wanted(node, child)] if depth < self._level else []
            node.children = self._sorted(chosen) if node.children is not None else None
            below = [child for child in chosen if child.children]
            order.extend(below)
            depths.extend(depth + 1 for _ in below)
        for node in reversed(order):
            self._close(node)
        return root

    def _is_loop(self, node: Node) -> bool:
        """Whether a link leads to a directory that was opened before, so that it is not followed."""
        if "l" not in self._arguments:
            return False
        place = self._process.fs.realpath(self._process.path(node.path))
        if node.stat.type == "symlink" and place in self._seen:
            node.remark = "  [recursive, not followed]"
            return True
        self._seen.add(place)
        return False

    def _open(self, node: Node) -> None:
        fs, path = self._process.fs, self._process.path(node.path)
        try:
            names = fs.listdir(path)
        except OSError:
            self.failed = True
            node.children, node.remark = [], "  [error opening dir]"
            return
        self._process.budget.words(len(names))
        self._process.budget.tick(len(names) * 20)
        if "gitignore" in self._arguments and ".gitignore" in names:
            rules = read_rules(self._process, fs.open(f"{path.rstrip('/')}/.gitignore", read=True))
            node.ignored = (*node.ignored, *((node.path, rule) for rule in rules))
        found = [self._child(node, name) for name in names]
        found = [child for child in found if self._is_wanted(node, child)]
        if "info" in self._arguments or "infofile" in self._arguments:
            self._annotate(found, path, names)
        if self._limit and len(found) > self._limit:
            node.children, node.remark = None, f"  [{len(found)} entries exceeds filelimit, not opening dir]"
            return
        node.children = self._sorted(found)

    def _annotate(self, children: list[Node], path: str, names: list[str]) -> None:
        """Attach the notes of a directory's ``.info`` file to its entries."""
        notes: Notes = []
        if ".info" in names:
            notes = read_notes(self._process, self._process.fs.open(f"{path.rstrip('/')}/.info", read=True))
        for child in children:
            self._process.budget.tick(len(notes) + len(self._notes))
            child.note = note_about(notes, [child.name], is_directory=child.is_directory)
            child.note = child.note or note_about(self._notes, child.path.split("/"), is_directory=child.is_directory)

    def _child(self, node: Node, name: str) -> Node:
        fs, path = self._process.fs, join(node.path, name)
        stat = fs.stat(self._process.path(path), follow=False)
        child = Node(name, path, stat, size=stat.size, ignored=node.ignored)
        if stat.type == "symlink":
            child.target = fs.readlink(self._process.path(path))
            try:
                child.target_stat = fs.stat(self._process.path(path))
            except OSError:
                child.target_stat = None
        return child

    def _is_wanted(self, parent: Node, node: Node) -> bool:
        arguments, name = self._arguments, node.name
        if name.startswith(".") and name != "." and "a" not in arguments:
            return False
        if any(glob.matches(name) for glob in self._without):
            return False
        directory = node.is_directory or node.children is not None
        if self._is_ignored(node):
            return False
        selected = any(glob.matches(name) for glob in self._only)
        matched = selected or parent.everything or not self._only
        if directory:
            node.matched = selected and "matchdirs" in arguments
            node.everything = node.matched and parent.top
            return node.stat.type == "directory" or "l" in arguments or matched
        return "d" not in arguments and matched

    @staticmethod
    def _is_ignored(node: Node) -> bool:
        """Whether the last matching rule ignores a file."""
        for directory, rule in reversed(node.ignored):
            parts = [part for part in node.path.removeprefix(directory).split("/") if part]
            if rule.matches(parts, is_directory=node.stat.type == "directory"):
                return not rule.keeps
        return False

    def _sorted(self, nodes: list[Node]) -> list[Node]:
        arguments = self._arguments
        if "U" in arguments:
            return nodes
        last = arguments.last("t", "c", "v", "sort")
        by = (
            (arguments.get("sort") or "name")
            if last == "sort"
            else {"t": "mtime", "c": "ctime", "v": "version"}.get(last or "", "name")
        )
        keys: dict[str, Callable[[Node], object]] = {
            "version": lambda node: version_key(name_key(node.name)),
            "size": lambda node: -node.size,
            "mtime": lambda node: node.stat.mtime,
            "ctime": lambda node: node.stat.ctime,
        }
        nodes = sorted(nodes, key=lambda node: name_key(node.name), reverse="r" in arguments)
        if by in keys:
            nodes.sort(key=keys[by], reverse="r" in arguments)  # type: ignore[arg-type]  # all of one kind, so they compare
        if "dirsfirst" in arguments or "filesfirst" in arguments:
            nodes.sort(key=lambda node: node.is_directory == ("filesfirst" in arguments))
        return nodes

    def _close(self, node: Node) -> None:
        """Finish a directory after its entries were read: prune it, and add up its size."""
        children = node.children or []
        if "prune" in self._arguments and "d" not in self._arguments and node.children is not None:
            node.children = children = [child for child in children if not child.is_directory or child.children or child.matched]
        if "du" in self._arguments:
            node.size += sum(child.size for child in children)
            if (self._arguments.get("sort") or "") == "size":
                node.children = self._sorted(children)

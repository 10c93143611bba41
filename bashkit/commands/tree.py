"""tree: list contents of directories in a tree-like format (the manual of tree 2.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._listorder import name_key
from bashkit.commands._modes import letters
from bashkit.commands._sizes import human
from bashkit.commands._targets import join
from bashkit.interp.command import Arguments, UsageError, command, flag, value
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.process import Process

_MARKS = {"directory": "/", "symlink": "", "fifo": "|"}


@command(
    "tree",
    usage="[OPTION]... [DIRECTORY]...",
    summary="List contents of directories in a tree-like format.",
    options=(
        flag("-a", help="all files are listed"),
        flag("-d", help="list directories only"),
        flag("-f", help="print the full path prefix for each file"),
        flag("-F", help="append '/', '*', or '|' as per ls -F"),
        flag("-h", help="print the size in a more human readable way"),
        flag("-i", help="don't print indentation lines"),
        value("-I", metavar="PATTERN", help="do not list files that match the given pattern"),
        flag("-J", help="print out a JSON representation of the tree"),
        value("-L", metavar="LEVEL", help="descend only LEVEL directories deep"),
        flag("-n", help="turn colorization off always"),
        flag("--noreport", help="turn off file/directory count at end of tree listing"),
        value("-P", metavar="PATTERN", help="list only those files that match the pattern given"),
        flag("-p", help="print the protections for each file"),
        flag("--prune", help="prune empty directories from the output"),
        flag("-r", help="reverse the order of the sort"),
        flag("-s", help="print the size in bytes of each file"),
        flag("-t", help="sort files by last modification time"),
        flag("-U", help="leave files unsorted"),
        flag("--dirsfirst", help="list directories before files"),
    ),
    model="tree 2.1.0",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the trees; 2 when a directory cannot be opened."""
    level = arguments.get("L")
    if level is not None and (not level.isdecimal() or not int(level)):
        raise UsageError("Invalid level, must be greater than 0.", hint=False)
    return _Printer(process, arguments, int(level) if level is not None else 1 << 30).run()


@dataclass(slots=True)
class _Node:
    """A name with its status and what it holds."""

    name: str
    path: str
    stat: Stat
    children: list[_Node] | None = None


class _Printer:
    """Gathers a tree, then prints it; neither recurses in Python."""

    def __init__(self, process: Process, arguments: Arguments, level: int) -> None:
        self._process = process
        self._arguments = arguments
        self._level = level
        self._only = [compile_glob(part, extglob=False) for pattern in arguments.all("P") for part in pattern.split("|")]
        self._without = [compile_glob(part, extglob=False) for pattern in arguments.all("I") for part in pattern.split("|")]
        self._directories = self._files = 0
        self._status = 0

    def run(self) -> int:
        """Print every operand and the report; return the exit status."""
        records: list[object] = []
        for name in self._arguments.operands or ["."]:
            root = self._gather(name)
            if root is None:
                records.append({"type": "directory", "name": name, "contents": [{"error": "opening dir"}]})
                if "J" not in self._arguments:
                    self._process.write(f"{name}  [error opening dir]\n")
                self._status = 2
            elif "J" in self._arguments:
                records.append(self._record(root))
            else:
                self._print(root)
        if "J" in self._arguments:
            if "noreport" not in self._arguments:
                report: dict[str, object] = {"type": "report", "directories": self._directories}
                records.append(report if "d" in self._arguments else {**report, "files": self._files})
            self._process.write(json.dumps(records, indent=2, ensure_ascii=False) + "\n")
        elif "noreport" not in self._arguments:
            self._report()
        return self._status

    def _report(self) -> None:
        text = f"\n{self._directories} director{'y' if self._directories == 1 else 'ies'}"
        if "d" not in self._arguments:
            text += f", {self._files} file{'' if self._files == 1 else 's'}"
        self._process.write(text + "\n")

    def _gather(self, name: str) -> _Node | None:
        fs = self._process.fs
        try:
            stat = fs.stat(self._process.path(name))
        except OSError:
            return None
        if stat.type != "directory":
            return None
        root = _Node(name, name, stat)
        self._directories += 1
        pending = [(root, 0)]
        order: list[_Node] = []
        while pending:
            node, depth = pending.pop()
            if depth >= self._level:
                continue
            order.append(node)
            node.children = self._children(node)
            pending.extend((child, depth + 1) for child in reversed(node.children) if child.stat.type == "directory")
        if "prune" in self._arguments:
            for node in reversed(order):
                node.children = [child for child in node.children or [] if child.stat.type != "directory" or child.children]
        self._count(root)
        return root

    def _count(self, root: _Node) -> None:
        pending = list(root.children or [])
        while pending:
            node = pending.pop()
            if node.stat.type == "directory":
                self._directories += 1
            else:
                self._files += 1
            pending.extend(node.children or [])

    def _children(self, node: _Node) -> list[_Node]:
        fs, arguments = self._process.fs, self._arguments
        try:
            names = fs.listdir(self._process.path(node.path))
        except OSError:
            self._status = 2
            return []
        self._process.budget.words(len(names))
        self._process.budget.tick(len(names) * 20)
        found = []
        for name in names:
            path = join(node.path, name)
            stat = fs.stat(self._process.path(path), follow=False)
            if self._is_wanted(name, stat):
                found.append(_Node(name, path, stat))
        if "U" not in arguments:
            found.sort(key=lambda child: name_key(child.name), reverse="r" in arguments)
            if "t" in arguments:
                found.sort(key=lambda child: child.stat.mtime, reverse="r" in arguments)
        if "dirsfirst" in arguments:
            found.sort(key=lambda child: child.stat.type != "directory")
        return found

    def _is_wanted(self, name: str, stat: Stat) -> bool:
        if name.startswith(".") and "a" not in self._arguments:
            return False
        if any(glob.matches(name) for glob in self._without):
            return False
        if stat.type == "directory":
            return True
        return "d" not in self._arguments and (not self._only or any(glob.matches(name) for glob in self._only))

    def _print(self, root: _Node) -> None:
        pending: list[tuple[_Node, str, str]] = [(root, "", "")]
        while pending:
            node, prefix, branch = pending.pop()
            self._process.budget.tick(10)
            indent = "" if "i" in self._arguments else prefix + branch
            self._process.write(indent + self._line(node, top=node is root) + "\n")
            below = prefix + {"└── ": "    ", "├── ": "│   "}.get(branch, "")
            children = node.children or []
            last = len(children) - 1
            pending.extend((children[index], below, "└── " if index == last else "├── ") for index in range(last, -1, -1))

    def _line(self, node: _Node, *, top: bool) -> str:
        arguments = self._arguments
        details = []
        if "p" in arguments:
            details.append(letters(node.stat.type, node.stat.mode))
        if "h" in arguments:
            details.append(human(node.stat.size).rjust(4))
        elif "s" in arguments:
            details.append(str(node.stat.size).rjust(11))
        head = f"[{' '.join(details)}]  " if details else ""
        name = node.path if "f" in arguments or top else node.name
        if node.stat.type == "symlink":
            return f"{head}{name} -> {self._process.fs.readlink(self._process.path(node.path))}"
        if "F" in arguments:
            executable = node.stat.type == "file" and node.stat.mode & 0o111
            name += "*" if executable else _MARKS.get(node.stat.type, "") if not name.endswith("/") else ""
        return head + name

    def _record(self, root: _Node) -> dict[str, object]:
        """The JSON form of a tree."""
        record = self._plain(root, root.path)
        pending = [(root, record)]
        while pending:
            node, made = pending.pop()
            if node.children is None:
                continue
            contents: list[object] = []
            made["contents"] = contents
            for child in node.children:
                below = self._plain(child, child.path if "f" in self._arguments else child.name)
                contents.append(below)
                pending.append((child, below))
        return record

    def _plain(self, node: _Node, name: str) -> dict[str, object]:
        kind = {"symlink": "link"}.get(node.stat.type, node.stat.type)
        record: dict[str, object] = {"type": kind, "name": name}
        if kind == "link":
            record["target"] = self._process.fs.readlink(self._process.path(node.path))
        if "s" in self._arguments or "h" in self._arguments:
            record["size"] = node.stat.size
        return record

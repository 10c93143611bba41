"""Comparing files and directories for diff."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, freed, slurp, split_lines
from bashkit.commands._filesystem.targets import join, last_component
from bashkit.commands.comparing.diff.edits import Change, changes
from bashkit.commands.comparing.diff.formats import show
from bashkit.commands.comparing.diff.sides import Side, shown_name
from bashkit.interp.utility.command import UsageError
from bashkit.limits import ask, ask_room, paced, paced_if_many
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.comparing.diff.settings import Settings
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_KINDS = {"directory": "directory", "fifo": "fifo", "character": "character special file", "symlink": "symbolic link"}
_BLANKS = b" \t\n\v\f\r"
_PART = 1 << 16  # bytes of a line that are worked on without a look at the clock
_BINARY_PROBE = 4096  # bytes in which a NUL marks a file as binary


class Comparer:
    """Compares pairs of files, and directories entry by entry."""

    def __init__(self, process: Process, settings: Settings) -> None:
        self._process = process
        self._settings = settings

    def operands(self, old: str, new: str) -> int:
        """Compare two operands and return the exit status."""
        first, second = self._stat(old), self._stat(new)
        failed = False
        for name, stat in ((old, first), (new, second)):
            if stat is None and not (self._is_missing(name) and self._may_be_absent(name == old, first, second)):
                self._say_absent(name)
                failed = True
        if failed:
            return 2
        if first is not None and second is not None and (first.type == "directory") != (second.type == "directory"):
            # A file is compared with the file of the same name in the directory.
            if "-" in {old, new}:
                self._process.warn("cannot compare '-' to a directory")
                return 2
            if first.type == "directory":
                old = join(old, last_component(new))
            else:
                new = join(new, last_component(old))
            first, second = self._stat(old), self._stat(new)
            for name, stat in ((old, first), (new, second)):
                if stat is None:
                    self._say_absent(name)
                    return 2
        known = first or second
        one_lacks = known is not None and None in (first, second) and known.type == "directory"
        if one_lacks or (first is not None and second is not None and first.type == second.type == "directory"):
            if self._settings.style == "merged":
                raise UsageError("-D option not supported with directories", hint=False)
            if first is not None and second is not None and first.ino == second.ino and not self._settings.shows_same:
                return 0
            return self._directories(old, new)
        if first is not None and second is not None and "symlink" in {first.type, second.type}:
            if first.type == second.type:
                return self._links(old, new)
            self._process.write(
                f"File {self._name(old, 0)} is a {_kind(first)} while file {self._name(new, 1)} is a {_kind(second)}\n"
            )
            return 1
        return self._files(old, new, announce=False)

    def _links(self, old: str, new: str) -> int:
        """Compare where two symbolic links lead."""
        fs = self._process.fs
        if fs.readlink(self._process.path(old)) == fs.readlink(self._process.path(new)):
            return 0
        self._process.write(f"Symbolic links {old} and {new} differ\n")
        return 1

    def _may_be_absent(self, is_first: bool, first: Stat | None, second: Stat | None) -> bool:
        if first is None and second is None:
            return False
        return self._settings.new_file or (self._settings.new_first and is_first)

    def _stat(self, name: str) -> Stat | None:
        if name == "-" or self._process.descriptor(name) is not None:
            return _STREAM
        try:
            return self._process.fs.stat(self._process.path(name), follow=self._settings.follow)
        except OSError:
            return None

    def _is_missing(self, name: str) -> bool:
        """Whether a file that cannot be reached does not exist."""
        try:
            self._process.fs.stat(self._process.path(name), follow=self._settings.follow)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return False

    def _say_absent(self, name: str) -> None:
        try:
            self._process.fs.stat(self._process.path(name), follow=self._settings.follow)
        except OSError as error:
            self._process.warn(f"{name}: {error.strerror}")

    def _directories(self, old: str, new: str) -> int:
        """Compare two directories and their subdirectories in the order of names, without recursion in Python."""
        status = 0
        pending = [self._pairs(old, new, start=self._settings.start)]
        around = [self._numbers(old, new)]
        while pending:
            entry = next(pending[-1], None)
            if entry is None:
                pending.pop()
                around.pop()
                continue
            self._process.budget.tick(20)
            result, deeper = self._entry(*entry)
            status = max(status, result)
            if deeper is not None:
                numbers = self._numbers(*deeper)
                there = [side for side in (0, 1) if numbers[side] >= 0]
                if all(any(numbers[side] == above[side] for above in around) for side in there):
                    self._process.warn(f"{deeper[there[0]]}: recursive directory loop")
                    status = 2
                    continue
                pending.append(self._pairs(*deeper))
                around.append(numbers)
        return status

    def _numbers(self, *names: str) -> list[int]:
        """The inode numbers of directories; -1 of one that is not there."""
        return [-1 if (stat := self._stat(name)) is None else stat.ino for name in names]

    def _pairs(self, old: str, new: str, *, start: str = "") -> Iterator[tuple[str, str, str | None, str | None]]:
        """The names in two directories, from ``start`` on, side by side."""
        first, second = ({name for name in self._names(directory) if name >= start} for directory in (old, new))
        if self._settings.name_case:
            yield from self._caseless(old, new, first, second)
            return
        for name in sorted(first | second, key=lambda text: text.encode("utf-8", "surrogateescape")):
            yield old, new, name if name in first else None, name if name in second else None

    def _caseless(
        self, old: str, new: str, first: set[str], second: set[str]
    ) -> Iterator[tuple[str, str, str | None, str | None]]:
        """Pair the names that are equal without regard to case."""
        partners = {name.casefold(): name for name in sorted(second)}
        for name in sorted(first | second, key=lambda text: (text.casefold(), text)):
            partner = name if name in second else partners.get(name.casefold())
            if name in first:
                second.discard(partner or "")
                yield old, new, name, partner
            elif name in second and name.casefold() not in {other.casefold() for other in first}:
                yield old, new, None, name

    def _names(self, directory: str) -> set[str]:
        if self._stat(directory) is None:
            return set()
        names = self._process.fs.listdir(self._process.path(directory))
        globs = [compile_glob(pattern, extglob=False) for pattern in self._settings.exclude]
        return {name for name in names if not any(glob.matches(name) for glob in globs)}

    def _entry(self, old: str, new: str, left: str | None, right: str | None) -> tuple[int, tuple[str, str] | None]:
        """Compare one name of two directories; return two subdirectories for later."""
        settings, process = self._settings, self._process
        first, second = join(old, left or right or ""), join(new, right or left or "")
        if left is None or right is None:
            lone = self._stat(second if left is None else first)
            absent_is_empty = settings.new_file or (settings.new_first and right is not None)
            if not absent_is_empty or (lone is not None and lone.type == "fifo"):
                process.write(f"Only in {new if left is None else old}: {left or right}\n")
                return 1, None
        a, b = self._stat(first), self._stat(second)
        present = a or b
        lost = [name for listed, stat, name in ((left, a, first), (right, b, second)) if stat is None and (listed or not present)]
        if present is None or lost:
            for name in lost:
                self._say_absent(name)
            return 2, None
        same = a is not None and b is not None and a.ino == b.ino
        if same and present.type == "directory" and not settings.identical and not settings.shows_same:
            return 0, None
        if (a or present).type == "directory" and (b or present).type == "directory":
            if settings.recursive:
                return 0, (first, second)
            process.write(f"Common subdirectories: {first} and {second}\n")
            return 0, None
        if a is not None and b is not None and a.type == b.type == "symlink":
            return self._links(first, second), None
        if a is not None and b is not None and (a.type != b.type or (a.type == "fifo" and not same)):
            process.write(f"File {self._name(first, 0)} is a {_kind(a)} while file {self._name(second, 1)} is a {_kind(b)}\n")
            return 1, None
        with freed(self._process):
            return self._files(first, second, announce=True), None

    def _files(self, old: str, new: str, *, announce: bool) -> int:
        settings, process = self._settings, self._process
        try:
            first = self._read(old)
            second = first if old == new else self._read(new)
        except OSError as error:
            process.warn(f"{error.filename}: {error.strerror}")
            return 2
        title = (
            f"diff{settings.options} {shown_name(self._name(old, 0))} {shown_name(self._name(new, 1))}\n"
            if announce and not settings.paginate
            else ""
        )
        if first == second:
            if settings.shows_same:
                process.write(title)
                side = self._side(old, first, 0)
                self._show(side, side, [], set())
            return self._same(old, new)
        binary = not settings.text and (b"\0" in first[:_BINARY_PROBE] or b"\0" in second[:_BINARY_PROBE])
        brief = settings.style == "brief"
        if binary or (brief and settings.exact):
            kind = "Files" if brief else "Binary files"
            process.write(f"{kind} {self._name(old, 0)} and {self._name(new, 1)} differ\n")
            return 1
        left, right = self._side(old, first, 0), self._side(new, second, 1)
        keys = [_keys(process, settings, side) for side in (left, right)]
        found = changes(keys[0], keys[1], process.budget, settings.horizon, minimal=settings.minimal)
        counted = [change for change in paced_if_many(found) if not self._ignored(change, left, right)]
        if not counted and settings.style not in {"side", "merged"}:
            return 2 if self._loses_end(left, right) else self._same(old, new)
        if brief:
            process.write(f"Files {self._name(old, 0)} and {self._name(new, 1)} differ\n")
            return 1
        process.write(title)
        ignored = set(found) - set(counted)
        self._show(left, right, found, ignored)
        return 2 if self._loses_end(left, right) else 1 if counted else self._same(old, new)

    def _name(self, name: str, index: int) -> str:
        """What messages call one of a pair of files: its label, if it has one."""
        labels = self._settings.labels
        return labels[index] if index < len(labels) else name

    def _loses_end(self, left: Side, right: Side) -> bool:
        """Whether a script for ed(1) was written, which cannot say that a last line has no newline."""
        if self._settings.style not in {"ed", "forward ed"}:
            return False
        open_ended = [side for side in (left, right) if not side.complete and side.lines]
        for side in open_ended:
            self._process.warn(f"{side.name}: No newline at end of file\n")
        return bool(open_ended)

    def _same(self, old: str, new: str) -> int:
        if self._settings.identical:
            self._process.write(f"Files {self._name(old, 0)} and {self._name(new, 1)} are identical\n")
        return 0

    def _show(self, left: Side, right: Side, found: list[Change], ignored: set[Change]) -> None:
        process, settings = self._process, self._settings
        if not settings.paginate:
            show(process, settings, left, right, found, ignored, process.stdout)
            return
        title = f"diff{settings.options} {shown_name(left.name)} {shown_name(right.name)}"
        output, finish = process.launcher.open(["pr", "-h", title], write=True)
        try:
            show(process, settings, left, right, found, ignored, output)
        finally:
            output.release()
            finish()

    def _read(self, name: str) -> bytes:
        if self._stat(name) is None:
            return b""
        data = slurp(self._process, self._process.open(name))
        self._process.budget.string(len(data))
        return data.replace(b"\r\n", b"\n") if self._settings.cr else data

    def _side(self, name: str, data: bytes, index: int) -> Side:
        ask_room(data, (b"\n",), self._process.budget)
        lines = split_lines(data, self._process.budget)
        complete = not lines[-1]
        if complete:
            lines.pop()
        self._process.budget.words(len(lines) // 8)
        stat = self._stat(name)
        label = self._settings.labels[index] if index < len(self._settings.labels) else None
        if stat is _STREAM:
            modified = self._process.system.now()
        else:
            modified = 0.0 if stat is None else stat.mtime
        return Side(name, label, modified, lines, complete, self._settings.blank_empty)

    def _ignored(self, change: Change, left: Side, right: Side) -> bool:
        """Whether all lines of a change are ignored by the options."""
        settings = self._settings
        if not settings.blank and settings.ignore is None:
            return False
        lines = left.lines[change.old_start : change.old_end] + right.lines[change.new_start : change.new_end]
        spaces = settings.space or settings.amount or settings.trailing  # they do not count, so that they are blank
        for line in lines:
            if settings.blank and not (line.strip() if spaces else line):
                continue
            if settings.ignore is not None and settings.ignore.search(line.decode("utf-8", "surrogateescape")) is not None:
                continue
            return False
        return True


def _kind(stat: Stat) -> str:
    return _KINDS.get(stat.type) or ("regular file" if stat.size else "regular empty file")


def _keys(process: Process, settings: Settings, side: Side) -> list[bytes]:
    """The part of each line that is compared; a last line without newline differs."""
    lines = side.lines
    if settings.space:
        lines = [line.translate(None, _BLANKS) for line in paced(lines)]
    elif settings.amount:
        lines = [_squeezed(line.rstrip()) for line in paced(lines)]
    else:
        if settings.trailing:
            lines = [line.rstrip() for line in paced(lines)]
        if settings.tabs:
            process.budget.room(sum(len(line) + 7 * line.count(b"\t") for line in paced(lines)))
            lines = [line.expandtabs() for line in paced(lines)]
    if settings.case:
        lines = [line.lower() for line in paced(lines)]
    if lines is not side.lines:
        process.hold(sum(map(len, lines)) + LINE * len(lines))
    if (
        lines
        and not side.complete
        and not (settings.style in {"ed", "forward ed"} or settings.space or settings.amount or settings.trailing)
    ):
        lines = [*lines[:-1], lines[-1] + b"\n"]
    return lines


def _squeezed(line: bytes) -> bytes:
    """A line with one space for each run of blanks; for a long one time is asked for in between."""
    done = bytearray()
    for start in range(0, len(line), _PART):
        part = re.sub(rb"\s+", b" ", line[start : start + _PART])
        done += part[1:] if part[:1] == b" " and done.endswith(b" ") else part
        ask(_PART >> 6 if start else 1)
    return bytes(done)


def _stream() -> Stat:
    from bashkit.fs import Stat

    return Stat("fifo", 0o600, 0, 0, 0, 0, 1, 0.0, 0.0, 0.0)


_STREAM = _stream()

"""du: estimate file space usage (POSIX XCU du; GNU coreutils manual, du)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import PATTERN, read_names, slurp, unreadable_list
from bashkit.commands._filesystem.targets import join
from bashkit.commands._filesystem.trees import trimmed
from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import MOST, clamped, is_count
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.commands._notation.sizes import BlockSize, block_size, block_size_of, check_block_size, no_size, parse_size
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.listing.stat import blocks
from bashkit.interp.utility.command import ArgumentError, Arguments, UsageError, command, flag, value
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_TIMES = (("atime", "access", "use"), ("ctime", "status"))
_STYLES = {"full-iso": "%Y-%m-%d %H:%M:%S.%N %z", "long-iso": "%Y-%m-%d %H:%M", "iso": "%Y-%m-%d"}


def _check_depth(text: str) -> None:
    if not is_count(text) or clamped(text) == MOST:
        raise UsageError(f"invalid maximum depth {mention(text)}")


def _threshold(text: str) -> int:
    try:
        size = parse_size(text.removeprefix("-"))
    except ValueError:
        raise no_size(text) from None
    if size >= MOST:
        raise ArgumentError("{} argument", f"{quote(text)} too large")
    if not size and text.startswith("-"):
        raise UsageError(f"invalid --threshold argument {quote(text)}", hint=False)
    return -size if text.startswith("-") else size


@command(
    "du",
    usage="[OPTION]... [FILE]...",
    summary="Summarize device usage of the set of FILEs, recursively for directories.",
    options=(
        flag("-0", "--null", help="end each output line with NUL, not newline"),
        flag("-a", "--all", help="write counts for all files, not just directories"),
        flag("--apparent-size", help="print apparent sizes rather than device usage"),
        flag("-b", "--bytes", help="equivalent to '--apparent-size --block-size=1'"),
        value("-B", "--block-size", metavar="SIZE", help="scale sizes by SIZE before printing them", check=check_block_size),
        flag("-c", "--total", help="produce a grand total"),
        value(
            "-d",
            "--max-depth",
            metavar="N",
            help="print the total for a directory only if it is N or fewer levels below",
            check=_check_depth,
        ),
        value("--exclude", metavar="PATTERN", help="exclude files that match PATTERN"),
        value("-X", "--exclude-from", metavar="FILE", help="exclude files that match any pattern in FILE"),
        value("--files0-from", metavar="F", help="summarize device usage of the NUL-terminated file names specified in file F"),
        flag("-h", "--human-readable", help="print sizes in human readable format (e.g., 1K 234M 2G)"),
        flag("-H", "-D", "--dereference-args", help="dereference only symlinks that are listed on the command line"),
        flag("--inodes", help="list inode usage information instead of block usage"),
        flag("-k", help="like --block-size=1K"),
        flag("-L", "--dereference", help="dereference all symbolic links"),
        flag("-l", "--count-links", help="count sizes many times if hard linked"),
        flag("-m", help="like --block-size=1M"),
        flag("-P", "--no-dereference", help="don't follow any symbolic links (default)"),
        flag("-S", "--separate-dirs", help="for directories do not include size of subdirectories"),
        flag("-s", "--summarize", help="display only a total for each argument"),
        flag("--si", help="like -h, but use powers of 1000 not 1024"),
        value(
            "-t",
            "--threshold",
            metavar="SIZE",
            help="exclude entries smaller than SIZE if positive, or greater if negative",
            check=_threshold,
        ),
        value(
            "--time",
            metavar="WORD",
            optional=True,
            help="show time of the last modification, or WORD: atime, access, use, ctime or status",
        ),
        value("--time-style", metavar="STYLE", help="show times using STYLE: full-iso, long-iso, iso or +FORMAT"),
        flag("-x", "--one-file-system", help="(ignored: mounted directories are part of the tree)"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print; 1 when something could not be looked at."""
    counter = _Counter(process, arguments)
    for name in _operands(process, arguments, counter.refuse):
        counter.operand(trimmed(name))
    if "c" in arguments:
        counter.show(counter.total, counter.newest, "total")
    return counter.status


def _operands(process: Process, arguments: Arguments, refuse: Callable[[str], None]) -> Iterator[str]:
    """The names on the command line, or in the file of ``--files0-from``; ``refuse`` reports what is no name."""
    file = arguments.get("files0-from")
    if file is None:
        yield from arguments.operands or ["."]
        return
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}\nfile operands cannot be combined with --files0-from")
    try:
        data = slurp(process, process.open(file))
    except OSError as error:
        raise unreadable_list(file, error) from None
    names = data.decode("utf-8", "surrogateescape").removesuffix("\0").split("\0") if data else []
    process.budget.words(len(names))
    for number, name in enumerate(names, 1):
        if not name:
            refuse(f"{quote_if_needed(file)}:{number}: invalid zero-length file name")
        elif name == file == "-":
            refuse("when reading file names from stdin, no file name of '-' allowed")
        else:
            yield name


class _Counter:
    """Adds up sizes; a hard link counts once.

    Attributes:
        status: The exit status so far.
        total: The size of all that was counted.
        newest: The latest time of it.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._seen: set[int] = set()
        self._followed = arguments.last("L", "H", "P") or ""
        self._several = len(arguments.operands) != 1 or self._followed == "L"  # files may be met again
        self._excluded = [compile_glob(pattern, extglob=False) for pattern in self._patterns()]
        self._time, self._style = self._clock()
        self._end = "\0" if "0" in arguments else "\n"
        depth = arguments.get("d")
        if "s" in arguments and "a" in arguments:
            raise UsageError("cannot both summarize and show all entries")
        if "s" in arguments and depth is not None and clamped(depth):
            raise UsageError(f"warning: summarizing conflicts with --max-depth={depth}")
        if "s" in arguments and depth is not None:
            process.warn("warning: summarizing is the same as using --max-depth=0")
        if "inodes" in arguments and ("b" in arguments or "apparent-size" in arguments):
            process.warn("warning: options --apparent-size and -b are ineffective with --inodes")
        self._depth = 0 if "s" in arguments else clamped(depth) if depth is not None else 1 << 30
        self._unit = self._scale()
        self._threshold = _threshold(arguments.get("t") or "0")
        self.status = 0
        self.total, self.newest = 0, 0.0

    def _patterns(self) -> list[str]:
        patterns = self._arguments.all("exclude")
        for file in self._arguments.all("X"):
            try:
                lines = read_names(self._process, self._process.open(file))
            except OSError as error:
                raise UsageError(f"{quote_if_needed(file)}: {error.strerror}") from None
            self._process.hold(PATTERN * len(lines))
            patterns.extend(filter(None, lines))
        return patterns

    def _clock(self) -> tuple[str, str]:
        """The time to show, or empty, and its format."""
        if "time" not in self._arguments:
            return "", ""
        word = self._arguments.get("time")
        style = self._arguments.get("time-style") or self._process.env.get("TIME_STYLE", "").removeprefix("posix-") or "long-iso"
        form = style[1:] if style.startswith("+") else _STYLES[choose("time style", style, tuple((name,) for name in _STYLES))]
        return "mtime" if word is None else choose("--time", word, _TIMES), form

    def _scale(self) -> BlockSize:
        last = self._arguments.last("b", "B", "h", "k", "m", "si")
        if last == "B":
            return block_size(self._arguments.get("B") or "")
        if last is None:
            return block_size_of(self._process.env, "DU_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE")
        return BlockSize({"b": 1, "h": 0, "m": 1 << 20, "si": 0}.get(last, 1024), 1000 if last == "si" else 1024)

    def _is_wanted(self, size: int) -> bool:
        """Whether the threshold lets a size through."""
        return size >= self._threshold if self._threshold >= 0 else size <= -self._threshold

    def show(self, size: int, time: float, name: str) -> None:
        """Print one line."""
        if "inodes" in self._arguments:
            shown = str(size)
        else:
            shown = self._unit.show(size)
        if self._time:
            zone = self._process.system.timezone(self._process.env.get("TZ", ""))
            shown += "\t" + strftime(self._style, Moment.of(time, zone), self._process.budget)
        self._process.write(f"{shown}\t{name}{self._end}")

    def _size(self, stat: Stat) -> int:
        if (self._several or (stat.type != "directory" and stat.links > 1)) and "l" not in self._arguments:
            if stat.ino in self._seen:
                return -1
            self._seen.add(stat.ino)
        if "inodes" in self._arguments:
            return 1
        if "b" in self._arguments or "apparent-size" in self._arguments:
            return stat.size if stat.type in {"file", "symlink", "directory"} else 0
        return blocks(stat) * 512

    def _entries(self, name: str) -> list[str]:
        """The names in a directory; none, and a message, where they may not be read."""
        try:
            return self._process.fs.listdir(self._process.path(name))
        except PermissionError as error:
            self.refuse(f"cannot read directory {quote(name)}: {error.strerror}")
            return []

    def refuse(self, message: str) -> None:
        """Report what cannot be counted."""
        self._process.warn(message)
        self.status = 1

    def _warn_of(self, name: str, path: str, error: OSError) -> None:
        """Report what has no status; that a link leads nowhere goes without a reason, as in the real program."""
        dangles = isinstance(error, FileNotFoundError) and self._is_link(path)
        message = f"cannot access {quote(name)}" + ("" if dangles else f": {error.strerror}")
        self.refuse(message if name else "invalid zero-length file name")

    def _is_link(self, path: str) -> bool:
        try:
            return self._process.fs.stat(path, follow=False).type == "symlink"
        except OSError:
            return False

    def operand(self, top: str) -> None:
        """Print an operand and everything below it."""
        process, fs = self._process, self._process.fs
        totals, times = [0], [0.0]
        # A frame is a name, its depth, and its own size after its entries were counted.
        pending: list[tuple[str, int, int | None]] = [(top, 0, None)]
        while pending:
            process.budget.tick(20)
            name, depth, own = pending.pop()
            if own is not None:
                inside = totals.pop()
                size = own + inside
                time = times.pop()
                if depth <= self._depth and self._is_wanted(size):
                    self.show(size, time, name)
                times[-1] = times[-1] if "S" in self._arguments else max(times[-1], time)
                totals[-1] += 0 if "S" in self._arguments and depth else size
                continue
            if any(glob.matches(name) or glob.matches(name.rpartition("/")[2]) for glob in self._excluded):
                continue
            path, follow = process.path(name), self._followed == "L" or (depth == 0 and self._followed == "H")
            try:
                stat = fs.stat(path, follow=follow or name.endswith("/"))
            except OSError as error:
                self._warn_of(name, path, error)
                continue
            size = self._size(stat)
            time = float(getattr(stat, self._time)) if self._time else 0.0
            if size < 0:
                continue
            self.total += size
            self.newest = max(self.newest, time)
            if stat.type == "directory":
                totals.append(0)
                times.append(time)
                pending.append((name, depth, size))
                pending.extend((join(name, child), depth + 1, None) for child in reversed(self._entries(name)))
            else:
                totals[-1] += size
                times[-1] = max(times[-1], time)
                if (depth == 0 or ("a" in self._arguments and depth <= self._depth)) and self._is_wanted(size):
                    self.show(size, time, name)

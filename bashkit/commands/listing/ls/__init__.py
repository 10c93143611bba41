"""ls: list directory contents (POSIX XCU ls; GNU coreutils manual, ls)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.quoting import STYLES, mention, quote, quote_if_needed, style_of
from bashkit.commands._notation.sizes import check_block_size
from bashkit.commands.listing.ls.colors import colors_for
from bashkit.commands.listing.ls.dired import NamePlaces
from bashkit.commands.listing.ls.layout import Entry, Layout, column_count, layout_for, render
from bashkit.commands.listing.ls.order import ordered
from bashkit.fs import Stat
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced_if_many
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SORTS = (("none",), ("time",), ("size",), ("extension",), ("version",), ("width",))
_TIMES = (("atime", "access", "use"), ("ctime", "status"), ("birth", "creation"), ("mtime", "modification"))
_FORMATS = (("verbose", "long"), ("commas",), ("horizontal", "across"), ("vertical",), ("single-column",))
_WHEN = (("always", "yes", "force"), ("never", "no", "none"), ("auto", "tty", "if-tty"))
_INDICATORS = (("none",), ("slash",), ("file-type",), ("classify",))
_QUOTINGS = tuple((style,) for style in STYLES)


@command(
    "ls",
    usage="[OPTION]... [FILE]...",
    summary="List information about the FILEs (the current directory by default).",
    options=(
        flag("-a", "--all", help="do not ignore entries starting with ."),
        flag("-A", "--almost-all", help="do not list implied . and .."),
        flag("--author", help="with -l, print the author of each file"),
        flag("-b", "--escape", help="print C-style escapes for nongraphic characters"),
        value(
            "--block-size",
            metavar="SIZE",
            help="with -l, scale sizes by SIZE when printing them",
            check=check_block_size,
        ),
        flag("-B", "--ignore-backups", help="do not list implied entries ending with ~"),
        flag("-c", help="with -lt: sort by, and show, ctime"),
        flag("-C", help="list entries by columns"),
        value(
            "--color",
            metavar="WHEN",
            optional=True,
            help="colorize the output: always, auto or never",
            check=among("--color", _WHEN),
        ),
        flag("-D", "--dired", help="with -l, generate output designed for Emacs' dired mode"),
        flag("-d", "--directory", help="list directories themselves, not their contents"),
        flag("-f", help="list all entries in directory order"),
        flag("-F", help="append indicator (one of */=>@|) to entries"),
        value(
            "--classify",
            metavar="WHEN",
            optional=True,
            help="the same, always, never or on a terminal",
            check=among("--classify", _WHEN),
        ),
        flag("--file-type", help="likewise, except do not append '*'"),
        value(
            "--format",
            metavar="WORD",
            help="across, commas, horizontal, long, single-column, verbose or vertical",
            check=among("--format", _FORMATS),
        ),
        flag("--full-time", help="like -l --time-style=full-iso"),
        flag("-g", help="like -l, but do not list owner"),
        flag("--group-directories-first", help="group directories before files"),
        flag("-G", "--no-group", help="in a long listing, don't print group names"),
        flag("-h", "--human-readable", help="with -l and -s, print sizes like 1K 234M 2G etc."),
        flag("--si", help="likewise, but use powers of 1000 not 1024"),
        flag("-H", "--dereference-command-line", help="follow symbolic links listed on the command line"),
        flag("--dereference-command-line-symlink-to-dir", help="follow those that point to a directory"),
        value("--hide", metavar="PATTERN", help="do not list implied entries matching shell PATTERN"),
        value(
            "--indicator-style",
            metavar="WORD",
            help="append indicator with style WORD: none, slash, file-type, classify",
            check=among("--indicator-style", _INDICATORS),
        ),
        value(
            "--hyperlink",
            metavar="WHEN",
            optional=True,
            help="hyperlink file names: always, auto or never",
            check=among("--hyperlink", _WHEN),
        ),
        flag("-i", "--inode", help="print the index number of each file"),
        value("-I", "--ignore", metavar="PATTERN", help="do not list implied entries matching shell PATTERN"),
        flag("-k", "--kibibytes", help="default to 1024-byte blocks"),
        flag("-l", help="use a long listing format"),
        flag("-L", "--dereference", help="show information for the file a symbolic link references"),
        flag("-m", help="fill width with a comma separated list of entries"),
        flag("-n", "--numeric-uid-gid", help="like -l, but list numeric user and group IDs"),
        flag("-N", "--literal", help="print entry names without quoting"),
        flag("-o", help="like -l, but do not list group information"),
        flag("-p", help="append / indicator to directories"),
        flag("-q", "--hide-control-chars", help="print ? instead of nongraphic characters"),
        flag("--show-control-chars", help="show nongraphic characters as-is (default)"),
        flag("-Q", "--quote-name", help="enclose entry names in double quotes"),
        value(
            "--quoting-style",
            metavar="WORD",
            help="use quoting style WORD for entry names",
            check=among("--quoting-style", _QUOTINGS),
        ),
        flag("-r", "--reverse", help="reverse order while sorting"),
        flag("-R", "--recursive", help="list subdirectories recursively"),
        flag("-s", "--size", help="print the allocated size of each file, in blocks"),
        flag("-S", help="sort by file size, largest first"),
        value(
            "--sort",
            metavar="WORD",
            help="sort by WORD: none, size, time, version, extension or width",
            check=among("--sort", _SORTS),
        ),
        flag("-t", help="sort by time, newest first"),
        value(
            "--time",
            metavar="WORD",
            help="show and sort by: atime, access, use, ctime, status, mtime",
            check=among("--time", _TIMES),
        ),
        value("--time-style", metavar="STYLE", help="full-iso, long-iso, iso, locale or +FORMAT"),
        value(
            "-T",
            "--tabsize",
            metavar="COLS",
            help="assume tab stops at each COLS instead of 8",
            check=lambda text: column_count(text, "tab size"),
        ),
        flag("-u", help="with -lt: sort by, and show, access time"),
        flag("-U", help="do not sort; list entries in directory order"),
        flag("-v", help="natural sort of (version) numbers within text"),
        value(
            "-w",
            "--width",
            metavar="COLS",
            help="set output width to COLS.  0 means no limit",
            check=lambda text: column_count(text, "line width"),
        ),
        flag("-x", help="list entries by lines instead of by columns"),
        flag("-X", help="sort alphabetically by entry extension"),
        flag("-Z", "--context", help="print any security context of each file"),
        flag("--zero", help="end each output line with NUL, not newline"),
        flag("-1", help="list one file per line"),
    ),
    usage_status=2,
)
def main(process: Process, arguments: Arguments) -> int:
    """List the operands; 1 for minor problems, 2 when an operand cannot be reached."""
    return _Lister(process, arguments).run()


def _layout(process: Process, arguments: Arguments) -> Layout:
    """The settings of how entries look."""
    form = "one"
    for key, argument in arguments.given:
        named = {
            "l": "long",
            "n": "long",
            "g": "long",
            "o": "long",
            "full-time": "long",
            "C": "columns",
            "x": "across",
            "m": "commas",
        }
        if key in named:
            form = named[key]
        elif (key in {"1", "zero"} and form != "long") or (key == "f" and form == "long" and process.name != "vdir"):
            form = "one"
        elif key == "format":
            word = choose("--format", argument or "", _FORMATS)
            form = {"verbose": "long", "horizontal": "across", "vertical": "columns", "single-column": "one"}.get(word, word)
    return layout_for(
        process,
        arguments,
        form=form,
        time=_time(arguments),
        indicator=_indicator(arguments),
        quoting=_quoting(process, arguments),
        colors=colors_for(process) if arguments.last("color", "zero") == "color" and _is_always(arguments, "color") else None,
        hyperlink=_is_always(arguments, "hyperlink"),
    )


def _is_always(arguments: Arguments, key: str) -> bool:
    return key in arguments and choose(f"--{key}", arguments.get(key) or "always", _WHEN) == "always"


def _time(arguments: Arguments) -> str:
    last = arguments.last("c", "u", "time")
    if last == "time":
        word = choose("--time", arguments.get("time") or "", _TIMES)
        return "mtime" if word == "birth" else word
    return {"c": "ctime", "u": "atime"}.get(last or "", "mtime")


def _indicator(arguments: Arguments) -> str:
    kinds = ["F", "file-type", "p", "indicator-style"]
    if "classify" in arguments and choose("--classify", arguments.get("classify") or "always", _WHEN) == "always":
        kinds.append("classify")
    last = arguments.last(*kinds)
    if last == "indicator-style":
        return choose("--indicator-style", arguments.get("indicator-style") or "", _INDICATORS)
    return {"F": "classify", "classify": "classify", "file-type": "file-type", "p": "slash"}.get(last or "", "none")


def _quoting(process: Process, arguments: Arguments) -> str:
    last = arguments.last("b", "N", "Q", "zero", "quoting-style")
    if last == "quoting-style":
        return choose("--quoting-style", arguments.get("quoting-style") or "", _QUOTINGS)
    if last is not None:
        return {"b": "escape", "Q": "c"}.get(last, "literal")
    wanted = process.env.get("QUOTING_STYLE")
    if wanted is not None and style_of(wanted) is None:
        process.warn(f"ignoring invalid value of environment variable QUOTING_STYLE: {mention(wanted)}")
    return style_of(wanted) or "literal"


class _Lister:
    """Collects entries, orders them, and prints them directory by directory."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._layout = _layout(process, arguments)
        if self._layout.dired and "zero" in arguments:
            raise UsageError("--dired and --zero are incompatible", hint=False)
        self._places = NamePlaces() if self._layout.dired else None
        self._status = 0
        self._printed = False
        self._colored = False
        last = arguments.last("a", "A", "f")
        self._hidden = {"a": 2, "f": 2, "A": 1}.get(last or "", 0)
        self._ignored = arguments.all("I") + (["*~", ".*~"] if "B" in arguments else [])
        self._hide = arguments.all("hide")
        self._follows = arguments.last("L", "H", "dereference-command-line-symlink-to-dir") == "L"
        self._by = self._order()
        self._folders_first = "group-directories-first" in arguments and self._by != "none"

    def run(self) -> int:
        """List, and return the exit status."""
        arguments = self._arguments
        operands = arguments.operands or ["."]
        entries = [entry for name in operands if (entry := self._operand(name)) is not None]
        as_files = "d" in arguments
        files = [entry for entry in entries if as_files or not entry.is_directory]
        folders = [entry for entry in entries if not as_files and entry.is_directory]
        if files:
            listing = render(self._layout, self._sorted(files), total=False, beside=folders)
            self._write(listing + "\n" if folders else listing)
        headings = "R" in arguments or len(operands) > 1
        # Depth first, without recursion in Python.
        nothing: frozenset[int] = frozenset()
        pending = [(entry.name, True, nothing) for entry in reversed(self._sorted(folders))]
        while pending:
            name, is_operand, above = pending.pop()
            if "R" in arguments and self._follows:
                with suppress(OSError):  # what cannot be reached is told where it is read
                    number = self._process.fs.stat(self._process.path(name)).ino
                    if number in above:
                        self._process.warn(f"{quote_if_needed(name)}: not listing already-listed directory")
                        self._status = 2
                        continue
                    above |= {number}
            below = self._folder(name, heading=headings, is_operand=is_operand)
            if "R" in arguments:
                pending.extend((child, False, above) for child in reversed(below))
        if self._places is not None:
            self._process.write(self._places.summary(self._layout.quoting))
        return self._status

    def _operand(self, name: str) -> Entry | None:
        arguments = self._arguments
        fs, path = self._process.fs, self._process.path(name)
        self._process.budget.tick(20)
        try:
            if self._follows or "H" in arguments:
                return Entry(self._process, name, fs.stat(path), path)
            stat = fs.stat(path, follow=name.endswith("/"))
            plain = not (self._layout.form == "long" or "d" in arguments or self._layout.indicator == "classify")
            if stat.type == "symlink" and (plain or "dereference-command-line-symlink-to-dir" in arguments):
                with suppress(FileNotFoundError):
                    target = fs.stat(path)
                    stat = target if target.type == "directory" else stat
            return Entry(self._process, name, stat, path)
        except OSError as error:
            self._process.warn(f"cannot access {quote(name)}: {error.strerror}")
            self._status = 2
            return None

    def _folder(self, name: str, *, heading: bool, is_operand: bool) -> list[str]:
        """Print one directory and return the directories in it."""
        process = self._process
        path = process.path(name)
        try:
            names = process.fs.listdir(path)
        except OSError as error:
            process.warn(f"cannot open directory {quote(name)}: {error.strerror}")
            self._status = max(self._status, 2 if is_operand else 1)
            return []
        process.budget.words(len(names))
        process.budget.tick(len(names) * 8)
        if heading:
            self._write(("\n" if self._printed else "") + self._layout.heading(name))
        self._printed = True
        if self._hidden == 2:
            names = [".", "..", *names]
        wanted = filter(self._wanted, paced_if_many(names))
        entries = self._sorted([self._child(name, child) for child in wanted])
        self._write(render(self._layout, entries, total=True))
        return [join(name, entry.name) for entry in entries if entry.stat.type == "directory" and entry.name not in {".", ".."}]

    def _wanted(self, name: str) -> bool:
        if name.startswith(".") and not self._hidden:
            return False
        if any(_matches(pattern, name) for pattern in self._ignored):
            return False
        return bool(self._hidden) or not any(_matches(pattern, name) for pattern in self._hide)

    def _child(self, folder: str, name: str) -> Entry:
        files, path = self._process.fs, self._process.path(join(folder, name))
        stat = None
        try:
            stat = files.stat(path, follow=False)
            if self._follows and stat.type == "symlink":
                stat = files.stat(path)
            return Entry(self._process, name, stat, path)
        except OSError as error:
            # A directory tells the types of its files to whom it does not let in.
            kind = (stat or files.unchecked().stat(path, follow=False)).type
            if self._asks_status(kind):
                self._process.warn(f"cannot access {quote(name if folder == '.' else join(folder, name))}: {error.strerror}")
                self._status = max(self._status, 1)
            return Entry(self._process, name, Stat(kind, 0, 0, 0, 0, 0, 0, 0, 0, 0), path, known=False)

    def _asks_status(self, kind: str) -> bool:
        """Whether more is asked of a file than its name and its type."""
        layout = self._layout
        if layout.shows_status or self._by in {"size", "time"}:
            return True
        if kind == "symlink":
            shows_type = layout.indicator != "none" or "R" in self._arguments
            return self._folders_first or layout.colors is not None or (self._follows and shows_type)
        return layout.colors is not None or (kind == "file" and layout.indicator == "classify")

    def _order(self) -> str:
        by = "name"
        for key, argument in self._arguments.given:
            if key == "sort":
                by = choose("--sort", argument or "", _SORTS)
            else:
                by = {"S": "size", "t": "time", "v": "version", "X": "extension", "U": "none", "f": "none"}.get(key, by)
        if by == "name" and self._layout.form != "long" and any(key in self._arguments for key in ("c", "u")):
            by = "time"
        return by

    def _sorted(self, entries: list[Entry]) -> list[Entry]:
        return ordered(
            entries,
            by=self._by,
            time=self._layout.time,
            reverse="r" in self._arguments,
            directories_first=self._folders_first,
        )

    def _write(self, text: str) -> None:
        self._process.budget.string(len(text))
        if self._places is not None:
            text = self._places.take(text)
        if self._layout.colors is not None and not self._colored and "\x1b[" in text:
            self._colored = True
            text = text.replace("\x1b[", "\x1b[0m\x1b[", 1)
        self._process.write(text)


def _matches(pattern: str, name: str) -> bool:
    """Whether a pattern of ``-I`` or ``--hide`` matches a name; only a dot matches one at its beginning."""
    if name.startswith(".") and not pattern.startswith((".", "\\.")):
        return False
    return compile_glob(pattern, extglob=False).matches(name)

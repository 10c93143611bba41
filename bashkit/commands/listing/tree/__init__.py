"""tree: list contents of directories in a tree-like format (the manual of tree 2.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands.listing.tree.gather import SORTS, Gatherer
from bashkit.commands.listing.tree.show import Shower, human
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.commands.listing.tree.gather import Node
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_CHARSETS = ("utf-8", "utf8", "ascii", "us-ascii")
_LINE_BREAK = re.compile(r"\n *+")  # in JSON, with its indentation


@command(
    "tree",
    write_status=0,
    usage="[OPTION]... [DIRECTORY]...",
    summary="List contents of directories in a tree-like format.",
    options=(
        flag("-a", help="all files are listed"),
        flag("-A", help="print ANSI lines graphic indentation lines"),
        flag("-c", help="sort files by last status change time"),
        flag("-C", help="turn colorization on always"),
        value("--charset", metavar="X", help="use charset X for the indentation lines: UTF-8 or ASCII"),
        flag("-d", help="list directories only"),
        flag("-D", help="print the date of last modification, or (-c) status change"),
        flag("--device", help="print the device number to which each file belongs"),
        flag("--dirsfirst", help="list directories before files"),
        flag("--du", help="compute the size of a directory from its contents"),
        flag("-f", help="print the full path prefix for each file"),
        flag("-F", help="append '/', '*', or '|' as per ls -F"),
        value("--filelimit", metavar="N", help="do not descend directories with more than N files in them"),
        flag("--filesfirst", help="list files before directories"),
        flag("--fromfile", help="read paths from files (. means standard input)"),
        flag("-g", help="display file group owner"),
        flag("--gitignore", help="filter by using .gitignore files"),
        flag("-h", help="print the size in a more human readable way"),
        flag("-i", help="don't print indentation lines"),
        value("-I", metavar="PATTERN", help="do not list files that match the given pattern"),
        flag("--ignore-case", help="ignore case when pattern matching"),
        flag("--inodes", help="print inode number of each file"),
        value("-H", metavar="BASE", help="(refused: HTML is not written here)"),
        flag("-J", help="print out a JSON representation of the tree"),
        flag("-l", help="follow symbolic links like directories"),
        value("-L", metavar="LEVEL", help="descend only LEVEL directories deep"),
        flag("--matchdirs", help="include directory names in -P pattern matching"),
        flag("--metafirst", help="print meta-data at the beginning of each line"),
        flag("-n", help="turn colorization off always"),
        flag("-N", help="print non-printable characters as is"),
        flag("--noreport", help="turn off file/directory count at end of tree listing"),
        value("-o", metavar="FILE", help="output to file instead of standard output"),
        flag("-p", help="print the protections for each file"),
        value("-P", metavar="PATTERN", help="list only those files that match the pattern given"),
        flag("--prune", help="prune empty directories from the output"),
        flag("-q", help="print non-printable characters as '?'"),
        flag("-Q", help="quote filenames with double quotes"),
        flag("-r", help="reverse the order of the sort"),
        flag("-s", help="print the size in bytes of each file"),
        flag("--si", help="like -h, but use in SI units (powers of 1000)"),
        value("--sort", metavar="NAME", help="select sort: name, version, size, mtime, ctime"),
        flag("-t", help="sort files by last modification time"),
        value("--timefmt", metavar="FORMAT", help="print and format time according to the format; implies -D"),
        flag("-u", help="display file owner or UID number"),
        flag("-U", help="leave files unsorted"),
        flag("-v", help="sort files alphanumerically by version"),
        flag("-S", help="print with CP437 (console) graphics indentation lines"),
        flag("--fflinks", help="process link information when using --fromfile"),
        value("--gitfile", metavar="FILE", help="filter by the rules of FILE, as of a .gitignore file"),
        flag("--info", help="print information about files found in .info files"),
        value("--infofile", metavar="FILE", help="print information found in FILE too; implies --info"),
        flag("-x", help="(ignored: mounted directories are part of the tree)"),
        flag("-X", help="print out an XML representation of the tree"),
    ),
    model="tree 2.1.0",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the trees; 2 when a directory cannot be opened."""
    if "H" in arguments:
        raise UsageError("-H: HTML is not written here; -X writes XML and -J JSON", hint=False)
    level = arguments.get("L")
    if level is not None and (not is_count(level) or not clamped(level)):
        raise UsageError("Invalid level, must be greater than 0.", hint=False)
    sort = arguments.get("sort")
    if sort is not None and sort not in SORTS:
        raise UsageError(f"Sort type '{sort}' not valid, should be one of: {','.join(SORTS)}", hint=False)
    charset = arguments.get("charset")
    if charset is not None and charset.lower() not in _CHARSETS:
        raise UsageError(f"--charset: '{charset}' is not supported here, should be one of: UTF-8, ASCII", hint=False)
    if "timefmt" in arguments:
        arguments.given.append(("D", None))
    file = arguments.get("o")
    if file is None:
        return _Tree(process, arguments, int(level[:9]) if level else 1 << 30).run()
    try:
        output = process.create(file)
    except OSError:
        raise UsageError(f"invalid filename '{file}'", hint=False) from None
    printer = _Tree(process, arguments, int(level[:9]) if level else 1 << 30)
    printer.write = lambda text: output.write(text.encode("utf-8", "surrogateescape"))
    return printer.run()


class _Tree:
    """Collects each operand's tree, writes it, and counts."""

    def __init__(self, process: Process, arguments: Arguments, level: int) -> None:
        self._process = process
        self._arguments = arguments
        self._gatherer = Gatherer(process, arguments, level)
        self.write = process.write
        self._directories = self._files = self._size = 0
        self._status = 0

    def run(self) -> int:
        """Write every operand and the report; return the exit status."""
        shower = Shower(self._process, self._arguments, self.write)
        as_json, as_xml = "J" in self._arguments, "X" in self._arguments
        records: list[str] = []
        for name in self._arguments.operands or ["."]:
            root = self._root(name)
            if root is None:
                stat = self._stat(name)
                if stat is None:
                    self._status = 2
                else:
                    self._files += 1
                    self._size += stat.size
                if as_json:
                    records.append(f'  {{"type":"directory","name":"{name}","contents":[{{"error": "opening dir"}}]}}')
                elif as_xml:
                    records.append(f'  <directory name="{name}"><error>opening dir</error></directory>')
                else:
                    shower.unopened(name, stat)
                continue
            self._count(root)
            if as_json or as_xml:
                records.append(shower.record(root, xml=as_xml))
            else:
                shower.lines(root)
        if as_xml:
            self.write(
                '<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n'
                + "".join(record + "\n" for record in records)
                + self._xml_report()
                + "</tree>\n"
            )
        elif as_json:
            text = "[\n" + ",\n".join(records) + "\n" + self._json_report() + "]"
            self.write(_LINE_BREAK.sub("", text) + "\n" if "i" in self._arguments else text + "\n")
        elif "noreport" not in self._arguments:
            self._report()
        return self._status or (2 if self._gatherer.failed else 0)

    def _root(self, name: str) -> Node | None:
        if "fromfile" not in self._arguments:
            return self._gatherer.gather(name)
        try:
            return self._gatherer.from_names(name, self._process.open("-" if name == "." else name))
        except OSError:
            return None

    def _stat(self, name: str) -> Stat | None:
        """The status of an operand that is no directory, which is told, and counts as a file; None if it is not there."""
        try:
            return self._process.fs.stat(self._process.path(name), follow=False)
        except OSError:
            return None

    def _count(self, root: Node) -> None:
        """Count what is below an operand, and itself unless it was opened and is shown empty."""
        self._directories += root.children is None or bool(root.children) or "fromfile" in self._arguments
        pending = list(root.children or [])
        while pending:
            node = pending.pop()
            self._size += node.size
            if node.is_directory:
                self._directories += 1
            else:
                self._files += 1
            pending.extend(node.children or [])

    def _report(self) -> None:
        used = ""
        if "du" in self._arguments:
            base = 1000 if "si" in self._arguments else 1024 if "h" in self._arguments else 0
            used = f"{human(self._size, base).rjust(5) if base else str(self._size).rjust(12)} bytes used in "
            used = used.replace(" bytes", "") if base else used
        text = f"\n{used}{self._directories} director{'y' if self._directories == 1 else 'ies'}"
        if "d" not in self._arguments:
            text += f", {self._files} file{'' if self._files == 1 else 's'}"
        self.write(text + "\n")

    def _figures(self) -> list[tuple[str, int]]:
        if "noreport" in self._arguments:
            return []
        size = [("size", self._size)] if "du" in self._arguments else []
        files = [("files", self._files)] if "d" not in self._arguments else []
        return [*size, ("directories", self._directories), *files]

    def _json_report(self) -> str:
        figures = self._figures()
        return (
            ",\n  {" + ",".join(['"type":"report"', *(f'"{key}":{count}' for key, count in figures)]) + "}\n" if figures else "\n"
        )

    def _xml_report(self) -> str:
        figures = self._figures()
        return (
            "".join(["  <report>\n", *(f"    <{key}>{count}</{key}>\n" for key, count in figures), "  </report>\n"])
            if figures
            else ""
        )

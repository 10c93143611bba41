"""The base of making, listing, unpacking and comparing archives."""

from __future__ import annotations

import tarfile
from abc import ABC, abstractmethod
from datetime import UTC
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._filesystem.modes import letters
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.quoting import escape_c, mention, quote, quote_c, quote_word
from bashkit.commands._notation.sizes import human, parse_size
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.archives._compression import kind_of
from bashkit.commands.archives.tar.errors import COMPRESSED, HINT, TarError
from bashkit.commands.archives.tar.filters import cannot_open, expanded
from bashkit.commands.archives.tar.places import Names
from bashkit.commands.archives.tar.selection import exclusions
from bashkit.commands.archives.tar.transform import read_changes

if TYPE_CHECKING:
    from bashkit.commands.archives.tar.places import Request
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

LABEL_TYPE = b"V"  # the type of the member that holds the label of an archive
_KINDS = {
    tarfile.DIRTYPE: "directory",
    tarfile.SYMTYPE: "symlink",
    tarfile.FIFOTYPE: "fifo",
    tarfile.CHRTYPE: "character",
    LABEL_TYPE: "label",
}
_STYLES = (
    "literal",
    "shell",
    "shell-always",
    "shell-escape",
    "shell-escape-always",
    "c",
    "c-maybe",
    "escape",
    "locale",
    "clocale",
)
_BLOCK = 512
_USUAL_FACTOR, _LARGEST_FACTOR = 20, 1 << 16  # blocks in a record


class Archiver(ABC):
    """The command line, names and messages of an operation.

    Args:
        process: The running command.
        request: The command line.
        checked: Whether the directories of ``-C`` must exist.
    """

    def __init__(self, process: Process, request: Request, *, checked: bool = True) -> None:
        self._process = process
        self._arguments = arguments = request.arguments
        self._verbosity = sum(key == "v" for key, _ in arguments.given) + 2 * ("utc" in arguments)
        self._archive = arguments.get("f", "-") or "-"
        self._style = arguments.get("quoting-style") or "escape"
        if self._style not in _STYLES:
            raise TarError(f"Unknown quoting style '{self._style}'. Try 'tar --quoting-style=help' to get a list.")
        self._exclusions = exclusions(process, arguments)
        self._excluded = [selector for _, selector in self._exclusions]
        self._changes = read_changes(arguments.all("transform"))
        self._names = Names(process, request, checked=checked)
        self._stripped: set[tuple[str, str]] = set()
        self._compressed = False
        self._record = _record_size(arguments)
        index = arguments.get("index-file")
        self._listing = None if index is None else process.create(index)
        self._zone = UTC if "utc" in arguments else process.system.timezone(process.env.get("TZ", ""))
        self.status = 0
        for complaint in self._names.complaints:
            self._fail(complaint)

    @abstractmethod
    def run(self) -> int:
        """Do the operation and return the exit status."""

    def _is_excluded(self, name: str) -> bool:
        """Whether a pattern matches the name, a parent directory, or the part of one after a slash."""
        if not self._excluded:
            return False
        self._process.budget.tick((1 + name.count("/")) ** 2 * len(self._excluded))
        return any(selector.matches(name) for selector in self._excluded)

    def _changed(self, name: str, kind: str) -> str:
        return self._changes.apply(name, kind, self._process.budget) if self._changes else name

    def _fail(self, message: str, status: int = 2) -> None:
        self._process.warn(message)
        self.status = max(self.status, status)

    def _warn_of_wildcards(self) -> None:
        self._process.warn("Pattern matching characters used in file names")
        self._process.warn("Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning")

    def _finish(self) -> int:
        if self.status == 2:
            self._process.warn("Exiting with failure status due to previous errors")
        return self.status

    def _tell(self, text: str, block: int, *, to_stderr: bool) -> None:
        """Write a line about the member at an offset of the archive."""
        stream = self._listing or (self._process.stderr if to_stderr else self._process.stdout)
        number = f"block {block // 512}: " if "R" in self._arguments else ""
        stream.write(f"{number}{text}\n".encode("utf-8", "surrogateescape"))

    def _relative(self, name: str, what: str = "member names") -> str:
        """Remove the parts of a name that would lead out of the extraction directory; an empty one becomes ``.``."""
        if not name:
            self._process.warn(f"Substituting `.' for empty {what.removesuffix('s')}")
            return "."
        if "P" in self._arguments:
            return name
        parts = name.split("/") if ".." in name else []
        cut = len(parts) - next((i for i, part in enumerate(reversed(parts)) if part == ".."), len(parts)) if ".." in parts else 0
        kept = "/".join(parts[cut:]) if cut else name
        result = kept.lstrip("/")
        prefix = name[: len(name) - len(result)]
        if prefix and (prefix, what) not in self._stripped:
            self._stripped.add((prefix, what))
            self._process.warn(f"Removing leading `{prefix}' from {what}")
        return result or ("." if name.strip("/") == "" or cut else name)

    def _quoted(self, name: str) -> str:
        """Quote a name in the quoting style of lists."""
        style = self._style
        if style in {"shell", "shell-escape"}:
            return quote_word(name) if not name.endswith("/") or quote_word(name) != name else name
        if style in {"shell-always", "shell-escape-always"}:
            return quote(name)
        plain = '"'.join(escape_c(part) for part in name.split('"'))
        if style == "c" or (style == "c-maybe" and (plain != name or '"' in name)):
            return quote_c(name)
        if style in {"locale", "clocale"}:
            return mention(name)
        return name if style in {"literal", "c-maybe"} else plain

    def _describe(self, info: tarfile.TarInfo, name: str | None = None) -> str:
        """Write a line of a long listing, optionally under another name."""
        kind = _KINDS.get(info.type, "file")
        exact = f".{round(info.mtime % 1 * 10**9):09}" if info.mtime % 1 else ""
        when = strftime(
            "%Y-%m-%d %H:%M:%S" if "full-time" in self._arguments else "%Y-%m-%d %H:%M",
            Moment.of(int(info.mtime // 1), self._zone),
        )
        when += exact if "full-time" in self._arguments else ""
        if kind == "label":
            return f"V--------- {info.uid}/{info.gid} {'0':>15} {when} {self._quoted(info.name)}--Volume Header--"
        owner = (
            f"{info.uname or info.uid}/{info.gname or info.gid}"
            if "numeric-owner" not in self._arguments
            else f"{info.uid}/{info.gid}"
        )
        size = str(info.size if kind == "file" and not info.islnk() else 0)
        if kind == "character":
            size = f"{info.devmajor},{info.devminor}"
        mode = ("h" + letters("file", info.mode)[1:]) if info.islnk() else letters(kind, info.mode & 0o7777)
        shown = self._quoted(shown_name(info, name))
        link = (
            f" -> {self._quoted(info.linkname)}"
            if info.issym()
            else f" link to {self._quoted(info.linkname)}"
            if info.islnk()
            else ""
        )
        return f"{mode} {owner} {size.rjust(max(19 - len(mode) - len(owner) + 9, len(size)))} {when} {shown}{link}"

    def _load(self, name: str) -> bytes:
        """Read and expand an archive.

        Raises:
            TarError: It cannot be read.
        """
        try:
            data = slurp(self._process, self._process.open(name))
        except IsADirectoryError as error:  # it can be opened, though
            self._process.warn(f"{name}: Cannot read: {error.strerror}")
            raise TarError("At beginning of tape, quitting now") from None
        except OSError as error:
            raise cannot_open(self._process, self._arguments, name, error, made=False) from None
        self._process.budget.string(len(data))
        self._compressed = "I" in self._arguments or kind_of(data) is not None
        return expanded(self._process, self._arguments, name, data)

    def _original(self) -> bytes:
        """Read an archive that is to be changed.

        Raises:
            TarError: It cannot be read, or is compressed.
        """
        data = self._load(self._archive)
        if self._compressed:
            raise TarError(COMPRESSED)
        return data

    def _totals(self, what: str, size: int) -> None:
        """Print ``--totals`` without a speed, because no device is involved."""
        if "totals" in self._arguments:
            size += -size % self._record
            self._process.stderr.write(f"Total bytes {what}: {size} ({human(size)}iB, ?/s)\n".encode())


def _record_size(arguments: Arguments) -> int:
    """The bytes of a record: ``--record-size``, or as many blocks as ``-b`` says.

    Raises:
        TarError: The size is malformed.
    """
    last = arguments.last("b", "record-size")
    text = arguments.get(last or "b", str(_USUAL_FACTOR)) or ""
    if last != "record-size":
        if not is_count(text) or not 0 < clamped(text) <= _LARGEST_FACTOR:
            raise TarError(f"{text}: Invalid blocking factor{HINT}", fatal=False)
        return clamped(text) * _BLOCK
    try:
        record = parse_size(text)
    except ValueError:
        raise TarError(f"{text}: Invalid record size{HINT}", fatal=False) from None
    if not record or record % _BLOCK or record > _LARGEST_FACTOR * _BLOCK:
        raise TarError(f"Record size must be a multiple of {_BLOCK}.{HINT}", fatal=False)
    return record


def shown_name(info: tarfile.TarInfo, name: str | None = None) -> str:
    """A member's name in a list, where directories end with a slash."""
    name = info.name if name is None else name
    return name + "/" if info.isdir() and not name.endswith("/") else name

"""Formats a listing: one name a line, columns, or the long form with its aligned fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.canonical import canonical
from bashkit.commands._filesystem.modes import letters
from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.encoding import width
from bashkit.commands._notation.quoting import is_control, mention, quote_as
from bashkit.commands._notation.sizes import BlockSize, block_size, block_size_of
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.listing.ls import dired
from bashkit.commands.listing.ls.columns import columns, commas
from bashkit.interp.utility.command import Arguments, UsageError
from bashkit.limits import paced_if_many
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from bashkit.commands.listing.ls.colors import Colors
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_SHORT = 4096  # characters of a colour, of which there is always room for a directory
_HALF_YEAR = 31556952 / 2  # seconds; older files show the year instead of the time
_RECENT, _OLD = "%b %e %H:%M", "%b %e  %Y"
_STYLES = {
    "full-iso": ("%Y-%m-%d %H:%M:%S.%N %z",) * 2,
    "long-iso": ("%Y-%m-%d %H:%M",) * 2,
    "iso": ("%m-%d %H:%M", "%Y-%m-%d "),
    "locale": (_RECENT, _OLD),
}
_MARKS = {"file-type": "*=>@|", "classify": "=>@|"}  # what an indicator may look like


class Entry:
    """One listed file.

    Args:
        process: The utility.
        name: The name to print.
        stat: The status of the file, or of its target if links are followed.
        path: Its path.
        known: Whether more of ``stat`` is known than the type.
    """

    __slots__ = ("_process", "known", "name", "path", "stat")

    def __init__(self, process: Process, name: str, stat: Stat, path: str, *, known: bool = True) -> None:
        self._process = process
        self.name = name
        self.stat = stat
        self.path = path
        self.known = known

    @property
    def is_directory(self) -> bool:
        """Whether it is listed as a directory."""
        return self.stat.type == "directory"

    @property
    def leads_to_directory(self) -> bool:
        """Whether it is a directory or a link to one."""
        return self.is_directory or (self.stat.type == "symlink" and self.target_type == "directory")

    @property
    def target(self) -> str:
        """Where a symbolic link leads."""
        return self._process.fs.readlink(self.path)

    @property
    def target_stat(self) -> Stat | None:
        """The status of a symbolic link's target; None for a broken link."""
        self._process.budget.tick(16)
        try:
            return self._process.fs.stat(self.path)
        except OSError:
            return None

    @property
    def target_type(self) -> str:
        """The type of a symbolic link's target; empty for a broken link."""
        stat = self.target_stat
        return stat.type if stat is not None else ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The settings of how entries look.

    Attributes:
        form: ``one``, ``long``, ``columns``, ``across`` or ``commas``.
        time: The time stamp shown: ``mtime``, ``atime`` or ``ctime``.
        indicator: ``none``, ``slash``, ``file-type`` or ``classify``.
        marks_targets: Whether the target of a link has an indicator too.
        quoting: A quoting style.
        question: Whether control characters that it leaves are shown as ``?``.
        colors: The colours of names, if they have some.
        width: Columns of the screen; 0 for no limit.
        tab: Distance of tab stops.
        end: The text at the end of a line.
        style: Time formats for recent and older files.
        block: The unit of sizes.
        scaled: Whether ``block`` applies to the size column too.
        hyperlink: Whether names are links that a terminal can follow.
        dired: Whether names are marked, and lines indented.
        owner, group, author, numeric, inode, blocks, context: Which columns there are.
        process: For names, clock and zone.
        zone: The time zone.
    """

    form: str
    time: str
    indicator: str
    marks_targets: bool
    quoting: str
    question: bool
    colors: Colors | None
    width: int
    tab: int
    end: str
    style: tuple[str, str]
    block: BlockSize
    scaled: bool
    hyperlink: bool
    dired: bool
    owner: bool
    group: bool
    author: bool
    numeric: bool
    inode: bool
    blocks: bool
    context: bool
    process: Process
    zone: tzinfo

    @property
    def shows_status(self) -> bool:
        """Whether there is more than the name to show of an entry."""
        return self.form == "long" or self.inode or self.blocks or self.context

    def show_name(self, name: str) -> str:
        """Write a name in the quoting style."""
        marks = _MARKS.get(self.indicator, "")
        return self._printable(quote_as(self.quoting, name, marks + " " if self.quoting == "escape" else marks))

    def _printable(self, shown: str) -> str:
        return "".join("?" if is_control(char) else char for char in shown) if self.question else shown

    @property
    def margin(self) -> str:
        """The text before every line."""
        return dired.MARGIN if self.dired else ""

    def heading(self, name: str) -> str:
        """The line before the entries of a directory."""
        shown = self.link(self.process.path(name), self._printable(quote_as(self.quoting, name, ":")))
        mark = dired.FOLDER if self.dired else ""
        return f"{self.margin}{mark}{shown}{mark}:\n"

    def link(self, path: str, shown: str) -> str:
        """Write a text about a file, as a terminal link to it if requested."""
        if not self.hyperlink:
            return shown
        from urllib.parse import quote_from_bytes

        place = canonical(self.process, path, missing="all").encode("utf-8", "surrogateescape")
        address = re.sub("%..", lambda found: found[0].lower(), quote_from_bytes(place, safe="/~"))
        return f"\x1b]8;;file://{self.process.system.hostname}{address}\a{shown}\x1b]8;;\a"

    def size(self, size: int) -> str:
        """Write a size in the requested unit, rounded up."""
        return self.block.show(size)


def layout_for(
    process: Process,
    arguments: Arguments,
    *,
    form: str,
    time: str,
    indicator: str,
    quoting: str,
    colors: Colors | None,
    hyperlink: bool,
) -> Layout:
    """Read the layout from the remaining options of ``ls``.

    Raises:
        UsageError: An option does not accept its argument.
    """
    last = arguments.last("h", "si", "block-size") or arguments.last("k")
    scaled = last in {"h", "si", "block-size"} or (
        last is None and ("LS_BLOCK_SIZE" in process.env or "BLOCK_SIZE" in process.env)
    )
    if last is None:
        block = block_size_of(process.env, "LS_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE")
    elif last == "block-size":
        block = block_size(arguments.get("block-size") or "")
    else:
        block = BlockSize(1024 if last == "k" else 0, 1000 if last == "si" else 1024)
    width = column_count(arguments.get("w") or "", "line width") if "w" in arguments else _screen(process)
    return Layout(
        form=form,
        time=time,
        indicator=indicator,
        marks_targets=indicator != "slash" or colors is not None or "group-directories-first" in arguments,
        quoting=quoting,
        question=arguments.last("q", "show-control-chars", "zero") == "q",
        colors=colors,
        width=width,
        tab=column_count(arguments.get("T") or "8", "tab size") if width and colors is None else 0,
        end="\0" if "zero" in arguments else "\n",
        style=_style(process, arguments) if form == "long" else _STYLES["locale"],
        block=block,
        scaled=scaled,
        hyperlink=hyperlink,
        dired="D" in arguments and form == "long" and not hyperlink,
        owner="g" not in arguments,
        group="o" not in arguments and "G" not in arguments,
        author="author" in arguments,
        numeric="n" in arguments,
        inode="i" in arguments,
        blocks=arguments.last("s", "f") == "s",
        context="Z" in arguments,
        process=process,
        zone=process.system.timezone(process.env.get("TZ", "")),
    )


def _screen(process: Process) -> int:
    """The columns of a line."""
    text = process.env.get("COLUMNS") or "80"
    if not is_digits(text):
        process.warn(f"ignoring invalid width in environment variable COLUMNS: {mention(text)}")
        return 80
    return min(clamped(text), 100_000)


def column_count(text: str, what: str) -> int:
    """A number of columns on the command line.

    Raises:
        UsageError: It is none.
    """
    if not is_count(text):
        raise UsageError(f"invalid {what}: {mention(text)}", hint=False)
    return min(clamped(text), 100_000)


def _style(process: Process, arguments: Arguments) -> tuple[str, str]:
    word = arguments.get("time-style")
    if arguments.last("full-time", "time-style") == "full-time":
        word = "full-iso"
    if word is None:
        word = process.env.get("TIME_STYLE", "locale")
    if word.startswith("+"):
        recent, newline, old = word[1:].partition("\n")
        # Two formats on two lines: the first is for older files.
        return (old, recent) if newline else (recent, recent)
    name = word.removeprefix("posix-")
    if name not in _STYLES:
        listed = "".join(f"  - [posix-]{style}\n" for style in ("full-iso", "long-iso", "iso", "locale"))
        message = f"invalid argument {mention(word)} for {mention('time style')}\nValid arguments are:\n{listed}"
        raise UsageError(message + "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format")
    recent, old = _STYLES[name]
    return recent, old


def render(layout: Layout, entries: list[Entry], *, total: bool, beside: Sequence[Entry] = ()) -> str:
    """Write a listing.

    Args:
        layout: The layout.
        entries: The entries in order.
        total: Whether the long form begins with the sum of the blocks.
        beside: Entries that are not printed here but take part in the alignment.
    """
    head = ""
    if total and (layout.form == "long" or layout.blocks):
        head = f"{layout.margin}total {layout.size(sum(allocated(entry.stat) for entry in entries if entry.known))}{layout.end}"
    padded = layout.form in {"long", "columns", "across"} and layout.quoting in {"shell", "shell-escape"}
    if padded:
        padded = any(layout.show_name(entry.name) != entry.name for entry in entries)
    if layout.colors is not None and layout.colors.longest > _SHORT:
        layout.process.budget.room(2 * layout.colors.longest * len(entries))
    names = [_Name(layout, entry, padded=padded) for entry in paced_if_many(entries)]
    margin = layout.margin
    prefixes = _aligned([_prefix(layout, entry) for entry in paced_if_many(entries)], left=())
    if layout.form == "long":
        rows = _aligned([_fields(layout, entry) for entry in paced_if_many((*entries, *beside))], left=_left(layout))
        return head + "".join(
            margin + p + r + n.text_with_target() + layout.end for p, r, n in zip(prefixes, rows, names, strict=False)
        )
    cells = [prefix + name.text for prefix, name in zip(prefixes, names, strict=True)]
    if layout.form == "one":
        return head + "".join(cell + layout.end for cell in cells)
    widths = [len(prefix) + name.width for prefix, name in zip(prefixes, names, strict=True)]
    if layout.form == "commas":
        return head + commas(cells, widths, layout.width, end=layout.end)
    return head + columns(cells, widths, layout.width, across=layout.form == "across", tab=layout.tab, end=layout.end)


def allocated(stat: Stat) -> int:
    """The bytes that a file would take on a disk with blocks of 4096 bytes."""
    if stat.type == "directory":
        return 4096
    return -(-stat.size // 4096) * 4096 if stat.type == "file" else 0


def _prefix(layout: Layout, entry: Entry) -> list[str]:
    fields = []
    if layout.inode:
        fields.append(str(entry.stat.ino) if entry.known else "?")
    if layout.blocks:
        fields.append(layout.size(allocated(entry.stat)) if entry.known else "?")
    if layout.context and layout.form != "long":
        fields.append("?")
    return fields


def _left(layout: Layout) -> tuple[int, ...]:
    """Which fields of the long form are aligned to the left: of mode, owner and group."""
    return (0, *range(2, 2 + layout.owner + layout.group + layout.author + layout.context))


def _fields(layout: Layout, entry: Entry) -> list[str]:
    stat, process = entry.stat, layout.process
    if not entry.known:
        time = strftime(layout.style[1], Moment.of(0, layout.zone), process.budget)
        owners = layout.owner + layout.group + layout.author + layout.context
        return [letters(stat.type, 0)[0] + "?" * 9, "?", *["?"] * owners, "?", "?".rjust(len(time))]
    fields = [letters(stat.type, stat.mode), str(stat.links)]
    if layout.owner:
        fields.append(str(stat.uid) if layout.numeric else name_of(process, stat.uid))
    if layout.group:
        fields.append(str(stat.gid) if layout.numeric else name_of(process, stat.gid, group=True))
    if layout.author:
        fields.append(str(stat.uid) if layout.numeric else name_of(process, stat.uid))
    if layout.context:
        fields.append("?")
    if stat.type == "character":
        fields.append("{}, {}".format(*stat.device))
    else:
        fields.append(layout.size(stat.size) if layout.scaled else str(stat.size))
    moment = Moment.of(getattr(stat, layout.time), layout.zone)
    age = process.system.now() - getattr(stat, layout.time)
    return [*fields, strftime(layout.style[0 if 0 <= age < _HALF_YEAR else 1], moment, process.budget)]


def _aligned(rows: list[list[str]], *, left: tuple[int, ...]) -> list[str]:
    """Rows with each column padded to its widest cell, and a space after every cell."""
    if not rows or not rows[0]:
        return [""] * len(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if left:
        widths[-1] = 0  # times are not aligned
    return [
        "".join(
            (cell.ljust(width) if column in left else cell.rjust(width)) + " "
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in paced_if_many(rows)
    ]


class _Name:
    """A name with its quotes, colour, link and indicator; ``padded`` by a space if others have a quote."""

    def __init__(self, layout: Layout, entry: Entry, *, padded: bool) -> None:
        self._layout = layout
        self._entry = entry
        shown = layout.show_name(entry.name)
        pad = " " if padded and shown == entry.name else ""
        indicator = _indicator(layout, entry.stat)
        self.width = len(pad) + width(shown) + len(indicator)
        mark = dired.NAME if layout.dired else ""
        self._shown = mark + layout.link(entry.path, shown) + mark
        if layout.colors is not None:
            broken = entry.stat.type == "symlink" and entry.target_stat is None
            self._shown = layout.colors.paint(entry.stat, entry.name, self._shown, broken=broken)
        self._shown = pad + self._shown
        self.text = self._shown + indicator

    def text_with_target(self) -> str:
        """Write the name for the long form: ``link -> target``."""
        if self._entry.stat.type != "symlink":
            return self.text
        if not self._entry.known:
            return self._shown
        target = self._layout.link(self._entry.path, self._layout.show_name(self._entry.target))
        stat = self._entry.target_stat
        if stat is not None:
            if self._layout.colors is not None:
                target = self._layout.colors.paint(stat, self._entry.target, target)
            target += _indicator(self._layout, stat) if self._layout.marks_targets else ""
        elif self._layout.colors is not None:
            target = self._layout.colors.paint_missing(target)
        return f"{self._shown} -> {target}"


def _indicator(layout: Layout, stat: Stat) -> str:
    if layout.indicator == "none":
        return ""
    if stat.type == "directory":
        return "/"
    if layout.indicator == "slash":
        return ""
    if stat.type == "file":
        return "*" if layout.indicator == "classify" and stat.mode & 0o111 else ""
    return {"symlink": "@", "fifo": "|"}.get(stat.type, "")

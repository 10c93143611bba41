"""ps: report the processes of this sandbox: the shells, their background jobs, and ps itself (POSIX XCU ps)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.strftime import Moment
from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag
from bashkit.limits import paced_if_many
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_COLUMNS = {
    "pid": ("PID", 7, True), "ppid": ("PPID", 7, True), "pgid": ("PGID", 7, True), "user": ("USER", 8, False),
    "uid": ("UID", 5, True), "tty": ("TT", 8, False), "tt": ("TT", 8, False), "time": ("TIME", 8, True),
    "etime": ("ELAPSED", 11, True), "comm": ("COMMAND", 15, False), "cmd": ("CMD", 27, False), "args": ("COMMAND", 27, False),
    "command": ("COMMAND", 27, False), "ucmd": ("CMD", 15, False), "stat": ("STAT", 4, False), "s": ("S", 1, False),
    "state": ("S", 1, False), "%cpu": ("%CPU", 4, True), "pcpu": ("%CPU", 4, True), "%mem": ("%MEM", 4, True),
    "pmem": ("%MEM", 4, True), "vsz": ("VSZ", 6, True), "rss": ("RSS", 5, True), "c": ("C", 2, True),
    "stime": ("STIME", 5, False), "start": ("START", 5, False), "ni": ("NI", 3, True), "pri": ("PRI", 3, True),
    "fname": ("COMMAND", 8, False), "sid": ("SID", 7, True), "sess": ("SESS", 7, True), "pgrp": ("PGRP", 7, True),
    "euser": ("EUSER", 8, False), "ruser": ("RUSER", 8, False), "euid": ("EUID", 5, True), "ruid": ("RUID", 5, True),
    "cputime": ("TIME", 8, True), "bsdtime": ("TIME", 6, True), "etimes": ("ELAPSED", 7, True), "nlwp": ("NLWP", 4, True),
    "start_time": ("START", 5, False), "bsdstart": ("START", 6, True),
}  # fmt: skip
_PLAIN = (("pid", None), ("tty", "TTY"), ("time", None), ("ucmd", None))
_FULL = (
    ("user", "UID"),
    ("pid", None),
    ("ppid", None),
    ("c", None),
    ("stime", None),
    ("tty", "TTY"),
    ("time", None),
    ("cmd", None),
)
_USER = (
    ("user", None), ("pid", None), ("%cpu", None), ("%mem", None), ("vsz", None), ("rss", None),
    ("tty", "TTY"), ("stat", None), ("start", None), ("bsdtime", None), ("args", None),
)  # fmt: skip
_BSD = (("pid", None), ("tty", "TTY"), ("stat", None), ("bsdtime", None), ("args", None))


_VALUED = {"o": "-o", "p": "-p", "q": "-p", "U": "-u", "k": "--sort"}  # the BSD letters with a value, and what they are here
_LETTERS = re.compile(rf"(?P<flags>[auxwfegjlTh]*)(?:(?P<valued>[{''.join(_VALUED)}])(?P<value>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A process: its identifiers and its command line."""

    pid: int
    parent: int
    words: str
    state: str


def _bsd(words: list[str]) -> list[str]:
    """Rewrite a first word of BSD letters, as ``aux`` or ``axo pid,args``, as options.

    Undocumented: behind a hyphen they are that, too, where they have an ``x``, which is no option.
    """
    letters = words[0].removeprefix("-") if words else ""
    match = _LETTERS.fullmatch(letters)
    if not letters or match is None or (letters != words[0] and "x" not in match["flags"]):
        return words
    flags, valued, value = match["flags"], match["valued"] or "", match["value"] or ""
    rest = words[1:]
    if valued and not value:
        value, rest = "".join(rest[:1]), rest[1:]
    return ["--bsd", flags + valued, *(["-h"] if "h" in flags else []), *([_VALUED[valued], value] if valued else []), *rest]


@command(
    "ps",
    usage="[OPTION]... [PID]...",
    summary="Report the processes of this sandbox: the shells, their background jobs, and ps itself.",
    options=(
        flag("-A", help="all processes"),
        flag("-a", help="all with a terminal"),
        flag("-d", help="all except session leaders"),
        flag("-e", help="all processes"),
        flag("-f", help="full-format listing"),
        flag("-F", help="extra full"),
        flag("-w", help="(ignored: lines are never cut)"),
        flag("-h", "--no-headers", "--no-heading", help="print no header"),
        value("-o", "--format", metavar="FORMAT", help="user-defined format"),
        value("-p", "-q", "--pid", "--quick-pid", metavar="PID", help="by process ID"),
        value("-C", metavar="NAME", help="by command name"),
        value("-u", "-U", "--user", metavar="USER", help="by user"),
        value("--ppid", metavar="PID", help="by parent"),
        value("--sort", metavar="KEYS", help="sort by columns"),
        value("--bsd", metavar="LETTERS", help="the letters of the BSD form, as in ps aux"),
        version_flag("-V"),
    ),
    rewrite=_bsd,
    model="procps-ng 4.0.2",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print them; 1 when the options name no process."""
    if not all(map(is_digits, arguments.operands)):
        raise UsageError("unsupported option", hint=True)
    chosen = _chosen(process, arguments)
    form = [part for text in arguments.all("o") for part in text.replace(" ", ",").split(",") if part]
    letters = arguments.get("bsd") or "p" * bool(arguments.operands)
    columns: tuple[tuple[str, str | None], ...] = (
        _USER if "u" in letters else _FULL if "f" in arguments or "F" in arguments else _BSD if letters else _PLAIN
    )
    if form:
        process.budget.words(len(form))
        columns = tuple(_column(part) for part in paced_if_many(form))
    cells = {entry: _cells(process, entry) for entry in chosen}
    for key in (arguments.get("sort") or "").split(","):
        name = key.lstrip("+-")
        if name in _COLUMNS:
            chosen.sort(key=lambda entry: _shown(cells[entry], name), reverse=key.startswith("-"))
    if "h" not in arguments and any(title != "" for _, title in columns):
        _write(process, [(_title(name, title), name) for name, title in paced_if_many(columns)])
    for entry in chosen:
        _write(process, [(_shown(cells[entry], name), name) for name, _ in paced_if_many(columns)])
    return 0 if chosen else 1


def _column(part: str) -> tuple[str, str | None]:
    name, equals, title = part.partition("=")
    if name not in _COLUMNS:
        raise UsageError(f'error: unknown user-defined format specifier "{name}"', hint=True)
    return name, title if equals else None


def _entries(process: Process) -> list[_Entry]:
    jobs = process.launcher.jobs()
    own = [_Entry(ROOT_PID, 1, "bash", "Ss"), *(_Entry(pid, ROOT_PID, words, "S") for pid, words in jobs)]
    return [*own, _Entry(max(entry.pid for entry in own) + 1, ROOT_PID, " ".join(["ps", *process.argv]), "R+")]


def _chosen(process: Process, arguments: Arguments) -> list[_Entry]:
    entries = _entries(process)
    wanted = (*arguments.all("p"), *arguments.operands)
    pids = {clamped(part) for text in wanted for part in text.replace(" ", ",").split(",") if is_digits(part)}
    parents = {clamped(part) for text in arguments.all("ppid") for part in text.split(",") if is_digits(part)}
    names = {part for text in arguments.all("C") for part in text.split(",")}
    users = {part for text in arguments.all("u") for part in text.split(",")}
    if not (pids or names or users or parents or "p" in arguments):
        return entries
    mine = {process.system.username, "1000"} & users
    return [entry for entry in entries if entry.pid in pids or entry.parent in parents or _name(entry) in names or mine]


def _name(entry: _Entry) -> str:
    return entry.words.partition(" ")[0].rpartition("/")[2]


def _title(name: str, title: str | None) -> str:
    return _COLUMNS[name][0] if title is None else title


def _cells(process: Process, entry: _Entry) -> dict[str, str]:
    """What is known of a process, by the names of columns."""
    now = f"{Moment.of(process.system.now(), process.system.timezone(process.env.get('TZ', ''))).local:%H:%M}"
    return {
        "pid": str(entry.pid), "pgid": str(entry.pid), "ppid": str(entry.parent), "user": process.system.username, "uid": "1000",
        "tty": "?", "tt": "?", "time": "00:00:00", "etime": "00:00", "comm": _name(entry), "ucmd": _name(entry),
        "fname": _name(entry)[:8], "cmd": entry.words, "args": entry.words, "command": entry.words, "stat": entry.state,
        "s": entry.state[0], "state": entry.state[0], "%cpu": "0.0", "pcpu": "0.0", "%mem": "0.0", "pmem": "0.0", "ni": "0",
        "pri": "20", "sid": str(ROOT_PID), "sess": str(ROOT_PID), "pgrp": str(entry.pid), "euser": process.system.username,
        "ruser": process.system.username, "euid": "1000", "ruid": "1000", "cputime": "00:00:00", "bsdtime": "0:00", "nlwp": "1",
        "start": now, "stime": now, "start_time": now, "bsdstart": now,
    }  # fmt: skip


def _shown(known: dict[str, str], name: str) -> str:
    return known.get(name, "0")


def _write(process: Process, cells: list[tuple[str, str]]) -> None:
    """Write a line, whose texts come each with the name of its column."""
    process.budget.string(sum(len(text) + _COLUMNS[name][1] + 1 for text, name in paced_if_many(cells)))
    shown = []
    for index, (text, name) in enumerate(paced_if_many(cells)):
        _, width, right = _COLUMNS[name]
        last = index == len(cells) - 1
        shown.append(text.rjust(width) if right else text if last else text.ljust(width))
    process.write(" ".join(shown) + "\n")

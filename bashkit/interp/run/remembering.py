"""What a shell remembers of the lines that it reads, under ``set -o history`` (bash(1), HISTORY)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.globbing import split_colons
from bashkit.interp.expand.operators import matcher_for
from bashkit.interp.run.redirections import open_file
from bashkit.interp.state.history import Entry
from bashkit.interp.state.history_expansion import EventError, HistoryExpansion
from bashkit.interp.state.joined_lines import Joining
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_SIZE = "500"  # lines that the list has unless HISTSIZE says otherwise
_NUMBER = re.compile(r"\s*[-+]?[0-9]+\s*", re.ASCII)
_STAMP = re.compile(r"#([0-9]{1,18})")  # a line of the history file that says when the next one was run
_ENTRY = 256  # bytes that a line of the list takes beside its text
_PRIVATE = 0o600  # the mode of the history file
_SCAN = 4  # microseconds to read a line of a command


def begin_history(shell: Shell) -> None:
    """Give the variables of the history their values, and read its file."""
    history = shell.history
    if history.begun:
        return
    history.begun = True
    for name, value in (("HISTSIZE", _SIZE), ("HISTFILESIZE", shell.get("HISTSIZE") or _SIZE)):
        if shell.get(name) is None:
            shell.assign(name, value)
    history.file_size = shell.get("HISTFILESIZE") or ""
    file = shell.get("HISTFILE")
    if file:
        read_history_file(shell, file)
        history.unwritten = 0


def begin_with_history(shell: Shell) -> None:
    """Be a shell that was started with ``-o history``: it has a history file, but does not read it."""
    for name, value in (("HISTSIZE", _SIZE), ("HISTFILESIZE", _SIZE), ("HISTFILE", f"{shell.get('HOME') or ''}/.bash_history")):
        if shell.get(name) is None:
            shell.assign(name, value)
    shell.history.begun = True


def finish_history(shell: Shell) -> None:
    """Leave the new lines in the history file, as a shell does that exits."""
    name, history = shell.get("HISTFILE"), shell.history
    if not (history.begun and shell.options.set["history"] and name and history.unwritten):
        return
    append = shell.options.shopt["histappend"] or history.unwritten <= len(history)
    try:
        write_history_file(shell, name, history.unwritten if append else len(history), append=append)
    except OSError:
        return
    _cut_file(shell)


def history_limit(shell: Shell) -> int | None:
    """How many lines the list may have; None where there is no limit."""
    return _natural(shell.get("HISTSIZE"))


def _natural(value: str | None) -> int | None:
    if value is None or not _NUMBER.fullmatch(value):
        return None
    number = whole_number(value.strip())
    return number if number >= 0 else None


def remember_line(shell: Shell, line: str) -> None:
    """Put a line into the list, whatever HISTCONTROL says."""
    shell.budget.grow(len(line))
    history = shell.history
    history.timed = history.timed or shell.options.set["histexpand"] or shell.get("HISTTIMEFORMAT") is not None
    history.add(Entry(line, int(shell.machine.system.now()) if history.timed else None), history_limit(shell))


# -- the file ----------------------------------------------------------------------------------------------------------


def read_history_file(shell: Shell, name: str, start: int = 0) -> bool:
    """Put the lines of a file into the list, those from ``start`` on; False when there is no such file."""
    history = shell.history
    try:
        text = shell.machine.fs.read_file(shell.absolute(name)).decode("utf-8", "surrogateescape")
    except OSError:
        return False
    shell.budget.room(len(text) + _ENTRY * text.count("\n"))
    found = text.splitlines()
    stamped = bool(found) and _STAMP.match(found[0]) is not None
    history.joins = history.joins or (stamped and shell.get("HISTTIMEFORMAT") is not None)
    now = time = int(shell.machine.system.now())
    entries: list[tuple[int, list[str]]] = []
    begins = True  # the next line is an entry of its own
    for line in paced(found[start:], _SCAN):
        stamp = _STAMP.match(line)
        if stamp is not None:
            time, begins = int(stamp[1]), True
        elif begins or not history.joins:
            entries.append((time, [line]))
            time, begins = now, False
        else:
            entries[-1][1].append(line)
    unwritten, length = history.unwritten, len(history)
    for time, lines in paced(entries, _SCAN):
        shell.budget.grow(sum(map(len, lines)))
        history.add(Entry("\n".join(lines), time), history_limit(shell))
    history.filed = len(found)
    history.unwritten = unwritten + (len(history) - length if start else 0)  # undocumented: what -n reads is new again
    return True


def write_history_file(shell: Shell, name: str, count: int, *, append: bool) -> None:
    """Write the last ``count`` lines of the list to a file, which then is the user's alone (undocumented).

    Raises:
        OSError: It cannot be written.
        RedirectionError: It stands for a descriptor that is not open.
    """
    history, fs, path = shell.history, shell.machine.fs, shell.absolute(name)
    stamped = shell.get("HISTTIMEFORMAT") is not None
    old = fs.read_file(path) if append and fs.access(path, "r") else b""
    lines: list[str] = []
    for line in paced(history[max(0, len(history) - count) :], _SCAN):
        time = line.time if isinstance(line, Entry) else None
        if stamped and time is not None:
            lines.append(f"#{time}\n")
        lines.append(line + "\n")
    text = "".join(lines).encode("utf-8", "surrogateescape")
    if name.startswith(("/dev/", "/proc/")):
        stream = open_file(shell, name, ">>" if append else ">|")
    else:
        stream = fs.open(path, write=True, create=True, append=append, truncate=not append, mode=_PRIVATE)
        if not append:
            fs.chmod(path, _PRIVATE)
    try:
        stream.write(text)
    finally:
        stream.release()
    if append:
        history.filed = (old + text).count(b"\n")
        history.unwritten = 0


def _cut_file(shell: Shell) -> None:
    """Leave no more lines in the history file than HISTFILESIZE says."""
    name, most = shell.get("HISTFILE"), _natural(shell.get("HISTFILESIZE"))
    if not name or most is None:
        return
    fs, path = shell.machine.fs, shell.absolute(name)
    try:
        lines = fs.read_file(path).splitlines(keepends=True)
        if len(lines) > most:
            fs.write_file(path, b"".join(lines[len(lines) - most :]))
    except OSError:
        return


# -- the lines that are read -------------------------------------------------------------------------------------------


def expand_history(shell: Shell, text: str, quote: str) -> str | None:
    """A line that was read, with its history words replaced, which is shown where it differs; None if it is given up.

    Args:
        shell: The shell that reads it.
        text: The line, with its newline.
        quote: The quotes in which it begins.
    """
    characters = shell.get("histchars")
    shell.budget.tick(len(text) >> 3)
    expansion = HistoryExpansion(
        shell.history, shell.budget.string, "!^#" if characters is None else characters, extglob=shell.options.shopt["extglob"]
    )
    try:
        expanded = expansion.expand(text, quote)
    except EventError as error:
        shell.warn(str(error))
        return None
    shell.budget.string(len(expanded))
    if expanded != text and shell.options.shopt["histverify"]:  # nobody is there to verify it
        return None
    if expanded != text or expansion.shown_only:
        shell.print_error(expanded.removesuffix("\n"))
    if expansion.shown_only:
        remember_line(shell, expanded.removesuffix("\n"))
        return None
    return expanded


def history_character(shell: Shell) -> tuple[str, str]:
    """The characters that begin a history word, and one at the beginning of a line; empty where there are none."""
    if not shell.options.set["histexpand"]:
        return "", ""
    characters = shell.get("histchars")
    return ("!", "^") if characters is None else (characters[:1], (characters + "!^"[len(characters) :])[1:2])


def remember_command(shell: Shell, text: str) -> None:
    """Put a command that was read into the list, as HISTCONTROL and HISTIGNORE let it.

    Args:
        shell: The shell that is going to run it.
        text: Its lines.
    """
    history = shell.history
    size = shell.get("HISTFILESIZE") or ""
    if size != history.file_size:
        history.file_size = size
        _cut_file(shell)
    history.running = False
    lines = text.removesuffix("\n").split("\n")
    if not lines[0].strip(" \t") and len(lines) == 1:
        return
    if not _is_kept(shell, lines[0]):
        return
    if shell.options.shopt["cmdhist"] and len(lines) > 1:
        joining = Joining(literal=shell.options.shopt["lithist"])
        for line in paced(lines, _SCAN):
            joining.add(line)
        lines = [joining.text()]
    for line in lines:
        remember_line(shell, line)
    history.running = bool(history)


def _is_kept(shell: Shell, line: str) -> bool:
    """Whether a command with this first line is remembered; with ``erasedups``, lines like it are dropped."""
    history = shell.history
    last = history[-1] if history else None
    control = set((shell.get("HISTCONTROL") or "").split(":"))
    if line[:1] in {" ", "\t"} and control & {"ignorespace", "ignoreboth"}:
        return False
    if line == last and control & {"ignoredups", "ignoreboth"}:
        return False
    for pattern in split_colons(shell.get("HISTIGNORE") or ""):
        meant = re.sub(r"\\(&)|&", lambda found: found[1] or _literal(last or ""), pattern)
        if matcher_for(shell, meant).matches(line, shell.budget):
            return False
    if "erasedups" in control and line in history:
        history[:] = [other for other in history if other != line]
    return True


def _literal(text: str) -> str:
    """A pattern that matches just this text."""
    return re.sub(r"([\\*?\[\](|)@!+])", r"\\\1", text)

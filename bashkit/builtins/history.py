"""history and fc: the history list of a shell, which a script has under ``set -o history``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bashkit.builtins.formats import time_text
from bashkit.builtins.registry import builtin, is_number, parse_options, refuse_arguments
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.command_lines import script_text
from bashkit.interp.run.redirections import RedirectionError
from bashkit.interp.run.remembering import read_history_file, remember_line, write_history_file
from bashkit.interp.run.scripts import run_text
from bashkit.interp.state.history import Entry
from bashkit.interp.state.history_expansion import EventError, HistoryExpansion
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.history import History
    from bashkit.interp.state.shell import Shell

_LINE = 4  # microseconds to show a line
_RECENT = 16  # lines that `fc -l` shows


@builtin(
    "history",
    usage="[-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
    summary="Display or manipulate the history list.",
    options="acd:npsrw",
)
def history(shell: Shell, options: Options, words: list[str]) -> int:
    """Show the history list, or change it."""
    given = dict(options)
    if "c" in given:
        shell.history.empty()
    elif "d" in given:
        return _delete(shell, given["d"])
    if "s" in given:
        if words:
            shell.history.forget_running()
            remember_line(shell, " ".join(words))
        return 0
    if "p" in given:
        return _show_expanded(shell, words)
    files = [letter for letter in "anrw" if letter in given]
    if len(files) > 1:
        shell.complain("history", "cannot use more than one of -anrw")
        return 1
    if files:
        return _exchange(shell, files[0], words[:1])
    return 0 if given else _show(shell, words)


def _show(shell: Shell, words: list[str]) -> int:
    if words and not is_number(words[0]):
        shell.complain("history", f"{words[0]}: numeric argument required")
        return 1
    if len(words) > 1:
        refuse_arguments(shell, "history")
    lines = shell.history
    begin = max(0, len(lines) - abs(whole_number(words[0].strip()))) if words else 0
    form = shell.get("HISTTIMEFORMAT")
    for index in range(begin, len(lines)):
        shell.write(f"{lines.first + index:5d}  {_stamp(shell, form, lines[index])}{lines[index]}\n")
    return 0


def _stamp(shell: Shell, form: str | None, line: str) -> str:
    """When a line was run, in the words of HISTTIMEFORMAT."""
    if not form:
        return ""
    time = line.time if isinstance(line, Entry) else None
    return "??" if time is None else time_text(shell, form, time)


def _show_expanded(shell: Shell, words: list[str]) -> int:
    status = 0
    shell.history.forget_running()
    extglob = shell.options.shopt["extglob"]
    for word in words:
        try:
            shell.write(HistoryExpansion(shell.history, shell.budget.string, extglob=extglob).expand(word) + "\n")
        except EventError:
            shell.complain("history", f"{word}: history expansion failed")
            status = 1
    return status


def _delete(shell: Shell, position: str) -> int:
    """``-d``: take a line, or those from one to another, out of the list; a negative position counts from the end."""
    lines = shell.history
    begin, dash, end = position[1:].partition("-")
    ends = [position[:1] + begin, end] if dash else [position]
    if not all(is_number(word) for word in ends):
        ends = [position]
        numbers = [-1]
    else:
        numbers = [number + (len(lines) if number < 0 else -lines.first) for number in map(whole_number, map(str.strip, ends))]
        if dash and whole_number(ends[0].strip()) == 0:
            numbers[0] = 0
    for word, number in zip(ends, numbers, strict=True):
        if not 0 <= number < len(lines):
            shell.complain("history", f"{word}: history position out of range")
            return 1
    if numbers[0] > numbers[-1]:
        shell.complain("history", f"{ends[0]}: history position out of range")
        return 1
    del lines[numbers[0] : numbers[-1] + 1]
    return 0


def _default_file(shell: Shell) -> str:
    return shell.get("HISTFILE") or f"{shell.get('HOME') or ''}/.history"


def _exchange(shell: Shell, letter: str, words: list[str]) -> int:
    """``-a``, ``-n``, ``-r`` and ``-w``: write lines to the history file, or read them from it."""
    name = words[0] if words else _default_file(shell)
    if shell.restricted and "/" in name:
        shell.complain("history", f"{name}: restricted")
        return 1
    lines = shell.history
    if letter == "a" and not lines.unwritten:
        return 0
    if not name:
        return 1
    if letter in "nr":
        return 0 if read_history_file(shell, name, lines.filed if letter == "n" else 0) else 1
    try:
        write_history_file(shell, name, lines.unwritten if letter == "a" else len(lines), append=letter == "a")
    except OSError as error:
        if letter == "a" and words and not shell.machine.fs.exists(shell.absolute(name)):
            shell.complain("history", f"{name}: cannot create: {os.strerror(error.errno or 0)}")
        return 1
    except RedirectionError:
        return 1
    return 0


@builtin(
    "fc",
    usage="[-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]",
    summary="Display or execute commands from the history list.",
)
def fc(shell: Shell, arguments: list[str]) -> int:
    """List lines of the history, or run one again."""
    numbers = next((index for index, word in enumerate(arguments) if index and is_number(word)), len(arguments))
    options, words = parse_options(shell, arguments[:numbers], "e:lnrs")
    words += arguments[numbers:]
    given = dict(options)
    if "l" in given:
        return _list(shell, words, numbered="n" not in given, reverse="r" in given)
    if "s" in given or given.get("e") == "-":
        return _again(shell, words)
    return _edit(shell, words, given.get("e") or shell.get("FCEDIT") or shell.get("EDITOR"), reverse="r" in given)


def _list(shell: Shell, words: list[str], *, numbered: bool, reverse: bool) -> int:
    lines = _past(shell)
    if not lines:
        return 0
    chosen = _range(shell, lines, words, max(0, len(lines) - _RECENT), len(lines) - 1)
    if chosen is None:
        return 1
    separator = "\t" if shell.options.posix else "\t "
    for index in paced(reversed(chosen) if reverse else chosen, _LINE):
        shell.write(f"{lines.first + index if numbered else ''}{separator}{lines[index]}\n")
    return 0


def _past(shell: Shell) -> History:
    """The lines before the one that runs."""
    lines = shell.history
    if lines.running:
        lines = lines.fork()
        del lines[-1]
    return lines


def _range(shell: Shell, lines: History, words: list[str], begin: int, end: int) -> list[int] | None:
    """The indices of the lines from the one that the first word names to that of the second; None if there is none."""
    ends = [_position(lines, word, ends=bool(place)) for place, word in enumerate(words[:2])]
    for place, index in enumerate(ends):
        if index is None:
            shell.complain("fc", "no command found")
            return None
        begin, end = (begin, index) if place else (index, end)
    step = 1 if begin <= end else -1
    return list(range(begin, end + step, step))


def _position(lines: History, word: str, *, ends: bool = False) -> int | None:
    """The index of the line that a number, a negative one or the beginning of its text names.

    Args:
        lines: The history.
        word: What names it.
        ends: It ends a range. A number before the list, or from the running line on, then means the last line,
            otherwise the first one; where no line runs, the last one stands for it.
    """
    if not is_number(word):
        found = lines.find(word)
        return None if found is None else len(lines) - 1 - lines[::-1].index(found)
    number, last = whole_number(word.strip()), len(lines) - 1
    if number <= 0:
        return max(0, min(last, len(lines) + number))
    index = number - lines.first
    return index if 0 <= index < last + lines.running else last if ends else 0


def _again(shell: Shell, words: list[str]) -> int:
    """``fc -s``: run the last command, or the last that begins so, with ``pat=rep`` applied."""
    changes = [word.split("=", 1) for word in words if "=" in word]
    named = [word for word in words if "=" not in word]
    lines = _past(shell)
    index = _position(lines, named[0]) if named else len(lines) - 1
    if index is None or not lines:
        shell.complain("fc", "no command found")
        return 1
    line: str = lines[index]
    for old, new in changes:
        line = line.replace(old, new)
    shell.print_error(line)
    _replace_running(shell, line)
    return run_text(shell, line, first_line=shell.line, label="fc")


def _replace_running(shell: Shell, *lines: str) -> None:
    """Remember what ``fc`` runs in the place of its own line."""
    if not shell.options.set["history"]:
        return
    shell.history.forget_running()
    for line in lines:
        remember_line(shell, line)


def _edit(shell: Shell, words: list[str], editor: str | None, *, reverse: bool) -> int:
    """Run an editor on a file with some lines, and then what it has left there."""
    lines = _past(shell)
    if not lines:
        return 0
    begin = _position(lines, words[0]) if words else len(lines) - 1
    chosen = _range(shell, lines, words, len(lines) - 1, len(lines) - 1 if begin is None else begin)
    if chosen is None:
        return 1
    if not editor:
        shell.complain("fc", "a script has no editor; `fc -s' runs a command again")
        return 1
    fs = shell.machine.fs
    name = f"{shell.get('TMPDIR') or '/tmp'}/bash-fc.{shell.machine.hub.new_pid()}"  # noqa: S108 - virtual
    fs.write_file(
        name,
        "".join(lines[index] + "\n" for index in (reversed(chosen) if reverse else chosen)).encode("utf-8", "surrogateescape"),
    )
    try:
        if run_text(shell, f"{editor} {name}"):
            return 1
        text = script_text(fs.read_file(name))
    finally:
        fs.unlink(name)
    _replace_running(shell, *text.splitlines())
    title, shell.script_name = shell.script_name, name
    verbose = shell.options.set["verbose"]
    shell.set_option("verbose", True)
    try:
        return run_text(shell, text)
    finally:
        shell.set_option("verbose", verbose)
        shell.script_name = title

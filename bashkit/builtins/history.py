"""history and fc: the history list of a shell. That of a script has what ``history -s`` and ``-r`` put there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, is_number, parse_options, refuse_arguments
from bashkit.interp.run.scripts import run_text

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.history import History
    from bashkit.interp.state.shell import Shell

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
        shell.history.clear()
        shell.history.first = 1
    if "d" in given:
        return _delete(shell, given["d"])
    if "s" in given:
        if words:
            _remember(shell, " ".join(words))
        return 0
    if "p" in given:
        return _show_expanded(shell, words)
    files = [letter for letter in "anrw" if letter in given]
    if len(files) > 1:
        shell.complain("history", "cannot use more than one of -anrw")
        return 1
    if files:
        return _exchange(shell, files[0], words[0] if words else shell.get("HISTFILE") or "")
    return 0 if given else _show(shell, words)


def _remember(shell: Shell, line: str) -> None:
    size = shell.get("HISTSIZE") or ""
    shell.budget.grow(len(line))
    shell.history.add(line, int(size) if size.isdecimal() else None)


def _show(shell: Shell, words: list[str]) -> int:
    if words and not is_number(words[0]):
        shell.complain("history", f"{words[0]}: numeric argument required")
        return 1
    if len(words) > 1:
        refuse_arguments(shell, "history")
    lines = shell.history
    begin = max(0, len(lines) - abs(int(words[0]))) if words else 0
    for index in range(begin, len(lines)):
        shell.write(f"{lines.first + index:5d}  {lines[index]}\n")
    return 0


def _show_expanded(shell: Shell, words: list[str]) -> int:
    status = 0
    for word in words:
        try:
            shell.write(shell.history.expand(word) + "\n")
        except LookupError:
            shell.complain("history", f"{word}: history expansion failed")
            status = 1
    return status


def _delete(shell: Shell, position: str) -> int:
    """``-d``: take a line, or those from one to another, out of the list; a negative position counts from the end."""
    lines = shell.history
    begin, dash, end = position[1:].partition("-")
    begin = position[:1] + begin
    ends = [begin, end] if dash else [begin]
    if not all(is_number(word) for word in ends):
        shell.complain("history", f"{position}: history position out of range")
        return 1
    numbers = [int(word) + (len(lines) if int(word) < 0 else -lines.first) for word in ends]
    if not all(0 <= number < len(lines) for number in numbers):
        shell.complain("history", f"{position}: history position out of range")
        return 1
    del lines[numbers[0] : numbers[-1] + 1]
    return 0


def _exchange(shell: Shell, letter: str, name: str) -> int:
    """``-a``, ``-n``, ``-r`` and ``-w``: write lines to the history file, or read them from it."""
    if shell.restricted and "/" in name:
        shell.complain("history", f"{name}: restricted")
        return 1
    lines, fs, path = shell.history, shell.machine.fs, shell.absolute(name)
    if not name:
        return 0 if letter == "a" and not lines.unwritten else 1
    try:
        if letter in "aw":
            chosen = lines[len(lines) - lines.unwritten :] if letter == "a" else lines
            old = fs.read_file(path) if letter == "a" and fs.access(path, "r") else b""
            text = "".join(line + "\n" for line in chosen).encode("utf-8", "surrogateescape")
            fs.write_file(path, old + text)
            lines.filed = (old + text).count(b"\n")
            lines.unwritten = 0
            return 0
        found = fs.read_file(path).decode("utf-8", "surrogateescape").splitlines()
    except OSError as error:
        if letter == "w":
            shell.complain("history", f"{name}: cannot create: {os.strerror(error.errno or 0)}")
        return 1
    for line in found[lines.filed :] if letter == "n" else found:
        _remember(shell, line)
    lines.filed = len(found)
    lines.unwritten = 0
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
    if shell.history:
        shell.complain("fc", "a script has no editor; `fc -s' runs a command again")
    return 1 if shell.history else 0


def _list(shell: Shell, words: list[str], *, numbered: bool, reverse: bool) -> int:
    lines = shell.history
    if not lines:
        return 0
    ends = [_position(lines, word, ends=bool(place)) for place, word in enumerate(words[:2])]
    if None in ends:
        shell.complain("fc", "no command found")
        return 1
    begin = ends[0] if ends else max(0, len(lines) - _RECENT)
    end = ends[1] if len(ends) > 1 else len(lines) - 1
    assert begin is not None
    assert end is not None
    step = 1 if begin <= end else -1
    chosen = list(range(begin, end + step, step))
    for index in reversed(chosen) if reverse else chosen:
        shell.write(f"{lines.first + index if numbered else ''}\t {lines[index]}\n")
    return 0


def _position(lines: History, word: str, *, ends: bool = False) -> int | None:
    """The index of the line that a number, a negative one or the beginning of its text names.

    Args:
        lines: The history.
        word: What names it.
        ends: It ends a range. A number before the list, or from its last line on, then means the last line,
            otherwise the first one.
    """
    if not is_number(word):
        found = lines.find(word)
        return None if found is None else len(lines) - 1 - lines[::-1].index(found)
    number, last = int(word), len(lines) - 1
    if number <= 0:
        return max(0, min(last, len(lines) + number))
    index = number - lines.first
    return index if 0 <= index < last else last if ends else 0


def _again(shell: Shell, words: list[str]) -> int:
    """``fc -s``: run the last command, or the last that begins so, with ``pat=rep`` applied."""
    changes = [word.split("=", 1) for word in words if "=" in word]
    named = [word for word in words if "=" not in word]
    index = _position(shell.history, named[0]) if named else len(shell.history) - 1
    if index is None or not shell.history:
        shell.complain("fc", "no command found")
        return 1
    line = shell.history[index]
    for old, new in changes:
        line = line.replace(old, new)
    shell.print_error(line)
    return run_text(shell, line)

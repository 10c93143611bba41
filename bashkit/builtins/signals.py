"""Builtins about signals: kill and trap (bash(1), SIGNALS)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.jobs import find_job
from bashkit.builtins.registry import builtin, end_special, offer_help, refuse_option
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.sending import LARGEST_PID, send_signal
from bashkit.interp.run.traps import PSEUDO, SIGNALS, set_trap, signal_name
from bashkit.interp.runtime.control import USAGE_STATUS
from bashkit.interp.state.quoting import plain_quote
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell

_ATTACHED = re.compile(r"-s[A-Za-z].*|-n[0-9].*", re.DOTALL).fullmatch


@builtin(
    "kill",
    usage="[-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
    summary="Send a signal to a job.",
)
def kill(shell: Shell, arguments: list[str]) -> int:
    """Signal processes of the sandbox."""
    offer_help(shell, "kill", "".join(arguments[1:2]))
    options = _read_options(shell, arguments[1:])
    if options is None:
        return 1
    spec, lists, words = options
    if lists:
        return _list_signals(shell, words)
    found = _sent(shell, spec)
    if found is None or found in PSEUDO:
        shell.complain("kill", f"{spec}: invalid signal specification")
        return 1
    if not words:
        refuse_option(shell, "kill", None)
    status = 1
    for word in words:
        if _signal_one(shell, word, found):
            status = 0
    return status


def _read_options(shell: Shell, words: list[str]) -> tuple[str, bool, list[str]] | None:
    """The signal that the options of ``kill`` ask for, whether they ask for the list of signals, and the operands.

    None if ``-s`` or ``-n`` stands at the end, which is reported.

    Raises:
        UsageRefused: They ask how it is used.
    """
    spec, lists, index = "", False, 0
    given = False
    while index < len(words):
        word = words[index]
        if word in {"-l", "-L"}:
            lists = True
        elif word in {"-s", "-n"}:
            index += 1
            if index == len(words):
                shell.complain("kill", f"{word}: option requires an argument")
                return None
            spec, given = words[index], True
        elif _ATTACHED(word):
            spec, given = word[2:], True
        elif word == "--":
            index += 1
            break
        elif word == "-?":
            refuse_option(shell, "kill", None)
        elif word.startswith("-") and not given:
            spec, given = word[1:], True
        else:
            break
        index += 1
    return spec if given else "TERM", lists, words[index:]


def _sent(shell: Shell, text: str) -> str | None:
    """The signal that a text names for ``kill``; in posix mode no name begins with ``SIG``."""
    return None if shell.options.posix and text.upper().startswith("SIG") else signal_name(text)


def _signal_one(shell: Shell, word: str, name: str) -> bool:
    """Signal the process or job that a word names; whether there is one."""
    if word.startswith("%"):
        job = find_job(shell, word, "kill")
        if job is None or job.task.done:
            return False
        word = f"-{job.task.pid}" if shell.options.set["monitor"] else str(job.task.pid)
    if not re.fullmatch(r"-?[0-9]+", word) or abs(whole_number(word)) > LARGEST_PID:
        shell.complain("kill", f"{word}: arguments must be process or job IDs" if word else "`': not a pid or valid job spec")
        return False
    found = send_signal(shell, whole_number(word), name)
    if found is None:
        shell.complain("kill", f"({word}) - No such process")
    return bool(found)


_AFTER = max(SIGNALS.values()) + 1  # the number of the first of PSEUDO
_COLUMNS = 5  # of the signals that `kill -l` lists


def _show_signals(shell: Shell) -> int:
    names = [f"{number:2d}) SIG{name}" for name, number in SIGNALS.items() if number]
    rows = [names[index : index + _COLUMNS] for index in range(0, len(names), _COLUMNS)]
    shell.write("".join("\t".join(row) + ("\n" if len(row) == _COLUMNS else "\t\n") for row in rows))
    return 0


def _list_signals(shell: Shell, words: list[str]) -> int:
    if not words and shell.options.posix:
        shell.write(" ".join(name for name, number in SIGNALS.items() if number) + "\n")
        return 0
    if not words:
        return _show_signals(shell)
    status = 0
    for word in words:
        if is_digits(word):
            number = whole_number(word) - 128 if whole_number(word) > 128 else whole_number(word)
            name = next((name for name, value in SIGNALS.items() if value == number), None)
            shown = name
        else:
            name = _sent(shell, word)
            shown = None if name is None else str(_AFTER + PSEUDO.index(name) if name in PSEUDO else SIGNALS[name])
        if shown is None:
            shell.complain("kill", f"{word}: invalid signal specification")
            status = 1
        else:
            shell.write(shown + "\n")
    return status


@builtin("trap", usage="[-lp] [[arg] signal_spec ...]", summary="Trap signals and other events.", special=True, options="lp")
def trap(shell: Shell, options: Options, words: list[str]) -> int:
    """Set or show what signals and events do."""
    letters = {letter for letter, _ in options}
    if "l" in letters:
        return _show_signals(shell)
    if "p" in letters or not words:
        return _show_traps(shell, words, asked="p" in letters)
    action: str | None = words[0]
    names = words[1:]
    if not names:
        if signal_name(words[0]) is None or (shell.options.posix and not is_digits(words[0])):
            shell.print_error("trap: usage: trap [-lp] [[arg] signal_spec ...]")
            return end_special(shell, USAGE_STATUS)
        action, names = None, words
    elif words[0] == "-" or (is_digits(words[0]) and signal_name(words[0]) is not None):
        action, names = None, names if words[0] == "-" else words
    status = 0
    shell.traps.inherited = None
    for word in names:
        name = signal_name(word)
        if name is None:
            shell.complain("trap", f"{word}: invalid signal specification")
            status = 1
        else:
            set_trap(shell, name, action)
    return status


def _show_traps(shell: Shell, words: list[str], *, asked: bool) -> int:
    """``trap`` and ``trap -p``, which in posix mode shows the default actions, too."""
    status = 0
    for word in words:
        name = signal_name(word)
        if name is None:
            shell.complain("trap", f"{word}: invalid signal specification")
            status = 1
        else:
            _show_trap(shell, name, asked=asked)
    for name in () if words else (*SIGNALS, *PSEUDO):
        _show_trap(shell, name, asked=asked)
    return status


def _show_trap(shell: Shell, name: str, *, asked: bool) -> None:
    traps, posix = shell.traps.inherited or shell.traps, shell.options.posix
    shown = name if posix or name in PSEUDO or name == "EXIT" else "SIG" + name
    action = None if name in traps.untold else traps.get(name)
    if name == "INT" and shell.traps.tells:
        action = shell.traps.get(name, action)
    if action is not None:
        shell.write(f"trap -- {plain_quote(action)} {shown}\n")
    elif posix and asked:
        shell.write(f"trap -- - {shown}\n")

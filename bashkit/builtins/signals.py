"""Builtins about signals: kill and trap (bash(1), SIGNALS)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.jobs import find_job
from bashkit.builtins.registry import builtin, end_special, offer_help, refuse_option
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.traps import IGNORED, PSEUDO, SIGNALS, action_on, run_trap, set_trap, signal_name
from bashkit.interp.runtime.control import USAGE_STATUS, Killed
from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.state.quoting import plain_quote
from bashkit.limits import ask

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.shell import Shell

_ATTACHED = re.compile(r"-s[A-Za-z].*|-n[0-9].*", re.DOTALL).fullmatch


@builtin(
    "kill",
    usage="[-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
    summary="Send a signal to a job.",
    program=True,
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
    number = SIGNALS[name]
    if word.startswith("%"):
        job = find_job(shell, word, "kill")
        if job is None or job.task.done:
            return False
        word = str(job.task.pid)
    if not re.fullmatch(r"-?[0-9]+", word) or abs(whole_number(word)) > _LARGEST:
        shell.complain("kill", f"{word}: arguments must be process or job IDs" if word else "`': not a pid or valid job spec")
        return False
    pid = whole_number(word)
    if pid == shell.pid or (pid in _GROUP and shell.options.set["monitor"]):
        _signal_self(shell, name, number)
        return True
    if pid in _GROUP:
        _signal_group(shell, name, number)
        return True
    main = shell.machine.main
    target = _shell_of(shell, pid)
    if main is not None and pid == ROOT_PID and (target is None or action_on(target, name) is None):
        _signal_main(shell, target or main, name, number)
        return True
    if pid < 0 and not shell.options.set["monitor"]:  # a job is a process group under job control alone
        target = None
    member = abs(pid) if shell.options.set["monitor"] else pid
    task = next((task for task in shell.machine.hub.tasks if task.pid == member), None)
    if task is None and target is None:
        shell.complain("kill", f"({word}) - No such process")
        return False
    action = None if target is None else action_on(target, name)
    if task is not None and (action is None or name == "KILL"):
        return _deliver(shell, task, number)
    assert target is not None
    acts = name not in IGNORED if action is None else action != ""
    if number and (acts or name == "KILL"):
        target.take(name)
    return True


def _signal_group(shell: Shell, name: str, number: int) -> None:
    """A signal to the process group of the script: without job control all of its processes are in it."""
    hub, main = shell.machine.hub, shell.machine.main
    others = {task.pid for task in hub.tasks if task is not hub.current} - {ROOT_PID, shell.pid}
    ask(len(others))
    for pid in sorted(others):
        _signal_one(shell, str(pid), name)
    if main is not None and shell is not main and shell.pid != main.pid:
        _signal_main(shell, main, name, number)
    _signal_self(shell, name, number)


def _shell_of(shell: Shell, pid: int) -> Shell | None:
    """The shell that is the process of that ID: the innermost, where one has become another."""
    found = [other for other in reversed(shell.machine.shells) if other.pid == pid]  # of equals the one that began last
    return max(found, key=lambda other: (other.invocation.process_id == pid, other.subshell_level), default=None)


_GROUP = frozenset([0, -1, -ROOT_PID])  # process IDs that stand for the process group of the script
_LARGEST = 0x7FFFFFFF  # process ID
_AFTER = max(SIGNALS.values()) + 1  # the number of the first of PSEUDO
_COLUMNS = 5  # of the signals that `kill -l` lists


def _deliver(shell: Shell, task: Task, number: int) -> bool:
    """Send a signal to a task; no task of the sandbox is ever stopped."""
    if number and number not in {SIGNALS[name] for name in IGNORED}:
        shell.machine.hub.throw(task, Killed(number, whole=True))
    return not task.done


def _signal_self(shell: Shell, name: str, number: int) -> None:
    """A signal to the shell itself: its trap runs, or it ends."""
    if not number:
        return
    action = action_on(shell, name)
    if action == "" and name not in {"KILL", "STOP"}:
        return
    if action and name != "KILL":
        if shell.traps.delayed:
            shell.take(name)
            return
        shell.status = 0  # that of kill
        run_trap(shell, name)
        return
    if name in IGNORED:
        return
    shell.status = 0  # as above
    raise Killed(number)


def _signal_main(shell: Shell, main: Shell, name: str, number: int) -> None:
    """A subshell or child signals the main shell: its trap runs before its next command, or it ends."""
    action = action_on(main, name)
    if not number or (action is None and name in IGNORED):
        return
    if action is None or name == "KILL":
        shell.machine.killed = number
        main.take(name)
        raise Killed(number)
    if action:
        main.take(name)


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
        if word.isdecimal():
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
        known = words[0].isdecimal() if shell.options.posix else signal_name(words[0]) is not None
        if not known:
            shell.print_error("trap: usage: trap [-lp] [[arg] signal_spec ...]")
            return end_special(shell, USAGE_STATUS)
        action, names = None, words
    elif words[0] == "-" or (words[0].isdecimal() and signal_name(words[0]) is not None):
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
    if name in traps and name not in traps.untold:
        shell.write(f"trap -- {plain_quote(traps[name])} {shown}\n")
    elif posix and asked:
        shell.write(f"trap -- - {shown}\n")

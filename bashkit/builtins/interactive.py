"""What only an interactive shell has: history, fc, bind, logout, suspend. A script is told so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, offer_help

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell


@builtin(
    "history",
    usage="[-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
    summary="Display or manipulate the history list.",
    options="acd:npsrw",
)
def history(shell: Shell, options: Options, words: list[str]) -> int:
    """A script has no history: there is nothing to show or to change."""
    given = dict(options)
    if "p" in given:
        shell.write("".join(word + "\n" for word in words))
    elif "d" in given:
        shell.complain("history", f"{given['d']}: history position out of range")
        return 1
    elif not options and words and not words[0].lstrip("-").isdecimal():
        shell.complain("history", f"{words[0]}: numeric argument required")
        return 1
    return 0


@builtin(
    "fc",
    usage="[-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]",
    summary="Display or execute commands from the history list.",
    options="e:lnrs",
)
def fc(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """A script has no history to take commands from."""
    if any(letter == "s" for letter, _ in options):
        shell.complain("fc", "no command found")
        return 1
    return 0


@builtin(
    "bind",
    usage="[-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command]"
    " [keyseq:readline-function or readline-command]",
    summary="Set Readline key bindings and variables.",
    options="lpsvPSVXm:f:q:u:r:x:",
)
def bind(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """There is no line editing in a script."""
    shell.complain("bind", "warning: line editing not enabled")
    return 0


@builtin("logout", usage="[n]", summary="Exit a login shell.")
def logout(shell: Shell, arguments: list[str]) -> int:
    """A script runs in no login shell."""
    offer_help(shell, "logout", "".join(arguments[1:2]))
    shell.complain("logout", "not login shell: use `exit'")
    return 1


@builtin("suspend", usage="[-f]", summary="Suspend shell execution.", options="f")
def suspend(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """There is no job control in a script."""
    shell.complain("suspend", "cannot suspend: no job control")
    return 1

"""How ``bash`` is called: its options, and the files that it reads when it starts (bash(1), OPTIONS and INVOCATION)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bashkit.interp.expand.words import compile_scalar
from bashkit.interp.run.remembering import begin_with_history
from bashkit.interp.state.options import OPTION_NAMES, SETTLED
from bashkit.syntax import Parser

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_RELEASE = "GNU bash, version 5.2.15(1)-release"
_MACHINE = "(x86_64-pc-linux-gnu)\n"
_LONG = (
    "debug debugger dump-po-strings dump-strings help init-file login noediting noprofile norc posix pretty-print rcfile "
    "restricted verbose version"
).split()
_USAGE = (
    "Usage:\tNAME [GNU long option] [option] ...\n\tNAME [GNU long option] [option] script-file ...\nGNU long options:\n"
    + "".join(f"\t--{name}\n" for name in _LONG)
    + "Shell options:\n\t-ilrsD or -c command or -O shopt_option\t\t(invocation only)\n\t-abefhkmnptuvxBCEHPT or -o option\n"
)
_MORE = """Type `NAME -c "help set"' for more information about shell options.
Type `NAME -c help' for more information about shell builtin commands.
Use the `bashbug' command to report bugs.

bash home page: <http://www.gnu.org/software/bash>
General help using GNU software: <http://www.gnu.org/gethelp/>
"""
_REFUSED = 2


@dataclass(slots=True)
class Asked:
    """What the words behind ``bash`` ask for.

    Attributes:
        command: ``-c``: the first operand is the script.
        from_stdin: ``-s``: standard input has the script, whatever operands there are.
        login: ``-l``: a login shell.
        profile: Read the files of a login shell.
        files: Read the file of an interactive shell.
        file: That file.
        strings: ``-D``: show the strings that are to be translated, and run nothing; named by the option.
        operands: The words behind the options.
    """

    command: bool = False
    from_stdin: bool = False
    login: bool = False
    profile: bool = True
    files: bool = True
    file: str = "~/.bashrc"
    strings: str = ""
    operands: list[str] = field(default_factory=list)


def _told(shell: Shell, text: str) -> str:
    """A text about invocation, by the name that the shell was started by."""
    return text.replace("NAME", shell.invocation.name)


def read_invocation(shell: Shell, words: list[str]) -> Asked | int:
    """Obey the options of a new shell; gives what else is asked for, or the status when there is nothing to run."""
    asked = Asked(login=shell.invocation.name.startswith("-"))
    if shell.invocation.name.rpartition("/")[2] == "rbash":
        shell.restrict()
    index = 0
    while index < len(words) and (name := _long_option(words[index])):
        index += 1
        if name in {"version", "help"}:
            shell.write(f"{_RELEASE}-{_MACHINE}{_told(shell, _USAGE + _MORE)}" if name == "help" else f"{_RELEASE} {_MACHINE}")
            return 0
        if name in {"rcfile", "init-file"}:
            if index == len(words):
                shell.print_error(f"{shell.invocation.name}: {name}: option requires an argument")
                return _REFUSED
            asked.file = words[index]
            index += 1
        elif not _set_long(shell, asked, name):
            return _refuse(shell, f"{shell.invocation.name}: --{name}: invalid option")
    while index < len(words) and words[index][:1] in {"-", "+"}:
        word = words[index]
        index += 1
        if word in {"--", "-"}:
            break
        for letter in word[1:]:
            if letter in "oO":
                name = words[index] if index < len(words) else ""
                index += 1
                if not _set_named(shell, letter, name, on=word[0] == "-"):
                    return _REFUSED
            elif not _set_letter(shell, asked, letter, on=word[0] == "-"):
                return _refuse(shell, f"{shell.invocation.name}: {word[0]}{letter}: invalid option")
    asked.operands = words[index:]
    if shell.options.set["history"]:
        begin_with_history(shell)
        shell.set_option("history", not asked.command)
    if shell.invocation.interactive:
        shell.set_shell_option("expand_aliases", True)
        for name in ("emacs", "histexpand", "history"):
            shell.set_option(name, True)
        for name, value in (("PS1", "\\s-\\v\\$ "), ("PS2", "> ")):
            shell.variables.setdefault(name, value)
    else:
        for name in ("PS1", "PS2"):  # which no prompt of a script needs
            shell.variables.pop(name, None)
    if shell.restricted or shell.options.set["privileged"]:
        shell.functions = {}  # none comes from the environment
    if asked.login:
        shell.set_shell_option("login_shell", True)
    return asked


def _long_option(word: str) -> str:
    """The name of a multi-character option, which one hyphen may introduce, too; empty if the word is none."""
    if word.startswith("--"):
        return word[2:]
    return word[1:] if word.startswith("-") and word[1:] in _LONG else ""


def _set_long(shell: Shell, asked: Asked, name: str) -> bool:
    if name == "posix":
        shell.set_option("posix", True)
    elif name == "restricted":
        shell.restrict()
    elif name == "verbose":
        shell.set_option("verbose", True)
    elif name == "login":
        asked.login = True
    elif name == "norc":
        asked.files = False
    elif name == "noprofile":
        asked.profile = False
    elif name in {"dump-strings", "dump-po-strings"}:
        asked.strings = name
    else:
        return name == "noediting"  # there is no terminal to edit lines on
    return True


def _set_letter(shell: Shell, asked: Asked, letter: str, *, on: bool) -> bool:
    if letter == "c":
        asked.command = True
    elif letter == "s":
        asked.from_stdin = True
    elif letter == "l":
        asked.login = True
    elif letter == "i":
        shell.invocation = replace(shell.invocation, interactive=on)
    elif letter == "D":
        asked.strings = "dump-strings"
    elif letter == "r" and on:
        shell.restrict()
    elif letter in OPTION_NAMES:
        shell.set_letter(letter, on)
    else:
        return False
    return True


def _set_named(shell: Shell, letter: str, name: str, *, on: bool) -> bool:
    """``-o name`` and ``-O name``; without a name, the list of all."""
    options = shell.options.set if letter == "o" else shell.options.shopt
    command = f"set {'-' if options.get(name) else '+'}o" if letter == "o" else ""
    if not name:
        for each, is_on in options.items():
            command = f"set {'-' if is_on else '+'}o" if letter == "o" else f"shopt -{'s' if is_on else 'u'}"
            shell.write(f"{each:<15}\t{'on' if is_on else 'off'}\n" if on else f"{command} {each}\n")
    elif name not in options:
        title = shell.invocation.name
        where = f"{title}: line 0: "
        shell.print_error(
            f"{where}{title}: {name}: invalid option name" if letter == "o" else f"{where}{name}: invalid shell option name"
        )
        return False
    elif letter == "o":
        shell.set_option(name, on)
    elif name not in SETTLED:
        shell.set_shell_option(name, on)
    return True


def _refuse(shell: Shell, message: str) -> int:
    shell.print_error(message)
    if shell.options.errexit:
        return 1
    shell.print_error(_told(shell, _USAGE).rstrip("\n"))
    return _REFUSED


def startup_files(shell: Shell, asked: Asked) -> list[str]:
    """The files that a shell runs before its script: those of a login shell, of an interactive one, or what BASH_ENV names."""
    home = shell.get("HOME") or ""
    posix, interactive = shell.options.posix, shell.invocation.interactive
    if asked.login:
        if not asked.profile:
            return []
        names = [f"{home}/.profile"] if posix else [f"{home}/.bash_profile", f"{home}/.bash_login", f"{home}/.profile"]
        fs = shell.machine.fs
        return ["/etc/profile", *[name for name in names if fs.exists(shell.absolute(name))][:1]]
    if (posix and not interactive) or shell.options.set["privileged"]:
        return []
    if interactive and not posix:
        return ["/etc/bash.bashrc", asked.file.replace("~", home, 1)] if asked.files else []
    value = shell.get("ENV" if posix else "BASH_ENV")
    if not value:
        return []
    return [compile_scalar(Parser("").read_here_body(value, shell.line), tilde=False)(shell)]

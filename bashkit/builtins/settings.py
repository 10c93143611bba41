"""Builtins about the shell's options: set, shopt, getopts."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, end_special, offer_help, refuse_option
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.runtime.control import ExecutionStopped, SpecialBuiltinFailed, UsageRefused
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.description import describe_plainly, listed
from bashkit.interp.state.options import OPTION_NAMES, SETTLED
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.variables import INTEGER, NAMEREF, READONLY, AssociativeArray, IndexedArray, OptionIndex, Variable
from bashkit.limits import Words
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.variables import Stored

_LEADING = re.compile(r"[0-9]+")
_NOT_ZERO = re.compile(r"[ \t\n]*[+-]?0*[1-9]")


@builtin(
    "set",
    usage="[-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
    summary="Set or unset values of shell options and positional parameters.",
    special=True,
)
def set_(shell: Shell, arguments: list[str]) -> int:
    """Set options and positional parameters; alone, show every variable."""
    words = arguments[1:]
    if not words:
        return _show(shell)
    if words[0] == "--":
        shell.set_positional(words[1:] if arguments.__class__ is list else Words(shell.budget, words[1:]))
        return 0
    _refuse_letters(shell, words)
    index = 0
    positional: list[str] | None = None
    while index < len(words):
        word = words[index]
        if word == "--":
            positional = words[index + 1 :]
            break
        if word == "-":
            shell.set_option("xtrace", False)
            shell.set_option("verbose", False)
            positional = words[index + 1 :] or None
            break
        if word == "+":
            index += 1
            positional = words[index:] if index < len(words) and words[index][:1] not in {"-", "+"} else positional
            if index == len(words) and len(words) == 1:
                break
            continue
        if word[:1] not in {"-", "+"} or len(word) < 2:
            positional = words[index:]
            break
        index += 1
        on = word[0] == "-"
        for letter in word[1:]:
            if letter == "o":
                if index >= len(words) or words[index][:1] in {"", "-", "+"}:
                    _show_options(shell, commands=not on)
                    continue
                name = words[index]
                index += 1
                if name not in shell.options.set:
                    shell.complain("set", f"{name}: invalid option name")
                    return end_special(shell, 2)
                shell.set_option(name, on)
            elif letter in OPTION_NAMES:
                shell.set_letter(letter, on)
            elif letter != "i":  # which bash takes there, as when it starts
                return _refuse_late(shell, word[0] + letter)
    if positional is not None:
        shell.set_positional(positional if arguments.__class__ is list else Words(shell.budget, positional))
    if shell.options.set["noexec"]:
        raise ExecutionStopped
    return 0


def _refuse_letters(shell: Shell, words: list[str]) -> None:
    """Refuse an unknown letter before any option is set; undocumented: neither a semicolon nor what follows ``o`` in its word.

    Raises:
        UsageRefused: There is one.
    """
    for word in words:
        if word in {"-", "--"} or word[:1] not in {"-", "+"}:
            return
        for letter in word[1:].partition("o")[0]:
            if letter != ";" and (letter not in OPTION_NAMES or (letter == "r" and word[0] == "+" and shell.restricted)):
                offer_help(shell, "set", word)
                refuse_option(shell, "set", f"{word[0]}{letter}: invalid option")


def _refuse_late(shell: Shell, option: str) -> int:
    """Refuse an unknown letter behind ``o``: the options before it are set."""
    with suppress(UsageRefused, SpecialBuiltinFailed):
        refuse_option(shell, "set", f"{option}: invalid option")
    return 1


def _show(shell: Shell) -> int:
    for name in listed(shell):
        line = describe_plainly(shell, name)
        if line is not None:
            shell.write(line + "\n")
    if not shell.options.posix:
        for _, function in sorted(shell.functions.items()):
            shell.write(unparse_function(function.definition, posix=shell.options.posix) + "\n")
    return 0


def _show_options(shell: Shell, *, commands: bool) -> None:
    for name, on in sorted(shell.options.set.items()):
        shell.write(f"set {'-' if on else '+'}o {name}\n" if commands else f"{name:<15}\t{'on' if on else 'off'}\n")


@builtin("shopt", usage="[-pqsu] [-o] [optname ...]", summary="Set and unset shell options.", options="pqsuo")
def shopt(shell: Shell, options: Options, words: list[str]) -> int:
    """Show and set the options of shopt, with ``-o`` those of set."""
    letters = {letter for letter, _ in options}
    table = shell.options.set if "o" in letters else shell.shell_options()
    if {"s", "u"} <= letters:
        shell.complain("shopt", "cannot set and unset shell options simultaneously")
        return 1
    sets = bool(letters & {"s", "u"})
    status = 0
    for name in words or [name for name, on in table.items() if not sets or on is ("s" in letters)]:
        if name not in table:
            shell.complain("shopt", f"{name}: invalid {'option' if 'o' in letters else 'shell option'} name")
            status = 0 if "o" in letters and sets else 1  # undocumented
        elif not sets or not words:
            status |= bool(words) and not table[name]
            if "q" not in letters:
                _show_option(shell, letters, name, on=table[name])
        elif "o" in letters:
            shell.set_option(name, "s" in letters)
        elif name not in SETTLED:
            shell.set_shell_option(name, "s" in letters)
    if shell.options.set["noexec"]:
        raise ExecutionStopped
    return status


def _show_option(shell: Shell, letters: set[str], name: str, *, on: bool) -> None:
    if "p" in letters:
        shell.write(f"set {'-' if on else '+'}o {name}\n" if "o" in letters else f"shopt -{'s' if on else 'u'} {name}\n")
    else:
        shell.write(f"{name:<15}\t{'on' if on else 'off'}\n")


def _reports(shell: Shell) -> bool:
    """Whether ``getopts`` reports errors: unless OPTERR begins with no number, or with zero."""
    text = shell.get("OPTERR")
    return not text or _NOT_ZERO.match(text) is not None


@builtin("getopts", usage="optstring name [arg ...]", summary="Parse option arguments.", options="")
def getopts(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """Take the next option of the positional parameters (or of the given words)."""
    if len(words) < 2:
        shell.print_error("getopts: usage: getopts optstring name [arg ...]")
        return 2
    letters, name = words[0], words[1]
    given = words[2:] if len(words) > 2 else shell.positional
    silent = letters.startswith(":")
    text = shell.get("OPTIND") or "1"
    number = _LEADING.match(text)
    index = max(whole_number(number[0]), 1) if number else 1
    expected, offset = shell.getopts_place
    variable = shell.variables.get("OPTIND")
    assigned = variable.assigned if isinstance(variable, OptionIndex) else _is_fresh(variable)
    if _is_readonly(shell, "OPTIND") and expected:
        index = expected
    else:
        if expected and isinstance(variable, OptionIndex) and not assigned:
            index = expected  # whatever a scope that ended has given back
        if expected != index or assigned or (index <= len(given) and offset >= len(given[index - 1])):
            offset = 1
    if index > len(given) or (offset == 1 and (given[index - 1][:1] != "-" or given[index - 1] == "-")):
        return _end(shell, name, min(index, len(given) + 1))
    word = given[index - 1]
    if word == "--" and offset == 1:
        return _end(shell, name, index + 1)
    letter = word[offset]
    offset += 1
    where = letters.find(letter) if letter != ":" else -1
    takes = where >= 0 and letters[where + 1 : where + 2] == ":"
    found, argument = letter, None
    if where < 0:
        found = "?"
        if silent:
            argument = letter
        elif _reports(shell):
            shell.print_error(f"{shell.invocation.name}: illegal option -- {letter}")
    elif takes:
        if offset < len(word):
            argument = word[offset:]
        elif index < len(given):
            index += 1
            argument = given[index - 1]
        else:
            found = ":" if silent else "?"
            if silent:
                argument = letter
            elif _reports(shell):
                shell.print_error(f"{shell.invocation.name}: option requires an argument -- {letter}")
        return _store(shell, name, found, argument, (index + 1, 1))
    if offset >= len(word):
        index, offset = index + 1, 1
    return _store(shell, name, found, argument, (index, offset))


def _is_fresh(variable: Stored | None) -> bool:
    """Whether an OPTIND that notes no assignment is a new local one, neither an array nor a reference."""
    return not isinstance(variable, Variable) or not (
        variable.flags & NAMEREF or isinstance(variable.value, (IndexedArray, AssociativeArray))
    )


def _is_readonly(shell: Shell, name: str) -> bool:
    variable = shell.variables.get(name)
    return isinstance(variable, Variable) and bool(variable.flags & READONLY)


def _remember(shell: Shell, index: int, place: tuple[int, int]) -> None:
    """Set OPTIND, and where the next call of getopts goes on."""
    shell.getopts_place = place
    if _is_readonly(shell, "OPTIND"):
        shell.complain_of_variable(ReadonlyError("OPTIND").message)
        return
    variable = shell.variables.get("OPTIND")
    if not isinstance(variable, OptionIndex) or variable.flags & ~INTEGER or shell.options.allexport:
        shell.assign("OPTIND", str(index))
        variable = shell.variables.get("OPTIND")
        if not isinstance(variable, OptionIndex):
            if not _is_fresh(variable):
                return
            flags = variable.flags if isinstance(variable, Variable) else 0
            shell.variables["OPTIND"] = OptionIndex(str(index), flags)
    owned = shell.own("OPTIND")
    assert isinstance(owned, OptionIndex)
    owned.go_on(str(index))


def _store(shell: Shell, name: str, found: str, argument: str | None, place: tuple[int, int]) -> int:
    """Set the variables of ``getopts`` after an option; gives its status."""
    _remember(shell, place[0], place)
    if not _is_readonly(shell, "OPTARG") or (found == "?" and argument is None):
        shell.unset_hidden("OPTARG", readonly=True)
        if argument is not None:
            shell.assign("OPTARG", argument)
    else:
        shell.complain_of_variable(ReadonlyError("OPTARG").message)
    if not NAME.fullmatch(name):
        return _refuse_name(shell, name)
    try:
        shell.assign(name, found)
    except ReadonlyError as error:
        shell.complain_of_variable(error.message)
        return 2
    return 0


def _end(shell: Shell, name: str, index: int) -> int:
    _remember(shell, index, (0, 1))
    shell.unset_hidden("OPTARG", readonly=True)
    if not NAME.fullmatch(name):
        return _refuse_name(shell, name)
    shell.assign(name, "?")
    return 1


def _refuse_name(shell: Shell, name: str) -> int:
    shell.complain("getopts", f"`{name}': not a valid identifier")
    return 1

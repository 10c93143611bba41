"""The variables a shell starts with (bash(1), Shell Variables)."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.state.variables import (
    EXPORT,
    INTEGER,
    READONLY,
    AssociativeArray,
    DynamicVariable,
    IndexedArray,
    OptionIndex,
    Value,
    Variable,
)
from bashkit.limits import paced
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.state.shell import Shell

_VERSION = ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"]


def define_variables(shell: Shell, environment: Mapping[str, str]) -> None:
    """Set the shell's variables from its environment, as bash does when it starts."""
    variables = shell.variables
    variables.update(_STATIC)
    for name, value in environment.items():
        variables[name] = Variable(value, EXPORT)
    variables.update(_INITIAL)
    for name in _OF_PROGRAM & environment.keys():
        variables[name] = Variable(cast("str", _STATIC[name]), EXPORT)
    if "OLDPWD" in environment and not shell.machine.fs.is_directory(shell.absolute(environment["OLDPWD"])):
        variables["OLDPWD"] = _STATIC["OLDPWD"]
    level = environment.get("SHLVL")
    variables["SHLVL"] = _OUTERMOST if level is None else Variable(str(_level(shell, level)), EXPORT)
    variables["PWD"] = Variable(shell.cwd, EXPORT)
    variables["HOSTNAME"] = shell.machine.system.hostname
    variables.update(_SETTLED)
    if "SECONDS" in environment:
        _set_seconds(shell, environment["SECONDS"])
    if "COMP_WORDBREAKS" in environment:
        variables["COMP_WORDBREAKS"] = DynamicVariable(_word_breaks, _set_word_breaks, EXPORT)
    if not shell.invocation.command_string:
        del variables["BASH_EXECUTION_STRING"]
    variables["_"] = environment.get("_", shell.invocation.name)
    if "POSIXLY_CORRECT" in environment:
        shell.set_option("posix", True)
    if "SHELLOPTS" in environment:
        variables["SHELLOPTS"] = DynamicVariable(_shell_options, None, READONLY | EXPORT)
        for option in environment["SHELLOPTS"].split(":") if environment["SHELLOPTS"] else ():
            if option in shell.options.set:
                shell.set_option(option, True)
            else:
                shell.print_error(f"{shell.script_name}: line 0: {option}: invalid option name")
    if "BASHOPTS" in environment:
        variables["BASHOPTS"] = DynamicVariable(_bash_options, None, READONLY | EXPORT)
        for option in environment["BASHOPTS"].split(":"):
            if option in shell.options.shopt:
                shell.set_shell_option(option, True)


def _level(shell: Shell, outer: str) -> int:
    """How deep a shell is among shells, by the SHLVL of the one that started it."""
    level = int(outer) + 1 if _NUMBER(outer) else 1
    if level < _MOST_LEVELS:
        return max(level, 0)
    if level > _INT_MAX:
        return 0
    shell.print_error(f"{shell.script_name}: warning: shell level ({level}) too high, resetting to 1")
    return 1


def own_variables() -> frozenset[str]:
    """The names of the variables that bash itself sets or reads, and that a script should not use for its own data."""
    return _OWN


def dynamic_variable(name: str) -> DynamicVariable | None:
    """The variable of that name that the shell computes."""
    found = _DYNAMIC.get(name)
    return found if isinstance(found, DynamicVariable) else None


DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
STANDARD_PATH = "/bin:/usr/bin"  # what ``command -p`` searches: confstr(3), _CS_PATH
_OUTERMOST = Variable("1", EXPORT)  # SHLVL
_MOST_LEVELS = 1000
_INT_MAX = 2**31 - 1
_NUMBER = re.compile(r"[ \t]*[+-]?[0-9]{1,18}[ \t]*").fullmatch


def _word_breaks(shell: Shell) -> Value:  # noqa: ARG001 - a DynamicVariable's
    return " \t\n\"'@><=;|&(:"


def _set_word_breaks(shell: Shell, value: str) -> None:
    """``COMP_WORDBREAKS`` is a variable like others from its first assignment on."""
    variable = shell.variables["COMP_WORDBREAKS"]
    shell.define("COMP_WORDBREAKS", Variable(value, variable.flags if isinstance(variable, Variable) else 0))


_LOOKUP = 4  # microseconds to look for a file
# Variables of no store are shared until a shell changes them.
_STATIC: dict[str, str | Variable] = {
    "PATH": DEFAULT_PATH,
    "PS4": "+ ",
    "BASH": "/usr/bin/bash",
    "BASH_LOADABLES_PATH": "/usr/local/lib/bash:/usr/lib/bash:/opt/local/lib/bash:/usr/pkg/lib/bash:/opt/pkg/lib/bash:.",
    "BASH_VERSION": "5.2.15(1)-release",
    "HOSTTYPE": "x86_64",
    "MACHTYPE": "x86_64-pc-linux-gnu",
    "OSTYPE": "linux-gnu",
    "SHELL": "/bin/bash",
    "TERM": "dumb",
    "OLDPWD": Variable(None, EXPORT),
}


_OF_PROGRAM = frozenset(["BASH", "BASH_VERSION"])  # they are what they are, whatever the environment says
_INITIAL: dict[str, str | Variable] = {"IFS": " \t\n", "OPTIND": OptionIndex(), "OPTERR": "1"}  # whatever the environment says
_NO_SEED = 123459876  # what a seed of 0 stands for


def _seconds(shell: Shell) -> Value:
    return str(math.floor(shell.machine.system.now()) - math.floor(shell.seconds_base))


def _set_seconds(shell: Shell, value: str) -> None:
    shell.seconds_base = math.floor(shell.machine.system.now()) - (whole_number(value) if is_digits(value.lstrip("-")) else 0)


def _random(shell: Shell) -> Value:
    """The next number of the shell's own sequence, once it was seeded, which is that of GNU bash."""
    if shell.dice is None:
        return str(shell.machine.system.random.randrange(32768))
    state, last = shell.dice
    number = last
    while number == last:
        state = state or _NO_SEED
        state = 16807 * (state % 127773) - 2836 * (state // 127773)  # Park and Miller, CACM 31 (1988), 1192
        state = state + 0x7FFFFFFF if state < 0 else state
        number = (state >> 16 ^ state & 0xFFFF) & 0x7FFF
    shell.dice = state, number
    return str(number)


def _last_random(shell: Shell) -> str:
    """The seed, or the number that was read last."""
    if shell.dice is None:
        return "0"
    state, last = shell.dice
    return str(state if last < 0 else last)


def _seed(shell: Shell, value: str) -> None:
    seed = whole_number(value) if is_digits(value.lstrip("-")) else 0
    shell.dice = seed & 0xFFFFFFFF, -1
    shell.machine.system.seed(seed)


def call_names(shell: Shell) -> list[str]:
    """The names of what runs, the innermost first: functions, ``source`` and, in a script of a file, ``main``."""
    names = [call.name for call in reversed(shell.calls)]
    return [*names, "main"] if shell.invocation.file else names


def _function_names(shell: Shell) -> Value:
    if not any(call.is_function for call in shell.calls):
        unset = IndexedArray()
        unset.declared = True
        return unset
    return IndexedArray(call_names(shell))


def _line_numbers(shell: Shell) -> Value:
    lines = [str(call.line) for call in reversed(shell.calls)]
    return IndexedArray([*lines, "0"] if shell.invocation.file else lines)


def _sources(shell: Shell) -> Value:
    sources = [shell.named_source(call.source) for call in reversed(shell.calls)]
    return IndexedArray([*sources, shell.invocation.file] if shell.invocation.file else sources)


def _table(entries: Mapping[str, str]) -> AssociativeArray:
    array = AssociativeArray()
    for key, value in entries.items():
        array.set(key, value)
    return array


def _hashed_files(shell: Shell) -> AssociativeArray:
    """Where each command was found that ran before."""
    return _table({name: path or _installed_file(shell, name) for name, (path, _) in shell.remembered().items()})


def _installed_file(shell: Shell, name: str) -> str:
    """Where PATH has a utility of the machine first."""
    for place in paced((shell.get("PATH") or "").split(":"), _LOOKUP):
        file = f"{place}/{name}"
        if shell.machine.fs.exists(shell.absolute(file)):
            return file
    return f"/usr/bin/{name}"


def is_alias_name(name: str) -> bool:
    """Whether an alias may have a name: it has no character that quotes, expands or ends a word."""
    return not any(character in name for character in "/$`|&;()<> \t\n\"'\\")


def _set_alias(shell: Shell, name: str, value: str) -> None:
    if not is_alias_name(name):
        shell.warn(f"`{name}': invalid alias name")
        return
    shell.budget.tick(len(shell.aliases) >> 5)
    shell.budget.grow(len(name) + len(value) + 200)
    shell.aliases = {**shell.aliases, name: value}


def _set_hashed(shell: Shell, name: str, path: str) -> None:
    if shell.restricted and "/" in path:
        shell.warn(f"{path}: restricted")
        return
    shell.budget.grow(len(name) + len(path) + 200)
    shell.remembered()[name] = (path, 0)


def _directory_stack(shell: Shell) -> Value:
    return IndexedArray([shell.cwd, *shell.directories])


def _set_directory(shell: Shell, index: int, path: str) -> None:
    """``DIRSTACK[index]=path``: only a place that the stack has can be changed, and not the working directory."""
    if 0 < index <= len(shell.directories):
        shell.directories = (*shell.directories[: index - 1], path, *shell.directories[index:])


def _argument_counts(shell: Shell) -> Value:
    """``BASH_ARGC``: how many words of ``BASH_ARGV`` belong to each call; calls are kept for ``extdebug`` alone."""
    first = _first_arguments(shell)
    calls = [str(len(call.words)) for call in reversed(shell.calls) if call.words is not None]
    return IndexedArray(calls if first is None else [*calls, str(len(first))])


def _first_arguments(shell: Shell) -> list[str] | None:
    return shell.first_arguments if any(call.is_function for call in shell.calls) else shell.keep_arguments()


def _argument_words(shell: Shell) -> Value:
    """``BASH_ARGV``: the last argument of the innermost call first."""
    first = _first_arguments(shell)
    kept = [call.words for call in reversed(shell.calls) if call.words is not None]
    return IndexedArray([word for words in [*kept, first or ()] for word in reversed(words)])


def _shell_options(shell: Shell) -> Value:
    return ":".join(sorted(name for name, on in shell.options.set.items() if on))


def _bash_options(shell: Shell) -> Value:
    return ":".join(sorted(name for name, on in shell.shell_options().items() if on))


def _set_name(shell: Shell, value: str) -> None:
    shell.invocation = replace(shell.invocation, name=value)
    if not shell.invocation.file:
        shell.script_name = value


def _set_level(shell: Shell, value: str) -> None:
    """``BASH_SUBSHELL=4``: subshells count on from there."""
    more = (whole_number(value) if is_digits(value.lstrip("-")) else 0) - shell.visible_level
    flags = shell.attributed("BASH_SUBSHELL").flags
    shell.variables["BASH_SUBSHELL"] = DynamicVariable(lambda inner: str(inner.visible_level + more), _set_level, flags)


def _history_number(shell: Shell) -> Value:
    """The number of the running command in the history list."""
    return str(shell.history.first + len(shell.history) - 1)


def _epoch_realtime(shell: Shell) -> Value:
    return f"{shell.machine.system.now():.6f}"


_DYNAMIC: dict[str, Variable] = {
    "RANDOM": DynamicVariable(_random, _seed, INTEGER, base=_last_random),
    "SRANDOM": DynamicVariable(lambda shell: str(shell.machine.system.random.getrandbits(32)), None, INTEGER),
    "SECONDS": DynamicVariable(_seconds, _set_seconds, INTEGER),
    "LINENO": DynamicVariable(lambda shell: str(shell.line)),
    "EPOCHSECONDS": DynamicVariable(lambda shell: str(int(shell.machine.system.now()))),
    "EPOCHREALTIME": DynamicVariable(_epoch_realtime),
    "HISTCMD": DynamicVariable(_history_number, None, INTEGER),
    "BASHPID": DynamicVariable(lambda shell: str(shell.pid), None, INTEGER),
    "BASH_SUBSHELL": DynamicVariable(lambda shell: str(shell.visible_level), _set_level),
    "BASH_ARGV0": DynamicVariable(lambda shell: shell.invocation.name, _set_name, base=lambda shell: ""),  # noqa: ARG005
    "BASHOPTS": DynamicVariable(_bash_options, None, READONLY),
    "SHELLOPTS": DynamicVariable(_shell_options, None, READONLY),
    "FUNCNAME": DynamicVariable(_function_names, fixed=True),
    "BASH_LINENO": DynamicVariable(_line_numbers, fixed=True),
    "BASH_SOURCE": DynamicVariable(_sources, fixed=True),
    "PIPESTATUS": DynamicVariable(
        lambda shell: IndexedArray(map(str, [shell.status] if shell.pipe_statuses is None else shell.pipe_statuses))
    ),
    "BASH_ARGC": DynamicVariable(_argument_counts, fixed=True),
    "BASH_ARGV": DynamicVariable(_argument_words, fixed=True),
    "COMP_WORDBREAKS": DynamicVariable(_word_breaks, _set_word_breaks),
    "BASH_EXECUTION_STRING": DynamicVariable(lambda shell: shell.machine.script if shell.invocation.command_string else None),
    "BASH_ALIASES": DynamicVariable(
        lambda shell: _table(shell.aliases), lambda shell, value: _set_alias(shell, "0", value), write_element=_set_alias
    ),
    "BASH_CMDS": DynamicVariable(
        _hashed_files,
        lambda shell, value: _set_hashed(shell, "0", value),  # an assignment to an array is one to its first element
        write_element=_set_hashed,
    ),
    "DIRSTACK": DynamicVariable(_directory_stack, write_index=_set_directory),
    "GROUPS": DynamicVariable(lambda shell: IndexedArray(["1000"]), fixed=True),  # noqa: ARG005
}
FIXED = frozenset(name for name, variable in _DYNAMIC.items() if isinstance(variable, DynamicVariable) and variable.fixed)
_SETTLED: dict[str, Variable] = {  # whatever the environment says
    "UID": Variable("1000", READONLY | INTEGER),
    "EUID": Variable("1000", READONLY | INTEGER),
    "PPID": Variable("1", READONLY | INTEGER),
    "BASH_VERSINFO": Variable(IndexedArray(_VERSION), READONLY),
    **_DYNAMIC,
}

_OWN = frozenset([
    *_STATIC, *_INITIAL, *_SETTLED, "BASH_ENV", "ENV", "HISTFILE", "HOME", "HOSTNAME", "LOGNAME",
    "OPTARG", "POSIXLY_CORRECT", "PS3", "PWD", "REPLY", "SHLVL", "TIMEFORMAT", "TMOUT", "USER", "_",
])  # fmt: skip

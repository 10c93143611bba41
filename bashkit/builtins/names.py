"""Builtins about what a name stands for: type, command, builtin, hash, alias, unalias, enable, help."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bashkit.builtins.registry import DECLARED, builtin, parse_options
from bashkit.interp.launch import EXTERNAL_BUILTINS, is_executable, run_command, run_installed
from bashkit.interp.quoting import plain_quote
from bashkit.syntax import RESERVED
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.interp.shell import Shell


def files_of(shell: Shell, name: str) -> list[str]:
    """Where PATH finds ``name``, first hit first: files, and the places that utilities pretend to have."""
    if "/" in name:
        return [name] if is_executable(shell, name) or _is_utility(shell, *name.rsplit("/", 1)) else []
    found: list[str] = []
    for directory in (shell.get("PATH") or "").split(":"):
        path = f"{directory}/{name}" if directory else f"./{name}"
        if is_executable(shell, path) or _is_utility(shell, directory, name):
            found.append(path)
    if not found and name in shell.machine.own_commands:
        found.append(f"/usr/bin/{name}")
    return found


def file_of(shell: Shell, name: str) -> str | None:
    """The first of ``files_of``, or None."""
    return next(iter(files_of(shell, name)), None)


def _is_utility(shell: Shell, directory: str, name: str) -> bool:
    if directory not in {"/usr/bin", "/bin"}:
        return False
    return name in EXTERNAL_BUILTINS or name in shell.machine.externals or shell.machine.find_command(name) is not None


def kinds(shell: Shell, name: str, *, functions: bool = True) -> list[tuple[str, str]]:
    """Everything ``name`` stands for, as (kind, file), in the order of precedence."""
    found: list[tuple[str, str]] = []
    if name in shell.aliases and shell.shopt["expand_aliases"]:
        found.append(("alias", ""))
    if name in RESERVED:
        found.append(("keyword", ""))
    if functions and name in shell.functions:
        found.append(("function", ""))
    if name in shell.builtins:
        found.append(("builtin", ""))
    found.extend(("file", path) for path in files_of(shell, name))
    return found


def _sentence(shell: Shell, name: str, kind: str, path: str) -> str:
    if kind == "alias":
        return f"{name} is aliased to `{shell.aliases[name]}'"
    if kind == "keyword":
        return f"{name} is a shell keyword"
    if kind == "function":
        return f"{name} is a function\n{unparse_function(shell.functions[name].definition)}"
    if kind == "builtin":
        special = DECLARED.get(name)
        word = "special shell builtin" if special is not None and special.special and shell.options["posix"] else "shell builtin"
        return f"{name} is a {word}"
    return f"{name} is {path}"


@builtin("type", usage="[-afptP] name [name ...]", summary="Display information about command type.")
def type_(shell: Shell, arguments: list[str]) -> int:
    """Say what names stand for."""
    options, words = parse_options(shell, arguments, "afptP")
    letters = {letter for letter, _ in options}
    status = 0
    for name in words:
        found = kinds(shell, name, functions="f" not in letters)
        if "P" in letters:
            found = [("file", path) for path in files_of(shell, name)]
        if "p" in letters and found and found[0][0] != "file" and "a" not in letters:
            continue
        if not found:
            status = 1
            if not letters & {"t", "p", "P"}:
                shell.complain("type", f"{name}: not found")
            continue
        if "a" not in letters:
            found = found[:1]
        for kind, path in found:
            if "t" in letters:
                shell.write(kind + "\n")
            elif letters & {"p", "P"}:
                if kind == "file":
                    shell.write(path + "\n")
            else:
                shell.write(_sentence(shell, name, kind, path) + "\n")
    return status


@builtin("command", usage="[-pVv] command [arg ...]", summary="Execute a simple command or display information about commands.")
def command(shell: Shell, arguments: list[str]) -> int:
    """Run a command, functions ignored; ``-v`` and ``-V`` only describe it."""
    options, words = parse_options(shell, arguments, "pVv")
    letters = {letter for letter, _ in options}
    if not words:
        return 0
    if letters & {"v", "V"}:
        status = 0
        for name in words:
            found = kinds(shell, name)
            if not found:
                if "V" in letters:
                    shell.complain("command", f"{name}: not found")
                status = 1
                continue
            kind, path = found[0]
            if "V" in letters:
                shell.write(_sentence(shell, name, kind, path) + "\n")
            elif kind == "alias":
                shell.write(f"alias {name}={plain_quote(shell.aliases[name])}\n")
            else:
                shell.write((path if kind == "file" else name) + "\n")
        return status
    run = shell.builtins.get(words[0])
    if run is not None:
        return run(shell, words)
    return run_installed(shell, words) if "p" in letters and "/" not in words[0] else run_command(shell, words)


@builtin("builtin", usage="[shell-builtin [arg ...]]", summary="Execute shell builtins.")
def builtin_(shell: Shell, arguments: list[str]) -> int:
    """Run a builtin although a function has its name."""
    words = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    if not words:
        return 0
    run = shell.builtins.get(words[0])
    if run is None:
        shell.complain("builtin", f"{words[0]}: not a shell builtin")
        return 1
    return run(shell, words)


@builtin("hash", usage="[-lr] [-p pathname] [-dt] [name ...]", summary="Remember or display program locations.")
def hash_(shell: Shell, arguments: list[str]) -> int:
    """Check that commands exist; nothing needs to be remembered here."""
    options, words = parse_options(shell, arguments, "lrdtp:")
    letters = {letter for letter, _ in options}
    status = 0
    for name in words:
        path = file_of(shell, name)
        if path is None and name not in shell.functions and name not in shell.builtins:
            shell.complain("hash", f"{name}: not found")
            status = 1
        elif "t" in letters and path is not None:
            shell.write(path + "\n")
    if not words and not letters:
        shell.write("hash: hash table empty\n")
    return status


@builtin("alias", usage="[-p] [name[=value] ... ]", summary="Define or display aliases.")
def alias(shell: Shell, arguments: list[str]) -> int:
    """Define and show aliases."""
    options, words = parse_options(shell, arguments, "p")
    status = 0
    if not words or options:
        for name, value in sorted(shell.aliases.items()):
            shell.write(f"alias {name}={plain_quote(value)}\n")
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name:
            if any(character in name for character in "/$`=|&;()<> \t\n\"'\\"):
                shell.complain("alias", f"`{name}': invalid alias name")
                status = 1
                continue
            shell.aliases[name] = value
        elif word in shell.aliases:
            shell.write(f"alias {word}={plain_quote(shell.aliases[word])}\n")
        else:
            shell.complain("alias", f"{word}: not found")
            status = 1
    return status


@builtin("unalias", usage="[-a] name [name ...]", summary="Remove each NAME from the list of defined aliases.")
def unalias(shell: Shell, arguments: list[str]) -> int:
    """Remove aliases."""
    options, words = parse_options(shell, arguments, "a")
    if options:
        shell.aliases.clear()
        return 0
    if not words:
        shell.print_error("unalias: usage: unalias [-a] name [name ...]")
        return 2
    status = 0
    for word in words:
        if shell.aliases.pop(word, None) is None:
            shell.complain("unalias", f"{word}: not found")
            status = 1
    return status


@builtin("enable", usage="[-a] [-dnps] [-f filename] [name ...]", summary="Enable and disable shell builtins.")
def enable(shell: Shell, arguments: list[str]) -> int:
    """Switch builtins off and on."""
    options, words = parse_options(shell, arguments, "adnpsf:")
    letters = {letter for letter, _ in options}
    everything = shell.machine.builtins
    if not words:
        for name in sorted(everything):
            on = name in shell.builtins
            if "a" in letters or on is ("n" not in letters):
                shell.write(f"enable {'' if on else '-n '}{name}\n")
        return 0
    status = 0
    shell.builtins = dict(shell.builtins)
    for word in words:
        if word not in everything:
            shell.complain("enable", f"{word}: not a shell builtin")
            status = 1
        elif "n" in letters:
            shell.builtins.pop(word, None)
        else:
            shell.builtins[word] = everything[word]
    return status


@builtin("help", usage="[-dms] [pattern ...]", summary="Display information about builtin commands.")
def help_(shell: Shell, arguments: list[str]) -> int:
    """Describe builtins and utilities."""
    options, words = parse_options(shell, arguments, "dms")
    letters = {letter for letter, _ in options}
    if not words:
        for name in sorted(DECLARED):
            shell.write(f"{name} {DECLARED[name].usage}".rstrip() + "\n")
        shell.write(" ".join(shell.machine.command_names()) + "\n")
        return 0
    status = 0
    for word in words:
        found = sorted(name for name in DECLARED if name == word or fnmatchcase(name, word))
        for name in found:
            declaration = DECLARED[name]
            if "d" in letters:
                shell.write(f"{name} - {declaration.summary}\n")
            elif "s" in letters:
                shell.write(f"{name}: {name} {declaration.usage}".rstrip() + "\n")
            else:
                shell.write(f"{name}: {name} {declaration.usage}".rstrip() + f"\n    {declaration.summary}\n")
        if not found:
            utility = shell.machine.find_command(word)
            if utility is not None:
                shell.write(utility.help())
            else:
                shell.complain("help", f"no help topics match `{word}'.  Try `help help' or `man -k {word}' or `info {word}'.")
                status = 1
    return status


@builtin("caller", usage="[expr]", summary="Return the context of the current subroutine call.")
def caller(shell: Shell, arguments: list[str]) -> int:
    """Show where the running function was called."""
    calls = shell.calls
    if not calls:
        return 1
    level = int(arguments[1]) if len(arguments) > 1 and arguments[1].isdecimal() else 0
    if level >= len(calls):
        return 1
    call = calls[-1 - level]
    outer = calls[-2 - level].name if level + 1 < len(calls) else "main"
    if len(arguments) == 1:
        shell.write(f"{call.line} {call.source}\n")
    else:
        shell.write(f"{call.line} {outer} {call.source}\n")
    return 0



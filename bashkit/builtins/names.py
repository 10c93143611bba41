"""Builtins about what a name stands for: type, command, builtin, hash, alias, unalias, enable, caller."""

from __future__ import annotations

import errno
import os
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from bashkit.builtins.registry import DECLARED, builtin, is_number, parse_options
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.launch import run_builtin, run_command, run_installed
from bashkit.interp.run.lookup import files_on_path, found_files, is_executable, stands_for
from bashkit.interp.run.subshell import check_depth
from bashkit.interp.runtime.control import SpecialBuiltinFailed
from bashkit.interp.state.quoting import plain_quote, quote_if_needed
from bashkit.interp.state.startup import STANDARD_PATH, call_names, is_alias_name
from bashkit.interp.state.variables import IndexedArray, bucket
from bashkit.limits import paced_if_many
from bashkit.syntax import RESERVED
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell

_FRAMES = 5  # that ``command`` needs, and whoever calls it


def files_of(shell: Shell, name: str, places: str | None = None) -> list[str]:
    """Where PATH, or what ``places`` says instead of it, finds ``name``, first hit first."""
    if "/" in name:
        return [name] if is_executable(shell, name) or stands_for(shell, name) else []
    found = list(found_files(shell, name, places))
    if not found and name in shell.machine.own_commands:
        found.append(f"/usr/bin/{name}")
    return found


def file_of(shell: Shell, name: str, places: str | None = None) -> str | None:
    """The first of ``files_of``, or None."""
    return next(iter(files_of(shell, name, places)), None)


def _first_kind(shell: Shell, name: str, *, functions: bool = True, places: str | None = None) -> list[tuple[str, str]]:
    """What ``name`` stands for: the first of ``kinds``, or else what was hashed, or a file on PATH that cannot be executed."""
    if found := kinds(shell, name, functions=functions, places=places):
        return found[:1]
    if hashed := shell.remembered().get(name, ("", 0))[0]:
        return [("file", hashed)]
    return [] if "/" in name else [("file", path) for path in islice(files_on_path(shell, name), 1)]


def kinds(shell: Shell, name: str, *, functions: bool = True, places: str | None = None) -> list[tuple[str, str]]:
    """Everything ``name`` stands for, as (kind, file), in the order of precedence."""
    found: list[tuple[str, str]] = []
    if name in shell.aliases and shell.options.shopt["expand_aliases"]:
        found.append(("alias", ""))
    if name in RESERVED:
        found.append(("keyword", ""))
    if functions and name in shell.functions:
        found.append(("function", ""))
    if name in shell.builtins:
        found.append(("builtin", ""))
    found.extend(("file", path) for path in files_of(shell, name, places))
    return found


def _sentence(shell: Shell, name: str, kind: str, path: str) -> str:
    if kind == "alias":
        return f"{name} is aliased to `{shell.aliases[name]}'"
    if kind == "keyword":
        return f"{name} is a shell keyword"
    if kind == "function":
        return f"{name} is a function\n{unparse_function(shell.functions[name].definition, posix=shell.options.posix)}"
    if kind == "builtin":
        special = DECLARED.get(name)
        word = "special shell builtin" if special is not None and special.special and shell.options.posix else "shell builtin"
        return f"{name} is a {word}"
    return f"{name} is hashed ({path})" if kind == "hashed" else f"{name} is {path}"


_SPELLED_OUT: Final = {f"{dashes}{word}": f"-{word[0]}" for dashes in ("-", "--") for word in ("all", "path", "type")}


@builtin("type", usage="[-afptP] name [name ...]", summary="Display information about command type.")
def type_(shell: Shell, arguments: list[str]) -> int:
    """Say what names stand for; three options have undocumented words, as old scripts know them."""
    given = len(list(takewhile(lambda word: word.startswith("-"), arguments[1:]))) + 1
    spelled = [_SPELLED_OUT.get(word, word) for word in arguments[:given]]
    options, words = parse_options(shell, spelled + arguments[given:], "afptP")
    letters = {letter for letter, _ in options}
    if "t" in letters:
        last = next(letter for letter, _ in reversed(options) if letter in "tpP")
        letters -= {"p"} if last == "t" else {"t"}
    status = 0
    for name in words:
        shell.budget.tick(16)
        found = (kinds if "a" in letters else _first_kind)(shell, name, functions="f" not in letters)
        if "P" in letters:
            files = [("file", path) for path in files_of(shell, name)]
            found = files or [(kind, path) for kind, path in found if kind == "file"]
        if "p" in letters and found and found[0][0] != "file" and "a" not in letters:
            continue
        if not found:
            status = 1
            if not letters & {"t", "p", "P"}:
                shell.complain("type", f"{name}: not found")
            continue
        if "a" not in letters:
            found = found[:1]
            if found[0][0] == "file" and name in shell.remembered():
                shown = hashed_file(shell, name) or ""
                found = [("file" if letters & {"t", "p", "P"} else "hashed", shown)]
        for kind, path in found:
            if "t" in letters:
                shell.write(kind + "\n")
            elif letters & {"p", "P"}:
                if kind == "file":
                    shell.write(path + "\n")
            else:
                shell.write(_sentence(shell, name, kind, path) + "\n")
    return status


@builtin(
    "command",
    usage="[-pVv] command [arg ...]",
    summary="Execute a simple command or display information about commands.",
    options="pVv",
)
def command(shell: Shell, options: Options, words: list[str]) -> int:
    """Run a command, functions ignored; ``-v`` and ``-V`` only describe it."""
    letters = {letter for letter, _ in options}
    if not words:
        return 0
    described = next((letter for letter, _ in reversed(options) if letter in "vV"), None)
    if described is not None:
        status = 1
        for name in words:
            found = _first_kind(shell, name, places=STANDARD_PATH if "p" in letters else None)
            if not found:
                if described == "V":
                    shell.complain("command", f"{name}: not found")
                continue
            status = 0
            kind, path = found[0]
            hashed = kind == "file" and name in shell.remembered()
            if hashed:
                path = hashed_file(shell, name) or path
            if described == "V":
                if hashed:
                    kind = "hashed"
                elif kind == "file" and "/" not in name and not path.startswith("/"):
                    path = f"{shell.cwd.rstrip('/')}/{path.removeprefix('./')}"
                shell.write(_sentence(shell, name, kind, path) + "\n")
            elif kind == "alias":
                shell.write(f"alias {name}={plain_quote(shell.aliases[name])}\n")
            else:
                shell.write((path if kind == "file" else name) + "\n")
        return status
    if "p" in letters and shell.restricted:
        shell.complain("command", "-p: restricted")
        return 1
    try:
        return _run_inside(shell, words, installed="p" in letters and "/" not in words[0])
    except SpecialBuiltinFailed as failure:
        return failure.status


def _run_inside(shell: Shell, words: list[str], *, installed: bool = False) -> int:
    """Run a command for ``command`` or ``builtin``: each of them that stands before another holds a list of its words."""
    shell.frames += _FRAMES
    check_depth(shell)
    held = 8 * len(words)
    shell.budget.hold(held)
    shell.budget.tick()
    try:
        run = shell.builtins.get(words[0])
        if run is not None:
            return run_builtin(shell, run, words)
        if not installed:
            return run_command(shell, words)
        shell.remembered()
        return run_installed(shell, words, file=file_of(shell, words[0], STANDARD_PATH) or "")
    finally:
        shell.frames -= _FRAMES
        shell.budget.memory += held


@builtin("builtin", usage="[shell-builtin [arg ...]]", summary="Execute shell builtins.")
def builtin_(shell: Shell, arguments: list[str]) -> int:
    """Run a builtin although a function has its name."""
    _, words = parse_options(shell, arguments, "")
    if not words:
        return 0
    if words[0] not in shell.builtins:
        shell.complain("builtin", f"{words[0]}: not a shell builtin")
        return 1
    return _run_inside(shell, words)


def _hashing_is_off(shell: Shell, arguments: list[str]) -> int | None:
    """``hash`` with hashing off looks at no option."""
    if shell.options.set["hashall"] or arguments[1:2] == ["--help"]:
        return None
    shell.complain("hash", "hashing disabled")
    return 1


@builtin(
    "hash",
    usage="[-lr] [-p pathname] [-dt] [name ...]",
    summary="Remember or display program locations.",
    options="lrdtp:",
    plain=_hashing_is_off,
)
def hash_(shell: Shell, options: Options, words: list[str]) -> int:
    """Show and change what is remembered about where commands are."""
    given = dict(options)
    shell.remembered()
    if "r" in given:
        shell.found.clear()
    if not words:
        if given.keys() & {"d", "t"}:
            shell.complain("hash", f"-{'d' if 'd' in given else 't'}: option requires an argument")
            return 1
        return 0 if "r" in given else _show_hashed(shell, commands="l" in given)
    if "d" in given and not shell.found and not shell.found.emptied:  # bash does not look for names without a table
        return 0
    if "p" in given and shell.restricted and "/" in given["p"]:
        shell.complain("hash", f"{given['p']}: restricted")
        return 1
    status = 0
    for name in words:
        if "p" in given and shell.machine.fs.is_directory(shell.absolute(given["p"])):
            shell.complain("hash", f"{given['p']}: {os.strerror(errno.EISDIR)}")
            status = 1
        elif "p" in given:
            shell.budget.grow(len(name) + len(given["p"]) + 200)
            shell.found[name] = (given["p"], 0)
        elif given.keys() & {"d", "t"}:
            if name not in shell.found and "d" in given and "/" in name:
                continue
            if name not in shell.found:
                shell.complain("hash", f"{name}: not found")
                status = 1
            elif "d" in given:
                shell.found.forget(name)
            elif "l" in given:
                shell.write(f"builtin hash -p {hashed_file(shell, name)} {name}\n")
            else:
                shell.found.count(name, shell.found[name][0])
                shell.write(f"{name}\t{hashed_file(shell, name)}\n" if len(words) > 1 else f"{hashed_file(shell, name)}\n")
        elif "/" not in name and name not in shell.functions and name not in shell.builtins:
            found = file_of(shell, name)
            if found is None:
                shell.complain("hash", f"{name}: not found")
                status = 1
            else:
                shell.found[name] = ("" if stands_for(shell, found) == name else found, 0)
    return status


def hashed_file(shell: Shell, name: str) -> str | None:
    """Where a command was found when it ran before, or None."""
    path, _ = shell.remembered().get(name, (None, 0))
    return file_of(shell, name) if path == "" else path


def _show_hashed(shell: Shell, *, commands: bool) -> int:
    if not shell.found:
        if not shell.options.posix and not commands:
            shell.write("hash: hash table empty\n")
        return 0
    if not commands:
        shell.write("hits\tcommand\n")
    for name in paced_if_many(sorted(shell.found, key=lambda known: bucket(known) & 255)):
        path = hashed_file(shell, name)
        _, hits = shell.found.get(name, (None, 0))
        hashing = f"builtin hash -p {quote_if_needed(path or '')} {quote_if_needed(name)}\n"
        shell.write(hashing if commands else f"{hits:4d}\t{path}\n")
    return 0


@builtin("alias", usage="[-p] [name[=value] ... ]", summary="Define or display aliases.", options="p")
def alias(shell: Shell, options: Options, words: list[str]) -> int:
    """Define and show aliases."""
    status = 0
    head = "" if shell.options.posix and not options else "alias "
    if not words or options:
        for name, value in sorted(shell.aliases.items()):
            shell.write(_alias_line(head, name, value))
        if not shell.aliases:  # undocumented: with -p, words mean nothing then
            return 0
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name:
            if not is_alias_name(name):
                shell.complain("alias", f"`{name}': invalid alias name")
                status = 1
                continue
            shell.budget.grow(len(name) + len(value) + 200)
            shell.aliases = {**shell.aliases, name: value}
        elif word in shell.aliases:
            shell.write(_alias_line(head, word, shell.aliases[word]))
        else:
            shell.complain("alias", f"{word}: not found")
            status = 1
    return status


def _alias_line(head: str, name: str, value: str) -> str:
    return f"{head}{'-- ' if head and name.startswith('-') else ''}{name}={plain_quote(value)}\n"


@builtin("unalias", usage="[-a] name [name ...]", summary="Remove each NAME from the list of defined aliases.", options="a")
def unalias(shell: Shell, options: Options, words: list[str]) -> int:
    """Remove aliases."""
    if options:
        shell.aliases = {}
        return 0
    if not words:
        shell.print_error("unalias: usage: unalias [-a] name [name ...]")
        return 2
    status = 0
    for word in words:
        if word in shell.aliases:
            shell.aliases = {name: value for name, value in shell.aliases.items() if name != word}
        else:
            shell.complain("unalias", f"{word}: not found")
            status = 1
    return status


@builtin("enable", usage="[-a] [-dnps] [-f filename] [name ...]", summary="Enable and disable shell builtins.", options="adnpsf:")
def enable(shell: Shell, options: Options, words: list[str]) -> int:
    """Switch builtins off and on."""
    letters = {letter for letter, _ in options}
    everything = shell.machine.builtins
    if not words:
        for name in sorted(everything):
            on = name in shell.builtins
            if "s" in letters and not (name in DECLARED and DECLARED[name].special):
                continue
            if "a" in letters or on is ("n" not in letters):
                shell.write(f"enable {'' if on else '-n '}{name}\n")
        return 0
    if letters & {"f", "d"}:
        return _refuse_loading(shell, letters, dict(options), words)
    status = 0
    shell.builtins = dict(shell.builtins)
    shell.alter()
    for word in words:
        if shell.restricted and "n" not in letters:
            shell.complain("enable", "restricted")
            return 1
        if word not in everything:
            shell.complain("enable", f"{word}: not a shell builtin")
            status = 1
        elif "n" in letters:
            shell.builtins.pop(word, None)
        else:
            shell.builtins[word] = everything[word]
    return status


def _refuse_loading(shell: Shell, letters: set[str], given: dict[str, str], words: list[str]) -> int:
    """``enable -f`` and ``-d``: nothing is loaded into this shell."""
    if shell.restricted:
        shell.complain("enable", "restricted")
        return 1
    for word in words:
        if "f" in letters:
            path = given["f"]
            refusal = f"{path}: {path}: cannot open shared object file: {os.strerror(errno.ENOENT)}"
            shell.complain("enable", f"cannot open shared object {refusal}")
            break
        if word in shell.machine.builtins:
            shell.complain("enable", f"{word}: not dynamically loaded")
        else:
            shell.complain("enable", f"{word}: not a shell builtin")
    return 1


@builtin("caller", usage="[expr]", summary="Return the context of the current subroutine call.")
def caller(shell: Shell, arguments: list[str]) -> int:
    """Show where the running function was called."""
    if not shell.calls and not shell.invocation.file:
        return 1
    _, words = parse_options(shell, arguments, "")
    if words and not is_number(words[0]):
        shell.complain("caller", f"{words[0]}: invalid number")
        shell.print_error("caller: usage: caller [expr]")
        return 2
    if not shell.calls:
        if words:
            return 1
        shell.write("0 NULL\n")
        return 0
    level = whole_number(words[0]) if words else 0
    lines, sources = _element(shell, "BASH_LINENO", level), _element(shell, "BASH_SOURCE", level + 1)
    names = call_names(shell)[level + 1 : level + 2] if level >= 0 else []
    if not words:
        shell.write(f"{lines} {'NULL' if sources is None else sources}\n")
        return 0
    if lines is None or not names or sources is None:
        return 1
    shell.write(f"{lines} {names[0]} {sources}\n")
    return 0


def _element(shell: Shell, name: str, index: int) -> str | None:
    array = shell.array(name)
    return array.get(index) if isinstance(array, IndexedArray) and index >= 0 else None

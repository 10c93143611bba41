"""Builtins about the working directory: cd, pwd, pushd, popd, dirs."""

from __future__ import annotations

import errno
import os
import posixpath
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, offer_help, parse_options, refuse_option
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.runtime.pieces import split
from bashkit.interp.state.scopes import NAME
from bashkit.limits import paced
from bashkit.syntax.digits import is_digits
from bashkit.syntax.escapes import visible

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.fs import VirtualFileSystem
    from bashkit.interp.state.shell import Shell

_NO_PARENT = f"cannot access parent directories: {os.strerror(errno.ENOENT)}"
_LOOKUP = 4  # microseconds to look for a directory
_AT_ONCE = 1 << 16  # characters of the stack that are written together


def normalize(path: str) -> str:
    """A path without ``.`` , ``..`` and doubled slashes, by its text alone; two at its beginning stay (POSIX XBD 4.13)."""
    return posixpath.normpath(path)


def change_directory(shell: Shell, target: str, *, physical: bool = False) -> str | None:
    """Make ``target`` the working directory; None, or what is wrong."""
    fs = shell.machine.fs
    path = target if target.startswith("/") else posixpath.join(shell.cwd, target)
    if not target.startswith("/") and not fs.exists(shell.cwd):
        return _leave_removed(shell, path)
    try:
        if physical or shell.options.set["physical"]:
            path = fs.realpath(path)
        elif ".." in path.split("/") and not _leads_back(fs, path):
            path = fs.realpath(path)  # not by its text, but it may be there (bash(1), cd)
            if shell.options.posix:
                return os.strerror(errno.ENOENT)
        logical = normalize(path)
        if fs.stat(logical).type != "directory":
            return os.strerror(errno.ENOTDIR)
        if not fs.access(logical, "x") and fs.enforce:
            return os.strerror(errno.EACCES)
    except OSError as error:
        return os.strerror(error.errno or errno.ENOENT)
    _enter(shell, logical)
    return None


def _leads_back(fs: VirtualFileSystem, path: str) -> bool:
    """Whether a path is there by its text alone: what stands before each ``..`` is a directory, and so is the whole."""
    done = ""
    for part in paced(path.split("/"), _LOOKUP):
        if part == "..":
            if not fs.is_directory(done or "/"):
                return False
            done = done.rpartition("/")[0]
        elif part not in {"", "."}:
            done += f"/{part}"
    return fs.is_directory(done or "/")


def _enter(shell: Shell, path: str) -> None:
    previous = shell.get("PWD")
    shell.cwd = path
    try:
        if previous is None:
            shell.variables.pop("OLDPWD", None)
        else:
            shell.assign("OLDPWD", previous)
    finally:
        shell.assign("PWD", path)  # also where the other one is readonly


def _leave_removed(shell: Shell, path: str) -> str | None:
    """Change directory from one that is gone: ``.`` and ``..`` are all that it still has; None, or what is wrong."""
    fs = shell.machine.fs
    logical = normalize(path)
    if fs.is_directory(logical):
        _enter(shell, logical)
        return None
    if path.rstrip("/").rpartition("/")[2] not in {".", ".."}:
        return os.strerror(errno.ENOENT)
    shell.print_error(f"cd: error retrieving current directory: getcwd: {_NO_PARENT}")
    _enter(shell, path)
    return None


@builtin("cd", usage="[-L|[-P [-e]] [-@]] [dir]", summary="Change the shell working directory.")
def cd(shell: Shell, arguments: list[str]) -> int:
    """Change the working directory."""
    if _refused(shell, "cd"):
        return 1
    offer_help(shell, "cd", "".join(arguments[1:2]))
    options, words = parse_options(shell, arguments, "LPe")
    physical = next((letter == "P" for letter, _ in reversed(options) if letter in "LP"), False)
    if len(words) > 1:
        shell.complain("cd", "too many arguments")
        return 1
    show = False
    if not words:
        target = shell.get("HOME")
        if target is None:
            shell.complain("cd", "HOME not set")
            return 1
    elif words[0] == "-":
        target = _previous(shell, "cd")
        if target is None:
            return 1
        show = True
    else:
        target = words[0]
    problem = _find_directory(shell, target, physical=physical)
    if problem is not None:
        shell.complain("cd", f"{visible(target)}: {problem}")
        return 1
    if show:
        shell.write(target + "\n")
    return 0


def _refused(shell: Shell, name: str) -> bool:
    """Whether it is a restricted shell, which changes no directory; reported."""
    if shell.restricted:
        shell.complain(name, "restricted")
    return shell.restricted


def _find_directory(shell: Shell, target: str, *, physical: bool = False) -> str | None:
    """Make the working directory what CDPATH, ``target`` or, with ``cdable_vars``, its value names; None, or what is wrong."""
    places = shell.get("CDPATH")
    if places and not target.startswith(("/", "./", "../")) and target not in {".", ".."}:
        for directory in paced(split(places, ":"), _LOOKUP):
            if change_directory(shell, posixpath.join(directory, target), physical=physical) is None:
                if directory:
                    shell.write(shell.cwd + "\n")
                return None
    problem = change_directory(shell, target, physical=physical) if target else _stay(shell, physical=physical)
    if problem is not None and shell.options.shopt["cdable_vars"]:
        value = shell.get(target) if NAME.fullmatch(target) else None
        if value is not None and change_directory(shell, value or ".", physical=physical) is None:
            shell.write(value + "\n")
            return None
    return problem


def _stay(shell: Shell, *, physical: bool) -> str | None:
    """Change to the directory without a name: it is the working directory, but by its links it is none."""
    if physical or shell.options.set["physical"]:
        return os.strerror(errno.ENOENT)
    shell.assign("OLDPWD", shell.get("PWD") or shell.cwd)
    return None


def _previous(shell: Shell, name: str) -> str | None:
    """The directory that ``-`` stands for; None, after a message, if there is none."""
    target = shell.get("OLDPWD")
    if target is None:
        shell.complain(name, "OLDPWD not set")
    return target


@builtin("pwd", usage="[-LP]", summary="Print the name of the current working directory.", options="LP")
def pwd(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """Print the working directory."""
    physical = next((letter == "P" for letter, _ in reversed(options)), shell.options.set["physical"])
    path = shell.cwd
    if physical:
        path = shell.machine.fs.realpath(path)
    shell.write(path + "\n")
    return 0


def _stack(shell: Shell) -> list[str]:
    """The directory stack, the working directory first."""
    return [shell.cwd, *shell.directories]


def _set_stack(shell: Shell, stack: list[str]) -> None:
    shell.budget.words(len(stack))
    shell.budget.grow(sum(map(len, stack)) + 150 * len(stack))
    shell.directories = tuple(stack[1:])


def _shown(shell: Shell, path: str, *, long: bool = False) -> str:
    home = shell.get("HOME") or ""
    if not long and home and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    return path


def _index(shell: Shell, name: str, word: str, size: int) -> int | None:
    """``+N`` or ``-N`` as a place in the stack; None, after a message, if there is no such place."""
    if not is_digits(word[1:]):
        shell.complain(name, f"{word}: invalid number")
        return None
    number = whole_number(word[1:])
    if number >= size:
        shown = word[1:] if name == "dirs" else word
        shell.complain(name, f"{shown}: directory stack index out of range" if size > 1 else "directory stack empty")
        return None
    return number if word[0] == "+" else size - 1 - number


def _read_numbers(shell: Shell, arguments: list[str]) -> tuple[bool, list[str], list[str]]:
    """The words of pushd and popd: whether ``-n`` is among them, the places in the stack, and the words behind these.

    Nothing is left of those behind ``--`` for popd.

    Raises:
        UsageRefused: A place is no number.
    """
    stay = False
    numbers: list[str] = []
    index = 1
    while index < len(arguments) and arguments[index][:1] in {"+", "-"}:
        word = arguments[index]
        if word == "-" and arguments[0] == "pushd":
            break
        index += 1
        if word == "--":
            return stay, numbers, arguments[index:] if arguments[0] == "pushd" else []
        if word == "-n":
            stay = True
        elif is_digits(word[1:]):
            numbers.append(word)
        else:
            refuse_option(shell, arguments[0], f"{word}: invalid number")
    return stay, numbers, arguments[index:]


def _print_stack(shell: Shell) -> None:
    size = 0
    pieces: list[str] = []
    for number, path in enumerate(_stack(shell)):
        pieces.append(" " * (number > 0) + _shown(shell, path))
        size += len(pieces[-1])
        if size > _AT_ONCE:
            shell.write("".join(pieces))
            shell.budget.tick(size >> 8)
            pieces, size = [], 0
    shell.write("".join(pieces) + "\n")


@builtin("pushd", usage="[-n] [+N | -N | dir]", summary="Add directories to stack.")
def pushd(shell: Shell, arguments: list[str]) -> int:
    """Change directory and remember where the shell was."""
    offer_help(shell, "pushd", "".join(arguments[1:2]))
    stack = _stack(shell)
    stay, numbers, words = _read_numbers(shell, arguments)
    if not stay and _refused(shell, "pushd"):
        return 1
    place = 0
    for word in numbers:
        found = _index(shell, "pushd", word, len(stack))
        if found is None:
            return 1
        place = found
    if numbers:
        words = []
    elif len(words) > 1 and not stay:
        shell.complain("pushd", "too many arguments")
        return 1
    back = words == ["-"] and not stay
    if back:
        target = _previous(shell, "pushd")
        if target is None:
            return 1
        words = [target]
    if not words and not numbers and stay:
        return 0
    if not words and not numbers:
        if len(stack) < 2:
            shell.complain("pushd", "no other directory")
            return 1
        new = [stack[1], stack[0], *stack[2:]]
    elif numbers:
        new = stack[place:] + stack[:place]
        if stay:  # undocumented: of a rotation without a change of directory nothing is shown
            _set_stack(shell, new)
            return 0
    elif stay:
        new = [stack[0], words[0], *stack[1:]]
    else:
        new = [words[0], *stack]
    if not stay:
        named = bool(words) and new[0] == words[0]
        problem = (_find_directory if named else change_directory)(shell, new[0])
        if problem is not None:
            shell.complain("pushd", f"{visible(new[0])}: {problem}")
            return 1
    if back:
        shell.write(shell.cwd + "\n")
    _set_stack(shell, new)
    _print_stack(shell)
    return 0


@builtin("popd", usage="[-n] [+N | -N]", summary="Remove directories from stack.")
def popd(shell: Shell, arguments: list[str]) -> int:
    """Go back to a remembered directory."""
    offer_help(shell, "popd", "".join(arguments[1:2]))
    stack = _stack(shell)
    stay, words, others = _read_numbers(shell, arguments)
    if others:
        refuse_option(shell, "popd", f"{others[0]}: invalid argument")
    if len(stack) < 2:
        shell.complain("popd", "directory stack empty")
        return 1
    place = 0
    if words:
        found = _index(shell, "popd", words[-1], len(stack))
        if found is None:
            return 1
        place = found
    if stay and place == 0:
        place = 1
    new = stack[:place] + stack[place + 1 :]
    if place == 0:
        if _refused(shell, "popd"):
            return 1
        problem = change_directory(shell, new[0])
        if problem is not None:
            shell.complain("popd", f"{visible(new[0])}: {problem}")
            return 1
    _set_stack(shell, new)
    _print_stack(shell)
    return 0


@builtin("dirs", usage="[-clpv] [+N] [-N]", summary="Display directory stack.")
def dirs(shell: Shell, arguments: list[str]) -> int:
    """Show the directory stack."""
    letters = number = ""
    stack = _stack(shell)
    for word in arguments[1:]:
        if word == "--":
            break
        if word[:1] in {"+", "-"} and is_digits(word[1:]):
            number = word
        elif word in {"-c", "-l", "-p", "-v"}:
            letters += word[1:]
        else:
            offer_help(shell, "dirs", word)
            refuse_option(shell, "dirs", f"{word}: invalid number" if word[:1] in {"+", "-"} else f"{word}: invalid option")
    if "c" in letters:
        _set_stack(shell, [shell.cwd])
        return 0
    shown = [_shown(shell, path, long="l" in letters) for path in stack]
    place = None
    if number:
        place = _index(shell, "dirs", number, len(stack))
        if place is None:
            return 1
        shown = [shown[place]]
    if "v" in letters:
        shell.write("".join(f"{number:2d}  {path}\n" for number, path in enumerate(shown, place or 0)))
    elif "p" in letters:
        shell.write("".join(path + "\n" for path in shown))
    else:
        shell.write(" ".join(shown) + "\n")
    return 0

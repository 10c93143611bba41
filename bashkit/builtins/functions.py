"""The attributes of functions: what declare, export and readonly do with ``-f`` and ``-F`` (bash(1), SHELL BUILTIN COMMANDS)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.interp.state.calls import Function
    from bashkit.interp.state.shell import Shell

_OF_VARIABLES = "aAin"  # the attributes that no function has
_ATTRIBUTES = frozenset("rtxluc" + _OF_VARIABLES)
_ASSIGNS = re.compile(r"[A-Za-z_]\w*(\[.+\])?\+?=", re.ASCII).match
_MAKES_NONE = "cannot use `-f' to make functions"


def mark_functions(shell: Shell, command: str, words: list[str], attribute: str, *, remove: bool) -> int:
    """``export -f`` and ``readonly -f``: give or take an attribute; without names, show the functions that have it."""
    status = 0
    for word in words:
        function = shell.functions.get(word)
        if function is None:
            shell.complain(command, f"{word}: not a function")
            status = 1
        elif attribute == "x" and not remove and not {"/", "="}.isdisjoint(word):
            shell.complain(command, f"{word}: cannot export")
            status = 1
        elif attribute == "x":
            shell.functions[word] = replace(function, exported=not remove)
        else:
            shell.functions[word] = replace(function, readonly=True)
    if not words:
        for name, function in sorted(shell.functions.items()):
            if function.exported if attribute == "x" else function.readonly:
                shell.write(
                    unparse_function(function.definition, posix=shell.options.posix) + f"\n{_function_line(name, function)}\n"
                )
    return status


def declare_functions(shell: Shell, command: str, words: list[str], on: set[str], off: set[str]) -> int:
    """``declare -f`` and ``-F``: change the attributes of functions, or show functions; without names, those that have one."""
    if words and "p" not in on and (on | off) & _ATTRIBUTES:
        return _change_functions(shell, command, words, on, off)
    status = 0
    for name in words or sorted(shell.functions):
        if "p" not in on and _ASSIGNS(name):
            shell.complain(command, _MAKES_NONE)
            return 1
        function = shell.functions.get(name)
        if function is None:
            if "p" in on:
                shell.complain(command, f"{name}: not found")
            status = 1
            continue
        letters = _function_letters(function)
        if not words and on & _ATTRIBUTES and not on & set(letters):
            continue
        if "F" not in on:
            shell.write(unparse_function(function.definition, posix=shell.options.posix) + "\n")
        if "p" in on or not words:
            if letters or "F" in on:
                shell.write(_function_line(name, function) + "\n")
        elif "F" in on:
            extra = f" {function.line} {shell.named_source(function.source)}" if shell.options.shopt["extdebug"] else ""
            shell.write(f"{name}{extra}\n")
    return status


def _change_functions(shell: Shell, command: str, words: list[str], on: set[str], off: set[str]) -> int:
    for letter in _OF_VARIABLES:
        if letter in on:
            shell.complain(command, f"-{letter}: invalid option")
            return 1
    status = 0
    for name in words:
        if _ASSIGNS(name):
            shell.complain(command, _MAKES_NONE)
            return 1
        function = shell.functions.get(name)
        if function is None:
            status = 1
            continue
        if function.readonly and "r" in off:
            shell.complain(command, f"{name}: readonly function")
            status = 1
            continue
        shell.functions[name] = replace(
            function,  # which subshells share
            readonly=function.readonly or "r" in on,
            exported=(function.exported or "x" in on) and "x" not in off,
            traced=(function.traced or "t" in on) and "t" not in off,
        )
    return status


def _function_line(name: str, function: Function) -> str:
    return f"declare -f{_function_letters(function)} {name}"


def _function_letters(function: Function) -> str:
    letters = ("r", function.readonly), ("t", function.traced), ("x", function.exported)
    return "".join(letter for letter, on in letters if on)

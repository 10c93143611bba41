"""What a utility is told of its environment: one variable, or all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit import Bash
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

SCRIPT = """
export SET=1 EMPTY= HIDDEN=2 COVERED=3 TAKEN=4 ARRAY; plain=5; ARRAY=(a b); unset TAKEN; declare -x NONE
shown() { :; }; export -f shown
inner() { local HIDDEN; lookup; }
outer() { local COVERED=6 HIDDEN=7; local +x SET; BEFORE=8 lookup; inner; }
lookup; outer
"""
NAMES = ("SET", "EMPTY", "HIDDEN", "COVERED", "TAKEN", "ARRAY", "NONE", "plain", "BEFORE", "BASH_FUNC_shown%%", "PATH", "no name")


@command("lookup", usage="", summary="Compare what one variable is by itself, and among all.")
def lookup(process: Process, arguments: Arguments) -> int:
    """Print the variables, each as it is asked for by itself."""
    alone = {name: process.env.get(name) for name in NAMES[:9]}
    named = {name: name in process.env for name in NAMES[:9]}
    every = dict(process.env)
    assert alone == {name: every.get(name) for name in alone}
    assert named == {name: name in every for name in named}
    assert {name: process.env.get(name) for name in NAMES} == {name: every.get(name) for name in NAMES}
    assert len(process.env) == len(every) == len(list(process.env))
    process.write(" ".join(f"{name}={value}" for name, value in alone.items() if value is not None) + "\n")
    return 0


def test_one_variable_is_what_it_is_among_all() -> None:
    """Functions hide variables, and assignments before the command add some."""
    result = Bash(commands={"lookup": lookup}).execute_sync(SCRIPT)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "SET=1 EMPTY= HIDDEN=2 COVERED=3",
        "SET=1 EMPTY= HIDDEN=7 COVERED=6 BEFORE=8",
        "SET=1 EMPTY= HIDDEN=7 COVERED=6",
    ]


def test_functions_are_found_by_their_names_at_once() -> None:
    """An exported function is in the environment under a name of its own."""
    result = Bash().execute_sync("f() { :; }; export -f f; awk 'BEGIN { print (\"BASH_FUNC_f%%\" in ENVIRON) }'")
    assert result.stdout == "1\n"

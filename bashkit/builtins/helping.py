"""The builtin ``help``, and what it says about reserved words (bash(1), SHELL BUILTIN COMMANDS, Compound Commands)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.builtins.registry import DECLARED, builtin
from bashkit.limits import paced
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell


@dataclass(frozen=True, slots=True)
class _Topic:
    """What ``help`` knows: its name, synopsis, and a line about it."""

    name: str
    synopsis: str
    summary: str


_RESERVED = [
    _Topic("%", "job_spec [&]", "Resume job in foreground."),
    _Topic("(( ... ))", "(( expression ))", "Evaluate arithmetic expression."),
    _Topic("[[ ... ]]", "[[ expression ]]", "Execute conditional command."),
    _Topic("case", "case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac", "Execute commands based on pattern matching."),
    _Topic("coproc", "coproc [NAME] command [redirections]", "Create a coprocess named NAME."),
    _Topic("for", "for NAME [in WORDS ... ] ; do COMMANDS; done", "Execute commands for each member in a list."),
    _Topic("for ((", "for (( exp1; exp2; exp3 )); do COMMANDS; done", "Arithmetic for loop."),
    _Topic("function", "function name { COMMANDS ; } or name () { COMMANDS ; }", "Define shell function."),
    _Topic(
        "if", "if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi",
        "Execute commands based on conditional.",
    ),
    _Topic("select", "select NAME [in WORDS ... ;] do COMMANDS; done", "Select words from a list and execute commands."),
    _Topic("time", "time [-p] pipeline", "Report time consumed by pipeline's execution."),
    _Topic("until", "until COMMANDS; do COMMANDS-2; done", "Execute commands as long as a test does not succeed."),
    _Topic("variables", "variables - Names and meanings of some shell variables", "Common shell variable names and usage."),
    _Topic("while", "while COMMANDS; do COMMANDS-2; done", "Execute commands as long as a test succeeds."),
    _Topic("{ ... }", "{ COMMANDS ; }", "Group commands as a unit."),
]  # fmt: skip


_MAGIC = re.compile(r"[*?]|[@+!]\(")


def _topics() -> list[_Topic]:
    builtins = [_Topic(name, f"{name} {found.usage}".rstrip(), found.summary) for name, found in DECLARED.items()]
    return sorted([*builtins, *_RESERVED], key=lambda topic: topic.name)


def _matching(word: str, topics: list[_Topic], *, extglob: bool) -> list[_Topic]:
    """The topic of that name, or those whose names begin with it or match it as a pattern."""
    exact = [topic for topic in topics if topic.name == word]
    if exact:
        return exact
    matcher = compile_glob(word, extglob=extglob)
    return [topic for topic in paced(topics, 5) if topic.name.startswith(word) or matcher.matches(topic.name)]


def _describe(topic: _Topic, letters: set[str]) -> str:
    if "d" in letters:
        return f"{topic.name} - {topic.summary}\n"
    if "m" in letters:
        return (
            f"NAME\n    {topic.name} - {topic.summary}\n\nSYNOPSIS\n    {topic.synopsis}\n\nDESCRIPTION\n    {topic.summary}\n\n"
            "SEE ALSO\n    bash(1)\n\n"
        )
    head = f"{topic.name}: {topic.synopsis}\n"
    return head if "s" in letters else f"{head}    {topic.summary}\n"


@builtin("help", usage="[-dms] [pattern ...]", summary="Display information about builtin commands.", options="dms")
def help_(shell: Shell, options: Options, words: list[str]) -> int:
    """Describe builtins, reserved words and utilities; fail when nothing is found."""
    letters = {letter for letter, _ in options}
    shell.budget.tick(1000)
    topics = _topics()
    if not words:
        shell.write("These shell commands are defined internally.  Type `help' to see this list.\n")
        shell.write("Type `help name' to find out more about the function `name'.\n\n")
        for topic in topics:
            shell.write(topic.synopsis + "\n")
        shell.write(" ".join(shell.machine.command_names()) + "\n")
        return 0
    if any(_MAGIC.search(word) or "]" in word.partition("[")[2] for word in words):
        plural = "s" if len(words) > 1 else ""
        shell.write(f"Shell commands matching keyword{plural} `{', '.join(words)}'\n\n")
    status = 1
    for word in words:
        found = _matching(word, topics, extglob=shell.options.shopt["extglob"])
        shell.write("".join([_describe(topic, letters) for topic in found]))
        utility = None if found else shell.machine.find_command(word)
        if utility is not None:
            shell.write(utility.help())
        if found or utility is not None:
            status = 0
    if status:
        word = words[-1]
        shell.complain("help", f"no help topics match `{word}'.  Try `help help' or `man -k {word}' or `info {word}'.")
    return status

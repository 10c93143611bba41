"""pgrep: list processes of this sandbox by name; as pkill, signal them (pgrep(1))."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag
from bashkit.regex import RegexError
from bashkit.regex import compile as compile_pattern
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SIGNAL = re.compile(r"-(?:[0-9]+|(?:SIG)?[A-Z]+[0-9]*)")


def _signals(words: list[str]) -> list[str]:
    """Rewrite ``-9`` and ``-HUP`` as an option."""
    if words and _SIGNAL.fullmatch(words[0]) and words[0][1:] not in {"P", "A", "F", "L", "U", "G", "H", "V"}:
        return ["--signal", words[0][1:], *words[1:]]
    return words


@command(
    "pgrep",
    usage="[OPTION]... PATTERN",
    summary="List the processes of this sandbox whose name matches PATTERN; pkill signals them.",
    options=(
        value("-d", "--delimiter", metavar="STRING", help="specify output delimiter"),
        flag("-l", "--list-name", help="list PID and process name"),
        flag("-a", "--list-full", help="list PID and full command line"),
        flag("-e", "--echo", help="display what is killed"),
        flag("-c", "--count", help="count of matching processes"),
        flag("-f", "--full", help="use full process name to match"),
        flag("-i", "--ignore-case", help="match case insensitively"),
        flag("-n", "--newest", help="select most recently started"),
        flag("-o", "--oldest", help="select least recently started"),
        flag("-v", "--inverse", help="negates the matching"),
        flag("-x", "--exact", help="match exactly with the command name"),
        value("-P", "--parent", metavar="PPID,...", help="match only child processes of the given parent"),
        value("-u", "-U", "--euid", "--uid", metavar="ID,...", help="match by user"),
        value("--signal", metavar="SIG", help="signal to send"),
        version_flag("-V"),
    ),
    usage_status=2,
    rewrite=_signals,
    model="procps-ng 4.0.2",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the process IDs, or signal the processes; 1 when there is none."""
    killing = process.name == "pkill"
    if not arguments.operands and not {"P", "u"} & {key for key, _ in arguments.given}:
        process.warn("no matching criteria specified")
        process.say(f"Try `{process.name} --help' for more information.\n")
        return 2
    if len(arguments.operands) > 1:
        process.warn("only one pattern can be provided")
        process.say(f"Try `{process.name} --help' for more information.\n")
        return 2
    found = _matching(process, arguments)
    if "c" in arguments:
        process.write(f"{len(found)}\n")
    if killing:
        signal = arguments.get("signal") or "TERM"
        for pid, words in found:
            process.launcher.run(["kill", f"-{signal}", str(pid)])
            if "e" in arguments:
                process.write(f"{_name(words)} killed (pid {pid})\n")
    elif "c" not in arguments:
        shown = [
            f"{pid} {words}" if "a" in arguments else f"{pid} {_name(words)}" if "l" in arguments else str(pid)
            for pid, words in found
        ]
        if shown:
            process.write((arguments.get("d") or "\n").join(shown) + "\n")
    return 0 if found else 1


def _matching(process: Process, arguments: Arguments) -> list[tuple[int, str]]:
    pattern = arguments.operands[0] if arguments.operands else ""
    if "x" in arguments:
        pattern = f"^({pattern})$"
    try:
        compiled = compile_pattern(pattern, "extended", ignore_case="i" in arguments, budget=process.budget)
    except RegexError as error:
        raise UsageError(f"regex error: {error}", hint=False) from None
    jobs = [(ROOT_PID, "bash"), *process.launcher.jobs()]
    parents = {clamped(part) for part in (arguments.get("P") or "").split(",") if is_digits(part)}
    users = {part for part in (arguments.get("u") or "").split(",") if part}
    found = []
    for pid, words in jobs:
        matches = bool(compiled.search(words if "f" in arguments else _name(words)))
        mine = not users or bool(users & {process.system.username, "1000"})
        child = not parents or (pid != ROOT_PID and ROOT_PID in parents) or (pid == ROOT_PID and 1 in parents)
        if (matches and mine and child) is not ("v" in arguments):
            found.append((pid, words))
    chosen = arguments.last("n", "o")
    return found[-1:] if chosen == "n" else found[:1] if chosen == "o" else found


def _name(words: str) -> str:
    return words.split(" ", maxsplit=1)[0].rpartition("/")[2][:15]

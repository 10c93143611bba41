"""pidof: print the IDs of the processes of this sandbox that run a program (sysvinit manual, pidof)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.utility.command import Arguments, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "pidof",
    usage="[OPTION]... PROGRAM...",
    summary="Print the IDs of the processes of this sandbox that run PROGRAM, the newest first.",
    options=(
        flag("-c", help="(ignored: all processes have the same root directory)"),
        value("-d", metavar="SEP", help="use SEP between the IDs"),
        flag("-n", help="(ignored: there are no network shares)"),
        value("-o", metavar="PID,...", help="omit these IDs; %PPID is the shell"),
        flag("-q", help="print nothing, only return a status"),
        flag("-s", help="only print one ID"),
        flag("-x", help="(ignored: no shell runs a script in a process of its own)"),
        flag("-z", help="(ignored: there are no zombies)"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="sysvinit 3.06",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the IDs; 1 when there is none."""
    omitted = {word for text in arguments.all("o") for word in text.replace("%PPID", str(ROOT_PID)).split(",")}
    running = [(ROOT_PID, "bash"), *process.launcher.jobs()]
    found = [
        str(pid)
        for name in arguments.operands
        for pid, words in reversed(running)
        if str(pid) not in omitted and _runs(words.split(" ", maxsplit=1)[0], name)
    ]
    if found and "q" not in arguments:
        process.write((arguments.get("d") or " ").join(found[:1] if "s" in arguments else found) + "\n")
    return 0 if found else 1


def _runs(program: str, name: str) -> bool:
    """Whether a program is the one of that name, or of that path."""
    return program in {name, name.rpartition("/")[2]} or program.rpartition("/")[2] == name

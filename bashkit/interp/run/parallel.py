"""Running several commands at once for a utility (``xargs -P``), their output in command order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs import Stream
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.shell import Shell


def run_parallel(
    shell: Shell,
    prepare: Callable[..., Shell],
    run: Callable[[Shell, list[str]], int],
    commands: Iterator[list[str]],
    parallel: int,
    streams: dict[str, Stream],
) -> list[int]:
    """Run each command as a task, at most ``parallel`` at a time, and write what each printed when its turn has come.

    Args:
        shell: The shell that starts them.
        prepare: Makes the subshell of one command.
        run: Runs a command in its subshell.
        commands: The commands.
        parallel: How many at once.
        streams: Standard streams other than the shell's own.

    Returns:
        The statuses, in command order.
    """
    hub = shell.machine.hub
    running: list[tuple[Task, Substitution]] = []
    statuses: list[int] = []
    out = streams.get("stdout") or shell.descriptors.get(1)

    def finish_first() -> None:
        task, output = running.pop(0)
        statuses.append(hub.join(task))
        if out is not None:
            out.write(output.value())

    for argv in commands:
        if len(running) >= max(1, parallel):
            finish_first()
        hub.wait_for_place()
        output = Substitution(shell.budget)
        twin = prepare(None, None, streams.get("stdin") or BytesStream(b""), output, streams.get("stderr"))
        twin.frames = 0
        running.append((hub.spawn(_task(run, twin, argv), twin.release), output))
    while running:
        finish_first()
    return statuses


def _task(run: Callable[[Shell, list[str]], int], twin: Shell, argv: list[str]) -> Callable[[], int]:
    return lambda: run(twin, argv)

"""Running commands at once for a utility: several (``xargs -P``), their output in command order, or one beside the utility."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
    goes_on: Callable[[int], bool],
) -> list[int]:
    """Run each command as a task, at most ``parallel`` at a time, and write what each printed when its turn has come.

    Args:
        shell: The shell that starts them.
        prepare: Makes the subshell of one command.
        run: Runs a command in its subshell.
        commands: The commands.
        parallel: How many at once.
        streams: Standard streams other than the shell's own.
        goes_on: Whether more commands may begin; called with each status, in command order.

    Returns:
        The statuses, in command order.
    """
    hub = shell.machine.hub
    running: list[tuple[Task, Substitution]] = []
    statuses: list[int] = []
    out = streams.get("stdout") or shell.descriptors.get(1)

    def finish_first() -> bool:
        task, output = running.pop(0)
        statuses.append(hub.join(task))
        if out is not None:
            out.write(output.value())
        return goes_on(statuses[-1])

    for argv in commands:
        if len(running) >= max(1, parallel) and not finish_first():
            break
        hub.wait_for_place()
        output = Substitution(shell.budget)
        twin = prepare(None, None, streams.get("stdin") or BytesStream(b""), output, streams.get("stderr"))
        twin.frames = 0
        running.append((hub.spawn(_task(run, twin, argv), twin.release), output))
    while running:
        finish_first()
    return statuses


def run_beside(
    shell: Shell,
    prepare: Callable[..., Shell],
    run: Callable[[Shell, list[str]], int],
    argv: list[str],
    env: Mapping[str, str] | None,
    stdin: Stream | None,
    stdout: Stream | None,
) -> Callable[[], int]:
    """Run a command as a task beside its caller, with ends of pipes that become its own; gives what waits for it."""
    hub = shell.machine.hub
    hub.wait_for_place()
    twin = prepare(env, None, stdin, stdout, None)
    for stream in (stdin, stdout):
        if stream is not None:
            stream.release()  # the command has it now
    twin.budget.command()
    twin.frames = 0
    task = hub.spawn(_task(run, twin, argv), twin.release)
    return lambda: hub.join(task)


def _task(run: Callable[[Shell, list[str]], int], twin: Shell, argv: list[str]) -> Callable[[], int]:
    return lambda: run(twin, argv)

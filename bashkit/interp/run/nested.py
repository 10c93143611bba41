"""Scripts that stand for a command: each runs in a fresh shell of the same machine, and its output is collected."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bashkit.fs import BytesStream
from bashkit.interp.run.child import new_process
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import run_subshell
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.state.startup import define_variables
from bashkit.interp.state.variables import IndexedArray, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.state.shell import Shell

MAX_NESTING = 16  # scripts inside each other


class NestingError(Exception):
    """Scripts that stand for commands call each other without end."""


@dataclass(frozen=True, slots=True)
class Within:
    """The command that a shell runs the script of.

    Attributes:
        name: The command.
        line, column: Where in the execution's own script it stands.
        outer: The one that its caller runs the script of, or None.
        depth: How many scripts are inside each other.
    """

    name: str
    line: int
    column: int
    outer: Within | None = None
    depth: int = 1

    def chain(self) -> list[str]:
        """The names of all of them, the outermost first."""
        return [*(self.outer.chain() if self.outer else ()), self.name]


@dataclass(frozen=True, slots=True)
class NestedScript:
    """A script that stands for a command.

    Attributes:
        name: The command, as messages call it.
        text: The script.
        env: Its environment.
        variables: Shell variables that it starts with: text, a list for an array, None for one that is not set.
        arguments: ``$1`` and so on.
        stdin: What it reads.
    """

    name: str
    text: str
    env: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str | list[str] | None] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    stdin: bytes = b""


@dataclass(frozen=True, slots=True)
class NestedOutcome:
    """What came of it."""

    stdout: bytes
    stderr: bytes
    status: int


def run_nested(shell: Shell, script: NestedScript, timeout: float | None = None, *, column: int = 0) -> NestedOutcome:
    """Run a script in a shell that shares files and working directory with ``shell``, and nothing else.

    Args:
        shell: Whose command it is.
        script: What runs.
        timeout: Seconds after which it is ended, with all that it has started.
        column: Where in its line the command stands.

    Raises:
        NestingError: Too many such scripts are inside each other.
        TimeoutError: The time was up.
        LimitExceededError: The execution's own limits end it.
    """
    shell.machine.hub.wait_for_place()
    twin = _fresh_shell(shell, script, column)
    out, err = Substitution(shell.budget), Substitution(shell.budget)
    twin.replace_descriptor(0, BytesStream(script.stdin))
    twin.replace_descriptor(1, out)
    twin.replace_descriptor(2, err)
    out.retain()
    err.retain()
    hub = shell.machine.hub

    def main() -> int:
        status = run_subshell(twin, lambda inner: run_text(inner, script.text))
        while out.refs > 1 or err.refs > 1:  # a background job still writes
            out.reader = err.reader = hub.current
            hub.suspend()
        return status

    shell.budget.command()
    status = hub.join_within(hub.spawn(main, twin.release), timeout)
    return NestedOutcome(out.value(), err.value(), status)


def _fresh_shell(shell: Shell, script: NestedScript, column: int) -> Shell:
    outer = shell.within
    if outer is not None and outer.depth >= MAX_NESTING:
        chain = [*outer.chain(), script.name]
        raise NestingError(
            f"tools that are scripts call each other more than {MAX_NESTING} levels deep: {' > '.join(chain[:4])} > …"
        )
    twin = new_process(shell, script.name)
    if outer is None:
        twin.within = Within(script.name, shell.line, column)
    else:
        twin.within = Within(script.name, outer.line, outer.column, outer, outer.depth + 1)
    for number in [number for number in twin.descriptors if number > 2]:
        twin.descriptors.pop(number).release()
    twin.frames = 0  # it gets a stack of its own
    twin.umask, twin.ulimits = 0o022, {}
    twin.fed, twin.pipeline = None, None
    twin.invocation = replace(twin.invocation, file=script.name)
    twin.positional = list(script.arguments)
    user = shell.machine.system.username
    define_variables(twin, {"HOME": f"/home/{user}", "USER": user, "LOGNAME": user, **script.env})
    for name, value in script.variables.items():
        if value is None:
            twin.variables.pop(name, None)
        else:
            twin.variables[name] = value if isinstance(value, str) else Variable(IndexedArray(value))
    return twin

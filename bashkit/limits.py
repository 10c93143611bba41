"""What a script may spend (ExecutionLimits) and what it has spent (Budget)."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn

from bashkit.errors import DefinitionError, LimitExceededError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WEEK = 7 * 24 * 3600.0
_CLOCK_INTERVAL = 256  # steps between two looks at the clock


def _limit(default: float, description: str, *, prompt: str = "", manual: str = "") -> Any:
    """A limit: the only place where it is declared.

    Args:
        default: What may be spent where nothing else is said.
        description: What it counts, for the schema of toolset files.
        prompt: How a prompt tells a limit that an author has set, ``{}`` its value; "" where a model need not know.
        manual: How a manual page tells it, whatever its value; "" where it does so only for one that an author has set.
    """
    return field(default=default, metadata={"description": description, "prompt": prompt, "manual": manual})


@dataclass(frozen=True, slots=True)
class ExecutionLimits:
    """What one execution may spend before it is ended with a named error.

    The defaults leave ordinary scripts alone and end runaway ones. Each field says what it counts; ``timeout`` is in seconds.
    """

    max_commands: int = _limit(1_000_000, "Simple commands run.", prompt="{} commands", manual="{} commands")
    max_loop_iterations: int = _limit(
        10_000_000, "Turns of all loops together.", prompt="{} turns of loops", manual="{} iterations"
    )
    max_function_depth: int = _limit(1_000, "Functions, sourced files and evals inside each other.", manual="{} depth")
    max_output_bytes: int = _limit(
        16 << 20, "Bytes written to standard output and standard error together.", prompt="{} bytes of output"
    )
    max_string_bytes: int = _limit(16 << 20, "Length of one string: a variable, an expansion, one line of a utility.")
    max_memory_bytes: int = _limit(64 << 20, "Bytes held by variables and by buffers of utilities together.")
    max_words: int = _limit(500_000, "Words that one expansion may produce, and elements of one array.")
    max_open_files: int = _limit(256, "File descriptors open at once.")
    max_file_system_bytes: int = _limit(64 << 20, "Bytes stored in the virtual file system.")
    max_files: int = _limit(20_000, "Files and directories in the virtual file system.")
    max_processes: int = _limit(256, "Background jobs and pipeline stages alive at once.", prompt="{} processes at once")
    max_concurrent_calls: int = _limit(
        128, "Tool callbacks running at once; more wait for their turn.", prompt="{} calls at once"
    )
    timeout: float = _limit(60.0, "Wall-clock time of one execution.", prompt="{:g} s")

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not isinstance(value, (int, float)) or isinstance(value, bool) or value <= 0:
                raise DefinitionError(f"{limit.name} must be a positive number, not {value!r}")

    def narrowed(self, **limits: float | None) -> ExecutionLimits:
        """The same with other values for some of the limits; None leaves one as it is.

        Raises:
            DefinitionError: A value is not more than 0.
        """
        given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
        return replace(self, **given) if given else self


DEFAULT_LIMITS = ExecutionLimits()


class Budget:
    """What one execution has left of its ExecutionLimits.

    Everything that loops or allocates asks here first. Two counters are the hot paths: running a command decrements ``credit``
    and calls ``renew()`` below zero; other work decrements ``fuel`` and calls ``refuel()``.
    Both look at the clock and let other tasks run.

    Args:
        limits: What may be spent.
        clock: Monotonic seconds as the script lives through them: for what waits, and for its own time limits. The limit
            ``timeout`` counts real ones.
        on_refuel: Called at each look at the clock; the scheduler uses it to give way.
    """

    __slots__ = (
        "_commands",
        "_left",
        "clock",
        "credit",
        "deadline",
        "fuel",
        "iterations",
        "limits",
        "memory",
        "on_refuel",
        "output",
        "paused",
        "processes",
    )

    def __init__(self, limits: ExecutionLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self.deadline = time.monotonic() + limits.timeout
        self.fuel = _CLOCK_INTERVAL
        self.credit = min(_CLOCK_INTERVAL, limits.max_commands)
        self._commands = limits.max_commands - self.credit  # not yet granted as credit
        self._left = 0.0  # seconds until the deadline, when a pause began
        self.iterations = limits.max_loop_iterations
        self.output = limits.max_output_bytes
        self.memory = limits.max_memory_bytes
        self.processes = limits.max_processes
        self.paused = 0  # pending approvals
        self.on_refuel: Callable[[], None] | None = None

    def refuel(self) -> None:
        """Look at the clock, give way to other tasks, and grant the next steps.

        Raises:
            LimitExceededError: The time is up.
        """
        self.fuel = _CLOCK_INTERVAL
        if time.monotonic() > self.deadline:
            self.fail("timeout")
        if self.on_refuel is not None:
            self.on_refuel()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Stop the clock of the time limit while a person is asked; for a week at most."""
        if not self.paused:
            self._left = self.deadline - time.monotonic()
            self.deadline = time.monotonic() + _WEEK
        self.paused += 1
        try:
            yield
        finally:
            self.paused -= 1
            if not self.paused:
                self.deadline = time.monotonic() + self._left

    def tick(self, steps: int = 1) -> None:
        """Account for ``steps`` steps of work of about a microsecond each.

        Raises:
            LimitExceededError: The time is up.
        """
        self.fuel -= steps
        if self.fuel < 0:
            self.refuel()

    def renew(self) -> None:
        """The credit is used up: grant the next commands, look at the clock, give way to other tasks.

        Raises:
            LimitExceededError: The time is up, or so many commands may not run.
        """
        if self._commands + self.credit < 0:
            self.fail("max_commands")
        granted = min(_CLOCK_INTERVAL, self._commands)
        self._commands -= granted
        self.credit += granted
        self.refuel()

    @property
    def commands_left(self) -> int:
        """How many simple commands may still run."""
        return self._commands + self.credit

    def command(self) -> None:
        """Account for one simple command."""
        self.credit -= 1
        if self.credit < 0:
            self.renew()

    def iteration(self) -> None:
        """Account for one turn of a shell loop."""
        self.iterations -= 1
        if self.iterations < 0:
            self.fail("max_loop_iterations")
        self.fuel -= 1
        if self.fuel < 0:
            self.refuel()

    def string(self, length: int) -> None:
        """Ask for a string of ``length`` characters or bytes before making it."""
        if length > self.limits.max_string_bytes:
            self.fail("max_string_bytes")
        self.tick(length >> 12)

    def words(self, count: int) -> None:
        """Ask for a list of ``count`` words or array elements before making it."""
        if count > self.limits.max_words:
            self.fail("max_words")

    def write(self, length: int) -> int:
        """Account for ``length`` bytes of captured output and return how many of them still fit."""
        self.output -= length
        if self.output < 0:
            return max(0, length + self.output)
        return length

    def hold(self, length: int) -> None:
        """Account for ``length`` more bytes held in memory (negative: released)."""
        self.memory -= length
        if self.memory < 0:
            self.fail("max_memory_bytes")

    def fail(self, name: str) -> NoReturn:
        """End the execution: the limit called ``name`` is reached."""
        limit = getattr(self.limits, name)
        text = f"time limit of {limit:g} seconds exceeded" if name == "timeout" else f"limit exceeded: {name} ({limit})"
        raise LimitExceededError(name, text)

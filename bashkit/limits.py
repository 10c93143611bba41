"""What a script may spend (ExecutionLimits) and what it has spent (Budget)."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import count, islice
from sys import getsizeof
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from greenlet import getcurrent, greenlet

from bashkit.errors import DefinitionError, LimitExceededError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

T = TypeVar("T")
ISOLATIONS = ("inline", "process")  # where scripts run
LONGEST = 1e9  # seconds that any limit of time may have
_WEEK = 7 * 24 * 3600.0
_CLOCK_INTERVAL = 256  # steps between two looks at the clock, at most
_FIRST_INTERVAL = 16  # steps before the first look
_SLOW = 0.002  # seconds between two looks after which there are fewer steps between the next two
_HEAVY = 65536  # characters from which making a text is a step of its own
_HURRIED = 1 << 20  # what is taken from the credit so that the next command looks at the clock: more than is ever granted at once


def _limit(default: float, description: str, *, prompt: str = "", manual: str = "") -> Any:
    """A limit: the only place where it is declared.

    Args:
        default: What may be spent where nothing else is said.
        description: What it counts, for the schema of toolset files.
        prompt: How a prompt tells a limit that an author has set, ``{}`` its value; "" where a model need not know.
        manual: How a manual page tells it, whatever its value; "" where it does so only for one that an author has set.
    """
    return field(default=default, metadata={"description": description, "prompt": prompt, "manual": manual})


def at_once(function: Callable[[], T]) -> T:
    """Call a function in this thread: what ``Budget.aside`` does without a scheduler."""
    return function()


def check_count(name: str, value: object, least: int = 1) -> None:
    """Check a whole number that a host passes.

    Raises:
        DefinitionError: It is none, or less than ``least``.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        wanted = "a positive whole number" if least == 1 else f"a whole number of at least {least}"
        raise DefinitionError(f"{name} must be {wanted}, not {value!r}")


def check_seconds(name: str, value: object, *, zero: bool = False) -> None:
    """Check a time that a host passes.

    Raises:
        DefinitionError: It is no number, negative, not finite or longer than 30 years; or 0, unless ``zero`` allows that.
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= LONGEST or not (value or zero):
        wanted = "0 or more" if zero else "a positive number of"
        raise DefinitionError(f"{name} must be {wanted} seconds, at most {LONGEST:g}, not {value!r}")


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
            check = check_seconds if limit.name == "timeout" else check_count
            check(limit.name, getattr(self, limit.name))

    def updated(self, **limits: float | None) -> ExecutionLimits:
        """The same with other values for some of the limits: ``ExecutionLimits().updated(max_commands=500).updated(timeout=5)``.

        Args:
            limits: Values by the names of the fields; None leaves one as it is.

        Raises:
            DefinitionError: A value is not more than 0, or there is no limit of that name.
        """
        given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
        if not given:
            return self
        unknown = given.keys() - {limit.name for limit in fields(self)}
        if unknown:
            raise DefinitionError(f"there is no limit {min(unknown)!r}")
        return replace(self, **given)


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
        aside: Calls a function of C that takes long and lets other threads run; the scheduler has a thread of its own call it.
    """

    __slots__ = (
        "_commands",
        "_given",
        "_grown",
        "_interval",
        "_left",
        "_long",
        "_looked",
        "aside",
        "clock",
        "credit",
        "deadline",
        "fuel",
        "iterations",
        "limits",
        "measure",
        "memory",
        "on_refuel",
        "output",
        "paused",
        "processes",
    )

    def __init__(self, limits: ExecutionLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self._looked = time.monotonic()
        self.deadline = self._looked + limits.timeout
        self.fuel = self.credit = self._interval = min(_FIRST_INTERVAL, limits.max_commands)
        self._commands = limits.max_commands - self.credit  # not yet granted as credit
        self._left = 0.0  # seconds until the deadline, when a pause began
        self.iterations = limits.max_loop_iterations
        self.output = limits.max_output_bytes
        self.memory = limits.max_memory_bytes
        self._long = min(_HEAVY, limits.max_string_bytes)  # characters from which a text is looked at more closely
        self.measure: Callable[[], int] | None = None  # counts the bytes that shells hold
        self._grown = 0  # what they held when it was counted last, and what came since
        self._given = 0  # what they may hold beyond the limit until it is counted again
        self.processes = limits.max_processes
        self.paused = 0  # pending approvals
        self.on_refuel: Callable[[], None] | None = None
        self.aside: Callable[[Callable[[], Any]], Any] = at_once

    def refuel(self) -> None:
        """Look at the clock, give way to other tasks, and grant the next steps.

        Raises:
            LimitExceededError: The time is up.
        """
        now = time.monotonic()
        if now - self._looked > _SLOW:
            self._interval = max(1, self._interval >> 3)
        elif self._interval < _CLOCK_INTERVAL:
            self._interval <<= 2
        self.fuel = self._interval
        if now > self.deadline:
            self.fail("timeout")
        if self.on_refuel is not None:
            self.on_refuel()
        self._looked = time.monotonic()

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

    def hurry(self) -> None:
        """Have the next step look at the clock, whatever it is. Another thread calls this: a step may be lost."""
        self.fuel = -1
        if self.credit >= 0:
            self.credit -= _HURRIED

    def renew(self) -> None:
        """The credit is used up, or there is hurry: grant the next commands, look at the clock, give way to other tasks.

        Raises:
            LimitExceededError: The time is up, or so many commands may not run.
        """
        if self.credit < -_HURRIED >> 1:
            self.credit += _HURRIED
            if self.credit >= 0:
                self.refuel()
                return
        if self._commands + self.credit < 0:
            self.fail("max_commands")
        granted = min(self._interval, self._commands)
        self._commands -= granted
        self.credit += granted
        self.refuel()

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
        """Ask for a string of ``length`` characters or bytes before making it.

        The clock is looked at when the next command or turn of a loop comes: now others must not run, who make as long ones.
        """
        if length > self.limits.max_string_bytes:
            self.fail("max_string_bytes")
        self._work(length)

    def longer(self, length: int, added: int) -> None:
        """Ask for a string of ``length`` characters or bytes to become longer by ``added`` in place."""
        if length + added > self.limits.max_string_bytes:
            self.fail("max_string_bytes")
        self._work(added)

    def _work(self, length: int) -> None:
        """Note the work on so many bytes: a long one lets the clock be looked at soon."""
        self.fuel -= length >> 12
        if length > _HEAVY and self.credit > 0:
            self._commands += self.credit
            self.credit = 0

    def text(self, value: str, before: int) -> None:
        """Account for a long text that takes the place of one of ``before`` characters in a variable."""
        length = len(value)
        more = (length if value.isascii() else getsizeof(value)) - before
        self._grown += more
        self.memory -= more
        if self.memory < 0:
            self._count()
        if length > self._long:
            self.string(length)

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
        if self.memory < 0 < length:
            self._count()

    def grow(self, length: int) -> None:
        """Account for ``length`` more bytes in variables and the like, which nobody releases: they are counted again at need."""
        self._grown += length
        self.memory -= length
        if self.memory < 0:
            self._count()
        if length > _HEAVY:
            self._work(length)

    def room(self, length: int) -> None:
        """Ask whether there is room for ``length`` more bytes that are soon released."""
        if length > self.memory:
            self.hold(length)
            self.memory += length

    def _count(self) -> None:
        """The memory is used up, as it seems: count what is really held."""
        if self.measure is not None:
            held = self.measure()
            self.fuel = 0  # that took a while
            left = self.memory - self._given + self._grown - held
            self._grown = held
            self._given = max(0, (self.limits.max_memory_bytes >> 5) - left) if left >= 0 else 0  # so that counts are far between
            self.memory = left + self._given
        if self.memory < 0:
            self.fail("max_memory_bytes")

    def fail(self, name: str) -> NoReturn:
        """End the execution: the limit called ``name`` is reached."""
        raise self.error(name)

    def error(self, name: str) -> LimitExceededError:
        """What says that the limit called ``name`` is reached."""
        limit = getattr(self.limits, name)
        text = f"time limit of {limit:g} seconds exceeded" if name == "timeout" else f"limit exceeded: {name} ({limit})"
        return LimitExceededError(name, text)


def _size(words: list[str]) -> int:
    """The bytes of some words; while they are short, none is looked at more closely than needed."""
    size = sum(map(len, words))
    return size + _WORD * len(words) if size < _HEAVY else sum(map(str.__sizeof__, words)) + 16 * len(words)


class TaskGreenlet(greenlet):
    """A greenlet that runs tasks of an execution.

    Attributes:
        budget: Of the execution whose task it runs now; None between two of them.
    """

    budget: Budget | None = None


def ask(steps: int) -> None:
    """Ask the budget of the running task for time, where nobody has it at hand; outside of executions there is none.

    Args:
        steps: As for ``Budget.tick``.
    """
    budget = running_budget()
    if budget is not None:
        budget.tick(steps)


def running_budget() -> Budget | None:
    """The budget of the running task; None outside of executions."""
    running = getcurrent()
    return running.budget if isinstance(running, TaskGreenlet) else None


class Charge:
    """The bytes that a task gathers piece by piece, charged to a budget's memory for as long as this lives.

    Args:
        budget: What is charged; the running task's when left out. Outside of executions nothing is.
    """

    __slots__ = ("_budget", "_size")

    def __init__(self, budget: Budget | None = None) -> None:
        self._size = 0
        self._budget = budget or running_budget()

    def reach(self, size: int) -> None:
        """Account for ``size`` bytes in all.

        Raises:
            LimitExceededError: Variables and buffers hold more than ``max_memory_bytes`` together.
        """
        if self._budget is not None:
            more, self._size = size - self._size, size
            self._budget.hold(more)

    def reach_line(self, size: int) -> None:
        """As ``reach``, for one line, which may not be longer than a string."""
        self.reach(size)
        if self._budget is not None:
            self._budget.string(size)

    def __del__(self) -> None:
        if self._size and self._budget is not None:
            self._budget.memory += self._size


_turns = count(1)


def turn() -> None:
    """A few microseconds of work were done where nobody has the budget at hand: now and then it is asked."""
    if not next(_turns) & 63:
        ask(128)


_ROW = 512  # items between two looks at the budget


def paced(items: Iterable[T], steps: int = 1) -> Iterator[T]:
    """Items one by one; now and then the budget of the running task is asked for the time that working on them takes.

    Args:
        items: They.
        steps: As for ``Budget.tick``, for each.
    """
    source = iter(items)
    while row := list(islice(source, _ROW)):
        yield from row
        ask(len(row) * steps)


def paced_if_many(items: Sequence[T]) -> Iterable[T]:
    """As ``paced``, for what is mostly short: that costs nothing then."""
    return items if len(items) < _ROW else paced(items)


COMPARED = 4  # microseconds, for ``paced``, in which a name is compared with another that is like it
_RUN = 1 << 15  # items that are sorted at once


def sorted_in_runs(items: list[T], key: Callable[[T], Any] | None = None) -> list[T]:
    """As ``sorted``; a long list becomes sorted runs, with a look at the budget between them, which are merged quickly.

    Args:
        items: What is sorted.
        key: What an item is compared by; itself when left out.
    """
    order: list[T] = []
    for begin in range(0, len(items), _RUN):
        run = items[begin : begin + _RUN]
        run.sort(key=key)  # pyright: ignore[reportArgumentType, reportCallIssue]  # items compare, or have a key
        if len(run) == len(items):
            return run
        order += run
        ask(_RUN >> 2)
    order.sort(key=key)  # pyright: ignore[reportArgumentType, reportCallIssue]  # as above
    return order


MANY = 1000  # words from which a list of them is charged
_WORD = 64  # bytes of a word beside its characters
_PIECE = 4096  # words made between two looks at the budget


_UNCHARGED = 1 << 17  # characters of a text whose pieces need no room to speak of
_REFERENCE, _HEAD = 8, 49  # bytes of an element of a list, and of a text beside its characters


def ask_room(text: str | bytes, separators: Iterable[Any], budget: Budget) -> None:
    """Ask for the room that the pieces of a long text need, before they are made.

    Args:
        text: The text.
        separators: What separates pieces; nothing if each character is one.
        budget: What is asked.
    """
    if len(text) >= _UNCHARGED:
        pieces = sum(map(text.count, separators)) + 1 if separators else len(text)
        ask_room_for(pieces, len(text) - pieces, budget)


def ask_room_for(pieces: int, characters: int, budget: Budget) -> None:
    """Ask for the room of so many pieces with so many characters in all; those of one character are shared."""
    budget.room(characters + _REFERENCE * pieces + _HEAD * min(pieces, characters // 2))


class Words(list[str]):
    """Many words, or long ones, charged to the budget's memory for as long as the list lives.

    Args:
        budget: What is charged. It is asked for time, too, and for each piece of the list before the next is made.
        words: The words.
        whole: The words that those which are added later are a part of; theirs is the charge.
    """

    __slots__ = ("_budget", "_size", "_whole")

    def __init__(self, budget: Budget, words: Iterable[str], whole: Words | None = None) -> None:
        super().__init__()
        self._budget = budget
        self._whole = whole
        self._size = 0
        source = iter(words)
        while piece := list(islice(source, _PIECE)):
            size = _size(piece)
            self._size += size
            budget.hold(size)
            budget.words(len(self) + len(piece))
            budget.tick((len(piece) >> 4) + (size >> 12))
            self += piece

    def after(self, count: int) -> Words:
        """The words behind the first ``count``; the charge for all stays as it is as long as a part of them lives."""
        rest = Words(self._budget, (), self._whole or self)
        rest += self[count:]
        self._budget.tick(len(rest) >> 8)
        return rest

    def charge(self, size: int) -> None:
        """Account for words of ``size`` bytes that were added."""
        self._size += size
        self._budget.hold(size)
        self._budget.words(len(self))
        self._budget.tick(size >> 6)

    def hand_over(self) -> None:
        """The words are about to be charged as those of an array, which shares them."""
        self._budget.memory += self._size
        self._size = 0

    def __del__(self) -> None:
        if hasattr(self, "_size"):  # its making may have been interrupted
            self._budget.memory += self._size


def collected(budget: Budget, words: Iterator[str]) -> list[str]:
    """The list of words that are made one by one: many, or long ones, are charged to the memory while they are made."""
    found: list[str] = []
    size = 0
    for word in words:
        found.append(word)
        size += len(word) + _WORD
        if size > _HEAVY:
            if isinstance(found, Words):
                found.charge(size)
            else:
                found = Words(budget, found)
                budget.tick(size >> 6)
            size = 0
    if isinstance(found, Words):
        found.charge(size)
    return found

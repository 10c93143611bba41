"""What a shell keeps by name or number, and what a subshell gets of it: traps, jobs, found commands.

Rules: bash(1), COMMAND EXECUTION ENVIRONMENT.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.runtime.turns import Turns
    from bashkit.interp.state.options import Options


@dataclass(slots=True, frozen=True)
class Start:
    """How the process of one simple command begins.

    Attributes:
        place: The line, the column and the text of the command.
        traps: Those of the shell that has made the process.
        level: What BASH_SUBSHELL is there.
    """

    place: tuple[int, int, str]
    traps: Traps
    level: int


class Traps(dict[str, str]):
    """The actions of traps, by name without ``SIG``; an empty one ignores the signal.

    Attributes:
        inherited: What ``trap`` shows in a subshell that has set none itself; None where it shows the shell's own.
        running: The traps whose actions are running.
        before: The exit status before the action that is running, which ``return`` and the ``exit`` of an EXIT trap give; None
            where there is none, and for DEBUG.
        settled: Signals that were ignored when the shell began: they cannot be trapped (bash(1), SIGNALS).
        untold: Signals that a job in the background ignores without a trap: ``trap`` does not show them, and can trap them.
        passes: The shell is a job that becomes its program, which then ignores these, too.
        tells: ``trap`` shows that such a job ignores SIGINT all the same, in its own shell.
        forgets: The shell is a stage of a pipeline whose EXIT trap runs only when a signal ends it.
        delayed: The running command first undoes its redirections and assignments; the trap of a signal that it sends comes then.
        starts: The shell is the process of one simple command, which begins with the traps of the shell that has made it.
    """

    inherited: Traps | None = None
    running: frozenset[str] = frozenset()
    before: int | None = None
    settled: frozenset[str] = frozenset()
    untold: frozenset[str] = frozenset()
    passes: bool = False
    tells: bool = False
    forgets: bool = False
    delayed: bool = False
    starts: Start | None = None

    def fork(self, options: Options) -> Traps:
        """The traps of a subshell: ignored signals, and ERR, DEBUG and RETURN where options let it inherit them."""
        twin = Traps()
        twin.inherited = self.inherited or self
        twin.running = self.running
        twin.settled = self.settled
        twin.untold = self.untold
        for name, action in self.items():
            if not action or (name == "ERR" and options.set["errtrace"]) or (name in _TRACED and options.set["functrace"]):
                twin[name] = action
        return twin

    def ignored(self) -> Traps:
        """The traps of a new process: the ignored signals."""
        dropped = frozenset() if self.passes else self.untold
        twin = Traps({name: action for name, action in self.items() if not action and name not in dropped})
        twin.settled = frozenset(twin)
        return twin

    def hide_signals(self) -> None:
        """Show, of the traps of the shell that has made this one, those of events and ignored signals (undocumented)."""
        if self.inherited is not None:
            shown = {name: action for name, action in self.inherited.items() if not action or name in _EVENTS}
            self.inherited = Traps(shown)

    def ignore_interrupts(self, *, passes: bool) -> None:
        """Ignore what the keyboard sends, as a job in the background does where there is no job control.

        Args:
            passes: It is one simple command, whose program ignores the signals, too.
        """
        names = frozenset(["INT", "QUIT"]) - self.settled
        self.untold |= names.difference(name for name, action in self.items() if not action)
        self.passes, self.tells = passes, not passes
        self.update(dict.fromkeys(names, ""))


_TRACED = frozenset(["DEBUG", "RETURN"])
_EVENTS = _TRACED | {"ERR"}


@dataclass(slots=True)
class Job:
    """A background job.

    Attributes:
        number: What ``%n`` names it by.
        task: What runs it.
        command: Its text.
        before: The job that ran already when it began, and was the last one then; 0 for none.
        listed: ``jobs`` has shown it as it is.
        coprocess: The array with its descriptors, where it is a coprocess; else empty.
        descriptors: Those of a coprocess.
    """

    number: int
    task: Task
    command: str
    before: int = 0
    listed: bool = False
    coprocess: str = ""
    descriptors: tuple[int, ...] = ()


_REMEMBERED = 8192  # the jobs that a shell knows at most, but for those that run
_NO_JOBS: Mapping[int, Job] = MappingProxyType({})


class JobTable(dict[int, Job]):
    """The background jobs by number.

    Attributes:
        inherited: Those of the parent, which ``jobs`` shows in a command substitution or stage without jobs of its own.
        last: ``$!``: the process ID of the last one, 0 where there has been none.
        unseen: Those of which the shell has not seen yet that they ended; also some that it does not know any more.
        substitution: The last process substitution, for which ``wait`` waits by its process ID.
        turns: Whose output comes first, where that matters.
        ended: The statuses of those that it does not list any more, by process ID, for ``wait``.
        disowned: What runs those that ``disown`` took out, by process ID.
    """

    inherited: Mapping[int, Job] = _NO_JOBS
    last = 0
    substitution: Task | None = None
    turns: Turns | None = None
    unseen: Sequence[Job] = ()
    ended: Mapping[int, int] = MappingProxyType({})
    disowned: Mapping[int, Task] = MappingProxyType({})

    def fork(self) -> JobTable:
        """The jobs of a subshell: none of its own."""
        twin = JobTable()
        twin.inherited = self or self.inherited
        twin.last = self.last
        return twin

    def disown(self, job: Job) -> None:
        """Take a job out; its process ID still names it, but if it has ended, that has a status."""
        if job.task.done:
            self.end(job, int(job.task.status))
            return
        if not isinstance(self.disowned, dict):
            self.disowned = {}
        self.disowned[job.task.pid] = job.task
        self.pop(job.number, None)

    def end(self, job: Job, status: int) -> None:
        """Take out a job that has ended; its process ID still has a status."""
        if not isinstance(self.ended, dict):
            self.ended = {}
        self.ended[job.task.pid] = status
        self.pop(job.number, None)

    def disinherit(self) -> None:
        """Know nothing of the jobs of the parent."""
        self.inherited = _NO_JOBS

    def add(self, task: Task, command: str) -> Job:
        """Give a task the next number."""
        number = next(reversed(self), 0) + 1  # the last one has the highest
        last = self.get(number - 1)
        if last is not None and last.task.done:
            last = self.get(last.before)
        before = 0 if last is None or last.task.done else last.number
        if len(self) > _REMEMBERED:
            self._forget()
        job = self[number] = Job(number, task, command, before)
        if not isinstance(self.unseen, list):
            self.unseen = []
        self.unseen.append(job)
        self.last = task.pid
        task.command = command
        return job

    def _forget(self) -> None:
        """Forget what ended long ago, as bash does with the statuses of more children than CHILD_MAX allows."""
        for number in list(self)[: _REMEMBERED // 2]:
            if self[number].task.done:
                del self[number]
        self.unseen = [job for job in self.unseen if self.get(job.number) is job]


class FoundCommands(dict[str, tuple[str, int]]):
    """What ``hash`` shows: where commands were found (empty for one of the sandbox's own), and how often they ran since.

    Attributes:
        path: The value of PATH for which that holds.
        emptied: Commands were forgotten: the table has been there even when it is empty now.
    """

    path: str | None = None
    emptied: bool = False

    def fork(self) -> FoundCommands:
        """The same for a subshell."""
        twin = FoundCommands(self)
        twin.path, twin.emptied = self.path, self.emptied
        return twin

    def clear(self) -> None:
        """Forget everything."""
        self.emptied = self.emptied or bool(self)
        super().clear()

    def forget(self, name: str) -> None:
        """Forget where a command was found."""
        del self[name]
        self.emptied = True

    def follow(self, path: str | None) -> None:
        """Forget everything if PATH was assigned."""
        if self.path is not path:
            self.clear()
            self.path = path

    def count(self, name: str, file: str) -> None:
        """Note that ``name`` ran, and where it was found."""
        known = self.get(name)
        self[name] = (file, 1 if known is None else known[1] + 1)

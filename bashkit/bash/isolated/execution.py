"""One execution of a script in a sandbox process, as its host lives through it."""

from __future__ import annotations

import errno
import logging
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from bashkit.bash.execution import NO_THREAD, STATUSES, Chunks, category, joined
from bashkit.bash.isolated.companions import Companions
from bashkit.bash.isolated.files import RemoteFiles
from bashkit.bash.isolated.hostside import CommandOfHost
from bashkit.bash.isolated.link import Link
from bashkit.bash.result import ExecResult
from bashkit.commands._http import kept_elsewhere
from bashkit.errors import BashkitError, LimitExceededError
from bashkit.fs.memory import produced
from bashkit.interp.runtime.control import CommandStatus, Killed
from bashkit.interp.runtime.hub import Hub
from bashkit.interp.runtime.workers import is_shortage
from bashkit.interp.utility.custom import log_failure
from bashkit.limits import Budget
from bashkit.sandbox.journal import STDERR
from bashkit.sandbox.pool import pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.bash.execution import Input, Invoked, Output
    from bashkit.bash.isolated.session import Arrival, IsolatedSession
    from bashkit.interp.runtime.tasks import Task
    from bashkit.limits import ExecutionLimits
    from bashkit.sandbox.channel import Frame
    from bashkit.sandbox.pool import Worker

T = TypeVar("T")
_GRACE = 0.5  # seconds that a process has to notice that the time is up, or that it is cancelled
_STARTING = 30.0  # seconds more for a process that is only just being started
_ATTEMPTS = 3  # to find a process that begins with the script
_SOON = 0.005
_TERMINATED = 15
_ERRORS = frozenset({"parse", "timeout", "cancelled", "internal"})


class _CallBudget(Budget):
    """What commands of the host ask; a pause stops the time limits of host and process alike.

    Args:
        limits: What may be spent.
        session: Whose commands they are; the execution itself would be garbage that holds the session's files.
    """

    __slots__ = ("_session",)

    def __init__(self, limits: ExecutionLimits, session: IsolatedSession) -> None:
        super().__init__(limits)
        self._session = session

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Stop the clock of the time limit while a person is asked."""
        execution = self._session.running_execution
        assert execution is not None
        with super().pause(), execution.budget.pause():
            execution.tell_pause(on=True)
            try:
                yield
            finally:
                execution.tell_pause(on=False)


class IsolatedExecution:
    """One call of ``execute``; the parameters are those of ``Execution``."""

    def __init__(
        self, session: IsolatedSession, script: str, stdin: Input, on_output: Output | None, invoked: Invoked | None = None
    ) -> None:
        self.session = session
        self.script = script
        self.on_output = on_output
        self._chunks = Chunks()
        self._invoked = invoked
        self._supply = stdin if callable(stdin) else None
        limits = session.limits
        # The process keeps to the limits by itself. What the host counts here is what a process may at most ask of it.
        self.budget = Budget(
            limits.updated(
                max_concurrent_calls=limits.max_concurrent_calls + 1,
                max_processes=4 * limits.max_processes + 64,
                max_commands=1 << 60,
            )
        )
        self.hub = Hub(self.budget)
        session.system.hub = self.hub
        self.files: RemoteFiles | None = None
        self._stdin = stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else None if callable(stdin) else stdin
        self._calls = _CallBudget(limits, session)
        self._worker: Worker | None = None
        self._link: Link | None = None
        self._main: Task | None = None
        self._tasks: dict[int, Task] = {}  # commands that are running, by the number of their call
        self._result: Frame | None = None
        self._arrived: Arrival | None = None
        self._gone = self._begun = False
        self._cancelled = False
        self._pieces: list[tuple[int, bytes | memoryview]] = []
        self._pauses = 0
        self._raised: BaseException | None = None  # by on_output

    # -- the first task ------------------------------------------------------------------------------------------------

    def main(self) -> int:
        """Have a process run the script, and serve it meanwhile."""
        hub = self.hub
        self._main = task = hub.current
        assert task is not None
        hub.calls += 1  # what happens next, happens elsewhere
        try:
            for attempt in range(_ATTEMPTS):
                if attempt:
                    self._forsake()
                self._start(self._borrowed())
                while self._result is None and not self._gone:
                    hub.suspend()
                if self._begun or self._cancelled or not self._gone:
                    break
            self._await_status()
        finally:
            hub.calls -= 1
        for other in list(self._tasks.values()):
            hub.throw(other, Killed(_TERMINATED, whole=True))
        return 0

    def _forsake(self) -> None:
        """Let go of a process that ended before it began with the script, as one does that ended while it waited for one."""
        worker = self._worker
        assert worker is not None
        self._worker = self._link = None
        self._gone = False
        pool.discard(worker)

    def _await_status(self) -> None:
        """Learn what ended a process that is gone."""
        worker = self._worker
        patience = time.monotonic() + _GRACE
        while worker is not None and self._gone and not worker.ended.is_set() and time.monotonic() < patience:
            self.hub.sleep(_SOON)

    def _borrowed(self) -> Worker:
        """A process, once one is free; the time limit waits, too."""
        task = self._main
        assert task is not None
        woken = False

        def wake() -> None:
            nonlocal woken
            woken = True
            self.hub.post(lambda: self.hub.wake(task))

        with self.budget.pause():
            worker = pool.borrow(self.session.rules, self.session.key, wake)
            while worker is None:
                try:
                    while not woken:
                        self.hub.suspend()
                except BaseException:
                    pool.forgo(wake)
                    raise
                woken = False
                worker = pool.borrow(self.session.rules, self.session.key, wake, again=True)
        return worker

    def _start(self, worker: Worker) -> None:
        limits = self.session.limits
        self._worker = worker
        self._link = Link(worker.channel, self.hub)
        self.files = RemoteFiles(self._link)
        settings, contents = self.session.settings(worker)
        script, stdin = self.script.encode("utf-8", "surrogatepass"), self._stdin
        settings |= {
            "script": len(script),
            "stdin": None if stdin is None else len(stdin),
            "supplied": self._supply is not None,
            "invoked": self._invoked,
            "journal": worker.journal.begin(limits.max_output_bytes),
            "streaming": self.on_output is not None,
            "keep": self.session.keep or self.session.shares,
        }
        worker.holds = None  # until the script has ended well
        worker.attendant = worker.attendant or Companions(worker)
        worker.listener = self._listen
        now = time.monotonic()
        self._calls.deadline = now + limits.timeout
        self.budget.deadline = now + limits.timeout + _GRACE + (0 if worker.begun else _STARTING)
        worker.channel.send("job", settings, data=[script, stdin or b"", *contents])
        if worker.gone:  # before there was a listener to be told
            self._lose(worker)

    # -- what the process says -----------------------------------------------------------------------------------------

    def _listen(self, frame: Frame | None) -> None:
        """Comes from the thread that listens to the process."""
        link, worker = self._link, self._worker
        if link is None or worker is None:
            return  # the execution is over
        if frame is None:
            link.close()
            self.hub.post(partial(self._lose, worker))
        elif frame.kind == "answer":
            link.arrived(frame)
        elif frame.kind == "clock":
            worker.channel.send("value", frame.fields[0], None, self.session.clock())
        elif frame.kind == "result":
            self.hub.post(partial(self._end_with, frame, self._arrival(frame)))
        else:
            self.hub.post(partial(self._take, frame))

    def _arrival(self, frame: Frame) -> Arrival | None:
        """What the script has left, looked through where it holds nobody up; None if it is nonsense."""
        try:
            return self.session.arrival(frame)
        except Exception as wrong:
            log_failure("a sandbox process", wrong)
            return None

    def _end_with(self, frame: Frame, arrival: Arrival | None) -> None:
        """Runs between two tasks of the hub."""
        if self._worker is None or self._result is not None:
            return
        self._result, self._arrived = frame, arrival
        assert self._main is not None
        self.hub.wake(self._main)

    def _lose(self, worker: Worker) -> None:
        if worker is not self._worker:
            return  # another has taken its place
        self._gone = True
        if self._main is not None:
            self.hub.wake(self._main)

    def _take(self, frame: Frame) -> None:
        """Runs between two tasks of the hub."""
        take: Callable[[Frame], None] | None = getattr(self, f"_take_{frame.kind}", None)
        worker = self._worker
        if take is None or worker is None or self._result is not None:
            return
        try:
            take(frame)
        except BashkitError:
            raise
        except Exception as error:  # what the process has sent is nonsense
            log_failure("a sandbox process", error)
            worker.kill()

    def _take_begun(self, _: Frame) -> None:
        worker = self._worker
        self._begun = True
        if worker is not None and not worker.begun:
            worker.begun = True
            if not self._pauses:
                self.budget.deadline = time.monotonic() + self.session.limits.timeout + _GRACE

    def _take_news(self, frame: Frame) -> None:
        if self.on_output is not None:
            self._flush(int(frame.fields[0]))

    def _take_call(self, frame: Frame) -> None:
        worker, link = self._worker, self._link
        assert worker is not None
        assert link is not None
        call = CommandOfHost(frame, link, worker.channel)
        command = _known(self.session.command(call.key), "a command")

        def run() -> int:
            try:
                return call.run(command, self.session.system, self._calls)
            finally:
                self._tasks.pop(call.number, None)

        self._tasks[call.number] = self.hub.spawn(run)

    def _take_gone(self, frame: Frame) -> None:
        task = self._tasks.pop(frame.fields[0], None)
        if task is not None:
            self.hub.throw(task, Killed(_TERMINATED, whole=True))

    def _take_lazy(self, frame: Frame) -> None:
        number, which = frame.fields
        source = _known(self.session.producer(which), "a file")
        self._serve(number, lambda: (None, produced(self.session.system.produce, source)))

    def _take_input(self, frame: Frame) -> None:
        supply = _known(self._supply, "input")
        self._serve(frame.fields[0], lambda: (None, produced(self.session.system.produce, supply)))

    def _take_observe(self, frame: Frame) -> None:
        number, name, given = frame.fields
        command = self.session.command(name)
        observer = _known(None if command is None else command.observer, "an observer")
        words = [str(word) for word in given]
        self._serve(number, lambda: (observer(words, lambda: bytes(frame.data)) if observer.wants(words) else "", b""))

    def _take_suggest(self, frame: Frame) -> None:
        number, name = frame.fields
        suggestions = self.session.suggestions
        find = _known(suggestions if callable(suggestions) else None, "suggestions")
        self._serve(number, lambda: (self.session.system.call(lambda: find(str(name))), b""))

    def _take_fetch(self, frame: Frame) -> None:
        from dataclasses import replace

        from bashkit.network.client import HttpError
        from bashkit.network.wire import pack_error, pack_response, unpack_request

        number, fields = frame.fields
        system = self.session.system
        policy = _known(system.network, "a network")
        request = replace(unpack_request(fields, bytes(frame.data)), kept=kept_elsewhere)

        def fetch() -> tuple[Any, bytes]:
            try:
                send: Callable[[], Any] = partial(system.fetch, policy, request)
                response = system.call(send, inline=True)
            except HttpError as error:
                return [True, pack_error(error)], b""
            value, data = pack_response(response)
            return [False, value], data

        self._serve(number, fetch, several=True)

    def _serve(self, number: int, work: Callable[[], tuple[Any, bytes]], *, several: bool = False) -> None:
        """Answer a question of the process in a task of its own.

        Args:
            number: The number of the question.
            work: Gives a value and raw bytes.
            several: The value is a list of values.
        """
        worker = self._worker
        assert worker is not None

        def run() -> int:
            try:
                value, data = work()
            except OSError as error:
                worker.channel.send("value", number, error.errno or errno.EIO)
            else:
                worker.channel.send("value", number, None, *(value if several else [value]), data=data)
            return 0

        self.hub.spawn(run)

    # -- what the host says --------------------------------------------------------------------------------------------

    def tell_pause(self, *, on: bool) -> None:
        """The time limit stands still, or goes on."""
        before = self._pauses
        self._pauses += 1 if on else -1
        if bool(before) != bool(self._pauses) and self._worker is not None:
            self._worker.channel.send("pause", on)

    def cancel(self) -> None:
        """End the script from any thread: the process is asked to, and killed when it does not."""
        self.hub.post(self._cancel)

    def _cancel(self) -> None:
        if self._worker is None or self._cancelled:
            self.hub.cancel()
            return
        self._cancelled = True
        self.budget.deadline = min(self.budget.deadline, time.monotonic() + _GRACE)
        self._worker.channel.send("cancel")

    # -- the end -------------------------------------------------------------------------------------------------------

    def finish(self, status: int, error: str | None = None) -> ExecResult:  # noqa: ARG002 - as Execution
        """The result of a script that ended, however it did.

        Raises:
            Exception: What ``on_output`` has raised.
        """
        result = self._finished()
        if self._raised is not None:
            raise self._raised
        return result

    def _finished(self) -> ExecResult:
        worker, frame, arrival = self._worker, self._result, self._arrived
        if frame is None:
            assert worker is not None
            reason = worker.epitaph()
            return self._ended(reason if not self._cancelled else "cancelled")
        if arrival is None:
            return self._ended("crash")
        try:
            result = self._read(frame.fields[0], arrival)
        except Exception as wrong:
            log_failure("a sandbox process", wrong)
            return self._ended("crash")
        assert worker is not None
        worker.listener = None
        self._worker = None  # before it is another's: an interrupt makes this execution discard the one that it has
        if frame.fields[0].get("worn") or self._raised is not None:  # then it is being killed
            pool.discard(worker)
        else:
            pool.give_back(worker)
        return result

    def _read(self, answer: Any, arrival: Arrival) -> ExecResult:
        """The result that the process has sent.

        Raises:
            Exception: It is nonsense.
        """
        worker = self._worker
        assert worker is not None
        status, error = int(answer["status"]) & 0xFF, answer["error"]
        if error is not None and error not in _ERRORS and not str(error).startswith("limit:"):
            raise ValueError("a sandbox process has sent an unknown error")
        self.session.take(arrival, worker)
        self.session.left = _left(answer["left"])
        if answer["failure"]:
            logging.getLogger("bashkit").error("%s failed", answer["failure"])
        self._flush()
        return self._output(status, error)

    def _flush(self, end: int | None = None) -> None:
        """Take what is new in the journal, up to a place or to its end, and pass it on."""
        worker = self._worker
        if worker is None:
            return
        pieces = worker.journal.take(end)
        self._pieces += pieces
        if self.on_output is not None:
            for out, err in self._chunks.of(((int(stream == STDERR), data) for stream, data in pieces), last=end is None):
                self._tell(out, err)

    def _tell(self, out: str, err: str) -> None:
        """Pass output on; what the host's function raises ends the execution."""
        if self.on_output is None or self._raised is not None:
            return
        try:
            self.on_output(out, err)
        except BaseException as error:
            self._raised = error
            if self._worker is not None:
                self._worker.kill()

    def _output(self, status: int, error: str | None) -> ExecResult:
        out, err = (joined([data for stream, data in self._pieces if (stream == STDERR) is wanted]) for wanted in (False, True))
        return ExecResult(out, err, status, error)

    def fail(self, error: BaseException) -> ExecResult:
        """The result of a script that the host ends; output so far is kept.

        Raises:
            BaseException: What is not the script's: a cancellation, an interrupt of the host, what ``on_output`` has raised.
        """
        if self._raised is not None:
            error = self._raised
        elif isinstance(error, LimitExceededError):
            return self._ended("cancelled" if self._cancelled else error.name, str(error))
        self._drop()
        if self._raised is not None or not isinstance(error, Exception):
            try:
                raise error
            finally:
                self._raised = None
                del error  # which knows this frame, which knows it
        if isinstance(error, BashkitError):
            return self._say(str(error), 1, "internal")
        if is_shortage(error):
            return self._say(NO_THREAD, 1, "internal")
        log_failure(f"the interpreter, running {self.script[:500]!r},", error)
        return self._say(f"internal error: {type(error).__name__}", 1, "internal")

    def _ended(self, name: str, message: str = "") -> ExecResult:
        """The result of a script whose process is ended, or has ended by itself, for the reason called ``name``."""
        self._drop()
        limits = self.session.limits
        text = {
            "crash": "the sandbox process crashed",
            "cancelled": "cancelled",
            "timeout": f"time limit of {limits.timeout:g} seconds exceeded",
            "max_memory_bytes": f"limit exceeded: max_memory_bytes ({limits.max_memory_bytes})",
        }.get(name, message)
        return self._say(text, STATUSES.get(name, 1), name if name == "crash" else category(name))

    def _say(self, text: str, status: int, error: str) -> ExecResult:
        line = f"bash: {text}\n"
        written = b"".join(data for stream, data in self._pieces[-2:] if stream == STDERR)
        if written.endswith(line.encode()):  # the process has said so itself, too late
            return self._output(status, error)
        self._pieces.append((STDERR, line.encode()))
        self._tell("", line)
        return self._output(status, error)

    def _drop(self) -> None:
        """End the process; what it has written is kept."""
        worker = self._worker
        if worker is None:
            return
        worker.kill()
        self._flush()
        self._worker = None
        pool.discard(worker)


def _known(found: T | None, what: str) -> T:
    """What a process has asked for.

    Raises:
        ValueError: There is no such thing.
    """
    if found is None:
        raise ValueError(f"a sandbox process has asked for {what}, which the session does not have")
    return found


def _left(value: Any) -> tuple[int, int] | None:
    """The command for which errexit ended the script, as the process tells it."""
    if value is None:
        return None
    line, status, named = value
    if named is None:
        return int(line), int(status)
    words, place = named
    return int(line), CommandStatus.of(int(status), [str(word) for word in words], int(place))

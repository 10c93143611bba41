"""One job of a sandbox process: a script in a session, whose commands may be the host's."""

from __future__ import annotations

import threading
import traceback
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.bash.execution import Execution, Invoked
from bashkit.bash.result import ExecResult
from bashkit.interp.runtime.control import CommandStatus
from bashkit.sandbox.journal import STDERR, STDOUT, JournalStream
from bashkit.worker.files import answer
from bashkit.worker.hostcommand import HostCall
from bashkit.worker.state import HeldSession

if TYPE_CHECKING:
    from bashkit.bash.execution import Input
    from bashkit.bash.session import Session
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.sandbox.channel import Frame
    from bashkit.worker.serving import Server


class JournaledExecution(Execution):
    """An execution whose output goes into the journal.

    Args:
        session: What it works on.
        script: As for ``bash -c``.
        stdin: Its standard input.
        server: Where the journal is.
        streaming: Whether the host wants to be told of output while the script runs.
        invoked: As for Execution.
    """

    def __init__(
        self, session: Session, script: str, stdin: Input, server: Server, *, streaming: bool, invoked: Invoked | None
    ) -> None:
        self._server = server
        self._told = server.journal.end
        self.failure = ""
        super().__init__(session, script, stdin, self._tell if streaming else None, invoked)

    def _outputs(self) -> tuple[JournalStream, JournalStream]:
        journal = self._server.journal
        return JournalStream(journal, STDOUT, self.budget), JournalStream(journal, STDERR, self.budget)

    def _tell(self, *_: str) -> None:
        """Nothing: what is new is in the journal."""

    def _flush(self, *, last: bool = False) -> None:  # noqa: ARG002 - the journal has an end of its own
        end = self._server.journal.end
        if end != self._told:
            self._told = end
            self._server.channel.send("news", end)

    def _result(self, status: int, error: str | None) -> ExecResult:
        return ExecResult("", "", status, error)

    def _log(self, what: str, error: BaseException) -> None:
        self.failure = what + "\n" + "".join(traceback.format_exception(error))


@dataclass(slots=True)
class Job:
    """See the module.

    Attributes:
        server: The process that runs it.
        settings: What the host wants.
        sent: The bytes that came with it.
        execution: The execution of the script, once it has begun.
        calls: The commands of the host that are running, by number.
        pauses: The time limit stands still while this is not closed.
        called: How many commands of the host the script has run.
    """

    server: Server
    settings: dict[str, Any]
    sent: memoryview
    execution: JournaledExecution | None = None
    calls: dict[int, HostCall] = field(default_factory=dict)
    pauses: ExitStack = field(default_factory=ExitStack)
    called: int = 0
    _early: list[Frame] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> None:
        """Run the script and send the result."""
        settings, server = self.settings, self.server
        server.journal.begin(settings["journal"])
        sent, self.sent = self.sent, memoryview(b"")  # let go of what the session does not keep
        length = settings["script"]
        script = str(sent[:length], "utf-8", "surrogatepass")
        held = HeldSession.of(server, settings, sent[length:])
        del sent
        server.channel.send("begun")
        stdin: Input = (lambda: bytes(server.ask("input").data)) if settings["supplied"] else held.stdin
        streaming = settings["streaming"]
        invoked = None if settings["invoked"] is None else Invoked(*settings["invoked"])
        held.session.begin()
        execution = JournaledExecution(held.session, script, stdin, server, streaming=streaming, invoked=invoked)
        with self._lock:
            self.execution = execution
        for frame in self._early:
            self.take(frame)
        try:
            result = execution.finish(execution.hub.run_sync(execution.main))
        except BaseException as error:
            result = execution.fail(error)
        finally:
            held.session.end()
        answer: dict[str, Any] = {
            "status": result.exit_code,
            "error": result.error,
            "left": _left(held.session.left),
            "failure": execution.failure,
            "worn": server.worn,
        }
        data = held.save(answer) if settings["keep"] else []
        if not settings["keep"]:
            server.held = None
        server.channel.send("result", answer, data=data)

    # -- the host's commands -------------------------------------------------------------------------------------------

    def call(self, key: str, process: Process, _: Arguments) -> int:
        """Run a command of the host for a shell here."""
        assert self.execution is not None
        self.called += 1
        number = self.called
        call = HostCall(self.server.channel, self.execution.hub, number, process)
        self.calls[number] = call
        try:
            return call.run(key)
        finally:
            del self.calls[number]

    def take(self, frame: Frame) -> None:
        """What the host says meanwhile; comes from the listening thread."""
        with self._lock:
            execution = self.execution
            if execution is None:
                self._early.append(frame)
                return
        hub = execution.hub
        if frame.kind == "cancel":
            hub.cancel()
        elif frame.kind == "pause":
            hub.post(self._pause if frame.fields[0] else self.pauses.close)
        elif frame.kind == "fs":
            hub.post(lambda: answer(self.server.channel, execution.session.files, frame))
        else:
            hub.post(lambda: self._deliver(frame))

    def _pause(self) -> None:
        assert self.execution is not None
        self.pauses.enter_context(self.execution.budget.pause())

    def _deliver(self, frame: Frame) -> None:
        call = self.calls.get(frame.fields[0])
        if call is not None:
            call.deliver(frame)


def _left(left: tuple[int, int] | None) -> list[Any] | None:
    """The command for which errexit ended the script, for JSON."""
    if left is None:
        return None
    line, status = left
    named = [status.words, status.line] if isinstance(status, CommandStatus) else None
    return [line, int(status), named]

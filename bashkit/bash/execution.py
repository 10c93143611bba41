"""One execution of a script in a session."""

from __future__ import annotations

import codecs
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from bashkit.bash.result import ExecResult
from bashkit.errors import LimitExceededError
from bashkit.fs import BytesStream, SuppliedStream
from bashkit.fs.memory import produced
from bashkit.fs.stream import NullSource
from bashkit.interp.run.child import rename
from bashkit.interp.run.remembering import finish_history
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import run_subshell
from bashkit.interp.runtime.capture import Capture
from bashkit.interp.runtime.control import Killed
from bashkit.interp.runtime.hub import Hub
from bashkit.interp.runtime.workers import is_shortage
from bashkit.interp.utility.custom import log_failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bashkit.bash.session import Session
    from bashkit.fs import Stream
    from bashkit.interp.state.shell import Shell
    from bashkit.sandbox.journal import JournalStream

    Output = Callable[[str, str], None]
    Input = str | bytes | Callable[[], bytes] | None

NO_THREAD = "the host can start no further thread"
STATUSES = {"timeout": 124, "cancelled": 130}


class Invoked(NamedTuple):
    """How a script was called.

    Attributes:
        words: ``$0``, ``$1`` and so on.
        from_file: It is the text of the file ``$0``, not of ``bash -c``.
    """

    words: Sequence[str]
    from_file: bool = False


class Execution:
    """One call of ``execute``: its budget, scheduler and output.

    Args:
        session: What it works on.
        script: As for ``bash -c``.
        stdin: Its standard input, or what gives it piece by piece; empty when left out.
        on_output: Called with (stdout, stderr) chunks while the script runs.
        invoked: How it was called; as the shell's last one when left out.
    """

    def __init__(
        self, session: Session, script: str, stdin: Input, on_output: Output | None, invoked: Invoked | None = None
    ) -> None:
        self.session = session
        self.script = script.replace("\0", "")  # NULs are no part of a script: bash reads over them
        self.budget = session.budget()
        self.hub = Hub(self.budget)
        self.on_output = on_output
        self.stdout, self.stderr = self._outputs()
        if on_output is not None:
            self.chunks = Chunks()
            self.stdout.written = self.stderr.written = self._flush
        source = self._input(stdin)
        session.system.hub = self.hub
        machine = session.machine(self.budget, self.hub)
        self.shell = machine.main = session.prepare_shell(machine, {0: source, 1: self.stdout, 2: self.stderr})
        self.shell.fed = source if isinstance(stdin, (str, bytes)) else None
        if invoked is not None:
            rename(self.shell, invoked.words[0])
            self.shell.positional = list(invoked.words[1:])
            file = invoked.words[0] if invoked.from_file else ""
            self.shell.invocation = replace(self.shell.invocation, file=file, command_string=not file)

    def _input(self, stdin: Input) -> Stream:
        if callable(stdin):
            return SuppliedStream(partial(produced, self.session.system.produce, stdin))
        if stdin is None:
            return NullSource()
        return BytesStream(stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin)

    def _outputs(self) -> tuple[Capture | JournalStream, Capture | JournalStream]:
        """What standard output and error are."""
        ordered = self.on_output is not None
        return Capture(self.budget, ordered=ordered), Capture(self.budget, ordered=ordered)

    def main(self) -> int:
        """The first task: the script itself."""

        def run(shell: Shell) -> int:
            shell.machine.script = self.script
            return run_text(shell, self.script, label="" if shell.invocation.file else "-c", main=True)

        status = run_subshell(self.shell, run)
        finish_history(self.shell)
        return status

    def _flush(self, *, last: bool = False) -> None:
        on_output = self.on_output
        assert on_output is not None
        assert isinstance(self.stdout, Capture)
        assert isinstance(self.stderr, Capture)
        for out, err in self.chunks.of(_interleaved(self.stdout, self.stderr), last=last):
            self.hub.slices.spare(partial(on_output, out, err))

    def finish(self, status: int, error: str | None = None) -> ExecResult:
        """The result of a script that ended."""
        if self.on_output is not None:
            self._flush(last=True)
            self.stdout.written = self.stderr.written = None  # they know this execution, which knows them
        self.session.left = self.shell.machine.left
        if error is None and self.shell.machine.syntax_error:
            error = "parse"
        return self._result(status & 0xFF, error)

    def _result(self, status: int, error: str | None) -> ExecResult:
        return ExecResult(_text(self.stdout), _text(self.stderr), status, error)

    def fail(self, error: BaseException) -> ExecResult:
        """The result of a script that was ended; output so far is kept.

        Raises:
            BaseException: What is not the script's: a cancellation, an interrupt of the host.
        """
        if isinstance(error, LimitExceededError):
            return self._ended(STATUSES.get(error.name, 1), str(error), error.name)
        if isinstance(error, Killed):
            return self.finish(128 + error.signal)
        if isinstance(error, (MemoryError, RecursionError)):
            deep = isinstance(error, RecursionError)
            return self._ended(
                1, "nesting too deep" if deep else "out of memory", "max_function_depth" if deep else "max_memory_bytes"
            )
        if not isinstance(error, Exception):
            try:
                raise error
            finally:
                del error  # which knows this frame, which knows it
        if is_shortage(error):
            self._append(f"bash: {NO_THREAD}\n")
            return self.finish(1, "internal")
        self._append(f"bash: internal error: {type(error).__name__}\n")
        result = self.finish(1, "internal")
        self._log(f"the interpreter, running {self.script[:500]!r},", error)
        return result

    _log = staticmethod(log_failure)

    def _ended(self, status: int, message: str, name: str) -> ExecResult:
        self._append(f"bash: {message}\n")
        return self.finish(status, category(name))

    def _append(self, text: str) -> None:
        self.budget.output = max(self.budget.output, len(text))
        self.stderr.write(text.encode())


def _interleaved(stdout: Capture, stderr: Capture) -> Iterator[tuple[int, bytes]]:
    """What both streams got since the last time, in the order it was written."""
    pieces = sorted([*((place, 0, data) for place, data in stdout.take()), *((place, 1, data) for place, data in stderr.take())])
    return ((stream, data) for _, stream, data in pieces)


def joined(pieces: list[bytes | memoryview]) -> str:
    """Pieces of output as a text."""
    return str(pieces[0] if len(pieces) == 1 else b"".join(pieces), "utf-8", "surrogateescape")


class Chunks:
    """Makes of output what ``on_output`` gets: texts, in which a character is whole whose bytes were written one by one."""

    __slots__ = ("_decoders",)

    def __init__(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = (decoder("surrogateescape"), decoder("surrogateescape"))

    def of(self, pieces: Iterable[tuple[int, bytes | memoryview]], *, last: bool = False) -> list[tuple[str, str]]:
        """Chunks of (stdout, stderr) for pieces of output.

        Args:
            pieces: Each with 0 for standard output or 1 for standard error.
            last: No more will follow.
        """
        groups = [(stream, b"".join(data for _, data in group)) for stream, group in groupby(pieces, key=itemgetter(0))]
        texts = [(stream, self._decoders[stream].decode(data)) for stream, data in groups]
        if last:
            texts += [(stream, decoder.decode(b"", final=True)) for stream, decoder in enumerate(self._decoders)]
        return [("", text) if stream else (text, "") for stream, text in texts if text]


def category(name: str) -> str:
    """The ``error`` of a result that a limit has ended."""
    return name if name in STATUSES else f"limit:{name}"


def _text(stream: Stream) -> str:
    assert isinstance(stream, Capture)
    return stream.value().decode("utf-8", "surrogateescape")

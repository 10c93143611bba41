"""What a process of a batch does: it loads the toolset once and runs one script after the other, each in a shell of its own."""

from __future__ import annotations

import signal
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from bashkit.batch.rows import Row
from bashkit.errors import BashkitError, RecordingError
from bashkit.limits import DEFAULT_LIMITS
from bashkit.tools import json_text
from bashkit.tools.define.result import to_bytes
from bashkit.toolset import in_mode, recorded
from bashkit.toolset.loading import open_toolset
from bashkit.toolset.stubs import Stubs
from bashkit.toolset.testing.recording import Recording

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

    from bashkit.bash import Bash
    from bashkit.bash.bash import Isolation
    from bashkit.tools import ScriptedTool
    from bashkit.tools.call.policy import Policy
    from bashkit.tools.call.trace import ToolCall

FAILED = b"!"  # what a message begins with that is no result
_GRACE = 5.0  # seconds beyond its time limit after which a script is ended with its process


@dataclass(frozen=True, slots=True)
class Setting:
    """What all scripts of a batch have in common.

    Attributes:
        toolset: The toolset file, or a directory of executables.
        stub: A tool's stub stands in for its callback where it has one.
        record: A file to which the result of every call is appended, or None.
        replay: A file with the results of calls: no callback runs; or None.
        isolation: Where scripts run; as the toolset says if None.
        policy: Decides about calls; as the toolset says if None.
        profile: The profile of the toolset, or "".
    """

    toolset: Path
    stub: bool = False
    record: Path | None = None
    replay: Path | None = None
    isolation: Isolation | None = None
    policy: Policy | None = None
    profile: str = ""


class Runner:
    """Runs rows.

    Args:
        setting: What they have in common.

    Raises:
        ToolsetError: The toolset has mistakes.
        RecordingError: The recording cannot be used.
    """

    def __init__(self, setting: Setting) -> None:
        self._row: Row | None = None
        self._unrecorded: RecordingError | None = None
        self._recording = None if setting.replay is None else Recording.read(setting.replay)
        toolset = open_toolset(setting.toolset, profile=setting.profile)
        if self._recording is not None:
            toolset = replace(toolset, wrap=self._recording.wrap)
        elif setting.record is not None:
            toolset = recorded(toolset, setting.record)
        elif setting.stub:
            toolset = in_mode(toolset, "stub")
        self._toolset = toolset
        own = {"isolation": setting.isolation, "policy": setting.policy, "on_error": self._noticed}
        self._options = {name: value for name, value in own.items() if value is not None}
        self._stateful = any(isinstance(item.callback, Stubs) for item in toolset.entries())
        self._tool = self._made()

    def run(self, row: Row) -> dict[str, Any]:
        """Run a row, whose result does not depend on those before it; returns that as JSON-like data.

        Raises:
            RecordingError: A call could not be recorded.
        """
        self._row = row
        if self._stateful:
            self._tool = self._made()
        if self._recording is not None:
            self._recording.rewind()
        head = {"row": row.number, "id": row.id}
        try:
            response = self._tool.execute_with_status_sync(row.script, None, stdin=row.stdin or None)
        except BashkitError as error:  # of its files and variables
            return {**head, "stdout": "", "stderr": f"{error}\n", "exit_code": 2, "error": "row", "calls": []}
        if self._unrecorded is not None:
            raise self._unrecorded
        calls = [
            {"tool": call.tool, "arguments": call.arguments, "exit_code": call.exit_code, "error": call.error}
            for call in response.trace
        ]
        return {**head, **response.to_dict(), "calls": calls}

    def run_alone(self, row: Row) -> dict[str, Any]:
        """The same where a process has nothing else to do: SIGALRM ends it when a script does not keep to its time limit, as
        where a callback is in a library that lets no Python run.
        """
        signal.setitimer(signal.ITIMER_REAL, (self._tool.limits or DEFAULT_LIMITS).timeout + _GRACE)
        try:
            return self.run(row)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def close(self) -> None:
        """Stop what the toolset keeps open."""
        self._toolset.close()

    def _made(self) -> ScriptedTool:
        return self._toolset.make_tool(persistent=False, on_shell=self._prepare, **self._options)

    def _noticed(self, _: ToolCall, error: BaseException) -> None:
        """Keep what says that a call could not be recorded."""
        if isinstance(error, RecordingError):
            self._unrecorded = error

    def _prepare(self, bash: Bash) -> None:
        """Put what the row has into its shell."""
        assert self._row is not None
        bash.write_files(self._row.files)
        for name, text in self._row.env.items():
            bash.set_env(name, text)


def work(connection: Connection, setting: Setting) -> None:
    """Run rows that come as JSON until there are no more; answer each with its result.

    Args:
        connection: Where they come from. Only bytes are sent: what a script makes is never unpickled.
        setting: What they have in common.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    runner = Runner(setting)
    try:
        while True:
            row = Row(**json_text.decode(connection.recv_bytes().decode("utf-8", "surrogatepass")))
            connection.send_bytes(to_bytes(json_text.encode(runner.run_alone(row))))
    except RecordingError as error:
        connection.send_bytes(FAILED + to_bytes(str(error)))
    except (EOFError, OSError):
        pass  # the parent has no more rows, or is gone
    finally:
        runner.close()


def packed(row: Row) -> bytes:
    """A row as ``work`` takes it."""
    return json_text.encode(asdict(row)).encode("utf-8", "surrogatepass")

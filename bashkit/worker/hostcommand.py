"""A command of the host on its way from a shell in a sandbox process to the host and back."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any

from bashkit.errors import LimitExceededError
from bashkit.fs import BytesStream
from bashkit.interp.run.nested import NestedScript, NestingError
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.runtime.control import CommandStatus, SigPipe

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.utility.process import Process
    from bashkit.sandbox.channel import Channel, Frame


class HostCall:
    """One call. The host asks for what the command needs of the process; each question is answered in the task of the command.

    Args:
        channel: The way to the host.
        hub: The scheduler of the script.
        number: The number of the call.
        process: What the command sees of the world.
    """

    def __init__(self, channel: Channel, hub: Hub, number: int, process: Process) -> None:
        self._channel = channel
        self._hub = hub
        self._number = number
        self._process = process
        self._task = hub.current
        self._inbox: deque[Frame] = deque()

    def deliver(self, frame: Frame) -> None:
        """Something that the host says of this call."""
        self._inbox.append(frame)
        if self._task is not None:
            self._hub.wake(self._task)

    def run(self, key: str) -> int:
        """Have the command run; returns its status.

        Raises:
            SigPipe: The reader of its output is gone.
            LimitExceededError: The host says so.
        """
        process, hub = self._process, self._hub
        deadline = process.system.deadline
        place = {
            "cwd": process.cwd,
            "umask": process.umask,
            "line": process.line,
            "column": process.column,
            "piped": process.piped,
            "pipeline": process.pipeline,
            "within": process.within,
            "deadline": None if deadline == math.inf else deadline,
            "descriptors": list(process.descriptors),
            "shown": [number for number, stream in process.descriptors.items() if stream.shown],
        }
        done = False
        hub.calls += 1  # time stands still, and nothing is a deadlock, while the host is at work
        try:
            self._channel.send("call", self._number, key, process.name, process.argv, place)
            while True:
                while not self._inbox:
                    hub.suspend()
                frame = self._inbox.popleft()
                if frame.kind == "done":
                    done = True
                    return self._finish(frame)
                hub.calls -= 1
                try:
                    self._answer(frame)
                finally:
                    hub.calls += 1
        finally:
            hub.calls -= 1
            if not done:
                self._channel.send("gone", self._number)

    def _finish(self, frame: Frame) -> int:
        """Write what the command has written last, and give its status."""
        _, status, words, line, pieces, failure = frame.fields
        place = 0
        for descriptor, length in pieces:
            self._stream(descriptor).write(bytes(frame.data[place : place + length]))
            place += length
        if failure == "pipe":
            raise SigPipe
        if failure is not None:
            raise LimitExceededError(*failure)
        return status if words is None else CommandStatus.of(status, words, line)

    def _stream(self, number: int) -> Stream:
        return self._process.descriptors[number]

    def _answer(self, frame: Frame) -> None:
        _, question, what, *fields = frame.fields
        try:
            value, data = getattr(self, f"_do_{what}")(bytes(frame.data), *fields)
        except NestingError as error:
            self._channel.send("answer", question, ["nesting", str(error)])
        except TimeoutError:
            self._channel.send("answer", question, ["timeout"])
        except SigPipe:
            self._channel.send("answer", question, ["pipe"])
        except OSError as error:
            self._channel.send("answer", question, ["os", error.errno, error.filename])
        else:
            self._channel.send("answer", question, None, value, data=data)

    # -- questions -----------------------------------------------------------------------------------------------------

    def _do_read(self, _: bytes, number: int, size: int) -> tuple[None, bytes]:
        return None, self._stream(number).read(size)

    def _do_give_back(self, data: bytes, number: int) -> tuple[None, bytes]:
        self._stream(number).give_back(data)
        return None, b""

    def _do_write(self, data: bytes, number: int) -> tuple[None, bytes]:
        self._stream(number).write(data)
        return None, b""

    def _do_env(self, _: bytes) -> tuple[dict[str, str], bytes]:
        return dict(self._process.env), b""

    def _do_sleep(self, _: bytes, seconds: float) -> tuple[None, bytes]:
        self._process.system.sleep(seconds)
        return None, b""

    def _do_obstacle(self, _: bytes, name: str, env: dict[str, str] | None) -> tuple[int, bytes]:
        return self._process.launcher.obstacle(name, env), b""

    def _do_alive(self, _: bytes, pid: int) -> tuple[bool, bytes]:
        return self._process.launcher.alive(pid), b""

    def _do_ignored(self, _: bytes) -> tuple[list[str], bytes]:
        return sorted(self._process.launcher.ignored()), b""

    def _do_signal(self, _: bytes, pid: int, name: str) -> tuple[bool, bytes]:
        return self._process.launcher.signal(pid, name), b""

    def _do_jobs(self, _: bytes) -> tuple[list[tuple[int, str]], bytes]:
        return self._process.launcher.jobs(), b""

    def _do_script(self, stdin: bytes, fields: dict[str, Any], timeout: float | None, column: int) -> tuple[list[int], bytes]:
        fields["arguments"] = tuple(fields["arguments"])
        script = NestedScript(stdin=stdin, **fields)
        outcome = self._process.launcher.run_script(script, timeout, column=column)
        return [outcome.status, len(outcome.stdout)], outcome.stdout + outcome.stderr

    def _do_run(self, stdin: bytes, argv: list[str], options: dict[str, Any]) -> tuple[list[int], bytes]:
        """Run another command; its output goes where the caller's goes, or back to the host."""
        captured = {name: Substitution(self._process.budget) for name in options.pop("capture")}
        streams: dict[str, Any] = dict(captured)
        if options.pop("feed"):
            streams["stdin"] = BytesStream(stdin)
        if options.get("ignored") is not None:
            options["ignored"] = frozenset(options["ignored"])
        status = self._process.launcher.run(argv, **options, **streams)
        out, err = (captured[name].value() if name in captured else b"" for name in ("stdout", "stderr"))
        return [status, len(out)], out + err

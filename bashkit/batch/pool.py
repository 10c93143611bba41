"""The processes of a batch: each has a few rows at a time, and is started again when it dies."""

from __future__ import annotations

import os
import signal
from collections import deque
from multiprocessing import get_context
from multiprocessing.connection import wait
from socket import SO_SNDBUF, SOL_SOCKET, socket
from typing import TYPE_CHECKING, NamedTuple

from bashkit.batch.work import FAILED, packed, work
from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.batch.rows import Row
    from bashkit.batch.work import Setting

_AHEAD = 4  # rows that a process has at a time, so that it does not wait for the next one
_SHARE = 4  # of the room of a pipe, the part that these rows take if there are several: what is kept beside them takes room, too
_DEATHS = 2  # as often as a process may die at the same row


class _Given(NamedTuple):
    """A row as a process is given it.

    Attributes:
        number: Its number.
        id: Its id.
        data: The row as ``work`` takes it.
    """

    number: int
    id: str | int
    data: bytes


class _Process:
    """One process and the rows that it has, the one that runs first.

    Args:
        setting: What all rows have in common.
    """

    def __init__(self, setting: Setting) -> None:
        context = get_context("spawn")  # nothing of this process is in it
        self.connection, theirs = context.Pipe()
        self.rows: deque[_Given] = deque()
        self._size = 0  # bytes of these rows
        with socket(fileno=os.dup(self.connection.fileno())) as pipe:
            self._room = pipe.getsockopt(SOL_SOCKET, SO_SNDBUF) // _SHARE
        self._process = context.Process(target=work, args=(theirs, setting), daemon=True)
        self._process.start()
        theirs.close()

    def has_room(self, row: _Given) -> bool:
        """Whether it can be given one more row: a large one only when it waits for that. While it writes a large result, it
        reads nothing, and who writes a large row then does not read the result.
        """
        return not self.rows or (len(self.rows) < _AHEAD and self._size + len(row.data) <= self._room)

    def give(self, row: _Given) -> None:
        """Give it one more row."""
        self.rows.append(row)
        self._size += len(row.data)
        try:
            self.connection.send_bytes(row.data)
        except OSError:  # it is dead; whoever waits for it is told
            pass

    def result(self) -> bytes | None:
        """The result of its first row; None if it has died.

        Raises:
            BashkitError: It cannot record calls.
        """
        try:
            data = self.connection.recv_bytes()
        except (EOFError, OSError):
            return None
        if data.startswith(FAILED):
            raise BashkitError(data.removeprefix(FAILED).decode("utf-8", "surrogateescape"))
        self._size -= len(self.rows.popleft().data)
        return data

    def end(self) -> bool:
        """End it at once; returns whether it had ended because its script did not keep to the time limit."""
        self.connection.close()
        self._process.kill()
        self._process.join()
        return self._process.exitcode == -signal.SIGALRM


class Pool:
    """Runs rows on several processes.

    Args:
        setting: What they have in common.
        jobs: The number of processes.
    """

    def __init__(self, setting: Setting, jobs: int) -> None:
        self._setting = setting
        self._processes = [_Process(setting) for _ in range(jobs)]
        self._deaths: dict[int, int] = {}

    def run(self, rows: Iterator[Row]) -> Iterator[tuple[int, bytes]]:
        """Run rows; yields the number of each and its result as JSON, in the order in which they end.

        A row at which a process dies is tried once more, and then has the error ``crash``; one that does not keep to its time
        limit has the error ``timeout``.

        Raises:
            BashkitError: Calls cannot be recorded.
        """
        waiting: deque[_Given] = deque()  # those of processes that have died, and one for which no process has room
        given = (_Given(row.number, row.id, packed(row)) for row in rows)
        while True:
            for process in self._processes:
                while (row := waiting.popleft() if waiting else next(given, None)) is not None:
                    if not process.has_room(row):
                        waiting.appendleft(row)
                        break
                    process.give(row)
            busy = {process.connection: process for process in self._processes if process.rows}
            if not busy:
                return
            for connection in wait(list(busy)):
                process = busy[connection]  # type: ignore[index]  # what waits are these connections
                number = process.rows[0].number
                result = process.result()
                if result is not None:
                    yield number, result
                    continue
                first, *others = process.rows
                waiting.extendleft(reversed(others))
                late = process.end()
                self._processes[self._processes.index(process)] = _Process(self._setting)
                self._deaths[number] = self._deaths.get(number, 0) + 1
                if late:
                    yield number, _lost(number, first.id, "timeout", 124, "did not keep to its time limit, and was ended")
                elif self._deaths[number] < _DEATHS:
                    waiting.appendleft(first)
                else:
                    yield number, crashed(number, first.id)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.end()


def crashed(number: int, name: str | int) -> bytes:
    """The result of a row, by its number and id, at which its process has died again and again."""
    return _lost(number, name, "crash", 137, "died")


def _lost(number: int, name: str | int, error: str, exit_code: int, what: str) -> bytes:
    """The result of a row with whose process everything is gone."""
    stderr = f"the process that ran this script {what}\n"
    value = {"stdout": "", "stderr": stderr, "exit_code": exit_code, "error": error, "calls": []}
    return json_text.encode({"row": number, "id": name, **value}).encode("utf-8", "surrogateescape")

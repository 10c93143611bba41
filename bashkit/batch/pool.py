"""The processes of a batch: each has a few rows at a time, and is started again when it dies."""

from __future__ import annotations

from collections import deque
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from bashkit.batch.work import FAILED, packed, work
from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.batch.rows import Row
    from bashkit.batch.work import Setting

_AHEAD = 4  # rows that a process has at a time, so that it does not wait for the next one
_DEATHS = 2  # as often as a process may die at the same row


class _Process:
    """One process and the rows that it has, the one that runs first.

    Args:
        setting: What all rows have in common.
    """

    def __init__(self, setting: Setting) -> None:
        context = get_context("spawn")  # nothing of this process is in it
        self.connection, theirs = context.Pipe()
        self.rows: deque[Row] = deque()
        self._process = context.Process(target=work, args=(theirs, setting), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, row: Row) -> None:
        """Give it one more row."""
        self.rows.append(row)
        try:
            self.connection.send_bytes(packed(row))
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
        self.rows.popleft()
        return data

    def end(self) -> None:
        """End it at once."""
        self.connection.close()
        self._process.kill()
        self._process.join()


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

        A row at which a process dies is tried once more, and then has the error ``crash``.

        Raises:
            BashkitError: Calls cannot be recorded.
        """
        again: deque[Row] = deque()
        while True:
            for process in self._processes:
                while len(process.rows) < _AHEAD and (row := again.popleft() if again else next(rows, None)) is not None:
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
                again.extendleft(reversed(others))
                self._deaths[number] = self._deaths.get(number, 0) + 1
                if self._deaths[number] < _DEATHS:
                    again.appendleft(first)
                else:
                    yield number, crashed(first)
                process.end()
                self._processes[self._processes.index(process)] = _Process(self._setting)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.end()


def crashed(row: Row) -> bytes:
    """The result of a row at which its process has died again and again."""
    value = {"stdout": "", "stderr": "the process that ran this script died\n", "exit_code": 137, "error": "crash", "calls": []}
    return json_text.encode({"row": row.number, "id": row.id, **value}).encode("utf-8", "surrogateescape")

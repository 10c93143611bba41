"""One thread for all sync functions of a toolset, for what belongs to the thread that made it, such as connections of sqlite3."""

from __future__ import annotations

import queue
import sys
import threading
from concurrent.futures import Future
from contextvars import copy_context
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator

_END = object()


class OneThread:
    """Runs functions one after the other in a thread of its own, a daemon that is started when it is first needed.

    Args:
        name: Of the thread, for debuggers.
    """

    __slots__ = ("_jobs", "_lock", "_name", "_thread")

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[Callable[[], None] | None]
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def run(self, function: Callable[[], Any], abandoned: Callable[[], bool] = lambda: False) -> Any:
        """Run a function and wait for its result; right here if this is the thread.

        Args:
            function: Takes nothing.
            abandoned: Whether nobody awaits the result any more, so that the function need not begin.

        Raises:
            Exception: Any exception of the function.
        """
        if threading.current_thread() is self._thread:
            return function()
        outcome: Future[Any] = Future()
        context = copy_context()

        def job() -> None:
            if abandoned():
                outcome.cancel()
                return
            try:
                outcome.set_result(context.run(function))
            except BaseException as error:
                outcome.set_exception(error)

        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # this process was forked from the one that has it
                self._jobs = queue.SimpleQueue()
                self._thread = threading.Thread(target=_work, args=(self._jobs,), name=f"bashkit {self._name}", daemon=True)
                self._thread.start()
            self._jobs.put(job)
        return outcome.result()

    def items(self, stream: Any) -> Iterator[Any]:
        """The items of an iterator, each made in the thread, as is its end."""
        try:
            while (item := self.run(lambda: next(stream, _END))) is not _END:
                yield item
        finally:
            self.run(getattr(stream, "close", lambda: None))


def _work(jobs: queue.SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()


@cache
def thread_of(file: str) -> OneThread:
    """The thread of a toolset file: the same however often the file is loaded, because its modules are imported only once."""
    return OneThread(file)


def bound_to_a_thread(values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """The names of the values that only the thread that made them may use: connections of sqlite3, unless made otherwise."""
    sqlite3 = sys.modules.get("sqlite3")
    if sqlite3 is None:
        return
    for name, value in values:
        if isinstance(value, sqlite3.Connection) and not _usable_elsewhere(value, sqlite3.ProgrammingError):
            yield name


def _usable_elsewhere(connection: sqlite3.Connection, refusal: type[Exception]) -> bool:
    found: list[bool] = []

    def use() -> None:
        try:
            connection.cursor().close()
            found.append(True)
        except refusal:
            found.append(False)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    return found == [True]

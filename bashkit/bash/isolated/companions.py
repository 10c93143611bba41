"""The worker processes for libraries in C that belong to a sandbox process: started here, used there, ended with it."""

from __future__ import annotations

from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any

from bashkit.commands._workers.worker import UnavailableError, Worker
from bashkit.interp.runtime.workers import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.sandbox.channel import Frame
    from bashkit.sandbox.pool import Worker as SandboxProcess

PROGRAMS = {
    "jq": ("bashkit.commands.data.jq.session", "PROGRAM"),
    "sqlite3": ("bashkit.commands.data.sqlite3.database", "PROGRAM"),
}
_MOST = 16  # of one sandbox process


class Companions:
    """Those of one sandbox process.

    Args:
        process: Whose they are.
    """

    def __init__(self, process: SandboxProcess) -> None:
        self._process = process
        self._numbers = count(1)
        self._workers: dict[int, Worker] = {}

    def take(self, frame: Frame) -> bool:
        """Do what the process asks for, in another thread; whether the frame was about companions."""
        works: dict[str, Callable[..., None]] = {"companion": self._start, "dismiss": self._dismiss, "bury": self._bury}
        work: Callable[..., None] | None = works.get(frame.kind)
        if work is None:
            return False
        fields = frame.fields
        run_in_thread(lambda: work(*fields))
        return True

    def _answer(self, question: int, *values: Any, descriptors: tuple[int, ...] = ()) -> None:
        self._process.channel.send("value", question, None, *values, descriptors=descriptors)

    def _start(self, question: int, name: str) -> None:
        try:
            if name not in PROGRAMS or len(self._workers) >= _MOST:
                raise UnavailableError(f"no worker for {name!r:.50}")
            module, attribute = PROGRAMS[name]
            worker = Worker(getattr(import_module(module), attribute))
        except Exception as error:  # the process must hear of it
            self._answer(question, 0, str(UnavailableError.of(name, error)))
            return
        number = next(self._numbers)
        self._workers[number] = worker
        self._answer(question, number, descriptors=(worker.fileno(),))
        if self._process.ended.is_set():
            self.close()

    def _dismiss(self, number: int) -> None:
        worker = self._workers.get(number)
        if worker is not None:
            worker.kill()

    def _bury(self, question: int, number: int) -> None:
        worker = self._workers.pop(number, None)
        self._answer(question, 0 if worker is None else worker.wait())

    def close(self) -> None:
        """End them all."""
        workers, self._workers = list(self._workers.values()), {}
        for worker in workers:
            worker.kill()

        def bury() -> None:
            for worker in workers:
                worker.wait()

        if workers:
            run_in_thread(bury)

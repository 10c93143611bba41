"""Runs the rows of a batch on a Ray cluster: actors with the toolset, which Ray places, and starts again where a node is lost."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.batch.pool import crashed
from bashkit.batch.work import Runner
from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.batch.rows import Row
    from bashkit.batch.work import Setting

_BUNCH = 32  # rows of one task: a task costs about as much as two small scripts
_LARGE = 1 << 20  # characters of rows that are a task, however few they are
_DEATHS = 3  # as often as an actor may die at a row that it has alone; with its node, perhaps


class _Actor:
    """Runs rows somewhere in the cluster.

    Args:
        setting: What they have in common; the toolset's path is relative to the folder that Ray has copied there.
    """

    def __init__(self, setting: Setting) -> None:
        self._runner = Runner(setting)

    def ready(self) -> None:
        """Answer: the toolset is loaded."""

    def run(self, rows: Sequence[Row]) -> list[str]:
        """Run rows; returns their results as JSON."""
        return [json_text.encode(self._runner.run_alone(row)) for row in rows]


class RayPool:
    """Runs rows on a Ray cluster. Each node needs bashkit; the folder of the toolset is copied to it.

    Args:
        setting: What the rows have in common. A recording to replay must be at its path on every node.
        jobs: The number of actors, one processor for each; as many as the cluster has processors if None.
        address: The cluster, as for ``ray.init``; a cluster of this machine if None.

    Raises:
        BashkitError: Ray is missing, or there is no cluster.
    """

    def __init__(self, setting: Setting, jobs: int | None, address: str | None) -> None:
        try:
            import ray  # pyright: ignore[reportMissingImports]  # an extra, and large
        except ImportError:
            raise BashkitError("ray is missing: pip install 'bashkit-toolsets[ray]' adds it") from None
        self._ray = ray
        toolset = setting.toolset.absolute()
        settings = {"working_dir": str(toolset if toolset.is_dir() else toolset.parent)}
        try:
            ray.init(address=address, runtime_env=settings, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise BashkitError(f"the Ray cluster cannot be used: {error}") from None
        there = Path() if toolset.is_dir() else Path(toolset.name)
        self._make = partial(ray.remote(num_cpus=1)(_Actor).remote, replace(setting, toolset=there))
        self._jobs = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._deaths: dict[int, int] = {}

    def run(self, rows: Iterator[Row]) -> Iterator[tuple[int, bytes]]:
        """Run rows; yields the number of each and its result as JSON, in the order in which their tasks end.

        When an actor dies, by a script or with its node, another takes its place as soon as there is one, and its rows are tried
        again one by one. A row at which actors die again and again has the error ``crash``.

        Raises:
            BashkitError: The toolset cannot be used on a node.
        """
        again: deque[Row] = deque()
        starting = dict(self._started() for _ in range(self._jobs))
        free: deque[Any] = deque()
        tasks: dict[Any, tuple[Any, list[Row]]] = {}
        more = True
        while True:
            while free and (again or more):
                bunch = [again.popleft()] if again else _next_bunch(rows)
                if bunch:
                    actor = free.popleft()
                    tasks[actor.run.remote(bunch)] = actor, bunch
                else:
                    more = False
            if not tasks and not again and not more:
                return
            (ready,), _ = self._ray.wait([*tasks, *starting], num_returns=1)
            if ready in starting:
                free.append(self._ready(ready, starting.pop(ready)))
                continue
            actor, bunch = tasks.pop(ready)
            try:
                results = self._ray.get(ready)
            except self._ray.exceptions.RayActorError:
                starting.update([self._started()])
                row = bunch[0]
                self._deaths[row.number] = self._deaths.get(row.number, 0) + (len(bunch) == 1)
                if self._deaths[row.number] == _DEATHS:
                    yield row.number, crashed(row.number, row.id)
                else:
                    again.extend(bunch)
            else:
                free.append(actor)
                for row, result in zip(bunch, results, strict=True):
                    yield row.number, result.encode("utf-8", "surrogateescape")

    def _started(self) -> tuple[Any, Any]:
        """Start an actor; returns what is ready when it is, and the actor."""
        actor = self._make()
        return actor.ready.remote(), actor

    def _ready(self, answer: Any, actor: Any) -> Any:
        """The actor that is ready.

        Raises:
            BashkitError: It could not load the toolset.
        """
        try:
            self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            raise BashkitError(f"the toolset cannot be used on a node: {cause}") from None
        return actor

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()


def _next_bunch(rows: Iterator[Row]) -> list[Row]:
    """The rows of the next task; [] if there are no more."""
    bunch: list[Row] = []
    size = 0
    for row in islice(rows, _BUNCH):
        bunch.append(row)
        size += len(row.script) + len(row.stdin) + sum(map(len, row.files.values()))
        if size >= _LARGE:
            break
    return bunch

"""Runs an evaluation: every task in every mode, tried again where it failed."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bashkit.errors import BashkitError
from bashkit.evaluation.conversation import Workplace, converse
from bashkit.toolset.testing.callback_modes import in_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bashkit.evaluation.conversation import Mode
    from bashkit.evaluation.models.model import Model
    from bashkit.evaluation.tasks import Task
    from bashkit.evaluation.transcript import Key, Transcript
    from bashkit.toolset.toolset import Toolset


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is evaluated, and how.

    Attributes:
        toolset: The toolset.
        tasks: The tasks.
        modes: The modes of prompts to try; ``tools`` for every tool by itself.
        tries: Conversations for a task in one mode, until one succeeds.
        max_turns: How often the model is asked in one conversation.
        jobs: Conversations at the same time.
        options: Further keyword arguments of ScriptedTool.
    """

    toolset: Toolset
    tasks: Sequence[Task]
    modes: Sequence[Mode]
    tries: int = 2
    max_turns: int = 20
    jobs: int = 4
    options: Mapping[str, Any] = field(default_factory=dict)

    async def run(self, model_of: Callable[[Key], Model | None], done: Callable[[Transcript], None]) -> list[Transcript]:
        """Let a model work at all tasks.

        Args:
            model_of: The model for a try; None if there is none, which is no failure of a second try.
            done: Called with each transcript when its conversation has ended.

        Returns:
            The transcripts, in the order of modes, tasks and tries.

        Raises:
            ModelError: The model cannot be asked. What was done before has been given to ``done``.
            ToolsetError: The toolset cannot be used.
        """
        places = asyncio.Semaphore(self.jobs)

        async def work(mode: Mode, task: Task) -> list[Transcript]:
            async with places:
                return await self._try(toolsets[task.callbacks], mode, task, model_of, done)

        async with AsyncExitStack() as open_toolsets:
            kinds: set[Literal["stub", "real"]] = {task.callbacks for task in self.tasks}
            toolsets = {kind: in_mode(self.toolset, kind) for kind in kinds}
            for toolset in toolsets.values():
                open_toolsets.push_async_callback(toolset.aclose)
            failed: list[BashkitError] = []
            try:
                async with asyncio.TaskGroup() as group:
                    working = [group.create_task(work(mode, task)) for mode in self.modes for task in self.tasks]
            except* BashkitError as errors:
                failed.append(_first(errors))  # raised here it would be in a group, by Python 3.11.2
            if failed:
                raise failed[0]
        return [transcript for one in working for transcript in one.result()]

    async def _try(
        self,
        toolset: Toolset,
        mode: Mode,
        task: Task,
        model_of: Callable[[Key], Model | None],
        done: Callable[[Transcript], None],
    ) -> list[Transcript]:
        found: list[Transcript] = []
        for attempt in range(1, self.tries + 1):
            model = model_of((task.name, mode, attempt))
            if model is None:
                if found:
                    break
                raise BashkitError(f"there is no recorded conversation about {task.name!r} in the mode {mode}")
            workplace = Workplace(toolset, task, mode, self.options)
            transcript = await converse(model.begin(), workplace, attempt, self.max_turns)
            done(transcript)
            found.append(transcript)
            if transcript.passed:
                break
        return found


def _first(errors: BaseExceptionGroup[BashkitError]) -> BashkitError:
    """One of the errors: they have the same cause."""
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error

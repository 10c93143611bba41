"""Where the answers of a run's calls come from: the callbacks, the stubs, or the recording of the last run with callbacks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from bashkit.errors import BashkitError
from bashkit.tools.call.policy import Policy
from bashkit_tui.state import state_directory

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from bashkit.tools.call.policy import PlannedCall
    from bashkit.toolset import Toolset

Mode = Literal["real", "stub", "replay"]
MODES: tuple[Mode, ...] = ("real", "stub", "replay")


class NothingRecordedError(BashkitError):
    """There is nothing to replay yet."""


def recording_of(toolset: Toolset) -> Path:
    """The file that holds what the calls of the last run with real callbacks gave."""
    from hashlib import sha256

    mark = sha256(str(toolset.path.resolve()).encode()).hexdigest()[:12]
    return state_directory() / "recordings" / f"{mark}.jsonl"


def answered(toolset: Toolset, mode: Mode) -> Toolset:
    """The toolset as a run in this mode wants it. A run with real callbacks is recorded, so that it can be replayed.

    Args:
        toolset: What was opened.
        mode: ``real``, ``stub``, or ``replay``.

    Raises:
        ToolsetError: The toolset cannot be used so.
        NothingRecordedError: A replay before the first run with real callbacks.
        RecordingError: The recording is damaged.
    """
    from bashkit.toolset import in_mode, recorded

    file = recording_of(toolset)
    if mode == "replay":
        if not file.is_file():
            raise NothingRecordedError("Nothing is recorded yet: run a script with real callbacks first.")
        return in_mode(toolset, "replay", file)
    chosen = in_mode(toolset, mode)
    if mode == "stub":
        return chosen
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
    except OSError:  # it runs all the same; there is only nothing to replay
        return chosen
    return recorded(chosen, file)


@dataclass(slots=True)
class Approvals:
    """Puts the calls that a policy wants approved to the user, one at a time.

    Attributes:
        ask: Shows the question; its answer is ``once``, ``always`` or ``no``.
        always: The tools that need no further answer.
    """

    ask: Callable[[PlannedCall], Awaitable[str]]
    always: set[str] = field(default_factory=set)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def policy(self, toolset: Toolset, mode: Mode) -> Policy:
        """The toolset's policy, or the default one, with the user as the one who approves; what calls nothing needs no approval."""
        own = toolset.options.get("policy")
        return replace(own if isinstance(own, Policy) else Policy(), approve=self._approve if mode == "real" else _granted)

    async def _approve(self, call: PlannedCall) -> bool:
        async with self._turn:
            if call.tool in self.always:
                return True
            answer = await self.ask(call)
            if answer == "always":
                self.always.add(call.tool)
            return answer != "no"


async def _granted(_: PlannedCall) -> bool:
    return True

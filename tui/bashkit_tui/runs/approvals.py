"""Pending approvals: the user decides about the calls for which a policy asks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bashkit.tools.call.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bashkit.tools.call.policy import PlannedCall
    from bashkit.toolset import Toolset
    from bashkit_tui.runs.run_mode import Mode


@dataclass(slots=True)
class Approvals:
    """Asks the user about the calls for which a policy asks, one at a time.

    Attributes:
        ask: Shows the question; its answer is ``once``, ``always`` or ``no``.
        always: The tools whose calls the user has approved for the rest of the run.
    """

    ask: Callable[[PlannedCall], Awaitable[str]]
    always: set[str] = field(default_factory=set)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def policy(self, toolset: Toolset, mode: Mode) -> Policy:
        """The toolset's policy, or the default one, with the user as approver; without real callbacks every call is approved."""
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

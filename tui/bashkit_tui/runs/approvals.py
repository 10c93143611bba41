"""The policy of a run: the user decides about the calls for which it asks, and with stubs no other callback runs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bashkit.tools.call.policy import Denied, Policy
from bashkit_tui.runs.run_mode import MODES, real_tools

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bashkit.tools.call.policy import Decision, PlannedCall
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
        """The toolset's policy, or the default one, with the user as approver of calls with real callbacks.

        Args:
            toolset: The toolset as ``toolset_in_mode`` returns it.
            mode: Its mode. ``stub`` denies the calls that no stub answers, ``mixed`` those of them that do not only read.
        """
        given = toolset.options.get("policy")
        own = given if isinstance(given, Policy) else Policy()
        real = real_tools(toolset, mode)

        def decide(call: PlannedCall) -> Decision | Denied | Awaitable[Decision | Denied | None] | None:
            if call.tool in real and not (mode == "mixed" and call.effects == "read"):
                hint = "F9 changes the mode" if mode == "mixed" else "F9 changes the mode; a stub in the toolset file answers it"
                return Denied(f"it has no stub, and the mode {MODES[mode]!r} does not run its callback ({hint})")
            return own.decide(call) if own.decide is not None else None

        async def approve(call: PlannedCall) -> bool:
            return call.tool not in real or await self._approved(call)

        return replace(own, decide=own.decide if mode == "real" else decide, approve=approve)

    async def _approved(self, call: PlannedCall) -> bool:
        async with self._turn:
            if call.tool in self.always and not call.question:
                return True
            answer = await self.ask(call)
            if answer == "always":
                self.always.add(call.tool)
            return answer != "no"

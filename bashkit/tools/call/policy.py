"""Policies decide about each call before it runs: allow it, deny it, or ask the host for approval."""

from __future__ import annotations

import inspect
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from contextlib import AbstractContextManager

    from bashkit.tools.define.definition import Effects

Decision = Literal["allow", "deny", "ask"]

RULES: Mapping[Effects | None, Decision] = {"read": "allow", "write": "allow", "destructive": "ask", None: "allow"}


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call that has not run yet.

    Attributes:
        tool: Its name.
        arguments: The parameters, or for a tool in raw form the words.
        effects: What the tool declares, or None.
        line, column: The position in the script.
    """

    tool: str
    arguments: Any
    effects: Effects | None
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Denied:
    """A decision to deny a call, with a reason for the script."""

    reason: str


@dataclass(frozen=True, slots=True)
class Policy:
    """Decides about calls. Both hooks may be sync or async.

    Attributes:
        rules: The decision for each declared effect, and under None for tools without declared effects; missing entries are as in
            RULES.
        decide: Called first, on the event loop, so a sync function should be quick; returns a decision, a Denied with a reason,
            or None to apply the rules.
        approve: Called if the decision is ``ask``; without it such calls are denied. A sync function runs in a thread and may
            block until a person answers. The script's time limit excludes the waiting time.
    """

    rules: Mapping[Effects | None, Decision] = field(default_factory=dict)
    decide: Callable[[PlannedCall], Decision | Denied | Awaitable[Decision | Denied | None] | None] | None = None
    approve: Callable[[PlannedCall], bool | Awaitable[bool]] | None = None

    async def objection(
        self, call: PlannedCall, waiting: Callable[[], AbstractContextManager[object]] = nullcontext
    ) -> str | None:
        """Return why a call may not run; None if it may.

        Args:
            call: The call.
            waiting: A context manager entered while the approval is pending.
        """
        decision: Any = await _value(self.decide(call)) if self.decide is not None else None
        if decision is None:
            decision = self.rules.get(call.effects, RULES[call.effects])
        if isinstance(decision, Denied):
            return decision.reason
        if decision == "allow":
            return None
        if decision == "ask":
            if self.approve is None:
                return "this call needs an approval, and no approver is available"
            with waiting():
                approved = await _asked(self.approve, call)
            return None if approved else "the call was not approved"
        return "the call is not allowed"  # "deny", or any value that is not a decision


async def _value(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


async def _asked(approve: Callable[[PlannedCall], Any], call: PlannedCall) -> bool:
    """Ask for approval. A sync callback may block, so it runs in a thread."""
    if inspect.iscoroutinefunction(approve) or inspect.iscoroutinefunction(type(approve).__call__):
        return bool(await _value(approve(call)))
    import asyncio

    return bool(await _value(await asyncio.to_thread(approve, call)))

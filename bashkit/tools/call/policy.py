"""Policy: who may call what. Each call is looked at before it runs, and allowed, denied or put to a person."""

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
        line, column: Where in the script.
    """

    tool: str
    arguments: Any
    effects: Effects | None
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Denied:
    """A decision against a call, with what the script is told."""

    reason: str


@dataclass(frozen=True, slots=True)
class Policy:
    """Decides about calls. Both hooks may be sync or async.

    Attributes:
        rules: The decision for each declared effect, and under None for tools that declare none; what is left out is as in RULES.
        decide: Looks at a call first, on the event loop, so a sync one should be quick; returns a decision, a Denied with a reason, or None to leave it to the rules.
        approve: Asked when the decision is ``ask``; without it such a call is denied. A sync one may block,
            to ask a person: it runs in a thread. The script's time limit does not count the time that an answer takes.
    """

    rules: Mapping[Effects | None, Decision] = field(default_factory=dict)
    decide: Callable[[PlannedCall], Decision | Denied | Awaitable[Decision | Denied | None] | None] | None = None
    approve: Callable[[PlannedCall], bool | Awaitable[bool]] | None = None

    async def objection(
        self, call: PlannedCall, waiting: Callable[[], AbstractContextManager[object]] = nullcontext
    ) -> str | None:
        """Why a call may not run; None when it may.

        Args:
            call: The call.
            waiting: What is entered while a person is asked.
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
                return "this call needs an approval that nobody can give here"
            with waiting():
                approved = await _asked(self.approve, call)
            return None if approved else "the call was not approved"
        return "the call is not allowed"  # "deny", and whatever is no decision


async def _value(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


async def _asked(approve: Callable[[PlannedCall], Any], call: PlannedCall) -> bool:
    """The answer of a person. A sync callback may block: it gets a thread of its own."""
    if inspect.iscoroutinefunction(approve) or inspect.iscoroutinefunction(type(approve).__call__):
        return bool(await _value(approve(call)))
    import asyncio

    return bool(await _value(await asyncio.to_thread(approve, call)))

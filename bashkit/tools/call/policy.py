"""Policies decide about each call before it runs: allow it, deny it, or ask the host for approval."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from bashkit.errors import DefinitionError
from bashkit.host_options import check_choice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from contextlib import AbstractContextManager

    from bashkit.tools.analyze import Analysis
    from bashkit.tools.define.definition import Effects

    _Answer: TypeAlias = "bool | Denied | Mapping[str, Any] | None"

Decision = Literal["allow", "deny", "ask"]

_DENIED = "the call is not allowed"
UNDECLARED = "undeclared"  # what toolset files and the command line call the effects None
RULES: Mapping[Effects | None, Decision] = {"read": "allow", "write": "allow", "destructive": "ask", None: "allow"}


def _nothing() -> None:
    """No script is known."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call that has not run yet.

    Attributes:
        tool: Its name.
        arguments: The parameters, or for a tool in raw form the words.
        effects: What the tool declares, or None.
        line, column: The position in the script.
        question: What the call, which is running already, asks; "" for the approval of the call itself.
        answers: JSON Schema of the wanted answers, an object.
        look: Analyzes the whole script that the call is part of.
    """

    tool: str
    arguments: Any
    effects: Effects | None
    line: int = 0
    column: int = 0
    look: Callable[[], Analysis | None] = field(default=_nothing, compare=False, repr=False)
    question: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def script(self) -> Analysis | None:
        """What the whole script that the call is part of may do, as ``ScriptedTool.analyze`` tells it; None outside of one."""
        return self.look()


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
        approve: Called if the decision is ``ask``; without it such calls are denied. It returns True, False, or a Denied with a
            reason; anything else denies the call, too. A sync function runs in a thread and may block until a person answers. The
            script's time limit excludes the waiting time. To the question of a running call it may return the answers as a
            mapping; True gives their defaults.

    Raises:
        DefinitionError: A rule or a hook is none.
    """

    rules: Mapping[Effects | None, Decision] = field(default_factory=dict)
    decide: Callable[[PlannedCall], Decision | Denied | Awaitable[Decision | Denied | None] | None] | None = None
    approve: Callable[[PlannedCall], _Answer | Awaitable[_Answer]] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Mapping):
            raise DefinitionError(f"the rules of a policy are a mapping of effects to decisions, not {self.rules!r}")
        for effects, decision in self.rules.items():
            if effects not in RULES:
                known = ", ".join(map(repr, RULES))
                raise DefinitionError(f"a policy has rules for {known} (tools that declare no effects), not for {effects!r}")
            check_choice(f"the rule for {effects!r}", decision, get_args(Decision))
        for name, hook in (("decide", self.decide), ("approve", self.approve)):
            if hook is not None and not callable(hook):
                raise DefinitionError(f"{name} must be callable, not {hook!r}")

    def rule(self, effects: Effects | None) -> Decision:
        """The decision for calls with these effects, if ``decide`` makes none."""
        return self.rules.get(effects, RULES[effects])

    def allowing(self, effects: Iterable[Effects | None]) -> Policy:
        """A policy that allows calls with these effects where this one asks; what it denies stays denied."""
        return replace(self, rules={**self.rules, **{one: "allow" for one in effects if self.rule(one) == "ask"}})

    async def objection(
        self, call: PlannedCall, waiting: Callable[[], AbstractContextManager[object]] = nullcontext, *, simulated: bool = False
    ) -> str | None:
        """Return why a call may not run; None if it may.

        Args:
            call: The call.
            waiting: A context manager entered while the approval is pending.
            simulated: The call is answered by a stub or a recording, so it needs no approval where nobody can be asked.

        Raises:
            TypeError: A hook has returned something else than it may.
            Exception: Any exception of a hook.
        """
        decision: Any = await _value(self.decide(call)) if self.decide is not None else None
        advice = "" if decision is not None else _advice(call.effects)
        if decision is None:
            decision = self.rule(call.effects)
        if decision == "allow":
            return None
        if decision == "ask":
            if self.approve is None:
                return None if simulated else f"this call needs an approval, and nobody can be asked{advice}"
            with waiting():
                decision = await _asked(self.approve, call)
            if decision is None or isinstance(decision, bool):
                return None if decision else "the call was not approved"
        if isinstance(decision, Denied):
            return str(decision.reason) or _DENIED
        if decision == "deny":
            return _DENIED
        raise TypeError(f"a policy cannot decide {decision!r}")

    async def answer(self, call: PlannedCall, waiting: Callable[[], AbstractContextManager[object]] = nullcontext) -> Any:
        """What ``approve`` says to the question of a running call; None without it. For ``waiting`` see ``objection``."""
        if self.approve is None:
            return None
        with waiting():
            given = await _asked(self.approve, call)
        return False if isinstance(given, Denied) else given


_DEFAULT = Policy()


def effects_of(name: str) -> Effects | None:
    """The effects that toolset files and the command line call ``name``."""
    return next((effects for effects in RULES if effects == name), None)


def applicable(policy: Policy | None, effects: Effects | None) -> Policy | None:
    """The policy for calls with these effects, where no policy is the default one; None if it allows them all."""
    if policy is None and RULES[effects] != "allow":
        return _DEFAULT
    return policy


def _advice(effects: Effects | None) -> str:
    """How the host can allow calls with these effects."""
    key = effects or UNDECLARED
    return (
        f"; the host allows such calls with --allow {key} on the command line, Policy({{{effects!r}: 'allow'}}) in Python, "
        f"or policy: {{{key}: allow}} in the toolset file"
    )


async def _value(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


async def _asked(approve: Callable[[PlannedCall], Any], call: PlannedCall) -> Any:
    """Ask for approval. A sync callback may block, so it runs in a thread."""
    if inspect.iscoroutinefunction(approve) or inspect.iscoroutinefunction(type(approve).__call__):
        return await _value(approve(call))
    import asyncio

    return await _value(await asyncio.to_thread(approve, call))

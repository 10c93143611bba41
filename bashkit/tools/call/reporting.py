"""What a running callback tells its host: how far it is, and questions that need an answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.tools.call.policy import PlannedCall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.utility.process import Process
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.define.definition import ToolDef

_MOST = 100  # reports of one call that its record keeps
_LONGEST = 1000  # characters of a message


@dataclass(slots=True, eq=False)
class Reporter:
    """The way from one call to its host.

    Attributes:
        process: The command of the call.
        calls: The state of the execution's calls.
        record: The call.
        definition: The tool.
        arguments: The arguments of the call.
    """

    process: Process
    calls: CallContext
    record: ToolCall
    definition: ToolDef
    arguments: Any

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Record how far the call is, and report it."""
        text = self.calls.secrets.text(message)[:_LONGEST]
        report = {"seconds": time.monotonic() - self.calls.started - self.record.started, "done": done}
        told: dict[str, Any] = report | ({} if total is None else {"total": total}) | ({"message": text} if text else {})
        if len(self.record.progress) < _MOST:
            self.record.progress.append(told)
        self.calls.report(self.record, told)

    async def ask(self, question: str, schema: Mapping[str, Any]) -> Any:
        """Put a question to whoever approves calls; the script's time limit excludes the waiting.

        Returns:
            True or the answers; False if the question was refused; None if nobody can be asked.
        """
        policy = self.calls.policy
        if policy is None or policy.approve is None:
            return None
        call = PlannedCall(
            self.definition.name,
            self.arguments,
            self.definition.effects,
            self.record.line,
            self.record.column,
            self.calls.analysis,
            question=question,
            answers=schema,
        )
        return await policy.answer(call, self.process.budget.pause)

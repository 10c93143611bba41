"""Makes the record of a run that has ended, for the history."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bashkit.runs.history_file import PastCall, PastRun
from bashkit.tools import json_text
from bashkit.tools.call.redaction import Secrets
from bashkit_tui.texts.formatting import grouped

if TYPE_CHECKING:
    from bashkit.tools import ToolCall
    from bashkit_tui.runs.script_run import Outcome, ScriptRun

_STREAM = 20_000  # characters of an output
_CALLS = 100
_ARGUMENTS = 2_000  # characters of a call's arguments as JSON


def past_run(run: ScriptRun, outcome: Outcome) -> PastRun:
    """The record of a run, with the secrets of its toolset masked."""
    secrets = Secrets(run.toolset.secrets.values())
    return PastRun(
        time.time(),
        run.toolset.name,
        run.mode,
        secrets.text(run.script),
        outcome.exit_code,
        outcome.error,
        outcome.seconds,
        outcome.calls,
        _cut(secrets.text(outcome.stdout)),
        _cut(secrets.text(outcome.stderr)),
        tuple(_past_call(call, secrets) for call in run.calls[:_CALLS]),
    )


def _past_call(call: ToolCall, secrets: Secrets) -> PastCall:
    arguments = secrets.data(call.arguments)
    try:
        if len(json_text.encode(arguments)) > _ARGUMENTS:
            arguments = {"…": f"{grouped(len(arguments))} arguments, too long to keep"}
    except (TypeError, ValueError):  # the words of a tool in raw form may not be JSON
        arguments = str(arguments)[:_ARGUMENTS]
    return PastCall(call.tool, call.line, arguments, call.exit_code, call.duration)


def _cut(text: str) -> str:
    return text if len(text) <= _STREAM else f"{text[:_STREAM]}… ({grouped(len(text))} characters)"

"""Writes a run as a file for others: a page, a timeline, or its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools import json_text

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.runs.finished import FinishedRun
    from bashkit_tui.runs.script_run import Outcome, ScriptRun


def exported(run: ScriptRun, outcome: Outcome | None, path: Path) -> str:
    """The text of a file; its suffix says what it is: ``.html`` a page, ``.json`` a timeline for Perfetto, else JSON lines.

    Args:
        run: The run.
        outcome: How it ended; None while it runs.
        path: The file.
    """
    if path.suffix in {".html", ".htm"}:
        from bashkit.runs.report import report

        return report(_finished(run, outcome or run.ended_early("running")))
    if path.suffix == ".json":
        from bashkit.runs.trace_events import trace_events

        return json_text.encode(trace_events(_finished(run, outcome or run.ended_early("running")))) + "\n"
    lines = [json_text.encode(call.to_dict()) for call in run.calls]
    if run.called > len(run.calls):
        lines.append(json_text.encode({"dropped": run.called - len(run.calls)}))
    return "".join(f"{line}\n" for line in lines)


def _finished(run: ScriptRun, outcome: Outcome) -> FinishedRun:
    from bashkit.runs.finished import FinishedRun
    from bashkit.tools.call.redaction import Secrets

    secrets = Secrets(run.toolset.secrets.values())
    return FinishedRun(
        run.toolset.name,
        secrets.text(run.script),
        outcome.stdout,
        outcome.stderr,
        outcome.exit_code,
        outcome.error,
        outcome.seconds,
        run.calls,
        run.called - len(run.calls),
    )

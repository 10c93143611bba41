"""The outcome of a past run in one line, for the History screen and the Compare screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from bashkit_tui.texts.formatting import count, duration_text, printable

if TYPE_CHECKING:
    from bashkit.runs.history_file import PastRun


def outcome_line(run: PastRun) -> Content:
    """Exit status or error, duration, number of calls, toolset and mode."""
    good = run.exit_code == 0 and run.error is None
    fate = f"exit {run.exit_code}" if run.exit_code is not None else printable(run.error or "")
    rest = [duration_text(run.seconds), count(run.called, "tool call"), printable(run.toolset), printable(run.mode)]
    return Content.assemble((f"{'✓' if good else '✗'} {fate}", "bold $text-success" if good else "bold $text-error"),
                            ("  " + " · ".join(rest), "$foreground-muted"))  # fmt: skip

"""Writes the files that tell of a run: its timeline (--trace-events) and its page (--report)."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from bashkit.tools import ToolResponse
    from bashkit.toolset import Toolset

_STREAM = 20_000  # the most bytes of each stream of a call that a report shows


class _NewFile(click.Path):
    """A file to be written, whose directory exists. Standard output is the script's, so ``-`` is refused."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        if value == "-":
            self.fail("standard output has the output of the script: name a file", param, ctx)
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            self.fail(f"there is no directory {str(path.parent)!r}", param, ctx)
        return path


TRACE_EVENTS = click.option(
    "--trace-events", type=_NewFile(), metavar="FILE", help="Write a timeline of the calls to FILE, for Perfetto."
)
REPORT = click.option("--report", type=_NewFile(), metavar="FILE", help="Write the run with its calls to FILE, as one HTML page.")


class RunFiles:
    """The files that are asked for; the time of the run counts from here.

    Args:
        trace_events: Where the timeline goes, or None.
        report: Where the page goes, or None.
    """

    def __init__(self, trace_events: Path | None, report: Path | None) -> None:
        self._trace_events = trace_events
        self._report = report
        self._begin = time.perf_counter()

    def options(self) -> dict[str, Any]:
        """What ScriptedTool must be asked for: a page shows the streams of calls."""
        return {} if self._report is None else {"trace_streams": _STREAM}

    def write(self, toolset: Toolset, script: str, response: ToolResponse) -> None:
        """Write them.

        Raises:
            BashkitError: One cannot be written.
        """
        if self._trace_events is None and self._report is None:
            return
        from bashkit.runs.finished import FinishedRun
        from bashkit.runs.report import report
        from bashkit.runs.trace_events import trace_events
        from bashkit.tools import json_text
        from bashkit.tools.call.redaction import Secrets

        run = FinishedRun(
            toolset.name,
            Secrets(toolset.secrets.values()).text(script),
            response.stdout if response.full_stdout is None else response.full_stdout,
            response.stderr,
            response.exit_code,
            response.error,
            time.perf_counter() - self._begin,
            list(response.trace),
            response.trace.dropped,
        )
        if self._trace_events is not None:
            _write(self._trace_events, json_text.encode(trace_events(run)) + "\n")
        if self._report is not None:
            _write(self._report, report(run))


def _write(path: Path, text: str) -> None:
    """Write a text; bytes that are no UTF-8 become escapes, which JSON has as well."""
    try:
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise BashkitError(f"{path} cannot be written: {error.strerror}") from error

"""What the tools of a toolset print: in stubs, in recorded calls, in tests, in scripts that are run now."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.call.trace import Trace
from bashkit.toolset.script_tests import script_tests
from bashkit.toolset.stubs import Stub, cases_of
from bashkit.toolset.testing.recording import Recording
from bashkit.toolset.testing.running import run_test

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.toolset.toolset import Toolset

KEPT = 8 << 20  # bytes of an output that are kept
Outputs = dict[str, list[str]]


def collect(
    toolset: Toolset, recordings: Sequence[Path] = (), scripts: Sequence[str] = (), environ: Mapping[str, str] | None = None
) -> Outputs:
    """The outputs of successful calls, by tool.

    Args:
        toolset: The toolset.
        recordings: Files with recorded calls.
        scripts: Scripts to run now, with the real callbacks.
        environ: As for ``load``.

    Raises:
        RecordingError: A recording cannot be used.
        ToolsetError: The toolset cannot be used.
    """
    found: Outputs = defaultdict(list)
    for name, text in _all(toolset, recordings, scripts, environ):
        if text.strip() and text.strip() not in found[name]:
            found[name].append(text.strip())
    return {name: texts for name, texts in found.items() if texts}


def _all(
    toolset: Toolset, recordings: Sequence[Path], scripts: Sequence[str], environ: Mapping[str, str] | None
) -> Iterator[tuple[str, str]]:
    for path in recordings:
        yield from Recording.read(path).outputs()
    for item in toolset.declared:
        for value in _stubbed(item.document.value["tools"][item.path[-1]] if item.path[:1] == ("tools",) else {}):
            yield item.definition.name, value if isinstance(value, str) else json_text.encode(value)
    for test in script_tests(toolset):
        yield from _printed(run_test(toolset, test, environ, trace_streams=KEPT))
    if scripts:
        tool = toolset.make_tool(trace_streams=KEPT)
        for script in scripts:
            yield from _printed(tool.execute_sync(script))


def _stubbed(tool: Mapping[str, Any]) -> Iterator[Any]:
    """The values of a declared tool's stubs."""
    if "stub" in tool and tool["stub"] is not None:
        yield Stub(tool["stub"]).value
    for case in cases_of(tool.get("stubs", ())):
        if case.error is None and not case.exit_code:
            yield from (value for value in case.values if value is not None)


def _printed(response: ToolResponse) -> Iterator[tuple[str, str]]:
    for call in response.trace or Trace():
        if not call.exit_code and call.stdout and call.stdout_bytes <= KEPT:
            yield call.tool, call.stdout

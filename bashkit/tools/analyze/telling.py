"""What a script may do, in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.tools.analyze.findings import Analysis, Call


def told(analysis: Analysis) -> Iterator[str]:
    """Lines such as ``writes     line 3    users.json``: calls, files, hosts, and what is not known; one at least."""
    if analysis.error is not None:
        yield f"line {analysis.error.line}: {analysis.error.reason}"
    groups = {
        "calls": [(item.line, _shown(item)) for item in analysis.calls],
        "reads": [(item.line, item.path) for item in analysis.files if item.access == "read"],
        "writes": [(item.line, item.path) for item in analysis.files if item.access == "write"],
        "reaches": [(item.line, item.name) for item in analysis.hosts],
        "not known": [(item.line, item.reason) for item in analysis.unknown],
    }
    found = False
    for title, items in groups.items():
        for line, text in dict.fromkeys(items):
            found = True
            yield f"{title:<9}  line {line:<3}  {text}"
    if not found and analysis.error is None:
        yield "nothing: it calls no tool, and touches no file and no host"


def _shown(call: Call) -> str:
    words = [call.tool, *("…" if word is None else word for word in call.arguments)]
    within = f", within {' > '.join(call.within)}" if call.within else ""
    return f"{' '.join(words)}  ({call.effects or 'effects undeclared'}{within})"

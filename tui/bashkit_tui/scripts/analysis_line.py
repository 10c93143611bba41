"""What a script may do, on one line: the tools that it may call with their effects, the hosts, and whether more is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from bashkit_tui.texts.formatting import count, printable

if TYPE_CHECKING:
    from bashkit.tools.analyze import Analysis

_STYLES = {"read": "$foreground-muted", "write": "$text-warning", "destructive": "bold $text-error"}
_MOST = 6  # names of each kind


def analysis_line(analysis: Analysis) -> Content:
    """The line; empty if the script calls no tool, reaches no host and hides nothing."""
    effects = {call.tool: call.effects or "undeclared" for call in analysis.calls}
    tools = [
        Content.assemble(printable(tool), (f" {effect}", _STYLES.get(effect, "$foreground-muted")))
        for tool, effect in effects.items()
    ]
    names = dict.fromkeys(host.name for host in analysis.hosts)
    hosts = [Content.styled(f"→ {printable(name)}", "$text-warning") for name in names]
    hidden = [Content.styled(count(len(analysis.unknown), "unknown"), "$foreground-muted")] if analysis.unknown else []
    return Content.styled(" · ", "$foreground-muted").join([*_first(tools), *_first(hosts), *hidden])


def _first(names: list[Content]) -> list[Content]:
    more = len(names) - _MOST
    return names if more <= 0 else [*names[:_MOST], Content.styled(f"{more} more", "$foreground-muted")]

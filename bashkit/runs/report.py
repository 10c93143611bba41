"""Writes a run as one HTML page that needs nothing else: script, output, and the waterfall of its calls."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text

if TYPE_CHECKING:
    from bashkit.runs.finished import FinishedRun
    from bashkit.tools import ToolCall

_VISIBLE = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"}  # ␛ for the escape character


def report(run: FinishedRun) -> str:
    """The page. Everything that the script or a tool wrote is escaped in it."""
    page = Template(files("bashkit.runs").joinpath("report.html").read_text(encoding="utf-8"))
    number = len(run.calls) + run.dropped
    return page.substitute(
        toolset=_text(run.toolset),
        outcome=_text(run.outcome),
        fate=_fate(failed=run.exit_code != 0),
        seconds=_duration(run.seconds),
        count=f"{number} call{'' if number == 1 else 's'}",
        script=_text(run.script),
        stdout=_stream(run.stdout),
        stderr=_stream(run.stderr),
        calls="\n".join([*(_call(run, call) for call in run.calls), *_rest(run)]),
    )


def _call(run: FinishedRun, call: ToolCall) -> str:
    """A row of the waterfall, which opens onto what went in and came out."""
    failed = call.exit_code != 0
    begin, end = run.span(call)
    whole = run.seconds or 1.0
    style = f"left:{100 * begin / whole:.3f}%;width:{100 * (end - begin) / whole:.3f}%"
    name = f"{call.within} > {call.tool}" if call.within else call.tool
    took = "not ended" if call.duration is None else _duration(call.duration)
    status = "no status" if call.exit_code is None else f"status {call.exit_code}"
    cells = [
        f"<span>{call.line or ''}</span>",
        f"<span>{_text(name)}</span>",
        f'<span class="axis {_fate(failed=failed)}"><span class="bar" style="{style}"></span></span>',
        f"<span>{took}</span>",
        f'<span class="{_fate(failed=failed)}">{status}</span>',
    ]
    parts = [f"<p>{_text(_facts(call))}</p>", _part("Arguments", _json(call.arguments))]
    parts += [_part(title, text) for title, text in _texts(call) if text]
    return f"<details><summary>{''.join(cells)}</summary><div>{''.join(parts)}</div></details>"


def _facts(call: ToolCall) -> str:
    """What is remarkable about how a call was made, on one line."""
    place = f"line {call.line}, column {call.column}" if call.line else "no line of the script"
    tried = "from the cache" if call.cached else "not run" if call.attempts == 0 else "once" if call.attempts == 1 else ""
    return f"{place}; {tried or f'{call.attempts} attempts'}; began after {_duration(call.started)}"


def _texts(call: ToolCall) -> list[tuple[str, str]]:
    streams = [("Standard input", call.stdin), ("Result", call.stdout), ("Standard error", call.stderr)]
    return [("Error", call.error), *((title, text or "") for title, text in streams)]


def _rest(run: FinishedRun) -> list[str]:
    if not run.calls:
        return ["<p>none</p>"]
    return [f"<p>{run.dropped} further calls were not recorded</p>"] if run.dropped else []


def _stream(text: str) -> str:
    return f"<pre>{_text(text)}</pre>" if text else "<p>nothing</p>"


def _part(title: str, text: str) -> str:
    return f"<h3>{title}</h3><pre>{_text(text)}</pre>"


def _json(value: Any) -> str:
    return json_text.encode(value, indent=2)


def _duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _fate(*, failed: bool) -> str:
    return "bad" if failed else "good"


def _text(text: str) -> str:
    """A text as HTML shows it: escaped, control characters as their symbols."""
    return escape(text.translate(_VISIBLE))

"""Draws the benchmarks of tests/bench/README.md as a chart: ``python docs/chart.py`` writes docs/pages/benchmarks.svg."""

from __future__ import annotations

import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHART = ROOT / "docs/pages/benchmarks.svg"
_ROWS = (
    "while and [[ ]]", "arithmetic", "function calls", "string building", "[[ =~ ]]", "read loop", "pipelines",
    "command substitution", "ten tool calls with jq",
)  # fmt: skip
_ROW, _LEFT, _WIDTH, _TOP = 58, 190, 580, 76
_COLOURS = {"bashkit": "#24606b", "GNU bash": "#9aa9b2", "Rust wheel": "#c98a3c", "just-bash": "#8d6aa8"}


def figures() -> dict[str, dict[str, float]]:
    """Milliseconds of each engine that has a figure, by workload."""
    text = (ROOT / "tests/bench/README.md").read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = {}
    titles: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" |")]
        if cells[0] == "workload":
            titles = cells
        elif len(cells) == len(titles):
            known = {title: cell for title, cell in zip(titles, cells, strict=True) if title in _COLOURS}
            found.setdefault(cells[0], {title: float(cell) for title, cell in known.items() if re.fullmatch(r"[\d.]+", cell)})
    return found


def svg() -> str:
    """The chart: for each workload the time of each engine on a logarithmic scale, whose lines are powers of ten."""
    known = figures()
    height = _TOP + _ROW * len(_ROWS) + 14
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" font-family="system-ui, sans-serif" font-size="14">',
        "<title>Milliseconds for one run of each engine</title>",
        f'<rect width="860" height="{height}" rx="10" fill="#ffffff"/>',
        '<g fill="#24323d"><text x="24" y="32" font-weight="600">Milliseconds for one run, each line ten times the last</text>',
    ]
    measured = [engine for engine in _COLOURS if any(engine in known[name] for name in _ROWS)]
    for index, (engine, colour) in enumerate((engine, _COLOURS[engine]) for engine in measured):
        x = _LEFT + 150 * index
        lines.append(f'<rect x="{x}" y="46" width="12" height="12" fill="{colour}"/><text x="{x + 18}" y="57">{engine}</text>')
    times = [value for name in _ROWS for value in known[name].values()]
    low, high = math.floor(math.log10(min(times))), math.log10(max(times))
    scale = _WIDTH / (high - low)
    for power in range(low + 1, math.floor(high) + 1):
        x = _LEFT + scale * (power - low)
        lines.append(f'<path d="M{x:.0f} {_TOP - 4}V{height - 14}" stroke="#d7dee2"/>')
    for row, name in enumerate(_ROWS):
        y = _TOP + _ROW * row
        lines.append(f'<text x="{_LEFT - 12}" y="{y + 30}" text-anchor="end">{name}</text>')
        for bar, (engine, value) in enumerate(known[name].items()):
            width = max(2.0, scale * (math.log10(value) - low))
            lines.append(f'<rect x="{_LEFT}" y="{y + 3 + 12 * bar}" width="{width:.0f}" height="10" fill="{_COLOURS[engine]}"/>')
            lines.append(f'<text x="{_LEFT + width + 6:.0f}" y="{y + 12 + 12 * bar}" font-size="11">{value:g}</text>')
    return "\n".join([*lines, "</g></svg>"]) + "\n"


if __name__ == "__main__":
    CHART.write_text(svg(), encoding="utf-8")

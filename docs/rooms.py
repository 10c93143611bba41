"""Draws the rooms of the package in the order of the import contract: ``python docs/rooms.py`` writes docs/pages/rooms.svg."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "docs/pages/rooms.svg"
_WIDTH, _LEFT, _ROW, _GAP, _LINE = 860, 24, 50, 10, 13
_INSIDE = "bashkit.interp"  # the room whose own layers are drawn, too


def layers(contract: str) -> list[list[str]]:
    """The modules of each layer of a contract of pyproject.toml, from the top."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = next(entry for entry in settings["tool"]["importlinter"]["contracts"] if entry["name"] == contract)
    return [layer.split(" : ") for layer in found["layers"]]


def caption(module: str, columns: int) -> list[str]:
    """What a module says of itself, in two lines: the first line of its docstring, or the beginning where that is too long."""
    base = ROOT / ("tui" if module.startswith("bashkit_tui") else "") / module.replace(".", "/")
    path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = text.partition("\n")[0].rstrip(".")
    lines = textwrap.wrap(first, columns)
    return lines if len(lines) < 3 else textwrap.wrap(re.split(r"[:;,.(]", first)[0], columns)[:2]


def _box(module: str, x: float, y: float, width: float) -> list[str]:
    name = module.removeprefix("bashkit.").removeprefix("interp.")
    middle = x + width / 2
    text = [f'<text x="{middle:.0f}" y="{y + 17}" font-weight="600">{escape(name)}</text>']
    text += [
        f'<text x="{middle:.0f}" y="{y + 31 + _LINE * row}" font-size="11" fill="#566570">{escape(line)}</text>'
        for row, line in enumerate(caption(module, int(width / 6.6)))
    ]
    return [f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{_ROW}" rx="5" fill="#eef4f4" stroke="#24606b"/>', *text]


def _rows(rows: list[list[str]], x: float, y: int, width: float) -> tuple[list[str], int]:
    """Rows of boxes; what follows begins at the height that is returned."""
    lines: list[str] = []
    for row in rows:
        each = (width - _GAP * (len(row) - 1)) / len(row)
        if row == [_INSIDE]:
            inner, end = _rows(layers("Inside the interpreter, too"), x + 150, y + _GAP, width - 150 - _GAP)
            lines.append(f'<rect x="{x}" y="{y}" width="{width}" height="{end - y}" rx="5" fill="#dfeaea" stroke="#24606b"/>')
            lines.append(f'<text x="{x + 75}" y="{(y + end) // 2 - 4}" font-weight="600">interp</text>')
            lines.append(
                f'<text x="{x + 75}" y="{(y + end) // 2 + 12}" font-size="11" fill="#566570">{caption(_INSIDE, 22)[0]}</text>'
            )
            lines += inner
            y = end + _GAP
            continue
        for place, module in enumerate(row):
            lines += _box(module, x + place * (each + _GAP), y, each)
        y += _ROW + _GAP
    return lines, y


def svg() -> str:
    """The drawing: a room imports from rooms below it, and from none above or beside it."""
    boxes, height = _rows(layers("Imports point one way"), _LEFT, 48, _WIDTH - 2 * _LEFT)
    size = f'width="{_WIDTH}" height="{height + 14}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height + 14}" font-family="system-ui" font-size="14">',
        "<title>The rooms of bashkit: each imports from those below it</title>",
        f'<rect {size} rx="10" fill="#ffffff"/>',
        '<g fill="#24323d">',
        f'<text x="{_LEFT}" y="30" font-weight="600">A room imports from rooms below it, never from above</text>',
        '<g text-anchor="middle">',
        *boxes,
        "</g></g></svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DRAWING.write_text(svg(), encoding="utf-8")

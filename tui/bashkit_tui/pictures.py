"""Pictures of the inspector without a terminal: the same toolset gives the same SVG everywhere."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from bashkit.toolset.text.suggestions import instead
from bashkit_tui.app import InspectorApp
from bashkit_tui.panes import panes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bashkit_tui.main_screen.screen import InspectorScreen

_SIZE = re.compile(r"(\d{1,3})x(\d{1,3})")
_LEAST = (40, 10)
_FOREVER = 86_400.0  # seconds between two polls of the files: a picture must not change while it is taken


class PictureError(Exception):
    """A picture cannot be made; the message says why."""


def picture(
    paths: Sequence[Path], *, size: str = "140x40", tab: str | None = None, tool: str | None = None, theme: str | None = None
) -> str:
    """The inspector as an SVG.

    Args:
        paths: Toolset files or directories; the bundled toolsets when empty.
        size: Columns and rows: ``140x40``.
        tab: The id of the pane that is shown; the first one when left out.
        tool: The tool that is selected; the first one when left out.
        theme: The name of the theme.

    Raises:
        PictureError: The tab, the tool, the theme or the size does not exist.
    """
    found = _SIZE.fullmatch(size)
    columns, rows = (int(found[1]), int(found[2])) if found else (0, 0)
    if columns < _LEAST[0] or rows < _LEAST[1]:
        raise PictureError(f"{size!r} is not a size: write columns and rows as in 140x40, at least {_LEAST[0]}x{_LEAST[1]}")
    tab = tab or next(iter(panes()))
    if tab not in panes():
        raise PictureError(f"there is no tab {tab!r}; there are {', '.join(panes())}")
    app = InspectorApp(paths, poll_seconds=_FOREVER)
    if theme is not None:
        if theme not in app.available_themes:
            raise PictureError(f"there is no theme {theme!r}; there are {', '.join(app.available_themes)}")
        app.theme = theme
    app.animation_level = "none"
    return asyncio.run(_taken(app, (columns, rows), tab, tool))


async def _taken(app: InspectorApp, size: tuple[int, int], tab: str, tool: str | None) -> str:
    from bashkit_tui.main_screen.screen import InspectorScreen

    async with app.run_test(size=size) as pilot:
        while not (isinstance(screen := app.screen, InspectorScreen) and screen.ready):
            await pilot.pause(0.01)
        if tool is not None:
            _select(screen, tool)
        await screen.action_tab(tab)
        for _ in range(3):  # a refresh may ask for another layout
            await pilot.pause()
        return app.export_screenshot(title="bashkit", simplify=True)


def _select(screen: InspectorScreen, tool: str) -> None:
    names: list[str] = []
    for opened in screen.opened:
        if opened.tool(tool) is not None:
            screen.go_to_tool(opened.path, tool)
            return
        names += [item.definition.name for item in opened.tools]
    raise PictureError(f"there is no tool {tool!r}: {instead(tool, names)}")

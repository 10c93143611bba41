"""What an inspector shows, compared with the pictures that are kept of it."""

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension
from textual.widgets import Input, TextArea

from bashkit_tui.settings.themes import DARK, LIGHT

USUAL, SMALLEST = pytest.param((140, 40), id="140x40", marks=pytest.mark.thorough), pytest.param((80, 24), id="80x24")
both_sizes = pytest.mark.parametrize("size", [USUAL, SMALLEST])


async def picture(inspector):
    """The picture of a screen at rest."""
    for field in (*inspector.screen.query(Input), *inspector.screen.query(TextArea)):
        field.cursor_blink = False
    before, shown = None, ""
    while shown != before:  # what a theme or a size changes comes in several steps, some of them by timers
        await inspector.pilot.pause(0.02)
        await inspector.settled()
        before, shown = shown, inspector.app.export_screenshot(title="bashkit", simplify=True)
    return shown


async def in_both_themes(inspector, snapshot):
    """The names of the themes in which a screen differs from the picture that is kept of it."""
    different = []
    for theme in (DARK, LIGHT):
        inspector.app.theme = theme.name
        name = theme.name.removeprefix("bashkit-")
        if await picture(inspector) != snapshot(name=name, extension_class=SVGImageSnapshotExtension):
            different.append(name)
    return different

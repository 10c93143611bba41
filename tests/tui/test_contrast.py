"""The high-contrast theme has the contrast that WCAG 2 asks for at its highest level: 7 to 1 for every letter."""

import unicodedata

import pytest

from bashkit_tui.settings.themes import CONTRAST

pytestmark = pytest.mark.thorough

SCRIPT = """\
# plants
for id in 1 7; do
  get_plant --id $id | jq -r '.name' > name.$id || echo "status $?" >&2
done
list_plants
"""


def _luminance(color):
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = [part / 255 for part in color]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _ratio(first, second):
    """https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio"""
    low, high = sorted([_luminance(first), _luminance(second)])
    return (high + 0.05) / (low + 0.05)


def _weak(widget):
    """The texts in a widget's place on the screen whose letters have less than 7 to 1, with what they have."""
    found, letters_seen = [], 0
    place = widget.region
    for strip in widget.screen._compositor.render_strips()[place.y : place.bottom]:
        for segment in strip.crop(place.x, place.right):
            style = segment.style
            if style is None or not any(unicodedata.category(letter)[0] in "LNP" for letter in segment.text):
                continue
            letters_seen += len(segment.text)
            assert style.color is not None
            assert style.bgcolor is not None
            letters, ground = (tuple(color.get_truecolor()) for color in (style.color, style.bgcolor))
            if style.reverse:
                letters, ground = ground, letters
            if style.dim or _ratio(letters, ground) < 7:
                found.append((segment.text, "dim" if style.dim else round(_ratio(letters, ground), 2)))
    assert letters_seen > 100
    return found


@pytest.mark.parametrize("pane", ["tool", "script", "prompt", "problems"])
async def test_every_letter_of_the_screen_stands_out(inspect, no_time, pane):
    async with inspect(size=(140, 40), theme=CONTRAST) as inspector:
        await inspector.run(SCRIPT)
        inspector.tab = pane
        await inspector.settled()
        assert _weak(inspector.screen) == []


async def test_so_does_every_letter_of_the_help(inspect):
    async with inspect(size=(140, 40), theme=CONTRAST) as inspector:
        await inspector.press("f1")
        await inspector.settled()
        # what is behind the dialog is pale on purpose
        assert _weak(inspector.screen.children[-1]) == []

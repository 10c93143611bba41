"""Long output: every character of a wrapped line is visible, with a scrollbar and without."""

import pytest

LETTERS = "".join(f"{letter}{digit}" for letter in "abcdefghijklmnopqrstuvwxyz" for digit in range(10))
PRINTED = 'printf "%s" {a..z}{0..9}; echo'


def visible(log):
    """The characters of a log's visible rows that no scrollbar covers."""
    columns = log.scrollable_content_region.width
    return "".join(log.render_line(row).text[:columns].rstrip() for row in range(log.size.height))


@pytest.mark.parametrize("times", [1, 14], ids=["fits", "overflows"])
async def test_a_wrapped_line_keeps_every_character(inspect, times):
    async with inspect(size=(160, 40)) as inspector:
        await inspector.run(f"for i in {{1..{times}}}; do {PRINTED}; done")
        log = inspector.one("#output")
        assert log.show_vertical_scrollbar == (times > 1)
        log.scroll_home(animate=False)
        await inspector.settled()
        assert visible(log).startswith(LETTERS)


@pytest.mark.thorough
async def test_a_wrapped_line_of_a_file_keeps_every_character(inspect):
    async with inspect(size=(160, 40)) as inspector:
        await inspector.run(f"echo short > /a; for i in {{1..30}}; do {PRINTED}; done > /letters")
        inspector.one("#traces").active = "files"
        await inspector.until(lambda: inspector.screen.query("#file-tree"))
        inspector.one("#file-tree").focus()
        await inspector.press("home", "end")
        log = inspector.one("#file-preview")
        assert log.show_vertical_scrollbar
        assert visible(log).startswith(LETTERS)

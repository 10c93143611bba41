"""The last line: whole keys, pressed by clicks too."""

import pytest

from bashkit_tui.widgets.key_bar import KeyBar

pytestmark = pytest.mark.thorough


def shown(inspector):
    return inspector.shown().splitlines()[-1].strip()


async def test_a_key_without_room_is_left_out_whole(inspect):
    async with inspect(size=(40, 20)) as inspector:
        assert shown(inspector) == "^r Run  / Filter  ^q Quit  f1 Keys"
        await inspector.pilot.resize_terminal(60, 20)
        await inspector.until(lambda: shown(inspector) == "^r Run  / Filter  ^q Quit  f1 Keys  ^p Palette")


async def test_the_key_that_lists_all_keys_stays(inspect):
    async with inspect(size=(20, 20)) as inspector:
        assert shown(inspector) == "^r Run  f1 Keys"


async def test_a_click_presses_a_key(inspect):
    async with inspect() as inspector:
        await inspector.pilot.click(KeyBar, offset=(shown(inspector).index("f1") + 2, 0))
        await inspector.settled()
        assert type(inspector.screen).__name__ == "HelpScreen"


async def test_a_click_between_two_keys_presses_none(inspect):
    async with inspect() as inspector:
        before = inspector.screen
        await inspector.pilot.click(KeyBar, offset=(shown(inspector).index("  f1") + 1, 0))
        await inspector.settled()
        assert inspector.screen is before


async def test_the_pointer_explains_a_key(inspect):
    async with inspect() as inspector:
        bar = inspector.one(KeyBar)
        await inspector.pilot.hover(KeyBar, offset=(shown(inspector).index("/") + 1, 0))
        assert bar.tooltip == "Type a few letters of the tools that are wanted"
        await inspector.pilot.hover("#tree")
        assert bar.tooltip is None


async def test_a_zoomed_part_keeps_the_keys(inspect):
    async with inspect() as inspector:
        before = shown(inspector)
        await inspector.press("z")
        assert inspector.screen.maximized is not None
        assert shown(inspector) == before


async def test_below_a_dialog_it_shows_no_key_that_does_not_work(inspect):
    async with inspect() as inspector:
        bar = inspector.one(KeyBar)
        before = [key.action for key in bar.shown]
        await inspector.press("ctrl+t")
        assert bar.shown == ()
        await inspector.press("escape")
        assert [key.action for key in bar.shown] == before

"""Terminals without room: nothing is lost, and the picture comes back with the room."""

import pytest

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("tab", ["tool", "script", "prompt", "problems"])
async def test_a_terminal_without_room_and_back(inspect, tab):
    async with inspect(size=(100, 30)) as inspector:
        inspector.tab = tab
        await inspector.settled()
        before = inspector.shown()
        for size in [(20, 20), (3, 60), (1, 1), (200, 3), (100, 30)]:
            await inspector.pilot.resize_terminal(*size)
            await inspector.until(lambda size=size: inspector.app.size == size and inspector.screen.size == size)
            await inspector.settled()
        await inspector.until(lambda: inspector.shown() == before)

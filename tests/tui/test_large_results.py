"""Results that are too large for the screen: kept whole in the details of their call, and saved from there."""

import json

from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.screens.call import CallScreen
from bashkit_tui.widgets.json_tree import JsonTree

ROWS = [{"id": number, "name": "x" * 100} for number in range(3_000)]


async def test_a_result_of_300_kb_is_shown_as_json_and_saved_whole(inspect, tmp_path):
    (tmp_path / "large.yaml").write_text(json.dumps({"version": 1, "name": "large", "tools": [{"name": "many", "stub": ROWS}]}))
    async with inspect(tmp_path / "large.yaml") as inspector:
        await inspector.run("many | wc -c")
        inspector.one(CallTree).focus()
        await inspector.press("enter")
        assert isinstance(inspector.screen, CallScreen)
        assert isinstance(inspector.app.focused, JsonTree)
        await inspector.press("s")
        field = inspector.one("Input")
        assert field.value == "many-stdout.json"
        field.value = str(tmp_path / "saved.json")
        await inspector.press("enter")
        assert json.loads((tmp_path / "saved.json").read_text()) == ROWS

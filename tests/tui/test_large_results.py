"""Results that are too large for the screen: kept whole in the details of their call, and saved from there."""

import json

import pytest
from rich.style import Style
from textual.widgets import Input

from bashkit.tools import ToolCall
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.screens.call import CallScreen
from bashkit_tui.widgets.json_tree import JsonTree
from bashkit_tui.widgets.output_log import OutputLog

pytestmark = pytest.mark.thorough

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


async def details(inspector, stdout):
    """Open the details of a call that gave a text."""
    call = ToolCall("many", 1, 1, {}, 0.0, exit_code=0, duration=1.0, stdout=stdout, stdout_bytes=len(stdout))
    inspector.app.push_screen(CallScreen([call], 0, inspector.screen.current.toolset))
    await inspector.until(lambda: isinstance(inspector.screen, CallScreen) and inspector.screen.is_mounted)
    await inspector.settled()
    return inspector.app.focused


async def search(inspector, words):
    await inspector.press("slash")
    await found(inspector, words)


async def found(inspector, words):
    """Type the words of a search, and wait as it does for the fingers to rest."""
    await inspector.until(lambda: isinstance(inspector.app.focused, Input))
    await inspector.press(*words)
    await inspector.until(lambda: inspector.one("#search")._timer is None and inspector.text("#search-count"))


def label(tree):
    return tree.render_label(tree.cursor_node, Style(), Style()).plain


async def test_json_of_five_megabytes_makes_only_the_nodes_that_can_be_seen(inspect):
    rows = [{"id": number, "name": "x" * 100} for number in range(40_000)]
    async with inspect() as inspector:
        tree = await details(inspector, json.dumps(rows))
        assert isinstance(tree, JsonTree)
        assert len(tree._tree_nodes) < 1_000
        assert tree.shown == rows


async def test_entries_that_are_folded_are_opened_a_part_at_a_time(inspect):
    async with inspect() as inspector:
        tree = await details(inspector, json.dumps(list(range(1_200))))
        await inspector.press("end")
        assert label(tree) == "… 700 more"
        await inspector.press("enter")
        assert label(tree) == "500: 500"
        await inspector.press("end")
        assert label(tree) == "… 200 more"
        await inspector.press("enter", "end")
        assert label(tree) == "1199: 1199"


async def test_words_are_searched_in_json_where_it_is_folded_too(inspect):
    rows = [{"id": number, "more": {"name": f"plant {number}"}} for number in range(3_000)]
    rows[2_500]["more"]["secret"] = "Aloe"
    rows[7]["secret"] = None
    async with inspect() as inspector:
        tree = await details(inspector, json.dumps(rows))
        await search(inspector, "secret")
        assert (inspector.text("#search-count"), label(tree)) == ("1 of 2", "secret: null")
        await inspector.press("down")
        assert (inspector.text("#search-count"), label(tree)) == ("2 of 2", 'secret: "Aloe"')
        await inspector.press("down")
        assert (inspector.text("#search-count"), label(tree)) == ("1 of 2", "secret: null")
        await inspector.press("up", "escape")
        assert inspector.app.focused is tree
        assert label(tree) == 'secret: "Aloe"'
        await search(inspector, "aloe")
        assert label(tree) == 'secret: "Aloe"'
        await inspector.press("escape")
        await search(inspector, "aLoe")
        assert inspector.text("#search-count") == "not found"


async def test_a_long_text_is_folded_and_searched_whole(inspect):
    text = "".join(f"line {number}\n" for number in range(20_000)) + "x" * 9_000
    async with inspect() as inspector:
        log = await details(inspector, text)
        assert isinstance(log, OutputLog)
        assert "line 0" in inspector.shown()
        await inspector.press("end")
        await inspector.until(lambda: "… 15\u202f003 more lines: + shows them" in inspector.shown())
        await search(inspector, "line 19999")
        assert inspector.text("#search-count") == "1 of 1"
        await inspector.settled()
        assert "line 19999" in inspector.shown()
        assert "more lines" not in "".join(strip.text for strip in log.lines)
        await inspector.press("escape", "y")
        assert inspector.app.clipboard == text


async def test_the_output_of_a_script_is_searched(inspect):
    async with inspect() as inspector:
        await inspector.run("seq 1000")
        inspector.one("#output").focus()
        await inspector.press("ctrl+f")
        await found(inspector, "77")
        assert inspector.text("#search-count") == "1 of 19"
        await inspector.press("escape")
        assert inspector.app.focused is inspector.one("#output")

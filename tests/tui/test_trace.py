"""The trace: rows and bars, the tree of calls, everything about one call, and the ways out of it."""

import json

import pytest
from textual.widgets import TabbedContent

from bashkit.tools import ToolCall
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.runs.trace_rows import TraceRow, bar, rows
from bashkit_tui.screens.call import CallScreen
from bashkit_tui.widgets.json_tree import JsonTree
from bashkit_tui.widgets.stream_view import json_value

pytestmark = pytest.mark.thorough


def call(line, started=0.0, duration=1.0, **fields):
    return ToolCall("get", line, 1, {}, started, duration=duration, exit_code=0, **fields)


# -- rows and bars -----------------------------------------------------------------------------------------------------

CALLS = [call(3), call(1), call(3)]


@pytest.mark.parametrize(
    ("by_line", "folded", "found"),
    [
        (False, set(), [TraceRow(3, (0,)), TraceRow(1, (1,)), TraceRow(3, (2,))]),
        (
            True,
            set(),
            [TraceRow(1, (1,)), TraceRow(3, (0, 2), heading=True), TraceRow(3, (0,), depth=1), TraceRow(3, (2,), depth=1)],
        ),
        (True, {3}, [TraceRow(1, (1,)), TraceRow(3, (0, 2), heading=True)]),
    ],
)
def test_calls_are_gathered_under_their_lines(by_line, folded, found):
    assert rows(CALLS, by_line=by_line, folded=folded) == found


@pytest.mark.parametrize(
    ("spans", "total", "width", "drawn"),
    [
        ([(0.0, 1.0)], 1.0, 4, "████"),
        ([(0.0, 0.5)], 1.0, 4, "██"),
        ([(0.5, 1.0)], 1.0, 4, "  ██"),
        ([(0.125, 0.375)], 1.0, 4, "▐▌"),
        ([(0.9999, 1.0)], 1.0, 4, "   ▐"),
        ([(0.0, 0.0)], 1.0, 4, "▌"),
        ([(0.0, 0.25), (0.75, 1.0)], 1.0, 4, "█  █"),
        ([(0.0, 0.0)], 0.0, 4, "▌"),
        ([(5.0, 9.0)], 1.0, 4, "   ▐"),
        ([(0.0, 1.0)], 1.0, 0, ""),
    ],
)
def test_a_bar_is_drawn_to_half_a_column(spans, total, width, drawn):
    assert bar(spans, total, width) == drawn


def test_a_call_that_runs_lasts_until_now():
    assert call(1, started=2.0, duration=None).span(5.0) == (2.0, 5.0)


# -- the tree ----------------------------------------------------------------------------------------------------------

SCRIPT = "for id in 1 2; do\n  get_plant --id $id\ndone\nlist_plants | head -c 5\nget_plant --id 7\n"


def drawn(inspector):
    tree = inspector.one(CallTree)
    return [tree.render_line(y).text.rstrip() for y in range(len(tree._rows) + 1)]


def words(inspector):
    return [" ".join(line.split()[:5]) for line in drawn(inspector)[1:]]


async def traced(inspector):
    await inspector.run(SCRIPT)
    inspector.one(CallTree).focus()
    await inspector.settled()


async def test_the_calls_stand_below_their_lines(inspect, no_time):
    async with inspect() as inspector:
        await traced(inspector)
        tree, editor = inspector.one(CallTree), inspector.script.editor
        assert words(inspector) == [
            "▾ 2 2 calls get_plant", "2:3 get_plant id=1 unit=litre 0", "2:3 get_plant id=2 unit=litre 0",
            "4:1 list_plants 0 0 ms", "5:1 get_plant id=7 unit=litre 1",
        ]  # fmt: skip
        await inspector.press("y")
        assert inspector.app.clipboard == "get_plant --id 1 --unit litre"
        await inspector.press("space")
        assert words(inspector)[0].startswith("▸ 2 2 calls")
        assert len(words(inspector)) == 3
        await inspector.press("space")
        assert len(words(inspector)) == 5

        await inspector.pilot.click(CallTree, offset=(10, 3))
        await inspector.settled()
        assert tree.current == 1
        await inspector.press("g")
        assert (inspector.app.focused, editor.cursor_location) == (editor, (1, 2))
        editor.go_to(2, 1)
        await inspector.press("ctrl+g")
        assert (inspector.app.focused, tree.current) == (tree, 0)

        await inspector.press("end", "t")  # in the order of the calls
        assert [line.split()[0] for line in words(inspector)] == ["2:3", "2:3", "4:1", "5:1"]
        assert tree.current == 3
        await inspector.pilot.click(CallTree, offset=(10, 3), times=2)
        await inspector.until(lambda: isinstance(inspector.screen, CallScreen))


async def test_parallel_calls_overlap(inspect):
    async with inspect() as inspector:
        await inspector.write("")
        tree = inspector.one(CallTree)
        tree.begin("a & b & wait")
        tree.show([call(1, 0.0, 1.0), call(1, 0.1, 1.0)], 2.0)
        first, second = (line.rpartition(" ms")[2] or line for line in drawn(inspector)[2:])
        assert first.count("█") > 5
        assert second.count("█") > 5
        bars = [{place for place, letter in enumerate(line) if letter in "█▌▐"} for line in drawn(inspector)[2:]]
        assert len(bars[0] & bars[1]) > len(bars[0] - bars[1])


async def test_a_line_without_calls_says_so(inspect):
    async with inspect() as inspector:
        await inspector.run("echo a")
        await inspector.press("ctrl+g")
        assert inspector.notes == ["Line 1 made no call in the last run."]


async def test_the_trace_is_exported_as_json_lines(inspect, tmp_path):
    async with inspect() as inspector:
        await traced(inspector)
        await inspector.press("x")
        inspector.one("#path-input").value = str(tmp_path / "no" / "where")
        await inspector.press("enter")
        assert inspector.text("#path-problem").endswith("No such file or directory")
        inspector.one("#path-input").value = str(tmp_path / "t.jsonl")
        await inspector.press("enter")
        found = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [(item["tool"], item["line"], item["exit_code"]) for item in found] == [
            ("get_plant", 2, 0), ("get_plant", 2, 0), ("list_plants", 4, 0), ("get_plant", 5, 1),
        ]  # fmt: skip
        assert found[0]["stdout"] == '{"id":1,"name":"Fern"}\n'


async def test_a_run_is_exported_as_a_page_and_as_a_timeline(inspect, tmp_path):
    async with inspect() as inspector:
        await traced(inspector)
        for name in ("run.html", "run.json"):
            await inspector.press("x")
            assert inspector.one("#path-input").value == "run.html"
            inspector.one("#path-input").value = str(tmp_path / name)
            await inspector.press("enter")
        page = (tmp_path / "run.html").read_text(encoding="utf-8")
        assert page.count("<details>") == 4
        assert "<h3>Result</h3><pre>{&quot;id&quot;:1,&quot;name&quot;:&quot;Fern&quot;}" in page
        events = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["traceEvents"]
        assert [event["name"] for event in events if event["ph"] == "X"] == [
            "script",
            "get_plant",
            "get_plant",
            "list_plants",
            "get_plant",
        ]


# -- one call ----------------------------------------------------------------------------------------------------------


async def opened(inspector, *keys):
    await traced(inspector)
    await inspector.press(*keys, "enter")
    await inspector.until(lambda: isinstance(inspector.screen, CallScreen) and inspector.screen.is_mounted)
    await inspector.settled()


async def test_a_call_shows_what_it_was_given_and_what_it_gave(inspect, no_time):
    async with inspect() as inspector:
        await opened(inspector, "down")
        assert inspector.text("#call-facts").startswith("get_plant  ✓ exit 0  line 2:3 · after 0 ms · took 0 ms")
        assert inspector.text("#call-command") == "get_plant --id 1 --unit litre"
        assert inspector.one("#call-parts", TabbedContent).active == "call-stdout"
        assert inspector.one("#call-stdout-view").query_one(JsonTree).shown == {"id": 1, "name": "Fern"}
        await inspector.press("left_square_bracket")
        assert "no stdin" in str(inspector.one("#call-stdin-view").query_one("#nothing").render())
        await inspector.press("left_square_bracket")
        assert inspector.one("#call-arguments-view").query_one(JsonTree).shown == {"id": 1, "unit": "litre"}
        await inspector.press(*["right_square_bracket"] * 3, "c")
        assert inspector.one("#call-parts", TabbedContent).active == "call-stderr"
        assert inspector.app.clipboard == "get_plant --id 1 --unit litre"
        await inspector.press("escape")
        assert inspector.app.focused is inspector.one(CallTree)


async def test_the_calls_are_gone_through(inspect):
    async with inspect() as inspector:
        await opened(inspector)
        await inspector.press("n", "n")
        assert inspector.text("#call-facts").startswith("list_plants")
        await inspector.press("n", "n", "n", "p")
        assert inspector.text("#call-facts").startswith("list_plants")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}), ("[1]\n", [1]), ('{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]), ("1", None), ("text", None), ("{", None),
        ("{} x", None), ("[" * 100_000, None),
    ],
)  # fmt: skip
def test_json_is_recognised(text, value):
    assert json_value(text) == value


async def test_json_folds_and_is_copied(inspect):
    async with inspect() as inspector:
        await opened(inspector)
        tree = inspector.one("#call-stdout-view").query_one(JsonTree)
        assert inspector.app.focused is tree
        await inspector.press("down", "y")
        assert inspector.app.clipboard == "Fern"
        tree.show({"deep": {"er": [1, {"x": None}]}, "long": "line\n" * 50})
        await inspector.press("minus")
        assert not tree.root.children[0].is_expanded or tree.cursor_node is tree.root.children[0]


async def test_the_details_follow_the_order_of_the_trace(inspect):
    """The first call of line 3 is older than the second of line 1."""
    async with inspect() as inspector:
        await inspector.run("f() { get_plant --id $1; }\n\nf 1; list_plants > /dev/null; f 2")
        tree = inspector.one(CallTree)
        tree.focus()
        await inspector.press("end", "home", "down", "enter")
        shown = []
        for _ in range(3):
            shown.append(inspector.text("#call-facts").split("line ")[1].split(":")[0])
            await inspector.press("n")
        assert shown == ["1", "1", "3"]


async def test_the_traceback_of_a_callback_stands_in_the_details(inspect, tmp_path):
    (tmp_path / "failing_api.py").write_text("def fail(args):\n    return inner(args)\n\n\ndef inner(args):\n    return 1 / 0\n")
    (tmp_path / "failing.yaml").write_text(
        "version: 1\nname: failing\ntools:\n  - {name: fail, callback: {python: failing_api.fail}}\n  - {name: fine, stub: 1}\n"
    )
    async with inspect(tmp_path / "failing.yaml") as inspector:
        await inspector.run("fine; fail")
        inspector.one(CallTree).focus()
        await inspector.press("end", "enter")
        inspector.one("#call-parts", TabbedContent).active = "call-traceback"
        await inspector.settled()
        text = inspector.one("#call-traceback-view #text").text
        assert 'failing_api.py", line 2, in fail' in text
        assert text.rstrip().endswith("ZeroDivisionError: division by zero")
        assert "bashkit/" not in text
        await inspector.press("p")
        assert not inspector.one("#call-parts", TabbedContent).get_tab("call-traceback").display

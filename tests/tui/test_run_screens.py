"""Forms, scripts, calls, files and histories as pictures: `pytest -m '' tests/tui --snapshot-update` keeps them anew after a change that was meant.

Each at a usual and at the smallest size, in the dark and in the light theme.
"""

import time

import pytest
from textual.widgets import Input, TabbedContent

from bashkit.runs.history_file import HistoryFile, PastCall, PastRun
from bashkit.tools import ToolCall
from bashkit.tools.analyze import analyze
from bashkit.tools.call.policy import PlannedCall
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.panes.script.completion_list import CompletionList
from bashkit_tui.panes.script.file_view import FileTree, FileView
from bashkit_tui.panes.tool.tool_form import ToolForm
from bashkit_tui.panes.tool.tool_view import ToolView
from bashkit_tui.screens.approval import ApprovalScreen
from bashkit_tui.screens.call import CallScreen
from bashkit_tui.screens.compare import CompareScreen
from bashkit_tui.screens.history import HistoryScreen

from .pictures import both_sizes, in_both_themes

SCRIPT = """\
# the names of two plants, both asked for at once
for id in 1 2; do
  get_plant --id $id | jq -r .name > name.$id &
done
wait
list_plants | jq -c '.[]'
get_plant --id 7 || echo "status $?" >&2
"""


def call(tool, line, started, duration, arguments, exit_code=0, **fields):
    return ToolCall(tool, line, 3, arguments, started, duration=duration, exit_code=exit_code, attempts=1, **fields)


CALLS = [
    call("get_plant", 3, 0.01, 0.42, {"id": 1, "unit": "litre"}, pipeline=1, stdout_bytes=23, stdout='{"id":1,"name":"Fern"}\n'),
    call("get_plant", 3, 0.02, 0.31, {"id": 2, "unit": "litre"}, pipeline=2, stdout_bytes=23, stdout='{"id":2,"name":"Aloe"}\n'),
    call("list_plants", 6, 0.45, 0.25, {}, stdout_bytes=47, stdout='[{"id":1,"name":"Fern"},{"id":2,"name":"Aloe"}]\n'),
    call(
        "get_plant",
        7,
        0.75,
        0.1,
        {"id": 7, "unit": "litre"},
        1,
        stderr_bytes=32,
        stderr="get_plant: there is no plant 7\n",
        error="there is no plant 7",
    ),
]
OLD = PastRun(1_750_000_000.0, "greenhouse", "real", SCRIPT, 0, None, 1.25, 4, "Fern\nAloe\n", "status 1\n",
              tuple(PastCall(one.tool, one.line, one.arguments, one.exit_code, one.duration) for one in CALLS))  # fmt: skip
NEW = PastRun(
    1_750_003_600.0,
    "greenhouse",
    "stub",
    SCRIPT.replace("1 2;", "2;"),
    1,
    None,
    0.5,
    1,
    "Aloe\n",
    "",
    (PastCall("get_plant", 3, {"id": 2}, 0, 0.3),),
)


@pytest.fixture
def look(inspect, snapshot, monkeypatch, no_time):
    """Open an inspector, do something, and compare what it shows then with the kept pictures."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()

    async def compare(size, steps):
        async with inspect(size=size) as inspector:
            await inspector.settled()
            await steps(inspector)
            assert await in_both_themes(inspector, snapshot) == []

    yield compare
    monkeypatch.undo()
    time.tzset()


async def part(inspector, name):
    await inspector.until(lambda: inspector.one(ToolView)._definition is not None)
    inspector.one(ToolView).show_part(name)
    await inspector.settled()


async def shown(inspector, kind):
    await inspector.until(lambda: isinstance(inspector.screen, kind) and inspector.screen.is_mounted)
    await inspector.settled()


@both_sizes
async def test_form(look, size):
    async def steps(inspector):
        await part(inspector, "form")
        await inspector.until(lambda: inspector.app.focused is inspector.one(ToolForm).rows[0].control)
        await inspector.press("0")

    await look(size, steps)


@both_sizes
async def test_schema(look, size):
    await look(size, lambda inspector: part(inspector, "schema"))


@both_sizes
async def test_usage(look, size):
    await look(size, lambda inspector: part(inspector, "usage"))


@pytest.mark.usefixtures("tree_sitter")
@both_sizes
async def test_completion(look, size):
    async def steps(inspector):
        await inspector.write("echo begun\nfi\nget_plant ")
        await inspector.until(lambda: inspector.script.editor.vocabulary is not None)
        await inspector.press("minus")
        await inspector.until(lambda: inspector.one(CompletionList).offered)

    await look(size, steps)


async def ran(inspector):
    await inspector.run(SCRIPT)
    tree = inspector.one(CallTree)
    tree.show(CALLS, 0.9)
    tree.focus()


@pytest.mark.thorough
@pytest.mark.usefixtures("tree_sitter")
@both_sizes
async def test_script_after_a_run(look, size):
    await look(size, ran)


@pytest.mark.thorough
@pytest.mark.usefixtures("tree_sitter")
@both_sizes
async def test_files_of_a_run(look, size):
    async def steps(inspector):
        await inspector.run(SCRIPT)
        inspector.one("#traces", TabbedContent).active = "files"
        await inspector.until(lambda: inspector.screen.query(FileView) and inspector.one(FileTree).root.children)
        await inspector.settled()
        inspector.one(FileTree).focus()
        await inspector.press("end")

    await look(size, steps)


@both_sizes
async def test_call(look, size):
    async def steps(inspector):
        await inspector.write(SCRIPT)
        inspector.app.push_screen(CallScreen(CALLS, 2, inspector.screen.current.toolset))
        await shown(inspector, CallScreen)

    await look(size, steps)


@pytest.mark.usefixtures("tree_sitter")
@both_sizes
async def test_approval(look, size):
    async def steps(inspector):
        await inspector.write(SCRIPT)
        inspector.app.push_screen(ApprovalScreen(PlannedCall("water", {"id": 1, "litres": [1, 2]}, "destructive", 3, 1)))
        await shown(inspector, ApprovalScreen)

    await look(size, steps)


async def test_an_approval_of_a_call_in_a_longer_script(inspect):
    script = analyze("list | tee all\nwater --id 1", {"list": "read", "water": "destructive"}, frozenset({"tee"}))
    async with inspect() as inspector:
        inspector.app.push_screen(ApprovalScreen(PlannedCall("water", {"id": 1}, "destructive", 2, 1, lambda: script)))
        await shown(inspector, ApprovalScreen)
        text = str(inspector.app.screen.query_one("#approval-script").render())
    assert text.splitlines() == [
        "The whole script:",
        "calls      line 1    list  (read)",
        "calls      line 2    water --id 1  (destructive)",
        "writes     line 1    all",
    ]


async def test_a_question_of_a_running_call_is_shown_and_answered_once(inspect):
    question = PlannedCall("water", {}, "write", 1, 1, question="How many litres?", answers={"properties": {"litres": {}}})
    async with inspect() as inspector:
        answers = []
        inspector.app.push_screen(ApprovalScreen(question), answers.append)
        await shown(inspector, ApprovalScreen)
        assert str(inspector.app.screen.query_one("#approval-question").render()) == "How many litres?"
        assert not inspector.app.screen.query("#approval-always")
        await inspector.press("a")
        assert isinstance(inspector.app.screen, ApprovalScreen)
        await inspector.press("y")
        assert answers == ["once"]


@pytest.mark.thorough
@both_sizes
async def test_history(look, size):
    async def steps(inspector):
        HistoryFile().add(OLD)
        HistoryFile().add(NEW)
        await inspector.press("f3")
        await shown(inspector, HistoryScreen)
        await inspector.press("down")

    await look(size, steps)


@pytest.mark.thorough
@both_sizes
async def test_comparison(look, size):
    async def steps(inspector):
        await inspector.write(SCRIPT)
        inspector.app.push_screen(CompareScreen(OLD, NEW))
        await shown(inspector, CompareScreen)

    await look(size, steps)


@pytest.mark.thorough
@pytest.mark.usefixtures("tree_sitter")
@both_sizes
async def test_path_prompt(look, size):
    async def steps(inspector):
        await inspector.write(SCRIPT)
        await inspector.press("ctrl+o")
        inspector.one("#path-input", Input).value = "nowhere.sh"
        await inspector.press("enter")

    await look(size, steps)

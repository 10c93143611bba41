"""The screens of the history: searching it, and two runs side by side."""

from dataclasses import replace

import pytest
from textual.widgets import OptionList

from bashkit.runs.history_file import HistoryFile, PastCall, PastRun
from bashkit_tui.screens.compare import CompareScreen
from bashkit_tui.screens.history import HistoryScreen
from bashkit_tui.scripts.script_history import ScriptHistory

pytestmark = pytest.mark.thorough

RUN = PastRun(0.0, "shop", "real", "echo a", 0, None, 0.5, 1, "a\n", "", (PastCall("get", 1, {"id": 1}, 0, 0.1),))


@pytest.fixture
def kept(tmp_path):
    return HistoryFile(tmp_path / "state" / "history.jsonl")


def test_scripts_of_earlier_sessions_come_before_those_of_this_one():
    history = ScriptHistory()
    history.add("new")
    history.recall(["a", "b", "a", "new"])
    assert [history.previous("draft"), history.previous("new"), history.previous("b"), history.previous("a")] == [
        "new",
        "b",
        "a",
        None,
    ]


# -- on the screen -----------------------------------------------------------------------------------------------------


async def ran(inspector, *scripts):
    for number, script in enumerate(scripts, 1):
        await inspector.run(script)
        await inspector.until(lambda number=number: len(HistoryFile().read()) == number)


async def opened(inspector):
    await inspector.press("f3")
    await inspector.until(lambda: isinstance(inspector.screen, HistoryScreen) and inspector.screen.is_mounted)
    await inspector.settled()


def listed(inspector):
    return [run.script for run in inspector.screen._found]


async def test_a_run_is_kept_with_its_calls_and_outputs(inspect):
    async with inspect() as inspector:
        await ran(inspector, "get_plant --id 1; echo bad >&2; exit 3")
        [run] = HistoryFile().read()
        assert (run.toolset, run.mode, run.exit_code, run.stdout, run.stderr) == (
            "greenhouse",
            "real",
            3,
            '{"id":1,"name":"Fern"}\n',
            "bad\n",
        )
        assert [(call.tool, call.arguments, call.exit_code) for call in run.calls] == [
            ("get_plant", {"id": 1, "unit": "litre"}, 0)
        ]


async def test_what_a_cancelled_run_wrote_is_kept_too(inspect):
    async with inspect() as inspector:
        await inspector.write("echo begun; echo bad >&2; sleep 600")
        await inspector.press("ctrl+r")
        await inspector.until(lambda: len(inspector.output) == 2)
        await inspector.press("escape")
        await inspector.until(lambda: HistoryFile().read())
        [run] = HistoryFile().read()
        assert (run.exit_code, run.error, run.stdout, run.stderr) == (None, "cancelled", "begun\n", "bad\n")


async def test_no_secret_is_kept(inspect, tmp_path, monkeypatch):
    monkeypatch.setenv("PASS", "hunter2")
    file = tmp_path / "s.yaml"
    file.write_text("version: 1\nname: s\nsecrets: [PASS]\ntools: [{name: t, stub: hunter2}]\n")
    async with inspect(file) as inspector:
        await ran(inspector, "t; echo hunter2 >&2; t --key hunter2")
        assert b"hunter2" not in HistoryFile().path.read_bytes()


async def test_the_history_is_searched_and_a_script_taken_up(inspect):
    async with inspect() as inspector:
        await ran(inspector, "echo apple", "echo pear", "echo plum")
        await opened(inspector)
        assert listed(inspector) == ["echo plum", "echo pear", "echo apple"]
        await inspector.press(*"app")
        assert listed(inspector) == ["echo apple"]
        assert "exit 0" in inspector.text("#history-preview")
        await inspector.press("enter")
        assert inspector.script.editor.text == "echo apple"
        assert inspector.app.focused is inspector.script.editor


async def test_a_script_is_run_again(inspect):
    async with inspect() as inspector:
        await ran(inspector, "echo apple", "echo pear")
        await opened(inspector)
        await inspector.press("down", "ctrl+r")
        await inspector.ended()
        assert inspector.output == ["apple"]


async def test_two_runs_are_chosen_and_compared(inspect):
    async with inspect() as inspector:
        await ran(inspector, "echo apple", "echo pear")
        await opened(inspector)
        await inspector.press("insert", "down", "insert")
        await inspector.until(lambda: isinstance(inspector.screen, CompareScreen) and inspector.screen.is_mounted)
        await inspector.settled()
        assert inspector.one("#compare-box").border_subtitle == "differ in: script, standard output"
        lines = inspector.text("#compare-body").splitlines()
        assert any(line.split() == ["echo", "apple", "~", "echo", "pear"] for line in lines)
        await inspector.press("escape", "escape")
        assert not isinstance(inspector.screen, (CompareScreen, HistoryScreen))


async def test_a_run_is_forgotten(inspect):
    async with inspect() as inspector:
        await ran(inspector, "echo apple", "echo pear")
        await opened(inspector)
        await inspector.press("delete")
        assert [run.script for run in HistoryFile().read()] == ["echo apple"]
        assert inspector.one("#history-list", OptionList).option_count == 1


async def test_up_reaches_the_scripts_of_earlier_sessions(inspect):
    async with inspect() as inspector:
        await ran(inspector, "echo apple")
    HistoryFile().add(replace(RUN, toolset="greenhouse", script="echo earlier"))
    HistoryFile().add(replace(RUN, toolset="shop", script="echo elsewhere"))
    async with inspect() as inspector:
        await inspector.write("")
        await inspector.until(lambda: inspector.script.editor.ran.previous("") == "echo earlier")

"""The history: what is kept of a run, how the file holds up, searching it, and two runs side by side."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from textual.widgets import OptionList

from bashkit_tui.runs.history_file import HistoryFile, PastCall, PastRun
from bashkit_tui.runs.run_comparison import compare_runs, pairs
from bashkit_tui.screens.compare import CompareScreen
from bashkit_tui.screens.history import HistoryScreen
from bashkit_tui.scripts.script_history import ScriptHistory

RUN = PastRun(0.0, "shop", "real", "echo a", 0, None, 0.5, 1, "a\n", "", (PastCall("get", 1, {"id": 1}, 0, 0.1),))


@pytest.fixture
def kept(tmp_path):
    return HistoryFile(tmp_path / "state" / "history.jsonl")


# -- the file ----------------------------------------------------------------------------------------------------------


def test_runs_are_read_back_the_newest_first(kept):
    second = replace(RUN, when=1.0, script="\udcff\0", exit_code=None, error="cancelled", calls=())
    assert (kept.add(RUN), kept.add(second)) == ("", "")
    assert kept.read() == [second, RUN]


def test_without_a_file_there_is_no_history(kept):
    assert kept.read() == []


def test_only_the_owner_may_read_it(kept):
    kept.add(RUN)
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "damage",
    [
        b"{",
        b"[]\n",
        b"\xff\xfe\n",
        b"\0\0\0\n",
        b"null\n",
        b'{"calls": []}\n',
        b'{"when":"x","calls":[]}\n',
        b"[" * 100_000 + b"\n",
        b"\n\n",
    ],
)
def test_a_damaged_line_costs_only_itself(kept, damage):
    kept.add(RUN)
    with kept.path.open("ab") as file:
        file.write(damage)
    kept.add(replace(RUN, when=2.0))
    assert [run.when for run in kept.read()] == [2.0, 0.0]


@pytest.mark.parametrize(
    ("field", "value"),
    [("calls", [["get"]]), ("calls", [[1, 1, {}, 0, 0]]), ("exit_code", "0"), ("stdout", None), ("seconds", [])],
)
def test_a_record_of_wrong_types_is_left_out(kept, field, value):
    kept.add(RUN)
    record = json.loads(kept.path.read_bytes()) | {field: value}
    kept.path.write_text(json.dumps(record) + "\n")
    assert kept.read() == []


def test_the_file_stays_small(kept):
    for number in range(520):
        kept.add(replace(RUN, when=float(number), stdout="x" * 20_000))
    assert kept.path.stat().st_size < 8_000_000
    assert kept.read()[0].when == 519.0
    assert len(kept.read()) >= 100


def test_several_inspectors_may_write_at_once(kept):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: HistoryFile(kept.path).add(replace(RUN, when=float(number))), range(50)))
    assert sorted(run.when for run in kept.read()) == [float(number) for number in range(50)]


def test_a_run_can_be_forgotten(kept):
    other = replace(RUN, when=1.0)
    kept.add(RUN)
    kept.add(other)
    assert kept.remove(RUN) == ""
    assert kept.read() == [other]


def test_a_history_that_cannot_be_kept_says_why(tmp_path):
    (tmp_path / "state").write_text("a file where a directory should be")
    assert HistoryFile(tmp_path / "state" / "history.jsonl").add(RUN).endswith(("Not a directory", "File exists"))


def test_a_script_that_is_too_long_is_not_kept(kept):
    kept.add(replace(RUN, script="x" * 100_001))
    assert kept.read() == []


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


# -- comparing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("a\nb", "a\nb", [("same", "a", "a"), ("same", "b", "b")]),
        ("a\nb", "a\nc", [("same", "a", "a"), ("changed", "b", "c")]),
        ("a", "a\nb", [("same", "a", "a"), ("right", "", "b")]),
        ("a\nb", "b", [("left", "a", ""), ("same", "b", "b")]),
        ("", "x", [("right", "", "x")]),
    ],
)
def test_lines_are_put_beside_each_other(left, right, found):
    assert [(pair.kind, pair.left, pair.right) for pair in pairs(left, right)] == found


def test_script_outcome_outputs_and_calls_are_compared():
    other = replace(RUN, stdout="b\n", exit_code=1, calls=(PastCall("get", 1, {"id": 2}, 0, 0.9),))
    assert [(section.title, section.differs) for section in compare_runs(RUN, other)] == [
        ("Script", False), ("Outcome", True), ("Standard output", True), ("Tool calls", True),
    ]  # fmt: skip


def test_how_long_a_run_took_is_no_difference():
    assert not any(section.differs for section in compare_runs(RUN, replace(RUN, seconds=9.0, when=5.0)))


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

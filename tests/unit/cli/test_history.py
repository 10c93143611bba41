"""``bashkit history`` and ``bashkit compare``: runs outside of the inspector."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.runs.history_file import HistoryFile, PastCall, PastRun

FIRST = PastRun(
    1e9, "api", "real", "# a comment\nget --id 1", 0, None, 0.5, 1, "one\ntwo\n", "", (PastCall("get", 2, {"id": 1}, 0, 0.1),)
)
SECOND = replace(FIRST, when=1e9 + 60, stdout="one\n2\n", exit_code=3, calls=(PastCall("get", 2, {"id": 2}, 0, 0.1),))
OTHER = replace(FIRST, when=1e9 + 90, toolset="shop", script="sleep 9\x1b[31m", exit_code=None, error="cancelled")
TOOLSET = "version: 1\nname: api\ntools:\n  - {name: get, stub: {id: 1}}\n"


@pytest.fixture
def bashkit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "api.yaml").write_text(TOOLSET)
    return lambda *arguments: CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def kept():
    """The file of the history with three runs: 1 is of the shop, 2 and 3 are of the toolset."""
    file = HistoryFile()
    for run in (FIRST, SECOND, OTHER):
        assert file.add(run) == ""
    return file


def test_runs_are_listed_the_newest_first(bashkit, kept):
    lines = bashkit("history").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert "cancelled" in lines[0]
    assert "\\x1b[31m" in lines[0]
    for part in ("exit 3", "0.50s", "1 call", "real", "api", "get --id 1"):
        assert part in lines[1]
    assert "exit 0" in lines[2]


def test_those_of_one_toolset_keep_their_numbers(bashkit, kept):
    assert [line.split()[0] for line in bashkit("history", "api.yaml").stdout.splitlines()] == ["2", "3"]
    assert [line.split()[0] for line in bashkit("history", "api.yaml", "-n", "1").stdout.splitlines()] == ["2"]


def test_whole_runs_are_lines_of_json(bashkit, kept):
    runs = [json.loads(line) for line in bashkit("history", "--json").stdout.splitlines()]
    assert [(run["number"], run["toolset"], run["script"]) for run in runs][1:] == [
        (2, "api", FIRST.script),
        (3, "api", FIRST.script),
    ]
    assert runs[1]["calls"][0]["arguments"] == {"id": 2}


def test_each_script_is_a_row_for_a_batch(bashkit, kept):
    rows = [json.loads(line) for line in bashkit("history", "--rows").stdout.splitlines()]
    assert rows == [
        {"id": "2001-09-09 014740.000000", "script": FIRST.script},
        {"id": "2001-09-09 014810.000000", "script": OTHER.script},
    ]
    assert bashkit("history", "--rows", "--json").exit_code == 2


def test_without_runs_it_says_who_keeps_them(bashkit):
    result = bashkit("history", "api.yaml")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "no run of api was kept: the inspector does, 'bashkit tui'\n"


def test_two_runs_of_the_history_are_compared(bashkit, kept):
    result = bashkit("compare", "3", "2")
    assert result.exit_code == 1
    assert result.stdout == (
        "--- 3: Outcome\n+++ 2: Outcome\n@@ -1,3 +1,3 @@\n-exit 0\n+exit 3\n calls answered by: real\n calls: 1\n"
        "--- 3: Standard output\n+++ 2: Standard output\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
        '--- 3: Tool calls\n+++ 2: Tool calls\n@@ -1 +1 @@\n-get {"id":1} → 0\n+get {"id":2} → 0\n'
    )


def test_a_run_is_the_same_as_itself(bashkit, kept):
    result = bashkit("compare", "2", "2")
    assert (result.exit_code, result.stdout) == (0, "nothing differs\n")
    assert json.loads(bashkit("compare", "2", "2", "--json").stdout)["same"] is True


def test_a_difference_as_json(bashkit, kept):
    found = json.loads(bashkit("compare", "3", "2", "--json").stdout)
    assert found["same"] is False
    assert {part["title"] for part in found["parts"] if part["diff"]} == {"Outcome", "Standard output", "Tool calls"}


def test_outputs_of_run_are_compared(bashkit, tmp_path):
    for name, script in (("a.json", "get; echo x"), ("b.json", "get; echo y; get; exit 4"), ("c.json", "get; echo x")):
        (tmp_path / name).write_text(bashkit("run", "api.yaml", "-c", script, "--json").stdout)
    assert bashkit("compare", "a.json", "c.json").exit_code == 0
    shown = bashkit("compare", "a.json", "b.json").stdout
    assert "-exit 0\n-calls: 1\n+exit 4\n+calls: 2\n" in shown
    assert "-x\n+y\n" in shown
    assert "+get {} → 0\n" in shown
    assert "calls answered by" not in shown


def test_a_run_of_the_history_is_compared_with_an_output_of_run(bashkit, tmp_path, kept):
    (tmp_path / "a.json").write_text(bashkit("run", "api.yaml", "-c", "get", "--json").stdout)
    found = json.loads(bashkit("compare", "3", "a.json", "--json").stdout)
    assert [part["title"] for part in found["parts"] if part["diff"]] == ["Standard output", "Tool calls"]


def test_recordings_are_compared_with_the_results_of_calls(bashkit, tmp_path):
    for name, stub in (("a.jsonl", "{id: 1}"), ("b.jsonl", "{id: 2}")):
        (tmp_path / "api.yaml").write_text(TOOLSET.replace("{id: 1}", stub))
        bashkit("run", "api.yaml", "-c", "get", "--record", name)
    result = bashkit("compare", "a.jsonl", "b.jsonl")
    assert result.exit_code == 1
    assert result.stdout.endswith(' get {} → 0\n-    {"id":1}\n+    {"id":2}\n')


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("9", "1"), "the history has no run 9: it has 3; a file of that name is ./9"),
        (("none.json", "1"), "none.json: No such file or directory"),
        (("api.yaml", "1"), "api.yaml: neither the output of 'run --json' nor a recording of 'run --record'"),
        (("calls.jsonl", "1"), "a recording has only calls: compare it with another recording"),
    ],
)
def test_what_is_no_run_is_said(bashkit, tmp_path, kept, words, said):
    (tmp_path / "calls.jsonl").write_text('{"tool":"get","arguments":{},"exit_code":0}\n')
    result = bashkit("compare", *words)
    assert (result.exit_code, result.stderr) == (2, f"bashkit: {said}\n")

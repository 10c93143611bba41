"""``bashkit snapshot --scripts``: scripts that agents wrote, tried again and reviewed like prompts."""

import json

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = """\
version: 1
name: api
tools:
  - name: get
    input_schema: {type: object, properties: {id: {type: integer}}}
    stub: {id: 1, name: Ada}
"""
ROWS = [
    {"id": 2, "script": "get --id 1 | jq -r .name"},
    {"id": "with words", "script": "cat /data/x; echo $MARK; cat; exit 3", "files": {"/data/x": "file\n"}, "env": {"MARK": "m"}, "stdin": "in"},
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api.yaml").write_text(TOOLSET)
    (tmp_path / "agent.jsonl").write_text("\n" + "".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


@pytest.fixture
def snapshot(folder):
    def run(*arguments, stdin=None):
        return CliRunner().invoke(cli, ["snapshot", "api.yaml", "--scripts", "agent.jsonl", *arguments], input=stdin)

    return run


@pytest.fixture
def accepted(folder, snapshot):
    """The folder of the accepted results."""
    assert snapshot("--update").exit_code == 0
    return folder / "__snapshots__" / "agent.jsonl"


def change(folder, old="Ada", new="Eva"):
    file = folder / "api.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new))


def test_what_a_script_does_is_kept_beside_the_rows(accepted):
    assert (accepted / "script.2.txt").read_text(encoding="utf-8") == (
        '--- script\nget --id 1 | jq -r .name\n--- stdout\nAda\n--- exit status\n0\n--- calls\nget {"id":1} → 0\n'
    )
    assert (accepted / "script.with-words.txt").read_text(encoding="utf-8") == (
        "--- script\ncat /data/x; echo $MARK; cat; exit 3\n--- stdout\nfile\nm\nin\n--- exit status\n3\n"
    )


def test_nothing_differs_until_the_toolset_does(folder, accepted, snapshot):
    assert (snapshot().exit_code, snapshot().stdout) == (0, "2 the same, 0 different\n")
    change(folder)
    result = snapshot()
    assert result.exit_code == 1
    assert "__snapshots__/agent.jsonl/script.2.txt: changed, from agent.jsonl:2;" in result.stdout
    assert "-Ada\n+Eva\n" in result.stdout
    assert "1 the same, 1 different (1 changed)" in result.stdout


def test_a_call_that_is_made_otherwise_is_a_difference(folder, accepted, snapshot):
    change(folder, "{id: {type: integer}}", "{id: {type: string}}")
    assert '-get {"id":1} → 0\n+get {"id":"1"} → 0\n' in snapshot().stdout


def test_differences_are_reviewed_one_by_one(folder, accepted, snapshot):
    change(folder)
    change(folder, "{id: {type: integer}}", "{number: {type: integer}}")
    result = snapshot("--review", stdin="r\n\n")
    assert result.exit_code == 1
    assert "agent.jsonl:2: makes __snapshots__/agent.jsonl/script.2.txt, which was rejected" in result.stdout
    assert snapshot("--review", stdin="a\n\n").exit_code == 0
    assert snapshot().exit_code == 0


def test_the_prompts_are_left_alone(folder, accepted, snapshot):
    assert sorted(path.name for path in (folder / "__snapshots__").iterdir()) == ["agent.jsonl"]
    assert CliRunner().invoke(cli, ["snapshot", "api.yaml", "--update"]).exit_code == 0
    assert len(list(accepted.iterdir())) == 2
    assert CliRunner().invoke(cli, ["snapshot", "api.yaml"]).exit_code == 0


def test_the_result_of_a_row_that_is_gone_is_an_orphan(folder, accepted, snapshot):
    (folder / "agent.jsonl").write_text(json.dumps(ROWS[1]) + "\n")
    assert "script.2.txt: orphan" in snapshot().stdout
    assert snapshot("--prune").exit_code == 0
    assert [path.name for path in accepted.iterdir()] == ["script.with-words.txt"]


def test_only_the_named_scripts_are_run(accepted, snapshot):
    assert snapshot("script.2.txt").stdout == "1 the same, 0 different\n"
    assert "there is no script and no snapshot called 'script.9.txt'" in snapshot("script.9.txt").stderr


def test_a_replay_gives_the_recorded_results(folder, snapshot, accepted):
    line = {"tool": "get", "arguments": {"id": 1}, "stdout": '{"name":"Grace"}\n', "exit_code": 0}
    (folder / "calls.jsonl").write_text(json.dumps(line) + "\n")
    assert "-Ada\n+Grace\n" in snapshot("--replay", "calls.jsonl").stdout


def test_callbacks_run_with_real(folder, snapshot, accepted):
    change(folder, "    stub:", '    callback: {script: \'echo "{\\"name\\": \\"Real\\"}"\'}\n    stub:')
    assert snapshot().exit_code == 0
    assert "-Ada\n+Real\n" in snapshot("--real").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("snapshot", "api.yaml", "--real"), "--real and --replay are for --scripts"),
        (("snapshot", "--scripts", "agent.jsonl"), "--scripts are tried against one toolset: name its FILE"),
        (("snapshot", "api.yaml", "--scripts", "agent.jsonl", "--real", "--replay", "agent.jsonl"), "exclude each other"),
        (("snapshot", "api.yaml", "--scripts", "twice.jsonl"), "twice.jsonl:2: the row of line 1 has the id '1', too"),
        (("snapshot", "api.yaml", "--scripts", "api.yaml"), "api.yaml:1:1: this is not JSON"),
    ],
)
def test_what_cannot_be_tried_is_said(folder, words, said):
    (folder / "twice.jsonl").write_text('{"id": 1, "script": "a"}\n{"id": "1", "script": "b"}\n')
    result = CliRunner().invoke(cli, list(words))
    assert result.exit_code == 2
    assert said in result.stderr

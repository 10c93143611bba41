import json

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

GOOD = "version: 1\nname: t\ntools:\n  - {name: get, description: Get, effects: read, stub: 1}\n"
MILD = "version: 1\nname: t\ntools:\n  - {name: get, description: Get, stub: 1}\n"
BROKEN = "version: 1\nname: t\ntolls: []\nenv: {A: '${NOPE}'}\n"


@pytest.fixture
def check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(text, *options, name="t.yaml"):
        (tmp_path / name).write_text(text)
        return CliRunner().invoke(cli, ["check", name, *options])

    return run


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        (GOOD, [], 0),
        (GOOD, ["--strict"], 0),
        (MILD, [], 0),
        (MILD, ["--strict"], 1),
        (MILD, ["--no-resolve"], 0),
        (BROKEN, [], 1),
        (BROKEN, ["--strict"], 1),
        (BROKEN, ["--format", "json"], 1),
        (BROKEN, ["--format", "xml"], 2),
        (GOOD, ["--strict", "--no-resolve"], 2),
        (GOOD, ["none.yaml"], 2),
        (GOOD + "tests: [{name: a, script: 'false'}]\n", [], 0),
        (GOOD + "tests: [{name: a, script: 'false'}]\n", ["--strict"], 1),
    ],
)
def test_y04_exit_statuses(check, text, options, status):
    assert check(text, *options).exit_code == status


def test_y02_a_warning_says_that_it_is_one_and_which_rule_it_comes_from(check):
    assert check(MILD).stdout == (
        "t.yaml:4:12: warning: the tool 'get' does not declare the effects of a call [no-effects]\n"
        "   |\n"
        " 4 |   - {name: get, description: Get, stub: 1}\n"
        "   |            ^^^ effects: read, write or destructive; a policy decides by them, and what changes something refuses "
        "unknown flags\n\n"
        "no problems, 1 warning\n"
    )


def test_y02_the_json_form_tells_warnings_from_problems(check):
    (found,) = json.loads(check(MILD, "--format", "json").stdout)
    assert (found["severity"], found["code"], found["line"], found["column"]) == ("warning", "no-effects", 4, 12)
    assert {problem["severity"] for problem in json.loads(check(BROKEN, "--format", "json").stdout)} == {"error"}
    assert json.loads(check(GOOD, "--format", "json").stdout) == []


def test_y02_the_github_form_is_a_workflow_command_a_line(check):
    assert check(BROKEN, "--format", "github").stdout.splitlines() == [
        "::error file=t.yaml,line=3,col=1,endColumn=6::unknown key 'tolls' (did you mean tools?)",
        "::error file=t.yaml,line=4,col=10,endColumn=19::the variable NOPE is not set and has no default (set it, or give it a default: ${NAME:-default})",
    ]
    assert check(MILD, "--format", "github").stdout.startswith(
        "::warning file=t.yaml,line=4,col=12,endColumn=15,title=no-effects::the tool"
    )
    assert check(GOOD, "--format", "github").stdout == ""


def test_y02_the_github_form_is_escaped(check):
    found = check(BROKEN + '"a%\\nb:,": 1\n', "--format", "github", name="a,b:100%.yaml").stdout.splitlines()
    assert len(found) == 3
    assert found[2].startswith("::error file=a%2Cb%3A100%25.yaml,line=5,col=1,")
    assert "::unknown key 'a%25\\nb:,'" in found[2]


def test_warnings_are_counted_beside_problems(check, tmp_path):
    (tmp_path / "other.yaml").write_text(BROKEN)
    assert check(MILD, "other.yaml").stdout.splitlines()[-1] == "2 problems, 1 warning in 2 files"


@pytest.mark.parametrize("name", ["check", "fmt"])
def test_without_a_file_the_toolsets_of_the_project_are_meant(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    nowhere = CliRunner().invoke(cli, [name])
    assert nowhere.exit_code == 2
    assert "there is no toolset here" in nowhere.stderr
    (tmp_path / "toolsets").mkdir()
    (tmp_path / "toolsets/mine.yaml").write_text(f"name: mine\n{MILD}".replace("name: t\n", ""))
    mine = CliRunner().invoke(cli, [name])
    assert (mine.exit_code, mine.stdout.split(":")[0]) == (0, "toolsets/mine.yaml")

"""A new author's way: from nothing to a failing difference in CI to an accepted change, in five commands; and ``init`` and ``test``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.toolset.schema.generation import schema_text


@pytest.fixture
def bashkit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(cli, list(arguments))

    return run


PATH = [
    ("bashkit init greeting", 0, "toolsets/__snapshots__/greeting: 8 snapshots written\n"),
    ("bashkit snapshot --check", 0, "8 the same, 0 different\n"),
    ("sed -i 's/Greet somebody/Say hello to somebody/' toolsets/greeting.yaml", 0, ""),
    ("CI=true bashkit snapshot", 1, "+- `greet`: Say hello to somebody\n"),
    ("bashkit snapshot --review <<< A", 0, "4 the same, 4 accepted\n"),
]


@pytest.mark.thorough
@pytest.mark.needs("bash", "sed")
def test_five_commands_from_init_to_an_accepted_change(tmp_path):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command, status, output in PATH:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert (done.returncode, done.stderr) == (status, ""), command
        assert output in done.stdout
    done = subprocess.run(
        ["bash", "-c", "CI=true bashkit snapshot"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "8 the same, 0 different\n")


def test_what_init_writes_works(bashkit, tmp_path):
    assert bashkit("init", "weather", "-C", "here").exit_code == 0
    file = tmp_path / "here" / "toolsets" / "weather.yaml"
    assert (file.exists(), file.with_name("weather_tools.py").exists()) == (True, True)
    assert file.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=toolset.schema.json\nversion: 1\n")
    assert file.with_name("toolset.schema.json").read_text(encoding="utf-8") == schema_text()
    assert bashkit("check", "--strict", str(file)).stdout == "no problems\n"
    assert bashkit("snapshot", "--check", str(file)).exit_code == 0
    result = bashkit("test", str(file))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "2 passed, 0 failed")


def test_the_next_command_can_be_pasted(bashkit):
    last = bashkit("init", "-C", "my tools").stdout.splitlines()[-1]
    assert last.endswith(" && bashkit run 'my tools/toolsets/greeting.yaml' -c 'greet --name Ada'")


def test_init_overwrites_nothing(bashkit, tmp_path):
    (tmp_path / "toolsets").mkdir()
    (tmp_path / "toolsets" / "greeting_tools.py").write_text("mine")
    result = bashkit("init")
    assert (result.exit_code, "toolsets/greeting_tools.py exists already" in result.stderr) == (2, True)
    assert [path.name for path in (tmp_path / "toolsets").iterdir()] == ["greeting_tools.py"]


@pytest.mark.parametrize("name", ["../x", "My Tools", "1st", "a-b"])
def test_init_takes_names_of_python_modules(bashkit, name):
    assert bashkit("init", name).exit_code == 2


def test_init_says_where_it_cannot_write(bashkit, tmp_path):
    (tmp_path / "toolsets").write_text("a file")
    result = bashkit("init")
    assert (result.exit_code, "toolsets cannot be written: " in result.stderr) == (2, True)


TESTS = """\
version: 1
name: api
tools: [{name: get, stub: {id: 1}}]
tests:
  - {name: right, script: get | jq .id, expect: {stdout: "1"}}
  - {name: wrong, script: get | jq .id, expect: {stdout: "2"}}
"""


def test_a_test_that_fails_is_exit_1_and_shows_what_came(bashkit, tmp_path):
    (tmp_path / "api.toolset.yaml").write_text(TESTS)
    result = bashkit("test")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "api.toolset.yaml:5: right: passed",
        "api.toolset.yaml:6: wrong: failed",
        "    --- stdout expected",
        "    +++ stdout now",
        "    @@ -1 +1 @@",
        "    -2",
        "    +1",
        "1 passed, 1 failed",
    ]
    assert bashkit("test", "--name", "ri*").stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_test_without_a_toolset_is_a_usage_error(bashkit):
    assert bashkit("test").exit_code == 2

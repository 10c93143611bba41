import json
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = """\
version: 1
name: api
tools:
  - name: boom
    description: Fail
    effects: read
    callback: {script: 'echo "no power" >&2; exit 3'}
tests:
  - {name: it works, script: echo yes, expect: {stdout: "yes"}}
  - {name: it fails, script: boom | cat, expect: {stdout: fine}}
  - {name: it ends, script: boom, expect: {exit_code: 0}}
  - {name: odd <letters>, script: "printf '\\\\001'", expect: {stdout: ''}}
"""


@pytest.fixture
def test(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api.yaml").write_text(TOOLSET)

    def run(*arguments):
        return CliRunner().invoke(cli, ["test", "api.yaml", *arguments])

    return run


def test_a_tool_that_fails_inside_a_pipeline_shows_its_stderr(test):
    lines = test("--name", "it fails").stdout.splitlines()
    assert lines[0] == "api.yaml:10: it fails: failed"
    assert lines[-2:] == ["    stderr: no power", "0 passed, 1 failed"]


def test_a_wrong_status_shows_stderr_once(test):
    assert test("--name", "it ends").stdout.count("no power") == 1


def test_outcomes_as_json(test):
    result = test("--json")
    outcomes = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [(item["line"], item["name"], item["passed"]) for item in outcomes] == [
        (9, "it works", True),
        (10, "it fails", False),
        (11, "it ends", False),
        (12, "odd <letters>", False),
    ]
    assert (outcomes[0]["stdout"], outcomes[0]["exit_code"], outcomes[0]["failures"]) == ("yes\n", 0, [])
    assert outcomes[2]["exit_code"] == 3
    assert outcomes[2]["stderr"] == "no power\n"


def test_outcomes_as_junit_xml(test, tmp_path):
    result = test("--junit", "report.xml")
    assert "1 passed, 3 failed" in result.stdout
    root = ET.fromstring((tmp_path / "report.xml").read_text(encoding="utf-8"))
    (suite,) = root
    assert (root.tag, suite.tag, suite.get("name"), suite.get("tests"), suite.get("failures")) == (
        "testsuites",
        "testsuite",
        "api.yaml",
        "4",
        "3",
    )
    cases = {case.get("name"): case for case in suite}
    assert cases["it works"].find("failure") is None
    assert cases["it works"].findtext("system-out") == "yes\n"
    assert cases["it works"].get("classname") == "api.yaml"
    assert "stderr: no power" in cases["it fails"].findtext("failure")
    assert cases["it ends"].find("failure").get("message") == "expected exit status 0, got 3: no power"
    assert cases["odd <letters>"].findtext("system-out") == "\ufffd"  # XML has no such character


def test_a_report_that_cannot_be_written(test):
    result = test("--junit", "missing/report.xml")
    assert (result.exit_code, "missing/report.xml cannot be written" in result.stderr) == (2, True)


def test_a_name_that_no_test_has_is_a_mistake_of_the_command_line(test):
    result = test("--name", "it wokrs")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, "Error: no test matches 'it wokrs'")

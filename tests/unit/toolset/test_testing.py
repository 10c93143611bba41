import sys

import pytest

from bashkit import load
from bashkit.tools import ToolResponse
from bashkit.toolset import check
from bashkit.toolset.project_files import is_toolset_file, toolset_files
from bashkit.toolset.script_tests import output_file, script_tests
from bashkit.toolset.testing.running import run_test

HEAD = """\
version: 1
name: api
tools:
  - name: get
    callback: {python: api_callbacks.get}
    stub: stubbed
"""


@pytest.fixture
def toolset(tmp_path):
    (tmp_path / "api_callbacks.py").write_text("def get(args):\n    return 'real'\n")

    def write(tests):
        (tmp_path / "api.yaml").write_text(f"{HEAD}tests:\n{tests}")
        return tmp_path / "api.yaml"

    yield write
    sys.modules.pop("api_callbacks", None)


def problems(path):
    return [f"{item.line}:{item.column}: {item.message}" for item in check(path, resolve=False, environ={})]


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ("  - {name: a, script: get}\n", []),
        (
            "  - {name: a, script: get, callbacks: real, expect: {stdout: x, stderr: y, exit_code: 1}, snapshot: true, x-why: z}\n",
            [],
        ),
        ("  - {name: a}\n", ["8:5: a test needs a script"]),
        ("  - {script: get}\n", ["8:5: a test needs a name"]),
        ("  - {name: a, script: get, expected: {}}\n", ["8:28: unknown key 'expected'"]),
        ("  - {name: a, script: get, expect: {stdout: 1}}\n", ["8:45: expected string, got integer"]),
        ("  - {name: a, script: get, expect: {exit_code: 256}}\n", ["8:48: expected at most 255, got 256"]),
        ("  - {name: a, script: get, callbacks: stubs}\n", ["8:39: expected stub or real, got 'stubs'"]),
        ("  - {name: /a, script: get}\n", ["8:12: a test's name is one line that starts with a letter or digit"]),
        ("  - {name: a b, script: get}\n  - {name: A b, script: get}\n", ["9:12: two tests are called 'A b'"]),
    ],
)
def test_what_is_wrong_with_a_test_is_said_with_its_place(toolset, tests, expected):
    assert problems(toolset(tests)) == expected


def test_what_is_read(toolset):
    first, second = script_tests(
        load(toolset("  - {name: a, script: get}\n  - {name: b, script: x, expect: {stdout: y}, snapshot: true}\n"), environ={})
    )
    assert (first.name, first.script, first.callbacks, first.stdout, first.stderr, first.exit_code, first.snapshot) == (
        "a",
        "get",
        "stub",
        None,
        None,
        0,
        False,
    )
    assert (second.stdout, second.exit_code, second.snapshot, second.mark.line) == ("y", None, True, 9)


@pytest.mark.parametrize(("callbacks", "environ", "stdout"), [
    ("stub", {}, "stubbed\n"), ("real", {}, "real"), ("real", {"BASHKIT_STUBS": "1"}, "real"), ("stub", {"BASHKIT_STUBS": "1"}, "stubbed\n"),
    ("real", {"SHELLCLAW_STUB": "1"}, "real"),
])  # fmt: skip
def test_stubs_stand_in_unless_the_test_says_real(toolset, callbacks, environ, stdout):
    opened = load(toolset(f"  - {{name: a, script: get, callbacks: {callbacks}}}\n"), environ=environ)
    assert run_test(opened, script_tests(opened)[0], environ).stdout == stdout


@pytest.mark.parametrize(
    ("expect", "response", "failures"),
    [
        ("{stdout: a}", ToolResponse("a\n", "", 0), []),
        ("{stdout: a}", ToolResponse("a\n\n", "", 0), ["--- stdout expected\n+++ stdout now\n@@ -1 +1,2 @@\n a\n+"]),
        ('{stdout: "a\\n"}', ToolResponse("a", "", 0), ["stdout: it ends with a different number of newlines"]),
        ("{stdout: a b}", ToolResponse("a\tb ", "", 0), ["--- stdout expected\n+++ stdout now\n@@ -1 +1 @@\n-a·b\n+a␉b·"]),
        ('{stdout: "a\\n"}', ToolResponse("a\r\n", "", 0), ["--- stdout expected\n+++ stdout now\n@@ -1 +1 @@\n-a\n+a␍"]),
        (
            "{stdout: a b}",
            ToolResponse("\x1b[1mc d", "", 0),
            ["--- stdout expected\n+++ stdout now\n@@ -1 +1 @@\n-a b\n+␛[1mc d"],
        ),
        (
            "{stdout: a}",
            ToolResponse("b" * 3000, "", 0),
            [f"--- stdout expected\n+++ stdout now\n@@ -1 +1 @@\n-a\n+{'b' * 2000}… (3000 characters)"],
        ),
        ("{stderr: b}", ToolResponse("", "b\n", 0), []),
        ("{exit_code: 3}", ToolResponse("", "no\n", 4), ["expected exit status 3, got 4: no"]),
        ("{}", ToolResponse("", "", 1), ["expected exit status 0, got 1"]),
        ("{stdout: x, exit_code: 1}", ToolResponse("x", "", 1), []),
    ],
)
def test_expectations(toolset, expect, response, failures):
    (test,) = script_tests(load(toolset(f"  - {{name: a, script: get, expect: {expect}}}\n"), environ={}))
    assert test.failures(response) == failures


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("gold customers", "test.gold-customers.txt"),
        ("a/b: c?", "test.a%2Fb%3A-c%3F.txt"),
        ("50 % off", "test.50-%25-off.txt"),
        ("größe", "test.größe.txt"),
    ],
)
def test_the_file_of_an_output_is_named_after_the_test(name, file):
    assert output_file(name) == file


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("a.toolset.yaml", True),
        ("toolsets/a.yml", True),
        ("a.yaml", False),
        ("toolsets/a.py", False),
        ("x/toolsets/b/a.yaml", False),
    ],
)
def test_which_files_are_toolsets(tmp_path, path, wanted):
    assert is_toolset_file(tmp_path / path) is wanted


def test_toolsets_are_found_below_and_hidden_folders_left_out(tmp_path):
    for name in ("b.toolset.yaml", "toolsets/a.yaml", "toolsets/sub/c.yaml", ".hidden/d.toolset.yaml", "venv/e.toolset.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert toolset_files(tmp_path) == [tmp_path / "b.toolset.yaml", tmp_path / "toolsets" / "a.yaml"]
    assert toolset_files(tmp_path / "toolsets") == [tmp_path / "toolsets" / "a.yaml"]

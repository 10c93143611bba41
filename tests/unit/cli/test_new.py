import json
from difflib import ndiff

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.toolset import load

HEAD = "version: 1\nname: t\n"
TOOL = "  - name: get  # first\n    description: Get\n    effects: read\n    stub: 1\n"


@pytest.fixture
def new(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(cli, ["new", "tool", *arguments])

    return run


@pytest.mark.needs("sh", "env", "bash")
@pytest.mark.parametrize("kind", ["--python", "--executable", "--script"])
def test_y04_a_new_tool_is_right_but_for_its_texts(new, tmp_path, kind, request):
    name = "made_" + "".join(letter for letter in request.node.name if letter.isalnum())
    file = tmp_path / f"{name}.toolset.yaml"
    file.write_text(f"version: 1\nname: {name}\n\ntools:\n{TOOL}")
    result = new(f"{name}_x", kind)
    assert (result.exit_code, result.stderr) == (0, "")
    assert CliRunner().invoke(cli, ["check", str(file)]).stdout == "no problems\n"
    strict = CliRunner().invoke(cli, ["check", "--strict", "--format", "json", str(file)])
    assert [problem["code"] for problem in json.loads(strict.stdout)] == ["placeholder", "placeholder"]
    assert load(file).tool.execute_sync(f"{name}_x --text 'a b' | jq -r .text").stdout == "a b\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "tools:\n" + TOOL,
        HEAD + "tools:\n" + TOOL + "\n" + TOOL.replace("get", "put"),
        HEAD + "tools:\n" + TOOL + TOOL.replace("get", "put"),
        HEAD + "tools:\n" + TOOL + "\n# the tests follow\ntests: []\n",
        HEAD + "tools:\n" + TOOL + "    # about get\n\ntests: []\n",
        HEAD + "tools:\n" + TOOL.replace("\n  ", "\n")[2:],
        HEAD + "tools:\n    -   name: get\n        stub: 1\n",
        HEAD + "tools:\n  - {name: get, stub: 1}\n  # the second\n  - {name: put, stub: 1}\n",
        HEAD,
        HEAD + "tests: []\n# the end\n",
        HEAD + "tools: []  # none yet\ntests: []\n",
        HEAD + "tools:\n  - &a {name: get, stub: 1}\nx-a: *a\n",
        HEAD + "tools:\n" + TOOL.rstrip("\n"),
        (HEAD + "tools:\n" + TOOL).replace("\n", "\r\n"),
        "\ufeff" + HEAD + "tools:\n" + TOOL,
        HEAD + "tools:\n" + TOOL + "\n\n\n...\n",
    ],
)
def test_the_rest_of_the_file_stays_as_it_is(new, tmp_path, text):
    file = tmp_path / "t.yaml"
    file.write_bytes(text.encode())
    result = new("fresh", "-f", "t.yaml", "--script")
    assert result.exit_code == 0, result.stderr
    after = file.read_bytes().decode()
    newline = "\r\n" if "\r\n" in text else "\n"
    gone = [line[2:] for line in ndiff(text.split(newline), after.split(newline)) if line.startswith("- ")]
    assert [line for line in gone if line] == (["tools: []  # none yet"] if "none yet" in text else [])
    line = load(file).position("fresh")[1]
    assert result.stdout == f"t.yaml:{line}: fresh added\n"
    assert [tool.name for tool in load(file).tools][-1] == "fresh"
    assert ("\r\n" in after) == ("\r\n" in text)


def test_the_indentation_is_the_files(new, tmp_path):
    file = tmp_path / "t.yaml"
    file.write_text(HEAD + "tools:\n    -   name: get\n        stub: 1\n")
    new("fresh", "-f", "t.yaml")
    assert "\n    -   name: fresh\n        description: " in file.read_text(encoding="utf-8")


def test_the_function_goes_into_the_module_of_the_other_tools(new, tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "api.py").write_text("def get(args):\n    return 1\n")
    file = tmp_path / "t.yaml"
    file.write_text(HEAD + "tools:\n  - name: get\n    callback: {python: pkg.api.get}\n")
    assert new("put-it", "-f", "t.yaml").stdout == "t.yaml:7: put-it added\npkg/api.py: written\n"
    assert (tmp_path / "pkg" / "api.py").read_text(encoding="utf-8").count("\n\n\ndef put_it(args):\n") == 1
    assert "callback: {python: pkg.api.put_it}" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (HEAD + "tools:\n" + TOOL, ["get"], "bashkit: t.yaml:4:5: a tool called 'get' is here already\n"),
        (
            HEAD + "tools: [{name: get, stub: 1}]\n",
            ["put"],
            "bashkit: t.yaml:3:1: the tools stand in brackets; write them one below the other, ",
        ),
        (HEAD, ["if"], "bashkit: the tool name 'if' is a reserved word of the shell\n"),
        (HEAD, ["../x"], "bashkit: the tool name '../x' cannot be called on a command line"),
        (HEAD, ["grep"], "bashkit: the tool 'grep' would hide the command of that name\n"),
        (HEAD + "tolls: []\n", ["put"], "t.yaml:3:1: unknown key 'tolls'\n"),
    ],
)
def test_what_cannot_be_added_changes_nothing(new, tmp_path, text, arguments, message):
    (tmp_path / "t.yaml").write_text(text)
    result = new(*arguments, "-f", "t.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert [path.name for path in tmp_path.iterdir()] == ["t.yaml"]
    assert (tmp_path / "t.yaml").read_text(encoding="utf-8") == text


def test_the_file_may_be_left_out_where_there_is_only_one(new, tmp_path):
    assert new("x").exit_code == 2
    for name in ("a", "b"):
        (tmp_path / f"{name}.toolset.yaml").write_text(HEAD)
        assert new(f"new_{name}", "--script").exit_code == (0 if name == "a" else 2)


def test_an_executable_that_is_there_is_not_overwritten(new, tmp_path):
    (tmp_path / "t.yaml").write_text(HEAD)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "put.sh").write_text("mine")
    assert "put.sh exists already" in new("put", "-f", "t.yaml", "--executable").stderr
    assert (tmp_path / "tools" / "put.sh").read_text(encoding="utf-8") == "mine"


def test_of_several_toolsets_one_has_to_be_named(new, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.toolset.yaml").write_text(f"version: 1\nname: {name}\ntools: []\n")
    assert new("x").stderr.endswith("say which toolset file: -f FILE (here are a.toolset.yaml, b.toolset.yaml)\n")


def test_where_there_is_no_toolset_a_file_can_be_named(new):
    assert "there is no toolset here: name one by -f FILE, or let bashkit init" in new("get").stderr


@pytest.mark.needs("sh", "env", "bash")
@pytest.mark.parametrize("kind", ["--python", "--executable", "--script"])
def test_a_new_tool_prints_json_on_one_line(new, tmp_path, kind):
    (tmp_path / "t.yaml").write_text(HEAD)
    assert new("put", "-f", "t.yaml", kind).exit_code == 0
    response = load(tmp_path / "t.yaml").tool.execute_sync("put --text a")
    assert json.loads(response.stdout) == {"text": "a"}
    assert response.stdout.count("\n") == 1

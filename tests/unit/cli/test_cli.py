import json
import os
import signal
import subprocess
import sys
import threading
import time

import click
import pytest
from click.testing import CliRunner

from bashkit.cli import COMMANDS, _insist, cli
from bashkit.tools.describe.prompt import MODES
from bashkit.toolset.package_data import examples
from bashkit.toolset.schema.generation import schema_text

TOOLSET = """\
version: 1
name: api
tools:
  - name: get
    description: Get it
    effects: read
    input_schema:
      type: object
      properties: {id: {type: integer, description: Which}, unit: {enum: [celsius, fahrenheit], description: Degrees}}
      required: [id]
    stub: {id: 1}
"""
BROKEN = "version: 1\nname: api\ntolls: []\n"
TOOL = """\
#!/bin/sh
if [ "$1" = --describe ]; then
    echo '{"name": "say", "description": "Say it", "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}}'
    exit 0
fi
echo "said $1"
echo "noted" >&2
[ "$1" != '{"word":"fail"}' ]
"""


@pytest.fixture
def bashkit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "api.yaml").write_text(TOOLSET)
    (tmp_path / "broken.yaml").write_text(BROKEN)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "say.sh").write_text(TOOL)
    (tmp_path / "tools" / "say.sh").chmod(0o755)
    (tmp_path / "tools" / "mute.sh").write_text("#!/bin/sh\n")
    (tmp_path / "tools" / "mute.sh").chmod(0o755)

    def run(*arguments, stdin=None):
        return CliRunner().invoke(cli, list(arguments), input=stdin)

    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_y04_every_command_has_help_with_examples(bashkit, name):
    result = bashkit(name, "--help")
    assert result.exit_code == 0
    assert "Examples:\n" in result.stdout
    assert f"  bashkit {name}" in result.stdout


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"tui", "schema"}))
def test_y04_exit_statuses_are_documented(bashkit, name):
    assert "Exit status:" in bashkit(name, "--help").stdout


def test_check_is_silent_about_what_is_right(bashkit):
    result = bashkit("check", "api.yaml")
    assert (result.stdout, result.exit_code) == ("no problems\n", 0)


def test_y02_check_shows_place_source_caret_and_hint(bashkit):
    result = bashkit("check", "broken.yaml")
    assert result.exit_code == 1
    assert result.stdout == "broken.yaml:3:1: unknown key 'tolls'\n   |\n 3 | tolls: []\n   | ^^^^^ did you mean tools?\n\n"


def test_y02_check_as_json(bashkit):
    result = bashkit("check", "broken.yaml", "api.yaml", "--format", "json")
    assert result.exit_code == 1
    (problem,) = json.loads(result.stdout)
    assert problem == {
        "file": "broken.yaml", "line": 3, "column": 1, "message": "unknown key 'tolls'", "hint": "did you mean tools?",
        "source": "tolls: []", "width": 5, "path": "tolls", "severity": "error", "code": "",
    }  # fmt: skip


def test_check_resolves_only_when_it_may(bashkit, tmp_path):
    (tmp_path / "t.yaml").write_text("version: 1\nname: t\ntools:\n  - {name: get, callback: {python: no_such_module_cli.f}}\n")
    assert bashkit("check", "t.yaml", "--no-resolve").exit_code == 0
    result = bashkit("check", "t.yaml")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (1, "t.yaml:4:36: there is no module no_such_module_cli")


@pytest.mark.parametrize("arguments", [["prompt"], ["snapshot"], ["catalog"], ["run", "-c", "true"]])
def test_a_broken_toolset_is_exit_2_with_its_problems_on_stderr(bashkit, arguments):
    result = bashkit(arguments[0], "broken.yaml", *arguments[1:])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("broken.yaml:3:1: unknown key 'tolls'\n")


@pytest.mark.parametrize(
    "arguments",
    [["no-such"], ["check", "none.yaml"], ["call"], ["prompt", "--man", "--tool", "x"], ["prompt", "api.yaml", "--tool", "x"]],
)
def test_wrong_command_lines_are_exit_2(bashkit, arguments):
    result = bashkit(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


def test_prompt(bashkit):
    assert bashkit("prompt", "api.yaml").stdout.startswith("# api\n\nInput: ")
    assert bashkit("prompt", "api.yaml", "--man").stdout.startswith("API(1)")
    assert bashkit("prompt", "api.yaml", "--tool", "get").stdout.startswith("Usage: get --id <integer>")
    value = json.loads(bashkit("prompt", "api.yaml", "--json").stdout)
    assert value["characters"] == len(value["text"])
    assert bashkit("prompt").stdout.startswith("# shop\n")


def test_prompt_in_every_mode(bashkit):
    texts = {mode: bashkit("prompt", "api.yaml", "--mode", mode).stdout for mode in MODES}
    assert len(set(texts.values())) == 3
    assert texts["full"] == bashkit("prompt", "api.yaml").stdout
    assert json.loads(bashkit("prompt", "api.yaml", "--mode", "compact", "--json").stdout)["text"] == texts["compact"]
    for other in (("--man",), ("--tool", "get")):
        assert "--mode is for the system prompt" in bashkit("prompt", "api.yaml", "--mode", "compact", *other).stderr


def test_prompt_sizes(bashkit):
    value = json.loads(bashkit("prompt", "api.yaml", "--sizes", "--json").stdout)
    assert value["mode"] == "full"
    assert value["tokens"] > value["tools"]["get"] > 0
    assert value["rest"] == value["tokens"] - sum(value["tools"].values())
    lines = bashkit("prompt", "api.yaml", "--sizes", "--mode", "discovery").stdout.splitlines()
    assert [line.split("%  ")[1].partition(",")[0] for line in lines] == ["(what is about no single tool)", "(all"]
    assert "--sizes is for the system prompt" in bashkit("prompt", "api.yaml", "--sizes", "--man").stderr


def test_schema(bashkit):
    assert bashkit("schema").stdout == schema_text()


@pytest.mark.needs("sh")
def test_x10_catalog_of_a_directory(bashkit):
    result = bashkit("catalog", "tools")
    assert [item["name"] for item in json.loads(result.stdout)] == ["say"]
    assert set(json.loads(result.stdout)[0]) == {"name", "description", "parameters"}
    assert result.stderr == "warning: tools:1:1: mute.sh is skipped: --describe prints nothing\n"


def test_x02_catalog_of_an_empty_directory(bashkit, tmp_path):
    (tmp_path / "empty").mkdir()
    assert json.loads(bashkit("catalog", "empty").stdout) == []


@pytest.mark.needs("sh")
def test_x05_call_succeeds(bashkit):
    result = bashkit("call", "tools", "say", '{"word": "hi"}')
    assert (result.exit_code, result.stdout) == (0, 'said {"word":"hi"}\n')
    assert result.stderr.endswith("noted\n")
    assert bashkit("call", "api.yaml", "get", '{"id": 3}').stdout == '{"id":1}\n'


@pytest.mark.needs("sh")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sya"], "unknown tool 'sya': did you mean say?"),
        (["say.sh"], "unknown tool 'say.sh': did you mean say?"),
        (["../tools/say.sh"], "unknown tool '../tools/say.sh'"),
        (["say"], "say: word is required: expected string"),
        (["say", "[]"], "say: the arguments are not a JSON object"),
        (["say", "{"], "say: the arguments are not JSON: Expecting property name enclosed in double quotes: line 1 column 2"),
        (["say", '{"word": 3}'], "say: word: expected string, got 3"),
    ],
)
def test_x04_x06_what_is_refused_does_not_run(bashkit, arguments, message):
    result = bashkit("call", "tools", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"bashkit: {message}" in result.stderr


def test_x04_an_enum_is_checked_and_extra_keys_pass(bashkit):
    result = bashkit("call", "api.yaml", "get", '{"id": 1, "unit": "kelvin"}')
    assert (result.exit_code, result.stderr) == (1, "bashkit: get: unit: expected one of celsius, fahrenheit, got 'kelvin'\n")
    assert bashkit("call", "api.yaml", "get", '{"id": 1, "extra": true}').exit_code == 0


@pytest.mark.needs("sh")
def test_x05_a_tool_that_fails_is_exit_2_with_its_stderr(bashkit):
    result = bashkit("call", "tools", "say", '{"word": "fail"}')
    assert (result.exit_code, result.stdout) == (2, 'said {"word":"fail"}\n')
    assert result.stderr.endswith("noted\n")
    failing = bashkit("call", str(examples() / "shop.yaml"), "get_user", '{"id": 999}')
    assert (failing.exit_code, failing.stderr) == (2, "get_user: there is no user 999\n")


def test_tui_says_how_to_install_what_is_missing(bashkit, monkeypatch):
    monkeypatch.setitem(sys.modules, "bashkit_tui", None)
    monkeypatch.setitem(sys.modules, "bashkit_tui.app", None)
    result = bashkit("tui")
    assert (result.exit_code, result.stderr) == (
        2,
        "bashkit: the inspector needs an extra: pip install 'bashkit-toolsets[tui]'\n",
    )


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)


def test_the_command_line_starts_without_what_it_does_not_need():
    code = "import sys, bashkit.cli; bashkit.cli.cli.main(['--help'], standalone_mode=False); print(*sys.modules)"
    loaded = set(run(code).stdout.splitlines()[-1].split())
    assert not loaded & {"yaml", "jsonschema", "rich", "textual", "bashkit.tools", "bashkit.interp", "asyncio"}


def test_no_traceback_ever():
    code = "import bashkit.cli.schema as s; s.command.callback = lambda: 1 / 0; import bashkit.cli; bashkit.cli.main(['schema'])"
    done = run(code)
    assert (done.returncode, done.stderr) == (70, "bashkit: internal error: ZeroDivisionError: division by zero\n")


@pytest.mark.needs("sh", "head")
def test_a_reader_that_leaves_ends_it_quietly():
    done = subprocess.run(
        f"{sys.executable} -c 'import bashkit.cli; bashkit.cli.main([\"schema\"])' | head -1",
        shell=True,
        capture_output=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"{\n", b"")


def test_the_group_is_a_click_group():
    assert isinstance(cli, click.Group)
    assert CliRunner().invoke(cli, ["--version"]).stdout.startswith("bashkit ")


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "bashkit", "run", "-c", "echo out; exit 3"], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("out\n", "", 3)


_ENDED_WHERE_NOTHING_CAN_BE_RAISED = """
import os, signal, sys, time
import bashkit.cli

if int(sys.argv[1]) == signal.SIGHUP:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup(1) may run the tests

class Sender:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        for _ in range(1000):  # the handler runs in one of these turns
            pass

def work(*arguments, **options):
    Sender()
    time.sleep(600)

bashkit.cli.cli.main = work
bashkit.cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the program there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_comes_where_python_ignores_all_exceptions_ends_the_program(number):
    command = [sys.executable, "-c", _ENDED_WHERE_NOTHING_CAN_BE_RAISED, str(int(number))]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (128 + number, f"bashkit: {signal.strsignal(number).lower()}\n")


def test_such_a_signal_is_sent_until_it_is_seen(monkeypatch):
    over = threading.Event()
    sent = []

    def kill(_, number):
        sent.append(number)
        if len(sent) == 3:
            over.set()

    monkeypatch.setattr("bashkit.cli._LATER", 0.001)
    monkeypatch.setattr(os, "kill", kill)
    _insist([], over, kill)
    assert sent == [signal.SIGINT] * 3


def test_it_is_not_sent_while_the_hook_runs_in_which_it_would_be_ignored_again(monkeypatch):
    over = threading.Event()
    sent = []

    def hook():
        thread.start()
        time.sleep(0.1)
        sent.append("end of hook")

    def kill(_, number):
        sent.append(number)
        over.set()

    thread = threading.Thread(target=_insist, args=([], over, hook))
    monkeypatch.setattr(os, "kill", kill)
    hook()
    thread.join()
    assert sent == ["end of hook", signal.SIGINT]


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the program there")
def test_a_signal_while_a_text_of_code_runs_is_the_exit_status(tmp_path):
    (tmp_path / "ended.py").write_text(
        "import os, signal, bashkit.cli\n"
        "sent = 'os.kill(os.getpid(), signal.SIGTERM)\\nfor _ in range(1000): pass'\n"
        "bashkit.cli.cli.main = lambda *arguments, **options: exec(sent)\n"
        "bashkit.cli.main()\n"
    )
    command = [sys.executable, "-m", "ended"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (143, "bashkit: terminated\n")

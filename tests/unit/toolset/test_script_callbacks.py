import asyncio
from pathlib import Path

import pytest

from bashkit import ExecutionLimits
from bashkit.tools.call.policy import Policy
from bashkit.toolset import in_mode, load, recorded

HEAD = """\
version: 1
name: t
env: {REGION: eu}
secrets: [KEY]
tools:
  - name: get
    effects: read
    input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}
    stub: {id: 1, name: Ada}
  - name: wipe
    effects: destructive
    stub: gone
"""
TAKES = """\
  - name: show
    input_schema:
      type: object
      properties:
        word: {type: string}
        number: {type: number}
        on: {type: boolean}
        list: {type: array, items: {type: string}}
        object: {type: object}
        two-words: {type: string}
        PATH: {type: string}
        REGION: {type: string}
    callback:
      script: |
"""


@pytest.fixture
def made(folder):
    """Makes a toolset of HEAD and a tool whose script is given."""

    def make(script, head=HEAD, name="tool", extra=""):
        lines = "".join(f"        {line}\n" for line in script.splitlines())
        text = head + (f"  - name: {name}\n    callback:\n      script: |\n" if head is HEAD else "") + lines + extra
        return load(folder.write("t.yaml", text), environ={"KEY": "sekrit"})

    return make


@pytest.mark.parametrize(
    ("script", "command", "stdout"),
    [
        ("get --id 1 | jq -r .name", "tool", "Ada\n"),
        ("for i in 1 2; do get --id $i; done | jq -s length", "x=$(tool); echo $x", "2\n"),
        ("cat", "echo piped | tool", "piped\n"),
        ("cat", "tool", ""),
        ("cat", "tool < /tmp/in", "from a file\n"),
        ("exit 7", "tool; echo $?", "7\n"),
        ("false", "tool || echo failed", "failed\n"),
        ("x=2; cd /; f() { :; }", "x=1; tool; echo $x $PWD; type f", "1 /tmp\n"),
        ("echo [$x] [$y] $#; type -t f", "x=1; export y=1; f() { :; }; export -f f; tool", "[] [] 1\n"),
        ("echo $REGION [$KEY] $HOME", "tool", "eu [] /home/user\n"),
        ("pwd; cat in; echo written > out", "tool; cat out", "/tmp\nfrom a file\nwritten\n"),
        ("set -e; false; echo no", "tool; echo $?", "1\n"),
        ("echo $-", "set -u; tool", "hB\n"),
        ("cat <&9", "exec 9</tmp/in; tool 2>/dev/null; echo $?", "1\n"),
        ("{ sleep 0.01; echo late; } &", "tool", "late\n"),
        ("echo out; echo err >&2", "tool 2>/dev/null", "out\n"),
        ("printf 'a\\0b\\xff'", "tool | od -An -tx1", " 61 00 62 ff\n"),
    ],
)
def test_a_script_runs_in_a_fresh_shell_that_shares_files_and_tools(made, script, command, stdout):
    toolset = made(script)
    response = toolset.make_tool(files={"/tmp/in": "from a file\n"}, cwd="/tmp").execute_sync(command)
    assert response.stdout == stdout


@pytest.mark.parametrize(
    ("script", "command", "stdout"),
    [
        ('echo "$word"', "show --word 'a  b*'", "a  b*\n"),
        ('echo "$number $on"', "show --number 1.5 --on", "1.5 true\n"),
        ('echo "$on"', "show --no-on", "false\n"),
        ('printf "<%s>" "${list[@]}"; echo ${#list[@]}', "show --list a --list 'b c'", "<a><b c>2\n"),
        ('echo "$object"', """show --object '{"a": [1]}'""", '{"a":[1]}\n'),
        ('echo "$two_words"', "show --two-words x", "x\n"),
        ('echo "$1" "$PATH"', "show --PATH x", '{"PATH":"x"} /usr/local/bin:/usr/bin:/bin\n'),
        ('echo "$REGION"', "show --REGION us", "us\n"),
        ('echo "[${REGION-unset}] [${word-unset}]"', "show", "[unset] [unset]\n"),
        ('echo "$1"', "show --word x --number 1", '{"word":"x","number":1}\n'),
    ],
)
def test_arguments_are_variables_and_the_first_argument(made, script, command, stdout):
    response = made(script, HEAD + TAKES).tool.execute_sync(command)
    assert (response.stdout, response.stderr) == (stdout, "")


def test_calls_inside_are_in_the_trace_and_say_where(made):
    response = made("get --id 1\n\nget --id 2").tool.execute_sync("\n  tool")
    found = [(call.tool, call.line, call.column, call.within) for call in response.trace]
    assert found == [("tool", 2, 3, ""), ("get", 2, 3, "tool"), ("get", 2, 3, "tool")]
    assert "within" not in response.trace[0].to_dict()
    assert response.trace[1].to_dict()["within"] == "tool"


def test_the_policy_and_the_secrets_hold_inside(folder, made):
    toolset = made("wipe; get --id 1")
    response = toolset.make_tool(policy=Policy({"destructive": "deny"})).execute_sync("tool")
    assert (response.stdout, response.stderr) == ('{"id":1,"name":"Ada"}\n', "wipe: the call is not allowed\n")
    folder.write("secret_of_script.py", "def f(args):\n    return args.env['KEY']\n")
    text = HEAD + "  - {name: leak, callback: {python: secret_of_script.f}}\n  - {name: tool, callback: {script: 'leak | rev'}}\n"
    response = load(folder.write("s.yaml", text), environ={"KEY": "sekrit"}).tool.execute_sync("tool")
    assert "sekrit" not in response.stdout
    assert "terkes" not in response.stdout


@pytest.mark.parametrize(
    "command", ["tool & wait", "seq 3 | xargs -P2 -I{} tool", "tool | cat; tool | head -1", "(tool); $(tool >/dev/null)"]
)
def test_it_works_wherever_a_command_does(made, command):
    response = made("get --id 1 | cat").tool.execute_sync(command)
    assert response.exit_code == 0
    assert set(response.stdout.splitlines()) == {'{"id":1,"name":"Ada"}'}


@pytest.mark.parametrize(
    "script", ["sleep 60", "sleep 60 | cat", "sleep 60 & wait", "while :; do :; done", "(sleep 60) | (sleep 60)"]
)
def test_a_time_limit_ends_all_that_it_has_started(made, script):
    endless = ExecutionLimits(max_loop_iterations=1 << 40, max_commands=1 << 40)
    tool = made(f"echo early; {script}", extra="    timeout: 50ms\n").make_tool(limits=endless)
    response = tool.execute_sync("tool; echo $?")
    assert (response.stdout, response.stderr) == ("124\n", "tool: timed out after 0.05 s\n")


def test_the_command_timeout_ends_it(made):
    response = made("sleep 60 | cat").tool.execute_sync("timeout 0.05 tool; echo $?")
    assert response.stdout == "124\n"


def test_tools_that_call_each_other_without_end_are_stopped(made):
    extra = "  - {name: other, callback: {script: tool}}\n"
    response = made("other", extra=extra).tool.execute_sync("tool")
    assert response.exit_code == 1
    assert (
        response.stderr
        == "tool: tools that are scripts call each other more than 16 levels deep: tool > other > tool > other > …\n"
    )


def test_the_limits_are_those_of_the_execution(made):
    response = made("while :; do :; done").make_tool(max_commands=1000).execute_sync("tool; echo no")
    assert (response.stdout, response.error) == ("", "limit:max_commands")


def test_messages_name_the_tool_and_the_line(made):
    response = made("true\n\nnosuch\n").tool.execute_sync("true\ntool")
    assert response.stderr == "tool: line 3: nosuch: command not found\n"


def test_x05_a_call_without_a_script_has_a_shell_too(made):
    tool = made('get --id 1; echo "$1"').tool
    response = asyncio.run(tool.call("tool", {"a": 1}))
    assert (response.stdout, response.exit_code) == ('{"id":1,"name":"Ada"}\n{"a":1}\n', 0)
    assert [call.tool for call in response.trace] == ["tool", "get"]
    assert tool.call_sync("tool", {}).stdout == '{"id":1,"name":"Ada"}\n{}\n'


def test_x08_a_recording_has_the_calls_inside_and_a_replay_runs_the_script(made, tmp_path):
    recording = tmp_path / "calls.jsonl"
    toolset = made("get --id 1 | jq -r .name")
    assert recorded(toolset, recording).tool.execute_sync("tool").stdout == "Ada\n"
    assert [line.split(",")[0] for line in recording.read_text(encoding="utf-8").splitlines()] == ['{"tool":"get"']
    assert in_mode(toolset, "replay", Path(recording)).tool.execute_sync("tool").stdout == "Ada\n"


@pytest.mark.parametrize(
    ("callback", "problems"),
    [
        ("script: |\n        echo\n          if true; fi\n", ["9:20: the script: syntax error near unexpected token `fi'"]),
        ("script: |2\n          echo (\n", ["8:17: the script: syntax error near unexpected token `newline'"]),
        ("script: |\n\n        echo 'a\n", ["9:14: the script: unexpected EOF while looking for matching `''"]),
        ("script: if true; fi\n", ["7:24: the script: syntax error near unexpected token `fi'"]),
        ('script: "if true; fi"\n', ["7:25: the script: syntax error near unexpected token `fi'"]),
        ("script: >\n        true\n\n        if; fi\n", ["7:15: line 2 of the script: syntax error near unexpected token `;'"]),
        ("script: ''\n", ["7:15: expected some text, got ''"]),
        ("script: 3\n", ['7:15: expected string, got integer | write "3" in quotes']),
        ("script: x\n      cwd: x\n", ["8:7: a bash callback takes no 'cwd'"]),
    ],
)
def test_y02_a_syntax_error_has_its_place_in_the_file(folder, callback, problems):
    head = "version: 1\nname: t\ntools:\n  - name: get\n    description: Get\n    callback:\n      "
    assert folder.problems(head + callback) == problems

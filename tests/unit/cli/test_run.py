import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = """\
version: 1
name: api
tools:
  - name: get
    input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}
    stub: {id: 1}
"""


@pytest.fixture
def bashkit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "api.yaml").write_text(TOOLSET)
    (tmp_path / "script.sh").write_text("get --id 1 | jq .id\n")

    def run(*arguments, stdin=None):
        return CliRunner().invoke(cli, ["run", *arguments], input=stdin)

    return run


def test_y04_the_script_is_an_option_a_file_or_standard_input(bashkit):
    for result in (
        bashkit("api.yaml", "-c", "get --id 1 | jq .id"),
        bashkit("api.yaml", "script.sh"),
        bashkit("script.sh", "api.yaml"),
        bashkit("api.yaml", stdin="get --id 1 | jq .id\n"),
    ):
        assert (result.stdout, result.stderr, result.exit_code) == ("1\n", "", 0)


def test_y04_without_a_file_the_bundled_shop_is_used(bashkit):
    assert bashkit("-c", "get_user --id 1 | jq -r .name").stdout == "Ada Lovelace\n"


def test_y04_the_exit_status_is_the_scripts_own(bashkit):
    result = bashkit("api.yaml", "-c", "echo out; echo err >&2; exit 7")
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 7)
    assert bashkit("api.yaml", "-c", "get").exit_code == 2
    assert bashkit("api.yaml", "-c", "if").exit_code == 2


@pytest.mark.parametrize("arguments", [["api.yaml", "api.yaml"], ["script.sh", "-c", "true"], ["none.yaml"]])
def test_y04_a_wrong_command_line_is_2(bashkit, arguments):
    result = bashkit(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


@pytest.mark.parametrize("command", ["run", "explain"])
@pytest.mark.parametrize(
    ("operand", "hint"),
    [
        ("api.yml", "'api.yml' does not exist: did you mean api.yaml?"),
        ("get --id 1", "'get --id 1' does not exist: -c SCRIPT runs a script that is given as text"),
        ("get --id 1; " * 100, "…' does not exist: -c SCRIPT runs a script that is given as text"),
        ("none/where.yaml", "'none/where.yaml' does not exist."),
        ("", "the path of a toolset is empty"),
    ],
)
def test_a_path_that_is_not_there_brings_a_hint(bashkit, command, operand, hint):
    result = CliRunner().invoke(cli, [command, operand])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].endswith(hint)


@pytest.mark.parametrize("command", ["check", "serve", "tui", "fmt"])
@pytest.mark.usefixtures("bashkit")
def test_other_commands_hint_at_a_file_of_a_similar_name(command):
    result = CliRunner().invoke(cli, [command, "api.yml"])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith("Path 'api.yml' does not exist: did you mean api.yaml?")


def test_a_link_to_nothing_is_not_what_was_meant(tmp_path):
    link = tmp_path / "link.sh"
    link.symlink_to("nothing")
    assert "did you mean" not in CliRunner().invoke(cli, ["run", str(link)]).stderr


@pytest.mark.parametrize("word", ["", "host:port"])
def test_what_names_no_toolset_behind_a_script_is_its_argument(tmp_path, word):
    script = tmp_path / "script.sh"
    script.write_text('echo "$# <$1>"')
    assert CliRunner().invoke(cli, ["run", str(script), word, "b"]).stdout == f"2 <{word}>\n"


def test_a_script_besides_c_says_what_a_toolset_is_called(tmp_path):
    file = tmp_path / "tools"
    file.write_text("version: 1\n")
    result = CliRunner().invoke(cli, ["run", str(file), "-c", "true"])
    assert result.exit_code == 2
    assert "exclude each other: the name of a toolset ends in .yaml or .yml, unlike" in result.stderr


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_arguments_and_standard_input_reach_the_script(bashkit, tmp_path, isolation):
    (tmp_path / "args.sh").write_text("#!/usr/bin/env -S bashkit run\nread line; echo $0 $# $1 $2 $line; cat\n")
    (tmp_path / "d.yaml").write_text(TOOLSET)
    for arguments, stdin, shown in (
        (["-c", "read x; echo $x; cat; echo $0 $#", "--", "a", "b c"], "1\n2\n", "1\n2\nbash 2\n"),
        (["args.sh", "--", "-x", "y"], "in\nrest", "args.sh 2 -x y in\nrest"),
        (["args.sh", "x", "y"], "in\n", "args.sh 2 x y in\n"),
        (["api.yaml", "args.sh", "d.yaml"], "in\n", "args.sh 1 d.yaml in\n"),
        (["-", "--", "q"], "echo $1; cat", "q\n"),
        (["--", "q"], "echo $1; get --id 1 --help >/dev/null", "q\n"),
    ):
        toolset = [] if "api.yaml" in arguments else ["api.yaml"]
        result = bashkit(*toolset, "--isolation", isolation, *arguments, stdin=stdin)
        assert (result.stdout, result.stderr) == (shown, "")


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize("folder", ["jobs", "../jobs", "/opt/jobs", "."])
def test_a_script_file_runs_as_bash_runs_it_and_finds_itself(bashkit, tmp_path, isolation, folder):
    place = tmp_path / "here" if folder == "/opt/jobs" else tmp_path / folder
    place.mkdir(exist_ok=True)
    name = str(place / "job.sh") if folder == "/opt/jobs" else f"{folder}/job.sh"
    (place / "job.sh").write_text(
        """\
## usage: job.sh
main() { sed -n 's/^## //p' "$0"; echo "$1 ${FUNCNAME[*]} $-"; }
if [[ ${BASH_SOURCE[0]} == "$0" ]]; then main "$@"; fi
cd "$(dirname "${BASH_SOURCE[0]}")" && ls -l | grep -o '^-rwx.*job.sh' | wc -l
echo ${missing?}
"""
    )
    result = bashkit("--isolation", isolation, "--files", name, "--", "a")
    assert (result.stdout, result.exit_code) == ("usage: job.sh\na main main hB\n1\n", 1)
    assert result.stderr == f"{name}: line 5: missing: parameter not set\n"


def test_a_script_file_with_a_syntax_error(bashkit, tmp_path):
    (tmp_path / "wrong.sh").write_text("echo a\nif; then\n")
    result = bashkit("--json", "wrong.sh")
    assert json.loads(result.stdout) == {
        "stdout": "a\n",
        "stderr": "wrong.sh: line 2: syntax error near unexpected token `;'\nwrong.sh: line 2: `if; then'\n",
        "exit_code": 2,
        "error": "parse",
        "trace": [],
    }


def test_a_script_file_goes_into_no_directory_of_the_host(bashkit, tmp_path):
    for name in ("data", "mounted"):
        (tmp_path / name).mkdir()
    (tmp_path / "data" / "job.sh").write_text("echo $0; ls data\n")
    (tmp_path / "api.yaml").write_text(TOOLSET + "mounts: [{at: /home/user/data, directory: mounted, access: write}]\n")
    result = bashkit("api.yaml", "data/job.sh")
    assert (result.stdout, result.stderr, list((tmp_path / "mounted").iterdir())) == ("data/job.sh\n", "", [])


def test_output_comes_at_once_in_its_order_and_ends_with_its_reader():
    def start(script):
        command = [sys.executable, "-m", "bashkit", "run", "-c", script]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)

    with start("(echo 1; echo 2 >&2; echo 3) ; read x; echo $x; yes") as program:
        assert b"".join(program.stdout.read(2) for _ in range(3)) == b"1\n2\n3\n"
        program.stdin.write(b"4\n")
        assert program.stdout.read(2) == b"4\n"
        program.stdout.close()
        assert program.wait() == 141


def test_y04_json(bashkit):
    result = bashkit("api.yaml", "-c", "get --id 5 >/dev/null; echo done; exit 3", "--json")
    value = json.loads(result.stdout)
    assert result.exit_code == 3
    assert (value["stdout"], value["stderr"], value["exit_code"]) == ("done\n", "", 3)
    assert [(call["tool"], call["arguments"], call["line"]) for call in value["trace"]] == [("get", {"id": 5}, 1)]


def test_s22_trace_as_json_lines_on_standard_error(bashkit):
    result = bashkit("api.yaml", "-c", "get --id 1\nget --id 2", "--trace")
    assert [json.loads(line)["line"] for line in result.stderr.splitlines()] == [1, 2]
    assert result.stdout == '{"id":1}\n{"id":1}\n'


def test_bytes_that_are_no_text_come_through(bashkit):
    assert bashkit("api.yaml", "-c", r"printf '\xff\n'").stdout_bytes == b"\xff\n"


def test_x10_calls_are_logged_as_json_lines_when_asked_for(bashkit, tmp_path):
    bashkit("api.yaml", "-c", "get --id 1", "--log", "calls.jsonl")
    bashkit("api.yaml", "-c", "get --id 2; get --id x", "--log", "calls.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["event"], line.get("arguments"), line.get("exit_code")) for line in lines] == [
        ("tool_dispatch", {"id": 1}, None),
        ("tool_result", None, 0),
        ("tool_dispatch", {"id": 2}, None),
        ("tool_result", None, 0),
        ("tool_dispatch", {"id": "x"}, None),
        ("tool_error", None, 2),
    ]


@pytest.mark.needs("sh")
def test_x08_stubs_recordings_and_replays(bashkit, tmp_path):
    (tmp_path / "t.yaml").write_text(
        "version: 1\nname: t\ntools:\n  - {name: where, callback: {executable: ./where.sh}, stub: nowhere}\n"
    )
    tool = tmp_path / "where.sh"
    tool.write_text("#!/bin/sh\necho ${SHELLCLAW_STUB:-here}\n")
    tool.chmod(0o755)
    assert bashkit("t.yaml", "-c", "where", "--stub").stdout == "nowhere\n"
    assert bashkit("t.yaml", "-c", "where", "--record", "calls.jsonl").stdout == "here\n"
    tool.unlink()
    assert bashkit("t.yaml", "-c", "where", "--replay", "calls.jsonl").stdout == "here\n"
    missing = bashkit("t.yaml", "-c", "where", "--replay", "no.jsonl")
    assert (missing.exit_code, missing.stderr) == (2, "bashkit: no.jsonl: No such file or directory\n")
    both = bashkit("t.yaml", "-c", "where", "--stub", "--record", "calls.jsonl")
    assert both.exit_code == 2 and "exclude each other" in both.stderr


DESTRUCTIVE = """\
version: 1
name: t
tools:
  - {name: wipe, effects: destructive, callback: {script: echo wiped}}
"""


def test_s23_destructive_calls_are_allowed_on_the_command_line(bashkit, tmp_path):
    (tmp_path / "t.yaml").write_text(DESTRUCTIVE)
    refused = bashkit("t.yaml", "-c", "wipe")
    assert (refused.exit_code, refused.stdout) == (126, "")
    assert "--allow destructive" in refused.stderr
    assert bashkit("t.yaml", "-c", "wipe", "--allow", "destructive").stdout == "wiped\n"
    assert bashkit("t.yaml", "-c", "wipe", "--allow", "write").exit_code == 126


def test_s23_a_replay_needs_no_approval(bashkit, tmp_path):
    (tmp_path / "t.yaml").write_text(DESTRUCTIVE.replace("{script: echo wiped}", "{python: no_such_module.wipe}"))
    (tmp_path / "calls.jsonl").write_text('{"tool": "wipe", "arguments": {}, "stdout": "wiped\\n"}\n')
    assert bashkit("t.yaml", "-c", "wipe", "--replay", "calls.jsonl").stdout == "wiped\n"

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
from urllib.parse import quote, quote_plus

import pytest

from bashkit.errors import CallbackNotFoundError, DefinitionError, LimitExceededError, ToolError
from bashkit.tools import ScriptedTool, ToolDef, ToolResult
from bashkit.tools.call.adapter import ToolAdapter
from bashkit.tools.call.call_log import CallLog
from bashkit.tools.call.redaction import Secrets, explained
from bashkit.tools.define import values

USER = ToolDef("get_user", "Fetch user by ID").with_schema(
    {"type": "object", "properties": {"id": {"type": "integer", "description": "User ID"}}, "required": ["id"]}
)
PLAIN = ToolDef("plain")


def fail(error):
    def callback(args):
        raise error

    return callback


async def later(args):
    return f"user {args['id']}\n"


@pytest.mark.parametrize(
    ("value", "stdout"),
    [
        ("text\n", "text\n"),
        ("no newline", "no newline"),
        (None, ""),
        (b"bytes\xff", "bytes\udcff"),
        ({"id": 1, "name": "Åse"}, '{"id":1,"name":"Åse"}\n'),
        ([1, 2.5, True, None], "[1,2.5,true,null]\n"),
        (3, "3\n"),
        (False, "false\n"),
        (ToolResult("out", "", 0), "out"),
        ("\ud800", "\ufffd"),
    ],
)
def test_s04_results(run, value, stdout):
    outcome = run(PLAIN, lambda args: value)
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, "", 0)


def test_s04_an_async_callback(run):
    assert run(USER, later, "--id", "7").stdout == "user 7\n"


def test_s04_a_result_with_streams_and_status(run):
    outcome = run(PLAIN, lambda args: ToolResult("out\n", "warning\n", 3))
    assert (outcome.stdout, outcome.stderr, outcome.status) == ("out\n", "warning\n", 3)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "no JSON stands for object"),
        ({"x": b"bytes"}, "no JSON stands for bytes"),
        ({"x": object()}, "no JSON stands for object"),
        (float("nan"), "not JSON"),
    ],
)
def test_s04_what_is_no_result_is_an_error(run, value, message):
    outcome = run(PLAIN, lambda args: value)
    assert outcome.status == 1
    assert message in outcome.stderr


@pytest.mark.parametrize(
    ("error", "stderr", "status"),
    [
        (ToolError("no such user", exit_code=4), "plain: no such user\n", 4),
        (ToolError(), "", 1),
        (ValueError("missing --id"), "plain: missing --id\n", 1),
        (KeyError("id"), "plain: KeyError: 'id'\n", 1),
        (KeyError("no user 7"), "plain: no user 7\n", 1),
        (RuntimeError(), "plain: RuntimeError\n", 1),
    ],
)
def test_s04_errors(run, error, stderr, status):
    outcome = run(PLAIN, fail(error))
    assert (outcome.stdout, outcome.stderr, outcome.status) == ("", stderr, status)


def shown(error, errors=None, secrets=()):
    return explained(error, errors, Secrets(secrets))


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("id must be positive"), "id must be positive"),
        (ValueError("first\nsecond"), "first"),
        (KeyError("no user 7"), "no user 7"),
        (KeyError("id"), "KeyError: 'id'"),
        (LookupError("no user 7"), "no user 7"),
        (ValueError(), "ValueError"),
        (RuntimeError("internal state"), "RuntimeError"),
        (FileNotFoundError(2, "No such file", "/srv/app/config.toml"), "FileNotFoundError"),
        (sqlite3.OperationalError("no such table: users"), "OperationalError"),
        (subprocess.CalledProcessError(1, ["curl", "--password=hunter2", "https://host"]), "CalledProcessError"),
        (type("InvalidURL", (OSError, ValueError), {})("https://key@internal"), "InvalidURL"),
        (AttributeError("'Client' object has no attribute 'x'"), "AttributeError"),
        (ToolError("see /data/report.csv\nand more"), "see /data/report.csv\nand more"),
        (CallbackNotFoundError("there is no file get.sh"), "there is no file get.sh"),
    ],
)
def test_s16_what_a_script_reads_about_an_exception(error, text):
    assert shown(error) == text


def test_s16_an_author_decides_what_scripts_read_about_exceptions(run):
    error, told = RuntimeError("it is broken"), ValueError("bad id")
    assert (shown(error, "message"), shown(error, "type")) == ("it is broken", "RuntimeError")
    assert (shown(told, "message"), shown(told, "type")) == ("bad id", "ValueError")
    assert shown(ToolError("no luck"), "type") == "no luck"
    assert run(ToolDef("open", errors="message"), fail(error)).stderr == "open: it is broken\n"
    run.calls.errors = "type"
    assert run(PLAIN, fail(told)).stderr == "plain: ValueError\n"
    assert run(ToolDef("open", errors="message"), fail(told)).stderr == "open: bad id\n"


def test_s16_only_known_settings_are_taken():
    with pytest.raises(DefinitionError, match="errors must be one of message, type, not 'none'"):
        ToolDef("t", errors="none")
    with pytest.raises(DefinitionError, match="errors must be one of message, type, not 'none'"):
        ScriptedTool("t", errors="none")


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("cannot open /home/u/My Docs/x.db: locked", "cannot open <path>: locked"),
        ("cannot open '/home/u/My, (new) Docs/x.db': locked", "cannot open <path>: locked"),
        ("[Errno 2] No such file: '/srv/app/config.toml'", "[Errno 2] No such file: <path>"),
        ("at path=/home/u/x:3", "at path=<path>:3"),
        ("error:/home/u/x", "error:<path>"),
        ("see file:///home/u/x and go", "see <path> and go"),
        ("see file:/home/u/x", "see <path>"),
        ("sqlite:////home/u/x.db is locked", "<path> is locked"),
        ("unix:/run/user/1000/bus", "<path>"),
        (r"cannot open C:\Users\me\My Docs\x.db", "cannot open <path>"),
        ("cannot open ~/x.db", "cannot open <path>"),
        ("GET https://api.example.com/v1/users/7 failed", "GET https://api.example.com/v1/users/7 failed"),
        ("cannot reach postgres://bob:hunter2@db/x", "cannot reach postgres://***@db/x"),
        ("cannot reach https://ghp_123@github.com/x", "cannot reach https://***@github.com/x"),
        ("ran curl --password=hunter2 now", "ran curl --password=*** now"),
        ("ran curl --password hunter2 now", "ran curl --password *** now"),
        ("ran ['curl', '--password', 'hunter2']", "ran ['curl', '--password', ***]"),
        ("ran ['curl', '--password=hunter two']", "ran ['curl', '--password=***']"),
        ("GET /x?api_key=k123&b=2", "GET /x?api_key=***&b=2"),
        ("PGPASSWORD='hunter two' psql", "PGPASSWORD=*** psql"),
        ('{"token": "k 123", "id": 1}', '{"token": ***, "id": 1}'),
        ("Authorization: Bearer k123456789", "Authorization: Bearer ***"),
        ("Authorization: k123456789", "Authorization: ***"),
        ("<Thing object at 0x7f00deadbeef>", "<Thing object at 0x…>"),
        ("the token is invalid: expected text", "the token is invalid: expected text"),
    ],
)
def test_s16_messages_without_details_of_the_host(text, cut):
    assert shown(ValueError(text)) == cut


def test_s16_secrets_are_cut_before_anything_else():
    assert shown(ValueError("bad key a/b/c d/e/f"), secrets=["a/b/c d/e/f"]) == "bad key ***"
    assert shown(ValueError("bad key first\nsecond"), secrets=["first\nsecond"]) == "bad key ***"
    assert "abcd" not in shown(ValueError("x" * 496 + "abcdefgh"), secrets=["abcdefgh"])
    assert shown(ToolError("bad key k1, --token=k2"), secrets=["k1"]) == "bad key ***, --token=***"


@pytest.mark.parametrize("secret", ["-----BEGIN KEY-----\na+/=\n", 'p"w\\d', "schlüssel & wort", "tab\there", "\udcff'\""])
def test_s15_a_secret_is_masked_in_json_and_in_urls(run, secret):
    run.calls.secrets = Secrets([secret])
    data = secret.encode("utf-8", "surrogateescape")
    for written in (
        {"key": [secret]},
        repr(secret)[1:-1],
        json.dumps(secret)[1:-1],
        quote(data),
        quote(data, safe=""),
        quote_plus(data),
    ):
        outcome = run(PLAIN, lambda args, written=written: written)
        assert outcome.stdout in {'{"key":["***"]}\n', "***"}


def test_s16_the_host_gets_the_exception_itself(run):
    seen = []
    run.calls.on_error = lambda call, error: seen.append((call.tool, error))
    error = ValueError("inner /etc/app/config")
    run(PLAIN, fail(error))
    assert seen == [("plain", error)]
    assert run.calls.trace[0].exception is error


def test_s20_a_call_that_takes_too_long_is_124(run):
    release = threading.Event()
    outcome = run(ToolDef("slow", timeout=0.05), lambda args: release.wait())
    release.set()
    assert (outcome.status, outcome.stderr) == (124, "slow: timed out after 0.05 s\n")


def test_s15_secrets_reach_the_callback_and_nothing_else(run):
    run.calls.env = {"API_KEY": "s3cret"}
    run.calls.secrets = Secrets(["s3cret"])
    seen = []

    def leak(args):
        seen.append(args.env["API_KEY"])
        return ToolResult(f"key {args.env['API_KEY']}\n", "s3cret!\n", 0)

    outcome = run(PLAIN, leak, "--key", "s3cret")
    assert seen == ["s3cret"]
    assert outcome.stdout == "key ***\n"
    assert outcome.stderr == "***!\n"
    assert "s3cret" not in run.calls.trace.json_lines()
    run(PLAIN, fail(ValueError("bad key s3cret")))
    assert "s3cret" not in run.calls.trace.json_lines()


def test_o01_the_raw_form_gets_the_words_and_stdin(run):
    seen = []
    raw = ToolDef("raw", raw=True)
    run(raw, lambda args, stdin: seen.append((args, stdin)), "a", "--help", "-x", stdin="in")
    assert seen == [(["a", "--help", "-x"], "in")]


def test_stdin_is_what_is_piped_in(run):
    assert run(PLAIN, lambda args: args.stdin, stdin="piped\n").stdout == "piped\n"


def test_stdin_is_left_alone_when_the_definition_says_so(run):
    seen = []
    run(PLAIN.with_stdin(False), lambda args: seen.append(args.stdin), stdin="kept")
    assert seen == [None]


def test_s06_a_json_object_on_stdin_when_the_tool_says_so(run):
    tool = USER.with_stdin("json")
    assert run(tool, lambda args: dict(args.params), stdin='{"id": 5, "x": 1}').stdout == '{"id":5,"x":1}\n'
    assert run(tool, lambda args: dict(args.params), "--id", "9", stdin='{"id": 5}').stdout == '{"id":9}\n'
    assert run(tool, lambda args: None, "--id", "9", stdin="[1]").stderr.startswith(
        "get_user: standard input: expected a JSON object"
    )


def test_s08_help_lists_no_flag_that_the_tool_has_itself(run):
    tool = ToolDef("run", "", {"properties": {"dry_run": {"type": "boolean", "description": "Only try"}}})
    assert run(tool, print, "--help").stdout == (
        "Usage: run [--dry_run]\n\nParameters:\n  --dry_run               Only try (boolean)\n\n"
        "Other flags:\n  --help                  print this help\n"
    )


def test_s08_help(run):
    tool = (
        ToolDef("list_orders", "List orders.")
        .with_schema(
            {
                "properties": {
                    "status": {"enum": ["open", "closed"], "default": "open", "description": "Which ones"},
                    "user": {"type": "integer", "minimum": 1},
                    "archived": {"type": "boolean"},
                },
                "required": ["user"],
            }
        )
        .with_output_schema({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}})
        .with_examples("list_orders --user 1 | jq length")
    )
    outcome = run(tool, fail(AssertionError), "--help")
    assert outcome.status == 0
    assert outcome.stdout == (
        "Usage: list_orders --user <integer> [--status <open|closed>] [--archived]\n\n"
        "List orders.\n\n"
        "Parameters:\n"
        "  --user <integer>        integer, required, at least 1\n"
        "  --status <open|closed>  Which ones (one of open, closed, default open)\n"
        "  --archived              boolean\n\n"
        "Other flags:\n"
        "  --help                  print this help\n"
        "  --dry-run               print the parsed arguments as JSON and call nothing\n\n"
        "Output:\n  [{id: integer}]\n\n"
        "Examples:\n  list_orders --user 1 | jq length\n"
    )


def test_s08_dry_run_prints_the_arguments_and_calls_nothing(run):
    outcome = run(USER, fail(AssertionError), "--dry-run", "--id", "7")
    assert (outcome.stdout, outcome.status) == ('{"id":7}\n', 0)
    assert len(run.calls.trace) == 0


def test_s08_a_parameter_called_help_is_the_tools_own(run):
    tool = ToolDef("ask").with_schema({"properties": {"help": {"type": "string"}}})
    assert run(tool, lambda args: args["help"], "--help", "me").stdout == "me"


def test_s22_a_call_is_recorded(run):
    seen = []
    run.calls.on_call = seen.append
    run(USER, lambda args: "ok\n", "--id", "7", stdin="abc")
    run(USER, fail(ToolError("gone", exit_code=9)), "--id", "8")
    first, second = run.calls.trace
    assert (first.tool, first.line, first.column, first.arguments) == ("get_user", 3, 5, {"id": 7})
    assert (first.stdin_bytes, first.stdout_bytes, first.exit_code, first.error) == (3, 3, 0, "")
    assert first.duration is not None
    assert first.duration >= 0
    assert (second.exit_code, second.error) == (9, "gone")
    assert second.started >= first.started
    assert seen == [first, second]


def test_s22_the_trace_is_capped_and_says_so(run):
    run.calls.trace.capacity = 1
    for _ in range(3):
        run(PLAIN, lambda args: None)
    assert len(run.calls.trace) == 1
    assert run.calls.trace.json_lines().splitlines()[-1] == '{"dropped":2}'


def test_s22_long_arguments_are_cut(run):
    run(PLAIN, lambda args: None, "--text", "x" * 5000)
    assert run.calls.trace[0].arguments["text"].endswith("… (5000 characters)")


@pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError()])
def test_s16_a_callback_ends_itself_and_not_the_host(run, error):
    assert run(PLAIN, fail(error)).status == 1


class Later:
    async def __call__(self, args):
        return "later\n"


def test_s04_an_object_that_is_called_and_awaited(run):
    assert run(PLAIN, Later()).stdout == "later\n"


@pytest.mark.parametrize("depth", [200, 9000])
def test_a_deep_argument_is_a_message(run, depth):
    tool = ToolDef("take").with_schema({"properties": {"data": {"type": "array"}}})
    outcome = run(tool, fail(AssertionError), "--data", "[" * depth + "]" * depth)
    assert outcome.status == 2
    assert outcome.stderr.splitlines()[0] in {
        "take: the arguments are nested deeper than 100 levels",
        "take: --data: not valid JSON for an array: nested too deeply",  # Python 3.12 reads fewer levels than others
    }


def test_a_large_command_line_is_read_too(run):
    tool = ToolDef("take").with_schema({"properties": {"ids": {"type": "array", "items": {"type": "integer"}}}})
    assert run(tool, lambda args: len(args["ids"]), "--ids", ",".join(["7"] * 50_000)).stdout == "50000\n"


def test_more_elements_than_the_limits_allow_end_the_script(run):
    with pytest.raises(LimitExceededError, match="max_words"):
        run(PLAIN, lambda args: None, "--ids", "," * 500_001)


def test_x10_the_call_log(run):
    lines = []
    log = CallLog(lines.append, lambda: 1.5)
    run.calls.on_start, run.calls.on_call = log.started, log.ended
    run(USER, lambda args: "ok\n", "--id", "7")
    run(USER, fail(ToolError("gone", exit_code=9)), "--id", "8")
    found = [json.loads(line) for line in lines]
    assert [line["event"] for line in found] == ["tool_dispatch", "tool_result", "tool_dispatch", "tool_error"]
    assert found[0] == {"event": "tool_dispatch", "time": 1.5, "tool": "get_user", "arguments": {"id": 7}, "line": 3, "column": 5}
    assert (found[1]["exit_code"], found[1]["stdout_bytes"]) == (0, 3)
    assert (found[3]["exit_code"], found[3]["error"]) == (9, "gone")


TIER = {"type": "object", "properties": {"tier": {"type": "string"}, "dry": {"type": "boolean"}}}
COMBINED = {"allOf": [TIER], "properties": {"more": {"type": "string"}}}


@pytest.mark.parametrize("effects", ["write", "destructive"])
@pytest.mark.parametrize(
    ("schema", "words", "stderr"),
    [
        (TIER, ["--teir", "gold"], "--teir is not a parameter (did you mean --tier?)"),
        (TIER, ["--tier", "gold", "--zone=eu"], "--zone is not a parameter"),
        (TIER, ['{"teir": "gold"}'], "--teir is not a parameter (did you mean --tier?)"),
        (COMBINED, ["--teir", "gold"], "--teir is not a parameter (did you mean --tier?)"),
    ],
)
def test_an_unknown_parameter_refuses_a_call_that_changes_something(run, effects, schema, words, stderr):
    called = []
    tool = ToolDef("delete_all", input_schema=schema, effects=effects)
    outcome = run(tool, called.append, *words)
    assert (outcome.status, called) == (2, [])
    assert outcome.stderr.splitlines()[0] == f"delete_all: {stderr}"
    assert ToolAdapter(tool, called.append).problems({"teir": "gold"}) == ["teir is not a parameter (did you mean tier?)"]


@pytest.mark.parametrize(
    ("effects", "schema", "warning"),
    [
        ("read", TIER, "tool: warning: --teir is not a parameter (did you mean --tier?)\n"),
        (None, TIER, "tool: warning: --teir is not a parameter (did you mean --tier?)\n"),
        ("write", {}, ""),
        ("write", TIER | {"additionalProperties": True}, ""),
        ("write", TIER | {"patternProperties": {"^te": {}}}, ""),
        ("write", COMBINED | {"unevaluatedProperties": {"type": "string"}}, ""),
    ],
)
def test_an_unknown_parameter_may_be_meant(run, effects, schema, warning):
    outcome = run(ToolDef("tool", input_schema=schema, effects=effects), lambda args: args["teir"], "--teir", "gold")
    assert (outcome.stdout, outcome.stderr, outcome.status) == ("gold", warning, 0)


def test_known_parameters_of_a_combined_schema_are_taken(run):
    tool = ToolDef("tool", input_schema=COMBINED, effects="write")
    assert run(tool, lambda args: args["tier"] + args["more"], "--tier", "a", "--more", "b").stdout == "ab"


def test_large_results_are_written_in_pieces():
    """They are what the encoder makes of them at once."""
    rows = [{"id": number, "name": "é", "tags": ["a", 2.5, None, {"b": []}]} for number in range(1500)]
    for value in (
        rows,
        {"rows": rows, 1: {str(number): number for number in range(2000)}, "more": (1, 2)},
        [[rows[:500]] * 5, []],
    ):
        assert values.encode(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    with pytest.raises(ValueError, match="NaN and infinities"):
        values.encode([*range(2000), float("nan")])


def test_a_large_result_that_contains_itself_is_refused(monkeypatch):
    monkeypatch.setattr(values, "_DEEPEST", 50)
    value = list(range(2000))
    value.append(value)
    with pytest.raises(ValueError, match="nested too deeply"):
        values.encode(value)


@pytest.mark.parametrize("message", ["'x' * 20_000_000", "'sqlite+' * 100_000"])
def test_a_message_of_any_length_is_read_in_linear_time(message):
    code = f"from bashkit.tools.call.redaction import *; print(len(explained(ToolError({message}), None, Secrets())))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert int(answer.stdout) == 65_537  # the beginning, and what says that there was more

"""Errors that teach: what a script is told about fields that are not there, calls that ended it, and names it got wrong."""

import pytest

from bashkit.errors import ToolError
from bashkit.tools import ScriptedTool, ToolDef

ID = {"type": "object", "properties": {"user_id": {"type": "integer"}}, "required": ["user_id"]}
USER = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string"},
        "email": {"type": "string"},
        "orders": {"type": "array", "items": {"type": "object", "properties": {"total": {"type": "number"}}}},
    },
}


def user(number):
    return {"id": number, "name": "Ada", "email": "ada@example.com", "orders": [{"total": 3}]}


def get_user(args):
    if args["user_id"] > 5:
        raise ToolError("no such user", exit_code=3)
    return user(args["user_id"])


TOOLS = [
    (ToolDef("get_user", "Fetch a user", ID, USER), get_user),
    (ToolDef("list_users", "List users", {}, {"type": "array", "items": USER}), lambda args: [user(1), user(2)]),
    (ToolDef("plain", "Says nothing about its output"), lambda args: {"name": "x"}),
]


def stderr(script, **options):
    return ScriptedTool("api", tools=TOOLS, **options).execute_sync(script).stderr


# -- set -e ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        ("set -e; get_user 9; echo never", "at line 1: get_user 9 exited with status 3\n"),
        (
            "set -e\necho one\nname=$(get_user --user_id 9 2>/dev/null)\necho never",
            "at line 3: get_user --user_id 9 exited with status 3\n",
        ),
        ("set -eo pipefail\nget_user 9 | jq .name | cat", "at line 2: get_user 9 exited with status 3\n"),
        ("set -e\nf() {\n  get_user 9\n}\nf", "at line 3: get_user 9 exited with status 3\n"),
        ("set -e; get_user --user_id='a b'", "at line 1: get_user '--user_id=a b' exited with status 2\n"),
        ("set -e\ngrep -q x <<< y", "at line 2: a command exited with status 1\n"),
    ],
)
def test_s08_a_failing_call_under_set_e_is_named(script, hint):
    tool = ScriptedTool("api", tools=TOOLS)
    response = tool.execute_sync(script)
    assert response.stderr.endswith(f"hint: set -e ended the script {hint}")
    assert "never" not in response.stdout


@pytest.mark.parametrize(
    "script",
    [
        "get_user 9",
        "set -e; get_user 9 || echo fallback",
        "set -e; if get_user 9; then :; fi",
        "set -e; get_user 9 | cat",
        "set -e; exit 3",
    ],
)
def test_s08_no_hint_where_set_e_ended_nothing(script):
    assert "hint" not in stderr(script)


def test_s08_a_handled_failure_is_not_blamed():
    assert "get_user 9 exited" not in stderr("set -e; get_user 9 || true; get_user 9 || true; (exit 3)")


def test_s08_a_refused_call_counts_too():
    tool = ScriptedTool("api", tools=[(ToolDef("once", max_calls=1), lambda args: "ok\n")])
    response = tool.execute_sync("set -e; once; once; echo never")
    assert response.stderr.splitlines()[-1] == "hint: set -e ended the script at line 1: once exited with status 126"


def test_s15_a_hint_shows_no_secret():
    tool = ScriptedTool("api", tools=TOOLS, secrets={"KEY": "s3cret"})
    assert "s3cret" not in tool.execute_sync("set -e; get_user --user_id 9 --key s3cret").stderr


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("get_user --user 1", "get_user: warning: --user is not a parameter (did you mean --user_id?)\n"),
        ("get_user --id 1", "get_user: warning: --id is not a parameter (did you mean --user_id?)\n"),
        ("get_user --usr_id 1", "get_user: warning: --usr_id is not a parameter (did you mean --user_id?)\n"),
        ("get_usr 1", "bash: did you mean `get_user`?\n"),
        ("get user 1", "bash: did you mean `get_user`?\n"),
        ("users list --limit 3", "bash: did you mean `list_users`?\n"),
        ("api list users", "bash: did you mean `list_users`?\n"),
        ("help get_usr", "help: no help topics match 'get_usr'.  Try 'help --list'.  Did you mean get_user?\n"),
    ],
)
def test_s08_the_nearest_name_is_suggested(script, message):
    assert message in stderr(script)


def test_s07_the_usage_line_ends_a_refusal():
    assert stderr("get_user --user_id x").splitlines() == [
        "get_user: --user_id: expected integer, got 'x'",
        "usage: get_user --user_id <integer>",
    ]


@pytest.mark.parametrize(
    "script",
    [
        "get_user 1 | jq .fullname",
        "set -e; get_user 9",
        "get_usr 1",
        "get_user --user 1",
        "get_user 1 | jq -r .mail",
        "set -e; false",
    ],
)
def test_s08_every_hint_can_be_switched_off(script):
    text = stderr(script, hints=False)
    assert "hint" not in text
    assert "did you mean" not in text
    assert "warning" not in text


def test_s08_suggestions_of_values_go_too():
    tool = ToolDef("list").with_schema({"properties": {"status": {"enum": ["open", "closed"]}}})
    for hints in (True, False):
        response = ScriptedTool("api", tools=[(tool, print)], hints=hints).execute_sync("list --status opne")
        assert response.stderr.startswith("list: --status: expected one of open, closed, got 'opne'")
        assert ("did you mean open?" in response.stderr) is hints

"""What an MCP server says and asks while a call runs: progress, questions, requests for a model; and tools that are tasks."""

import asyncio
import json
import sys

import pytest

from bashkit.tools import Policy
from bashkit.toolset import load

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

# its tool talk sends what its argument "send" has, waits for the answers to requests among it, and answers with these
SERVER = """
import json, sys

def send(value):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **value}) + "\\n")
    sys.stdout.flush()

schema = {"type": "object", "properties": {"send": {"type": "array"}}}
tools = [{"name": "talk", "inputSchema": schema}, {"name": "pair", "inputSchema": schema},
         {"name": "job", "inputSchema": schema, "execution": {"taskSupport": "required"}}]
waiting = []
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
        print(json.dumps(params["capabilities"]), file=sys.stderr)
    elif method == "tools/list":
        result = {"tools": tools}
    elif method == "tools/call" and params["name"] == "pair":
        waiting.append(message["id"])
        if len(waiting) < 2:
            continue
        question = {"mode": "form", "message": "Whose?", "requestedSchema": {"type": "object", "properties": {}}}
        send({"id": "pair", "method": "elicitation/create", "params": question})
        answer = json.loads(sys.stdin.readline())["result"]
        result = {"content": [{"type": "text", "text": json.dumps(answer)}]}
        send({"id": waiting[0], "result": result})
    elif method == "tools/call":
        answers = []
        for number, value in enumerate(params["arguments"]["send"]):
            if value["method"] == "notifications/progress":
                value["params"]["progressToken"] = params["_meta"]["progressToken"]
                send(value)
            else:
                send({"id": f"ask{number}", **value})
                answer = json.loads(sys.stdin.readline())
                answers.append(answer.get("result") or answer["error"]["message"])
        result = {"content": [{"type": "text", "text": json.dumps(answers)}]}
    else:
        continue
    send({"id": message["id"], "result": result})
"""


@pytest.fixture(scope="module")
def toolset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    command = json.dumps([sys.executable, str(folder / "server.py")])
    text = f"version: 1\nname: t\nsources:\n  - {{mcp: {{command: {command}}}, timeout: 2s}}\n"
    (folder / "t.yaml").write_text(text, encoding="utf-8")
    with load(folder / "t.yaml") as toolset:
        yield toolset


def talk(*messages):
    return f"talk '{json.dumps({'send': messages})}'"


def progress(done, **more):
    return {"method": "notifications/progress", "params": {"progress": done, **more}}


def elicit(message="Which?", **schema):
    params = {"mode": "form", "message": message, "requestedSchema": {"type": "object", "properties": {}, **schema}}
    return {"method": "elicitation/create", "params": params}


SAMPLE = {
    "method": "sampling/createMessage",
    "params": {"messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}], "maxTokens": 9},
}
NAME = {"properties": {"name": {"type": "string"}, "size": {"type": "integer", "default": 3}}}


# -- progress ----------------------------------------------------------------------------------------------------------


async def test_progress_is_a_status_of_the_execution_and_part_of_the_trace(toolset):
    statuses = []
    script = talk(progress(1, total=4, message="reading"), progress(9, total=4), progress(10))
    response = await toolset.make_tool().execute_with_status(script, statuses.append)
    told = [(one.message, one.percent_complete) for one in statuses if one.phase == "call"]
    assert told == [("talk: reading", 25.0), ("talk: 9", 100.0), ("talk: 10", None)]
    (call,) = response.trace
    assert [{key: value for key, value in one.items() if key != "seconds"} for one in call.to_dict()["progress"]] == [
        {"done": 1, "total": 4, "message": "reading"},
        {"done": 9, "total": 4},
        {"done": 10},
    ]
    assert all(0 <= one["seconds"] <= call.duration for one in call.progress)


def test_of_very_many_reports_the_first_hundred_are_kept(toolset):
    response = toolset.tool.execute_sync(talk(*map(progress, range(150))))
    assert [one["done"] for one in response.trace[0].progress] == list(range(100))


async def test_any_callback_reports_progress():
    from bashkit.tools import ScriptedTool, ToolDef

    def work(args):
        args.progress(1, 2, "half")
        return "done\n"

    statuses = []
    tool = ScriptedTool("t", tools=[(ToolDef("work"), work)])
    await tool.execute_with_status("work", statuses.append)
    assert [one.message for one in statuses if one.phase == "call"] == ["work: half"]


# -- questions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "schema", "result", "note"),
    [
        (True, {}, {"action": "accept", "content": {}}, ""),
        (True, NAME, {"action": "accept", "content": {"size": 3}}, ""),
        ({"name": "Rex"}, NAME | {"required": ["name"]}, {"action": "accept", "content": {"name": "Rex"}}, ""),
        (True, NAME | {"required": ["name"]}, {"action": "decline"}, "the approval has no name"),
        (False, NAME, {"action": "decline"}, "it was not approved"),
    ],
)
def test_a_question_is_put_to_whoever_approves_calls(toolset, answer, schema, result, note):
    asked = []

    def approve(call):
        asked.append((call.tool, call.question, call.answers.get("required"), call.line))
        return answer

    response = toolset.make_tool(policy=Policy(approve=approve)).execute_sync("\n" + talk(elicit(**schema)))
    assert json.loads(response.stdout) == [result]
    assert response.stderr == (f"talk: the server asked: Which?: {note}\n" if note else "")
    assert asked == [("talk", "Which?", schema.get("required"), 2)]


def test_where_nobody_can_be_asked_the_answer_is_no(toolset):
    response = toolset.tool.execute_sync(talk(elicit()))
    assert (json.loads(response.stdout), response.exit_code) == ([{"action": "decline"}], 0)
    assert response.stderr == "talk: the server asked: Which?: nobody can be asked\n"


@pytest.mark.thorough
async def test_time_to_think_counts_neither_for_the_call_nor_for_the_script(toolset):
    from bashkit.limits import ExecutionLimits

    async def approve(call):
        await asyncio.sleep(2.5 if call.question else 0)  # more than the source's timeout and the script's
        return True

    tool = toolset.make_tool(policy=Policy(approve=approve), limits=ExecutionLimits(timeout=2.0))
    response = await tool.execute(talk(elicit()))
    assert (response.exit_code, json.loads(response.stdout)) == (0, [{"action": "accept", "content": {}}])


def test_a_question_that_may_be_for_another_call_is_answered_by_nobody(toolset):
    asked = []
    policy = Policy(approve=lambda call: asked.append(call) or True)
    response = toolset.make_tool(policy=policy).execute_sync("pair & pair; wait")
    assert response.stdout == '{"action": "decline"}\n' * 2
    why = "several calls are running, and it does not say which of them it is for"
    assert response.stderr == f"pair: the server asked: Whose?: {why}\n" * 2
    assert asked == []


def test_an_address_to_open_and_a_model_are_refused(toolset):
    url = {"mode": "url", "message": "m", "url": "https://e.com/login", "elicitationId": "1"}
    response = toolset.make_tool(policy=Policy(approve=lambda _: True)).execute_sync(
        talk({"method": "elicitation/create", "params": url}, SAMPLE)
    )
    assert json.loads(response.stdout) == [{"action": "decline"}, "sampling is refused: there is no model for servers here"]
    assert response.stderr.splitlines() == [
        "talk: the server asked to open https://e.com/login: that is refused",
        "talk: the server asked for the answer of a model (sampling): that is refused",
    ]


# -- tasks -------------------------------------------------------------------------------------------------------------


def test_a_tool_that_is_a_task_is_passed_over_with_its_reason(toolset):
    assert [tool.name for tool in toolset.tools] == ["talk", "pair"]
    (warning,) = toolset.warnings
    assert warning.message == "the MCP tool job is skipped: it runs only as a task, and tasks of MCP are not supported"
    assert (warning.severity, warning.hint) == ("warning", "exclude: [job]")

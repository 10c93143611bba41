"""What a model gets, and the answers to its calls, in the form of each provider."""

import asyncio
import json

import pytest

from bashkit import BashkitError, BashTool, ScriptedTool, ToolDef, ToolError, ToolResult
from bashkit.tools.call.policy import Policy
from bashkit.tools.execute.contract import ToolResponse
from bashkit.tools.offer import Offer

GREET = ToolDef(
    "greet",
    "Greet somebody",
    {"type": "object", "properties": {"name": {"type": "string"}, "times": {"type": "integer"}}, "required": ["name"]},
    output_schema={"type": "object", "properties": {"hello": {"type": "string"}}},
    effects="read",
)


def greet(args):
    return {"hello": args["name"] * args.get("times", 1)}


@pytest.fixture
def tool():
    dotted = ToolDef("pdf.pages", "Count pages", effects="read")
    raw = ToolDef("words", raw=True)
    return ScriptedTool("t", "Two tools", tools=[(GREET, greet), (dotted, lambda args: "3\n"), (raw, lambda args, stdin: "")])


def names(offer):
    return [offered.name for offered in offer.tools]


@pytest.mark.parametrize(
    ("expose", "expected"),
    [
        ("bash", ["t"]),
        ("discovery", ["t", "t_discover"]),
        ("tools", ["greet", "pdf_pages"]),
        ("both", ["t", "greet", "pdf_pages"]),
        ("all", ["t", "t_discover", "greet", "pdf_pages"]),
    ],
)
def test_what_is_exposed(tool, expose, expected):
    assert names(Offer(tool, expose)) == expected


def test_a_tool_in_discovery_mode_comes_with_its_search():
    assert names(Offer(ScriptedTool("t", tools=[(GREET, greet)], prompt_mode="discovery"))) == ["t", "t_discover"]


def test_a_command_with_the_name_of_the_tool_gets_another_one():
    assert names(Offer(ScriptedTool("greet", tools=[(GREET, greet)]), "both")) == ["greet", "greet_2"]


def test_the_description_is_the_prompt_unless_the_host_has_it(tool):
    assert Offer(tool).tools[0].description == tool.system_prompt()
    assert Offer(tool, with_prompt=False).tools[0].description == tool.description()


def test_other_tools_take_scripts_alone():
    class Own:
        name, short_description, version = "own", "", "1"

        def description(self):
            return "Own"

        help = system_prompt = description

        def input_schema(self):
            return {"type": "object", "properties": {"commands": {"type": "string"}}}

        output_schema = input_schema

        async def execute(self, request):
            return ToolResponse(f"ran {request}", "", 0)

        async def execute_with_status(self, request, status_callback):
            return await self.execute(request)

    offer = Offer(Own())
    assert offer.tools[0].call_sync({"commands": "ls"}).response.stdout == "ran ls"
    assert names(Offer(BashTool())) == ["bashkit"]
    with pytest.raises(BashkitError, match="own has no commands of its own to expose"):
        Offer(Own(), "tools")
    with pytest.raises(BashkitError, match="a tool is a ScriptedTool, a BashTool or an object with their methods, not int"):
        Offer(5)
    with pytest.raises(BashkitError, match="expose"):
        Offer(Own(), "everything")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "'commands' must be the bash script, as text"),
        ({"commands": 5}, "'commands' must be the bash script, as text"),
        ({"commands": "true", "timeout": 5}, "there is no parameter 'timeout': the only one is 'commands'"),
        ("ls", "the arguments of t must be a JSON object"),
        (None, "the arguments of t must be a JSON object"),
        ([1], "the arguments of t must be a JSON object"),
    ],
)
def test_a_wrong_request_is_told_to_the_model(tool, arguments, text):
    answer = Offer(tool).tools[0].call_sync(arguments)
    assert (answer.text, answer.failed, answer.response) == (text, True, None)


def test_a_script(tool):
    answer = Offer(tool).tools[0].call_sync({"commands": "greet --name a | jq -r .hello; echo $(pdf.pages)"})
    assert answer.structured == {"stdout": "a\n3\n", "stderr": "", "exit_code": 0}
    assert (json.loads(answer.text), answer.failed) == (answer.structured, False)
    assert [call.tool for call in answer.response.trace] == ["greet", "pdf.pages"]
    failed = Offer(tool).tools[0].call_sync({"commands": "echo out; exit 3"})
    assert (failed.failed, failed.structured["exit_code"]) == (True, 3)


def test_progress(tool):
    seen = []
    Offer(tool).tools[0].call_sync({"commands": "echo out"}, seen.append)
    assert [status.phase for status in seen] == ["validate", "parse", "execute", "output", "complete"]


def test_a_command(tool):
    greeting, pages = Offer(tool, "tools").tools
    answer = greeting.call_sync({"name": "a", "times": None})
    assert (answer.text, answer.structured, answer.failed) == ('{"hello":"a"}\n', {"hello": "a"}, False)
    assert pages.call_sync({}).text == "3\n"
    assert greeting.call_sync({}).text == "name is required: expected string"
    assert greeting.call_sync({"name": "a", "times": "x"}).text == "times: expected integer, got 'x'"
    either = ToolDef("seek", "", {"properties": {"id": {}, "name": {}}, "anyOf": [{"required": ["id"]}, {"required": ["name"]}]})
    seeking = Offer(ScriptedTool("t", tools=[(either, greet)]), "tools").tools[0]
    assert seeking.call_sync({}).text == "id or name is required"


def failing(error):
    def fail(args):
        raise error

    return fail


@pytest.mark.parametrize(
    ("callback", "text"),
    [
        (failing(ToolError("no such user", 3)), "no such user"),
        (failing(ValueError("bad /home/me/secret.txt")), "bad <path>"),
        (failing(RuntimeError("secret details")), "RuntimeError"),
        (lambda args: ToolResult("part", "it broke\n", 4), "exit status 4: it broke"),
        (lambda args: ToolResult("", "", 4), "exit status 4"),
        (lambda args: object(), "no JSON stands for object"),
    ],
)
def test_a_command_that_fails(callback, text):
    answer = Offer(ScriptedTool("t", tools=[(GREET, callback)]), "tools").tools[0].call_sync({"name": "a"})
    assert answer.failed
    assert text in answer.text


def test_the_policy_holds():
    wipe = ToolDef("wipe", effects="destructive"), lambda args: "wiped"
    answer = Offer(ScriptedTool("t", tools=[wipe], policy=Policy({"destructive": "deny"})), "tools").tools[0].call_sync({})
    assert (answer.text, answer.failed) == ("the call is not allowed", True)


def test_the_effects_of_scripts_are_those_of_the_worst_command(tool):
    def effects(*kinds):
        tools = [(ToolDef(f"t{n}", effects=kind), lambda args: "") for n, kind in enumerate(kinds)]
        return Offer(ScriptedTool("t", tools=tools)).tools[0].effects

    assert effects("read", "write") == "write"
    assert effects("read", None, "write") is None
    assert effects("read", None, "destructive") == "destructive"
    assert effects("read") == effects() == "read"


CALLS = [
    (
        {"id": "1", "type": "function", "function": {"name": "greet", "arguments": '{"name": "a"}'}},
        {"role": "tool", "tool_call_id": "1", "content": '{"hello":"a"}\n'},
    ),
    (
        {"type": "function_call", "call_id": "1", "name": "greet", "arguments": '{"name": "a"}'},
        {"type": "function_call_output", "call_id": "1", "output": '{"hello":"a"}\n'},
    ),
    (
        {"type": "tool_use", "id": "1", "name": "greet", "input": {"name": "a"}},
        {"type": "tool_result", "tool_use_id": "1", "content": '{"hello":"a"}\n'},
    ),
    (
        {"functionCall": {"name": "greet", "args": {"name": "a"}, "id": "1"}},
        {"functionResponse": {"id": "1", "name": "greet", "response": {"hello": "a"}}},
    ),
    ({"name": "pdf_pages", "args": {}}, {"functionResponse": {"name": "pdf_pages", "response": {"output": "3\n"}}}),
    (
        {"method": "tools/call", "params": {"name": "greet", "arguments": {"name": "a"}}},
        {
            "content": [{"type": "text", "text": '{"hello":"a"}\n'}],
            "isError": False,
            "structuredContent": {"hello": "a"},
        },
    ),
    (
        {"type": "tool_use", "id": "1", "name": "gret", "input": {}},
        {
            "type": "tool_result",
            "tool_use_id": "1",
            "content": "there is no tool 'gret': there are t, greet, pdf_pages",
            "is_error": True,
        },
    ),
    (
        {"id": "1", "type": "function", "function": {"name": "greet", "arguments": '{"name": '}},
        {"role": "tool", "tool_call_id": "1", "content": "the arguments of greet must be a JSON object"},
    ),
    (
        {"name": "greet", "args": {}},
        {"functionResponse": {"name": "greet", "response": {"error": "name is required: expected string"}}},
    ),
]


@pytest.mark.parametrize(("call", "reply"), CALLS)
def test_a_provider_gets_the_reply_that_it_expects(tool, call, reply):
    offer = Offer(tool, "both")
    assert offer.handle(call) == reply
    assert asyncio.run(offer.ahandle(call)) == reply


def test_objects_of_providers_are_read_too(tool):
    class Block:
        def model_dump(self):
            return {"type": "tool_use", "id": "1", "name": "pdf_pages", "input": {}}

    assert Offer(tool, "tools").handle(Block())["content"] == "3\n"


@pytest.mark.parametrize("call", [None, 5, "x", {}, {"type": "text", "text": "hi"}, {"name": 5}, object()])
def test_what_is_no_call_is_the_hosts_mistake(tool, call):
    with pytest.raises(BashkitError, match="this is no tool call that bashkit knows"):
        Offer(tool).handle(call)


def test_calls_work_where_a_loop_is_running(tool):
    async def main():
        return Offer(tool, "tools").handle(CALLS[2][0])

    assert asyncio.run(main()) == CALLS[2][1]


def test_forms(tool):
    offer = Offer(tool, "all", with_prompt=False)
    for form in ("openai", "openai-responses", "anthropic", "mcp", "json-schema"):
        assert len(offer.definitions(form)) == 4
    assert len(offer.definitions("gemini")[0]["functionDeclarations"]) == 4
    listed = offer.definitions("mcp")[2]
    assert listed["annotations"] == {"readOnlyHint": True}
    assert listed["outputSchema"] == GREET.output_schema
    assert offer.definitions("openai", strict=True)[2]["function"]["strict"] is True
    with pytest.raises(BashkitError, match="there is no format 'gpt'"):
        offer.definitions("gpt")
    with pytest.raises(BashkitError, match="the format 'gemini' has no strict mode: openai and openai-responses have"):
        offer.definitions("gemini", strict=True)


def test_what_a_model_reads_is_unicode_where_outputs_are_not():
    def fail(args):
        raise ToolError("bad \udcff", stdout=b"\xfe")

    objects = ToolDef("objects", output_schema={"type": "object"}, input_schema={"properties": {}, "additionalProperties": False})
    shell = ScriptedTool(
        "t",
        tools=[
            (ToolDef("raw_bytes"), lambda args: b"\xff\n"),
            (ToolDef("fail"), fail),
            (objects, lambda args: '{"half": "\\\\ud83d"}'.replace("\\\\", "\\")),
        ],
    )
    offer = Offer(shell, "all")
    for name, arguments in (
        ("t", {"commands": "raw_bytes; fail"}),
        ("raw_bytes", {}),
        ("fail", {}),
        ("objects", {}),
        ("objects", {"\ud83d": 1}),
    ):
        for call in (
            {"id": "1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}},
            {"type": "tool_use", "id": "1", "name": name, "input": arguments},
            {"functionCall": {"name": name, "args": arguments}},
            {"method": "tools/call", "params": {"name": name, "arguments": arguments}},
        ):
            assert json.dumps(offer.handle(call), ensure_ascii=False).encode()  # as httpx encodes a request


def test_what_async_callbacks_share_belongs_to_one_loop():
    loops = []

    async def get(args):
        loops.append(asyncio.get_running_loop())
        return "got\n"

    async def again(args):
        return offer.tools[1].call_sync({}).text

    shell = ScriptedTool("t", tools=[(ToolDef("get"), get), (ToolDef("again"), again)])
    offer = Offer(shell, "both")
    shell.execute_sync("get")
    for _ in range(2):
        assert offer.tools[1].call_sync({}).text == "got\n"
        assert offer.handle({"type": "tool_use", "id": "1", "name": "get", "input": {}})["content"] == "got\n"
    assert len({id(loop) for loop in loops}) == 1
    assert not loops[0].is_closed()
    assert offer.tools[0].call_sync({"commands": "again"}).response.stdout == "got\n"

"""K12: the tools of a toolset as LangChain tools, against the real langchain-core."""

import asyncio
import json
import threading

import pytest

from bashkit.errors import ScriptExecutionError, ToolError
from bashkit.tools import ScriptedTool, ToolDef, ToolResult
from bashkit.tools.call.policy import Policy
from bashkit.toolset import load

tools_module = pytest.importorskip("langchain_core.tools", reason="langchain-core is an extra")
langchain = pytest.importorskip("bashkit.integrations.langchain")
create_langchain_tools = langchain.create_langchain_tools
NAME = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "times": {"type": "integer", "default": 1}},
    "required": ["name"],
}


def made(*tools, **options):
    found = create_langchain_tools(ScriptedTool("t", tools=tools, **options))
    return found[0] if len(found) == 1 else found


def greeting(callback, **options):
    return ToolDef("greet", "Greet somebody", NAME, **options), callback


def called(tool, args):
    """The message that an agent gets."""
    return tool.invoke({"name": tool.name, "args": args, "id": "1", "type": "tool_call"})


def test_k12_they_are_real_structured_tools_with_the_schema_of_the_tool():
    tool = made(greeting(lambda args: "", tags=("social",), category="talk", effects="read"))
    assert isinstance(tool, tools_module.StructuredTool)
    assert (tool.name, tool.description, tool.tags, tool.metadata) == (
        "greet",
        "Greet somebody",
        ["social"],
        {"category": "talk", "effects": "read"},
    )
    assert tool.args == NAME["properties"]
    assert tool.tool_call_schema["required"] == ["name"]


@pytest.mark.needs("bash")
def test_k12_a_skill_gives_one_plus_n_tools_and_each_runs_its_own(tmp_path):
    for name in ("one", "two"):
        folder = tmp_path / "skills" / "pdf-extractor" / "scripts"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.sh").write_text(f"# Does {name}.\necho {name}; cat")
    (folder.parent / "SKILL.md").write_text("---\nname: pdf-extractor\ndescription: PDFs\n---\nUse $ARGUMENTS.\n")
    (tmp_path / "t.yaml").write_text("version: 1\nname: t\nsources:\n  - skills: ./skills\n")
    found = create_langchain_tools(load(tmp_path / "t.yaml", environ={}))
    assert [(tool.name, tool.description) for tool in found] == [
        ("pdf-extractor", "PDFs"),
        ("pdf-extractor_one", "Does one."),
        ("pdf-extractor_two", "Does two."),
    ]
    assert found[0].invoke({"arguments": "a.pdf"}) == "Use a.pdf.\n"
    assert found[1].invoke({"data": {"file": "x"}}) == 'one\n{"file":"x"}'
    assert found[2].invoke({}) == "two\n{}"
    assert asyncio.run(found[1].ainvoke({"data": 0})) == "one\n0"


def test_k12_each_closure_is_bound_to_its_own_tool():
    found = made(*((ToolDef(f"t{index}"), lambda args, index=index: str(index)) for index in range(5)))
    assert [tool.invoke({}) for tool in found] == list("01234")


def test_k12_sync_and_async_callbacks_in_both_forms():
    async def slow(args):
        await asyncio.sleep(0)
        return {"hello": args["name"] * args["times"]}

    def coroutine(args):
        return slow(args)

    for callback in (slow, lambda args: {"hello": args["name"] * args["times"]}, coroutine):
        tool = made(greeting(callback))
        assert tool.invoke({"name": "a", "times": 2}) == '{"hello":"aa"}\n'
        assert asyncio.run(tool.ainvoke({"name": "a"})) == '{"hello":"a"}\n'


def test_k12_an_async_callback_runs_on_the_callers_loop():
    async def which(args):
        return str(id(asyncio.get_running_loop()))

    async def main():
        return await made(greeting(which)).ainvoke({"name": "a"}), str(id(asyncio.get_running_loop()))

    assert len(set(asyncio.run(main()))) == 1


def test_k12_the_async_form_does_not_block_the_event_loop():
    release = threading.Event()

    def blocking(args):
        assert release.wait(10)
        return args["name"]

    async def main():
        tool = made(greeting(blocking))
        calls = [asyncio.ensure_future(tool.ainvoke({"name": str(n)})) for n in range(40)]
        await asyncio.sleep(0)
        release.set()  # reached only because nothing blocks
        return await asyncio.gather(*calls)

    assert asyncio.run(main()) == [str(n) for n in range(40)]


def test_k12_the_sync_form_works_inside_a_running_loop():
    async def main():
        return made(greeting(lambda args: args["name"])).invoke({"name": "a"})

    assert asyncio.run(main()) == "a"


@pytest.mark.parametrize(
    ("args", "content"),
    [
        ({}, "name is required: expected string"),
        ({"name": 3}, "name: expected string, got 3"),
        ({"name": "a", "times": "b"}, "times: expected integer, got 'b'"),
        ({"name": None}, "name: expected string, got null"),
    ],
)
def test_k12_arguments_are_validated_by_us(args, content):
    message = called(made(greeting(lambda args: "never")), args)
    assert (message.content, message.status, message.tool_call_id) == (content, "error", "1")


def failing(error):
    def fail(args):
        raise error

    return fail


@pytest.mark.parametrize(
    ("callback", "content"),
    [
        (failing(ToolError("no such user", 3)), "no such user"),
        (failing(ToolError()), "exit status 1"),
        (
            failing(ScriptExecutionError("failed with exit code 1\nnote", 1, "why it failed\n")),
            "failed with exit code 1\nwhy it failed\nnote",
        ),
        (failing(ValueError("bad /home/me/secret.txt")), "bad <path>"),
        (failing(SystemExit(3)), "SystemExit"),
        (lambda args: ToolResult("part", "it broke\n", 4), "exit status 4: it broke\npart"),
        (lambda args: ToolResult("", "", 4), "exit status 4"),
        (lambda args: object(), "no JSON stands for object"),
    ],
)
def test_k12_failures_are_messages_of_status_error(callback, content):
    tool = made(greeting(callback))
    message = called(tool, {"name": "a"})
    assert message.status == "error"
    assert content in message.content
    tool.handle_tool_error = False
    with pytest.raises(tools_module.ToolException):
        tool.invoke({"name": "a"})
    with pytest.raises(tools_module.ToolException):
        asyncio.run(tool.ainvoke({"name": "a"}))


def test_k12_success_is_a_message_of_status_success():
    message = called(made(greeting(lambda args: "hi")), {"name": "a"})
    assert (message.content, message.status, message.name) == ("hi", "success", "greet")


def test_k12_a_timeout_is_an_error_in_its_time_whatever_the_callback_does():
    release = threading.Event()
    tool = made(greeting(lambda args: release.wait(), timeout=0.2))
    assert called(tool, {"name": "a"}).content == "timed out after 0.2 s"
    release.set()


def test_k12_parameters_may_have_any_name():
    names = ["config", "run_manager", "self", "args", "kwargs", "params", "callbacks"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    tool = made((ToolDef("t", "", schema), lambda args: dict(args.params)))
    assert tool.invoke({name: name for name in names}) == "{" + ",".join(f'"{name}":"{name}"' for name in names) + "}\n"


def test_k12_the_policy_and_the_secrets_of_the_toolset_hold():
    policy = Policy({"destructive": "deny"})
    denied, allowed = made(
        (ToolDef("wipe", effects="destructive"), lambda args: "wiped"),
        (ToolDef("show"), lambda args: args.env["KEY"]),
        policy=policy,
        secrets={"KEY": "s3cret"},
    )
    assert called(denied, {}).content == "the call is not allowed"
    assert allowed.invoke({}) == "***"


def test_the_one_bash_tool():
    tool = langchain.bash_tool(ScriptedTool("t", tools=[greeting(lambda args: {"hello": args["name"]})]))
    message = called(tool, {"commands": "greet --name a | jq -r .hello"})
    assert json.loads(message.content) == {"stdout": "a\n", "stderr": "", "exit_code": 0}
    assert [call["tool"] for call in message.artifact["trace"]] == ["greet"]
    assert json.loads(json.dumps(message.artifact)) == message.artifact  # what LangGraph's checkpoints keep
    assert called(tool, {"commands": "exit 3"}).status == "error"
    assert called(tool, {"command": "x"}).content == (
        "there is no parameter 'command': the only one is 'commands'; 'commands' must be the bash script, as text"
    )


async def test_a_cancelled_call_ends_its_script():
    begun = asyncio.Event()
    ended = asyncio.Event()

    async def hang(args):
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    tool = langchain.bash_tool(ScriptedTool("t", tools=[(ToolDef("hang"), hang)]))
    task = asyncio.ensure_future(tool.ainvoke({"commands": "hang; hang"}))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await ended.wait()


def test_in_a_graph():
    langgraph = pytest.importorskip("langgraph.prebuilt", reason="langgraph is an extra")
    messages = pytest.importorskip("langchain_core.messages")
    graph = pytest.importorskip("langgraph.graph")
    builder = graph.StateGraph(graph.MessagesState)
    builder.add_node("tools", langgraph.ToolNode([langchain.bash_tool(ScriptedTool("t"))]))
    builder.add_edge(graph.START, "tools")
    call = {"name": "t", "args": {"commands": "echo hi"}, "id": "1", "type": "tool_call"}
    found = builder.compile().invoke({"messages": [messages.AIMessage("", tool_calls=[call])]})
    assert json.loads(found["messages"][-1].content)["stdout"] == "hi\n"

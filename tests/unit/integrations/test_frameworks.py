"""One toolset in the frameworks that people have: each real package, with a model of its own that needs no network.

Every adapter passes the same trials: a script, a command by itself, wrong arguments, a callback that raises, a name that the
provider would refuse.
"""

import asyncio
import importlib
import json
import subprocess
import sys
from copy import deepcopy as copy_of
from functools import partial
from types import SimpleNamespace

import pytest

from bashkit import BashkitError, BashTool, ExecutionLimits, ScriptedTool, ToolDef, ToolError

NAME = {
    "type": "object",
    "properties": {"name": {"type": "string", "description": "Whom"}, "times": {"type": "integer"}},
    "required": ["name"],
}
QUICK = ("langchain", "pydantic_ai", "openai_agents", "google_adk", "smolagents", "claude_agent_sdk", "llm")
MODULES = [*QUICK, pytest.param("dspy", marks=pytest.mark.thorough)]  # which takes seconds to import


def fail(args):
    raise ToolError("no such user", 3)


def crash(args):
    raise TypeError("a detail of the host")


class Busy:
    """A callback that goes on until it is cancelled, and whether it does."""

    def __init__(self):
        self.running = 0

    async def __call__(self, args):
        self.running += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.running -= 1

    async def begun(self):
        await self._until(lambda: self.running)

    async def over(self):
        await self._until(lambda: not self.running)

    @staticmethod
    async def _until(condition):
        async with asyncio.timeout(60):  # only a machine that is stuck needs that long
            while not condition():  # noqa: ASYNC110 - what is awaited may be on another event loop
                await asyncio.sleep(0.001)


@pytest.fixture
def busy():
    return Busy()


@pytest.fixture
def patient(busy):
    """A toolset with a tool that takes for ever; or until its time is up: ``limits``."""
    return partial(ScriptedTool, "shop", tools=[(ToolDef("wait_for", "Wait"), busy), (ToolDef("crash", "Fails"), crash)])


@pytest.fixture
def toolset():
    return ScriptedTool(
        "shop",
        "A shop",
        tools=[
            (ToolDef("greet", "Greet somebody", NAME), lambda args: {"hello": args["name"] * args.get("times", 1)}),
            (ToolDef("pdf.pages", "Count pages"), lambda args: "3\n"),
            (ToolDef("broken", "Fails"), fail),
        ],
    )


@pytest.fixture(params=MODULES)
def adapter(request):
    try:
        return importlib.import_module(f"bashkit.integrations.{request.param}")
    except ImportError as error:
        pytest.skip(str(error))


async def called(adapter, tool, arguments):
    """What the model reads, and whether it is told that the call failed."""
    return await globals()[f"call_{adapter.__name__.rpartition('.')[2]}"](tool, arguments)


async def call_langchain(tool, arguments):
    message = await tool.ainvoke({"name": tool.name, "args": arguments, "id": "1", "type": "tool_call"})
    return message.content, message.status == "error"


async def call_pydantic_ai(toolset, arguments):
    from pydantic_ai.exceptions import ModelRetry, ToolFailed

    toolset, name = toolset if isinstance(toolset, tuple) else (toolset, None)
    found = await toolset.get_tools(SimpleNamespace(max_retries=1))
    name = name or next(iter(found))
    try:
        result = await toolset.call_tool(name, arguments, None, found[name])
    except (ModelRetry, ToolFailed) as error:
        return str(error), True
    return result.return_value, False


async def call_openai_agents(tool, arguments):
    text = await tool.on_invoke_tool(None, json.dumps(arguments))
    return text, None


async def call_google_adk(tool, arguments):
    response = await tool.run_async(args=arguments, tool_context=None)
    told = response if "stdout" in response else response.get("output", response.get("error", response))
    return told, "error" in response


async def call_smolagents(tool, arguments):
    try:
        return tool(**arguments), False
    except ToolError as error:
        return str(error), True


async def call_dspy(tool, arguments):
    text = await tool.acall(**arguments)
    return text, None


async def call_claude_agent_sdk(tool, arguments):
    result = await tool.handler(arguments)
    return result["content"][0]["text"], result["is_error"]


async def call_llm(tool, arguments):
    try:
        return tool.implementation(**arguments), False
    except ToolError as error:
        return str(error), True


def single(adapter, toolset, name):
    found = adapter.tools(toolset)
    if not isinstance(found, list):
        return found, name
    return next(tool for tool in found if tool.name == name)


def read(value):
    return json.loads(value) if isinstance(value, str) else value


async def test_a_script(adapter, toolset):
    text, failed = await called(adapter, adapter.bash_tool(toolset), {"commands": "greet --name a | jq -r .hello; pdf.pages"})
    assert read(text) == {"stdout": "a\n3\n", "stderr": "", "exit_code": 0}
    assert not failed


async def test_a_command_by_itself(adapter, toolset):
    text, failed = await called(adapter, single(adapter, toolset, "greet"), {"name": "a", "times": 2})
    assert read(text) == {"hello": "aa"}
    assert not failed


async def test_arguments_may_have_the_names_of_pythons_own(adapter):
    names = ("self", "instance", "config", "class", "args", "kwargs", "name", "context")
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    echo = ScriptedTool("shop", tools=[(ToolDef("echo_them", "Echo", schema), dict)])
    text, failed = await called(adapter, single(adapter, echo, "echo_them"), {name: name for name in names})
    assert read(text) == {name: name for name in names}
    assert not failed


async def test_a_copy_of_an_agent_has_the_same_tool(adapter):
    lasting = BashTool(persistent=True)
    tool = adapter.bash_tool(lasting)
    for copy in (copy_of(tool), copy_of(copy_of(tool))):
        await called(adapter, copy, {"commands": "x=1$x"})
    assert lasting.execute_sync("echo $x").stdout == "11\n"


async def test_a_command_that_prints_nothing_has_not_failed(adapter):
    quiet = ScriptedTool("shop", tools=[(ToolDef("quiet", "Say nothing"), lambda args: None)])
    text, failed = await called(adapter, single(adapter, quiet, "quiet"), {})
    assert not text
    assert not failed


async def test_a_name_that_is_not_legal_finds_its_command(adapter, toolset):
    text, failed = await called(adapter, single(adapter, toolset, "pdf_pages"), {})
    assert text == "3\n"
    assert not failed


async def test_wrong_arguments(adapter, toolset):
    text, failed = await called(adapter, single(adapter, toolset, "greet"), {"name": "a", "times": "x"})
    assert "times" in text
    assert "integer" in text
    assert failed in {True, None}


async def test_a_callback_that_raises(adapter, toolset, patient):
    text, failed = await called(adapter, single(adapter, toolset, "broken"), {})
    assert text == "no such user"
    assert failed in {True, None}
    text, failed = await called(adapter, single(adapter, patient(), "crash"), {})
    assert text == "TypeError"
    assert failed in {True, None}


@pytest.mark.parametrize("expose", ["bash", "tools"])
async def test_a_timeout(adapter, patient, busy, expose):
    toolset = patient(limits=ExecutionLimits(timeout=0.05))
    if expose == "bash":
        text, _ = await called(adapter, adapter.bash_tool(toolset), {"commands": "wait_for"})
        told = read(text)
        assert (told["exit_code"], told["error"]) == (124, "timeout")
    else:
        text, failed = await called(adapter, single(adapter, toolset, "wait_for"), {})
        assert "time limit" in text
        assert failed in {True, None}
    await busy.over()


@pytest.mark.parametrize("expose", ["bash", "tools"])
async def test_a_cancellation_leaves_nothing_running(adapter, patient, busy, expose):
    """Cancelled from outside, as by a user who goes away; the synchronous frameworks cannot be."""
    if adapter.__name__.rpartition(".")[2] in {"smolagents", "llm"}:
        pytest.skip("its tools are synchronous functions")
    if expose == "bash":
        call = called(adapter, adapter.bash_tool(patient()), {"commands": "wait_for | cat"})
    else:
        call = called(adapter, single(adapter, patient(), "wait_for"), {})
    task = asyncio.create_task(call)
    await busy.begun()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await busy.over()


async def test_a_script_that_fails_is_told_whole(adapter, toolset):
    text, _ = await called(adapter, adapter.bash_tool(toolset), {"commands": "echo out; broken"})
    assert read(text) == {"stdout": "out\n", "stderr": "broken: no such user\n", "exit_code": 3}


async def test_large_output_and_odd_characters(adapter):
    tool = ScriptedTool("t", max_result_chars=1000)
    text, _ = await called(adapter, adapter.bash_tool(tool), {"commands": "printf '\\xff\\x01é'; seq 100000"})
    assert len(read(text)["stdout"]) < 1200


def test_the_prompt_may_be_the_hosts(adapter, toolset):
    mine, theirs = adapter.bash_tool(toolset), adapter.bash_tool(toolset, with_prompt=False)
    if hasattr(mine, "get_instructions"):
        assert asyncio.run(mine.get_instructions(None)) == toolset.system_prompt()
        assert asyncio.run(theirs.get_instructions(None)) is None
        return
    described = [tool.desc if hasattr(tool, "desc") else tool.description for tool in (mine, theirs)]
    assert described == [toolset.system_prompt(), toolset.description()]


async def test_a_path_is_a_toolset_too(adapter, tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("version: 1\nname: t\ntools:\n  - {name: a, stub: x}\n")
    text, _ = await called(adapter, adapter.bash_tool(str(path)), {"commands": "a"})
    assert read(text)["stdout"] == "x\n"
    assert (await called(adapter, single(adapter, path, "a"), {}))[0] == "x\n"


WITHOUT = """
import importlib, sys
for module, package in zip(sys.argv[1::2], sys.argv[2::2]):
    sys.modules[package] = sys.modules[f"{package}.tools"] = None
    try:
        importlib.import_module(f"bashkit.integrations.{module}")
    except ImportError as error:
        print(error)
"""


def test_without_the_package_the_message_names_the_extra():
    modules = [*QUICK, "dspy"]
    packages = {"langchain": "langchain_core", "openai_agents": "agents", "google_adk": "google.adk"}
    pairs = [word for module in modules for word in (module, packages.get(module, module))]
    done = subprocess.run([sys.executable, "-c", WITHOUT, *pairs], capture_output=True, text=True, check=True)
    extras = [module.replace("_", "-") for module in modules]
    lines = done.stdout.splitlines()
    assert [line.partition(" is missing: ")[2] for line in lines] == [
        f"pip install 'bashkit-toolsets[{extra}]' adds it" for extra in extras
    ]


# -- in an agent of each framework -------------------------------------------------------------------------------------

SCRIPT = {"commands": "greet --name Ada | jq -r .hello"}


async def test_an_agent_of_pydantic_ai(toolset):
    adapter = pytest.importorskip("bashkit.integrations.pydantic_ai", exc_type=ImportError)
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def model(messages, info):
        assert "# shop" in (info.instructions or "")
        last = messages[-1].parts[-1]
        return ModelResponse([ToolCallPart("shop", SCRIPT)] if last.part_kind != "tool-return" else [TextPart(str(last.content))])

    result = await Agent(FunctionModel(model), toolsets=[adapter.bash_tool(toolset)]).run("hello")
    assert "'stdout': 'Ada\\n'" in result.output
    (kept,) = [
        part["metadata"] for message in json.loads(result.all_messages_json()) for part in message["parts"] if "metadata" in part
    ]
    assert (kept["exit_code"], [call["tool"] for call in kept["trace"]]) == (0, ["greet"])


async def test_an_agent_of_pydantic_ai_says_how_often_a_call_may_be_wrong(toolset):
    adapter = pytest.importorskip("bashkit.integrations.pydantic_ai", exc_type=ImportError)
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def model(messages, info):
        return ModelResponse([ToolCallPart("shop", {"command": "true"})] if len(messages) < 6 else [TextPart("enough")])

    assert (await Agent(FunctionModel(model), toolsets=[adapter.bash_tool(toolset)], retries=3).run("hello")).output == "enough"


async def test_an_agent_of_openai(toolset):
    adapter = pytest.importorskip("bashkit.integrations.openai_agents", exc_type=ImportError)
    from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        async def get_response(self, *rest, **given):
            assert given["tools"][0].strict_json_schema
            if isinstance(given["input"], list) and given["input"][-1].get("type") == "function_call_output":
                said = ResponseOutputText(text=given["input"][-1]["output"], type="output_text", annotations=[])
                message = ResponseOutputMessage(id="m", content=[said], role="assistant", status="completed", type="message")
                return ModelResponse([message], Usage(), None)
            call = ResponseFunctionToolCall(call_id="1", name="shop", arguments=json.dumps(SCRIPT), type="function_call")
            return ModelResponse([call], Usage(), None)

        def stream_response(self, *rest, **more):
            raise NotImplementedError

    agent = Agent("a", model=Scripted(), tools=[adapter.bash_tool(toolset)])
    result = await Runner.run(agent, "hello", run_config=RunConfig(tracing_disabled=True))
    assert json.loads(result.final_output)["stdout"] == "Ada\n"


async def test_an_agent_of_google(toolset):
    adapter = pytest.importorskip("bashkit.integrations.google_adk", exc_type=ImportError)
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    class Scripted(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            declared = llm_request.config.tools[0].function_declarations[0]
            assert declared.parameters_json_schema["required"] == ["commands"]
            last = llm_request.contents[-1].parts[-1]
            if last.function_response:
                part = types.Part(text=last.function_response.response["stdout"])
            else:
                part = types.Part(function_call=types.FunctionCall(name="shop", args=SCRIPT, id="1"))
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    runner = InMemoryRunner(LlmAgent(name="a", model=Scripted(model="m"), tools=[adapter.bash_tool(toolset)]), app_name="t")
    session = await runner.session_service.create_session(app_name="t", user_id="u")
    message = types.Content(role="user", parts=[types.Part(text="hello")])
    events = [event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message)]
    assert events[-1].content.parts[0].text == "Ada\n"


def test_an_agent_of_smolagents(toolset):
    adapter = pytest.importorskip("bashkit.integrations.smolagents", exc_type=ImportError)
    from smolagents import CodeAgent, Model
    from smolagents.models import ChatMessage, MessageRole

    class Scripted(Model):
        def generate(self, messages, **options):
            code = f"import json\nfinal_answer(json.loads(shop(commands={SCRIPT['commands']!r}))['stdout'])"
            return ChatMessage(role=MessageRole.ASSISTANT, content=f"Thought: run it\n<code>\n{code}\n</code>")

    agent = CodeAgent([adapter.bash_tool(toolset)], model=Scripted(), additional_authorized_imports=["json"], verbosity_level=0)
    assert agent.run("hello") == "Ada\n"


def test_code_of_smolagents_may_pass_arguments_by_their_places(toolset):
    adapter = pytest.importorskip("bashkit.integrations.smolagents", exc_type=ImportError)
    greet = next(tool for tool in adapter.tools(toolset) if tool.name == "greet")
    assert json.loads(greet("Ada", 2)) == json.loads(greet("Ada", times=2)) == {"hello": "AdaAda"}
    with pytest.raises(ToolError, match="given 3 arguments, and has 2: name, times"):
        greet("Ada", 2, 3)
    with pytest.raises(ToolError, match="given name by its place and by its name"):
        greet("Ada", name="Tim")
    with pytest.raises(BashkitError, match="the tool greet cannot be saved"):
        greet.to_dict()


@pytest.mark.thorough
def test_arguments_of_dspy_may_have_any_names_without_an_event_loop_too():
    adapter = pytest.importorskip("bashkit.integrations.dspy", reason="dspy is not installed", exc_type=ImportError)
    schema = {"type": "object", "properties": {"self": {}, "instance": {}}}
    echo = ScriptedTool("shop", tools=[(ToolDef("echo_them", "Echo", schema), dict)])
    assert read(adapter.tools(echo)[0](self=1, instance=2)) == {"self": 1, "instance": 2}


@pytest.mark.thorough
def test_a_program_of_dspy(toolset):
    adapter = pytest.importorskip("bashkit.integrations.dspy", exc_type=ImportError)
    import dspy
    from dspy.utils import DummyLM

    steps = [
        {"next_thought": "run it", "next_tool_name": "shop", "next_tool_args": json.dumps(SCRIPT)},
        {"next_thought": "done", "next_tool_name": "finish", "next_tool_args": "{}"},
        {"reasoning": "read it", "answer": "Ada"},
    ]
    with dspy.context(lm=DummyLM(steps)):
        found = dspy.ReAct("question -> answer", tools=[adapter.bash_tool(toolset)])(question="hello")
    assert json.loads(found.trajectory["observation_0"])["stdout"] == "Ada\n"


@pytest.mark.thorough
async def test_a_program_of_dspy_reads_no_traceback_and_its_callbacks_see_every_call(toolset):
    adapter = pytest.importorskip("bashkit.integrations.dspy", exc_type=ImportError)
    import dspy
    from dspy.utils import DummyLM
    from dspy.utils.callback import BaseCallback

    class Seen(BaseCallback):
        def __init__(self):
            self.calls = []

        def on_tool_start(self, call_id, instance, inputs):
            self.calls.append(instance.name)

    calls = [("shop", {"commands": "broken"}), ("greet", {"name": 5}), ("greet", {"nme": "Ada"})]
    steps = [{"next_thought": "…", "next_tool_name": name, "next_tool_args": json.dumps(given)} for name, given in calls]
    steps += [{"next_thought": "done", "next_tool_name": "finish", "next_tool_args": "{}"}, {"reasoning": "…", "answer": "…"}]
    program = dspy.ReAct("question -> answer", tools=[adapter.bash_tool(toolset), *adapter.tools(toolset)])
    for run in (program.acall, partial(asyncio.to_thread, program)):
        seen = Seen()
        with dspy.context(lm=DummyLM(list(steps)), callbacks=[seen]):
            told = (await run(question="hello")).trajectory
        assert json.loads(told["observation_0"])["stderr"] == "broken: no such user\n"
        assert told["observation_1"] == "name: expected string, got 5"
        assert told["observation_2"] == "name is required: expected string"
        assert seen.calls == ["shop", "greet", "greet", "finish"]


async def test_a_server_of_claude(toolset):
    adapter = pytest.importorskip("bashkit.integrations.claude_agent_sdk", exc_type=ImportError)
    from mcp import Client

    config = adapter.server(toolset, "both")
    async with Client(config["instance"]) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["shop", "greet", "pdf_pages", "broken"]
        result = await client.call_tool("shop", SCRIPT)
    assert (json.loads(result.content[0].text)["stdout"], result.is_error) == ("Ada\n", False)


def test_a_tool_of_claude_says_whether_it_only_reads():
    adapter = pytest.importorskip("bashkit.integrations.claude_agent_sdk", exc_type=ImportError)
    effects = ("read", "write", "destructive", None)
    shop = ScriptedTool("shop", tools=[(ToolDef(f"tool_{kind}", effects=kind), lambda args: None) for kind in effects])
    hints = [tool.annotations.model_dump(by_alias=True, exclude_none=True) for tool in adapter.tools(shop)]
    writes = {"readOnlyHint": False, "destructiveHint": False}
    assert hints == [{"readOnlyHint": True}, writes, {**writes, "destructiveHint": True}, {}]


def test_a_conversation_of_llm(toolset):
    adapter = pytest.importorskip("bashkit.integrations.llm", exc_type=ImportError)
    import llm

    class Scripted(llm.Model):
        model_id, supports_tools = "scripted", True

        def execute(self, prompt, stream, response, conversation):
            if prompt.tool_results:
                yield prompt.tool_results[0].output
            else:
                response.add_tool_call(llm.ToolCall(name="shop", arguments=SCRIPT, tool_call_id="1"))

    text = Scripted().chain("hello", tools=[adapter.bash_tool(toolset)]).text()
    assert json.loads(text)["stdout"] == "Ada\n"


def test_the_plugin_of_llm(tmp_path):
    adapter = pytest.importorskip("bashkit.integrations.llm", exc_type=ImportError)
    path = tmp_path / "t.yaml"
    path.write_text("version: 1\nname: t\ntools:\n  - {name: a, stub: x}\n")
    import llm

    assert llm.get_tools()["Bashkit"] is adapter.Bashkit
    assert [tool.name for tool in adapter.Bashkit(str(path), "all").tools()] == ["t", "t_discover", "a"]


@pytest.mark.parametrize("form", ["openai", "openai-responses"])
def test_openai_as_it_is(toolset, form):
    adapter = importlib.import_module("bashkit.integrations.openai")
    pytest.importorskip("openai", reason="openai is not installed")
    from openai.types.chat import ChatCompletionMessage
    from openai.types.responses import Response

    assert adapter.bash_tool(toolset, form=form, strict=True)["type"] == "function"
    assert len(adapter.tools(toolset, form=form)) == 3
    call = {"name": "shop", "arguments": json.dumps(SCRIPT)}
    if form == "openai":
        message = ChatCompletionMessage.model_validate(
            {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": call}]}
        )
    else:
        message = Response.model_construct(output=[{**call, "type": "function_call", "call_id": "1"}])
    (reply,) = asyncio.run(adapter.replies(toolset, message))
    assert json.loads(reply.get("content") or reply["output"])["stdout"] == "Ada\n"
    assert asyncio.run(adapter.replies(toolset, ChatCompletionMessage(role="assistant", content="hi"))) == []


@pytest.mark.thorough
def test_anthropic_as_it_is(toolset):
    adapter = importlib.import_module("bashkit.integrations.anthropic")
    pytest.importorskip("anthropic", reason="anthropic is not installed")
    from anthropic.types import Message, ToolUseBlock

    assert adapter.bash_tool(toolset)["input_schema"]["required"] == ["commands"]
    assert len(adapter.tools(toolset)) == 3
    blocks = [ToolUseBlock(type="tool_use", id=str(n), name="shop", input=SCRIPT) for n in range(2)]
    (reply,) = asyncio.run(adapter.replies(toolset, Message.model_construct(content=blocks, role="assistant")))
    assert [json.loads(result["content"])["stdout"] for result in reply["content"]] == ["Ada\n", "Ada\n"]
    assert asyncio.run(adapter.replies(toolset, {"content": []})) == []


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_what_is_no_message_is_refused_and_not_taken_for_one_without_calls(toolset, name):
    adapter = importlib.import_module(f"bashkit.integrations.{name}")
    for wrong in (None, "text", {}, {"choices": [{"message": {"role": "assistant"}}]}):
        with pytest.raises(BashkitError, match="no message of a model"):
            asyncio.run(adapter.replies(toolset, wrong))
    assert asyncio.run(adapter.replies(toolset, {"role": "assistant", "content": "text", "tool_calls": None})) == []


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_messages_are_answered_by_one_toolset_and_not_by_a_path(name, tmp_path):
    adapter = importlib.import_module(f"bashkit.integrations.{name}")
    path = tmp_path / "shop.yaml"
    path.write_text("version: 1\nname: shop\nsession: persistent\ntools: [{name: greet, stub: {value: hi}}]\n")
    assert adapter.bash_tool(path)
    with pytest.raises(BashkitError, match="not its path: its session lasts from message to message"):
        asyncio.run(adapter.replies(path, {"role": "assistant", "content": "text", "tool_calls": None}))


def test_a_message_may_be_a_dict_of_the_packages_objects(toolset):
    class Block:
        def model_dump(self):
            return {"type": "tool_use", "id": "1", "name": "shop", "input": SCRIPT}

    adapter = importlib.import_module("bashkit.integrations.anthropic")
    (reply,) = asyncio.run(adapter.replies(toolset, {"role": "assistant", "content": [Block()]}))
    assert json.loads(reply["content"][0]["content"])["stdout"] == "Ada\n"

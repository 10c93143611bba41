import asyncio

import pytest
from mcp import Client, MCPError, types

from bashkit.errors import ToolsetError
from bashkit.integrations.mcp import Service, Settings
from bashkit.integrations.mcp.catalog import Entry
from bashkit.integrations.mcp.observers import Observed, Observers
from bashkit.integrations.mcp.reports import Reports
from bashkit.integrations.mcp.running import Question, RunningCall
from bashkit.integrations.mcp.server import make_server
from bashkit.tools.call.policy import PlannedCall

MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])
pytestmark = pytest.mark.usefixtures("nothing_is_left")


def listening(answers):
    """The options of a client whose person answers ``accept`` or ``decline``; what was asked is added to ``answers``."""

    async def asked(_context, params):
        answers.append(params.message)
        return types.ElicitResult(action=answers[0])

    return {"elicitation_callback": asked}


def pondering(desk):
    return desk.with_name("pondering")


# -- tools -----------------------------------------------------------------------------------------------------------------


@MODES
async def test_the_bash_tool_answers_with_structured_content(desk, mode, serving):
    async with serving(desk, mode=mode) as client:
        (tool,) = (await client.list_tools()).tools
        assert tool.name == "desk"
        assert set(tool.output_schema["properties"]) == {"stdout", "stderr", "exit_code", "error"}
        assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (False, True)
        assert "look" in tool.description
        result = await client.call_tool("desk", {"commands": "look --id 4; echo no >&2; exit 3"})
        assert result.structured_content == {"stdout": '{"id":4}\n', "stderr": "no\n", "exit_code": 3}
        assert result.is_error
        assert not (await client.call_tool("desk", {"commands": "true"})).is_error


async def test_what_is_exposed(desk, serving):
    async def names(**settings):
        async with serving(desk, **settings) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    commands = ["look", "fail", "ponder", "late", "loud", "purge"]
    assert await names() == ["desk"]
    assert await names(expose="tools") == commands
    assert await names(expose="both") == ["desk", *commands]
    assert await names(discovery=True) == ["desk", "desk_discover"]
    assert await names(expose="tools", discovery=True) == ["desk_discover", *commands]


@MODES
async def test_a_command_by_itself(desk, mode, serving):
    async with serving(desk, mode=mode, expose="tools") as client:
        look = (await client.list_tools()).tools[0]
        assert look.annotations.read_only_hint
        result = await client.call_tool("look", {"id": 4})
        assert (result.structured_content, result.content[0].text) == ({"id": 4}, '{"id":4}\n')
        wrong = await client.call_tool("look", {"id": "four"})
        assert (wrong.is_error, wrong.content[0].text) == (True, "id: expected integer, got 'four'")


async def test_two_toolsets_side_by_side(desk, tmp_path, caplog, serving):
    other = tmp_path / "other.yaml"
    other.write_text(
        desk.read_text(encoding="utf-8").replace("description: A desk", "description: Another desk"), encoding="utf-8"
    )
    async with serving(desk, other, expose="both") as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names[:2] == ["desk", "look"]
        assert names[7:9] == ["desk_2", "look_2"]
        assert (await client.call_tool("desk_2", {"commands": "look --id 1"})).structured_content["exit_code"] == 0
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["desk", "desk_2"]
    assert f"look of {other} is called look_2" in caplog.text


@MODES
async def test_wrong_calls_are_told(desk, mode, serving):
    async with serving(desk, mode=mode) as client:
        with pytest.raises(MCPError, match=r"there is no tool 'des' \(did you mean desk\?\)"):
            await client.call_tool("des", {"commands": "true"})
        for arguments, told in (({}, "'commands' must be the bash script"), ({"command": "ls"}, "no parameter 'command'")):
            result = await client.call_tool("desk", arguments)
            assert result.is_error
            assert told in result.content[0].text


@MODES
async def test_a_callback_that_fails_or_takes_too_long(desk, mode, serving):
    async with serving(desk, mode=mode, expose="both") as client:
        result = await client.call_tool("desk", {"commands": "fail; echo $?; late; echo $?"})
        assert result.structured_content["stdout"] == "1\n124\n"
        assert "the drawer is stuck" in result.structured_content["stderr"]
        assert (await client.call_tool("fail", {})).content[0].text == "the drawer is stuck"
        assert "timed out" in (await client.call_tool("late", {})).content[0].text
        assert not pondering(desk).exists()


@MODES
async def test_output_that_is_large_or_no_text(desk, mode, serving):
    async with serving(desk, mode=mode) as client:
        result = await client.call_tool("desk", {"commands": "seq 200000"})
        assert len(result.structured_content["stdout"]) <= 100_000
        assert "characters left out" in result.structured_content["stdout"]
    desk.write_text(f"{desk.read_text(encoding='utf-8')}\noutput: {{max_chars: 2000000}}\n", encoding="utf-8")
    async with serving(desk, mode=mode) as client:
        result = await client.call_tool("desk", {"commands": "seq 200000"})
        assert result.structured_content["stdout"] == "".join(f"{number}\n" for number in range(1, 200_001))
        result = await client.call_tool("desk", {"commands": r"printf 'a\xffb'"})
        assert result.structured_content["stdout"] == "a\ufffdb"


# -- what is told meanwhile ------------------------------------------------------------------------------------------------


async def test_progress_is_the_output_so_far(desk, serving):
    told = []

    async def progress(number, _total, message):
        told.append((number, message))

    async with serving(desk, mode="legacy") as client:
        await client.call_tool("desk", {"commands": "echo one; look --id 1 >/dev/null; echo two"}, progress_callback=progress)
    assert "".join(text for _, text in told) == "one\ntwo\n"
    assert [number for number, _ in told] == sorted({number for number, _ in told})


async def test_a_call_knows_whom_to_tell_before_it_begins(desk, serving, monkeypatch):
    """An eager task begins as it is made."""
    begun, start = [], RunningCall.start

    def noted(call, *given):
        begun.append(call.reports.wanted)
        start(call, *given)

    async def progress(*_):
        pass

    monkeypatch.setattr(RunningCall, "start", noted)
    async with serving(desk, mode="legacy") as client:
        await client.call_tool("desk", {"commands": "echo one"}, progress_callback=progress)
    assert begun == [True]


@MODES
async def test_calls_are_logged(desk, mode, serving):
    told = []

    async def logged(params):
        told.append((params.level, params.data["event"], params.data["tool"], params.data.get("error")))

    script = {"commands": "look --id 1; fail; true"}
    async with serving(desk, mode=mode, client={"logging_callback": logged, "log_level": "info"}) as client:
        await client.call_tool("desk", script)
        assert told == [
            ("info", "call", "look", None),
            ("info", "result", "look", None),
            ("info", "call", "fail", None),
            ("warning", "result", "fail", "the drawer is stuck"),
        ]


async def test_the_level_of_log_messages_is_the_clients(desk, serving):
    told = []

    async def logged(params):
        told.append(params.level)

    async with serving(desk, mode="legacy", client={"logging_callback": logged}) as client:
        await client.session.send_request(
            types.SetLevelRequest(params=types.SetLevelRequestParams(level="warning")), types.EmptyResult
        )
        await client.call_tool("desk", {"commands": "look --id 1; fail"})
        assert told == ["warning"]


@pytest.mark.parametrize("isolation", ["inline", "process"])
@MODES
@pytest.mark.parametrize("script", ["while :; do :; done", "ponder", "ponder & sleep 1000 | cat"])
async def test_a_cancelled_call_leaves_nothing(desk, mode, script, isolation, until, serving):
    async with serving(desk, mode=mode, isolation=isolation) as client:
        call = asyncio.create_task(client.call_tool("desk", {"commands": script}))
        await until(lambda: client.service.metrics.running)
        if "ponder" in script:
            await until(pondering(desk).exists)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: not client.service.metrics.running and not pondering(desk).exists())
        assert (await client.call_tool("desk", {"commands": "echo on"})).structured_content["stdout"] == "on\n"


@MODES
async def test_a_client_that_leaves_in_mid_call_leaves_nothing(desk, mode, until):
    async with Service(Settings((desk,), reload=None)) as service:
        async with Client(make_server(service), mode=mode) as client:
            call = asyncio.create_task(client.call_tool("desk", {"commands": "ponder"}))
            await until(pondering(desk).exists)
            call.cancel()
        await until(lambda: not service.metrics.running and not pondering(desk).exists())
        with pytest.raises(asyncio.CancelledError):
            await call


# -- approvals -------------------------------------------------------------------------------------------------------------


@MODES
@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_an_approval_is_asked_of_the_client(desk, mode, isolation, serving):
    answers = ["accept"]
    async with serving(desk, mode=mode, client=listening(answers), expose="both", isolation=isolation) as client:
        result = await client.call_tool("desk", {"commands": "echo first; purge --days 3; purge --days 4"})
        assert result.structured_content["stdout"] == "first\npurged\npurged\n"
        assert [text.partition(".")[0] for text in answers[1:]] == [
            'A script wants to call purge with {"days":3}',
            'A script wants to call purge with {"days":4}',
        ]
        assert answers[1].splitlines()[2:] == [
            "The whole script may do this:",
            "calls      line 1    purge --days 3  (destructive)",
            "calls      line 1    purge --days 4  (destructive)",
        ]
        assert (await client.call_tool("purge", {"days": 5})).content[0].text == "purged\n"
        assert "The whole script" not in answers[-1]


@MODES
async def test_what_is_logged_before_a_question_is_told(desk, mode, serving):
    told = []

    async def logged(params):
        told.append((params.data["event"], params.data["tool"]))

    options = {**listening(["accept"]), "logging_callback": logged, "log_level": "info"}
    async with serving(desk, mode=mode, client=options) as client:
        await client.call_tool("desk", {"commands": "look --id 1; purge"})
        assert told == [("call", "look"), ("result", "look"), ("call", "purge"), ("result", "purge")]


@MODES
async def test_an_approval_that_is_declined(desk, mode, serving):
    async with serving(desk, mode=mode, client=listening(["decline"])) as client:
        result = await client.call_tool("desk", {"commands": "purge; echo $?"})
        assert result.structured_content["stdout"] == "126\n"
        assert "the call was not approved" in result.structured_content["stderr"]


@MODES
async def test_without_anybody_to_ask_the_refusal_says_how_to_allow(desk, mode, serving):
    async with serving(desk, mode=mode) as client:
        result = await client.call_tool("desk", {"commands": "purge"})
        assert result.structured_content["exit_code"] == 126
        assert "--allow destructive" in result.structured_content["stderr"]
    async with serving(desk, mode=mode, allow=("destructive",)) as client:
        assert (await client.call_tool("desk", {"commands": "purge"})).structured_content["stdout"] == "purged\n"


async def test_a_call_that_waits_for_a_person_ends_with_the_server(desk, serving):
    async with serving(desk, client=listening([])) as client:
        arguments = {"commands": "purge"}
        asked = await client.session.call_tool("desk", arguments, allow_input_required=True)
        assert asked.result_type == "input_required"
        with pytest.raises(MCPError, match="no call waits for this answer"):
            await client.session.call_tool("desk", {"commands": "purge; purge"}, request_state=asked.request_state)
        assert client.service.metrics.running == 1
    assert client.service.metrics.running == 0


async def test_a_question_is_over_when_its_call_ends():
    call = RunningCall(None, {}, Reports("info"), Observed(Observers(), "", None, {}), asks=True)
    call.start(lambda: asyncio.sleep(3600), lambda: None)
    question = Question(PlannedCall("purge", {}, "destructive"))
    asking = asyncio.create_task(call.answer_question(question, asyncio.sleep(3600)))
    await call.stop()
    await asking
    assert not question.answer.done()


# -- changed files ---------------------------------------------------------------------------------------------------------


async def test_a_changed_toolset_is_loaded_again(desk, caplog, until, serving):
    told = asyncio.Event()

    async def heard(message):
        if isinstance(message, types.ToolListChangedNotification):
            told.set()

    good = desk.read_text(encoding="utf-8")
    async with serving(desk, mode="legacy", sessions=True, reload=0.01, client={"message_handler": heard}) as client:
        await client.call_tool("desk", {"commands": "x=1; echo hi > note"})
        desk.write_text(good + "  - {name: extra, stub: new}\n", encoding="utf-8")
        await told.wait()
        assert "extra" in (await client.list_tools()).tools[0].description
        result = await client.call_tool("desk", {"commands": "extra; echo $x; cat note"})
        assert result.structured_content["stdout"] == "new\n1\nhi\n"
        desk.write_text(good + "  - {name: extra, stubb: new}\n", encoding="utf-8")
        await until(lambda: f"{desk}:21:19:" in caplog.text)
        assert (await client.call_tool("desk", {"commands": "extra"})).structured_content["stdout"] == "new\n"


async def test_a_toolset_with_mistakes_is_not_served(tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("version: 1\ntools: 3\n", encoding="utf-8")
    with pytest.raises(ToolsetError):
        Service(Settings((wrong,)))


# -- many at once ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_a_hundred_clients_at_once_and_a_hostile_one(desk, isolation, until):
    async with Service(Settings((desk,), isolation=isolation, shared=True, reload=None)) as service:
        server = make_server(service)

        async def ask(number):
            async with Client(server) as client:
                result = await client.call_tool("desk", {"commands": f"look --id {number}"})
                return result.structured_content["stdout"]

        async with Client(server) as hostile:
            endless = asyncio.create_task(hostile.call_tool("desk", {"commands": "while :; do :; done"}))
            await until(lambda: service.metrics.running)
            answers = await asyncio.gather(*(ask(number) for number in range(100)))
            assert answers == [f'{{"id":{number}}}\n' for number in range(100)]
            assert not endless.done()
            endless.cancel()
            with pytest.raises(asyncio.CancelledError):
                await endless


async def test_there_can_be_too_many_calls(desk, monkeypatch, until, serving):
    monkeypatch.setattr("bashkit.integrations.mcp.service.MOST_CALLS", 1)
    async with serving(desk) as client:
        call = asyncio.create_task(client.call_tool("desk", {"commands": "ponder"}))
        await until(pondering(desk).exists)
        with pytest.raises(MCPError, match="too many calls are running"):
            await client.call_tool("desk", {"commands": "true"})
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call


async def test_metrics_in_the_format_of_prometheus(desk, serving):
    records = []
    async with serving(desk) as client:
        client.service.on_record = records.append
        await client.call_tool("desk", {"commands": "look --id 1; fail"})
        await client.call_tool("desk", {"commands": "if"})
        await client.call_tool("desk", {})
        text = client.service.metrics.text()
    for line in (
        "bashkit_scripts_total 3",
        'bashkit_requests_total{tool="desk"} 3',
        'bashkit_tool_calls_total{tool="look",failed="false"} 1',
        'bashkit_tool_calls_total{tool="fail",failed="true"} 1',
        'bashkit_errors_total{kind="parse"} 1',
        'bashkit_errors_total{kind="arguments"} 1',
        'bashkit_request_seconds_bucket{le="+Inf"} 3',
        "bashkit_request_seconds_count 3",
    ):
        assert line in text.splitlines()
    assert [(record.tool, record.exit_code, record.error) for record in records] == [
        ("desk", 1, ""),
        ("desk", 2, "parse"),
        ("desk", None, "arguments"),
    ]


# -- in Python ---------------------------------------------------------------------------------------------------------------


@MODES
async def test_a_toolset_in_python(desk, mode, serving):
    pytest.importorskip("pydantic_monty")
    coded = desk.with_name("coded.yaml")
    coded.write_text(desk.read_text(encoding="utf-8") + "language: python\n", encoding="utf-8")
    async with serving(coded, mode=mode) as client:
        (tool,) = (await client.list_tools()).tools
        assert "Python code" in tool.input_schema["properties"]["commands"]["description"]
        result = await client.call_tool(tool.name, {"commands": "found = look(id=4)\nprint(found['id'])\n[found]"})
        assert result.structured_content == {"stdout": '4\n[{"id":4}]\n', "stderr": "", "exit_code": 0}
        failed = await client.call_tool(tool.name, {"commands": "look(id=4)['nope']"})
        assert failed.is_error
        assert "hint: look: .nope: no such key; . has id\n" in failed.structured_content["stderr"]


async def test_what_the_protocol_cannot_say_is_logged_and_not_the_mistake_of_the_client(desk, serving, monkeypatch, caplog):
    async with serving(desk, mode="legacy") as client:
        monkeypatch.setattr(Entry, "listed", lambda _entry: {"name": 5})
        with pytest.raises(MCPError, match="Internal error") as raised:
            await client.list_tools()
        assert raised.value.error.code == types.INTERNAL_ERROR
        assert "tools/list has no result that the protocol allows" in caplog.text

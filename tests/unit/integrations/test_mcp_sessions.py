import asyncio
import shutil

import pytest
from mcp import Client, MCPError, types

from bashkit import Bash
from bashkit.integrations.mcp import Service, Settings
from bashkit.integrations.mcp.server import make_server
from bashkit.integrations.mcp.session import _write

MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])
pytestmark = pytest.mark.usefixtures("nothing_is_left")


@pytest.mark.parametrize("isolation", ["inline", "process"])
@MODES
async def test_every_call_has_a_fresh_shell_unless_there_are_sessions(desk, mode, isolation, serving):
    async with serving(desk, mode=mode, isolation=isolation) as client:
        await client.call_tool("desk", {"commands": "x=1; echo hi > note"})
        assert (await client.call_tool("desk", {"commands": "echo $x; ls"})).structured_content["stdout"] == "\n"
    async with serving(desk, mode=mode, sessions=True, isolation=isolation) as client:
        first = await client.call_tool("desk", {"commands": "x=1; echo hi > note; look --id 1"})
        assert first.structured_content["files"] == ["/home/user/note"]
        second = await client.call_tool("desk", {"commands": "echo $x; cat note; rm note; echo > other"})
        assert second.structured_content["stdout"] == "1\nhi\n"
        assert second.structured_content["files"] == ["/home/user/note", "/home/user/other"]
        assert (await client.call_tool("desk", {"commands": "cat other"})).structured_content["files"] == []
        assert "files" in (await client.list_tools()).tools[0].output_schema["properties"]


@MODES
async def test_a_toolset_can_ask_for_a_session(desk, mode, serving):
    fresh = desk.read_text(encoding="utf-8")
    desk.write_text(fresh + "session: persistent\n", encoding="utf-8")
    for shared, kept in ((False, "1\n"), (True, "\n")):  # a shell is never that of two clients
        async with serving(desk, mode=mode, shared=shared) as client:
            await client.call_tool("desk", {"commands": "x=1"})
            assert (await client.call_tool("desk", {"commands": "echo $x"})).structured_content["stdout"] == kept
            told = (await client.list_tools()).tools[0].description
            assert ("last from one call to the next" in told) is (not shared), told


async def test_a_session_goes_on_after_a_cancelled_call(desk, serving, until):
    async with serving(desk, sessions=True) as client:
        await client.call_tool("desk", {"commands": "x=1"})
        call = asyncio.create_task(client.call_tool("desk", {"commands": "echo hi > note; ponder"}))
        await until(desk.with_name("pondering").exists)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        result = await client.call_tool("desk", {"commands": "echo $x; cat note"})
        assert result.structured_content["stdout"] == "1\nhi\n"
        assert result.structured_content["files"] == ["/home/user/note"]


async def test_calls_of_a_session_take_turns(desk, serving):
    async with serving(desk, sessions=True) as client:
        calls = [client.call_tool("desk", {"commands": "n=$((n + 1)); sleep 0.001; echo $n"}) for _ in range(20)]
        outputs = [result.structured_content["stdout"] for result in await asyncio.gather(*calls)]
        assert sorted(map(int, outputs)) == list(range(1, 21))


async def test_a_session_is_saved_and_restored(desk, tmp_path, caplog, serving):
    folder = tmp_path / "saved"
    for script, output in (("x=7; echo hi > note", ""), ("echo $x; cat note", "7\nhi\n")):
        async with serving(desk, sessions=True, folder=folder) as client:
            assert (await client.call_tool("desk", {"commands": script})).structured_content["stdout"] == output
    assert sorted(path.suffix for path in folder.iterdir()) == [".lock", ".snapshot"]
    saved = next(folder.glob("*.snapshot"))
    saved.write_bytes(b"nonsense")
    async with serving(desk, sessions=True, folder=folder) as client:
        with pytest.raises(MCPError, match="the session cannot be restored"):
            await client.call_tool("desk", {"commands": "true"})
    async with serving(desk, sessions=True, folder=saved) as client:  # a file is where the directory should be
        with pytest.raises(MCPError, match="the session cannot be restored"):
            await client.call_tool("desk", {"commands": "true"})
    assert f"{saved}: these bytes are not a snapshot" in caplog.text


@pytest.mark.parametrize("isolation", [None, "process"])
async def test_servers_that_share_a_directory_share_its_sessions(desk, tmp_path, serving, isolation):
    shared = {"sessions": True, "folder": tmp_path / "saved", "isolation": isolation}
    async with serving(desk, **shared) as one, serving(desk, **shared) as other:
        for number, client in enumerate((one, other, other, one, other)):
            result = await client.call_tool("desk", {"commands": f"echo $x; cat f; x={number}; echo {number} > f"})
            assert result.structured_content["stdout"] == (f"{number - 1}\n{number - 1}\n" if number else "\n")


async def test_a_session_that_cannot_be_saved_answers_nevertheless(desk, tmp_path, caplog, serving):
    folder = tmp_path / "saved"
    async with serving(desk, sessions=True, folder=folder) as client:
        await client.call_tool("desk", {"commands": "true"})
        shutil.rmtree(folder)
        folder.write_bytes(b"")
        assert (await client.call_tool("desk", {"commands": "echo on"})).structured_content["stdout"] == "on\n"
    assert "the session is not saved" in caplog.text
    assert "other servers are not waited for" in caplog.text


def test_a_session_that_cannot_be_saved_leaves_no_draft(tmp_path):
    place = tmp_path / "s.snapshot"
    (place / "taken").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        _write(Bash().snapshot(), place)
    assert list(tmp_path.iterdir()) == [place]


async def test_calls_of_servers_that_share_a_directory_take_turns(desk, tmp_path, serving):
    shared = {"sessions": True, "folder": tmp_path / "saved"}
    async with serving(desk, **shared) as one, serving(desk, **shared) as other:
        scripts = [(client, f"sleep 0.02; echo {number} >> log") for number in range(6) for client in (one, other)]
        await asyncio.gather(*(client.call_tool("desk", {"commands": script}) for client, script in scripts))
        result = await one.call_tool("desk", {"commands": "sort log | uniq -c | tr -s '\\n ' ' '"})
        assert result.structured_content["stdout"] == " 2 0 2 1 2 2 2 3 2 4 2 5 "


async def test_clients_that_share_a_server_share_no_session(desk):
    async with Service(Settings((desk,), shared=True, sessions=True, reload=None)) as service:
        server = make_server(service)
        async with Client(server, mode="legacy") as one, Client(server, mode="legacy") as other:
            await one.call_tool("desk", {"commands": "x=1"})
            assert (await other.call_tool("desk", {"commands": "echo $x"})).structured_content["stdout"] == "\n"
            assert (await one.call_tool("desk", {"commands": "echo $x"})).structured_content["stdout"] == "1\n"


@MODES
async def test_the_system_prompt_is_a_prompt(desk, mode, serving):
    async with serving(desk, mode=mode) as client:
        (tool,) = (await client.list_tools()).tools
        prompt = await client.get_prompt("desk")
        assert prompt.messages[0].content.text == tool.description
        with pytest.raises(MCPError, match="there is no prompt 'other'"):
            await client.get_prompt("other")


@MODES
async def test_context_modules_and_session_files_are_resources(desk, mode, serving):
    async with serving(desk, mode=mode, sessions=True) as client:
        (rules,) = (await client.list_resources()).resources
        assert (rules.uri, rules.title) == ("bashkit://desk/context/1", "Rules of the desk")
        assert "every drawer" in (await client.read_resource(rules.uri)).contents[0].text
        await client.call_tool("desk", {"commands": r"echo hi > 'a b.txt'; printf '\x89\xff' > x.png"})
        found = {item.uri: item.mime_type for item in (await client.list_resources()).resources[1:]}
        files = "bashkit://desk/files/home/user/"
        assert found == {f"{files}a%20b.txt": "text/plain", f"{files}x.png": "image/png"}
        assert (await client.read_resource(f"{files}a%20b.txt")).contents[0].text == "hi\n"
        assert (await client.read_resource(f"{files}x.png")).contents[0].blob == "if8="
        await client.call_tool("desk", {"commands": r"printf '\xff' > x"})
        assert (await client.read_resource(f"{files}x")).contents[0].mime_type == "application/octet-stream"
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "bashkit://desk/files{+path}"
        for uri in (
            f"{files}none",
            "bashkit://desk/context/9",
            "bashkit://desk/files/../../etc/passwd",
            "file:///etc/passwd",
            "bashkit://[::1",
        ):
            with pytest.raises(MCPError, match="there is no resource"):
                await client.read_resource(uri)


@MODES
async def test_without_sessions_there_are_no_files(desk, mode, serving):
    async with serving(desk, mode=mode) as client:
        assert [item.uri for item in (await client.list_resources()).resources] == ["bashkit://desk/context/1"]
        assert (await client.list_resource_templates()).resource_templates == []


async def test_a_subscribed_file_that_a_script_changes_is_told(desk, serving):
    told = []

    async def heard(message):
        if isinstance(message, types.ResourceUpdatedNotification):
            told.append(message.params.uri)
        if isinstance(message, types.ResourceListChangedNotification):
            told.append("list")

    uri = "bashkit://desk/files/home/user/note"
    async with serving(desk, mode="legacy", sessions=True, client={"message_handler": heard}) as client:
        await client.session.subscribe_resource(uri)
        await client.call_tool("desk", {"commands": "echo > note; echo > other"})
        await client.session.unsubscribe_resource(uri)
        await client.call_tool("desk", {"commands": "echo more > note"})
        assert told == [uri, "list"]  # the list is the same
        await client.call_tool("desk", {"commands": "rm note"})
        assert told == [uri, "list", "list"]


async def test_a_result_names_a_thousand_files_and_counts_the_others(desk, serving):
    async with serving(desk, sessions=True) as client:
        result = await client.call_tool("desk", {"commands": "mkdir d; cd d; touch $(seq -w 1002)"})
        files = result.structured_content["files"]
    assert (len(files), files[0], files[-1]) == (1001, "/home/user/d/0001", "… and 2 more")


async def test_a_client_subscribes_to_a_thousand_files_and_no_more(desk, serving):
    async with serving(desk, mode="legacy", sessions=True) as client:
        subscribe = client.session.subscribe_resource
        for number in range(1_000):
            await subscribe(f"bashkit://desk/files/{number}")
        await subscribe("bashkit://desk/files/7")  # again
        with pytest.raises(MCPError, match="at most 1000 subscriptions"):
            await subscribe("bashkit://desk/files/1000")
        await client.session.unsubscribe_resource("bashkit://desk/files/7")
        with pytest.raises(MCPError, match="of 16384 characters each"):
            await subscribe(f"bashkit://desk/files/{'x' * 20_000}")
        await subscribe("bashkit://desk/files/1000")


async def test_a_subscription_of_2026_has_no_more_either(desk, serving):
    async with serving(desk) as client:
        for uris in ([f"bashkit://desk/files/{number}" for number in range(1001)], ["x" * 20_000]):
            with pytest.raises(MCPError, match="at most 1000 subscriptions"):
                async with client.listen(resource_subscriptions=uris):
                    pass


async def test_a_subscription_of_2026_hears_of_files_and_tools(desk, serving):
    uri = "bashkit://desk/files/home/user/note"
    async with serving(desk, sessions=True) as client:
        wanted = {"tools_list_changed": True, "resources_list_changed": True, "resource_subscriptions": [uri]}
        async with client.listen(**wanted) as events:
            await client.call_tool("desk", {"commands": "echo > note"})
            await client.service.reload()
            found = [type(await anext(events)).__name__ for _ in range(3)]
        assert found == ["ResourceUpdated", "ResourcesListChanged", "ToolsListChanged"]

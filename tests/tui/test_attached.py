"""``bashkit tui --attach URL``: the scripts that a server runs, their calls, and its questions."""

import asyncio
import contextlib
import subprocess
import sys

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from textual.widgets import OptionList

from bashkit.errors import BashkitError
from bashkit.integrations.mcp import Service, Settings
from bashkit.integrations.mcp.guard import Access
from bashkit.integrations.mcp.http import listening, make_app
from bashkit_tui.app import InspectorApp
from bashkit_tui.attached import server_events
from bashkit_tui.attached.followed_calls import KEPT, FollowedCalls
from bashkit_tui.attached.screen import ServerCalls
from bashkit_tui.attached.server_events import Server
from bashkit_tui.screens.approval import ApprovalScreen
from bashkit_tui.screens.call import CallScreen
from bashkit_tui.widgets.output_log import OutputLog
from bashkit_tui.widgets.text_view import TextView

from .conftest import Inspector

pytestmark = pytest.mark.thorough

TOOLSET = """\
version: 1
name: desk
description: A desk
tools:
  - {name: look, effects: read, input_schema: {type: object, properties: {id: {type: integer}}}, callback: {python: attached_desk.look}}
  - {name: pause, effects: read, callback: {python: attached_desk.pause}}
  - {name: purge, effects: destructive, callback: {python: attached_desk.look}}
"""
CALLBACKS = """\
import asyncio
gate = asyncio.Event()
def look(args): return {"id": args.params.get("id")}
async def pause(args): await gate.wait()
"""


class Attached(Inspector):
    """An inspector that follows a server."""

    @property
    def scripts(self):
        """The rows on the left."""
        listed = self.one("#server-scripts", OptionList)
        return [str(listed.get_option_at_index(place).prompt) for place in range(listed.option_count)]

    @property
    def title(self):
        return self.text("#server-title")

    @property
    def status(self):
        return self.text("#server-status")

    async def shows(self, condition):
        """Until what came is drawn and something is so."""
        await self.until(condition)
        await self.settled()

    @property
    def calls(self):
        return self.one(ServerCalls).table()


@pytest.fixture
def desk(tmp_path):
    """A toolset; ``gate`` lets its tool ``pause`` go on."""
    (tmp_path / "desk.yaml").write_text(TOOLSET, encoding="utf-8")
    (tmp_path / "attached_desk.py").write_text(CALLBACKS, encoding="utf-8")
    yield tmp_path / "desk.yaml"
    sys.modules.pop("attached_desk", None)


@contextlib.asynccontextmanager
async def served(desk, port=0, access=None):
    settings = Settings((desk,), shared=True, reload=None, sessions=True)
    async with (
        Service(settings) as service,
        listening(make_app(service, access or Access.to("127.0.0.1", (), (), ())), "127.0.0.1", port) as found,
    ):
        try:
            yield found
        finally:
            await service.stop(0)


@contextlib.asynccontextmanager
async def client(port, token=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)) as connected,
    ):
        yield connected


@contextlib.asynccontextmanager
async def attached(port, token="", size=(120, 40)):
    app = InspectorApp(server=Server.at(f"http://127.0.0.1:{port}/mcp", token))
    app.animation_level = "none"
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Attached(app, pilot)


async def test_it_follows_scripts_and_answers_what_they_ask(desk):
    async with served(desk) as port, attached(port) as inspector, client(port) as model:
        await inspector.shows(lambda: "● following  desk" in inspector.title)
        assert "What the clients of the server run" in inspector.status

        def call(script):
            return asyncio.create_task(model.call_tool("desk", {"commands": script}))

        # a script while it runs
        running = call("# first\nlook --id 4\npause\necho done")
        await inspector.shows(lambda: len(inspector.calls) == 2)
        assert [row[:3] for row in inspector.calls] == [["2:1", "look", "id=4"], ["3:1", "pause", ""]]
        assert inspector.calls[1][3:] == ["…", "…"]
        assert inspector.scripts[0].startswith("● ") and inspector.scripts[0].endswith(" look --id 4")
        assert inspector.status.startswith("● running")
        assert inspector.one(TextView).text == "# first\nlook --id 4\npause\necho done"
        sys.modules["attached_desk"].gate.set()
        await running
        await inspector.shows(lambda: inspector.status.startswith("✓ exit 0"))
        assert [line.text.rstrip() for line in inspector.one(OutputLog).lines] == ['{"id":4}', "done"]
        assert inspector.scripts[0].startswith("✓ ")

        # the details of a call, in which nothing can be learned
        await inspector.press("enter", "enter")
        assert isinstance(inspector.screen, CallScreen)
        assert "look" in inspector.text("#call-facts")
        await inspector.press("o")
        assert isinstance(inspector.screen, CallScreen)
        await inspector.press("escape")

        # an approval: the dialog comes when it is asked for, and Escape leaves the call waiting
        running = call("purge; purge")
        await inspector.shows(lambda: "? 1 call to answer: a" in inspector.title)
        assert not isinstance(inspector.screen, ApprovalScreen)
        assert any("purge waits for an approval" in note for note in inspector.notes)
        await inspector.press("a")
        assert isinstance(inspector.screen, ApprovalScreen)
        await inspector.press("escape")
        assert not running.done()
        await inspector.press("a", "a")  # always: the second call is not asked about
        assert (await running).structured_content["stdout"] == '{"id":null}\n' * 2
        await inspector.shows(lambda: "to answer" not in inspector.title)

        running = call("purge")
        await inspector.shows(lambda: "? 1 call to answer: a" in inspector.title)
        await inspector.press("a", "n")
        assert "not approved" in (await running).structured_content["stderr"]
        await inspector.shows(lambda: inspector.status.startswith("✗ exit 126"))

        # an older script stays in view while newer ones come
        assert len(inspector.scripts) == 3
        inspector.one("#server-scripts").focus()
        await inspector.press("down", "down")
        assert inspector.one(TextView).text.startswith("# first")
        await call("echo newer")
        await inspector.shows(lambda: len(inspector.scripts) == 4)
        assert inspector.one(TextView).text.startswith("# first")
        await inspector.press("l")
        await inspector.shows(lambda: inspector.one(TextView).text == "echo newer")

        # only keys that work are listed
        await inspector.press("f1")
        keys = inspector.shown()
        assert "Answer" in keys
        assert "Review" not in keys


async def test_a_question_that_another_answers_is_closed(desk):
    async with served(desk) as port, attached(port) as inspector, attached(port) as other, client(port) as model:
        for one in (inspector, other):
            await one.shows(lambda one=one: "● following" in one.title)
        running = asyncio.create_task(model.call_tool("desk", {"commands": "purge"}))
        await inspector.shows(lambda: "to answer" in inspector.title)
        await inspector.press("a")
        await other.shows(lambda: "to answer" in other.title)
        await other.press("a", "y")
        await running
        await inspector.shows(lambda: not isinstance(inspector.screen, ApprovalScreen))
        assert "The call does not wait for an answer any more." in inspector.notes


async def test_a_lost_connection_is_told_and_made_again(desk, monkeypatch):
    monkeypatch.setattr(server_events, "_PAUSES", (0.01,))
    async with contextlib.AsyncExitStack() as first:
        port = await first.enter_async_context(served(desk))
        async with attached(port) as inspector:
            await inspector.shows(lambda: "● following" in inspector.title)
            async with client(port) as model:
                running = asyncio.create_task(model.call_tool("desk", {"commands": "pause"}))
                await inspector.shows(lambda: len(inspector.calls) == 1)
                running.cancel()
            await first.aclose()
            await inspector.shows(lambda: "no connection: nobody listens there; the next try is in 0.01 s" in inspector.title)
            async with served(desk, port):
                await inspector.shows(lambda: "● following" in inspector.title)


def test_a_script_that_ended_without_a_connection_is_told_apart():
    followed = FollowedCalls()
    hello = {"event": "hello", "toolsets": ["desk"], "now": 0.0, "lost": 0, "running": []}
    began = {"event": "began", "call": "x", "session": "", "tool": "desk", "script": "a", "began": 0.0}
    for event in (hello, began, {"event": "another"}, {"event": "call", "call": "none"}, {"event": "ended"}, {}):
        followed.take(event)
    assert (followed.scripts["x"].ended, followed.scripts["x"].unseen) == (False, False)
    followed.take(hello | {"running": ["x"], "lost": 3})
    assert not followed.scripts["x"].ended
    assert followed.lost == 3
    followed.take(hello)
    assert (followed.scripts["x"].ended, followed.scripts["x"].unseen) == (True, True)


def test_old_scripts_are_forgotten():
    followed = FollowedCalls()
    for number in range(KEPT + 10):
        key = str(number)
        began = {"event": "began", "call": key, "session": "", "tool": "desk", "arguments": {}, "began": 0.0}
        followed.take(began)
        if number:
            followed.take({"event": "ended", "call": key, "exit_code": 0, "error": None, "calls": 0, "seconds": 1})
    assert len(followed.scripts) == KEPT
    assert list(followed.scripts)[:2] == ["0", "11"]  # the first one runs


async def test_tokens(desk):
    access = Access.to("127.0.0.1", ["one"], (), ())
    async with served(desk, access=access) as port:
        async with attached(port) as inspector:
            await inspector.shows(lambda: "wants a token: pass --token-file FILE" in inspector.title)
        async with attached(port, "one") as inspector, client(port, "one") as model:
            await inspector.shows(lambda: "● following" in inspector.title)
            await model.call_tool("desk", {"commands": "echo hi"})
            await inspector.shows(lambda: inspector.status.startswith("✓ exit 0"))


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
async def test_small_terminals(desk, size):
    async with served(desk) as port, attached(port, size=size) as inspector, client(port) as model:
        await inspector.shows(lambda: "● following" in inspector.title)
        await model.call_tool("desk", {"commands": "look --id 1; echo hi"})
        await inspector.shows(lambda: inspector.status.startswith("✓ exit 0"))
        for part in ("#server-script", "#server-calls", "#server-output"):
            assert inspector.one(part).size.height >= 2
            assert inspector.one(part).size.width >= 20


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://127.0.0.1:8000/mcp", "http://127.0.0.1:8000"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("https://tools.example/desk/mcp", "https://tools.example/desk"),
    ],
)
def test_addresses(address, url):
    assert Server.at(address).url == url


@pytest.mark.parametrize("address", ["", "127.0.0.1:8000", "ftp://x", "http://", "http://[::1", "http://x:port"])
def test_what_is_no_address(address):
    with pytest.raises(BashkitError, match="is not the address of a server"):
        Server.at(address)


def test_the_inspector_in_a_browser_needs_nothing_of_the_mcp_server():
    code = "import sys; sys.modules.update(dict.fromkeys(['mcp', 'starlette', 'anyio', 'uvicorn'])); import bashkit_tui.web"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)

"""Observers of a server over HTTP: what they are told, what they may answer, and that a slow one holds nobody up."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import types

from bashkit.integrations.mcp import observers
from bashkit.integrations.mcp.guard import Access

from .test_mcp_http import LOCAL, output, reached

pytestmark = pytest.mark.usefixtures("nothing_is_left")


class Stream:
    """What an observer has read so far."""

    def __init__(self):
        self.events = []
        self.news = asyncio.Event()

    async def read(self, response):
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                self.events.append(json.loads(line[6:]))
                self.news.set()

    async def first(self, kind, **fields):
        """The first event of a kind with these fields, when it is there."""
        async with asyncio.timeout(60):
            while True:
                for event in self.events:
                    if event["event"] == kind and all(event.get(name) == value for name, value in fields.items()):
                        return event
                self.news.clear()
                await self.news.wait()

    def kinds(self):
        return [event["event"] for event in self.events]


@asynccontextmanager
async def observing(served, token=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http, http.stream("GET", f"{served.url}/observe") as response:
        assert response.status_code == 200
        stream = Stream()
        reading = asyncio.create_task(stream.read(response))
        try:
            await stream.first("hello")
            yield stream
        finally:
            reading.cancel()
            await asyncio.wait({reading})


async def answer(served, question, *, allow, token=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        sent = await http.post(f"{served.url}/observe/answer", json={"question": question, "allow": allow})
        return sent.status_code


@pytest.mark.parametrize("isolation", [None, "process"])
async def test_scripts_and_calls_are_told_as_they_happen(desk, until, isolation):
    async with reached(desk, sessions=True, isolation=isolation) as served, observing(served) as seen, served.client() as client:
        assert seen.events[0]["toolsets"] == ["desk"]
        running = asyncio.create_task(output(client, "look --id 4; fail; echo hi; ponder"))
        began = await seen.first("began")
        assert (began["tool"], began["script"]) == ("desk", "look --id 4; fail; echo hi; ponder")
        assert len(began["session"]) == 12
        looked = await seen.first("call", tool="look", exit_code=0)
        assert (looked["number"], looked["line"], looked["column"], looked["arguments"]) == (1, 1, 1, {"id": 4})
        assert "the drawer is stuck" in (await seen.first("call", tool="fail", exit_code=1))["error"]
        assert (await seen.first("call", tool="ponder"))["duration"] is None
        assert "ended" not in seen.kinds()
        await until(desk.with_name("pondering").exists)
        async with observing(served) as late:  # is told what runs
            assert (await late.first("began"))["call"] == began["call"]
        running.cancel()
        assert (await seen.first("ended"))["error"] == "cancelled"
        await output(client, "echo one; echo two >&2; exit 3")
        ended = await seen.first("ended", exit_code=3)
        assert (ended["stdout"], ended["stderr"], ended["error"], ended["calls"]) == ("one\n", "two\n", None, 0)


async def test_a_tool_by_itself_is_told_with_its_arguments(desk):
    async with reached(desk, expose="tools") as served, observing(served) as seen, served.client() as client:
        await client.call_tool("look", {"id": 9})
        assert (await seen.first("began"))["arguments"] == {"id": 9}
        assert (await seen.first("ended"))["exit_code"] == 0


@pytest.mark.parametrize("allow", [True, False])
async def test_a_question_is_answered_where_the_client_cannot_be_asked(desk, allow):
    async with reached(desk) as served, observing(served) as seen, served.client() as client:
        running = asyncio.create_task(client.call_tool("desk", {"commands": "purge --days 3"}))
        asked = await seen.first("question")
        assert (asked["tool"], asked["line"], asked["effects"], asked["arguments"]) == ("purge", 1, "destructive", {"days": 3})
        assert await answer(served, "another", allow=True) == 404
        assert await answer(served, asked["question"], allow=allow) == 204
        result = (await running).structured_content
        assert result["stdout"] == ("purged\n" if allow else "")
        assert ("not approved" in result["stderr"]) is not allow
        await seen.first("answered", question=asked["question"])
        assert await answer(served, asked["question"], allow=True) == 404


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_first_answer_counts_that_of_the_client_or_of_an_observer(desk, mode):
    left = asyncio.Event()

    async def asked(_context, _params):
        if mode == "legacy":
            await left.wait()  # a person who is not there
        return types.ElicitResult(action="decline")

    settings = {"sessions": mode == "legacy"}
    async with (
        reached(desk, **settings) as served,
        observing(served) as seen,
        served.client(mode, elicitation_callback=asked) as client,
    ):
        running = asyncio.create_task(client.call_tool("desk", {"commands": "purge"}))
        question = (await seen.first("question"))["question"]
        if mode == "legacy":
            assert await answer(served, question, allow=True) == 204
            assert (await running).structured_content["stdout"] == "purged\n"
        else:
            assert "not approved" in (await running).structured_content["stderr"]
        assert (await seen.first("answered", question=question))["allowed"] is (mode == "legacy")
        left.set()


async def test_a_question_is_refused_when_nobody_is_left_to_answer(desk):
    async with reached(desk) as served, served.client() as client:
        async with observing(served) as seen:
            running = asyncio.create_task(client.call_tool("desk", {"commands": "purge; purge"}))
            await seen.first("question")
        assert (await running).structured_content["stderr"].count("not approved") == 2
        assert "--allow destructive" in (await client.call_tool("desk", {"commands": "purge"})).structured_content["stderr"]


async def test_an_observer_follows_the_calls_of_its_own_token(desk):
    access = Access.to("127.0.0.1", ["one", "two"], (), ())
    async with reached(desk, access) as served, observing(served, "one") as one, observing(served, "two") as two:
        assert (await served.get("/observe")).status_code == 401
        assert (await served.get("/observe", Authorization="Bearer three")).status_code == 401
        async with served.client(token="one") as client:
            running = asyncio.create_task(client.call_tool("desk", {"commands": "purge"}))
            asked = await one.first("question")
            assert await answer(served, asked["question"], allow=True) == 401
            assert await answer(served, asked["question"], allow=True, token="two") == 404
            assert await answer(served, asked["question"], allow=False, token="one") == 204
            await running
        async with served.client(token="two") as client:
            await output(client, "echo mine")
        assert (await two.first("began"))["script"] == "echo mine"
        await two.first("ended")
        assert two.kinds() == ["hello", "began", "ended"]
        assert "purge" not in json.dumps(two.events)


async def test_pages_of_others_can_neither_follow_nor_answer(desk):
    async with reached(desk, LOCAL) as served:
        assert (await served.get("/observe", Origin="https://evil.example")).status_code == 403
        assert (await served.get("/observe", Host="evil.example")).status_code == 421


async def test_an_answer_that_is_none(desk):
    async with reached(desk) as served, httpx2.AsyncClient() as http:
        for body in (b"", b"[]", b'{"question": 1, "allow": true}', b'{"question": "x", "allow": "yes"}', b" " * 5000):
            assert (await http.post(f"{served.url}/observe/answer", content=body)).status_code == 400
        assert (await http.get(f"{served.url}/observe/answer")).status_code == 405


async def test_secrets_are_not_told(desk, monkeypatch):
    monkeypatch.setenv("DESK_KEY", "s3cr3t-word")
    text = desk.read_text(encoding="utf-8").replace("name: desk\n", "name: desk\nsecrets: [DESK_KEY]\n")
    desk.write_text(text, encoding="utf-8")
    async with reached(desk) as served, observing(served) as seen, served.client() as client:
        await output(client, "look --id 1; echo s3cr3t-word; purge --days s3cr3t-word; exit 7")
        await seen.first("ended", exit_code=7)
        assert "s3cr3t-word" not in json.dumps(seen.events)
        assert (await seen.first("began"))["script"] == "look --id 1; echo ***; purge --days ***; exit 7"


async def test_one_that_does_not_read_holds_nobody_up_and_gets_the_state_anew(desk, monkeypatch):
    monkeypatch.setattr(observers, "_MOST_EVENTS", 50)
    async with reached(desk) as served, served.client() as client:
        slow = served.service.observers.attach("")
        events = slow.events()
        assert json.loads(await anext(events))["event"] == "hello"
        await output(client, "for i in {1..200}; do look --id $i; done")
        running = asyncio.create_task(output(client, "ponder"))
        found = json.loads(await anext(events))
        assert (found["event"], found["lost"]) == ("hello", 51)
        assert json.loads(await anext(events))["script"] == "ponder"
        slow.close()
        assert [event async for event in events] == []
        running.cancel()


async def test_a_quiet_stream_gives_signs_of_life_and_there_is_an_end_to_their_number(desk, monkeypatch):
    monkeypatch.setattr(observers, "ALIVE", 0.001)
    monkeypatch.setattr(observers, "MOST", 1)
    async with reached(desk) as served, httpx2.AsyncClient() as http, http.stream("GET", f"{served.url}/observe") as response:
        lines = response.aiter_lines()
        while not (await anext(lines)).startswith(":"):
            pass
        assert (await served.get("/observe")).status_code == 503
        assert served.service.observers.attach("of another token") is not None


async def test_a_server_that_stops_ends_the_streams(desk):
    async with reached(desk) as served, httpx2.AsyncClient() as http, http.stream("GET", f"{served.url}/observe") as response:
        await served.service.stop(0)
        assert '"hello"' in (await response.aread()).decode()

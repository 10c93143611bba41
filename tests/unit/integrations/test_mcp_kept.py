"""What the sessions of a server take together: those that were not used for longest are put away, or calls are refused."""

import asyncio
import gc
import re
import weakref
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from mcp import Client, MCPError

from bashkit import Bash
from bashkit.errors import BashkitError
from bashkit.integrations.mcp import Service, Settings, session
from bashkit.integrations.mcp.kept import KeptSessions
from bashkit.integrations.mcp.server import make_server
from bashkit.integrations.mcp.session import Session

pytestmark = pytest.mark.usefixtures("nothing_is_left")
FILL = "x=1; head -c 1000000 /dev/zero > f"
ROOM = 1_500_000  # bytes, for one session that is filled
COME_BACK = "echo $x; wc -c < f"


@asynccontextmanager
async def served(desk, number, room=ROOM, mode="legacy", **settings):
    """So many clients of one server."""
    settings = {"shared": True, "sessions": True, "reload": None, "max_sessions_bytes": room, **settings}
    async with Service(Settings((desk,), **settings)) as service, AsyncExitStack() as stack:
        server = make_server(service)
        yield service, [await stack.enter_async_context(Client(server, mode=mode)) for _ in range(number)]


async def output(client, script, tool="desk"):
    return (await client.call_tool(tool, {"commands": script})).structured_content["stdout"]


def taken(service):
    return int(re.search(r"^bashkit_session_bytes (\d+)$", service.metrics.text(), re.MULTILINE)[1])


def saved(folder):
    return len(list(folder.glob("*.snapshot")))


@pytest.fixture
def bashes(monkeypatch):
    """What there is of the shells that were made, found without the help of Python's collector."""
    made = weakref.WeakSet()
    monkeypatch.setattr(
        Bash, "__init__", lambda self, *given, _init=Bash.__init__, **named: (made.add(self), _init(self, *given, **named))[1]
    )
    gc.collect()
    gc.disable()
    yield made
    gc.enable()


@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_what_was_not_used_for_longest_is_put_away_and_comes_back(desk, tmp_path, isolation, bashes):
    room = {"inline": ROOM, "process": 2 * ROOM}[isolation]
    async with served(desk, 3, room, isolation=isolation, folder=tmp_path / "saved") as (service, (one, two, three)):
        await output(one, FILL)
        await output(two, FILL)
        await output(three, "true")
        assert taken(service) < room
        assert len(bashes) == 2
        assert saved(tmp_path / "saved") == 1
        for client in (one, two, one):
            assert await output(client, COME_BACK) == "1\n1000000\n"
        assert taken(service) < 2 * room
    assert saved(tmp_path / "saved") == 0  # nobody could come back


async def test_files_of_a_session_that_is_put_away_are_resources(desk, tmp_path):
    async with served(desk, 2, folder=tmp_path) as (_, (one, two)):
        await output(one, f"{FILL}; echo hi > note")
        await output(two, FILL)
        await output(two, "true")
        assert saved(tmp_path) == 1
        assert [item.name for item in (await one.list_resources()).resources[1:]] == ["/home/user/f", "/home/user/note"]
        await output(two, "true")
        assert (await one.read_resource("bashkit://desk/files/home/user/note")).contents[0].text == "hi\n"
        changed = await one.call_tool("desk", {"commands": "rm note"})
        assert changed.structured_content["files"] == ["/home/user/note"]


async def test_files_are_there_while_a_call_runs_that_has_brought_them_back(desk, tmp_path, until):
    async with served(desk, 2, folder=tmp_path) as (_, (one, two)):
        await output(one, FILL)
        await output(two, FILL)
        await output(two, "true")
        call = asyncio.create_task(output(one, "ponder"))
        listed = asyncio.create_task(one.list_resources())
        await until(desk.with_name("pondering").exists)
        assert [item.name for item in (await listed).resources[1:]] == ["/home/user/f"]
        assert not call.done()
        call.cancel()
        await asyncio.wait({call})


ENDED = "the session has ended, and its variables and files are gone.*--max-sessions-bytes; the next call begins a new one"


async def test_without_a_directory_sessions_end_and_their_clients_are_told(desk, bashes):
    async with served(desk, 3) as (service, (one, two, three)):
        await output(one, FILL)
        await output(two, FILL)
        await output(three, "true")
        assert taken(service) < ROOM
        assert len(bashes) == 2
        for _ in range(2):
            with pytest.raises(MCPError, match=ENDED):
                await one.list_resources()
        with pytest.raises(MCPError, match=ENDED):
            await output(one, COME_BACK)
        assert await output(one, "echo ${x-new}") == "new\n"
        assert await output(two, COME_BACK) == "1\n1000000\n"


async def test_a_session_that_takes_too_much_by_itself_ends(desk):
    async with served(desk, 1) as (_, (one,)):
        await output(one, f"{FILL}; cp f g")
        with pytest.raises(MCPError, match=ENDED):
            await output(one, "true")
        assert await output(one, "ls") == ""


async def test_a_toolset_that_has_changed_meanwhile_does_not_hide_that_a_session_has_ended(desk):
    async with served(desk, 2) as (service, (one, two)):
        await output(one, FILL)
        await output(two, FILL)
        await output(two, "true")
        assert await service.reload()
        with pytest.raises(MCPError, match=ENDED):
            await output(one, "true")


async def test_what_a_cancelled_call_has_left_counts_and_is_kept(desk, tmp_path, until):
    async with served(desk, 2, folder=tmp_path) as (service, (one, two)):
        await output(one, "x=0")
        call = asyncio.create_task(output(one, f"{FILL}; ponder"))
        await until(desk.with_name("pondering").exists)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: not service.metrics.running)
        assert taken(service) > 1_000_000
        await output(two, FILL)
        await output(two, "true")
        assert saved(tmp_path) == 1
        assert await output(one, COME_BACK) == "1\n1000000\n"


async def test_a_session_that_cannot_be_put_away_stays(desk, tmp_path, monkeypatch, caplog):
    tried = []

    def full(_snapshot, place):
        tried.append(place)
        raise OSError(28, "No space left on device")

    async with served(desk, 3, folder=tmp_path) as (_, (one, two, three)):
        for client in (one, two):
            await output(client, FILL)
        with monkeypatch.context() as patched:
            patched.setattr(session, "_write", full)
            with pytest.raises(MCPError, match="--max-sessions-bytes"):
                await output(three, "true")
        assert len(tried) == 1
        assert "No space left" in caplog.text
        assert await output(one, COME_BACK) == "1\n1000000\n"


async def test_what_was_saved_of_a_session_and_is_gone(desk, tmp_path):
    async with served(desk, 2, folder=tmp_path) as (_, (one, two)):
        await output(one, FILL)
        await output(two, FILL)
        await output(two, "true")
        next(tmp_path.glob("*.snapshot")).unlink()
        with pytest.raises(MCPError, match="what was saved of it is gone"):
            await output(one, "true")
        with pytest.raises(MCPError, match="what was saved of it is gone"):
            await one.list_resources()
        assert await output(two, COME_BACK) == "1\n1000000\n"


class Nobody:
    """Who is told nothing about a call."""

    approve = status = None

    def started(self, call):
        pass

    def ended(self, call):
        pass


@pytest.fixture
async def lasting(desk, tmp_path):
    """Two servers' halves of one session that lasts, and a function that has one answer a call."""
    async with Service(Settings((desk,), sessions=True, reload=None)) as service:
        halves = [Session(lambda _: {}, tmp_path / "saved", "s") for _ in range(2)]

        async def call(half, script):
            answer, _ = await halves[half].call(service.catalog.entries["desk"], {"commands": script}, Nobody())
            return answer.response.stdout

        yield halves, call


async def test_a_session_that_lasts_goes_on_from_where_another_server_has_left_it(lasting):
    halves, call = lasting
    await call(0, "x=1")
    assert await halves[0].put_away()
    assert halves[0].kept == 0
    await call(1, "x=2")
    assert await call(0, "echo $x") == "2\n"


@pytest.mark.parametrize("meanwhile", [False, True])
async def test_a_cancelled_call_is_saved_unless_another_server_has_gone_on(lasting, desk, until, meanwhile):
    halves, call = lasting
    await call(0, "x=1")
    task = asyncio.create_task(call(0, "x=2; ponder"))
    await until(desk.with_name("pondering").exists)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    if meanwhile:
        await call(1, "x=3")
    assert await halves[0].put_away()
    assert await call(0, "echo $x") == ("3\n" if meanwhile else "2\n")
    assert await call(1, "echo $x") == ("3\n" if meanwhile else "2\n")


async def test_a_session_is_not_put_away_while_a_call_runs(lasting, desk, until):
    halves, call = lasting
    task = asyncio.create_task(call(0, "x=1; ponder"))
    await until(desk.with_name("pondering").exists)
    assert await halves[0].put_away()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await call(0, "echo $x") == "1\n"


async def test_what_python_code_has_left_comes_back(desk, tmp_path):
    pytest.importorskip("pydantic_monty")
    desk.write_text(desk.read_text(encoding="utf-8") + "language: python\n", encoding="utf-8")
    async with served(desk, 1, folder=tmp_path) as (_, (one,)):
        await output(one, "x = 7")
        await output(one, "open('/home/user/f', 'w').write('a' * 2000000)")
        assert await output(one, "print(x)") == "7\n"
        assert saved(tmp_path) == 1


# -- shares of clients -----------------------------------------------------------------------------------------------------


class Kept:
    """What the bound knows of a session."""

    def __init__(self, sessions, owner, kept, *, busy=False):
        self.owner = owner
        self.kept = kept
        self.busy = busy
        sessions.note(self)

    async def put_away(self):
        self.kept = self.kept if self.busy else 0
        return True


@pytest.fixture
def sessions():
    """Sessions that may take a hundred bytes."""
    return KeptSessions(100, lambda _: None)


async def test_sessions_are_put_away_of_the_client_that_takes_most(sessions):
    theirs = [Kept(sessions, "small", 10), Kept(sessions, "middle", 35), *(Kept(sessions, "large", 20) for _ in range(3))]
    await sessions.make_room(theirs[0])
    assert [session.kept for session in theirs] == [10, 35, 0, 20, 20]


async def test_what_takes_no_more_than_its_share_stays_and_is_answered(sessions):
    """Though there is no room, since all sessions of the client that takes too much are used."""
    small, large = Kept(sessions, "small", 50), Kept(sessions, "large", 60, busy=True)
    await sessions.make_room(small)
    assert small.kept == 50
    with pytest.raises(BashkitError, match="--max-sessions-bytes"):
        await sessions.make_room(large)


async def test_a_session_that_is_called_is_put_away_last(sessions):
    theirs = [Kept(sessions, "a", 40) for _ in range(3)]
    await sessions.make_room(theirs[0])
    assert [session.kept for session in theirs] == [40, 0, 40]


async def test_who_has_left_has_no_share(sessions):
    left, one = Kept(sessions, "left", 10), Kept(sessions, "one", 60)
    del left
    two = Kept(sessions, "two", 45)
    await sessions.make_room(two)
    assert (one.kept, two.kept) == (0, 45)

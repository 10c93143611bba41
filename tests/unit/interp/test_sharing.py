"""Scripts on one event loop: a few begin at once, in the order in which they came, and none waits for what is long or waits itself."""

import asyncio

import pytest

from bashkit import Bash
from bashkit.interp.runtime import hub, sharing

BUSY = "for ((i = 0; i < 100000; i++)); do :; done"  # some slices


@pytest.fixture(autouse=True)
def one_place(monkeypatch):
    monkeypatch.setattr(sharing, "_PLACES", 1)
    monkeypatch.setattr(sharing, "_SHORT", 1000.0)


class Runs:
    """What happens to the scripts, which are numbered as they come."""

    def __init__(self):
        self.hubs = []
        self.begun = []
        self.ended = []
        self.deadlines = []  # when each comes, and when it begins

    async def note(self, run, one, main):
        number = len(self.hubs)
        self.hubs.append(one)
        before = one.budget.deadline

        def noted():
            self.begun.append(number)
            self.deadlines.append((before, one.budget.deadline))
            return main()

        try:
            return await run(one, noted)
        finally:
            self.ended.append(number)


@pytest.fixture
def runs(monkeypatch):
    found, run = Runs(), hub.Hub.run_async
    monkeypatch.setattr(hub.Hub, "run_async", lambda one, main: found.note(run, one, main))
    return found


async def at_once(*scripts):
    return await asyncio.gather(*(Bash().execute(script) for script in scripts))


async def test_one_begins_when_another_has_ended(runs):
    await at_once(BUSY, ":", BUSY, ":")
    assert runs.ended == [0, 1, 2, 3]


async def test_all_begin_where_there_are_places(runs, monkeypatch):
    monkeypatch.setattr(sharing, "_PLACES", 8)
    await at_once(BUSY, ":", ":")
    assert runs.ended == [1, 2, 0]


async def test_one_that_waits_leaves_its_place(runs):
    others = asyncio.Event()

    async def outlast(_):
        await others.wait()
        return ""

    waiting = asyncio.create_task(Bash(custom_builtins={"outlast": outlast}).execute("outlast"))
    await at_once(":", BUSY)
    others.set()
    await waiting
    assert runs.begun == [0, 1, 2]
    assert runs.ended == [1, 2, 0]


async def test_one_that_waits_for_another_script_leaves_its_place():
    async def inner(_):
        return (await Bash().execute("echo inner")).stdout

    outer = Bash(custom_builtins={"inner": inner})
    results = await asyncio.gather(outer.execute("inner; inner | cat"), Bash().execute("echo other"))
    assert [result.stdout for result in results] == ["inner\ninner\n", "other\n"]


async def test_short_scripts_do_not_wait_for_a_long_one(runs, monkeypatch):
    monkeypatch.setattr(sharing, "_SHORT", 0.0)  # one that has used up a slice is long
    await at_once(BUSY, ":", ":")
    assert runs.ended == [1, 2, 0]


async def test_the_time_limit_does_not_begin_before_the_script(runs):
    await at_once(BUSY, ":")
    first, second = runs.deadlines
    assert first[1] == first[0]
    assert second[1] > second[0]


async def test_a_script_that_is_cancelled_in_the_queue_does_not_begin(runs):
    shells = [Bash() for _ in range(3)]
    running = [asyncio.create_task(shell.execute(BUSY)) for shell in shells]
    await asyncio.sleep(0)
    shells[1].cancel()
    results = await asyncio.gather(*running)
    assert [result.error for result in results] == [None, "cancelled", None]
    assert runs.begun == [0, 2]


async def test_a_task_that_is_cancelled_in_the_queue_leaves_it(runs):
    shells = [Bash() for _ in range(3)]
    running = [asyncio.create_task(shell.execute(BUSY)) for shell in shells]
    await asyncio.sleep(0)
    running[1].cancel()
    results = await asyncio.gather(*running, return_exceptions=True)
    assert isinstance(results[1], asyncio.CancelledError)
    assert runs.begun == [0, 2]
    assert (await shells[1].execute("echo on")).stdout == "on\n"


async def test_late_news_of_a_script_that_has_ended_take_no_place(runs):
    await Bash().execute("sleep 0.01")
    runs.hubs[0].hear()
    assert (await asyncio.wait_for(Bash().execute("echo on"), 60)).stdout == "on\n"

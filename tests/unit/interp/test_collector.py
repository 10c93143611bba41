"""Collections of garbage stay short and rare while scripts run, and the host finds its objects and settings as they were."""

import asyncio
import gc

import pytest

from bashkit import Bash, ScriptedTool
from bashkit.interp.runtime import collector

PARSED = "eval \"false && { $(printf 'echo %d; ' {1..40000}) }\"; :"


@pytest.fixture
def looked_at(monkeypatch):
    """How many objects each full collection has looked at, and how often objects were set aside, in a host of Python's defaults."""
    seen, frozen, freeze = [], [], gc.freeze
    thresholds = gc.get_threshold()
    gc.unfreeze()
    gc.collect()
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1) or freeze())

    def note(phase, info):
        if phase == "start" and info["generation"] == 2:
            seen.append(len(gc.get_objects()))

    gc.callbacks.append(note)
    yield seen, frozen
    gc.callbacks.remove(note)
    gc.set_threshold(*thresholds)
    freeze()  # as the tests have it


def test_objects_are_set_aside_and_come_back(looked_at):
    collections, frozen = looked_at
    everything = len(gc.get_objects())
    asyncio.run(Bash().execute(PARSED))
    assert frozen
    assert all(objects < everything for objects in collections)
    assert gc.get_freeze_count() == 0


@pytest.mark.thorough
def test_what_the_host_has_frozen_stays(looked_at):
    gc.collect()
    gc.freeze()
    try:
        asyncio.run(Bash().execute(PARSED))
        assert gc.get_freeze_count()
        assert len(looked_at[1]) == 1
    finally:
        gc.unfreeze()


class Collector:
    """A garbage collector that always has a full collection due, unless it is told otherwise, and makes one when it is told to."""

    def __init__(self, monkeypatch):
        self.full, self.events, self.frozen, self.count = 3, [], 0, (0, 0, 9)
        monkeypatch.setattr(gc, "get_count", lambda: self.count)
        monkeypatch.setattr(gc, "get_stats", lambda: [{}, {}, {"collections": self.full}])
        monkeypatch.setattr(gc, "get_freeze_count", lambda: self.events.append("counted") or self.frozen)
        monkeypatch.setattr(gc, "freeze", lambda: self.events.append("set aside"))
        monkeypatch.setattr(gc, "unfreeze", lambda: self.events.append("back"))


def test_all_are_looked_at_after_so_many_times_whatever_runs(monkeypatch):
    fake, aside = Collector(monkeypatch), collector.Aside()
    for _ in range(5):  # one script after the other, and always another that runs
        aside.begin()
        aside.begin()
        for _ in range(collector._MOST // 4):
            aside.keep_short()
        aside.end()
        aside.end()
    assert fake.events.count("set aside") == collector._MOST
    assert fake.events[-1] == "back"
    fake.full += 1
    aside.begin()
    aside.keep_short()
    aside.keep_short()
    assert fake.events[-1] == "set aside"


def test_they_come_back_when_no_script_runs(monkeypatch):
    fake, aside = Collector(monkeypatch), collector.Aside()
    aside.begin()
    aside.keep_short()
    aside.begin()
    aside.end()
    assert fake.events == ["counted", "set aside"]
    aside.end()
    assert fake.events == ["counted", "set aside", "back"]


def test_what_the_host_has_frozen_is_counted_once(monkeypatch):
    fake, aside = Collector(monkeypatch), collector.Aside()
    fake.frozen = 30_000
    for _ in range(10):
        aside.keep_short()
    assert fake.events == ["counted"]
    fake.full += 1
    fake.frozen = 375  # what Python 3.12 has found to live for ever
    aside.keep_short()
    assert fake.events == ["counted", "counted", "set aside"]


@pytest.fixture
def young(monkeypatch):
    """A young generation that may hold 700 objects, and is the one that is asked."""
    thresholds = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr(collector, "YOUNG", collector.YoungGeneration())
    yield collector.YOUNG
    gc.set_threshold(*thresholds)


def test_the_young_generation_grows_with_the_scripts_and_shrinks(young):
    largest = []
    for _ in range(3000):
        young.enter()
        largest.append(gc.get_threshold()[0])
    assert (largest[0], largest[31], largest[99], largest[-1]) == (700, 700, 2048, 16_384)
    assert gc.get_threshold()[1:] == (10, 10)
    for _ in range(2900):
        young.leave()
    assert gc.get_threshold()[0] == 4096
    for _ in range(100):
        young.leave()
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("hosts", [0, 650, 50_000])
def test_what_the_host_sets_meanwhile_stays_unless_it_is_too_little(young, hosts):
    for _ in range(100):
        young.enter()
    gc.set_threshold(hosts, 20, 30)
    for _ in range(100):
        young.enter()
    assert gc.get_threshold() == ({650: 4096}.get(hosts, hosts), 20, 30)
    for _ in range(200):
        young.leave()
    assert gc.get_threshold() == (hosts, 20, 30)


def test_with_many_scripts_the_middle_generation_is_set_aside_before_it_is_looked_at(young, monkeypatch):
    fake, aside = Collector(monkeypatch), collector.Aside()
    fake.count = (0, 9, 0)
    aside.keep_short()
    assert fake.events == []
    for _ in range(100):
        young.enter()
    aside.keep_short()
    assert fake.events == ["counted", "set aside"]


def test_scripts_at_once_have_more_young_objects_while_they_last():
    async def main():
        before, seen = gc.get_threshold(), []
        go_on = asyncio.Event()

        async def wait(call):
            seen.append(gc.get_threshold()[0])
            if len(seen) == 100:
                go_on.set()
            await go_on.wait()
            return ""

        tool = ScriptedTool("platform")
        tool.add_tool("await_all", "Wait for all.", wait)
        gc.set_threshold(700, 10, 10)
        try:
            await asyncio.gather(*(tool.execute("await_all") for _ in range(100)))
            return seen[-1], gc.get_threshold()
        finally:
            gc.set_threshold(*before)

    assert asyncio.run(main()) == (2048, (700, 10, 10))

"""Full collections of the garbage collector stay short while a script runs, and the host's objects come back."""

import asyncio
import gc

import pytest

from bashkit import Bash
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


def test_what_the_host_has_frozen_stays(looked_at):
    gc.collect()
    gc.freeze()
    try:
        asyncio.run(Bash().execute(PARSED))
        assert gc.get_freeze_count()
        assert len(looked_at[1]) == 1
    finally:
        gc.unfreeze()


def test_all_are_looked_at_in_the_end(monkeypatch):
    counts = [(0, 0, 9)] * (collector._MOST + 3) + [(0, 0, 0), (0, 0, 9)]
    monkeypatch.setattr(gc, "get_count", iter(counts).__next__)
    monkeypatch.setattr(gc, "get_freeze_count", int)
    events = []
    monkeypatch.setattr(gc, "freeze", lambda: events.append("set aside"))
    monkeypatch.setattr(gc, "unfreeze", lambda: events.append("back"))
    aside = collector.Aside()
    for _ in counts:
        aside.keep_short()
    assert events == ["set aside"] * collector._MOST + ["back", "set aside"]

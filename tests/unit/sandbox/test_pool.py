"""Who gets a sandbox process when there are fewer than scripts."""

import threading

import pytest

from bashkit.sandbox import pool as module
from bashkit.sandbox.pool import Pool


class Process:
    """A process that nobody starts."""

    def __init__(self, pool, rules):
        self.rules, self.holds, self.begun, self.gone = rules, None, True, False
        self.ended = threading.Event()


@pytest.fixture
def row(monkeypatch):
    """A pool of one process, and what asks it for one: the names of those that were woken stand in ``row.woken``."""
    monkeypatch.setattr(module, "Worker", Process)

    class Row:
        def __init__(self):
            self.pool, self.woken = Pool(), []
            self.pool.most = 1
            self.wakes = {name: (lambda name=name: self.woken.append(name)) for name in "abcd"}

        def ask(self, name, *, again=False):
            return self.pool.borrow("rules", name, self.wakes[name], again=again)

    return Row()


def test_who_comes_first_gets_a_process_first(row):
    process = row.ask("a")
    assert row.ask("b") is None
    assert row.ask("c") is None
    row.pool.give_back(process)
    assert row.woken == ["b"]
    assert row.ask("d") is None  # although one is free
    assert row.ask("b", again=True) is process
    row.pool.give_back(process)
    assert row.woken == ["b", "c"]
    assert row.ask("c", again=True) is process
    row.pool.give_back(process)
    assert row.woken == ["b", "c", "d"]


def test_who_was_woken_in_vain_stays_the_first(row):
    process = row.ask("a")
    assert row.ask("b") is None
    row.pool.give_back(process)
    assert row.ask("c") is process  # nobody was in the row just now
    assert row.ask("d") is None
    assert row.ask("b", again=True) is None
    row.pool.give_back(process)
    assert row.woken == ["b", "b"]


def test_who_waits_no_longer_leaves_the_process_to_the_next(row):
    process = row.ask("a")
    for name in "bcd":
        assert row.ask(name) is None
    row.pool.forgo(row.wakes["c"])
    row.pool.give_back(process)
    assert row.woken == ["b"]
    row.pool.forgo(row.wakes["b"])
    assert row.woken == ["b", "d"]

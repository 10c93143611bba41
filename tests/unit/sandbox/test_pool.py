"""Who gets a sandbox process when there are fewer than scripts."""

import threading

import pytest

from bashkit.errors import BashkitError
from bashkit.sandbox import pool as module
from bashkit.sandbox.pool import Pool


class Process:
    """A process that nobody starts."""

    def __init__(self, pool, rules):
        self.rules, self.holds, self.begun, self.gone = rules, None, True, False
        self.ended = threading.Event()
        self.closed = False

    def close(self):
        self.closed = True

    def kill(self):
        self.ended.set()


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


def test_where_none_can_be_started_the_next_asks_too(row, monkeypatch):
    process = row.ask("a")
    assert row.ask("b") is None
    assert row.ask("c") is None
    row.pool.discard(process)

    def none(pool, rules):
        raise BashkitError("no sandbox process can be started")

    monkeypatch.setattr(module, "Worker", none)
    with pytest.raises(BashkitError):
        row.ask("b", again=True)
    assert row.woken == ["b", "c"]


def test_who_waits_no_longer_leaves_the_process_to_the_next(row):
    process = row.ask("a")
    for name in "bcd":
        assert row.ask(name) is None
    row.pool.forgo(row.wakes["c"])
    row.pool.give_back(process)
    assert row.woken == ["b"]
    row.pool.forgo(row.wakes["b"])
    assert row.woken == ["b", "d"]


def spare(row):
    """Which of so many processes are left when all are idle again, and one more than may be idle."""
    row.pool.most = module._SPARE + 1
    processes = [row.ask("a") for _ in range(module._SPARE + 1)]
    for process in processes:
        row.pool.give_back(process)
    return [not process.closed for process in processes]


LONGEST_IDLE_ENDED = [False] + [True] * module._SPARE


def test_the_process_that_was_idle_longest_ends(row):
    assert spare(row) == LONGEST_IDLE_ENDED


def test_a_process_is_kept_for_who_was_woken_and_no_longer(row):
    process = row.ask("a")
    assert row.ask("b") is None
    row.pool.give_back(process)
    assert row.ask("b", again=True) is process
    row.pool.give_back(process)
    assert spare(row) == LONGEST_IDLE_ENDED


def test_a_process_is_kept_for_who_was_woken_and_waits_no_longer(row):
    process = row.ask("a")
    assert row.ask("b") is None
    row.pool.give_back(process)
    row.pool.forgo(row.wakes["b"])
    assert spare(row) == LONGEST_IDLE_ENDED


def test_a_process_with_other_rules_makes_way(row):
    other = row.ask("a")
    row.pool.give_back(other)
    found = row.pool.borrow("other rules", "b", row.wakes["b"])
    assert (found.rules, other.closed) == ("other rules", True)


def test_a_process_that_is_gone_is_not_lent(row):
    process = row.ask("a")
    row.pool.give_back(process)
    process.ended.set()
    assert row.ask("a") is not process


def test_a_process_that_misbehaves_is_ended_and_its_place_is_free(row):
    process = row.ask("a")
    assert row.ask("b") is None
    row.pool.discard(process)
    assert (process.ended.is_set(), process.closed, row.woken) == (True, True, ["b"])
    assert row.ask("b", again=True) is not process


def test_processes_that_are_not_shared_serve_one_session(row):
    row.pool.shared, row.pool.most = False, 3
    mine, nobodys = row.ask("a"), row.ask("b")
    mine.holds = ("a", 1)
    row.pool.give_back(mine)
    row.pool.give_back(nobodys)
    assert (mine.closed, nobodys.closed) == (False, True)
    assert row.ask("b") not in {mine, nobodys}
    assert row.ask("a") is mine


def test_all_processes_end_with_the_pool(row):
    row.pool.most = 2
    idle, lent = row.ask("a"), row.ask("b")
    row.pool.give_back(idle)
    row.pool.close()
    assert (idle.closed, lent.closed) == (True, True)

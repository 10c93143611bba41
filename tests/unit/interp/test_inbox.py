"""What other threads hand to one thread comes in order, and no wait outlasts its time."""

import threading
import time

import pytest

from bashkit.interp.runtime.inbox import Inbox


@pytest.mark.parametrize("seconds", [0, 1e-9, 1e-6, -1])
def test_a_time_that_is_up_at_once_is_no_endless_wait(seconds):
    def wait():
        for _ in range(20_000):
            Inbox().wait(seconds)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(60)
    assert not waiting.is_alive()


def test_items_of_many_threads_all_come_and_those_of_one_in_order():
    inbox, found = Inbox(), []

    def put(name):
        for number in range(1000):
            inbox.put((name, number))

    threads = [threading.Thread(target=put, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    while len(found) < 4000:
        assert any(inbox.wait(1) for _ in range(60))
        while inbox:
            found.append(inbox.take())
    assert [sorted(number for who, number in found if who == name) for name in range(4)] == [list(range(1000))] * 4
    assert all([number for who, number in found if who == name] == list(range(1000)) for name in range(4))


def test_a_wait_ends_when_something_is_put():
    inbox = Inbox()
    threading.Timer(0.05, inbox.put, ["it"]).start()
    end = time.monotonic() + 60
    while not inbox.wait(end - time.monotonic()):
        assert time.monotonic() < end
    assert inbox.take() == "it"


def test_no_wait_is_long_for_a_signal_that_came_just_before_does_not_end_it():
    class Bell:
        def acquire(self, timeout):
            times.append(timeout)

    times = []
    inbox = Inbox()
    inbox._bell = Bell()
    assert not inbox.wait(600)
    assert times == [1.0]

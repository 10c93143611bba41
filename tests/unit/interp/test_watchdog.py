"""The watchdog: what does not ask the budget is ended, and nothing else ever notices."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.errors import LimitExceededError
from bashkit.interp.runtime import host_calls, watchdog
from bashkit.interp.runtime.hub import Hub
from bashkit.limits import Budget


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """A watchdog that looks all the time and grants nothing."""
    monkeypatch.setattr(watchdog, "GRACE", 0.0)
    monkeypatch.setattr(watchdog, "LOOK", 0.001)


def spin():
    """Never end, and never ask."""
    while True:
        pass


def hub_with(seconds):
    return Hub(Budget(ExecutionLimits(timeout=seconds)))


def test_a_task_that_does_not_ask_is_ended():
    with pytest.raises(LimitExceededError) as caught:
        hub_with(0.02).run_sync(spin)
    assert caught.value.name == "timeout"


async def test_a_task_on_an_event_loop_is_ended():
    with pytest.raises(LimitExceededError):
        await hub_with(0.02).run_async(spin)
    assert await asyncio.sleep(0, "the loop goes on") == "the loop goes on"


def test_a_task_in_another_thread_is_ended():
    caught = []

    def run():
        try:
            hub_with(0.02).run_sync(spin)
        except LimitExceededError as error:
            caught.append(error.name)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert caught == ["timeout"]


def test_a_task_that_swallows_the_first_shot_gets_another():
    def stubborn():
        try:
            spin()
        except watchdog.Overdue:
            spin()

    with pytest.raises(LimitExceededError):
        hub_with(0.02).run_sync(stubborn)


def test_a_cancelled_task_that_does_not_ask_is_ended():
    hub = hub_with(60)
    begun = threading.Event()

    def main():
        begun.set()
        spin()

    threading.Thread(target=lambda: begun.wait() and hub.cancel()).start()
    with pytest.raises(LimitExceededError) as caught:
        hub.run_sync(main)
    assert caught.value.name == "cancelled"


def test_a_task_with_a_time_of_its_own_ends_alone():
    hub = hub_with(60)

    def late():
        hub.current.deadline = time.monotonic()
        spin()

    def main():
        return hub.join(hub.spawn(late))

    assert hub.run_sync(main) == 143


def test_other_tasks_are_ended_too():
    hub = hub_with(0.02)
    released = []

    def waits():
        try:
            hub.sleep(60)
        finally:
            released.append(True)

    def main():
        hub.spawn(waits)
        hub.give_way()
        spin()

    with pytest.raises(LimitExceededError):
        hub.run_sync(main)
    assert released == [True]


def test_a_function_of_the_host_is_spared():
    hub = hub_with(0.3)  # a loaded machine stands still for a while, too
    answers = []

    def host():
        end = time.monotonic() + 0.6
        while time.monotonic() < end:
            answers[:] = ["begun"]
        answers[:] = ["done"]

    def main():
        host_calls.call(hub, host, inline=True)
        spin()

    with pytest.raises(LimitExceededError):
        hub.run_sync(main)
    assert answers == ["done"]


def test_streamed_output_is_taken_in_peace():
    taken = []

    def on_output(out, _):
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            pass
        taken.append(out)

    result = Bash(timeout_seconds=0.05).execute_sync("echo a; while :; do :; done", on_output=on_output)
    assert result.error == "timeout"
    assert "".join(taken) == "a\n"


def test_the_session_and_its_output_are_kept():
    bash = Bash(timeout_seconds=0.05)
    assert bash.execute_sync("x=1; echo a; while :; do :; done").stdout == "a\n"
    assert bash.execute_sync("echo $x").stdout == "1\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_it_watches_in_a_forked_process():
    with pytest.raises(LimitExceededError):
        hub_with(0.01).run_sync(spin)
    child = os.fork()
    if not child:
        try:
            hub_with(0.01).run_sync(spin)
        except LimitExceededError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_it_sleeps_when_nothing_runs(monkeypatch):
    monkeypatch.setattr(watchdog, "LINGER", 1)
    gc.collect()  # executions of other tests that were interrupted
    for _ in range(5):
        with pytest.raises(LimitExceededError):
            hub_with(0.005).run_sync(spin)
        while not watchdog._asleep:
            os.sched_yield()


def test_whatever_the_moment_only_the_script_notices():
    """Tasks that end about when their time does: the shot comes before, in, or after the end of a slice."""
    outcomes = set()
    for turn in range(300):
        hub = hub_with(0.002)
        stop = time.monotonic() + 0.0015 + turn * 0.00001

        def work(stop=stop):
            while time.monotonic() < stop:
                pass

        def main(hub=hub, work=work):
            for _ in range(3):
                hub.join(hub.spawn(work))
            return 5

        try:
            outcomes.add(hub.run_sync(main))
        except LimitExceededError as error:
            outcomes.add(error.name)
        assert hub.slices.task is None
        assert not hub.slices.aimed
        assert not hub.tasks
    assert outcomes <= {5, "timeout"}


@pytest.mark.thorough
def test_shots_at_every_turn_of_the_interpreter(monkeypatch):
    """A watchdog that fires again and again, and threads that change places wherever they can."""
    monkeypatch.setattr(watchdog, "LOOK", 0.0)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for turn in range(1500):
            hub = hub_with(0.001 + turn % 50 * 0.00002)

            def main(hub=hub):
                hub.spawn(spin)
                hub.give_way()
                return 5

            with pytest.raises(LimitExceededError):
                hub.run_sync(main)
            assert weakref.ref(hub.slices) not in watchdog._watched
    finally:
        sys.setswitchinterval(before)


async def test_whatever_the_moment_the_host_of_many_scripts_notices_nothing():
    async def one(turn):
        hub = hub_with(0.002 + turn * 0.0002)

        def main():
            stop = time.monotonic() + 0.003
            while time.monotonic() < stop:
                pass
            hub.give_way()
            return 5

        try:
            return await hub.run_async(main)
        except LimitExceededError as error:
            return error.name

    for _ in range(10):
        assert set(await asyncio.gather(*(one(turn) for turn in range(30)))) <= {5, "timeout"}


def test_a_script_inside_a_function_of_the_host_has_its_own_time():
    outer = hub_with(0.03)
    inner = []

    def host():
        try:
            hub_with(0.08).run_sync(spin)
        except LimitExceededError as error:
            inner.append(error.name)

    with pytest.raises(LimitExceededError):
        outer.run_sync(lambda: (host_calls.call(outer, host, inline=True), spin()))
    assert inner == ["timeout"]


UNDER_A_PROFILER = """
import sys
from bashkit import Bash

assert Bash(timeout_seconds=0.01).execute_sync("while :; do :; done").error == "timeout"
assert Bash(timeout_seconds=0.01).execute_sync("awk 'BEGIN { for (;;) x++ }'").error == "timeout"
sys.setprofile(lambda frame, event, arg: None)
print((lambda: "profiled")())
"""


def test_a_host_goes_on_under_a_profiler():
    """An interpreter that looks for an exception that was withdrawn never enters a function there (CPython 3.11 and 3.12)."""
    shots = "from bashkit.interp.runtime import watchdog; watchdog.GRACE = 0; watchdog.LOOK = 0.001\n"
    program = subprocess.run(
        [sys.executable, "-c", shots + UNDER_A_PROFILER], capture_output=True, text=True, timeout=60, check=True
    )
    assert program.stdout == "profiled\n"


UNREPORTED = """
from bashkit import Bash
from bashkit.interp.runtime.watchdog import Overdue
import sys

assert Bash(timeout_seconds=0.01).execute_sync("while :; do :; done").error == "timeout"


class Thing:
    def __init__(self, error):
        self.error = error

    def __del__(self):
        raise self.error


Thing(Overdue())
Thing(ValueError("reported"))
"""


def test_a_shot_that_python_can_only_report_is_not_reported():
    program = subprocess.run([sys.executable, "-c", UNREPORTED], capture_output=True, text=True, check=True)
    assert "Overdue" not in program.stderr
    assert "reported" in program.stderr

"""Threads for what takes long."""

import os
import queue
import subprocess
import sys
import threading
import weakref

import pytest

from bashkit.interp.runtime import workers

EXITS = """
import time
from bashkit.interp.runtime.workers import run_to_the_end

run_to_the_end(lambda: (time.sleep(0.3), print("to the end", flush=True)))
"""


def test_the_process_waits_for_a_search_that_cannot_be_interrupted():
    ended = subprocess.run([sys.executable, "-c", EXITS], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "to the end\n", "")


@pytest.fixture(params=["a pipe", "no descriptor free", "greenlets"])
def fresh(request, monkeypatch):
    """Threads of this test alone."""
    opened = []

    def pipe(make=os.pipe):
        if request.param == "no descriptor free":
            raise OSError(24, "Too many open files")
        opened.append(make())
        return opened[-1]

    monkeypatch.setattr(workers, "_workers", None)
    monkeypatch.setattr(os, "pipe", pipe)
    if request.param == "greenlets":
        monkeypatch.setattr(workers.threading, "Lock", threading._PyRLock)  # written in Python, as gevent's is
    yield
    assert len(opened) == (request.param == "a pipe")


def in_thread(function):
    """What a function gives in one of the threads."""
    answers = queue.Queue()
    workers.run_in_thread(lambda: answers.put(function()))
    return answers.get(timeout=60)


def wait_until_idle(number):
    """Wait until so many threads are idle at least."""
    deadline = threading.Event()
    for _ in range(6000):
        if len(workers._workers._idle) >= number:
            return
        deadline.wait(0.01)
    pytest.fail("a thread is not given back")


def test_a_thread_runs_one_job_after_the_other(fresh):
    threads = set()
    for _ in range(20):
        threads.add(in_thread(threading.get_ident))
        wait_until_idle(1)
    assert len(threads) == 1


def test_jobs_at_once_run_at_once(fresh):
    for _ in range(3):  # in new threads, then in those that are idle, and in more
        for number in 3, 40:
            everybody = threading.Barrier(number + 1)
            for _ in range(number):
                workers.run_in_thread(lambda everybody=everybody: everybody.wait(60))
            everybody.wait(60)
    wait_until_idle(40)


def test_threads_beyond_the_most_that_wait_end(fresh, monkeypatch):
    monkeypatch.setattr(workers, "_MAX_IDLE", 2)
    found = []
    everybody = threading.Barrier(6)

    def work():
        found.append(threading.current_thread())
        everybody.wait(60)

    for _ in range(5):
        workers.run_in_thread(work)
    everybody.wait(60)
    wait_until_idle(2)
    for thread in found:
        thread.join(0.2 if sum(other.is_alive() for other in found) <= 2 else 60)
    assert sum(thread.is_alive() for thread in found) == 2


def test_an_idle_thread_holds_nothing_of_its_last_job(fresh):
    class Job:
        def __call__(self):
            pass

    job = Job()
    gone = threading.Event()
    weakref.finalize(job, gone.set)
    workers.run_in_thread(job)
    del job
    assert gone.wait(60)


FORKS = """
import os, queue
from bashkit.interp.runtime.workers import run_in_thread

def ask():
    answers = queue.Queue()
    run_in_thread(lambda: answers.put("answered"))
    return answers.get(timeout=30)

def open_files():
    return len(os.listdir("/dev/fd"))

ask()
before = open_files()
for generation in range(3):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        break
    assert ask() == "answered"
    print("the same" if open_files() == before else "leaked", flush=True)
else:
    os._exit(0)
print(ask(), flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_has_its_own():
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKS], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("the same\n" * 3 + "answered\n" * 3, "")

"""Sandbox processes that misbehave, or cannot be started, as their host sees them."""

import os
import queue
import signal
import socket
import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from bashkit.errors import BashkitError
from bashkit.sandbox import pool as module
from bashkit.sandbox.channel import Channel
from bashkit.sandbox.pool import Worker, Zygote
from bashkit.sandbox.rules import Rules
from bashkit.sandbox.zygote import OUT_OF_MEMORY

RULES = Rules(memory=1000, cpu=10)


class Forker:
    """A zygote that forks nothing: the other end of the channel is the test's."""

    def __init__(self):
        self.killed = []

    def fork(self, worker, descriptor):
        self.other = socket.socket(fileno=os.dup(descriptor))

    def kill(self, worker):
        self.killed.append(worker)


@pytest.fixture
def worker():
    """A worker, what it is told of, and the process's end of its channel."""
    zygote, heard = Forker(), queue.Queue()
    worker = Worker(SimpleNamespace(zygote=zygote), RULES)
    worker.listener = heard.put
    yield worker, heard, zygote
    worker.close()
    zygote.other.close()


@pytest.mark.parametrize("sent", [b"\xff" * 8, b"\x02\0\0\0\0\0\0\0[]", b"\x05\0\0\0\0\0\0\0[[1]]"])
def test_a_process_that_sends_what_is_no_frame_is_killed(worker, sent):
    worker, heard, zygote = worker
    zygote.other.sendall(sent)
    assert heard.get(timeout=60) is None
    assert zygote.killed == [worker]
    assert (worker.killed, worker.gone, worker.epitaph()) == (True, True, "crash")


def test_a_process_that_sends_frames_is_listened_to_until_it_is_gone(worker):
    worker, heard, zygote = worker
    Channel(zygote.other).send("hello", 1)
    assert heard.get(timeout=60).kind == "hello"
    assert not worker.gone
    zygote.other.shutdown(socket.SHUT_RDWR)
    assert heard.get(timeout=60) is None
    assert (worker.gone, zygote.killed) == (True, [])


def test_what_the_attendant_takes_the_listener_does_not_get(worker):
    worker, heard, zygote = worker
    worker.attendant = SimpleNamespace(take=lambda frame: frame.kind == "mine", close=lambda: None)
    end = Channel(zygote.other)
    end.send("mine")
    end.send("yours")
    assert heard.get(timeout=60).kind == "yours"


@pytest.mark.parametrize(
    ("status", "epitaph"),
    [
        (None, "crash"),
        (0, "crash"),
        (signal.SIGKILL, "max_memory_bytes"),
        (signal.SIGSEGV, "crash"),
        (OUT_OF_MEMORY << 8, "max_memory_bytes"),
        (OUT_OF_MEMORY + 1 << 8, "crash"),
    ],
)
def test_what_ended_a_process(worker, status, epitaph):
    worker, _, _ = worker
    worker.status = status
    assert worker.epitaph() == epitaph


def no_thread(_self):
    raise RuntimeError("can't start new thread")


def no_process(*_given, **_options):
    raise OSError(7, "Argument list too long")


def no_descriptor():
    raise OSError(24, "Too many open files")


def test_a_host_without_threads_ends_the_process(monkeypatch):
    zygote, before = Forker(), descriptors()
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with pytest.raises(BashkitError, match="no sandbox process can be started: can't start new thread"):
        Worker(SimpleNamespace(zygote=zygote), RULES)
    assert len(zygote.killed) == 1
    zygote.other.close()
    assert descriptors() <= before


@pytest.mark.parametrize("name", ["bashkit.sandbox.journal.make", "socket.socketpair"])
def test_a_host_without_descriptors_says_so_and_keeps_none(monkeypatch, name):
    zygote, before = Forker(), descriptors()
    monkeypatch.setattr(name, no_descriptor)
    with pytest.raises(BashkitError, match="no sandbox process can be started: Too many open files"):
        Worker(SimpleNamespace(zygote=zygote), RULES)
    assert descriptors() <= before


@pytest.mark.parametrize(
    ("place", "name", "failing", "said"),
    [
        (threading.Thread, "start", no_thread, "can't start new thread"),
        (subprocess, "Popen", no_process, "Argument list too long"),
        (socket, "socketpair", no_descriptor, "Too many open files"),
    ],
)
def test_a_host_that_cannot_start_a_zygote_keeps_nothing_of_it(monkeypatch, place, name, failing, said):
    before = descriptors()
    monkeypatch.setattr(place, name, failing)
    with pytest.raises(BashkitError, match=f"no sandbox process can be started: {said}"):
        Zygote()
    assert descriptors() <= before


def test_who_waits_for_a_process_is_told_when_the_zygote_has_ended():
    zygote = Zygote()
    worker = SimpleNamespace(number=-1, ended=threading.Event())
    zygote._workers[-1] = worker
    zygote.close()
    assert worker.ended.wait(60)
    assert not zygote.alive


def test_a_zygote_that_does_not_end_is_killed(monkeypatch):
    monkeypatch.setattr(module, "_ENDING", 0.01)
    zygote = Zygote()
    os.kill(zygote._process.pid, signal.SIGSTOP)
    zygote.close()
    assert zygote._process.returncode == -signal.SIGKILL


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))

"""Worker processes: lent in turn, shared between executions, ended when they rest, overrun or lose their host."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bashkit import Bash
from bashkit.commands._workers import pool as pool_module
from bashkit.commands._workers.pool import Pool
from bashkit.commands._workers.worker import Program, UnavailableError
from bashkit.commands.data.jq.session import PROGRAM as JQ
from bashkit.commands.data.sqlite3.database import PROGRAM as SQLITE
from bashkit.sandbox import confine
from bashkit.sandbox.confine import Refusals, refusals


@pytest.fixture
def pool():
    made = Pool()
    yield made
    made.close()


def lend(pool, program, owner):
    ticket = pool.ask(program, owner)
    assert ticket.served.wait(60)
    return ticket.worker


def runs(process):
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(process, patience=30.0):
    end = time.monotonic() + patience
    while runs(process):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_a_worker_is_lent_again_to_those_who_want_its_kind(pool):
    first = lend(pool, JQ, 1)
    pool.give_back(first)
    assert lend(pool, SQLITE, 1) is not first
    assert lend(pool, JQ, 2) is first


def test_those_who_ask_are_served_in_their_order(pool, monkeypatch):
    monkeypatch.setattr(pool_module, "_ALIVE", 1)
    first = lend(pool, JQ, 1)
    waiting = [pool.ask(JQ, owner) for owner in (2, 3)]
    assert not any(ticket.served.is_set() for ticket in waiting)
    pool.give_back(first)
    assert [ticket.worker for ticket in waiting] == [first, None]
    pool.withdraw(waiting[0])
    assert waiting[1].worker is first


def test_one_execution_cannot_take_all(pool, monkeypatch):
    monkeypatch.setattr(pool_module, "_SHARE", 1)
    first = lend(pool, JQ, "greedy")
    second = pool.ask(JQ, "greedy")
    lend(pool, JQ, "other")
    assert not second.served.is_set()
    pool.discard(first)
    assert second.served.wait(60)


def test_an_idle_worker_makes_room_for_another_kind(pool, monkeypatch):
    monkeypatch.setattr(pool_module, "_ALIVE", 1)
    first = lend(pool, JQ, 1)
    pool.give_back(first)
    assert lend(pool, SQLITE, 1).program is SQLITE
    assert gone(first._process.pid)


def test_workers_that_rest_are_ended(pool, monkeypatch):
    monkeypatch.setattr(pool_module, "_REST", 0.05)
    worker = lend(pool, JQ, 1)
    pool.give_back(worker)
    pool.discard(lend(pool, SQLITE, 1))  # the keeper looks up
    assert gone(worker._process.pid)
    pool._keeper and pool._keeper.join(60)
    assert pool._keeper is None


def test_a_server_that_does_not_load_is_told_to_all_who_wait(pool, tmp_path):
    (tmp_path / "server.py").write_text("raise RuntimeError('broken')")
    program = Program("odd", tmp_path)
    tickets = [pool.ask(program, owner) for owner in range(3)]
    assert all(ticket.served.wait(60) for ticket in tickets)
    assert all(isinstance(ticket.failure, UnavailableError) and "broken" in str(ticket.failure) for ticket in tickets)


HOST = """
import os, sys
from bashkit import Bash
from bashkit.commands._workers.pool import pool
bash = Bash()
print(bash.execute_sync("jq -n 'def f: .; 1 | f'; sqlite3 :memory: 'select 2'").stdout.split())
print([worker._process.pid for _, worker in pool._idle], flush=True)
bash.execute_sync(sys.argv[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells whether a process is there")
@pytest.mark.parametrize("end", ["nothing", "killed"])
def test_no_worker_outlives_its_host(end):
    busy = "sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c' & jq -n 'def f: f; f' & wait"
    with subprocess.Popen(
        [sys.executable, "-c", HOST, busy if end == "killed" else ""], stdout=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout.readline() == "['1', '2']\n"
        workers = [int(number) for number in host.stdout.readline().strip("[]\n").split(",")]
        assert len(workers) == 2
        if end == "killed":
            host.send_signal(signal.SIGKILL)
        host.wait()
    assert all(gone(worker) for worker in workers)


def test_a_killed_command_leaves_no_worker_behind():
    from bashkit.commands._workers.pool import pool

    Bash(timeout_seconds=0.3).execute_sync(
        "jq -n 'def f: f; f' & sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c'"
    )
    assert not pool._lent


TRIES = """
import ctypes, os, resource, socket, subprocess

class Server:
    opens_files = True

    def answer(self, request, descriptor, answer):
        try:
            said = str(eval(request["try"], globals()))
        except BaseException as error:
            said = type(error).__name__
        answer.send(b"x", said.encode())
"""


@pytest.fixture
def tries(pool, tmp_path):
    """Evaluates an expression inside of a worker."""
    (tmp_path / "server.py").write_text(TRIES)
    worker = lend(pool, Program("odd", tmp_path), 1)

    def evaluate(text):
        worker.send({"try": text, "memory": 1 << 20, "seconds": 60.0})
        while not (found := worker.frames()):
            assert worker.receive()
        return found[0][1].decode()

    return evaluate


@pytest.mark.skipif(not refusals().calls or refusals().files < 0, reason="this host has no Landlock or no seccomp")
@pytest.mark.parametrize(
    ("attempt", "answer"),
    [
        ("open('/etc/passwd')", "PermissionError"),
        ("open('/proc/self/environ')", "PermissionError"),
        ("os.listdir('/')", "PermissionError"),
        ("open('/tmp/bashkit-probe', 'w')", "PermissionError"),
        ("socket.socket()", "PermissionError"),
        ("socket.socket(socket.AF_UNIX)", "PermissionError"),
        ("os.fork()", "PermissionError"),
        ("os.execv('/bin/sh', ['sh'])", "PermissionError"),
        ("subprocess.run(['/bin/true'])", "PermissionError"),
        ("ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)", "-1"),
        ("os.kill(os.getppid(), 0)", "PermissionError"),
        ("[ctypes.CFUNCTYPE(None)(print) for _ in range(1000)]", "MemoryError"),
        ("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))", "ValueError"),
        ("os.read(os.open(f'/dev/fd/{os.memfd_create(str())}', os.O_RDONLY), 1)", "b''"),
        ("len(bytes(1 << 19))", str(1 << 19)),
        ("len(bytes(1 << 26))", "MemoryError"),
    ],
)
def test_the_kernel_refuses_a_worker_files_and_processes(tries, attempt, answer):
    assert tries(attempt) == answer


def test_a_worker_starts_where_the_kernel_has_no_refusals(pool, monkeypatch):
    monkeypatch.setattr(confine, "refusals", Refusals)
    worker = lend(pool, SQLITE, 1)
    assert worker.alive()


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_worker_that_cannot_start_tells_nothing_of_the_host(monkeypatch, isolation):
    def full(*_given, **_options):
        raise OSError(24, "Too many open files", "/secret/folder")

    monkeypatch.setattr("bashkit.commands._workers.exchange.pool", Pool())  # in which no worker waits
    monkeypatch.setattr("tempfile.mkdtemp", full)
    result = Bash(isolation=isolation).execute_sync("echo 'select 1;' | sqlite3 :memory:")
    assert result.stderr == "Error: the sqlite3 worker did not start: Too many open files\n"

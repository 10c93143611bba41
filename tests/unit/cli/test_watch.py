import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

TOOLSET = """\
version: 1
name: api
tools:
  - name: get
    description: Get it
    effects: read
    callback: {python: watched_callbacks.get}
tests:
  - {name: one, callbacks: real, script: get, expect: {stdout: first}}
"""
CALLBACK = "def get(args):\n    return 'first'\n"
SECONDS = 60  # generous: it is a limit, not a pause


class Watching:
    """A bashkit that watches, with its lines as they come."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bashkit", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line.rstrip("\n")) for line in self.process.stdout], daemon=True).start()

    def until(self, wanted):
        seen = []
        while not seen or wanted not in seen[-1]:
            seen.append(self.lines.get(timeout=SECONDS))
        return seen

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(SECONDS)


@pytest.fixture
def watching(tmp_path):
    started = []
    (tmp_path / "api.yaml").write_text(TOOLSET)
    (tmp_path / "watched_callbacks.py").write_text(CALLBACK)

    def start(*arguments):
        started.append(Watching(tmp_path, *arguments))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            os.killpg(one.process.pid, signal.SIGKILL)
        one.process.wait()
        one.process.stdout.close()


def test_check_runs_again_when_the_file_changes(watching, tmp_path):
    it = watching("check", "--watch", "api.yaml")
    assert it.until("watching") == ["no problems", "watching 2 files; Ctrl+C ends"]
    (tmp_path / "api.yaml").write_text(TOOLSET.replace("tools:", "tolls:"))
    assert "api.yaml:3:1: unknown key 'tolls'" in it.until("watching")
    (tmp_path / "api.yaml").write_text(TOOLSET)
    assert "no problems" in it.until("watching")
    assert it.interrupt() == 130
    assert it.until("interrupt")[-1] == "bashkit: interrupt"


@pytest.mark.thorough
def test_test_runs_again_when_a_module_of_its_callbacks_changes(watching, tmp_path):
    it = watching("test", "--watch", "api.yaml", "--name", "o*")
    assert "1 passed, 0 failed" in it.until("watching")
    (tmp_path / "watched_callbacks.py").write_text(CALLBACK.replace("first", "second"))
    assert "0 passed, 1 failed" in it.until("watching")
    assert it.interrupt() == 130


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc for the processor time of another process")
def test_watching_is_no_busy_loop(watching):
    it = watching("check", "--watch", "api.yaml")
    it.until("watching")

    def spent():
        words = Path(f"/proc/{it.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")

    before = spent()
    threading.Event().wait(2)  # what is measured takes time
    assert spent() - before < 0.5

"""A first stage that only speaks is over before the others begin, and has no task of its own."""

from types import SimpleNamespace

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.interp.runtime.hub import Hub
from bashkit.interp.runtime.pipes import CAPACITY, make_pipe
from bashkit.limits import Budget


@pytest.fixture
def spawned(monkeypatch):
    """The tasks that were started, beside that of the script."""
    tasks = []
    spawn = Hub.spawn

    def note(hub, function, *release):
        task = spawn(hub, function, *release)
        if hub.current is not None:
            tasks.append(task)
        return task

    monkeypatch.setattr(Hub, "spawn", note)
    return tasks


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("echo a b | cat", "a b\n"),
        ("x=1; printf '%s\\n' \"$x\" $((x + 1)) | cat", "1\n2\n"),
        ("echo ${x:=5} | cat; echo ${x-unset}", "5\nunset\n"),
        ("set -o pipefail; echo a | false; echo $? ${PIPESTATUS[@]}", "1 0 1\n"),
        ("echo ${x?} 2>&1 | cat; echo ${PIPESTATUS[@]}", "127 0\n"),
    ],
)
def test_a_speaker_needs_no_task(spawned, script, output):
    assert Bash().execute_sync(script).stdout == output
    assert len(spawned) == script.count("2>&1")  # redirections may wait


@pytest.mark.parametrize(
    "script",
    ["echo $(echo a) | cat", "echo `echo a` | cat", "x='$(echo a)'; echo ${x@P} | cat", "echo() { printf a; }; echo | cat"],
)
def test_what_may_run_others_has_one(spawned, script):
    assert Bash().execute_sync(script).stdout.strip() == "a"
    assert spawned


def test_many_words_wait_for_nobody():
    """They are written in several pieces, and all of them are more than a pipe holds."""
    script = "a=({1..40000}); echo ${a[@]} | wc -w; echo ${a[@]} | head -c 5; echo; echo ${a[@]} | read x; echo ${PIPESTATUS[@]}"
    assert Bash(timeout_seconds=20).execute_sync(script).stdout == "40000\n1 2 3\n0 0\n"


def test_what_a_pipe_does_not_hold_is_charged():
    hub = SimpleNamespace(budget=Budget(ExecutionLimits()), wake=lambda task: None)
    reader, writer = make_pipe(hub)
    writer.wait_for_nobody()
    before = hub.budget.memory
    for _ in range(3):
        writer.write(b"x" * CAPACITY)
    assert before - hub.budget.memory == 2 * CAPACITY
    writer.close()
    assert sum(map(len, reader.blocks())) == 3 * CAPACITY
    assert hub.budget.memory == before

"""A callback that prints, reads or starts programs reaches neither the picture nor the keys: its output has a tab of its own."""

import contextlib
import os
import sys

import pytest
from textual.widgets import TabbedContent

from bashkit_tui.runs.callback_output import CallbackOutput
from bashkit_tui.standard_streams import python_streams, shielded

pytestmark = pytest.mark.thorough

CALLBACKS = """\
import os, subprocess, sys, threading

def say(args):
    print("hello from", args["word"])
    print("a warning", file=sys.stderr)

def child(args):
    print("first")
    os.system("echo from a shell")
    subprocess.run(["sh", "-c", "echo from a program >&2"])
    print("last")

def ask(args):
    return input("really? ")

def interrupt(args):
    raise KeyboardInterrupt

async def interrupt_the_loop(args):
    raise KeyboardInterrupt

def much(args):
    os.write(1, b"x" * 10_000_000)
"""
NAMES = ["child", "ask", "interrupt", "interrupt_the_loop", "much"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Toolsets whose callbacks use the standard streams: one module, which can be imported once."""
    folder = tmp_path_factory.mktemp("talkative")
    (folder / "talkative_api.py").write_text(CALLBACKS)
    tools = "".join(f"  - {{name: {name}, callback: {{python: talkative_api.{name}}}}}\n" for name in NAMES)
    text = (
        "version: 1\nname: talkative\ntools:\n  - name: say\n    callback: {python: talkative_api.say}\n"
        f"    input_schema: {{properties: {{word: {{type: string}}}}}}\n{tools}"
    )
    (folder / "talkative.yaml").write_text(text)
    (folder / "isolated.yaml").write_text(f"isolation: process\n{text}")
    return folder


@pytest.fixture
def talkative(folder):
    return folder / "talkative.yaml"


@contextlib.contextmanager
def redirected(output):
    """The streams as an inspector in a terminal has them; that of a test has no terminal."""
    with shielded(output), python_streams(output):
        yield


def printed(inspector):
    return inspector.one("#printed-log").text.splitlines()


@pytest.mark.parametrize("file", ["talkative.yaml", "isolated.yaml"])
async def test_what_a_callback_prints_stands_under_its_call(inspect, folder, file):
    async with inspect(folder / file) as inspector:
        with redirected(inspector.app.callback_output):
            await inspector.run("say --word one\nsay --word two | cat")
        assert printed(inspector) == [
            "── say · line 1",
            "hello from one",
            "a warning",
            "── say · line 2",
            "hello from two",
            "a warning",
        ]
        label = inspector.one("#traces", TabbedContent).get_tab("printed").label
        assert str(label) == "Callback output 4"
        assert inspector.output == []
        await inspector.run("true")
        assert printed(inspector) == []


async def test_programs_that_a_callback_starts_print_there_too_in_order(inspect, talkative):
    async with inspect(talkative) as inspector:
        with redirected(inspector.app.callback_output):
            await inspector.run("child")
        assert printed(inspector) == ["── child · line 1", "first", "from a shell", "from a program", "last"]


async def test_what_no_single_call_can_have_written_says_so(inspect, talkative):
    async with inspect(talkative) as inspector:
        with redirected(inspector.app.callback_output):
            await inspector.run("say --word one")
            os.write(1, b"from nowhere\n")
            await inspector.until(lambda: "from nowhere" in printed(inspector))
        assert printed(inspector)[-2:] == ["── no single call", "from nowhere"]


async def test_a_flood_of_bytes_neither_stops_the_inspector_nor_fills_the_memory(inspect, talkative):
    async with inspect(talkative) as inspector:
        with redirected(inspector.app.callback_output):
            await inspector.run("much")
        assert inspector.script.outcome.exit_code == 0
        assert len(inspector.one("#printed-log").text) < 1_000_000


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ("ask", "ask: EOFError"),
        ("interrupt", "interrupt: the callback raised KeyboardInterrupt"),
    ],
)
async def test_what_would_wait_for_the_user_fails_instead(inspect, talkative, monkeypatch, tool, message):
    async with inspect(talkative) as inspector:
        with redirected(inspector.app.callback_output):
            monkeypatch.setattr("sys.stdin", os.fdopen(0, closefd=False))
            await inspector.run(f"{tool}; echo after")
            monkeypatch.undo()
        assert inspector.output == [message, "after"]


async def test_an_interrupt_on_the_event_loop_ends_the_run_alone(inspect, talkative):
    async with inspect(talkative) as inspector:
        await inspector.run("interrupt_the_loop; echo after")
        assert "internal" in inspector.status
        await inspector.run("echo again")
        assert inspector.output == ["again"]


def test_the_descriptors_and_streams_of_the_process_are_as_before():
    def state():
        return (
            [os.fstat(number)[:3] for number in range(3)],
            sys.__stdin__,
            sys.__stdout__,
            sys.__stderr__,
            sys.stdout,
            sys.stderr,
        )

    before, output = state(), CallbackOutput()
    with shielded(output):
        assert state() != before
        assert os.read(0, 1) == b""
        os.write(2, b"seen")
        output.drain()
    assert state() == before
    assert [(piece.stream, piece.text) for piece in output.take()[0]] == [("stderr", "seen")]

"""A whole session in a real terminal: open, filter, fill a form, run, cancel, inspect a call, review a prompt, accept."""

import os
import shlex
import shutil
import subprocess
import sys
import time

import pytest

from bashkit.prompts import Collection
from bashkit.toolset import load

from .conftest import FOLDER

PATIENCE = 60  # seconds until something that does not come is an error

pytestmark = pytest.mark.needs("tmux", "sh")


class Terminal:
    """A program in a tmux server of its own."""

    def __init__(self, folder, command, env):
        self._socket = str(folder / "tmux")
        words = shlex.join(["env", "-u", "COLUMNS", "-u", "LINES", *(f"{name}={value}" for name, value in env.items()), *command])
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", "140", "-y", "40", "-c", str(folder), words)

    def _tmux(self, *arguments):
        command = ["env", "SHELL=/bin/sh", "tmux", "-S", self._socket, *arguments]  # the user's own may be none
        result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def press(self, *keys):
        """Press keys, each after the one before has changed something, if only a colour: nobody types faster."""
        for key in keys:
            before = self._tmux("capture-pane", "-p", "-e")
            self._tmux("send-keys", key)
            end = time.monotonic() + PATIENCE
            while self._tmux("capture-pane", "-p", "-e") == before:
                assert time.monotonic() < end, f"{key} did nothing:\n{before}"

    def type(self, text):
        self._tmux("send-keys", "-l", text)

    @property
    def screen(self):
        return self._tmux("capture-pane", "-p")

    def until(self, *texts, gone=()):
        """Look until all of ``texts`` are on the screen, and nothing of ``gone``."""
        end = time.monotonic() + PATIENCE
        while not (all(text in (shown := self.screen) for text in texts) and not any(text in shown for text in gone)):
            assert time.monotonic() < end, f"{texts} never came:\n{shown}"

    def leave(self, key):
        """Press a key that ends the program."""
        self._tmux("send-keys", key)
        end = time.monotonic() + PATIENCE
        while subprocess.run(["tmux", "-S", self._socket, "has-session"], capture_output=True, check=False).returncode == 0:
            assert time.monotonic() < end, "it never ended"

    def end(self):
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def terminal(tmp_path):
    for name in ("greenhouse.yaml", "greenhouse_api.py"):
        shutil.copy(FOLDER / name, tmp_path)
    collection = Collection.of(load(tmp_path / "greenhouse.yaml"))
    collection.store.update(collection.texts())
    file = tmp_path / "greenhouse.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Fetch a plant by ID", "Fetch one plant by its ID"))
    opened = _opened(tmp_path, "greenhouse.yaml", 'echo "$@" >called\necho "  - {name: added, stub: 1}" >>greenhouse.yaml\n')
    yield opened
    opened.end()


def _opened(folder, toolset, editor):
    """An inspector in a terminal, with a shell script for an editor."""
    program = folder / "vi"
    program.write_text(f"#!/bin/sh\n{editor}")
    program.chmod(0o755)
    command = [sys.executable, "-c", "from bashkit.cli import main; main()", "tui", toolset]
    home = {
        "VISUAL": program,
        "XDG_CONFIG_HOME": folder / "config",
        "XDG_STATE_HOME": folder / "state",
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }
    return Terminal(folder, command, home)


def test_y05_a_session(terminal, tmp_path):
    terminal.until("greenhouse 4 ~", "r get_plant ~", "Callback")  # everything has been read

    terminal.press("/")
    terminal.type("gp")  # get_plant, by the beginnings of its words
    terminal.until("greenhouse 1 ~", "gp")
    terminal.press("Enter", "f")

    terminal.until("Piped in")
    terminal.type("2")
    terminal.until("get_plant --id 2", "the tool would take this")
    terminal.press("C-r")
    terminal.until("exit 0", '"name": "Aloe"', "1 tool call")

    terminal.type("while :; do sleep 0.1; get_plant --id 1 >/dev/null; done")
    terminal.until("get_plant --id 1 >/dev/null; done")
    terminal.press("C-r")
    terminal.until("running")
    terminal.press("Escape")
    terminal.until("cancelled")

    terminal.press("C-g")
    terminal.until("Details")  # in the footer: the calls have the focus, and the editor gets no key more
    terminal.press("Enter")
    terminal.until("Arguments")
    terminal.press("Escape")
    terminal.until("cancelled", gone=["Arguments"])

    terminal.press("F12")
    terminal.until("Review  1 of 4", "a plant by ID", "one plant by its ID")
    terminal.press("a", "A")
    terminal.until("4 accepted", "all decided")
    terminal.press("Escape")
    terminal.until("r get_plant", gone=["r get_plant ~"])
    kept = tmp_path / "__snapshots__" / "greenhouse" / "system-prompt.md"
    assert "Fetch one plant by its ID" in kept.read_text(encoding="utf-8")

    terminal.press("e")
    terminal.until("greenhouse", "5 tools")
    assert (tmp_path / "called").read_text(encoding="utf-8") == "+9 greenhouse.yaml\n"

    terminal.leave("C-q")


@pytest.fixture
def greedy(tmp_path):
    """An inspector of tools that want the terminal."""
    (tmp_path / "greedy_api.py").write_text("""\
import os, subprocess, sys

def shout(args):
    print("PRINTED")
    os.system("echo SYSTEM; cat")
    subprocess.run(["sh", "-c", "printf '\\033[2JPROGRAM\\n' >&2"])
    return "shouted\\n"

def ask(args):
    return input("name? ")

def stop(args):
    breakpoint()
    return "stopped\\n"
""")
    tools = "".join(f"  - {{name: {name}, callback: {{python: greedy_api.{name}}}}}\n" for name in ("shout", "ask", "stop"))
    (tmp_path / "greedy.yaml").write_text(f"version: 1\nname: greedy\ntools:\n{tools}")
    opened = _opened(tmp_path, "greedy.yaml", 'echo in the editor; read -r line; echo "$line" >typed; tty >terminal\n')
    yield opened
    opened.end()


@pytest.mark.thorough
def test_callbacks_reach_neither_the_picture_nor_the_keys(greedy, tmp_path):
    greedy.until("greedy 3", "shout")
    greedy.press("2")
    greedy.type("shout; ask; stop")
    greedy.until("shout; ask; stop")
    greedy.press("C-r")
    greedy.until("3 tool calls", "shouted", "ask: EOFError", "stop: BdbQuit", "Callback output", gone=["PRINTED", "SYSTEM"])
    before = greedy.screen
    assert before.startswith(" bashkit")
    greedy.press("C-g", "BTab", "Right", "Right")
    greedy.until("shout · line 1", "PRINTED", "SYSTEM", "PROGRAM", "name?", "stop · line 1")

    greedy.press("e")  # the editor has the terminal, as ever
    greedy.until("in the editor", gone=["bashkit"])
    greedy.type("words")
    greedy._tmux("send-keys", "Enter")
    greedy.until("PRINTED", "Callback output")
    assert (tmp_path / "typed").read_text() == "words\n"
    assert (tmp_path / "terminal").read_text().startswith("/dev/")

    greedy.leave("C-q")

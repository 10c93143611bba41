"""Keys that are pressed as soon as something is painted."""

import asyncio
import subprocess
import sys
import threading
from itertools import groupby

import pytest
from textual.widgets import Input

from bashkit.importing import imported
from bashkit_tui.app import InspectorApp
from bashkit_tui.main_screen.screen import InspectorScreen
from bashkit_tui.main_screen.tool_tree import ToolTree
from bashkit_tui.opening_screen import OpeningScreen
from bashkit_tui.panes.script.script_editor import ScriptEditor
from bashkit_tui.toolsets import library

from .conftest import FOLDER, GREENHOUSE, Inspector, nothing_to_do

pytestmark = pytest.mark.thorough


@pytest.fixture
def painted(monkeypatch, tmp_path):
    """An inspector that was painted once and has read nothing yet."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return InspectorApp([GREENHOUSE], poll_seconds=3600.0)


async def test_a_key_waits_for_its_pane_and_those_after_it_go_there(painted):
    async with painted.run_test(size=(120, 40), notifications=True) as pilot:
        inspector = Inspector(painted, pilot)
        inspector.send("2", "e", "c", "h", "o")
        await inspector.until(lambda: inspector.screen.query(ScriptEditor) and inspector.script.editor.text == "echo")
        assert inspector.app.focused is inspector.script.editor
        assert inspector.notes == []


async def test_keys_wait_while_another_thread_imports_what_they_may_need(painted, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slowly(name):
        begun.set()
        assert go_on.wait(60)
        return imported(name)

    monkeypatch.setattr(library, "imported", slowly)
    async with painted.run_test(size=(120, 40)) as pilot:
        inspector = Inspector(painted, pilot)
        inspector.send("2", "x")
        assert await asyncio.to_thread(begun.wait, 60)  # the pilot would wait for the keys
        await asyncio.wait_for(painted._opened.wait(), 60)
        await nothing_to_do()
        assert not inspector.screen.query(ScriptEditor)
        go_on.set()
        await inspector.until(lambda: inspector.screen.query(ScriptEditor) and inspector.script.editor.text == "x")


@pytest.mark.parametrize("key", ["f5", "f3", "f8", "f", "ctrl+b"])
async def test_no_key_fails_before_the_panes_are_there(painted, key):
    async with painted.run_test(size=(120, 40), notifications=True) as pilot:
        inspector = Inspector(painted, pilot)
        inspector.send(key)
        await inspector.until(lambda: painted.screen_stack[0].ready)
        await inspector.settled()
        assert [note.message for note in painted._notifications if note.severity == "error"] == []


def test_the_first_paint_needs_no_part_of_the_main_screen():
    program = "import sys, bashkit_tui.app; print(*[name for name in sys.modules if name.startswith('bashkit_tui.main_screen')])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "\n"


@pytest.mark.parametrize("size", [(60, 24), (120, 40), (160, 40)])
async def test_the_first_paint_has_the_surfaces_of_the_main_screen(painted, monkeypatch, size):
    monkeypatch.setattr(OpeningScreen, "on_mount", lambda _: None)  # it opens nothing
    async with painted.run_test(size=size) as pilot:
        first = [surfaces(line) for line in painted.screen._compositor.render_strips(painted.size)]
        assert painted.screen.render_line(0).text.startswith(" bashkit ")
        painted.screen._open()
        await pilot.pause()
        await Inspector(painted, pilot).until(lambda: painted.screen.ready)
        shown = [surfaces(line) for line in painted.screen._compositor.render_strips(painted.size)]
        assert (first[0], first[-2][0], first[-1]) == (shown[0], shown[-2][0], shown[-1])


def surfaces(strip):
    """The backgrounds in a line, with the columns of each."""
    return [
        (color, sum(segment.cell_length for segment in some))
        for color, some in groupby(strip, key=lambda segment: segment.style.bgcolor)
    ]


async def test_an_empty_pane_shows_nothing(painted, monkeypatch):
    async def not_yet(_):
        pass

    monkeypatch.setattr(InspectorScreen, "_furnish", not_yet)
    async with painted.run_test(size=(120, 40)) as pilot:
        inspector = Inspector(painted, pilot)
        await inspector.until(painted._opened.is_set)
        for tab in ("script", "prompt", "problems"):
            inspector.tab = tab
            inspector.screen._on_timer_update()
            assert "TabPane" not in inspector.shown()
            assert "PaneFrame" not in inspector.shown()


async def test_keys_that_are_typed_fast_go_where_the_key_before_them_leads(inspect):
    async with inspect() as inspector:
        inspector.send("2", *"mark")
        await inspector.until(lambda: inspector.script.editor.text)
        await inspector.settled()
        assert inspector.script.editor.text == "mark"
        assert not inspector.notes
        inspector.one(ToolTree).focus()
        inspector.send("slash", *"pl")
        await inspector.until(lambda: inspector.one("#filter", Input).value)
        await inspector.settled()
        assert inspector.one("#filter", Input).value == "pl"


async def test_only_keys_that_can_move_the_focus_are_looked_up(inspect, monkeypatch):
    async with inspect() as inspector:
        screen, kind = inspector.screen, type(inspector.screen)
        inspector.app.set_keymap({"tab.script": "k"})
        with monkeypatch.context() as patch:
            patch.setattr(kind, "active_bindings", property(lambda _: pytest.fail("looked up")))
            for key in ("j", "2", "down", "enter"):
                assert not await screen.led(key)
        assert await screen.led("k")
        assert inspector.app.focused is inspector.script.editor
        assert not await screen.led("k")  # it is text there

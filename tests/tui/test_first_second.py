"""Keys that are pressed as soon as something is painted."""

import pytest
from textual.widgets import Input

from bashkit_tui.app import InspectorApp
from bashkit_tui.main_screen.tool_tree import ToolTree
from bashkit_tui.panes.script.script_editor import ScriptEditor

from .conftest import FOLDER, GREENHOUSE, Inspector


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


@pytest.mark.parametrize("key", ["f5", "f3", "f8", "f", "ctrl+b"])
async def test_no_key_fails_before_the_panes_are_there(painted, key):
    async with painted.run_test(size=(120, 40), notifications=True) as pilot:
        inspector = Inspector(painted, pilot)
        inspector.send(key)
        await inspector.until(lambda: painted.screen_stack[0].ready)
        await inspector.settled()
        assert [note.message for note in painted._notifications if note.severity == "error"] == []


async def test_an_empty_pane_shows_nothing(painted):
    async with painted.run_test(size=(120, 40)) as pilot:
        inspector = Inspector(painted, pilot)
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

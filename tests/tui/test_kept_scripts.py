"""The scripts of toolsets: kept apart, asked about before they would be lost, and back at the next start."""

import contextlib

import pytest

from bashkit_tui.app import InspectorApp
from bashkit_tui.screens.leave import LeaveScreen

from .conftest import GREENHOUSE, Inspector

pytestmark = pytest.mark.thorough

OTHER = "version: 1\nname: other\ntools: [{name: one, stub: 1}]\n"


@pytest.fixture
def opening(monkeypatch, tmp_path):
    """Open an inspector of the same user again and again."""
    monkeypatch.chdir(GREENHOUSE.parent)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    @contextlib.asynccontextmanager
    async def opened(*paths):
        app = InspectorApp(paths or [GREENHOUSE], poll_seconds=3600.0)
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            inspector = Inspector(app, pilot)
            await inspector.until(lambda: app.screen.ready)
            await inspector.settled()
            yield inspector

    return opened


async def test_a_script_comes_back_at_the_next_start(opening, tmp_path):
    async with opening() as inspector:
        await inspector.write("echo unfinished")
    async with opening() as inspector:
        await inspector.press("2")
        assert inspector.script.editor.text == "echo unfinished"
        await inspector.press("exclamation_mark")  # one goes on at its end
        assert inspector.script.editor.text == "echo unfinished!"
    [file] = (tmp_path / "state" / "bashkit" / "scripts").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


async def test_leaving_asks_when_a_script_was_neither_saved_nor_run(opening):
    async with opening() as inspector:
        await inspector.write("echo unfinished")
        await inspector.press("ctrl+q")
        assert isinstance(inspector.screen, LeaveScreen)
        assert "A script for greenhouse was neither saved nor run." in inspector.shown()
        await inspector.press("n")
        assert inspector.app._exit is False
        await inspector.press("ctrl+q", "y")
        assert inspector.app._exit is True


@pytest.mark.parametrize("done", ["nothing", "run", "saved"])
async def test_leaving_asks_nothing_when_nothing_would_be_lost(opening, tmp_path, done):
    async with opening() as inspector:
        if done == "run":
            await inspector.run("echo it")
        elif done == "saved":
            await inspector.write("echo it")
            inspector.script.editor.write(tmp_path / "it.sh")
            inspector.script.editor.read(tmp_path / "it.sh")
        await inspector.press("ctrl+q")
        assert inspector.app._exit is True


async def test_every_toolset_has_its_script_and_its_history(opening, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(OTHER)
    async with opening(GREENHOUSE, other) as inspector:
        await inspector.press("2")
        await inspector.run("echo plants")
        inspector.screen.go_to_tool(other, "one")
        inspector.tab = "script"
        await inspector.settled()
        assert inspector.script.editor.text == ""
        assert inspector.script.editor.ran.previous("") is None
        await inspector.run("one")
        inspector.screen.go_to_tool(GREENHOUSE, "water")
        inspector.tab = "script"
        await inspector.settled()
        assert inspector.script.editor.text == "echo plants"
        await inspector.press("f3")
        assert inspector.text("#history-preview").count("echo plants") == 1
        assert [run.script for run in inspector.screen._runs] == ["echo plants"]

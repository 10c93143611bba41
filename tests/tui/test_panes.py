"""Panes: each is declared once, and a new one is one file."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bashkit_tui
from bashkit_tui.panes import panes
from bashkit_tui.settings.key_bindings import declared

from .conftest import GREENHOUSE

pytestmark = pytest.mark.thorough

NOTES = '''
"""The Notes pane: the description of the selected toolset."""

from textual.content import Content
from textual.widgets import Static

from bashkit_tui.panes import Pane
from bashkit_tui.protocols import ShownText


class NoteView(Static, can_focus=True):
    def show_selection(self, opened, tool):
        self.update(Content(f"About {opened.name}: {tool}"))

    def shown_text(self):
        return ShownText("notes.txt", str(self.content))


PANE = Pane(
    id="notes", title="Notes", key="5", order=35, summary="What you wrote down", focus="#notes-view", load=lambda: NoteView,
    label=lambda opened: Content(f"Notes on {opened.name}"),
)
'''

DRIVER = """
import asyncio, json, sys
from pathlib import Path
from bashkit_tui.app import InspectorApp
from bashkit_tui.palette import ActionProvider
from bashkit_tui.settings.key_bindings import declared
from textual.widgets import TabbedContent


async def main():
    app = InspectorApp([Path(sys.argv[1])], poll_seconds=3600.0)
    async with app.run_test(size=(120, 70)) as pilot:
        while not app.screen.ready:
            await pilot.pause(0.01)
        tabs = app.screen.query_one(TabbedContent)
        await pilot.press("5")
        await pilot.pause()
        seen = {
            "tab": tabs.active,
            "focus": app.focused.id,
            "labels": [str(tabs.get_tab(pane).label) for pane in ("tool", "notes", "problems")],
            "text": app.screen.shown_text().text,
            "palette": [hit.text async for hit in ActionProvider(app.screen).search("notes")],
            "key map": "tab.notes" in declared(),
        }
        await pilot.press("f8")
        seen["next"] = tabs.active
        await pilot.press("f1")
        await pilot.pause()
        seen["help"] = "Notes: What you wrote down" in "\\n".join(strip.text for strip in app.screen._compositor.render_strips())
        print(json.dumps(seen))


asyncio.run(main())
"""


@pytest.fixture(scope="module")
def with_notes(tmp_path_factory):
    """Run a program with an inspector that has one more file in its folder of panes."""
    folder = tmp_path_factory.mktemp("inspector")
    shutil.copytree(Path(bashkit_tui.__file__).parent, folder / "bashkit_tui", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bashkit_tui/panes/notes.py").write_text(NOTES)
    environ = os.environ | {"PYTHONPATH": str(folder), "XDG_STATE_HOME": str(folder / "state"), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*arguments):
        return subprocess.run([sys.executable, *arguments], env=environ, capture_output=True, text=True, check=False)

    return run


def test_a_new_pane_is_one_file(with_notes):
    result = with_notes("-c", DRIVER, str(GREENHOUSE))
    assert json.loads(result.stdout or result.stderr) == {
        "tab": "notes",
        "focus": "notes-view",
        "labels": ["Tool", "Notes on greenhouse", "Problems"],
        "text": "About greenhouse: get_plant",
        "palette": ["Notes (5)"],
        "key map": True,
        "next": "problems",
        "help": True,
    }


def test_a_new_pane_can_be_pictured(with_notes, tmp_path):
    picture = tmp_path / "notes.svg"
    result = with_notes("-m", "bashkit", "tui", str(GREENHOUSE), "--screenshot", str(picture), "--tab", "notes")
    assert result.returncode == 0, result.stderr
    assert "About&#160;greenhouse" in picture.read_text()


def test_the_panes_stand_in_their_order_with_keys_of_their_own():
    assert list(panes()) == ["tool", "script", "prompt", "problems"]
    keys = [pane.key for pane in panes().values()]
    assert len(set(keys)) == len(keys)
    assert {f"tab.{name}" for name in panes()} <= set(declared())


async def test_a_pane_gets_its_widget_and_its_focus(inspect):
    async with inspect() as inspector:
        for pane in panes().values():
            await inspector.press("escape", pane.key)
            assert inspector.tab == pane.id
            assert isinstance(inspector.one(f"#{pane.view_id}"), pane.load())
            target = inspector.one(pane.focus)
            assert inspector.app.focused is target or not target.display


def test_declaring_the_panes_imports_no_widget_of_theirs():
    code = "import sys, bashkit_tui.panes as p; p.panes(); print([m for m in sys.modules if m.startswith('bashkit_tui.panes.') and '_view' in m])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

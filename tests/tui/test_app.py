"""Keys, help, palette, themes, sizes, errors, and how the command line starts the inspector."""

import subprocess
import sys

import pytest
from click.testing import CliRunner
from textual.binding import Binding
from textual.command import CommandPalette

from bashkit.cli import cli
from bashkit_tui import app as application
from bashkit_tui.app import InspectorApp
from bashkit_tui.bindings import commands
from bashkit_tui.providers import ActionProvider, ToolProvider
from bashkit_tui.screens.help import HelpScreen
from bashkit_tui.themes import DARK, LIGHT
from bashkit_tui.widgets.tool_view import ToolView

from .conftest import GREENHOUSE


def own_bindings(app):
    nodes = [app, app.screen, HelpScreen([]), *app.screen.query("*")]
    kinds = {kind for node in nodes for kind in type(node).__mro__ if kind.__module__.startswith("bashkit_tui")}
    return [binding for kind in kinds for binding in kind.__dict__.get("BINDINGS", ())]


async def test_every_binding_has_an_id_a_description_and_a_tooltip(inspect):
    async with inspect() as inspector:
        found = own_bindings(inspector.app)
        assert len(found) > 15
        assert [
            binding
            for binding in found
            if not (isinstance(binding, Binding) and binding.id and binding.description and binding.tooltip)
        ] == []
        ids = [binding.id for binding in found]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("key", ["f1", "question_mark"])
async def test_the_help_screen_lists_every_binding(inspect, key):
    async with inspect(size=(120, 60)) as inspector:
        expected = commands(inspector.app, inspector.screen)
        await inspector.press(key)
        assert isinstance(inspector.screen, HelpScreen)
        text = inspector.shown()
        assert {command.id for command in expected} >= {binding.id for binding in own_bindings(inspector.app)} - {"help.close"}
        for command in expected:
            assert f"{command.keys} " in text
            assert command.tooltip in text
        await inspector.press("escape")
        assert not isinstance(inspector.screen, HelpScreen)


async def test_a_changed_keymap_changes_the_key(inspect):
    async with inspect() as inspector:
        inspector.app.set_keymap({"help.open": "f9"})
        await inspector.press("f9")
        assert isinstance(inspector.screen, HelpScreen)


@pytest.mark.parametrize(("key", "tab"), [("1", "tool"), ("2", "script"), ("3", "help"), ("4", "prompt"), ("5", "problems")])
async def test_digits_show_the_tabs(inspect, key, tab):
    async with inspect() as inspector:
        await inspector.press(key)
        assert inspector.tab == tab


async def test_digits_are_text_in_the_editor_where_other_keys_turn_the_tabs(inspect):
    async with inspect() as inspector:
        await inspector.press("2", "3")
        assert (inspector.tab, inspector.script.editor.text) == ("script", "3")
        await inspector.press("f8")
        assert inspector.tab == "help"
        await inspector.press("ctrl+pageup", "ctrl+pageup", "ctrl+pageup")
        assert inspector.tab == "problems"
        await inspector.press("ctrl+pagedown")
        assert inspector.tab == "tool"


async def test_the_palette_has_the_actions_of_the_keys(inspect):
    async with inspect() as inspector:
        provider = ActionProvider(inspector.screen)
        hits = {str(hit.prompt): hit async for hit in provider.discover()}
        assert "Reload (F2, Ctrl+L)" in hits
        assert not any(name.startswith("Cancel") for name in hits)  # nothing runs
        await hits["System prompt (4)"].command()
        assert inspector.tab == "prompt"


async def test_the_palette_finds_tools(inspect):
    async with inspect() as inspector:
        inspector.tab = "help"
        hits = [hit async for hit in ToolProvider(inspector.screen).search("water")]
        hits[0].command()
        await inspector.pilot.pause()
        assert (inspector.tab, inspector.text("#tool-description")) == ("tool", "Water a plant")


async def test_ctrl_p_opens_the_palette(inspect):
    async with inspect() as inspector:
        await inspector.press("ctrl+p")
        assert isinstance(inspector.screen, CommandPalette)


async def test_ctrl_t_changes_between_light_and_dark(inspect):
    async with inspect() as inspector:
        assert inspector.app.theme == DARK.name
        await inspector.press("ctrl+t")
        assert (inspector.app.theme, inspector.script.editor.theme) == (LIGHT.name, "bashkit-light")
        await inspector.press("ctrl+t")
        assert (inspector.app.theme, inspector.script.editor.theme) == (DARK.name, "bashkit-dark")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_nothing_is_clipped_at_any_size(inspect, size):
    async with inspect("broken.yaml", size=size) as inspector:
        shown = inspector.shown()
        for label in (
            "Tool",
            "Script",
            "Help",
            "System prompt",
            "Problems 1",
            "^r Run",
            "f1 Keys",
            "^q Quit",
            "^p Palette",
            "broken.yaml",
        ):
            assert label in shown
        await inspector.run("hello; hello")
        shown = inspector.shown()
        for label in ("Output", "Tool calls", "✓ exit 0", "✓ syntax", "arguments"):
            assert label in shown


async def test_an_unexpected_error_in_a_handler_is_a_notification(inspect, monkeypatch):
    async with inspect() as inspector:

        def fail(*_):
            raise RuntimeError("the view\nfailed")

        monkeypatch.setattr(ToolView, "show_tool", fail)
        await inspector.press("down")
        assert inspector.notes == ["RuntimeError: the view failed"]
        await inspector.press("4")
        assert inspector.tab == "prompt"


async def test_an_unexpected_error_in_an_action_is_a_notification(inspect, monkeypatch):
    async with inspect() as inspector:
        monkeypatch.setattr("bashkit_tui.screens.inspector.commands", lambda *_: 1 // 0)
        await inspector.press("f1")
        assert inspector.notes == ["ZeroDivisionError: integer division or modulo by zero"]


async def test_an_unexpected_error_while_running_is_a_notification(inspect, monkeypatch):
    async def fail(_):
        raise RuntimeError("no shell")

    async with inspect() as inspector:
        monkeypatch.setattr("bashkit_tui.running.ScriptRun.execute", fail)
        await inspector.run("echo")
        assert inspector.notes == ["RuntimeError: no shell"]
        assert inspector.status.startswith("■ internal")


async def test_an_unexpected_error_while_reading_is_a_problem(inspect, monkeypatch):
    def fail(_):
        raise RuntimeError("cannot be")

    monkeypatch.setattr("bashkit_tui.opened.load_partly", fail)
    async with inspect() as inspector:
        assert "RuntimeError: cannot be" in inspector.text("#problem-list")


def test_even_a_failure_of_the_screen_itself_ends_with_one_line(monkeypatch, capfd):
    def fail(_):
        raise RuntimeError("no parts")

    monkeypatch.setattr("bashkit_tui.screens.inspector.InspectorScreen.compose", fail)
    inspector = InspectorApp([GREENHOUSE])
    inspector.run(headless=True)
    assert inspector.return_code == 1
    assert capfd.readouterr().err == "bashkit: internal error: RuntimeError: no parts\n"


async def test_without_tree_sitter_for_bash_the_editor_has_no_colours_and_works(inspect, monkeypatch):
    monkeypatch.setattr("textual.widgets._text_area.get_language", lambda _: None)
    async with inspect() as inspector:
        await inspector.run("echo plain")
        assert (inspector.script.editor.language, inspector.output) == (None, ["plain"])


@pytest.mark.parametrize(("arguments", "paths"), [([], None), ([str(GREENHOUSE)], [GREENHOUSE])])
def test_the_command_line_opens_the_inspector(monkeypatch, arguments, paths):
    opened = []
    monkeypatch.setattr(application, "run", opened.append)
    result = CliRunner().invoke(cli, ["tui", *arguments])
    assert (result.exit_code, opened) == (0, [paths])


def test_the_core_never_imports_the_inspector():
    imports = "import sys, bashkit, bashkit.cli.tui, bashkit.toolset, bashkit.prompts"
    code = f"{imports}; print(any(m.startswith(('textual', 'bashkit_tui')) for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"

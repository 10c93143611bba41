"""Keys, help, palette, themes, jump mode, sizes, errors, and how the command line starts the inspector."""

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest
from click.testing import CliRunner
from textual.binding import Binding
from textual.command import CommandPalette

import bashkit_tui
from bashkit.cli import cli
from bashkit_tui import app as application
from bashkit_tui.app import InspectorApp
from bashkit_tui.main_screen.sidebar import Sidebar
from bashkit_tui.main_screen.tool_tree import ToolTree
from bashkit_tui.palette import ActionProvider, ModeProvider, ThemeProvider, ToolProvider
from bashkit_tui.panes.script.script_editor import ScriptEditor
from bashkit_tui.panes.tool.tool_form import ToolForm
from bashkit_tui.panes.tool.tool_view import ToolView
from bashkit_tui.screens.help import HelpScreen
from bashkit_tui.screens.jump import JumpScreen
from bashkit_tui.settings.key_bindings import commands, declared, pressable
from bashkit_tui.settings.themes import CONTRAST, DARK, LIGHT
from bashkit_tui.widgets.key_bar import KeyBar

from .conftest import GREENHOUSE


def test_every_binding_has_an_id_a_description_and_a_tooltip():
    kinds = {
        kind
        for module in pkgutil.walk_packages(bashkit_tui.__path__, "bashkit_tui.")
        for kind in vars(import_module(module.name)).values()
        if isinstance(kind, type) and kind.__module__ == module.name
    }
    moving = {"up", "down", "left", "right", "home", "end", "pageup", "pagedown"}  # as in every list; nobody looks them up
    found = [
        binding for kind in kinds for binding in kind.__dict__.get("BINDINGS", ()) if binding.key not in moving or binding.id
    ]
    assert len(found) > 30
    assert [one for one in found if not (isinstance(one, Binding) and one.id and one.description and one.tooltip)] == []
    names = [binding.id for binding in found]
    assert sorted(names) == sorted(set(names))
    assert set(declared()) == set(names)


# -- help --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["f1", pytest.param("question_mark", marks=pytest.mark.thorough)])
async def test_help_lists_what_works_here_with_the_ids_for_the_key_map(inspect, key):
    async with inspect(size=(120, 70)) as inspector:
        expected = commands(inspector.screen)
        await inspector.press(key)
        assert isinstance(inspector.screen, HelpScreen)
        text = " ".join(inspector.shown().split())
        assert {command.group for command in expected} == {"Inspector", "Everywhere", "Tools: moving about"}
        for command in expected:
            assert f"{command.keys} " in text
            assert command.id in text
        assert {"tools.filter", "app.zoom", "script.run"} <= {command.id for command in expected}
        await inspector.press("escape")
        assert not isinstance(inspector.screen, HelpScreen)


@pytest.mark.thorough
async def test_in_a_narrow_terminal_help_has_descriptions_under_their_keys(inspect):
    async with inspect(size=(40, 12)) as inspector:
        await inspector.press("f1")
        lines = [line[4:-4].strip() for line in inspector.shown().splitlines()]
        at = lines.index("/")
        assert lines[at + 1 : at + 4] == ["Type a few letters of the", "tools that are wanted", "Ctrl+B"]


async def test_help_explains_the_marks_of_the_tree(inspect):
    async with inspect(size=(120, 70)) as inspector:
        await inspector.press("f1")
        inspector.one("#help-box").scroll_end(animate=False)
        await inspector.settled()
        lines = [line.strip(" │") for line in inspector.shown().split("\n")]
        for line in ("r  reads", "w  writes", "~  changed since the snapshot", "+  new since the snapshot", "!  has mistakes"):
            assert any(line in shown for shown in lines), line
        assert any("»  the tree is folded" in shown for shown in lines)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_footer_has_two_blanks_between_its_keys_and_one_before_them(inspect, size):
    async with inspect(size=size) as inspector:
        await inspector.press("2")
        last = inspector.shown().rstrip("\n").split("\n")[-1]
        assert last.startswith(" ^o Open  ^s Save  f9 Mode  ^r Run  ^q Quit  f1 Keys  ^p Palette")


@pytest.mark.thorough
async def test_in_a_narrow_terminal_name_and_path_are_apart(inspect):
    async with inspect(size=(40, 24)) as inspector:
        assert inspector.shown().splitlines()[0].startswith(" bashkit │ greenhouse  4 tools  ")


async def test_help_follows_the_focus(inspect):
    async with inspect() as inspector:
        inspector.tab = "script"
        inspector.script.editor.focus()
        await inspector.settled()
        found = {command.id: command.group for command in commands(inspector.screen)}
        assert found["editor.leave"] == "Script editor"
        inspector.one(ToolTree).focus()
        await inspector.settled()
        assert "editor.leave" not in {command.id for command in commands(inspector.screen)}


async def test_a_changed_keymap_changes_the_key_and_the_help(inspect):
    async with inspect() as inspector:
        inspector.app.set_keymap({"help.open": "f12"})
        assert next(one.keys for one in commands(inspector.screen, inspector.app.keys) if one.id == "help.open") == "F12"
        await inspector.press("f12")
        assert isinstance(inspector.screen, HelpScreen)


def footer(inspector):
    """The actions that the footer offers."""
    return {key.description for key in inspector.one(KeyBar).shown}


async def test_in_the_editor_footer_and_help_offer_only_keys_that_work_there(inspect):
    async with inspect(size=(120, 70)) as inspector:
        assert "Filter" in footer(inspector)
        await inspector.press("2")
        assert "Filter" not in footer(inspector)
        found = {command.id: command.keys for command in pressable(inspector.screen)}
        assert (found["app.jump"], found["app.zoom"], found["app.review"]) == ("F7", "F6", "F12")
        assert {"tools.filter", "app.edit", "tool.form", "tab.prompt"} & found.keys() == set()
        await inspector.press("f1")
        shown = inspector.shown()
        assert "Select line" not in shown
        assert "F7, j" not in shown


@pytest.mark.thorough
async def test_in_the_editor_f6_zooms_and_f7_jumps(inspect):
    async with inspect() as inspector:
        await inspector.write("echo 1\necho 2")
        await inspector.press("f6")
        assert inspector.screen.maximized is inspector.script.editor
        await inspector.press("f6")
        assert inspector.screen.maximized is None
        await inspector.press("f7")
        assert isinstance(inspector.screen, JumpScreen)
        assert inspector.app.screen_stack[0].query_one("#editor").selected_text == ""


@pytest.mark.thorough
async def test_in_a_field_f6_zooms_what_the_field_is_in(inspect):
    async with inspect() as inspector:
        await inspector.press("slash", "f6")
        assert inspector.screen.maximized is inspector.one(Sidebar)
        await inspector.press("f6", "escape", "f", "f6")
        assert inspector.screen.maximized is inspector.one(ToolForm)


# -- tabs --------------------------------------------------------------------------------------------------------------


async def test_digits_keys_and_clicks_show_the_tabs(inspect):
    async with inspect() as inspector:
        for key, tab in [("1", "tool"), ("4", "problems"), ("3", "prompt"), ("2", "script")]:
            await inspector.press(key)
            assert inspector.tab == tab
        await inspector.press("3")  # is text in the editor, where other keys turn the tabs
        assert (inspector.tab, inspector.script.editor.text) == ("script", "3")
        for key, tab in [("f8", "prompt"), ("ctrl+pageup", "script"), ("ctrl+pageup", "tool"), ("ctrl+pageup", "problems")]:
            await inspector.press(key)
            assert inspector.tab == tab
        await inspector.press("ctrl+pagedown")
        assert inspector.tab == "tool"
        await inspector.pilot.click("#--content-tab-prompt")
        await inspector.until(lambda: inspector.tab == "prompt")
        assert inspector.text("#prompt-size").startswith("system-prompt.md")


# -- palette -----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_the_palette_finds_actions_tools_and_themes(inspect):
    async with inspect() as inspector:
        provider = ActionProvider(inspector.screen)
        hits = {hit.text: hit async for hit in provider.discover()}
        assert "Reload (F2, Ctrl+L)" in hits
        assert "Zoom (F6, z)" in hits
        assert not any(name.startswith("Cancel") for name in hits)  # nothing runs
        await hits["Prompt (3)"].command()
        await inspector.settled()
        assert inspector.tab == "prompt"
        found = [hit.text async for hit in provider.search("relo")]
        assert found[0] == "Reload (F2, Ctrl+L)"

        hits = {hit.text: hit async for hit in ToolProvider(inspector.screen).search("greenhouse")}
        assert set(hits) == {"Toolset: greenhouse", "File: greenhouse.yaml"}
        hits = {hit.text: hit async for hit in ToolProvider(inspector.screen).search("water")}
        hits["Tool: water"].command()
        await inspector.settled()
        assert (inspector.tab, inspector.text("#tool-description")) == ("tool", "Water a plant")

        hits = [hit async for hit in ThemeProvider(inspector.screen).search("contrast")]
        hits[0].command()
        assert inspector.app.theme == CONTRAST.name

        await inspector.press("ctrl+p")
        assert isinstance(inspector.screen, CommandPalette)


@pytest.mark.thorough
@pytest.mark.parametrize("focus", ["#tree", "#editor", "#output", "#trace"])
async def test_the_palette_is_complete_from_every_focus(inspect, focus):
    async with inspect() as inspector:
        await inspector.run("get_plant --id 1")
        inspector.one(focus).focus()
        await inspector.settled()
        actions = ActionProvider(inspector.screen)
        exports = [hit async for hit in actions.search("export")]
        assert any(hit.text.endswith("Export (x)") for hit in exports)
        await exports[0].command()
        await inspector.until(lambda: inspector.screen.query("#path-prompt, Input"))
        await inspector.press("escape")
        modes = {hit.text: hit async for hit in ModeProvider(inspector.screen).search("stub")}
        await modes["Calls are answered by: stubs"].command()
        assert inspector.script.mode == "stub"


@pytest.mark.thorough
async def test_nothing_in_the_palette_is_markup(inspect, tmp_path):
    path = tmp_path / "[red]x[@click=app.quit]y.yaml"
    path.write_text("version: 1\nname: x\ntools: [{name: one, description: '[bold]b[/] [@click=app.quit]q[/]', stub: 1}]\n")
    async with inspect(path) as inspector:
        found = "\n".join([str(hit.prompt) async for hit in ToolProvider(inspector.screen).search("x")])
        assert "[red]x[@click=app.quit]y.yaml" in found
        found = "\n".join([str(hit.prompt) async for hit in ToolProvider(inspector.screen).search("one")])
        assert "[bold]b[/] [@click=app.quit]q[/]" in found
        assert "[red]x[@click=app.quit]y.yaml" in inspector.text("#title-path")


# -- themes ------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_the_theme_picker_shows_a_theme_as_soon_as_the_cursor_is_on_it(inspect):
    async with inspect() as inspector:
        await inspector.press("ctrl+t")
        await inspector.press("down")
        editor = inspector.app.screen_stack[0].query_one(ScriptEditor)
        assert (inspector.app.theme, editor.theme) == (LIGHT.name, "bashkit-light")
        await inspector.press("down")
        assert inspector.app.theme == CONTRAST.name
        await inspector.press("escape")
        assert inspector.app.theme == DARK.name
        await inspector.press("ctrl+t", "down", "enter")
        assert (inspector.app.theme, len(inspector.app.screen_stack)) == (LIGHT.name, 1)


@pytest.mark.thorough
async def test_the_theme_picker_fits_into_a_narrow_terminal(inspect):
    async with inspect(size=(40, 12)) as inspector:
        await inspector.press("ctrl+t")
        assert inspector.screen.region.contains_region(inspector.one("#themes-box").region)


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST])
def test_texts_stand_out_from_what_they_stand_on(theme):
    from textual.color import Color

    least = 7 if theme is CONTRAST else 4.5  # WCAG 2.2, 1.4.6 and 1.4.3
    for name in ("foreground", "primary", "secondary", "accent", "success", "warning", "error"):
        for ground in (theme.background, theme.surface):
            assert _contrast(Color.parse(getattr(theme, name)), Color.parse(ground)) >= least, name


def _contrast(one, other):
    def luminance(color):
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


# -- getting around ----------------------------------------------------------------------------------------------------


async def test_in_jump_mode_a_letter_goes_where_it_stands(inspect):
    async with inspect() as inspector:
        await inspector.press("3", "j", "escape")
        assert (inspector.app.focused.id, len(inspector.app.screen_stack)) == ("prompt-documents", 1)
        await inspector.press("j")
        assert isinstance(inspector.screen, JumpScreen)
        letters = {widget.id: letter for letter, widget in inspector.screen.targets.items()}
        assert {"filter", "tree", "prompt-documents", "prompt-text"} <= set(letters)
        assert "editor" not in letters  # it is not to be seen
        assert inspector.shown().splitlines()[-1].startswith(" Press a letter")
        assert "/ filter" in inspector.shown()
        assert "▼ greenhouse 4" in inspector.shown()
        assert "Tool  Script  Prompt  Problems" in inspector.shown()
        await inspector.press(letters["tree"])
        assert inspector.app.focused is inspector.one(ToolTree)


async def test_a_pane_fills_the_screen_and_is_small_again(inspect):
    async with inspect() as inspector:
        await inspector.press("3", "enter")
        before = inspector.app.focused.size
        await inspector.press("z")
        assert inspector.screen.maximized is inspector.app.focused
        assert inspector.app.focused.size.width > before.width
        await inspector.press("z")
        assert (inspector.screen.maximized, inspector.app.focused.size) == (None, before)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_nothing_is_clipped_at_any_size(inspect, size):
    async with inspect("broken.yaml", size=size) as inspector:
        shown = inspector.shown()
        for label in ("Tool", "Script", "Prompt", "Problems 1", "^r Run", "f1 Keys", "^q Quit", "^p Palette", "broken.yaml"):
            assert label in shown
        await inspector.run("hello; hello")
        shown = inspector.shown()
        for label in ("Tool", "Script", "Prompt", "Problems 1", "✓ exit 0"):
            assert label in shown


# -- errors ------------------------------------------------------------------------------------------------------------


async def test_an_unexpected_error_in_a_handler_is_a_notification(inspect, monkeypatch):
    async with inspect() as inspector:

        def fail(*_):
            raise RuntimeError("the view\nfailed")

        monkeypatch.setattr(ToolView, "show_selection", fail)
        await inspector.press("down")
        assert inspector.notes == ["RuntimeError: the view failed"]
        await inspector.press("3")
        assert inspector.tab == "prompt"


async def test_an_unexpected_error_in_an_action_is_a_notification(inspect, monkeypatch):
    async with inspect() as inspector:
        monkeypatch.setattr("bashkit_tui.settings.key_bindings.commands", lambda *_: "".index("x"))
        await inspector.press("f1")
        assert inspector.notes == ["ValueError: substring not found"]


async def test_an_unexpected_error_while_reading_is_a_problem(inspect, monkeypatch):
    def fail(_):
        raise RuntimeError("cannot be")

    monkeypatch.setattr("bashkit_tui.toolsets.reader.load_partly", fail)
    async with inspect() as inspector:
        await inspector.press("4")
        assert "RuntimeError: cannot be" in inspector.shown()


def test_even_a_failure_of_the_screen_itself_ends_with_one_line(monkeypatch, capfd):
    def fail(_):
        raise RuntimeError("no parts")

    monkeypatch.setattr("bashkit_tui.main_screen.screen.InspectorScreen.compose", fail)
    inspector = InspectorApp([GREENHOUSE])
    inspector.run(headless=True)
    assert inspector.return_code == 1
    assert capfd.readouterr().err == "bashkit: internal error: RuntimeError: no parts\n"


@pytest.mark.usefixtures("tree_sitter")
async def test_without_tree_sitter_for_bash_the_editor_has_no_colours_and_works(inspect, monkeypatch):
    monkeypatch.setattr("textual.widgets._text_area.get_language", lambda _: None)
    async with inspect() as inspector:
        await inspector.run("echo plain")
        assert (inspector.script.editor.language, inspector.output) == (None, ["plain"])


# -- starting ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ([], None)),
        ([str(GREENHOUSE)], ([GREENHOUSE], None)),
        ([str(GREENHOUSE.parent), "--config", __file__], ([GREENHOUSE.parent], __file__)),
    ],
)
def test_the_command_line_opens_the_inspector(monkeypatch, arguments, expected):
    opened = []
    monkeypatch.setattr(application, "run", lambda paths, config: opened.append((paths, config and str(config))))
    result = CliRunner().invoke(cli, ["tui", *arguments])
    assert (result.exit_code, opened) == (0, [expected])


def test_the_core_never_imports_the_inspector():
    imports = "import sys, bashkit, bashkit.cli.tui, bashkit.toolset, bashkit.prompts"
    code = f"{imports}; print(any(m.startswith(('textual', 'bashkit_tui')) for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout == "False\n"


def test_the_first_paint_needs_no_toolset_code():
    code = "import sys, bashkit_tui.app; print(sorted(m for m in sys.modules if m in {'bashkit.toolset', 'bashkit.tools', 'jsonschema', 'yaml', 'tree_sitter'}))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout == "[]\n"


def test_without_a_terminal_it_says_what_there_is_instead():
    command = [sys.executable, "-c", "from bashkit.cli import main; main()", "tui", GREENHOUSE]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bashkit: the inspector needs a terminal: --screenshot OUT.svg makes a picture")

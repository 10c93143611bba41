"""The Problems tab: places, messages, carets, and the editor at the line."""

from pathlib import Path

import pytest
from textual.widgets import OptionList, TabbedContent

from bashkit_tui import external_programs
from bashkit_tui.external_programs import ExternalError, editor_command, pager_command
from bashkit_tui.protocols import FilePlace, ShownText

from .conftest import GREENHOUSE

pytestmark = pytest.mark.thorough


def listed(inspector):
    options = inspector.one("#problem-list", OptionList)
    return [str(options.get_option_at_index(index).prompt) for index in range(options.option_count)]


async def test_a_file_with_mistakes_opens_and_lists_them(inspect):
    async with inspect("broken.yaml") as inspector:
        await inspector.press("4")
        assert str(inspector.one(TabbedContent).get_tab("problems").label) == "Problems 1"
        assert listed(inspector) == [
            """\
broken.yaml:9:5  unknown key 'descripton'
  9 │     descripton: A key with a slip in it
    │     ^^^^^^^^^^
  hint: did you mean description?"""
        ]


async def test_the_rest_of_a_file_with_mistakes_works(inspect):
    async with inspect("broken.yaml") as inspector:
        assert inspector.tree == ["broken 2 !", "  hello", "  lost", "  ! wrong"]
        await inspector.run("hello | tr a-z A-Z")
        assert inspector.output == ["HELLO"]


async def test_a_tool_with_a_mistake_shows_it(inspect):
    async with inspect("broken.yaml") as inspector:
        await inspector.press("end")
        assert inspector.text("#tool-name") == "wrong  has mistakes"
        assert "unknown key 'descripton'" in inspector.text("#tool-description")


async def test_f4_also_looks_for_what_callbacks_point_at(inspect):
    async with inspect("broken.yaml") as inspector:
        await inspector.press("4", "f4")
        await inspector.until(lambda: any("there is no module nowhere" in line for line in listed(inspector)) and inspector.notes)
        assert inspector.notes == ["2 problems: see the Problems tab."]


async def test_f4_gives_advice_that_is_no_mistake(inspect, tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("version: 1\nname: x\ndescription: A set\ntools: [{name: one, description: The one, stub: 1}]\n")
    async with inspect(file) as inspector:
        await inspector.press("4", "f4")
        await inspector.until(lambda: inspector.notes)
        assert inspector.notes == ["1 warning: see the Problems tab."]
        assert "4:16  warning: the tool 'one' does not declare the effects of a call  no-effects" in listed(inspector)[0]
        assert (inspector.tree, inspector.screen.current.whole) == (["x 1", "  one"], True)


async def test_a_file_that_is_no_yaml_opens_too(inspect, tmp_path):
    file = tmp_path / "nothing.yaml"
    file.write_text("tools: [")
    async with inspect(file) as inspector:
        await inspector.press("4")
        assert inspector.tree == ["nothing 0 !"]
        assert "YAML:" in listed(inspector)[0]
        await inspector.press("ctrl+r")
        assert inspector.notes == ["There is nothing to run scripts against: see the Problems tab."]


async def test_a_file_that_is_gone_is_a_problem(inspect, tmp_path):
    async with inspect(tmp_path / "gone.yaml") as inspector:
        await inspector.press("4")
        assert "the file cannot be read" in listed(inspector)[0]


async def test_without_mistakes_the_problems_tab_says_so(inspect):
    async with inspect() as inspector:
        await inspector.press("4")
        assert inspector.text("#problem-note").startswith("No problems.")
        assert str(inspector.one(TabbedContent).get_tab("problems").label) == "Problems"


async def test_messages_are_neither_markup_nor_control_sequences(inspect, tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text('version: 1\nname: x\n"[bold]a[/] [@click=app.quit]q[/] \\e[31m": 1\ntools: []\n')
    async with inspect(file) as inspector:
        await inspector.press("4")
        assert "[bold]a[/] [@click=app.quit]q[/] " in listed(inspector)[0]
        assert "\x1b" not in inspector.shown()


# -- the editor --------------------------------------------------------------------------------------------------------


@pytest.fixture
def ran(monkeypatch):
    """The commands that would be run."""
    commands = []
    monkeypatch.setattr(external_programs, "_run", lambda _, command: commands.append(command))
    return commands


@pytest.mark.parametrize("key", ["enter", "e"])
async def test_a_problem_opens_the_editor_at_its_line(inspect, ran, monkeypatch, key):
    monkeypatch.setenv("VISUAL", "vim -n")
    async with inspect("broken.yaml") as inspector:
        await inspector.press("4", key)
        assert ran == [["vim", "-n", "+9", "broken.yaml"]]


async def test_e_opens_the_editor_where_the_tool_is_declared(inspect, ran, monkeypatch):
    monkeypatch.setenv("VISUAL", "vi")
    async with inspect() as inspector:
        await inspector.press("down", "e")
        assert ran == [["vi", "+25", str(GREENHOUSE)]]


async def test_what_the_editor_changed_is_read_at_once(inspect, monkeypatch, tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("version: 1\nname: x\ntools: [{name: one, stub: 1}]\n")
    monkeypatch.setattr(
        external_programs, "_run", lambda *_: file.write_text("version: 1\nname: x\ntools: [{name: other, stub: 1}]\n")
    )
    async with inspect(file) as inspector:
        await inspector.press("e")
        await inspector.until(lambda: inspector.tree == ["x 1", "  other"])


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ["vi", "+3", "f.yaml"]),
        ({"EDITOR": "nano -w"}, ["nano", "-w", "+3", "f.yaml"]),
        ({"EDITOR": "nano", "VISUAL": "/usr/bin/nvim"}, ["/usr/bin/nvim", "+3", "f.yaml"]),
        ({"EDITOR": "hx"}, ["hx", "f.yaml:3:7"]),
        ({"EDITOR": "code"}, ["code", "--wait", "--goto", "f.yaml:3:7"]),
        ({"EDITOR": "code -w"}, ["code", "-w", "--goto", "f.yaml:3:7"]),
        ({"EDITOR": "my-editor"}, ["my-editor", "f.yaml"]),  # it might take +3 for a file
        ({"EDITOR": "'my editor' -x"}, ["my editor", "-x", "f.yaml"]),
    ],
)
def test_the_command_of_the_editor(environ, expected):
    assert editor_command(FilePlace("f.yaml", 3, 7), environ) == expected


def test_an_editor_that_is_no_command_is_said():
    with pytest.raises(ExternalError, match=r"\$EDITOR is not a command: No closing quotation"):
        editor_command(FilePlace("f"), {"EDITOR": "'vi"})


def test_the_command_of_the_pager():
    assert pager_command("f", {"PAGER": "most -s"}) == ["most", "-s", "f"]


async def test_a_program_that_is_not_there_is_said(inspect, monkeypatch):
    monkeypatch.setenv("VISUAL", "no-such-editor-anywhere")
    async with inspect() as inspector:
        await inspector.press("e")
        assert inspector.notes == ["there is no program 'no-such-editor-anywhere': set $VISUAL, $EDITOR or $PAGER"]


async def test_a_terminal_that_cannot_be_handed_over_is_said(inspect, monkeypatch):
    monkeypatch.setenv("VISUAL", "true")  # headless, as these tests are
    async with inspect() as inspector:
        await inspector.press("e")
        assert inspector.notes == ["this terminal cannot be handed to another program"]


async def test_the_pager_gets_the_text_without_control_sequences(inspect, monkeypatch):
    seen = []
    monkeypatch.setattr(external_programs, "_run", lambda _, command: seen.append(Path(command[-1]).read_text(encoding="utf-8")))
    async with inspect() as inspector:
        await inspector.press("3")
        monkeypatch.setattr(type(inspector.one("#prompt-view")), "shown_text", lambda _: ShownText("../x.md", "a\x1b[31mb\n"))
        await inspector.press("v")
        assert seen == ["a␛[31mb\n"]

"""The Tool tab."""

import pytest
from textual.widgets import OptionList, Static

from bashkit_tui.main_screen.tool_tree import Entry, ToolTree


async def select(inspector, name):
    tree = inspector.one(ToolTree)
    node = next(node for node in tree._entries() if node.data.tool == name)
    tree.move_cursor(node)
    await inspector.settled()


async def test_a_tool_shows_what_its_author_declared(inspect):
    async with inspect(size=(130, 50)) as inspector:
        assert inspector.text("#tool-description") == "Fetch a plant by ID"
        assert inspector.text("#tool-usage") == "get_plant --id <integer> [--unit <litre|gallon>]"
        assert inspector.text("#tool-output") == "{id: integer, name: string}"
        shown = " ".join(inspector.shown().split())
        assert "name type required default enum description" in shown
        assert "id integer yes - - Plant ID (1 to 99)" in shown
        assert "unit string no litre litre, gallon Unit of its water" in shown


@pytest.mark.thorough
async def test_the_table_of_parameters_has_no_empty_column(inspect, tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(
        "version: 1\nname: one\ntools: [{name: look, stub: 1, input_schema: "
        "{type: object, properties: {id: {type: integer, description: Its number}, all: {type: boolean}}, required: [id]}}]\n"
    )
    async with inspect(path, size=(130, 50)) as inspector:
        shown = " ".join(inspector.shown().split())
        assert "name type required description id integer yes Its number all boolean no - " in shown


async def test_the_callback_is_shown_with_file_and_line(inspect):
    async with inspect() as inspector:
        assert inspector.text("#tool-callback").splitlines() == [
            "python  greenhouse_api.get_plant",
            "defined at   greenhouse_api.py:8",
            "declared at  greenhouse.yaml:24",
        ]


async def test_a_stub_is_shown_as_one(inspect):
    async with inspect() as inspector:
        await select(inspector, "about")
        assert inspector.text("#tool-callback").splitlines() == ["stub  a fixed answer", "declared at  greenhouse.yaml:38"]


async def test_enter_on_an_example_puts_it_into_the_editor(inspect):
    async with inspect() as inspector:
        inspector.one("#tool-examples", OptionList).focus()
        await inspector.press("down", "down", "enter")
        assert inspector.tab == "script"
        assert inspector.script.editor.text == "for id in 1 2; do\n  get_plant --id $id\ndone"
        assert inspector.app.focused is inspector.script.editor


async def test_the_root_shows_what_the_toolset_is_made_of(inspect):
    async with inspect() as inspector:
        await inspector.press("home")
        assert inspector.text("#tool-name") == "greenhouse"
        shown = " ".join(inspector.shown().split())
        assert "environment UNIT" in shown
        assert "limits 20 s, 50 000 000 commands" in shown
        assert "water Water a plant" in shown


async def test_the_cursor_of_another_toolset_makes_it_the_current_one(inspect, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("version: 1\nname: other\ntools: [{name: solo, stub: 1}]\n")
    async with inspect("greenhouse.yaml", other) as inspector:
        assert inspector.screen.current.name == "greenhouse"
        await select(inspector, "solo")
        assert inspector.screen.current.name == "other"
        assert "other" in str(inspector.one("#title-name", Static).render())


@pytest.mark.thorough
async def test_a_narrow_terminal_lists_parameters_below_each_other(inspect):
    async with inspect(size=(80, 40)) as inspector:
        lines = [line[25:].strip() for line in inspector.shown().splitlines()]
        place = lines.index("id  integer, required")
        assert lines[place + 1] == "Plant ID (1 to 99)"


async def test_the_selection_is_a_file_and_a_name(inspect):
    async with inspect() as inspector:
        await select(inspector, "water")
        assert Entry(inspector.screen.current.path, "water") == inspector.screen._selected


async def test_a_pane_follows_the_cursor_when_it_rests_or_another_key_is_pressed(inspect, monkeypatch):
    async with inspect() as inspector:
        shown, line = inspector.text("#tool-name"), inspector.one(ToolTree).cursor_line
        monkeypatch.setattr("bashkit_tui.main_screen.screen._REST", 3600.0)
        inspector.send("down", "down")
        await inspector.until(lambda: inspector.one(ToolTree).cursor_line == line + 2 and inspector.screen.behind)
        assert inspector.text("#tool-name") == shown
        inspector.send("y")
        await inspector.until(lambda: not inspector.screen.behind)
        assert inspector.text("#tool-name") != shown

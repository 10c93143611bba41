"""The form of a tool: filling it in, what it says meanwhile, and what becomes of its command."""

import pytest
from textual.widgets import Input, Select, Switch

from bashkit_tui.panes.tool.tool_form import ToolForm
from bashkit_tui.panes.tool.tool_view import ToolView
from bashkit_tui.widgets.json_tree import JsonTree
from bashkit_tui.widgets.output_log import OutputLog
from bashkit_tui.widgets.plain_inputs import PlainInput, PlainTextArea

SHELF = """\
version: 1
name: shelf
tools:
  - name: order
    description: Order things
    input_schema:
      type: object
      properties:
        count: {type: integer, minimum: 1, description: How many}
        size: {enum: [small, large], default: small}
        fast: {type: boolean, description: At once}
        labels: {type: array, items: {type: string}}
        address: {type: object, properties: {city: {type: string}}}
        extra: {type: object}
      required: [count]
    stub: ok
  - name: plain
    stub: fine
"""


@pytest.fixture
def form(inspect, tmp_path):
    """An inspector with the form of ``order`` open."""
    file = tmp_path / "shelf.yaml"
    file.write_text(SHELF)

    class Opening:
        async def __aenter__(self):
            self.context = inspect(file)
            inspector = await self.context.__aenter__()
            await inspector.until(lambda: inspector.screen.ready and inspector.one(ToolView)._definition is not None)
            await inspector.press("f")
            await inspector.until(
                lambda: inspector.one(ToolForm).rows and inspector.app.focused is row(inspector, "count").control
            )
            return inspector

        async def __aexit__(self, *error):
            await self.context.__aexit__(*error)

    return Opening


def row(inspector, name):
    return next(row for row in inspector.one(ToolForm).rows if row.item.name == name)


def line(inspector):
    return inspector.text("#form-line")


def verdict(inspector):
    return inspector.text("#form-verdict")


async def test_the_form_has_a_control_for_every_parameter_the_required_ones_first(form):
    async with form() as inspector:
        kinds = {row.item.name: type(row.control) for row in inspector.one(ToolForm).rows}
        assert kinds == {
            "count": PlainInput, "size": Select, "fast": Switch, "labels": PlainInput, "address.city": PlainInput,
            "extra": PlainTextArea, "standard input": PlainTextArea,
        }  # fmt: skip
        assert inspector.app.focused is row(inspector, "count").control


async def test_the_command_line_follows_what_is_typed(form):
    async with form() as inspector:
        assert (line(inspector), verdict(inspector)) == ("order", "✗ --count is required: expected integer")
        await inspector.press("2")
        assert (line(inspector), verdict(inspector)) == ("order --count 2", "✓ the tool would take this")
        row(inspector, "size").query_one(Select).value = "large"
        row(inspector, "address.city").control.focus()
        await inspector.press(*"New York")
        assert line(inspector) == "order --count 2 --size large --address.city 'New York'"


@pytest.mark.thorough
async def test_a_switch_is_a_flag(form):
    async with form() as inspector:
        await inspector.press("2")
        row(inspector, "fast").control.focus()
        await inspector.press("space")
        assert line(inspector) == "order --count 2 --fast"


@pytest.mark.thorough
async def test_rows_grow_while_they_are_filled(form):
    async with form() as inspector:
        labels = row(inspector, "labels")
        labels.control.focus()
        await inspector.press("2", "tab", "a", "tab", "b")
        assert [item.value for item in labels.query(Input)] == ["2", "a", "b", ""]
        assert line(inspector) == "order --labels 2 --labels a --labels b"


async def test_a_mistake_is_said_at_its_field_in_the_tools_own_words(form):
    async with form() as inspector:
        await inspector.press("0")
        assert str(row(inspector, "count").query_one(".field-problem").render()) == "expected at least 1, got 0"
        row(inspector, "extra").control.focus()
        await inspector.press("{")
        assert row(inspector, "extra").has_class("-wrong")
        await inspector.press("}")
        assert not row(inspector, "extra").has_class("-wrong")


@pytest.mark.thorough
async def test_what_is_missing_is_no_mistake_of_a_field_before_anything_was_typed(form):
    async with form() as inspector:
        assert not [row for row in inspector.one(ToolForm).rows if row.has_class("-wrong")]


async def test_enter_runs_the_command_and_leaves_the_script_alone(form):
    async with form() as inspector:
        inspector.script.editor.put("echo mine")
        await inspector.press("3", "enter")
        await inspector.ended()
        assert (inspector.tab, inspector.output) == ("script", ["ok"])
        assert inspector.script.editor.text == "echo mine"


async def test_a_form_with_mistakes_is_not_run(form):
    async with form() as inspector:
        await inspector.press("tab", "ctrl+r")
        assert inspector.notes == ["--count is required: expected integer"]
        assert inspector.script.outcome is None
        assert inspector.app.focused is row(inspector, "count").control


@pytest.mark.parametrize(
    ("before", "cursor", "after"),
    [
        pytest.param("", (0, 0), "order --count 3", marks=pytest.mark.thorough),
        pytest.param("echo a\n", (1, 0), "echo a\norder --count 3", marks=pytest.mark.thorough),
        ("echo a\necho b", (0, 2), "echo a\norder --count 3\necho b"),
    ],
)
async def test_the_command_goes_into_the_script_on_a_line_of_its_own(form, before, cursor, after):
    async with form() as inspector:
        inspector.script.editor.put(before)
        inspector.script.editor.move_cursor(cursor)
        await inspector.press("3", "ctrl+n")
        assert inspector.script.editor.text == after
        assert inspector.app.focused is inspector.script.editor


@pytest.mark.thorough
async def test_the_command_can_be_copied(form):
    async with form() as inspector:
        await inspector.press("3", "ctrl+y")
        assert inspector.app.clipboard == "order --count 3"


@pytest.mark.thorough
async def test_what_was_typed_is_still_there_after_a_look_at_another_tool(form):
    async with form() as inspector:
        await inspector.press("3", "escape", "down")
        await inspector.until(lambda: line(inspector) == "plain")
        await inspector.press("up")
        await inspector.until(lambda: line(inspector) == "order --count 3")


@pytest.mark.thorough
async def test_every_field_can_be_emptied(form):
    async with form() as inspector:
        await inspector.press("3", "ctrl+u")
        row(inspector, "size").control.focus()
        await inspector.press("ctrl+u")
        await inspector.until(lambda: line(inspector) == "order")


async def test_the_parts_of_a_tool_are_turned_over(inspect):
    async with inspect() as inspector:
        view = inspector.one(ToolView)
        view.show_part("about")
        await inspector.press("right_square_bracket", "right_square_bracket")
        assert view.part == "form"


@pytest.mark.thorough
async def test_the_schema_is_a_tree_that_folds(inspect):
    async with inspect() as inspector:
        inspector.one(ToolView).show_part("schema")
        await inspector.settled()
        tree = inspector.one(JsonTree)
        assert set(tree.shown) == {"input", "output"}
        shown = inspector.shown()
        assert 'description: "Plant ID"' in shown
        await inspector.press("enter")
        assert 'description: "Plant ID"' not in inspector.shown()


async def test_the_help_is_exactly_what_the_model_gets(inspect):
    async with inspect() as inspector:
        await inspector.run("get_plant --help")
        inspector.tab = "tool"
        inspector.one(ToolView).show_part("usage")
        await inspector.settled()
        assert inspector.text("#tool-help").splitlines() == inspector.one(OutputLog).text.splitlines()


@pytest.mark.thorough
async def test_a_category_has_no_form_and_says_so(inspect):
    async with inspect() as inspector:
        await inspector.press("3", "escape")
        inspector.one("#tree").focus()
        await inspector.press("home", "down", "f")
        assert inspector.notes == ["A form belongs to a tool: choose one in the tree."]
        assert inspector.tab == "prompt"

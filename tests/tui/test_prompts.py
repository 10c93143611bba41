"""The Prompt tab: exactly what the model sees, what it costs, how it differs from its snapshot."""

import shutil

import pytest
from textual.widgets import OptionList

from bashkit.prompts import Collection
from bashkit.prompts.exports import FORMS, export
from bashkit.tools.describe.help import tool_help
from bashkit.tools.describe.prompt import MODES
from bashkit.toolset import load
from bashkit_tui.panes.prompt.prompt_view import PromptView
from bashkit_tui.texts.formatting import measure
from bashkit_tui.toolsets.prompt_documents import prompts_of
from bashkit_tui.widgets.diff_view import DiffView
from bashkit_tui.widgets.text_view import TextView

from .conftest import FOLDER, GREENHOUSE

pytestmark = pytest.mark.thorough


@pytest.fixture
def kept(tmp_path):
    """A copy of the greenhouse whose snapshots are up to date."""
    file = tmp_path / "greenhouse.yaml"
    for name in ("greenhouse.yaml", "greenhouse_api.py"):
        shutil.copy(FOLDER / name, tmp_path)
    collection = Collection.of(load(file))
    collection.store.update(collection.texts())
    return file


@pytest.fixture
def changed(kept):
    """The same, with one description changed since."""
    kept.write_text(kept.read_text(encoding="utf-8").replace("Fetch a plant by ID", "Fetch one plant by its ID"))
    return kept


async def choose(inspector, name):
    view = inspector.one("#prompt-view", PromptView)
    at = next(at for at, item in enumerate(view._documents) if item is not None and item.name == name)
    inspector.one("#prompt-documents", OptionList).highlighted = at
    await inspector.settled()


def shown(inspector):
    return inspector.text("#prompt-text .text-body")


TOOL = load(GREENHOUSE).tool
TEXTS = {
    "system-prompt.md": TOOL.system_prompt(),
    **{f"system-prompt.{mode}.md": TOOL.system_prompt(mode) for mode in MODES},
    "help.md": TOOL.help(),
    **{f"{form}.json": export(TOOL, form) for form in FORMS},
    "tool.water.help.md": tool_help(TOOL.definitions[2]),
}


async def test_it_is_exactly_what_the_model_gets(inspect):
    async with inspect() as inspector:
        await inspector.press("3")
        assert inspector.text("#prompt-size").splitlines()[1] == measure(TEXTS["system-prompt.md"], 4000)
        for name, text in TEXTS.items():
            await choose(inspector, name)
            assert shown(inspector).rstrip("\n") == text.rstrip("\n"), name
            assert inspector.one("#prompt-text", TextView).text == text, name
            assert inspector.text("#prompt-size").splitlines()[0] == name


async def test_lengths_are_in_characters_and_an_estimate_in_tokens(inspect):
    async with inspect() as inspector:
        await inspector.press("3")
        assert inspector.text("#prompt-size").splitlines()[1] == measure(TEXTS["system-prompt.md"], 4000)
        assert measure("x" * 4001, 6000) == "4\u202f001 of 6\u202f000 characters, about 1\u202f001 tokens"


async def test_a_snapshot_is_new_same_or_changed(inspect, changed, tmp_path):
    new = tmp_path / "new.yaml"
    new.write_text("version: 1\nname: new\ntools: [{name: one, stub: 1}]\n")
    states = {
        new: {"system-prompt.md": "snapshot: new, not kept yet"},
        changed: {
            "system-prompt.md": "snapshot: changed",
            "tool.water.help.md": "snapshot: same",
            "system-prompt.compact.md": "",  # nobody asked for it to be kept
        },
    }
    for path, documents in states.items():
        async with inspect(path) as inspector:
            await inspector.press("3")
            for name, state in documents.items():
                await choose(inspector, name)
                assert inspector.text("#prompt-state") == state, name


async def test_d_shows_the_difference_one_below_the_other_and_side_by_side(inspect, changed):
    async with inspect(changed, size=(140, 40)) as inspector:
        await inspector.press("3", "d")
        text = inspector.text("#prompt-diff .diff-body")
        assert "-- `get_plant`: Fetch a plant by ID" in text
        assert "+- `get_plant`: Fetch one plant by its ID" in text
        assert " → " in inspector.text("#prompt-size")
        await inspector.press("d")
        rows = inspector.text("#prompt-diff .diff-body").splitlines()
        assert any(
            row.startswith("- `get_plant`: Fetch a plant by ID ") and " │ - `get_plant`: Fetch one plant by" in row
            for row in rows
        )
        await inspector.press("d")
        assert inspector.one("#prompt-diff", DiffView).display is False


async def test_where_nothing_changed_d_says_so(inspect, kept):
    async with inspect(kept) as inspector:
        await inspector.press("3", "d")
        assert inspector.notes == ["This text is as it was kept."]


async def test_n_goes_from_change_to_change_and_around(inspect, changed):
    async with inspect(changed) as inspector:
        await inspector.press("3")
        names = []
        for key in ("n", "n", "n", "N"):
            await inspector.press(key)
            names.append(inspector.text("#prompt-size").splitlines()[0])
        assert names == ["help.md", "schema.json", "tool.get_plant.help.md", "schema.json"]
        assert inspector.one("#prompt-diff", DiffView).display is True


async def test_a_accepts_and_u_takes_it_back_to_the_byte(inspect, changed):
    file = changed.parent / "__snapshots__" / "greenhouse" / "system-prompt.md"
    before = file.read_bytes()
    async with inspect(changed) as inspector:
        await inspector.press("3", "a")
        await inspector.until(lambda: inspector.text("#prompt-state") == "snapshot: same")
        assert "one plant by its ID" in file.read_text(encoding="utf-8")
        await inspector.press("u")
        await inspector.until(lambda: inspector.text("#prompt-state") == "snapshot: changed")
        assert file.read_bytes() == before
        await inspector.press("u")
        assert inspector.notes[-1] == "There is nothing to undo."


async def test_what_may_not_be_accepted_stays_as_it_is(inspect, changed, monkeypatch):
    file = changed.parent / "__snapshots__" / "greenhouse" / "system-prompt.md"
    async with inspect(changed) as inspector:
        with monkeypatch.context() as patch:
            patch.setenv("CI", "true")
            await inspector.press("3", "a")
        assert "nothing is written where CI is set" in inspector.notes[0]
        assert inspector.text("#prompt-state") == "snapshot: changed"
        file.write_text("theirs\n")
        await inspector.press("a")
        assert "was changed by another process" in inspector.notes[1]
        assert file.read_text(encoding="utf-8") == "theirs\n"


async def test_y_copies_what_is_shown(inspect, changed):
    async with inspect(changed) as inspector:
        await inspector.press("3", "y")
        assert inspector.app.clipboard == load(changed).tool.system_prompt()
        await inspector.press("d", "y")
        assert inspector.app.clipboard.startswith("--- system-prompt.md (kept)")


async def test_prompts_are_neither_markup_nor_control_sequences(inspect, tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text(
        'version: 1\nname: x\ntools:\n  - {name: one, description: "[bold]b[/] [@click=app.quit]q[/] \\e]0;t\\a \\u202ertl", stub: 1}\n'
    )
    async with inspect(file) as inspector:
        await inspector.press("3")
        assert "[bold]b[/] [@click=app.quit]q[/] ␛]0;t␇ �rtl" in shown(inspector)
        await inspector.press("d")
        assert "[bold]b[/] [@click=app.quit]q[/] ␛]0;t␇ �rtl" in inspector.text("#prompt-diff .diff-body")
        assert not any(sign in inspector.shown() for sign in "\x1b\x07\u202e")


async def test_half_a_toolset_is_not_compared(inspect):
    async with inspect("broken.yaml") as inspector:
        await inspector.press("3")
        assert (inspector.text("#prompt-state"), "hello" in shown(inspector)) == ("", True)


def test_two_files_that_would_share_a_folder_are_a_problem(tmp_path):
    for name in ("x.yaml", "x.toolset.yaml"):
        (tmp_path / name).write_text("version: 1\nname: x\ntools: [{name: one, stub: 1}]\n")
    found = prompts_of(load(tmp_path / "x.yaml"), whole=True)
    assert "would keep their snapshots in one folder" in found.trouble
    assert found.documents[0].text == load(tmp_path / "x.yaml").tool.system_prompt()


@pytest.mark.parametrize(("columns", "row"), [(140, 0), (100, 2)])
async def test_the_state_of_a_text_is_below_its_size_where_there_is_no_room(inspect, kept, columns, row):
    async with inspect(kept, size=(columns, 40)) as inspector:
        await inspector.press("3")
        size, state = inspector.one("#prompt-size"), inspector.one("#prompt-state")
        assert (state.region.y - size.region.y, size.region.height) == (row, 2)

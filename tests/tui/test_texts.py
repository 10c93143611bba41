"""The Help, System prompt and Problems tabs."""

import shutil

from textual.widgets import TabbedContent

from bashkit.prompts import SnapshotStore, documents
from bashkit.toolset import load
from bashkit_tui.documents import measure
from bashkit_tui.widgets.text_view import TextView

from .conftest import GREENHOUSE


async def test_help_is_exactly_what_the_model_gets(inspect):
    async with inspect() as inspector:
        await inspector.press("3")
        expected = load(GREENHOUSE).tool.help()
        assert inspector.one("#help-view", TextView).text == expected
        assert inspector.text("#help-view .text-body").rstrip() == expected.rstrip()


async def test_the_system_prompt_is_exactly_what_the_model_gets(inspect):
    async with inspect() as inspector:
        await inspector.press("4")
        assert inspector.text("#prompt-view .text-body").rstrip() == load(GREENHOUSE).tool.system_prompt().rstrip()


async def test_lengths_are_in_characters_and_an_estimate_in_tokens(inspect):
    async with inspect() as inspector:
        prompt = load(GREENHOUSE).tool.system_prompt()
        assert inspector.text("#prompt-view .measure-length") == measure(prompt, 4000)
        assert (
            measure("x" * 4001, 6000) == "4\u202f001 characters of 6\u202f000 allowed, about 1\u202f001 tokens (characters / 4)"
        )


async def test_a_snapshot_is_new_same_or_changed(inspect, tmp_path):
    file = tmp_path / "greenhouse.yaml"
    shutil.copy(GREENHOUSE, file)

    async def state():
        async with inspect(file) as inspector:
            return inspector.text("#help-view .measure-snapshot"), inspector.text("#prompt-view .measure-snapshot")

    assert await state() == ("snapshot: new, not kept yet",) * 2
    store = SnapshotStore.beside(file)
    store.update(documents(load(file).tool))
    assert await state() == ("snapshot: same",) * 2
    store.write("help.md", "an older help\n")
    assert await state() == ("snapshot: changed", "snapshot: same")


async def test_a_file_with_mistakes_opens_and_lists_them(inspect):
    async with inspect("broken.yaml") as inspector:
        await inspector.press("5")
        assert str(inspector.one(TabbedContent).get_tab("problems").label) == "Problems 1"
        assert inspector.text("#problem-list").splitlines() == [
            "broken.yaml:9:5  unknown key 'descripton'",
            "  9 │     descripton: A key with a slip in it",
            "    │     ^^^^^^^^^^",
            "  hint: did you mean description?",
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
        await inspector.press("5", "f4")
        await inspector.until(lambda: "there is no module nowhere" in inspector.text("#problem-list"))
        assert inspector.notes == ["2 problems: see the Problems tab."]


async def test_a_file_that_is_no_yaml_opens_too(inspect, tmp_path):
    file = tmp_path / "nothing.yaml"
    file.write_text("tools: [")
    async with inspect(file) as inspector:
        assert inspector.tree == ["nothing 0 !"]
        assert "YAML:" in inspector.text("#problem-list")
        await inspector.press("ctrl+r")
        assert inspector.notes == ["There is nothing to run scripts against: see the Problems tab."]


async def test_a_file_that_is_gone_is_a_problem(inspect, tmp_path):
    async with inspect(tmp_path / "gone.yaml") as inspector:
        assert "the file cannot be read" in inspector.text("#problem-list")


async def test_without_mistakes_the_problems_tab_says_so(inspect):
    async with inspect() as inspector:
        assert inspector.text("#problem-list").startswith("No problems.")
        assert str(inspector.one(TabbedContent).get_tab("problems").label) == "Problems"

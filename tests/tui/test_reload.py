"""Reading the files again: by hand, and when they change on disk."""

import shutil

import pytest

from bashkit.toolset.watching import signature_of

from .conftest import GREENHOUSE, open_toolset

pytestmark = pytest.mark.thorough

TEXT = """version: 1
name: small
description: {description}
tools:
  - {{name: one, description: The first, stub: 1}}
  - {{name: two, description: {two}, stub: 2}}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(TEXT.format(description="before", two="The second"))
    return path


async def test_a_change_on_disk_is_seen(inspect, file):
    async with inspect(file, poll_seconds=0.05) as inspector:
        file.write_text(TEXT.format(description="after the change", two="The second"))
        await inspector.until(lambda: inspector.screen.current.toolset.description == "after the change")


async def test_a_reload_keeps_the_selection_and_the_script(inspect, file):
    async with inspect(file) as inspector:
        await inspector.press("end")
        await inspector.write("two --help")
        file.write_text(TEXT.format(description="before", two="Changed"))
        await inspector.press("f2")
        await inspector.until(lambda: inspector.screen.current.tool("two").definition.description == "Changed")
        await inspector.until(lambda: inspector.screen.ready)
        assert inspector.script.editor.text == "two --help"
        assert inspector.tab == "script"
        assert inspector.app.focused is inspector.script.editor
        await inspector.press("escape", "1")
        assert (inspector.text("#tool-name"), inspector.text("#tool-description")) == ("two", "Changed")


async def test_ctrl_l_reloads_too(inspect, file):
    async with inspect(file) as inspector:
        file.write_text(TEXT.format(description="again", two="x"))
        await inspector.press("ctrl+l")
        await inspector.until(lambda: inspector.screen.current.toolset.description == "again")


async def test_a_tool_that_is_gone_gives_its_selection_to_another(inspect, file):
    async with inspect(file) as inspector:
        await inspector.press("end")
        file.write_text("version: 1\nname: small\ntools: [{name: one, stub: 1}]\n")
        await inspector.press("f2")
        await inspector.until(lambda: inspector.text("#tool-name") == "one")


async def test_half_a_line_keeps_the_tools_of_before(inspect, file):
    async with inspect(file) as inspector:
        file.write_text(TEXT.format(description="x", two="y") + "\n  - {name: thr")
        await inspector.press("f2")
        await inspector.until(lambda: inspector.screen.current.stale)
        assert inspector.tree == ["small 2 !", "  one", "  two"]
        await inspector.press("4")
        assert inspector.text("#problem-note").startswith("The file cannot be read any more")
        file.write_text(TEXT.format(description="x", two="y"))
        await inspector.press("f2")
        await inspector.until(lambda: not inspector.screen.current.stale)
        assert inspector.screen.current.problems == ()


def test_included_and_context_files_are_watched_as_well(tmp_path):
    shutil.copy(GREENHOUSE, tmp_path / "part.yaml")
    (tmp_path / "context").mkdir()
    (tmp_path / "context" / "a.md").write_text("a")
    file = tmp_path / "whole.yaml"
    file.write_text("version: 1\nname: whole\ninclude: [part.yaml]\nprompt: {context: [context/*.md]}\ntools: []\n")
    opened = open_toolset(file)
    assert opened.problems == ()
    assert {path.name for path in opened.files} == {"whole.yaml", "part.yaml", "a.md", "whole"}  # the last one has the snapshots
    (tmp_path / "context" / "a.md").write_text("changed")
    assert signature_of(opened.files) != opened.signature


async def test_a_run_against_a_broken_file_says_that_it_uses_the_last_good_version(inspect, file):
    async with inspect(file) as inspector:
        await inspector.run("one")
        assert "broken" not in inspector.status
        file.write_text(TEXT.format(description="x", two="y") + "\n  - {name: thr")
        await inspector.press("f2")
        await inspector.until(lambda: inspector.screen.current.stale and inspector.screen.ready)
        await inspector.run("one")
        assert inspector.status.endswith("small.yaml is broken: this was its last good version")

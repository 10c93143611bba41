"""Python in the Script pane: in here-documents of bash, and as the language of a toolset."""

import pytest

from bashkit_tui.panes.script.call_tree import CallTree

pytest.importorskip("pydantic_monty", reason="the extra python is not installed")

TOOLSET = """\
version: 1
name: garden
language: python
tools:
  - name: get_plant
    input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}
    stub: {name: Fern}
"""
HERE = "echo 'if'\npython3 - <<'E'\nfrom tools import get_plant\nfor n in (1, 2):\n    get_plant(id=n)  # if\nE\necho for"


def captures(editor, row):
    """What is coloured in a row: its text and what it is called."""
    line = editor.document.get_line(row)
    return {(line[start:end], name) for start, end, name in editor._highlights[row]}


@pytest.mark.usefixtures("tree_sitter")
async def test_a_here_document_has_the_colours_of_python(inspect):
    async with inspect() as inspector:
        await inspector.write(HERE)
        editor = inspector.script.editor
        assert captures(editor, 2) == {("from", "keyword"), ("import", "keyword")}
        assert captures(editor, 4) == {("get_plant", "function"), ("id", "property"), ("# if", "comment")}
        assert ("'if'", "string") in captures(editor, 0)
        assert ("echo", "function") in captures(editor, 6)


@pytest.mark.usefixtures("tree_sitter")
async def test_a_here_document_of_another_command_has_not(inspect):
    async with inspect() as inspector:
        await inspector.write("cat <<'E'\nfrom x import y\nE")
        assert captures(inspector.script.editor, 1) == {("from x import y", "string")}


async def test_calls_from_python_are_in_the_trace(inspect):
    async with inspect() as inspector:
        await inspector.run(HERE)
        assert [row[:2] for row in inspector.one(CallTree).table()] == [["3:1", "python3 > get_plant"]] * 2


async def test_a_toolset_of_python_is_written_and_run_in_python(inspect, tmp_path):
    (tmp_path / "garden.yaml").write_text(TOOLSET)
    async with inspect(tmp_path / "garden.yaml") as inspector:
        editor = inspector.script.editor
        await inspector.write("x = (\n")
        assert (editor.language, inspector.text("#syntax")) == ("python", "… 1:5  '(' was never closed")
        await inspector.run("\nget_plant(id=1)['name']")
        assert inspector.output == ['"Fern"']
        assert [row[:2] for row in inspector.one(CallTree).table()] == [["2:1", "get_plant"]]

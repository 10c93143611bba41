"""What a call gave becomes a part of the toolset file: shown first, and written when the user says so."""

import pytest
import yaml

from bashkit_tui.screens.call import CallScreen
from bashkit_tui.screens.learning import LearnScreen
from bashkit_tui.widgets.diff_view import DiffView

pytestmark = pytest.mark.thorough

TEXT = """\
version: 1
name: garden
tools:
  # of the garden
  - name: get_plant
    description: Get a plant
    input_schema: {properties: {id: {type: integer}}}
    callback: {script: 'echo "{\\"id\\": $id}"'}
"""


async def opened(inspector, key):
    """Run a script, open the details of its call, and press a key."""
    await inspector.run("get_plant --id 1")
    inspector.one("#trace").focus()
    await inspector.press("enter")
    await inspector.until(lambda: isinstance(inspector.screen, CallScreen))
    await inspector.settled()
    await inspector.press(key)


@pytest.mark.parametrize(
    ("key", "learned"),
    [
        ("o", "output_schema"),
        ("u", "stubs"),
        ("e", "examples"),
        ("t", "tests"),
    ],
)
async def test_a_key_shows_what_is_learned_and_y_writes_it(inspect, tmp_path, key, learned):
    path = tmp_path / "garden.yaml"
    path.write_text(TEXT)
    async with inspect(path) as inspector:
        await opened(inspector, key)
        await inspector.until(lambda: isinstance(inspector.screen, LearnScreen))
        assert f"+{'' if key == 't' else '    '}{learned}:" in inspector.one(DiffView).diff
        assert path.read_text() == TEXT
        await inspector.press("y")
        await inspector.until(lambda: isinstance(inspector.screen, CallScreen))
    text = path.read_text()
    assert "  # of the garden\n" in text
    value = yaml.safe_load(text)
    assert learned in (value if key == "t" else value["tools"][0])


async def test_n_writes_nothing_and_what_is_not_learned_is_said(inspect, tmp_path):
    path = tmp_path / "garden.yaml"
    path.write_text(TEXT.replace("description: Get a plant", "output_schema: {type: object, properties: {id: {type: integer}}}"))
    before = path.read_text()
    async with inspect(path) as inspector:
        await opened(inspector, "t")
        await inspector.until(lambda: isinstance(inspector.screen, LearnScreen))
        await inspector.press("n")
        await inspector.until(lambda: isinstance(inspector.screen, CallScreen))
        await inspector.press("o")
        await inspector.settled()
        assert isinstance(inspector.screen, CallScreen)
        assert any("as the tool's output_schema says" in note for note in inspector.notes)
    assert path.read_text() == before


async def test_one_call_teaches_more_than_one_thing(inspect, tmp_path):
    path = tmp_path / "garden.yaml"
    path.write_text(TEXT)
    async with inspect(path) as inspector:
        await opened(inspector, "o")
        for key in ("u", "e", "t", ""):
            await inspector.until(lambda: isinstance(inspector.screen, LearnScreen))
            await inspector.press("y")
            await inspector.until(lambda: isinstance(inspector.screen, CallScreen))
            if key:
                await inspector.press(key)
    value = yaml.safe_load(path.read_text())
    assert {"output_schema", "stubs", "examples"} <= set(value["tools"][0])
    assert len(value["tests"]) == 1
    assert "  # of the garden\n" in path.read_text()

"""The screens as pictures: `pytest tests/tui --snapshot-update` keeps them anew after a change that was meant.

Each at a usual and at the smallest size, in the dark and in the light theme.
"""

import shutil

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from bashkit.prompts import Collection
from bashkit.toolset import load
from bashkit_tui.panes.script.script_editor import ScriptEditor
from bashkit_tui.settings.themes import CONTRAST, DARK, LIGHT

from .conftest import FOLDER

SCRIPT = """\
# the names of two plants
for id in 1 2; do
  get_plant --id $id | jq -r .name
done
get_plant --id 7 || echo "status $?" >&2
"""


@pytest.fixture
def picture(snapshot):
    """Compare what an inspector shows with the kept picture."""
    kept = snapshot.use_extension(SVGImageSnapshotExtension)

    async def compare(inspector):
        for editor in inspector.screen.query(ScriptEditor):
            editor.cursor_blink = False
        for field in inspector.screen.query("Input"):
            field.cursor_blink = False
        await inspector.settled()
        assert inspector.app.export_screenshot(title="bashkit", simplify=True) == kept

    return compare


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """Enter a folder with a greenhouse whose snapshots are a little older than it is."""

    def entered():
        monkeypatch.chdir(tmp_path)
        for name in ("greenhouse.yaml", "greenhouse_api.py"):
            shutil.copy(FOLDER / name, tmp_path)
        collection = Collection.of(load("greenhouse.yaml"))
        collection.store.update(collection.texts())
        text = (tmp_path / "greenhouse.yaml").read_text(encoding="utf-8")
        (tmp_path / "greenhouse.yaml").write_text(text.replace("Fetch a plant by ID", "Fetch one plant by its ID"))
        return "greenhouse.yaml"

    return entered


every_look = pytest.mark.parametrize(
    ("size", "theme"),
    [((columns, rows), theme) for columns, rows in ((140, 40), (80, 24)) for theme in (DARK, LIGHT)],
    ids=lambda value: value.name.removeprefix("bashkit-") if hasattr(value, "name") else "x".join(map(str, value)),
)


@every_look
async def test_filtered_tree(inspect, picture, size, theme):
    async with inspect(size=size, theme=theme) as inspector:
        await inspector.press("slash", *"pl")
        await picture(inspector)


@every_look
async def test_prompt(inspect, picture, size, theme):
    async with inspect(size=size, theme=theme) as inspector:
        await inspector.press("3")
        await picture(inspector)


@every_look
async def test_prompt_beside_its_snapshot(inspect, picture, changed, size, theme):
    async with inspect(changed(), size=size, theme=theme) as inspector:
        await inspector.press("3", "d", "d")
        await picture(inspector)


@every_look
async def test_review(inspect, picture, changed, size, theme):
    async with inspect(changed(), size=size, theme=theme) as inspector:
        await inspector.press("r")
        await inspector.until(lambda: inspector.screen.queue is not None)
        await inspector.press("a", "x", "n", "p")
        await picture(inspector)


@every_look
async def test_problems(inspect, picture, size, theme):
    async with inspect("broken.yaml", size=size, theme=theme) as inspector:
        await inspector.press("4")
        await picture(inspector)


@every_look
async def test_keys(inspect, picture, size, theme):
    async with inspect(size=size, theme=theme) as inspector:
        await inspector.press("f1")
        await picture(inspector)


@every_look
async def test_jump(inspect, picture, size, theme):
    async with inspect(size=size, theme=theme) as inspector:
        await inspector.press("3", "j")
        await picture(inspector)


@every_look
async def test_themes(inspect, picture, size, theme):
    async with inspect(size=size, theme=theme) as inspector:
        await inspector.press("ctrl+t")
        await picture(inspector)


async def test_tool_in_high_contrast(inspect, picture):
    async with inspect(size=(140, 40), theme=CONTRAST) as inspector:
        await picture(inspector)


async def test_script_after_a_run(inspect, picture, no_time):
    """The README shows this one."""
    async with inspect() as inspector:
        await inspector.run(SCRIPT)
        await picture(inspector)

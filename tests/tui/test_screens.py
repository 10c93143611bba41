"""The screens as pictures: `pytest -m '' tests/tui --snapshot-update` keeps them anew after a change that was meant.

Each at a usual and at the smallest size, in the dark and in the light theme.
"""

import shutil

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from bashkit.prompts import Collection
from bashkit.toolset import load
from bashkit_tui.settings.themes import CONTRAST

from .conftest import FOLDER
from .pictures import both_sizes, in_both_themes, picture

SCRIPT = """\
# the names of two plants
for id in 1 2; do
  get_plant --id $id | jq -r .name
done
get_plant --id 7 || echo "status $?" >&2
"""


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


@pytest.mark.thorough
@both_sizes
async def test_filtered_tree(inspect, snapshot, size):
    async with inspect(size=size) as inspector:
        await inspector.press("slash", *"pl")
        assert await in_both_themes(inspector, snapshot) == []


@pytest.mark.thorough
@both_sizes
async def test_prompt(inspect, snapshot, size):
    async with inspect(size=size) as inspector:
        await inspector.press("3")
        assert await in_both_themes(inspector, snapshot) == []


@pytest.mark.thorough
@both_sizes
async def test_prompt_beside_its_snapshot(inspect, snapshot, changed, size):
    async with inspect(changed(), size=size) as inspector:
        await inspector.press("3", "d", "d")
        assert await in_both_themes(inspector, snapshot) == []


@pytest.mark.thorough
@both_sizes
async def test_review(inspect, snapshot, changed, size):
    async with inspect(changed(), size=size) as inspector:
        await inspector.press("r")
        await inspector.until(lambda: inspector.screen.queue is not None)
        await inspector.press("a", "x", "n", "p")
        assert await in_both_themes(inspector, snapshot) == []


@both_sizes
async def test_problems(inspect, snapshot, size):
    async with inspect("broken.yaml", size=size) as inspector:
        await inspector.press("4")
        assert await in_both_themes(inspector, snapshot) == []


@both_sizes
async def test_keys(inspect, snapshot, size):
    async with inspect(size=size) as inspector:
        await inspector.press("f1")
        assert await in_both_themes(inspector, snapshot) == []


@both_sizes
async def test_jump(inspect, snapshot, size):
    async with inspect(size=size) as inspector:
        await inspector.press("3", "j")
        assert await in_both_themes(inspector, snapshot) == []


@both_sizes
async def test_themes(inspect, snapshot, size):
    async with inspect(size=size) as inspector:
        await inspector.press("ctrl+t")
        assert await picture(inspector) == snapshot(extension_class=SVGImageSnapshotExtension)


async def test_tool_in_high_contrast(inspect, snapshot):
    async with inspect(size=(140, 40), theme=CONTRAST) as inspector:
        assert await picture(inspector) == snapshot(extension_class=SVGImageSnapshotExtension)


@pytest.mark.usefixtures("tree_sitter")
async def test_script_after_a_run(inspect, snapshot, no_time):
    """The README shows this one."""
    async with inspect() as inspector:
        await inspector.run(SCRIPT)
        assert await picture(inspector) == snapshot(extension_class=SVGImageSnapshotExtension)

"""The main screens as pictures: `pytest tests/tui --snapshot-update` keeps them anew after a change that was meant."""

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from bashkit_tui.widgets.script_editor import ScriptEditor

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
        await inspector.pilot.pause()
        assert inspector.app.export_screenshot(title="bashkit", simplify=True) == kept

    return compare


async def test_tool(inspect, picture):
    async with inspect() as inspector:
        await picture(inspector)


async def test_tool_in_a_small_light_terminal(inspect, picture):
    async with inspect(size=(80, 24)) as inspector:
        await inspector.press("ctrl+t")
        await picture(inspector)


async def test_script_after_a_run(inspect, picture, no_time):
    async with inspect() as inspector:
        await inspector.run(SCRIPT)
        await picture(inspector)


async def test_system_prompt(inspect, picture):
    async with inspect(size=(100, 30)) as inspector:
        await inspector.press("4")
        await picture(inspector)


async def test_problems(inspect, picture):
    async with inspect("broken.yaml", size=(100, 30)) as inspector:
        await inspector.press("5")
        await picture(inspector)


async def test_keys(inspect, picture):
    async with inspect(size=(100, 40)) as inspector:
        await inspector.press("f1")
        await picture(inspector)

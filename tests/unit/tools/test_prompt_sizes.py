"""How long prompts are, as a table that shows what a change does to them: characters of what a model reads in each mode."""

import json
from pathlib import Path

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bashkit.tools import ScriptedTool
from bashkit.tools.describe.prompt import MODES
from bashkit.tools.offer import Offer
from bashkit.toolset import load

SHOP = Path(__file__).parents[3] / "toolsets" / "shop.yaml"


class TableExtension(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


def sizes(tool):
    """What a model reads of a tool: plain definitions of its commands, and the bash tool with its prompt in each mode."""
    plain = json.dumps(Offer(tool, "tools").definitions("openai"))
    scripts = [
        json.dumps(Offer(tool, "bash", with_prompt=False).definitions("openai")) + tool.system_prompt(mode) for mode in MODES
    ]
    return [len(text) for text in (plain, *scripts)]


def test_the_sizes_of_prompts(business, snapshot):
    tools = {
        f"business, {count}": ScriptedTool("b", tools=[(item, lambda _: None) for item in business[:count]])
        for count in (1, 10, 100, 300)
    }
    tools["shop"] = load(SHOP, environ={}).tool
    rows = [("tools", "plain", *MODES), *((name, *map(str, sizes(tool))) for name, tool in tools.items())]
    table = "".join(f"{row[0]:14}{''.join(f'{cell:>11}' for cell in row[1:])}\n" for row in rows)
    assert table == snapshot.use_extension(TableExtension)


@pytest.mark.parametrize("count", [10, 100, 300])
def test_scripts_cost_less_to_explain_than_tools_by_themselves(business, count):
    plain, full, compact, discovery = sizes(ScriptedTool("b", tools=[(item, lambda _: None) for item in business[:count]]))
    assert full < 0.85 * plain
    assert compact < 0.6 * plain
    assert discovery < compact

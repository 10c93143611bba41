"""What each tool takes of a prompt: a bar for each, and what a change of the file does to it."""

import shutil

import pytest

from bashkit.prompts.shares import Change, Shares, shares_of
from bashkit.toolset import load
from bashkit_tui.panes.prompt.cost_chart import CostChart
from bashkit_tui.texts.cost_rows import MOST, CostRow, cost_rows
from bashkit_tui.texts.formatting import signed

from .conftest import FOLDER, GREENHOUSE
from .test_prompts import choose


@pytest.fixture
def copy(tmp_path):
    for name in ("greenhouse.yaml", "greenhouse_api.py"):
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path / "greenhouse.yaml"


def lines(inspector):
    return inspector.text("#prompt-costs").splitlines()


def test_rows():
    shares = Shares(100, {"a": 40, "b": 27})
    assert cost_rows(shares, None) == [CostRow("a", 40), CostRow("b", 27), CostRow("(the rest)", 33, tool=False)]
    change = Change(18, {"a": -10}, {"b": 27}, {"c": 9})
    assert cost_rows(shares, change) == [
        CostRow("a", 40, -10),
        CostRow("b", 27, 27, "new"),
        CostRow("(the rest)", 33, tool=False),
        CostRow("c", 0, -9, "gone"),
    ]
    assert cost_rows(Shares(50, {}), None) == []


def test_of_very_many_tools_the_cheapest_share_a_row_unless_they_changed():
    tools = {f"t{number}": 2 for number in range(MOST + 5)}
    rows = cost_rows(Shares(1000, tools), Change(1, {f"t{MOST + 4}": 1}, {}, {}))
    assert [row.name for row in rows[MOST:]] == [f"t{MOST + 4}", "(4 more tools)", "(the rest)"]
    assert rows[MOST + 1].tokens == 8


def test_signs():
    assert (signed(12), signed(-1200)) == ("+12", "\u22121\u202f200")


async def test_every_tool_has_a_bar_the_most_expensive_first(inspect):
    async with inspect() as inspector:
        await inspector.press("3")
        expected = shares_of(load(GREENHOUSE).tool)
        assert [(line.split()[0], int(line.split()[-1])) for line in lines(inspector)[:-1]] == list(expected.tools.items())
        bars = [line.count("█") for line in lines(inspector)]
        assert bars == sorted(bars, reverse=True)
        assert bars[0] > bars[1] > 0
        assert not any(mark in "".join(lines(inspector)) for mark in "+\u2212")
        await choose(inspector, "system-prompt.compact.md")
        compact = shares_of(load(GREENHOUSE).tool, "compact")
        assert [line.split()[0] for line in lines(inspector)[:-1]] == list(compact.tools)
        for without in ("system-prompt.discovery.md", "help.md"):
            await choose(inspector, without)
            assert not inspector.one(CostChart).display


@pytest.mark.thorough
async def test_a_change_of_the_file_shows_what_it_costs(inspect, copy):
    async with inspect(copy) as inspector:
        await inspector.press("3")
        before = shares_of(load(copy).tool)
        text = copy.read_text(encoding="utf-8").replace(
            "Fetch a plant by ID", "Fetch a plant by the number that is written on its pot"
        )
        text = text.replace("name: about", "name: around")
        copy.write_text(text, encoding="utf-8")
        await inspector.press("f2")
        await inspector.until(lambda: inspector.screen.ready and "opened" in inspector.text("#prompt-size"))
        await inspector.settled()
        after = shares_of(load(copy).tool)
        assert f"{signed(after.tokens - before.tokens)} tokens since it was opened" in inspector.text("#prompt-size")
        ends = {line.split()[0]: line.split()[-1] for line in lines(inspector)}
        assert ends["get_plant"] == signed(after.tools["get_plant"] - before.tools["get_plant"])
        assert (ends["around"], ends["about"]) == ("new", "gone")
        copy.write_text("version: 1\nname: greenhouse\ntools: [", encoding="utf-8")  # half a line leaves what is known
        await inspector.press("f2")
        await inspector.until(lambda: inspector.screen.ready and inspector.screen.current.stale)
        await inspector.settled()
        assert {line.split()[0]: line.split()[-1] for line in lines(inspector)} == ends


@pytest.mark.thorough
async def test_b_shows_and_hides_the_bars(inspect):
    for height, at_first in ((40, True), (24, False)):
        async with inspect(size=(80, height)) as inspector:
            await inspector.press("3")
            assert inspector.one(CostChart).display is at_first
            await inspector.press("b")
            assert inspector.one(CostChart).display is not at_first
            await inspector.press("b")
            assert inspector.one(CostChart).display is at_first
            await choose(inspector, "help.md")
            await inspector.press("b")
            assert inspector.notes == ["Only system prompts that describe their tools are taken apart."]

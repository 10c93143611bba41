"""What each tool takes of a prompt, and how that changes."""

import pytest

from bashkit.prompts import shares
from bashkit.prompts.shares import Shares, change_of, shares_of
from bashkit.prompts.sizes import Size
from bashkit.tools import ScriptedTool, ToolDef
from bashkit.tools.describe.prompt import MODES

LONG = ToolDef("look", "Look for what is written in every book of the library, and say on which page")
SHORT = ToolDef("go", "Go")
TOOLS = [(SHORT, lambda args: ""), (LONG, lambda args: "")]


@pytest.fixture(autouse=True)
def words_are_counted(monkeypatch):
    """Every word is a token, so that nothing is rounded."""
    monkeypatch.setattr(shares, "size_of", lambda text: Size(len(text), len(text.split())))


@pytest.mark.parametrize("language", ["bash", "python", "both"])
@pytest.mark.parametrize("mode", MODES)
def test_the_lines_of_every_tool_stand_in_the_prompt(language, mode):
    tool = ScriptedTool("api", tools=TOOLS, language=language)
    parts = MODES[mode].parts
    if parts is None:
        assert dict(shares_of(tool, mode).tools) == {}
        return
    text = tool.system_prompt(mode)
    described = ["\n".join(lines) + "\n" for lines in parts(tool.definitions, tool.dialect)]
    assert len(described) == 2
    assert all(lines in text for lines in described)
    for lines in described:
        text = text.replace(lines, "", 1)
    found = shares_of(tool, mode)
    assert (found.rest, found.counted) == (len(text.split()), True)
    assert found.tokens == len(tool.system_prompt(mode).split())


def test_the_most_expensive_tool_comes_first():
    tool = ScriptedTool("api", tools=TOOLS)
    assert list(shares_of(tool).tools) == ["look", "go"]
    assert shares_of(tool).tools["look"] > shares_of(tool, "compact").tools["go"]


def test_without_a_tokenizer_tokens_are_estimated(monkeypatch):
    monkeypatch.setattr(shares, "size_of", lambda text: Size(len(text)))
    tool = ScriptedTool("api", tools=TOOLS)
    found = shares_of(tool)
    assert (found.tokens, found.counted) == (-(-len(tool.system_prompt()) // 4), False)


def test_a_toolset_without_tools_has_a_prompt():
    tool = ScriptedTool("api", tools=[])
    assert shares_of(tool) == Shares(len(tool.system_prompt().split()), {}, counted=True)


def test_changes_by_tool():
    before = Shares(100, {"a": 50, "b": 20, "gone": 10, "same": 5})
    after = Shares(112, {"a": 40, "b": 25, "new": 27, "same": 5})
    change = change_of(before, after)
    assert (change.tokens, change.tools) == (12, {"a": -10, "b": 5})
    assert (change.added, change.removed) == ({"new": 27}, {"gone": 10})
    assert change
    assert not change_of(after, after)

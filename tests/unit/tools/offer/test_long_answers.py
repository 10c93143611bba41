"""What a model reads of outputs that are far too long for it, where nobody has said how many characters it gets."""

import json
import re

import pytest

from bashkit import BashTool, Offer, ScriptedTool, ToolDef, ToolResponse

MOST = 100_000
BIG = [
    (ToolDef("big", "Big"), lambda args: "x" * 500_000),
    (ToolDef("row", "Row", output_schema={"type": "object"}), lambda args: {"text": "x" * 500_000}),
]
SESSIONS = {"scripted": lambda: ScriptedTool("desk", persistent=True), "bash": lambda: BashTool(persistent=True)}


def answered(tool, script):
    answer = Offer(tool).tools[0].call_sync({"commands": script})
    assert json.loads(answer.text) == answer.structured
    return answer


@pytest.mark.parametrize("tool", [ScriptedTool("desk"), BashTool()], ids=["scripted", "bash"])
def test_the_middle_is_cut_out_and_the_host_has_everything(tool):
    answer = answered(tool, "seq 100000; seq 50000 >&2")
    stdout, stderr = answer.structured["stdout"], answer.structured["stderr"]
    assert len(stdout) <= MOST
    assert re.search(r"\d characters left out \(lines 10\d\d\d to 91\d\d\d\); print less: select fields with jq", stdout)
    assert stdout.startswith("1\n2\n")
    assert stdout.endswith("99999\n100000\n")
    assert answer.response.full_stdout.count("\n") == 100_000
    assert len(stderr) <= MOST < len(answer.response.stderr)
    assert "characters left out" in stderr


@pytest.mark.parametrize("make", SESSIONS.values(), ids=list(SESSIONS))
def test_a_session_has_the_last_two_in_files(make):
    tool = make()
    for number in (1, 2, 3):
        stdout = answered(tool, f"yes {number} | head -n 100000").structured["stdout"]
        assert f"everything is in /tmp/stdout-{number}.txt: page with sed -n" in stdout
    assert answered(tool, "cd /tmp; wc -c stdout-*").structured["stdout"].split("\n")[:2] == [
        "200000 stdout-2.txt",
        "200000 stdout-3.txt",
    ]


def test_what_the_host_has_said_counts_be_it_more_or_less():
    assert len(answered(ScriptedTool("desk", max_result_chars=400), "seq 1000").structured["stdout"]) <= 400
    assert len(answered(ScriptedTool("desk", max_result_chars=300_000), "seq 40000").structured["stdout"]) == 228_894


def test_execute_gives_everything():
    assert (
        len(ScriptedTool("desk").execute_sync("seq 100000").stdout)
        == len(BashTool().execute_sync("seq 100000").stdout)
        == 588_895
    )


@pytest.mark.parametrize("name", ["big", "row"])
def test_a_command_by_itself(name):
    (tool,) = [tool for tool in Offer(ScriptedTool("desk", tools=BIG), "tools").tools if tool.name == name]
    answer = tool.call_sync({})
    assert (answer.failed, answer.structured) == (False, None)  # half of an object obeys no schema
    assert len(answer.text) <= MOST
    assert "characters left out (of line 1); ask for less, where the parameters can say so" in answer.text
    assert len(answer.response.stdout) >= 500_000


def test_a_tool_of_the_host():
    class Own:
        name, short_description, version = "own", "Own", "1"

        def __init__(self):
            inner = BashTool()
            for method in ("description", "help", "system_prompt", "input_schema", "output_schema", "execute_with_status"):
                setattr(self, method, getattr(inner, method))

        async def execute(self, request):
            return ToolResponse("x" * 500_000, "", 0)

    answer = answered(Own(), "anything")
    assert len(answer.structured["stdout"]) <= MOST
    assert len(answer.response.full_stdout) == 500_000

"""The page of messages has every warning, and every message of a script is what scripts get to read."""

import ast
import re
from pathlib import Path

import pytest

from bashkit.tools import Policy, ScriptedTool, ToolDef

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/pages/reference/messages.md").read_text(encoding="utf-8")
SCRIPTS = [
    ("fetch", "TOOL: --FLAG is required: expected TYPE"),
    ("fetch --id x", "TOOL: --FLAG: expected TYPE, got VALUE"),
    ("fetch --id 1 --idd 2", "TOOL: warning: --FLAG is not a parameter"),
    ("fetch --id 1 2", "TOOL: unexpected argument WORD: parameters are written --name value"),
    ("fetsh", "bash: NAME: command not found"),
    ("fetch --id 1 | jq .idd", "hint: .FIELD: no such key"),
    ("curl http://example.com", "curl: (7) network access is off in this sandbox"),
    ("while :; do :; done", "limit exceeded: LIMIT (VALUE)"),
    ("if true; then", "syntax error: unexpected end of file"),
    ("echo 'a", "unexpected EOF while looking for matching"),
    ("python3 -c 'import os; os.system(1)'", "hint: line N: Module MODULE has no member NAME"),
    ("once; once", "TOOL: called more than N times in one script"),
    ("change", "TOOL: the call was not approved"),
    ("forbidden", "TOOL: the call is not allowed"),
    ("destroy", "TOOL: this call needs an approval, and nobody can be asked"),
]


def rows(section):
    """The first cells of the table below a heading."""
    below = PAGE.split(f"## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]*(?:`[^|`]*)*)` \|", below, re.MULTILINE)


@pytest.fixture(scope="module")
def tools():
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    builder = (
        ScriptedTool.builder("t")
        .tool(ToolDef("fetch", "d", schema, effects="read"), lambda args: {"id": args["id"]})
        .tool(ToolDef("forbidden", "d", effects="read"), lambda args: "x")
        .tool(ToolDef("destroy", "d", effects="destructive"), lambda args: "x")
        .tool(ToolDef("change", "d", effects="write"), lambda args: "x")
        .tool(ToolDef("once", "d", effects="read", max_calls=1), lambda args: "x")
    )
    decide = {"forbidden": "deny", "change": "ask"}
    asked = builder.options(policy=Policy(decide=lambda call: decide.get(call.tool), approve=lambda call: False)).build()
    return builder.options(policy=Policy(decide=lambda call: decide.get(call.tool))).build(), asked


@pytest.mark.parametrize(("script", "message"), SCRIPTS)
def test_a_script_reads_the_message(tools, script, message):
    tool = tools[message.endswith("not approved")]
    parts = re.split(r"\b(TOOL|FLAG|TYPE|VALUE|WORD|NAME|FIELD|LIMIT|MODULE|N)\b", message)
    pattern = ".+".join(map(re.escape, parts[::2]))
    assert re.search(pattern, tool.execute_sync(script).stderr)


def test_the_page_has_these_messages():
    assert rows("What a script reads") == [message for _, message in SCRIPTS]


def test_the_page_has_every_warning():
    assert sorted(rows("What `check` warns of")) == sorted(set(_codes()))


def _codes():
    """The codes of all warnings, as the sources write them."""
    for file in (ROOT / "bashkit/toolset").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "warning":
                code = node.args[1] if len(node.args) > 1 else None
                if isinstance(code, ast.Constant) and " " not in str(code.value):
                    yield code.value

import json

from bashkit.prompts import documents
from bashkit.prompts.exports import FORMS, export
from bashkit.tools import ScriptedTool, ToolDef


def tool(*names, description="Does it"):
    return ScriptedTool("api", tools=[(ToolDef(name, description), print) for name in names])


def test_y06_the_documents_of_a_toolset():
    found = documents(tool("get_user", "data-tools:csv"))
    assert set(found) == {
        "system-prompt.md", "help.md", "schema.json", "openai.json", "anthropic.json", "mcp.json",
        "tool.get_user.help.md", "tool.data-tools%3Acsv.help.md",
    }  # fmt: skip
    assert found["system-prompt.md"] == tool("get_user", "data-tools:csv").system_prompt()
    assert found["tool.get_user.help.md"].startswith("Usage: get_user\n")
    assert "bashkit 0" not in found["help.md"]
    assert found["help.md"].startswith("API(1)")
    assert found["schema.json"].endswith("}\n")


def test_y06_the_exports_are_what_each_interface_takes():
    found = {form: json.loads(export(tool("get_user"), form))[0] for form in FORMS}
    request = tool("get_user").input_schema()["properties"]
    assert found["openai"]["function"]["parameters"]["properties"] == request
    assert found["anthropic"]["input_schema"]["properties"] == request
    assert found["mcp"]["inputSchema"]["properties"] == request
    assert found["mcp"]["outputSchema"]["required"] == ["stdout", "stderr", "exit_code"]
    assert {found["openai"]["function"]["name"], found["anthropic"]["name"], found["mcp"]["name"]} == {"api"}


def test_y06_an_export_has_the_second_tool_of_a_large_toolset():
    large = ScriptedTool("api", tools=[(ToolDef("a"), print)], prompt_mode="discovery")
    assert [item["name"] for item in json.loads(export(large, "anthropic"))] == ["api", "api_discover"]

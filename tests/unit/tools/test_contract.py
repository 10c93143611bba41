import pytest
from jsonschema import Draft202012Validator

from bashkit.limits import ExecutionLimits
from bashkit.tools import BashTool, ScriptedTool, Tool, ToolRequest, ToolResponse, ToolStatus


@pytest.mark.parametrize("tool", [BashTool(), ScriptedTool("api")])
def test_t01_both_tools_satisfy_the_protocol(tool):
    assert isinstance(tool, Tool)
    assert tool.version


def test_t01_a_class_of_ones_own_is_a_tool_too():
    class Mine(ScriptedTool):
        pass

    assert isinstance(Mine("mine"), Tool)
    assert not isinstance(object(), Tool)


def test_t02_requests_and_responses_convert_to_and_from_json():
    request = ToolRequest("echo hi")
    assert request.to_json() == '{"commands":"echo hi"}'
    assert ToolRequest.from_json(request.to_json()) == request
    for response in (ToolResponse("out", "err", 1), ToolResponse("", "", 124, "timeout")):
        assert ToolResponse.from_json(response.to_json()) == response
    assert ToolResponse("", "", 0).to_json() == '{"stdout":"","stderr":"","exit_code":0}'


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"commands": 1}', '{"stdout": ""}'])
def test_t02_what_is_no_request_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        ToolRequest.from_json(text)
    with pytest.raises(ValueError, match=r"."):
        ToolResponse.from_json(text)


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (ToolRequest, '{"commands": "ls", "timeout": 5}'),
        (ToolResponse, '{"stdout": null, "stderr": "", "exit_code": 0}'),
        (ToolResponse, '{"stdout": "", "stderr": "", "exit_code": true}'),
        (ToolResponse, '{"stdout": "", "stderr": "", "exit_code": 1e400}'),
        (ToolResponse, '{"stdout": "", "stderr": "", "exit_code": 1, "error": 5}'),
        (ToolStatus, '{"phase": 1}'),
        (ToolStatus, '{"phase": "execute", "percent_complete": "10"}'),
        (ToolStatus, '{"phase": "execute", "percent": 10}'),
        (ToolStatus, "[]"),
    ],
)
def test_t02_members_of_other_types_are_a_value_error(cls, text):
    with pytest.raises(ValueError, match=r"is \{"):
        cls.from_json(text)


def test_t02_an_error_that_is_null_is_none():
    assert ToolResponse.from_json('{"stdout": "", "stderr": "", "exit_code": 0, "error": null}') == ToolResponse("", "", 0)


@pytest.mark.parametrize("tool", [BashTool(), ScriptedTool("api")])
def test_t07_requests_and_responses_match_the_schemas(tool):
    Draft202012Validator.check_schema(tool.input_schema())
    Draft202012Validator.check_schema(tool.output_schema())
    Draft202012Validator(tool.input_schema()).validate({"commands": "true"})
    for error in (None, "parse", "limit:max_commands", "timeout", "cancelled", "internal"):
        Draft202012Validator(tool.output_schema()).validate(ToolResponse("", "", 0, error).to_dict())
    assert not Draft202012Validator(tool.output_schema()).is_valid({"stdout": ""})


def test_t02_json_is_unicode_where_the_output_is_not():
    response = BashTool().execute_sync("printf 'a\\xff\\n'; printf '\\xfe' >&2")
    assert (response.stdout, response.stderr) == ("a\udcff\n", "\udcfe")
    assert response.to_dict() == {"stdout": "a\ufffd\n", "stderr": "\ufffd", "exit_code": 0}
    assert response.to_json().encode() == '{"stdout":"a\ufffd\\n","stderr":"\ufffd","exit_code":0}'.encode()
    assert ToolStatus.stdout("\udcff").to_json() == '{"phase":"output","output":"\ufffd","stream":"stdout"}'


def test_t08_statuses_leave_out_unset_fields():
    assert ToolStatus.stdout("a").to_json() == '{"phase":"output","output":"a","stream":"stdout"}'
    assert ToolStatus.stderr("b").to_dict() == {"phase": "output", "output": "b", "stream": "stderr"}
    assert ToolStatus.from_json('{"phase":"complete","percent_complete":100.0}') == ToolStatus("complete", percent_complete=100.0)


def test_t01_the_documented_examples_run():
    import doctest

    import bashkit.tools

    assert doctest.testmod(bashkit.tools).failed == 0


def test_t01_a_custom_class_is_as_good_as_ours():
    class Calculator:
        name = "calculator"
        short_description = "Adds"
        version = "1"

        def description(self):
            return "Adds numbers"

        help = system_prompt = description

        def input_schema(self):
            return {"type": "object"}

        output_schema = input_schema

        async def execute(self, request):
            return ToolResponse("3\n", "", 0)

        async def execute_with_status(self, request, status_callback):
            status_callback(ToolStatus("complete"))
            return await self.execute(request)

    assert isinstance(Calculator(), Tool)


NAMES = ["cat", "echo"]


def test_t04_names_and_descriptions():
    tool = BashTool(command_names=lambda: NAMES, builtins={"custom_cmd": print})
    assert tool.name == "bashkit"
    assert tool.short_description == "Virtual bash interpreter with virtual filesystem"
    assert tool.description() == "Virtual bash interpreter with virtual filesystem. Supported tools: cat echo custom_cmd"


def test_t05_the_system_prompt():
    start = "# Bash Tool\n\nVirtual bash interpreter with virtual filesystem.\n"
    end = '\nInput: {"commands": "<bash commands>"}\nOutput: {stdout, stderr, exit_code}\n'
    assert BashTool().system_prompt() == start + end
    assert BashTool.builder().username("agent").build().system_prompt() == f"{start}Home: /home/agent\n{end}"


def test_t06_the_man_page():
    words = "echo cat grep sed awk jq curl head tail sort uniq cut tr wc date sleep mkdir rm cp mv touch chmod printf test ["
    page = BashTool(command_names=list, builtins=dict.fromkeys(words.split(), print)).help()
    assert page.startswith("""\
BASH(1)                          User Commands                         BASH(1)

NAME
       bashkit - virtual bash interpreter with virtual filesystem

SYNOPSIS
       {"commands": "<bash commands>"}

DESCRIPTION
       Bashkit executes bash commands in a virtual environment with a virtual
       filesystem. All file operations are contained within the virtual environment.

       Supports full bash syntax including variables, pipelines, redirects,
       loops, conditionals, functions, and arrays.

BUILTINS
       echo, cat, grep, sed, awk, jq, curl, head, tail, sort, uniq, cut, tr,
       wc, date, sleep, mkdir, rm, cp, mv, touch, chmod, printf, test, [

INPUT
       commands    Bash commands to execute (like bash -c "commands")
""")
    assert (
        """
       Pipeline:
           {"commands": "echo -e 'apple\\nbanana' | grep a"}

       JSON processing:
           {"commands": "echo '{\\"n\\":1}' | jq '.n'"}
"""
        in page
    )
    assert page.splitlines()[-1].endswith("BASH(1)")
    assert "CONFIGURATION" not in page


def test_t06_configuration_lists_names_and_never_values():
    tool = (
        BashTool.builder()
        .username("agent")
        .hostname("sandbox")
        .limits(ExecutionLimits(max_commands=500, max_loop_iterations=10000, max_function_depth=100))
        .env("API_KEY", "hidden")
        .build()
    )
    assert """
CONFIGURATION
       User: agent (whoami)
       Host: sandbox (hostname)
       Limits: 500 commands, 10000 iterations, 100 depth
       Environment: API_KEY
""" in tool.help()
    assert "hidden" not in tool.help()

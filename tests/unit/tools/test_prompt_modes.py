"""What the model reads about toolsets of ten, of a hundred and of a thousand tools, in every mode."""

import re
from dataclasses import replace
from typing import get_args

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bashkit.errors import DefinitionError
from bashkit.limits import ExecutionLimits
from bashkit.tools import Example, ScriptedTool, Tool, ToolDef
from bashkit.tools.describe import prompt as prompts

MODES = ["full", "compact", "discovery"]


def test_the_type_of_a_mode_names_every_mode():
    assert get_args(prompts.Mode) == tuple(prompts.MODES) == tuple(MODES)


class MarkdownExtension(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "md"


@pytest.fixture
def prompt(snapshot):
    return snapshot.use_extension(MarkdownExtension)


def nothing(args):
    """What the tools would do; the signature of a builtin would take longer to read than all else."""


def tool(definitions, **options):
    return ScriptedTool("business", tools=[(item, nothing) for item in definitions], **options)


def prompt_of(*definitions, **options):
    return tool(definitions, **options).system_prompt()


def tips(text):
    return text.partition("## Tips\n\n")[2].partition("\n---")[0].splitlines()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", [10, 100])
def test_s13_the_prompt_of_a_toolset(business, prompt, count, mode):
    step = len(business) // count
    chosen = business[::step][:count] if count == 100 else business[:count]
    assert tool(chosen, prompt_mode=mode).system_prompt() == prompt


def test_s13_a_thousand_tools_are_found_through_a_prompt_of_at_most_4000_characters(business):
    many = [
        replace(item, name=f"{item.name}_{n}", category=f"{item.category} of region {n}") for n in range(3) for item in business
    ][:1000]
    text = prompt_of(*many, prompt_mode="discovery")
    assert len(many) == 1000
    assert len(text) <= 4000
    assert "1000 commands" in text
    assert "crm of region 0 (40)" in text
    long = [ToolDef(f"{'x' * 60}{n}", "y" * 500, category=f"{'z' * 60}{n}", tags=("t" * 60,)) for n in range(1000)]
    assert len(prompt_of(*long, prompt_mode="discovery")) <= 4000


def test_s13_the_discovery_mode_brings_a_second_tool(business):
    one, second = tool(business, prompt_mode="discovery").tools()
    assert (one.name, second.name) == ("business", "business_discover")
    assert isinstance(second, Tool)
    assert second.execute_sync('discover --search "refund an order" | head -1').stdout.startswith("refund_order")
    assert second.execute_sync("help get_invoice").stdout.startswith("Usage: get_invoice --id <integer>\n")
    assert second.execute_sync("get_invoice --id 1").exit_code == 127
    assert len(one.description()) < 200
    assert [item.name for item in tool(business[:3]).tools()] == ["business"]


async def test_s13_the_second_tool_documents_itself(business):
    second = tool(business, prompt_mode="discovery").tools()[1]
    assert '`discover "' in second.system_prompt()
    assert second.help().startswith("BUSINESS_DISCOVER(1)")
    assert (await second.execute("discover --categories | head -2")).stdout == "crm\t40\nfinance\t52\n"


@pytest.mark.parametrize(
    ("max_chars", "mode"), [(None, "full"), (40_000, "full"), (6_000, "compact"), (3_000, "discovery"), (900, "discovery")]
)
def test_s13_a_budget_picks_the_richest_mode_that_fits_and_says_so(business, max_chars, mode):
    made = tool(business[:100], prompt_max_chars=max_chars)
    text = made.system_prompt()
    assert made.prompt_mode == mode
    assert max_chars is None or len(text) <= max_chars
    assert (f"keeps within {max_chars} characters" in text) == (mode != "full")


def test_s13_a_budget_never_makes_a_prompt_richer_than_asked_for(business):
    assert tool(business[:10], prompt_mode="compact", prompt_max_chars=50_000).prompt_mode == "compact"
    assert tool(business[:10]).system_prompt("discovery").count("- `discover") == 2


def test_s13_another_tool_is_in_the_next_prompt():
    made = tool([ToolDef("one")])
    assert "`two`" not in made.system_prompt()
    made.add_tool("two", "Second", print)
    assert "- `two`: Second\n" in made.system_prompt()


def test_s13_an_unknown_mode_is_refused():
    with pytest.raises(DefinitionError, match="prompt_mode must be one of full, compact, discovery, not 'short'"):
        ScriptedTool("api", prompt_mode="short")


@pytest.mark.thorough
def test_s13_prompts_are_deterministic(business):
    for mode in MODES:
        assert len({prompt_of(*business, prompt_mode=mode) for _ in range(3)}) == 1


def test_s13_context_stays_whatever_the_mode(business):
    for mode in MODES:
        assert prompt_of(*business, prompt_mode=mode, context=["Be kind."]).endswith("\n---\n\nBe kind.\n")


# -- entries and tips --------------------------------------------------------------------------------------------------


def test_s12_one_good_example_is_shown():
    examples = ["t --id 1", "t --id 1 |\n  jq .", Example("t --id 2 | jq -r .name", output={"name": "x"}), "other --id 1 | jq ."]
    assert "  Example: `t --id 2 | jq -r .name`\n" in prompt_of(ToolDef("t").with_examples(*examples))
    assert "Example" not in prompt_of(ToolDef("t").with_examples("t " + "x" * 300))


def shaped(name, schema):
    return ToolDef(name, "X").with_output_schema(schema)


USER = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
ITEM = {"type": "object", "title": "stock item", "properties": {"sku": {"type": "string"}, "left": {"type": "integer"}}}


def test_a_shape_that_several_tools_print_is_written_once_with_a_name():
    text = prompt_of(
        shaped("list_users", {"type": "array", "items": USER}),
        shaped("get_user", USER),
        shaped("find_user", {**USER, "type": ["object", "null"]}),
        shaped("stock", ITEM),
        shaped("restock", {"type": "array", "items": ITEM}),
        shaped("count", {"type": "object", "properties": {"n": {"type": "integer"}}}),
        shaped("sum", {"type": "object", "properties": {"n": {"type": "integer"}}}),
        ToolDef("other", "X"),
    )
    assert [line.strip() for line in text.splitlines() if "Output:" in line][1:] == [
        "Output: `[User {id: integer, name: string}]`",
        "Output: `User`",
        "Output: `User or null`",
        "Output: `StockItem {sku: string, left: integer}`",
        "Output: `[StockItem]`",
        "Output: `{n: integer}`",
        "Output: `{n: integer}`",
    ]


def test_a_few_commands_have_usage_lines_and_many_are_described_densely():
    few, many = (prompt_of(*(plain(f"get_{number}") for number in range(count))) for count in (5, 6))
    assert "- `get_0`\n  Usage: `get_0 [--id <integer>]`\n" in few
    assert "- `get_0 [--id <integer>]`\n- `get_1 [--id <integer>]`\n" in many


def test_objects_bring_a_tip_how_they_are_written():
    lines = {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}
    text = prompt_of(ToolDef("order").with_schema({"properties": {"lines": lines}, "required": ["lines"]}))
    assert "  Usage: `order --lines [{sku?}]`\n" in text
    assert "- Objects and lists of objects are JSON" in text
    assert "are JSON" not in prompt_of(plain("get"))


@pytest.mark.parametrize(
    "most",
    [
        100,
        764,
        3_000,
        *(pytest.param(most, marks=pytest.mark.thorough) for most in (110, 250, 400, 700, 1_000, 2_000, 5_000, 20_000)),
    ],
)
def test_s13_a_budget_holds_exactly_in_characters_and_in_tokens(business, most):
    made = ScriptedTool("api", tools=[(item, nothing) for item in business[:200]], prompt_max_chars=most)
    text = made.system_prompt()
    assert len(text) <= most
    assert "keeps within" not in text or f"keeps within {most} characters." in text
    counted = ScriptedTool(
        "api",
        tools=[(item, nothing) for item in business[:200]],
        prompt_max_tokens=most,
        token_counter=lambda text: len(text.split()),
    )
    assert len(counted.system_prompt().split()) <= most
    estimated = ScriptedTool("api", tools=[(item, nothing) for item in business[:200]], prompt_max_tokens=most)
    assert len(estimated.system_prompt()) <= 4 * most


def test_s13_both_budgets_hold_and_are_told(business):
    text = tool(business[:100], prompt_max_chars=4_000, prompt_max_tokens=800).system_prompt()
    assert len(text) <= 3_200
    assert "the prompt keeps within 4000 characters and 800 tokens." in text


def test_s13_a_budget_that_no_prompt_keeps_is_an_error():
    made = ScriptedTool("api", tools=[(plain("get"), print)], prompt_max_chars=90)
    with pytest.raises(DefinitionError, match="the shortest system prompt has 95 characters, more than the maximum of 90"):
        made.system_prompt()
    with pytest.raises(DefinitionError, match="token_counter must be a function"):
        ScriptedTool("api", token_counter=3)
    with pytest.raises(DefinitionError, match="prompt_max_tokens"):
        ScriptedTool("api", prompt_max_tokens=0)


def test_s11_what_else_an_entry_says():
    text = prompt_of(ToolDef("drop", "Drop it", effects="destructive", max_calls=1, stdin="json"))
    assert (
        "- `drop`: Drop it (destructive)\n  Standard input: a JSON object of arguments\n  At most 1 call in one script\n" in text
    )


def test_s13_a_compact_line_is_the_first_sentence():
    text = prompt_of(
        ToolDef("a", "First. Second."), ToolDef("b", "x" * 200), ToolDef("c", "One\nTwo"), ToolDef("d"), prompt_mode="compact"
    )
    assert "- `a`: First\n- `b`: " + "x" * 89 + "…\n- `c`: One\n- `d`\n" in text


def plain(name):
    return ToolDef(name).with_schema({"properties": {"id": {"type": "integer"}}})


@pytest.mark.parametrize(
    ("definitions", "options", "tip", "there"),
    [
        ([plain("a"), plain("b")], {}, "same time", False),
        ([plain("a"), plain("b"), plain("c")], {}, "same time", True),
        ([plain("a").with_output_schema({"type": "string"})], {}, "jq", False),
        ([plain("a").with_output_schema({"type": "object", "properties": {"x": {}}})], {}, "jq", True),
        ([plain("a")], {}, "--help", False),
        ([ToolDef("a").with_schema({"properties": {"id": {"default": 3}}})], {}, "--help", True),
        ([plain("a")], {"limits": ExecutionLimits()}, "may take", False),
        (
            [plain("a")],
            {"limits": ExecutionLimits(timeout=30, max_commands=500)},
            "- One script may take 30 s and 500 commands",
            True,
        ),
        ([plain("a")], {"max_result_chars": 5000}, "- Output beyond 5000 characters is cut", True),
        ([plain("a")], {"filesystem": "none"}, "- There are no files", True),
        ([plain("a")], {"persistent": True}, "last from one call to the next", True),
        ([ToolDef("a", raw=True)], {}, "--key", False),
    ],
)
def test_s11_tips_say_what_is_true_of_this_toolset(definitions, options, tip, there):
    assert any(tip in line for line in tips(prompt_of(*definitions, **options))) is there


def test_s11_every_command_of_the_tips_runs():
    made = tool([ToolDef(name) for name in "abc"])
    parallel = next(line for line in tips(made.system_prompt()) if "same time" in line)
    for command in re.findall(r"`([^`]+)`", parallel):
        assert made.execute_sync(f"{command} < /dev/null").exit_code == 0

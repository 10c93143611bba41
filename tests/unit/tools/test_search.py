"""``discover --search``: plainly worded wishes find the tools they are about."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from bashkit.tools import ScriptedTool, ToolDef
from bashkit.tools.search.index import ToolIndex

FOLDER = Path(__file__).parent / "discovery"
QUERIES = yaml.safe_load((FOLDER / "queries.yaml").read_text(encoding="utf-8"))
FEW = [
    ToolDef("get_user", "Fetch user by ID").with_schema({"properties": {"mail_address": {"type": "string"}}}),
    ToolDef("list_orders", "List orders of a customer").with_tags("slow"),
    ToolDef("createDiscount", "Create a discount code").with_category("marketing"),
    ToolDef("delete_user", "Delete a user"),
]


def names(text, tools=FEW):
    return [item.name for item in ToolIndex(tools).search(text)]


def test_s14_the_right_tool_is_among_the_first_three_for_95_percent_of_plain_wishes(business):
    assert len(business) >= 400
    assert len(QUERIES) >= 100
    assert set(QUERIES.values()) <= {item.name for item in business}
    index = ToolIndex(business)
    missed = {wish: name for wish, name in QUERIES.items() if name not in [item.name for item in index.search(wish)][:3]}
    assert len(missed) <= 0.05 * len(QUERIES), missed


@pytest.mark.parametrize(("name", "with_catalog"), [("services", False), ("trades", True)])
def test_s14_so_it_is_with_other_toolsets(business, name, with_catalog):
    found = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    tools = [*(business if with_catalog else ()), *(ToolDef(tool, about) for tool, about in found["tools"].items())]
    index = ToolIndex(tools)
    missed = {wish: tool for wish, tool in found["wishes"].items() if tool not in [item.name for item in index.search(wish)][:3]}
    assert len(missed) <= 0.05 * len(found["wishes"]), missed


def test_s14_the_wishes_do_not_repeat_the_names():
    assert [wish for wish, name in QUERIES.items() if name in wish or name.replace("_", " ") in wish.casefold()] == []


@pytest.mark.parametrize(
    ("wish", "first"),
    [
        ("users", "get_user"),  # reading comes before destroying
        ("remove users", "delete_user"),
        ("get rid of an account", "delete_user"),
        ("purchases", "list_orders"),
        ("coupon", "createDiscount"),  # humps are words too
        ("marketing", "createDiscount"),
        ("mail address", "get_user"),  # a parameter
        ("slow", "list_orders"),  # a tag
        ("custmer", "list_orders"),
        ("discuont", "createDiscount"),
        ("DISCOUNT!", "createDiscount"),
    ],
)
def test_s14_stems_synonyms_typos_and_every_field(wish, first):
    assert names(wish)[:1] == [first]


@pytest.mark.parametrize(
    "wish", ["", "  ", "the of", "zebra", "' OR 1=1 --", '"', "*", "name:", "NEAR(", "\ud800", "x" * 5000, "a " * 5000]
)
def test_s14_odd_wishes_find_nothing_and_break_nothing(wish):
    assert names(wish) in ([], ["list_orders"], ["createDiscount"])


def test_s14_one_tool_and_none():
    assert names("user", FEW[:1]) == ["get_user"]
    assert names("user", []) == []


def test_s14_an_index_serves_several_threads(business):
    index = ToolIndex(business)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda wish: [item.name for item in index.search(wish)], list(QUERIES)[:20] * 4))
    assert found[:20] == found[20:40] == found[40:60] == found[60:]


def test_s14_a_search_shows_the_ten_best(business):
    tool = ScriptedTool("api", tools=[(item, lambda _: None) for item in business])
    assert len(tool.execute_sync("discover --search customer").stdout.splitlines()) <= 10
    assert len(tool.execute_sync("discover --search customer --limit 3").stdout.splitlines()) == 3
    assert (
        tool.execute_sync("discover --search customer --category finance --json | jq -r '.[].category' | sort -u").stdout
        == "finance\n"
    )


def test_s14_a_long_list_is_cut_and_says_how_to_see_more(business):
    tool = ScriptedTool("api", tools=[(item, lambda _: None) for item in business])
    response = tool.execute_sync("discover")
    assert len(response.stdout.splitlines()) == 100
    assert (
        response.stderr
        == f"discover: {len(business) - 100} more; narrow them with --category, --tag or --search, or use --limit 0\n"
    )
    assert len(tool.execute_sync("discover --limit 0").stdout.splitlines()) == len(business)
    assert tool.execute_sync("discover --limit x").exit_code == 1
    assert tool.execute_sync("discover --categories --json | jq .crm").stdout == "40\n"


# -- what is not found, and what discover says ---------------------------------------------------------------------------


PULLS = [
    (ToolDef("pulls_list", "List pull requests", category="pulls"), print),
    (ToolDef("pulls_merge", "Merge a pull request", category="pulls"), print),
    (
        ToolDef("issues_list", "List issues of a repository", {"properties": {"repo": {"type": "string"}}}, category="issues"),
        print,
    ),
    (ToolDef("repos_get", "Get a repository", category="repos", details="Owners and their stargazers are part of it."), print),
]


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("list_pull_requests", "`pulls_list` or `pulls_merge`"),
        ("merge-pull-request", "`pulls_merge`"),
        ("getRepository", "`repos_get` or `issues_list`"),
        ("pulls_lst", "`pulls_list`"),
        ("apt-get", None),
        ("docker", None),
        ("list_all", None),
    ],
)
def test_a_name_that_no_tool_has_goes_through_the_index(isolation, name, meant):
    tool = ScriptedTool("hub", tools=PULLS, isolation=isolation)
    told = [line for line in tool.execute_sync(name).stderr.splitlines() if "did you mean" in line]
    assert told == ([] if meant is None else [f"bash: did you mean {meant}?"])


def test_discover_takes_what_one_wants_to_do():
    tool = ScriptedTool("hub", tools=PULLS)
    for words in ("'merge a pull request'", "merge a pull request", "--search 'merge a pull request'"):
        assert tool.execute_sync(f"discover {words} --limit 1").stdout.startswith("pulls_merge")
    assert tool.execute_sync("discover stargazers").stdout.startswith("repos_get")
    assert "stargazers" in tool.execute_sync("repos_get --help").stdout
    assert "stargazers" not in tool.system_prompt()


def test_discover_as_json_has_what_one_chooses_by():
    tool = ScriptedTool("hub", tools=PULLS)
    assert json.loads(tool.execute_sync("discover --category issues --json").stdout) == [
        {
            "name": "issues_list",
            "description": "List issues of a repository",
            "usage": "issues_list [--repo <string>]",
            "category": "issues",
        }
    ]
    assert "input_schema" in tool.execute_sync("help issues_list --json").stdout


def test_help_describes_builtins_too():
    tool = ScriptedTool("hub", tools=PULLS)
    assert tool.execute_sync("help cd").stdout.startswith("cd: cd ")
    assert "sort" in tool.execute_sync("help sort").stdout

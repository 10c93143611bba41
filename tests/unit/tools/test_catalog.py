import json

import pytest

from bashkit.tools import ToolDef
from bashkit.tools.describe.catalog import discover_command, help_command

TOOLS = {
    item.name: item
    for item in (
        ToolDef("get_user", "Fetch user by ID").with_category("users").with_tags("read"),
        ToolDef("list_orders", "List orders of a customer").with_category("orders").with_tags("read", "slow"),
        ToolDef("create_discount", "Create a discount code").with_category("orders").with_tags("write"),
    )
}


def names(text):
    return [line.split()[0] for line in text.splitlines()]


@pytest.mark.parametrize("words", [["--list"], []])
def test_s14_help_lists_the_tools(run, words):
    outcome = run.command(help_command(TOOLS), *words)
    assert outcome.stdout.splitlines()[0] == "get_user         Fetch user by ID"
    assert names(outcome.stdout) == list(TOOLS)


def test_s14_help_of_a_tool(run):
    assert run.command(help_command(TOOLS), "get_user").stdout.startswith("Usage: get_user\n\nFetch user by ID\n")
    entry = json.loads(run.command(help_command(TOOLS), "get_user", "--json").stdout)
    assert entry == {
        "name": "get_user",
        "description": "Fetch user by ID",
        "input_schema": {},
        "category": "users",
        "tags": ["read"],
    }


def test_s14_help_of_a_utility_and_of_nothing(run):
    assert "Do nothing, successfully." in run.command(help_command(TOOLS), "true").stdout
    outcome = run.command(help_command(TOOLS), "nothing")
    assert (outcome.status, outcome.stderr) == (1, "help: no help topics match 'nothing'.  Try 'help --list'.\n")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], ["get_user", "list_orders", "create_discount"]),
        (["--category", "orders"], ["list_orders", "create_discount"]),
        (["--tag", "read"], ["get_user", "list_orders"]),
        (["--tag", "read", "--category", "orders"], ["list_orders"]),
        (["--tag", "read", "--tag", "slow"], ["list_orders"]),
        (["--search", "discount"], ["create_discount"]),
        (["--search", "custmer order"], ["list_orders"]),
        (["--search", "orders"], ["list_orders", "create_discount"]),
    ],
)
def test_s14_discover_filters_combine_and_search_is_fuzzy(run, words, found):
    outcome = run.command(discover_command(TOOLS), *words)
    assert names(outcome.stdout) == found
    assert outcome.status == 0
    as_json = run.command(discover_command(TOOLS), *words, "--json").stdout
    assert [entry["name"] for entry in json.loads(as_json)] == found


def test_s14_discover_nothing(run):
    outcome = run.command(discover_command(TOOLS), "--search", "zebra")
    assert (outcome.stdout, outcome.status) == ("", 1)
    assert "no tool of" in outcome.stderr
    assert run.command(discover_command(TOOLS), "zebra", "crossing").stderr.startswith("discover: no tool of")

"""The example toolsets, tool by tool; whole scripts are tests of the scripted tool."""

import asyncio
import multiprocessing
import stat
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bashkit.errors import ToolError
from bashkit.prompts import Collection
from bashkit.tools import ToolArgs
from bashkit.toolset import check, load
from bashkit.toolset.package_data import examples


def path(name):
    return examples() / name


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return load(path("shop.yaml"), environ={"SHOP_CACHE": str(tmp_path_factory.mktemp("shop"))})


def call(toolset, name, **params):
    """The value that a tool gives, validated against its output schema when it is JSON."""
    adapter = toolset.tool.adapter(name)
    assert adapter.problems(params) == []
    calls = toolset.tool.calls()
    filled = adapter.fill(params)
    value = adapter.callback(ToolArgs(filled, None, calls.env))
    if asyncio.iscoroutine(value):
        value = asyncio.run(value)
    schema = adapter.definition.output_schema
    if schema and isinstance(value, (dict, list)):
        Draft202012Validator(dict(schema)).validate(value)
    return value


@pytest.mark.parametrize("name", ["shop.yaml", "workspace.yaml"])
def test_y01_an_example_has_no_problems_and_names_its_schema(name):
    assert check(path(name), environ={}) == []
    assert path(name).read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=../schemas/toolset.schema.json\n")


def test_the_shop_reads(shop):
    assert call(shop, "get_user", id=1)["name"] == "Ada Lovelace"
    assert {user["tier"] for user in call(shop, "list_users", tier="gold")} == {"gold"}
    assert [user["id"] for user in call(shop, "list_users", search="ADA.LOVE")] == [1]
    assert len(call(shop, "list_users", limit=7)) == 7
    orders = call(shop, "list_orders", status="delivered", since="2024-01-01", until="2024-03-31", limit=1000)
    assert orders
    assert all("2024-01-01" <= order["ordered_on"] <= "2024-03-31" and order["status"] == "delivered" for order in orders)
    order = call(shop, "get_order", id=orders[0]["id"])
    assert order["total"] == sum(item["quantity"] * item["price"] for item in order["items"])
    assert {product["category"] for product in call(shop, "search_products", category="books")} == {"books"}
    assert all(product["stock"] == 0 for product in call(shop, "search_products", in_stock=False))
    assert [row["sku"] for row in call(shop, "get_inventory", sku=["K-103", "B-101"])] == ["K-103", "B-101"]
    stocks = [row["stock"] for row in call(shop, "low_stock", limit=5)]
    assert stocks == sorted(stocks)


def test_the_shop_reports_the_same_revenue_however_it_is_grouped(shop):
    totals = {
        by: sum(row["revenue"] for row in call(shop, "sales_report", by=by)) for by in ("month", "category", "country", "product")
    }
    assert len(set(totals.values())) == 1
    assert totals["month"] > 0


def test_the_shop_writes_once(shop):
    row = call(shop, "create_discount", code="WINTER25", percent=25)
    assert row == {"code": "WINTER25", "percent": 25, "valid_until": None, "minimum": 0}
    assert row in call(shop, "list_discounts", valid_on="2030-01-01")
    with pytest.raises(ToolError, match="WINTER25 is taken"):
        call(shop, "create_discount", code="WINTER25", percent=30)


@pytest.mark.parametrize(
    ("name", "params"), [("get_user", {"id": 999}), ("get_order", {"id": 999}), ("get_inventory", {"sku": ["Z-999"]})]
)
def test_the_shop_says_what_is_not_there(shop, name, params):
    with pytest.raises(ToolError, match="there is no"):
        call(shop, name, **params)


def _build(directory):
    toolset = load(path("shop.yaml"), environ={"SHOP_CACHE": directory})
    return call(toolset, "get_user", id=1)["name"]


@pytest.mark.thorough
@pytest.mark.parametrize("cache", ["/dev/null", "~/.cache"])  # the second is what somebody without a home has
def test_a_cache_that_cannot_be_written_is_replaced_by_a_temporary_one(tmp_path, monkeypatch, cache):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    toolset = load(path("shop.yaml"), environ={})
    assert toolset.tool.execute_sync("get_user --id 1 | jq -r .name").stdout == "Ada Lovelace\n"
    assert len(list(tmp_path.glob("bashkit-shop-*/shop-*.db"))) == 1


def test_two_processes_may_build_the_database_at_the_same_time(tmp_path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        names = pool.map(_build, [str(tmp_path)] * 2, chunksize=1)
    assert names == ["Ada Lovelace"] * 2
    assert len([file for file in tmp_path.iterdir() if file.suffix == ".db"]) == 1
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".building")] == []


def test_the_cache_directory_is_no_variable_of_the_scripts(shop):
    assert "SHOP_CACHE" in shop.tool.calls().env
    assert "SHOP_CACHE" not in shop.tool.env
    assert "SHOP_CACHE" not in shop.tool.help()


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "notes.md").write_text("black ink\ntwo\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a b.csv").write_text("x,y\n")
    return load(path("workspace.yaml"), environ={"WORKSPACE": str(tmp_path)})


def test_the_workspace_describes_itself_in_three_languages(workspace):
    assert [tool.name for tool in workspace.tools] == ["disk_usage", "find_text", "list_files"]
    assert workspace.warnings == []
    tools = path("workspace") / "tools"
    shebangs = {file.read_text(encoding="utf-8").splitlines()[0] for file in tools.iterdir()}
    assert shebangs == {"#!/usr/bin/env bash", "#!/usr/bin/env python3", "#!/bin/sh"}
    assert all(file.stat().st_mode & stat.S_IXUSR for file in tools.iterdir())


def test_the_workspace_tools(workspace):
    assert call(workspace, "list_files").stdout == b"data/a b.csv\nnotes.md\n"
    assert call(workspace, "list_files", suffix="md").stdout == b"notes.md\n"
    assert (
        call(workspace, "find_text", text="INK", ignore_case=True).stdout
        == b'[{"file": "notes.md", "line": 1, "text": "black ink"}]\n'
    )
    outside = call(workspace, "find_text", text="x", path="../..")
    assert (outside.exit_code, outside.stderr) == (1, b"../.. is outside the workspace\n")


@pytest.mark.needs("jq")
def test_x07_the_shim_runs_unchanged(workspace):
    tool = next(tool for tool in workspace.tools if tool.name == "disk_usage")
    assert (tool.description, tool.input_schema["required"]) == ("Check disk usage for a directory", [])
    result = call(workspace, "disk_usage")
    assert result.exit_code == 0
    assert result.stdout.decode().split("\t")[1] == ".\n"
    assert call(workspace, "disk_usage", path="data").stdout.decode().endswith("\tdata\n")
    assert call(workspace, "disk_usage", path="none").exit_code == 1


def test_the_workspace_is_the_sample_when_none_is_named():
    assert load(path("workspace.yaml"), environ={}).sources[0].cwd == Path(path("workspace/sample")).resolve()


COMMANDS = [
    pytest.param(name, example.command, id=example.command)
    for name in ("shop.yaml", "workspace.yaml")
    for tool in load(path(name), environ={}).tools
    for example in tool.examples
]


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_every_example_of_a_tool_runs(shop, workspace, name, command):
    response = (shop if name == "shop.yaml" else workspace).tool.execute_sync(f"set -o pipefail; {command}")
    assert (response.stderr, response.exit_code) == ("", 0)
    assert response.stdout


def test_one_round_trip_instead_of_twenty(shop):
    script = """
    for id in $(list_users --tier gold --limit 3 | jq -r '.[].id'); do
        name=$(get_user $id | jq -r .name)
        total=$(list_orders --user_id $id --limit 1000 | jq 'map(.total) | add // 0')
        echo "$name: $total"
    done
    """
    response = shop.tool.execute_sync(script)
    assert (response.stderr, response.exit_code) == ("", 0)
    assert len(response.stdout.splitlines()) == 3
    assert [call.tool for call in response.trace] == ["list_users"] + ["get_user", "list_orders"] * 3


@pytest.mark.parametrize("name", ["shop.yaml", "workspace.yaml"])
def test_y06_the_snapshots_of_the_examples_are_up_to_date(name):
    snapshots = Collection.of(load(path(name), environ={}), environ={}).compare()
    assert {snapshot.path.name: snapshot.state for snapshot in snapshots if snapshot.state != "same"} == {}

"""R08: a key that Python code does not find is told with the keys that are there, in what the tools gave."""

import pytest

from bashkit.tools import ScriptedTool, ToolDef

pytest.importorskip("pydantic_monty")
USER = {"id": 1, "name": "Ada", "address": {"city": "Oslo"}, "orders": [{"sku": "a", "total": 3}]}


@pytest.fixture(params=["inline", "process"])
def tool(request):
    return ScriptedTool("api", tools=[(ToolDef("get_user"), lambda args: USER)], isolation=request.param)


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        (
            "get_user | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"nam\"])'",
            "get_user: .nam: no such key (did you mean .name?); . has id, name, address, orders",
        ),
        (
            "python3 -c 'from tools import get_user; print(get_user()[\"city\"])'",
            "get_user: .city: no such key; . has id, name, address, orders; there is .address.city",
        ),
        (
            'get_user > u.json; python3 -c \'import json; print(json.load(open("u.json"))["orders"][0]["totl"])\'',
            "get_user: .orders[0].totl: no such key (did you mean .orders[0].total?); .orders[0] has sku, total",
        ),
        ("get_user > /dev/null; python3 -c '{}[\"zzz\"]'", "get_user: .zzz: no such key; . has id, name, address, orders"),
        ("python3 -c '{}[\"zzz\"]'", None),
        ("get_user | python3 -c 'import json, sys; print(json.load(sys.stdin).get(\"nam\"))'", None),
        ("get_user | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d[\"name\"], 1 / 0)'", None),
    ],
)
def test_a_key_error_names_the_keys_that_are_there(tool, script, hint):
    lines = [line for line in tool.execute_sync(script).stderr.splitlines() if line.startswith("hint: ")]
    assert lines == ([] if hint is None else [f"hint: {hint}"])


def test_it_can_be_switched_off():
    silent = ScriptedTool("api", tools=[(ToolDef("get_user"), lambda args: USER)], hints=False)
    assert "hint" not in silent.execute_sync("python3 -c 'from tools import get_user; get_user()[\"nam\"]'").stderr

"""R08: a field that is not there is told, from the data; where a script is right, or asks on purpose, nothing is said."""

import json

import pytest

from bashkit.limits import ExecutionLimits
from bashkit.tools import ScriptedTool, ToolDef
from tests.unit.tools.hints.right_scripts import ISSUES, PODS, RIGHT, SCRIPTS, SHOP, STREAM, WEATHER

DATA = {
    "shop": json.dumps(SHOP),
    "issues": json.dumps(ISSUES),
    "pods": json.dumps(PODS),
    "weather": json.dumps(WEATHER),
    "stream": STREAM,
}


@pytest.fixture(scope="module")
def tool():
    return ScriptedTool("api", tools=[(ToolDef(name, "Data"), lambda args, text=text: text) for name, text in DATA.items()])


def test_the_corpus_of_right_scripts_is_large():
    assert sum(len(programs.splitlines()) for programs in RIGHT.values()) + len(SCRIPTS) >= 200


@pytest.mark.parametrize("source", RIGHT)
def test_right_programs_get_no_hint(tool, source):
    for program in RIGHT[source].splitlines():
        response = tool.execute_sync(f"{source} | jq -c '{program}'")
        assert (response.stderr, response.exit_code) == ("", 0), program


@pytest.mark.parametrize("script", SCRIPTS)
def test_right_scripts_get_no_hint(tool, script):
    assert "hint" not in tool.execute_sync(script).stderr


WRONG = [
    # a wrong level, a wrong name, a name that is elsewhere
    ("shop | jq .customers.names", None),  # jq itself says it
    ("shop | jq .count", ".count: no such key; . has customers, orders, meta; there is .meta.count"),
    ("shop | jq .meta.total", ".meta.total: no such key; .meta has count, next_page, took_ms"),
    ("shop | jq .data.orders", ".data: no such key; . has customers, orders, meta"),
    ("shop | jq '.customers[].mail'", ".customers[].mail: no such key (did you mean .customers[].email?); .customers[] has id, name, email, tier, address, notes"),
    ("shop | jq -r '.customers[0].city'", ".customers[0].city: no such key; .customers[0] has id, name, email, tier, address; there is .customers[].address.city"),
    ("shop | jq '.customers[] | {name, town: .address.town}'", ".customers[].address.town: no such key; .customers[].address has city, zip"),
    # silent in another way than by null
    ("shop | jq '.orders | map(select(.state == \"open\")) | length'", ".orders[].state: no such key (did you mean .orders[].status?); .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '[.orders[] | select(.amount > 5)] | length'", ".orders[].amount: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '[.orders[].amount] | add'", ".orders[].amount: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '.orders | sort_by(.amount) | .[0].id'", ".orders[].amount: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '.orders | group_by(.customer) | length'", ".orders[].customer: no such key (did you mean .orders[].customer_id?); .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '.customer | length'", ".customer: no such key (did you mean .customers?); . has customers, orders, meta"),
    ("shop | jq -r '.orders[] | \"\\(.id): \\(.sum)\"'", ".orders[].sum: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq -r '.orders[] | [.id, .sum] | @tsv'", ".orders[].sum: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq 'reduce .orders[] as $o (0; . + $o.sum)'", ".orders[].sum: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '.orders | map(.lines[] | .qty) | add'", ".orders[].lines[].qty: no such key; .orders[].lines[] has sku, quantity, price"),
    ("issues | jq '.[] | .user.name'", ".[].user.name: no such key; .[].user has login"),
    ("issues | jq 'map(.author.login) | unique'", ".[].author: no such key; .[] has number, title, state, labels, user, assignee, created_at, comments, draft, pull_request"),
    ("issues | jq 'map(select(.labels | any(.nam == \"bug\")))'", ".[].labels[].nam: no such key (did you mean .[].labels[].name?); .[].labels[] has name"),
    ("pods | jq -r '.items[] | select(.phase == \"Running\") | .metadata.name'", ".items[].phase: no such key; .items[] has metadata, spec, status; there is .items[].status.phase"),
    ("weather | jq '.temperature'", ".temperature: no such key; . has city, current, daily, alerts, note"),
    ("weather | jq '.daily[].max'", '.daily["2026-01-01"].max: no such key; .daily["2026-01-01"] has low, high'),
    ("weather | jq '.note | fromjson | .origin'", "fromjson | .origin: no such key; fromjson | . has source, stations"),
    ("stream | jq .message", ".message: no such key; . has level, msg, ms, code"),
    # the data on other ways
    ('d=$(shop); echo "$d" | jq .count', ".count: no such key; . has customers, orders, meta; there is .meta.count"),
    ('d=$(shop | jq .meta); jq .total <<< "$d"', ".total: no such key; . has count, next_page, took_ms"),
    ("d=$(shop); jq .total <<EOF\n$d\nEOF", ".total: no such key; . has customers, orders, meta; there is .orders[].total"),
    ("shop > s.json; jq .totals s.json", ".totals: no such key; . has customers, orders, meta"),
    ("d=$(shop); jq -n --argjson d \"$d\" '$d.total'", "$d.total: no such key; $d has customers, orders, meta; there is $d.orders[].total"),
    ("jq .b <<< '{\"a\": 1}'", ".b: no such key; . has a"),
    ("jq .b <<< '{}'", ".b: no such key; . is an empty object"),
    ("stream | jq -n '[inputs.took] | add'", ".took: no such key; . has level, msg, ms, code"),
    ("stream | jq -s 'map(.took) | add'", ".[].took: no such key; .[] has level, msg, ms, code"),
    ("shop | jq 'def f(g): [g]; f(.orders[].sum)'", ".orders[].sum: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '.orders | map(. + {net: (.sum * 2)})'", ".orders[].sum: no such key; .orders[] has id, customer_id, total, status, lines, coupon"),
    ("shop | jq '.meta | to_entries[] | .val'", None),  # an object of the program's own
]  # fmt: skip


@pytest.mark.parametrize(("script", "hint"), WRONG)
def test_a_field_that_no_object_has_is_told_with_those_that_are_there(tool, script, hint):
    lines = [line for line in tool.execute_sync(script).stderr.splitlines() if line.startswith("hint: ")]
    assert lines == ([] if hint is None else [f"hint: {hint}"])


def test_the_hint_comes_beside_jqs_own_error(tool):
    response = tool.execute_sync("shop | jq '.customer[]'")
    assert response.stderr.splitlines() == [
        "jq: error (at <stdin>:0): Cannot iterate over null (null)",
        "hint: .customer: no such key (did you mean .customers?); . has customers, orders, meta",
    ]


def test_it_is_told_in_a_sandbox_process_too(tool):
    isolated = ScriptedTool("api", tools=[(ToolDef("shop"), lambda args: DATA["shop"])], isolation="process")
    assert isolated.execute_sync("shop | jq .count").stderr == tool.execute_sync("shop | jq .count").stderr != ""


def test_a_place_is_told_once_and_a_script_hears_little(tool):
    assert tool.execute_sync("for i in 1 2 3; do shop | jq .count; done").stderr.count("hint") == 1
    assert tool.execute_sync("shop | jq .count; shop | jq -c .count").stderr.count("hint") == 1
    assert tool.execute_sync("for k in a b c d e f g h; do shop | jq .q$k; done").stderr.count("hint") == 5
    assert tool.execute_sync("shop | jq .count").stderr.count("hint") == 1  # the next script begins anew


def test_a_field_that_an_earlier_run_has_found_is_optional(tool):
    script = "shop | jq -c '.orders | reverse | .[]' | while read -r o; do jq .coupon <<< \"$o\"; done"
    assert tool.execute_sync(script).stderr == ""


def test_a_field_that_the_output_schema_declares_is_optional():
    definition = ToolDef("get").with_output_schema({"properties": {"id": {"type": "integer"}, "nick": {"type": "string"}}})
    declared = ScriptedTool("api", tools=[(definition, lambda args: {"id": 1})])
    assert declared.execute_sync("get | jq .nick").stderr == ""
    assert declared.execute_sync("get | jq .nock").stderr == "hint: .nock: no such key; . has id\n"


def test_hints_can_be_switched_off():
    silent = ScriptedTool("api", tools=[(ToolDef("shop"), lambda args: DATA["shop"])], hints=False)
    assert silent.execute_sync("shop | jq .count").stderr == ""


def test_many_keys_bring_the_nearest():
    wide = ScriptedTool("api", tools=[(ToolDef("get"), lambda args: {f"metric_{number}": number for number in range(40)})])
    hint = wide.execute_sync("get | jq .metrik_77").stderr
    assert hint.startswith("hint: .metrik_77: no such key (did you mean .metric_")
    assert "; . has 40 keys, the nearest are metric_" in hint


@pytest.mark.parametrize(
    "script",
    [
        "jq '[limit(100000; repeat(.a))] | length' <<< '{}'",
        "jq '[range(1000000)] | map(.a?) | length' <<< '{}'",
        "seq 200000 | jq -s 'map(tostring) | length'",
        "jq '" + "." * 3000 + "' <<< '{}'",
        "jq '[recurse(if . < 100000 then . + 1 else empty end)] | length' <<< 0",
        "jq '" + "(" * 900 + ".a" + ")" * 900 + "' <<< '{}'",
        "jq '" + "[" * 900 + ".a" + "]" * 900 + "' <<< '{}' | wc -c",
    ],
)
def test_following_a_program_ends_by_itself(tool, script):
    response = tool.execute_sync(script)
    assert "internal error" not in response.stderr
    assert "Traceback" not in response.stderr


def test_an_endless_program_ends_with_the_time_of_its_script():
    hurried = ScriptedTool("api", tools=[(ToolDef("shop"), lambda args: DATA["shop"])], limits=ExecutionLimits(timeout=1))
    response = hurried.execute_sync("jq 'def f: f; f' <<< '{}' & wait")
    assert (response.exit_code, response.stderr) == (124, "bash: time limit of 1 seconds exceeded\n")

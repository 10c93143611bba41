import pytest

from bashkit import ScriptedTool
from bashkit.errors import DefinitionError
from bashkit.tools import Denied, Policy, ToolDef
from bashkit.tools.analyze import told
from bashkit.toolset.stubs import Case, Stub, Stubs

DROP = ToolDef("drop").with_schema({"properties": {"table": {"type": "string"}}}).with_effects("destructive")
UNASKED = (
    "drop: this call needs an approval, and nobody can be asked; the host allows such calls with --allow destructive on the "
    "command line, Policy({'destructive': 'allow'}) in Python, or policy: {destructive: allow} in the toolset file\n"
)


def call(run, policy, tool=DROP):
    run.calls.policy = policy
    return run(tool, lambda args: "done\n", "--table", "users")


@pytest.mark.parametrize(
    ("policy", "status", "message"),
    [
        (None, 126, UNASKED),
        (Policy(), 126, UNASKED),
        (Policy().allowing(["destructive"]), 0, ""),
        (Policy({"destructive": "deny"}).allowing(["destructive"]), 126, "drop: the call is not allowed\n"),
        (Policy(decide=lambda planned: "ask"), 126, "drop: this call needs an approval, and nobody can be asked\n"),
        (Policy(approve=lambda planned: True), 0, ""),
        (Policy(approve=lambda planned: False), 126, "drop: the call was not approved\n"),
        (Policy(approve=lambda planned: None), 126, "drop: the call was not approved\n"),
        (Policy(approve=lambda planned: Denied("not on Fridays")), 126, "drop: not on Fridays\n"),
        (Policy(approve=lambda planned: "no"), 126, "drop: the policy could not decide\n"),
        (Policy(rules={"destructive": "allow"}), 0, ""),
        (Policy(rules={"destructive": "deny"}), 126, "drop: the call is not allowed\n"),
        (Policy(decide=lambda planned: "allow"), 0, ""),
        (Policy(decide=lambda planned: Denied("not on Fridays")), 126, "drop: not on Fridays\n"),
        (Policy(decide=lambda planned: None, rules={"destructive": "allow"}), 0, ""),
        (Policy(decide=lambda planned: Denied("")), 126, "drop: the call is not allowed\n"),
        (Policy(decide=lambda planned: "perhaps"), 126, "drop: the policy could not decide\n"),
        (Policy(decide=lambda planned: True), 126, "drop: the policy could not decide\n"),
        (Policy(decide=lambda planned: 1 / 0), 126, "drop: the policy could not decide\n"),
    ],
)
def test_s23_a_call_is_allowed_denied_or_asked_for(run, policy, status, message):
    outcome = call(run, policy)
    assert (outcome.status, outcome.stderr, outcome.stdout) == (status, message, "" if status else "done\n")
    assert run.calls.trace[0].exit_code == status


@pytest.mark.parametrize(("effects", "status"), [("read", 0), ("write", 0), ("destructive", 126), (None, 0)])
def test_s23_declared_effects_drive_the_default_rules(run, effects, status):
    assert call(run, Policy(), ToolDef("t", effects=effects)).status == status
    assert call(run, None, ToolDef("t", effects=effects)).status == status


def test_s23_a_stub_needs_no_approval_where_nobody_can_be_asked(run):
    assert run(DROP, Stub("gone"), "--table", "users").stdout == "gone\n"
    assert run(DROP, Stubs("drop", (Case(values=("gone",)),)), "--table", "users").stdout == "gone\n"
    run.calls.policy = Policy(approve=lambda planned: False)
    assert run(DROP, Stub("gone"), "--table", "users").status == 126


def test_s23_the_hook_sees_name_arguments_and_effects_and_may_be_async(run):
    seen = []

    async def decide(planned):
        seen.append((planned.tool, planned.arguments, planned.effects, planned.line, planned.column))
        return "allow"

    assert call(run, Policy(decide=decide)).status == 0
    assert seen == [("drop", {"table": "users"}, "destructive", 3, 5)]


def test_s23_a_budget_per_tool(run):
    tool = ToolDef("get", max_calls=2)
    outcomes = [run(tool, lambda args: "ok\n") for _ in range(3)]
    assert [outcome.status for outcome in outcomes] == [0, 0, 126]
    assert outcomes[2].stderr == "get: called more than 2 times in one script\n"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"rules": {"writes": "deny"}}, "not for 'writes'"),
        ({"rules": {"undeclared": "deny"}}, "None (tools that declare no effects), not for 'undeclared'"),
        ({"rules": {"write": "forbid"}}, "the rule for 'write' must be one of allow, deny, ask, not 'forbid'"),
        ({"rules": "deny"}, "are a mapping of effects to decisions, not 'deny'"),
        ({"approve": True}, "approve must be callable, not True"),
        ({"decide": "allow"}, "decide must be callable, not 'allow'"),
    ],
)
def test_s23_a_policy_that_could_not_decide_is_refused(options, reason):
    with pytest.raises(DefinitionError) as caught:
        Policy(**options)
    assert reason in str(caught.value)


@pytest.mark.parametrize("persistent", [False, True])
def test_an_approval_tells_what_the_whole_script_may_do(persistent):
    seen = []

    def approve(planned):
        seen.append(None if planned.script is None else list(told(planned.script)))
        return True

    tool = ScriptedTool(
        "db",
        tools=[(DROP, lambda args: "done\n"), (ToolDef("list"), lambda args: "users\n")],
        policy=Policy(approve=approve),
        persistent=persistent,
    )
    tool.execute_sync("list | while read -r t; do drop --table $t; done > /tmp/log\ncurl https://example.com -d @/tmp/log")
    tool.execute_sync("drop --table logs")
    tool.call_sync("drop", {"table": "x"})
    assert seen == [
        [
            "calls      line 1    list  (effects undeclared)",
            "calls      line 1    drop --table …  (destructive)",
            "reads      line 2    /tmp/log",
            "writes     line 1    /tmp/log",
            "reaches    line 2    example.com",
        ],
        ["calls      line 1    drop --table logs  (destructive)"],
        None,
    ]

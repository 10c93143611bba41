"""The scripted tool with the real shell: the test list of the specification, and what goes beyond it."""

import asyncio
import json
import threading

import pytest
from jsonschema import Draft202012Validator

from bashkit.errors import DefinitionError, ToolError
from bashkit.limits import ExecutionLimits
from bashkit.tools import BashTool, OrchestratorTool, ScriptedTool, ToolDef, ToolRequest
from bashkit.tools.execute.bash_tool import EXAMPLES

ID = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
USER = ToolDef("get_user", "Fetch user by ID").with_schema(ID)
USERS = {1: "Ada", 2: "Grace", 3: "Edsger"}


def get_user(args):
    if args["id"] not in USERS:
        raise ToolError(f"no user {args['id']}")
    return {"id": args["id"], "name": USERS[args["id"]]}


async def list_orders(args):
    await asyncio.sleep(0)
    return [{"id": args["user_id"] * 10 + n, "total": 5 * n} for n in (1, 2)]


def upper(args):
    return (args.stdin or "").upper()


TOOLS = [
    (USER, get_user),
    (ToolDef("list_orders", "List orders").with_schema({"properties": {"user_id": {"type": "integer"}}}), list_orders),
    (ToolDef("upper", "Capital letters"), upper),
]


@pytest.fixture
def tool():
    return ScriptedTool("api", short_description="Users", tools=TOOLS, env={"REGION": "eu"}, secrets={"KEY": "s3cret"})


def out(tool, script):
    response = tool.execute_sync(script)
    assert (response.stderr, response.exit_code, response.error) == ("", 0, None)
    return response.stdout


# -- the builder -------------------------------------------------------------------------------------------------------


def test_s09_the_builder_and_the_constructor_make_the_same():
    limits = ExecutionLimits(max_commands=500)
    built = ScriptedTool.builder("api").short_description("Users").tool(USER, get_user).env("REGION", "eu").limits(limits).build()
    made = ScriptedTool("api", short_description="Users", tools=[(USER, get_user)], env={"REGION": "eu"}, limits=limits)
    for one in (built, made):
        assert (one.name, one.short_description, one.limits, one.env) == ("api", "Users", limits, {"REGION": "eu"})
        assert one.definitions == (USER,)
    assert built.system_prompt() == made.system_prompt()
    assert built.help() == made.help()


def test_s09_defaults():
    tool = ScriptedTool.builder("api").build()
    assert (tool.short_description, tool.definitions, tool.limits) == ("", (), None)
    assert tool.description() == "Supported tools:"
    assert "## Available tool commands" not in tool.system_prompt()


def test_s09_add_tool():
    tool = ScriptedTool("api")
    tool.add_tool("get_user", "Fetch user by ID", callback=get_user, schema=ID, tags=("read",))
    assert out(tool, "get_user --id 1") == '{"id":1,"name":"Ada"}\n'
    assert tool.definitions[0].tags == ("read",)


@pytest.mark.parametrize("name", ["", "two\nlines"])
def test_s09_a_tool_needs_a_name(name):
    with pytest.raises(DefinitionError):
        ScriptedTool(name)


def test_s09_a_callback_is_callable_and_a_secret_is_no_variable():
    with pytest.raises(DefinitionError, match="not callable"):
        ScriptedTool("api", tools=[(USER, "get_user")])
    with pytest.raises(DefinitionError, match="KEY is both"):
        ScriptedTool("api", env={"KEY": "a"}, secrets={"KEY": "b"})


def test_o02_orchestrator_tool_is_an_alias():
    assert OrchestratorTool is ScriptedTool


def test_o01_the_raw_form_is_chosen_by_a_flag():
    tool = ScriptedTool.builder("api").tool(ToolDef("echo_args"), lambda args, stdin: f"{args} {stdin!r}\n", raw=True).build()
    assert out(tool, "echo_args a --b; echo hi | echo_args") == "['a', '--b'] None\n[] 'hi\\n'\n"


# -- introspection -----------------------------------------------------------------------------------------------------


def test_s11_descriptions_and_man_page(tool):
    assert tool.description() == "Users. Supported tools: get_user list_orders upper"
    page = tool.help()
    assert page.startswith("API(1)")
    assert "\nTOOL COMMANDS\n       get_user     Fetch user by ID\n" in page
    assert "       Environment: REGION\n" in page
    assert "s3cret" not in page + tool.system_prompt()


# -- running -----------------------------------------------------------------------------------------------------------


def test_s17_one_tool(tool):
    assert out(tool, "get_user --id 1") == '{"id":1,"name":"Ada"}\n'
    assert out(tool, "get_user --id=2") == '{"id":2,"name":"Grace"}\n'


def test_s17_a_pipeline_with_jq(tool):
    assert out(tool, "get_user --id 1 | jq -r .name") == "Ada\n"


def test_s17_several_steps_with_variables_and_substitutions(tool):
    script = """
    user=$(get_user --id 2)
    name=$(echo "$user" | jq -r .name)
    total=$(list_orders --user_id 2 | jq 'map(.total) | add')
    echo "$name: $total"
    """
    assert out(tool, script) == "Grace: 15\n"


def test_s17_an_error_and_a_fallback(tool):
    response = tool.execute_sync("get_user --id 9 || echo unknown")
    assert (response.stdout, response.stderr, response.exit_code) == ("unknown\n", "get_user: no user 9\n", 0)
    assert tool.execute_sync("get_user --id 9").exit_code == 1
    assert tool.execute_sync("set -e; get_user --id 9; echo never").stdout == ""


def test_s17_stdin_into_a_tool(tool):
    assert out(tool, "echo hello | upper; upper <<< there; upper") == "HELLO\nTHERE\n"


def test_a_tool_leaves_the_input_of_a_loop_around_it_alone(tool):
    assert (
        out(tool, "printf '1\\n2\\n3\\n' | while read -r id; do get_user --id $id; done | jq -r .name") == "Ada\nGrace\nEdsger\n"
    )


@pytest.mark.parametrize("script", ["printf '%s' \"$x\" | bash", 'bash <<< "$x"', "printf '%s' \"$x\" > f; bash < f"])
def test_a_script_on_standard_input_is_not_the_input_of_its_tools(tool, script):
    assert out(tool, f"x=$'get_user --id 1 | jq -r .name\\necho next\\n'; {script}") == "Ada\nnext\n"


def test_s17_loops_and_conditionals(tool):
    assert out(tool, "for id in 1 2 3; do get_user --id $id | jq -r .name; done") == "Ada\nGrace\nEdsger\n"
    assert out(tool, "if get_user --id 9 2>/dev/null; then echo yes; else echo no; fi") == "no\n"
    assert out(tool, "[[ $(get_user --id 1 | jq -r .name) == A* ]] && echo match") == "match\n"


def test_s15_environment_variables_reach_scripts_and_secrets_do_not(tool):
    assert out(tool, "echo $REGION [$KEY]; env | grep -c s3cret || true") == "eu []\n0\n"


def test_s15_a_script_cannot_change_what_a_callback_sees():
    tool = ScriptedTool("api", tools=[(ToolDef("show"), lambda args: args.env["REGION"])], env={"REGION": "eu"})
    assert out(tool, "REGION=us; export REGION; show; REGION=us show") == "eueu"


def test_s17_sequential_executes_share_the_callbacks():
    seen = []
    tool = ScriptedTool("api", tools=[(ToolDef("note"), lambda args: seen.append(dict(args.params)))])
    for number in range(3):
        assert tool.execute_sync(f"note --n {number}").exit_code == 0
    assert seen == [{"n": "0"}, {"n": "1"}, {"n": "2"}]


def test_s10_each_execute_is_a_fresh_shell(tool):
    tool.execute_sync("x=1; f() { echo f; }; echo data > /tmp/file; cd /tmp; alias g=echo")
    response = tool.execute_sync('echo "[$x]"; pwd; cat /tmp/file; f')
    assert response.stdout.splitlines()[0] == "[]"
    assert response.stdout.splitlines()[1] != "/tmp"
    assert response.exit_code == 127


async def test_s10_two_executes_at_the_same_time_do_not_see_each_other(tool):
    together = asyncio.Barrier(2)

    async def meet(args):
        await together.wait()

    tool.add_tool("meet", "Wait for the other", callback=meet)
    script = "x={0}; list_orders --user_id {0} > /tmp/f; meet; echo $x; jq -c 'map(.id)' /tmp/f"
    responses = await asyncio.gather(*(tool.execute(script.format(number)) for number in (1, 2)))
    assert [response.stdout for response in responses] == ["1\n[11,12]\n", "2\n[21,22]\n"]


def test_s02_a_tool_may_hide_a_command_on_purpose():
    tool = ScriptedTool(
        "api",
        tools=[
            (ToolDef("hostname", override=True), lambda args: "mine\n"),
            (ToolDef("pwd", override=True), lambda args: "here\n"),
        ],
    )
    assert out(tool, "hostname; pwd") == "mine\nhere\n"


def test_s08_help_dry_run_and_a_mistyped_name(tool):
    assert out(tool, "get_user --help").startswith("Usage: get_user --id <integer>\n")
    assert out(tool, "get_user --id 7 --dry-run") == '{"id":7}\n'
    response = tool.execute_sync("get_usr --id 1")
    assert response.exit_code == 127
    assert "did you mean" in response.stderr.lower()
    assert "get_user" in response.stderr


def test_s14_help_and_discover_in_scripts(tool):
    assert out(tool, "help --list").splitlines()[0] == "get_user     Fetch user by ID"
    assert json.loads(out(tool, "help get_user --json"))["name"] == "get_user"
    assert out(tool, "discover --search fetch") == "get_user  Fetch user by ID\n"


# -- requests, responses, status ---------------------------------------------------------------------------------------


async def test_t02_execute_takes_a_request_or_text(tool):
    assert await tool.execute(ToolRequest("echo hi")) == await tool.execute("echo hi")
    with pytest.raises(TypeError, match=r"must be a script \(str\) or a ToolRequest, not int$"):
        await tool.execute(3)
    with pytest.raises(TypeError, match="not dict: pass its 'commands'"):
        await tool.execute({"commands": "echo hi"})


@pytest.mark.parametrize(
    ("script", "limits", "error"),
    [
        ("echo hi", {}, None),
        ("if", {}, "parse"),
        ("while :; do :; done", {"max_loop_iterations": 10}, "limit:max_loop_iterations"),
        ("echo a; sleep 5", {"timeout": 0.05}, "timeout"),
    ],
)
def test_t07_every_response_matches_the_output_schema(script, limits, error):
    tool = ScriptedTool("api", limits=ExecutionLimits(**limits))
    response = tool.execute_sync(script)
    assert response.error == error
    Draft202012Validator(tool.output_schema()).validate(json.loads(response.to_json()))


def test_t08_statuses_come_in_order(tool):
    seen = []
    response = tool.execute_with_status_sync("echo one; echo two >&2; get_user --id 1", seen.append)
    phases = [status.phase for status in seen]
    assert phases == ["validate", "parse", "execute", "output", "output", "output", "complete"]
    assert [(status.stream, status.output) for status in seen[3:6]] == [
        ("stdout", "one\n"),
        ("stderr", "two\n"),
        ("stdout", '{"id":1,"name":"Ada"}\n'),
    ]
    assert response.stdout == 'one\n{"id":1,"name":"Ada"}\n'


async def test_t08_and_async(tool):
    seen = []
    response = await tool.execute_with_status("for i in 1 2 3; do echo $i; done", seen.append)
    assert [status.output for status in seen if status.phase == "output"] == ["1\n", "2\n", "3\n"]
    assert response.stdout == "1\n2\n3\n"


# -- calls in parallel, limits -----------------------------------------------------------------------------------------


def test_s18_a_hundred_calls_overlap():
    together = threading.Barrier(100)

    def slow(args):
        together.wait()
        return f"{args.get('n')}\n"

    tool = ScriptedTool("api", tools=[(ToolDef("slow"), slow)])
    assert out(tool, "for i in {1..100}; do slow --n $i > /tmp/$i & done; wait; cat /tmp/{1..100}") == "".join(
        f"{n}\n" for n in range(1, 101)
    )


def test_s18_a_hundred_asynchronous_calls_overlap():
    together = asyncio.Barrier(100)

    async def slow(args):
        await together.wait()
        return f"{args.get('n')}\n"

    tool = ScriptedTool("api", tools=[(ToolDef("slow"), slow)])
    assert out(tool, "for i in {1..100}; do slow --n $i > /tmp/$i & done; wait; cat /tmp/{1..100}") == "".join(
        f"{n}\n" for n in range(1, 101)
    )


MEANS = [
    "for i in {1..5}; do meet $i & done; wait",
    "seq 5 | xargs -P 5 -n 1 meet",
    "parallel -j 5 meet ::: {1..5}",
    "parallel meet ::: {1..5}",
    "meet 1 | meet 2 | meet 3 & meet 4 & meet 5",
]


@pytest.mark.parametrize("script", MEANS)
@pytest.mark.parametrize("how", ["sync", "async"])
def test_s18_calls_overlap_by_any_means(script, how):
    barrier, arrived, complete = threading.Barrier(5), [], []

    def meet(args, stdin):
        barrier.wait(60)

    async def meet_async(args, stdin):
        arrived.append(args)
        complete.append(asyncio.Event())
        if len(arrived) == 5:
            for event in complete:
                event.set()
        await asyncio.wait_for(complete[len(arrived) - 1].wait(), 60)

    for callback in (meet, meet_async):
        tool = ScriptedTool("api", tools=[(ToolDef("meet", raw=True, stdin=False), callback)])
        response = tool.execute_sync(script) if how == "sync" else asyncio.run(tool.execute(script))
        assert (response.stderr, len(response.trace)) == ("", 5)


async def test_s18_output_comes_in_command_order():
    gates = {str(number): asyncio.Event() for number in range(3)}

    async def step(args):
        if args["n"] != "2":
            await gates[str(int(args["n"]) + 1)].wait()  # the last one ends first
        gates[args["n"]].set()
        return f"{args['n']}\n"

    tool = ScriptedTool("api", tools=[(ToolDef("step"), step)])
    for script in ("seq 0 2 | xargs -P 3 -n 1 step --n", "parallel -k -j 3 step --n ::: 0 1 2"):
        assert (await tool.execute(script)).stdout == "0\n1\n2\n"
        for gate in gates.values():
            gate.clear()


def test_s18_wait_n_sees_the_first_that_ends():
    release = threading.Event()
    tools = [
        (ToolDef("quick"), lambda args: "quick\n"),
        (ToolDef("slow"), lambda args: "slow\n" if release.wait(60) else ""),
        (ToolDef("go"), lambda args: release.set()),
    ]
    assert (
        out(ScriptedTool("api", tools=tools), "slow & quick & wait -n; echo $?; go; wait; echo done") == "0\nslow\nquick\ndone\n"
    )


def test_s18_concurrency_is_capped():
    running, most, lock, three = 0, 0, threading.Lock(), threading.Barrier(3)

    def count(args):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        three.wait(60)  # less than three at once would never get further
        with lock:
            running -= 1

    tool = ScriptedTool("api", tools=[(ToolDef("count"), count)], limits=ExecutionLimits(max_concurrent_calls=3))
    assert tool.execute_sync("for i in {1..12}; do count & done; wait").exit_code == 0
    assert most == 3


def test_s19_a_reader_that_leaves_ends_the_calls():
    calls = []

    def tick(args):
        calls.append(1)
        return "tick\n"

    tool = ScriptedTool("api", tools=[(ToolDef("tick"), tick)])
    assert out(tool, "while :; do tick; done | head -3") == "tick\n" * 3
    assert len(calls) <= 4


def test_s20_a_time_limit_interrupts_a_sync_callback():
    release = threading.Event()
    tool = ScriptedTool("api", tools=[(ToolDef("hang"), lambda args: release.wait())])
    response = tool.execute_sync("echo before; timeout 0.1 hang; echo $?")
    limited = ScriptedTool("api", tools=[(ToolDef("hang"), lambda args: release.wait())], limits=ExecutionLimits(timeout=0.2))
    ended = limited.execute_sync("echo before; hang; echo after")
    release.set()
    assert response.stdout == "before\n124\n"
    assert (ended.stdout, ended.exit_code, ended.error) == ("before\n", 124, "timeout")


@pytest.mark.parametrize(
    ("script", "limits"),
    [
        ("echo kept; while :; do :; done", {"max_loop_iterations": 100}),
        ("echo kept; get_user --id 1 >/dev/null; sleep 9", {"timeout": 0.1}),
        ("echo kept\nif", {}),
    ],
)
def test_s21_the_output_so_far_is_kept(script, limits):
    tool = ScriptedTool("api", tools=TOOLS, limits=ExecutionLimits(**limits))
    response = tool.execute_sync(script)
    assert response.stdout == "kept\n"
    assert response.error is not None


async def test_s21_cancelling_ends_the_script_and_the_callback():
    started, ended = asyncio.Event(), asyncio.Event()

    async def hang(args):
        started.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    tool = ScriptedTool("api", tools=[(ToolDef("hang"), hang)])
    task = asyncio.create_task(tool.execute("hang"))
    await asyncio.wait_for(started.wait(), 60)
    task.cancel()
    await asyncio.wait([task], timeout=60)
    assert task.done()
    await asyncio.wait_for(ended.wait(), 60)


def test_s22_the_trace_of_a_script(tool):
    response = tool.execute_sync("get_user --id 1 >/dev/null\necho x |\n  upper\nget_user --id 9 || true")
    found = [(call.tool, call.line, call.arguments, call.exit_code, call.stdin_bytes) for call in response.trace]
    assert found == [("get_user", 1, {"id": 1}, 0, 0), ("upper", 3, {}, 0, 2), ("get_user", 4, {"id": 9}, 1, 0)]
    assert [json.loads(line)["tool"] for line in response.trace.json_lines().splitlines()] == ["get_user", "upper", "get_user"]
    assert tool.execute_sync("true").trace.json_lines() == ""


def test_s22_calls_are_streamed_as_they_end():
    seen = []
    tool = ScriptedTool("api", tools=TOOLS, on_call=lambda call: seen.append((call.tool, call.exit_code)))
    tool.execute_sync("get_user --id 1; get_user --id 9")
    assert seen == [("get_user", 0), ("get_user", 1)]


# -- the bash tool -----------------------------------------------------------------------------------------------------


def test_t06_every_example_of_the_man_page_runs():
    expected = {"Simple echo": "Hello, World!\n", "Arithmetic": "8\n", "Pipeline": "apple\nbanana\n", "JSON processing": "1\n"}
    expected |= {"File operations (virtual)": "data\n"}
    for title, script in EXAMPLES[:-1]:
        assert BashTool().execute_sync(script).stdout == expected[title]
    title, script = EXAMPLES[-1]
    assert BashTool().execute_sync(f"mkdir -p /path/to; echo 'echo sourced' > /path/to/script.sh; {script}").stdout == "sourced\n"


def test_t04_the_list_is_that_of_the_shell():
    names = BashTool().description().partition("Supported tools: ")[2].split()
    missing = [name for name in names if BashTool().execute_sync(f"type '{name}'").exit_code]
    assert missing == []


def test_t03_a_custom_builtin():
    tool = (
        BashTool.builder()
        .username("agent")
        .hostname("box")
        .env("A", "b")
        .builtin("greet", lambda context: f"hi {context.argv}\n")
        .build()
    )
    assert tool.description().endswith(" greet")
    assert tool.execute_sync("greet you; whoami; hostname; echo $A").stdout == "hi ['you']\nagent\nbox\nb\n"


def test_t11_timeout_works_as_a_command():
    response = BashTool().execute_sync("timeout 0.05 sleep 5")
    assert response.exit_code == 124


# -- one call without a script -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"), [({}, "id is required: expected integer"), ({"id": "x"}, "id: expected integer, got 'x'")]
)
def test_s07_a_direct_call_is_checked_too(params, message):
    calls = []
    schema = {"properties": {"id": {"type": "integer"}}, "required": ["id"]}
    tool = ScriptedTool("api", tools=[(ToolDef("get", "", schema), calls.append)])
    for response in (tool.call_sync("get", params), asyncio.run(tool.call("get", params))):
        assert (response.exit_code, response.stderr) == (2, f"get: {message}\n")
        assert [(call.error, call.exit_code) for call in response.trace] == [(message, 2)]
    assert calls == []
    assert tool.call_sync("get", {"id": 1}).exit_code == 0


def test_what_a_direct_call_cannot_be():
    tool = ScriptedTool("api", tools=[(ToolDef("get"), print), (ToolDef("words", raw=True), print)])
    with pytest.raises(DefinitionError, match="the tool 'words' takes words"):
        tool.call_sync("words", {})
    with pytest.raises(TypeError, match="the arguments of a call are a mapping, not str"):
        tool.call_sync("get", "x")
    with pytest.raises(TypeError, match=r"the input of a call must be a text \(str\), not list"):
        tool.call_sync("get", {}, ["x"])


def test_tools_that_come_are_seen_as_a_whole():
    found, news = [], []

    def changed():
        yield ToolDef("one"), lambda args: "1"
        found.extend(tool.adapter(name) is not None for name in ("one", "two", "three"))  # as another thread sees them now
        yield ToolDef("two", "Now another"), lambda args: "2"
        yield ToolDef("three"), lambda args: "3"

    tool = ScriptedTool("t", follow=lambda: news.pop() if news else None)
    tool.add_tool("one", callback=print)
    tool.add_tool("two", callback=print)
    news.append(changed())
    assert tool.execute_sync("two; three").stdout == "23"
    assert found == [True, True, False]

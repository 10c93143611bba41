"""What the host controls: retries, caches, deadlines, outputs, hooks, contexts, cancellation, spans."""

import asyncio
import contextvars
import gc
import inspect
import json
import sys
import threading
import time
import types
from contextlib import contextmanager

import pytest

from bashkit.errors import DefinitionError, ToolError
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.limits import ExecutionLimits
from bashkit.tools import BashTool, Cancellation, Policy, Retry, ScriptedTool, ToolDef, ToolResult
from bashkit.tools.call.retry import ResultCache


class Flaky:
    """Fails some times, then answers."""

    def __init__(self, failures, error=None):
        self.failures = failures
        self.error = error or ConnectionError("no route")
        self.calls = 0

    def __call__(self, args):
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return f"answer {self.calls}\n"


def tool(*tools, **options):
    return ScriptedTool("api", tools=tools, **options)


# -- retries and caches ------------------------------------------------------------------------------------------------


def test_s18_a_call_is_not_repeated_unless_the_tool_says_so():
    flaky = Flaky(1)
    assert tool((ToolDef("get"), flaky)).execute_sync("get").exit_code == 1
    assert flaky.calls == 1


@pytest.mark.parametrize(
    ("failures", "error", "retry", "calls", "status"),
    [
        (2, None, Retry(3, backoff=0), 3, 0),
        (3, None, Retry(3, backoff=0), 3, 1),
        (1, ToolError("no such user"), Retry(3, backoff=0), 1, 1),  # an answer
        (1, ToolError("busy", exit_code=75), Retry(3, backoff=0, exit_codes=(75,)), 2, 0),
        (1, TypeError("a bug"), Retry(3, backoff=0), 1, 1),
    ],
)
def test_s18_a_failed_call_is_repeated(failures, error, retry, calls, status):
    flaky = Flaky(failures, error)
    seen = []
    made = tool((ToolDef("get").with_retry(retry), flaky), on_error=lambda call, error: seen.append(error))
    response = made.execute_sync("get")
    assert (flaky.calls, response.exit_code, response.trace[0].attempts) == (calls, status, calls)
    assert len(seen) == min(calls, failures)
    assert (response.trace[0].error == "") is (status == 0)


def test_s18_waits_grow_up_to_a_bound():
    retry = Retry(6, backoff=1, factor=3, max_backoff=20)
    assert [retry.wait(attempt) for attempt in range(1, 6)] == [1, 3, 9, 20, 20]
    with pytest.raises(DefinitionError):
        Retry(0)


def test_s18_a_wait_ends_with_the_script():
    made = tool(
        (ToolDef("get").with_retry(Retry(5, backoff=6000, max_backoff=6000)), Flaky(9)), limits=ExecutionLimits(timeout=0.2)
    )
    assert made.execute_sync("echo kept; get").to_dict() == {
        "stdout": "kept\n", "stderr": "bash: time limit of 0.2 seconds exceeded\n", "exit_code": 124, "error": "timeout"
    }  # fmt: skip


def test_s18_a_result_stands_in_for_further_calls():
    flaky = Flaky(0)
    made = tool((ToolDef("get").with_cache(60), flaky))
    response = made.execute_sync("get --id 1; get --id 1; get --id 2; echo x | get --id 1")
    assert response.stdout == "answer 1\nanswer 1\nanswer 2\nanswer 3\n"
    assert [call.cached for call in response.trace] == [False, True, False, False]
    assert made.execute_sync("get --id 2").stdout == "answer 2\n"  # of the last script
    made.clear_cache()
    assert made.execute_sync("get --id 2").stdout == "answer 4\n"


def test_s18_failures_are_not_kept_and_results_grow_old():
    flaky = Flaky(1)
    assert tool((ToolDef("get").with_cache(60), flaky)).execute_sync("get || get").stdout == "answer 2\n"
    clock = VirtualClock()
    cache = ResultCache(10, clock)
    cache.put("k", ToolResult("v"))
    assert cache.get("k") == ToolResult("v")
    clock.advance(11)
    assert cache.get("k") is None


def test_a_cache_is_bounded():
    cache = ResultCache(10)
    for number in range(300):
        cache.put(str(number), ToolResult(str(number)))
    cache.put("huge", ToolResult("x" * (2 << 20)))
    assert cache.get("0") is None
    assert cache.get("huge") is None
    assert cache.get("299") is not None


# -- outputs -----------------------------------------------------------------------------------------------------------

SHAPE = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["id"],
}


@pytest.mark.parametrize(
    ("shape", "value", "complaint"),
    [
        (SHAPE, {"id": 1}, None),
        (SHAPE, '{"id": 1}\n', None),
        (SHAPE, {"id": "x"}, ".id: expected integer, got 'x'"),
        (SHAPE, {}, ".id is missing: expected integer"),
        (SHAPE, {"id": 1, "tags": ["a", 2]}, ".tags[1]: expected string, got 2"),
        (SHAPE, "no json", "it is not JSON"),
        (SHAPE, [], ".: expected object, got []"),
        ({"type": "string"}, "text\n", None),
        ({**SHAPE, "additionalProperties": False}, {"id": 1, "tag": 1}, ".tag is not in the schema (did you mean .tags?)"),
    ],
)
def test_s12_an_output_is_checked_against_its_schema(shape, value, complaint):
    definition = ToolDef("get", output_schema=shape)
    for mode in ("off", "warn", "error"):
        response = tool((definition, lambda args: value), validate_output=mode).execute_sync("get")
        message = f"the output does not match its schema: {complaint}\n"
        if complaint is None or mode == "off":
            assert (response.stderr, response.exit_code, bool(response.stdout)) == ("", 0, True)
        elif mode == "warn":
            assert (response.stderr, response.exit_code, bool(response.stdout)) == (f"get: warning: {message}", 0, True)
        else:
            assert (response.stderr, response.exit_code, response.stdout) == (f"get: {message}", 1, "")
            assert response.trace[0].error == message.strip()


def test_s12_a_tool_decides_for_itself():
    definition = ToolDef("get", output_schema=SHAPE, validate_output="off")
    assert tool((definition, lambda args: "x"), validate_output="error").execute_sync("get").stdout == "x"
    with pytest.raises(DefinitionError, match="validate_output must be one of off, warn, error"):
        ToolDef("get", validate_output="yes")


def test_s12_what_a_failed_call_prints_is_not_checked():
    definition = ToolDef("get", output_schema=SHAPE, validate_output="error")
    assert tool((definition, lambda args: ToolResult("partial", "", 4))).execute_sync("get").exit_code == 4


# -- deadlines and cancelling ------------------------------------------------------------------------------------------


def test_s20_a_callback_sees_its_deadline(hours_pass):
    seen = []
    tools = (
        (ToolDef("short", timeout=2), lambda args: seen.append(args.remaining)),
        (ToolDef("long"), lambda args: seen.append(args.remaining)),
    )
    tool(*tools, limits=ExecutionLimits(timeout=10)).execute_sync("short; long")
    assert seen == [2, 10]


@pytest.mark.parametrize("after", ["", "; go", "; go | cat; go"])
@pytest.mark.parametrize("is_async", [True, False])
def test_a_coroutine_that_comes_too_late_is_closed_and_never_begins(after, is_async):
    """A function that is not async returns one when its time is up already: while the script goes on, or when it is over."""
    released, made, begun = threading.Event(), [], []

    async def work():
        begun.append(True)

    def late(args):
        released.wait(60)
        made.append(work())
        return made[0]

    def go(args):
        released.set()
        while not made:
            time.sleep(0.001)

    tools = ScriptedTool("t", tools=[(ToolDef("late", timeout=0.01), late), (ToolDef("go"), go)])
    script = "late" + after
    assert (asyncio.run(tools.execute(script)) if is_async else tools.execute_sync(script)).stderr
    released.set()
    while not made or inspect.getcoroutinestate(made[0]) != inspect.CORO_CLOSED:
        time.sleep(0.001)
    assert not begun


def test_s20_the_deadline_of_timeout_reaches_a_callback(hours_pass):
    seen = []
    made = tool((ToolDef("get"), lambda args: seen.append(args.remaining)), limits=ExecutionLimits(timeout=20))
    made.execute_sync("timeout 5 get; timeout 5 bash -c 'echo $(get | cat)'; timeout 6 timeout 9 get; get")
    assert seen == [5, 5, 6, 20]


def test_s20_a_sync_callback_learns_that_nobody_waits():
    noticed = threading.Event()

    def work(args):
        while not args.cancelled:
            time.sleep(0.005)
        noticed.set()

    assert tool((ToolDef("work", timeout=0.05), work)).execute_sync("work").exit_code == 124
    assert noticed.wait(60)


@pytest.mark.parametrize(
    "script",
    ["echo kept; hang; echo never", "echo kept; while :; do :; done", "echo kept; sleep 30", "echo kept; hang | cat & wait"],
)
@pytest.mark.parametrize("how", ["sync", "async"])
def test_s21_cancelling_keeps_the_output_so_far(script, how):
    release = threading.Event()
    made = tool((ToolDef("hang"), lambda args: release.wait(60)))
    cancellation = Cancellation()

    def cancel(status):
        if status.output == "kept\n":
            threading.Thread(target=cancellation.cancel).start()

    if how == "sync":
        response = made.execute_with_status_sync(script, cancel, cancellation=cancellation)
    else:
        response = asyncio.run(made.execute_with_status(script, cancel, cancellation=cancellation))
    release.set()
    assert (response.stdout, response.error, response.exit_code) == ("kept\n", "cancelled", 130)


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("how", ["sync", "async"])
def test_s21_what_was_cancelled_before_it_began_does_not_run(persistent, how):
    calls, seen = [], []
    made = tool((ToolDef("get"), calls.append), persistent=persistent)
    cancellation = Cancellation()
    cancellation.cancel()
    for _ in range(2):
        if how == "sync":
            response = made.execute_with_status_sync("get", seen.append, cancellation=cancellation)
        else:
            response = asyncio.run(made.execute_with_status("get", seen.append, cancellation=cancellation))
        assert (response.to_dict(), calls) == (
            {"stdout": "", "stderr": "bash: cancelled\n", "exit_code": 130, "error": "cancelled"},
            [],
        )
    assert [status.output for status in seen if status.output] == ["bash: cancelled\n"] * 2


async def test_s21_a_cancelled_script_in_the_queue_does_not_run_and_ends_no_other():
    made = tool(persistent=True)
    running, queued = Cancellation(), Cancellation()
    started = asyncio.Event()
    first = made.execute_with_status("echo a; sleep 30", lambda status: status.output and started.set(), cancellation=running)
    tasks = [asyncio.create_task(first), asyncio.create_task(made.execute("echo b", cancellation=queued))]
    tasks.append(asyncio.create_task(made.execute("for i in 1 2 3 4 5 6; do sleep 0.01; done; echo c")))
    await started.wait()
    queued.cancel()
    running.cancel()
    responses = await asyncio.gather(*tasks)
    assert [(one.stdout, one.error) for one in responses] == [("a\n", "cancelled"), ("", "cancelled"), ("c\n", None)]


def test_a_cancellation_forgets_what_is_over():
    cancellation = Cancellation()
    for made in (BashTool(), tool()):
        made.execute_sync("true", cancellation=cancellation)
    assert cancellation._running == []
    with pytest.raises(TypeError, match="cancellation is a Cancellation, not bool"):
        BashTool().execute_sync("true", cancellation=True)


@pytest.mark.parametrize("raw", [False, True])
def test_an_attempt_sees_nothing_of_what_the_one_before_did_to_its_arguments(raw):
    seen = []

    def get(args, stdin=None):
        words = args if raw else args["words"]
        words.append("changed")
        seen.append(len(words))
        raise RuntimeError

    schema = {"properties": {"words": {"type": "array", "items": {"type": "string"}}}}
    definition = ToolDef("get", "", {} if raw else schema, raw=raw, retry=Retry(3, backoff=0))
    tool((definition, get)).execute_sync("get a" if raw else "get --words a")
    assert seen == [2, 2, 2]


@pytest.mark.parametrize("depth", [1, 2])
def test_an_async_callback_may_call_execute_sync(depth):
    async def later(args):
        await asyncio.sleep(0)
        return "done\n"

    async def outer(args):
        return made.execute_sync("later" if args["depth"] == 1 else f"outer --depth {args['depth'] - 1}").stdout

    schema = {"properties": {"depth": {"type": "integer"}}, "required": ["depth"]}
    made = tool((ToolDef("later"), later), (ToolDef("outer", "", schema), outer), limits=ExecutionLimits(timeout=20))
    assert made.execute_sync(f"outer --depth {depth}").to_dict() == {"stdout": "done\n", "stderr": "", "exit_code": 0}
    assert asyncio.run(made.execute(f"outer --depth {depth}")).stdout == "done\n"


# -- contexts and hooks ------------------------------------------------------------------------------------------------

REQUEST = contextvars.ContextVar("REQUEST", default="none")


def see(args):
    return f"{REQUEST.get()}\n"


async def see_later(args):
    await asyncio.sleep(0)
    return f"{REQUEST.get()}\n"


SEEING = [(ToolDef("inline", inline=True), see), (ToolDef("threaded"), see), (ToolDef("awaited"), see_later)]
EVERYWHERE = "inline; threaded; awaited; inline & threaded & awaited & wait; (inline | cat); echo $(threaded) $(awaited); seq 1 | xargs -P 2 awaited --n"


def test_s22_callbacks_see_the_contextvars_of_whoever_executes():
    made = tool(*SEEING)
    token = REQUEST.set("r1")
    assert set(made.execute_sync(EVERYWHERE).stdout.split()) == {"r1"}
    REQUEST.reset(token)
    assert set(made.execute_sync(EVERYWHERE).stdout.split()) == {"none"}


async def test_s22_contexts_of_executions_at_the_same_time_stay_apart():
    made = tool(*SEEING)

    async def run(name):
        REQUEST.set(name)
        return set((await made.execute(EVERYWHERE)).stdout.split())

    names = [f"r{number}" for number in range(8)]
    assert await asyncio.gather(*map(run, names)) == [{name} for name in names]


def test_s22_hooks_and_policies_see_them_too():
    seen = []
    token = REQUEST.set("r2")
    policy = Policy(decide=lambda call: seen.append(REQUEST.get()) or "allow")
    tool(*SEEING[:1], on_start=lambda call: seen.append(REQUEST.get()), policy=policy).execute_sync("inline")
    REQUEST.reset(token)
    assert seen == ["r2", "r2"]


def test_s22_a_hook_that_fails_disturbs_no_script(caplog):
    made = tool(*SEEING[:1], on_start=lambda call: 1 / 0, on_call=lambda call: 1 / 0)
    assert made.execute_sync("inline").stdout == "none\n"
    assert "a hook of a scripted tool failed" in caplog.text


def test_s23_a_sync_approval_may_block_and_other_calls_go_on():
    asked, answered = threading.Event(), threading.Event()

    def approve(call):
        asked.set()
        return answered.wait(60)

    def release(args):
        assert asked.wait(60)
        answered.set()
        return "released\n"

    made = tool(
        (ToolDef("drop", effects="destructive"), lambda args: "dropped\n"),
        (ToolDef("release"), release),
        policy=Policy(approve=approve),
    )
    for run in (made.execute_sync, lambda script: asyncio.run(made.execute(script))):
        asked.clear()
        answered.clear()
        assert sorted(run("drop & release & wait").stdout.split()) == ["dropped", "released"]


@pytest.mark.parametrize("is_async", [False, True])
def test_s23_the_time_limit_does_not_count_while_a_person_is_asked(is_async, hours_pass):
    async def waited(call):
        await asyncio.sleep(0)
        hours_pass()
        return True

    def blocked(call):
        hours_pass()
        return True

    made = tool(
        (ToolDef("drop", effects="destructive"), lambda args: "dropped\n"),
        (ToolDef("work"), lambda args: hours_pass()),
        policy=Policy(approve=waited if is_async else blocked),
        limits=ExecutionLimits(timeout=60),
    )
    response = made.execute_sync("drop; drop; echo end")
    assert (response.stdout, response.error) == ("dropped\ndropped\nend\n", None)
    assert made.execute_sync("drop; work; sleep 5").error == "timeout"


async def test_s23_an_async_approval():
    async def approve(call):
        await asyncio.sleep(0)
        return call.arguments["id"] == "1"

    made = tool((ToolDef("drop", effects="destructive"), lambda args: "dropped\n"), policy=Policy(approve=approve))
    assert (await made.execute("drop --id 1; drop --id 2")).stdout == "dropped\n"


def test_s22_the_trace_knows_the_pipeline_of_a_call():
    made = tool((ToolDef("one"), lambda args: "x\n"), (ToolDef("two"), lambda args: args.stdin))
    response = made.execute_sync("one; one | tr x y | two\none | (two; one) | cat; one & wait; echo $(one | two)")
    assert [(call.tool, call.pipeline) for call in response.trace] == [
        ("one", None), ("one", 1), ("two", 1), ("one", 2), ("two", 2), ("one", 2), ("one", None), ("one", 3), ("two", 3)
    ]  # fmt: skip
    assert json.loads(response.trace.json_lines().splitlines()[1])["pipeline"] == 1


def test_s22_something_may_be_entered_around_every_execution():
    seen = []

    @contextmanager
    def around(script):
        seen.append(script)
        yield lambda response: seen.append(response.exit_code)
        seen.append("left")

    made = tool(around=around)
    made.execute_sync("exit 3")
    asyncio.run(made.execute("true"))
    assert seen == ["exit 3", 3, "left", "true", 0, "left"]


# -- spans -------------------------------------------------------------------------------------------------------------


class Span:
    def __init__(self, tracer, name, attributes):
        self.tracer, self.name, self.attributes, self.status, self.ended = tracer, name, dict(attributes), None, False
        self.parent = CURRENT.get()

    def set_attribute(self, name, value):
        self.attributes[name] = value

    def set_status(self, status):
        self.status = status

    def end(self):
        self.ended = True


CURRENT = contextvars.ContextVar("CURRENT", default=None)


class Tracer:
    """As much of opentelemetry-api as is used."""

    def __init__(self):
        self.spans = []

    def start_span(self, name, attributes):
        span = Span(self, name, attributes)
        self.spans.append(span)
        return span

    @contextmanager
    def start_as_current_span(self, name, attributes):
        span = self.start_span(name, attributes)
        token = CURRENT.set(span)
        try:
            yield span
        finally:
            CURRENT.reset(token)
            span.end()


@pytest.fixture
def tracer(monkeypatch):
    tracer = Tracer()
    package, trace, context = (
        types.ModuleType(name) for name in ("opentelemetry", "opentelemetry.trace", "opentelemetry.context")
    )
    trace.get_tracer = lambda name: tracer
    trace.set_span_in_context = lambda span: span
    trace.Status = lambda code, reason: (code, reason)
    trace.StatusCode = types.SimpleNamespace(ERROR="ERROR")
    context.attach, context.detach = CURRENT.set, CURRENT.reset
    for module in (package, trace, context):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return tracer


def test_s22_spans_of_executions_and_calls(tracer):
    from bashkit.integrations.opentelemetry import instrument

    inner = []

    def one(args):
        inner.append(CURRENT.get().name)
        return "x\n"

    seen = []
    made = tool((ToolDef("one"), one), (ToolDef("bad", inline=True), Flaky(9)), on_call=lambda call: seen.append(call.tool))
    assert instrument(made)
    made.execute_sync("one & one & wait; one | bad")
    execution, *calls = tracer.spans
    assert [span.name for span in tracer.spans] == [f"execute_tool {name}" for name in ("api", "one", "one", "one", "bad")]
    assert {span.parent for span in calls} == {execution}
    assert all(span.ended for span in tracer.spans)
    assert inner == ["execute_tool one"] * 3
    assert (execution.attributes["bashkit.exit_code"], execution.attributes["bashkit.calls"]) == (1, 4)
    assert calls[-1].status == ("ERROR", "ConnectionError")
    assert calls[-1].attributes["bashkit.pipeline"] == 1
    conventional = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bad", "gen_ai.tool.type": "function"}
    assert calls[-1].attributes.items() >= {**conventional, "error.type": "ConnectionError"}.items()
    assert not any("argument" in name for span in tracer.spans for name in span.attributes)
    assert seen.count("one") == 3


async def test_s22_the_span_of_a_cancelled_execution_says_so(tracer):
    from bashkit.integrations.opentelemetry import instrument

    begun = asyncio.Event()

    async def wait(args):
        begun.set()
        await asyncio.Event().wait()

    made = tool((ToolDef("wait_for"), wait))
    assert instrument(made)
    task = asyncio.create_task(made.execute("wait_for"))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    execution = tracer.spans[0]
    assert (execution.ended, execution.status) == (True, ("ERROR", "CancelledError"))
    assert execution.attributes["error.type"] == "CancelledError"


def test_s22_spans_can_be_sent_where_arguments_and_errors_are_not_unicode(tracer):
    from bashkit.integrations.opentelemetry import instrument

    def fail(args):
        raise ToolError("bad \udcff")

    made = tool((ToolDef("fail"), fail))
    assert instrument(made, arguments=True)
    made.execute_sync("fail --key \udcff")
    execution, call = tracer.spans
    assert call.status == ("ERROR", "bad \ufffd")
    assert [span.attributes["gen_ai.tool.call.arguments"] for span in (execution, call)] == [
        '{"commands":"fail --key \ufffd"}',
        '{"key":"\ufffd"}',
    ]


def test_s22_no_spans_where_opentelemetry_is_not_installed(monkeypatch):
    from bashkit.integrations.opentelemetry import instrument

    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    made = tool(*SEEING[:1])
    assert not instrument(made)
    assert made.execute_sync("inline").stdout == "none\n"


# -- many executions ---------------------------------------------------------------------------------------------------


def test_s10_many_executions_leave_nothing_behind():
    made = tool((ToolDef("get", output_schema=SHAPE), lambda args: {"id": 1}))

    def run(times):
        for _ in range(times):
            made.execute_sync("get --id 1; x=$(get --id 2); get --nope | cat")
        gc.collect()
        return len(gc.get_objects())

    run(20)
    first = run(50)
    assert run(200) - first < 100


def test_s10_a_thousand_tools_cost_an_execution_nothing(business):
    made = tool(*[(item, lambda _: None) for item in business])
    made.execute_sync(":")
    assert len(made._spare) == 1
    made.execute_sync(":")
    assert len(made._spare) == 1

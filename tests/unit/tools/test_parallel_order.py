"""S18: background jobs that call tools print in the order in which they were started, as soon as their turn has come."""

import asyncio

import pytest

from bashkit.limits import ExecutionLimits
from bashkit.tools import ScriptedTool, ToolDef

NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
DELAYED = {"type": "object", "properties": {"name": {"type": "string"}, "ms": {"type": "integer"}}, "required": ["name", "ms"]}


async def fetch(args):
    await asyncio.sleep(args["ms"] / 1000)
    return f"{args['name']}\n"


def instant(args):
    return f"{args['name']}\n"


async def stream(args):
    for number in range(3):
        await asyncio.sleep(0.01)
        yield f"{args['name']}{number}\n"


@pytest.fixture(params=["inline", "process"])
def tool(request):
    tools = [
        (ToolDef("fetch", "Fetch", DELAYED), fetch),
        (ToolDef("instant", "At once", NAME, inline=True), instant),
        (ToolDef("stream", "Piece by piece", NAME), stream),
    ]
    return ScriptedTool("api", tools=tools, isolation=request.param)


@pytest.mark.parametrize(
    ("script", "stdout"),
    [
        ("fetch a 90 & fetch b 10 & fetch c 40 & wait", "a\nb\nc\n"),
        ("for i in 5 1 4 2 3; do fetch $i $((i * 15)) & done; wait", "5\n1\n4\n2\n3\n"),
        ("f() { fetch $1 $2 | tr a-z A-Z; }; f a 60 & f b 5 & wait", "A\nB\n"),
        ("{ fetch a 60; echo a2; } & { fetch b 5; echo b2; } & wait", "a\na2\nb\nb2\n"),
        ("(fetch a 60; fetch a2 5) & fetch b 5 & wait", "a\na2\nb\n"),
        ("echo x | fetch a 60 & instant b & wait", "a\nb\n"),
        ("eval 'fetch a 60' & eval 'fetch b 5' & wait", "a\nb\n"),
        ('x=$(fetch a 60 & fetch b 5 & wait); echo "<$x>"', "<a\nb>\n"),
        ("{ fetch a 60 & fetch b 5 & wait; } | cat -n | tr -d ' \\t'", "1a\n2b\n"),
        ("{ fetch a 60 & fetch b 5 & wait; } > f; cat f", "a\nb\n"),
        ("fetch a 60 > f & fetch b 5 & wait; cat f", "b\na\n"),  # a prints nothing here
        ("(fetch a 60 & fetch b 5 & wait) & fetch c 5 & wait", "a\nb\nc\n"),
        ("fetch a 30 & echo now; wait", "now\na\n"),
        ("stream a & stream b & wait", "a0\na1\na2\nb0\nb1\nb2\n"),
        ("printf '%s\\n' 60 5 30 | xargs -P 3 -I% fetch n% %", "n60\nn5\nn30\n"),
        ("fetch a 20 & fetch b 5 & wait $!; echo waited; wait", "waited\na\nb\n"),
        ("fetch a 60 & p=$!; fetch b 5 & wait $!; kill $p; wait; echo end", "b\nend\n"),
        ("{ { sleep 0.05; echo late; } & } & wait; sleep 0.1", "late\n"),  # its job has ended before
        ("(echo early; fetch a 60) & (echo second; fetch b 5) & wait", "early\na\nsecond\nb\n"),
    ],
)
def test_jobs_print_in_their_order(tool, script, stdout):
    if "wait $!; echo waited" in script:
        assert sorted(tool.execute_sync(script).stdout.split()) == sorted(stdout.split())
        return
    response = tool.execute_sync(script)
    assert response.stdout == stdout
    assert "Terminated" not in response.stdout


def test_standard_error_keeps_its_place_too(tool):
    script = "{ fetch a 40; echo ea >&2; } & { fetch b 1; echo eb >&2; } & wait"
    response = tool.execute_sync(script)
    assert (response.stdout, response.stderr) == ("a\nb\n", "ea\neb\n")


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_jobs_overlap_all_the_same(isolation):
    here = []
    complete = asyncio.Event()

    async def meet(args):
        here.append(args["name"])
        if len(here) == 30:
            complete.set()
        await complete.wait()
        return f"{args['name']}\n"

    tool = ScriptedTool("api", tools=[(ToolDef("meet", "", NAME), meet)], isolation=isolation)
    response = tool.execute_sync("for i in $(seq 30); do meet $i & done; wait")
    assert response.stdout.split() == [str(number) for number in range(1, 31)]


def test_the_first_of_those_left_writes_through():
    seen = []
    tool = ScriptedTool("api", tools=[(ToolDef("stream", "", NAME), stream), (ToolDef("fetch", "", DELAYED), fetch)])

    async def run():
        return await tool.execute_with_status("fetch a 20 & stream b & wait", seen.append)

    assert asyncio.run(run()).stdout == "a\nb0\nb1\nb2\n"
    assert seen


def test_what_waits_is_not_lost_when_the_script_ends_early(tool):
    assert tool.execute_sync("fetch a 5000 & fetch b 1 & sleep 0.2; kill %1; wait; echo end").stdout == "b\nend\n"


def test_what_waits_is_kept_at_the_deadline():
    tool = ScriptedTool("api", tools=[(ToolDef("fetch", "", DELAYED), fetch)], limits=ExecutionLimits(timeout=0.4))
    response = tool.execute_sync("fetch a 5000 & fetch b 1 & wait")
    assert (response.stdout, response.error) == ("b\n", "timeout")


def test_without_tools_jobs_print_as_in_bash(tool):
    assert tool.execute_sync("(sleep 0.1; echo a) & echo b & wait").stdout == "b\na\n"

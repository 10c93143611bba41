"""Hosts that fork, as servers with preloaded applications and multiprocessing do: what threads and programs the parent has, it
keeps, and a forked process begins its own.
"""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")

BEGIN = """
import asyncio, os, sys
from bashkit import ExecutionLimits, ScriptedTool, ToolDef, load

def say(*words):
    print(*words, flush=True)

def fork(work):
    child = os.fork()
    if not child:
        work()
        sys.exit(0)
    say("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
SERVER = """
import json, sys
count = 0
for line in sys.stdin:
    message = json.loads(line)
    method = message["method"]
    if method == "initialize":
        capabilities = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}}
        result = {**capabilities, "serverInfo": {"name": "s", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": "count", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}]}
    elif method == "tools/call":
        count += 1
        result = {"content": [{"type": "text", "text": str(count)}]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
TOOLS = """
import os, threading

def setup():
    begun = os.getpid()
    yield {"begun": begun}
    print("teardown", "of its own" if os.getpid() == begun else "of another", flush=True)

def own(args):
    return f"{args.state['begun'] == os.getpid()} {threading.current_thread().is_alive()}\\n"
"""
TOOLSET = """\
version: 1
name: t
thread: same
setup: forkedtools.setup
sources: [{mcp: {command: [PYTHON, server.py]}}]
tools: [{name: own, effects: read, callback: {python: forkedtools.own}}]
"""


def run(folder, code):
    """What a program prints that begins with BEGIN."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEGIN + code], cwd=folder, capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_callbacks_run_in_a_forked_process(tmp_path):
    code = """
async def late(args):
    await asyncio.sleep(0.001)
    return "late\\n"

tool = ScriptedTool("t", tools=[(ToolDef("late", "d"), late), (ToolDef("soon", "d"), lambda args: "soon\\n")])
script = "late; soon; soon | late & wait; echo '[1]' | jq -c ."

def work():
    say(tool.execute_sync(script).stdout.split())
    say(asyncio.run(tool.execute(script)).stdout.split())

work()
fork(lambda: (work(), fork(work)))
work()
"""
    found = str("late soon late [1]".split())
    assert run(tmp_path, code) == [found] * 6 + ["status 0", "status 0"] + [found] * 2


def test_nobody_waits_for_a_script_that_runs_in_the_parent(tmp_path):
    code = """
import threading

begun, over = threading.Event(), threading.Event()

def wait(args):
    begun.set()
    over.wait()

tool = ScriptedTool("t", tools=[(ToolDef("wait_for", "d"), wait)], persistent=True)

def work():
    try:
        tool.execute_sync("echo")
    except Exception as error:
        say(error)
    tool.reset()
    say(tool.execute_sync("echo on").stdout.strip())

running = threading.Thread(target=lambda: tool.execute_sync("wait_for; x=1"))
running.start()
begun.wait()
fork(work)
over.set()
running.join()
say(tool.execute_sync("echo $x").stdout.strip())
"""
    refused = "this session is running a script already; use one session for each"
    assert run(tmp_path, code) == [refused, "on", "status 0", "1"]


def test_a_callback_that_stops_the_event_loop_stops_no_other(tmp_path):
    code = """
async def stop(args):
    asyncio.get_running_loop().stop()
    return "stopped\\n"

tool = ScriptedTool("t", tools=[(ToolDef("stop_it", "d"), stop)], limits=ExecutionLimits(timeout=20))
say(tool.execute_sync("stop_it; stop_it").stdout.split())
"""
    assert run(tmp_path, code) == [str(["stopped", "stopped"])]


def test_programs_and_shared_state_stay_the_parents(tmp_path):
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "forkedtools.py").write_text(TOOLS)
    (tmp_path / "t.yaml").write_text(TOOLSET.replace("PYTHON", sys.executable))
    code = """
toolset = load("t.yaml")
tool = toolset.make_tool()

def work():
    response = tool.execute_sync("own; count")
    say(response.stdout.split(), response.stderr.split(":")[0])

work()
fork(lambda: None)
fork(work)
work()
toolset.close()
"""
    pytest.importorskip("mcp", reason="mcp is not installed")
    assert run(tmp_path, code) == [
        "['True', 'True', '1'] ",
        "status 0",
        "['True', 'True', '1'] count",  # it says that its server was started again
        "teardown of its own",
        "status 0",
        "['True', 'True', '2'] ",
        "teardown of its own",
    ]


@pytest.mark.thorough
def test_python_says_why_it_cannot_run_in_a_forked_process(tmp_path):
    pytest.importorskip("pydantic_monty", reason="pydantic-monty is not installed")
    code = """
tool = ScriptedTool("t", tools=[(ToolDef("soon", "d"), lambda args: "soon")], limits=ExecutionLimits(timeout=20))

def work():
    response = tool.execute_sync("soon; python3 -c 'print(1)'")
    say(response.exit_code, response.stdout.strip(), response.stderr.strip())

fork(work)
work()
fork(lambda: None)
fork(work)
work()
"""
    reason = "python3: this process was forked from one in which Python has run: start processes anew (spawn), or fork before"
    assert run(tmp_path, code) == ["0 soon1 ", "status 0", "0 soon1 ", "status 0", f"1 soon {reason}", "status 0", "0 soon1 "]

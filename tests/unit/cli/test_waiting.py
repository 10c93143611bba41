"""What a command says on a terminal while it waits for a server that takes long to start."""

import json
import os
import pty
import subprocess
import sys

import pytest

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

# answers a moment later than somebody at a terminal waits
SERVER = """
import json, sys, time
time.sleep(1.2)
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        info = {"name": "b", "version": "1"}
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    elif message["method"] == "tools/list":
        result = {"tools": []}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def catalog(tmp_path):
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    command = json.dumps([sys.executable, "server.py"])
    (tmp_path / "t.yaml").write_text(f"version: 1\nname: t\nsources:\n  - mcp: {{command: {command}}}\n", encoding="utf-8")
    return [sys.executable, "-m", "bashkit", "catalog", str(tmp_path / "t.yaml")]


@pytest.mark.thorough
def test_a_terminal_is_told_what_is_waited_for(catalog):
    ours, theirs = pty.openpty()
    done = subprocess.run(catalog, stderr=theirs, stdout=subprocess.PIPE, check=True, timeout=60)
    os.close(theirs)
    said = os.read(ours, 4096).decode()
    os.close(ours)
    assert said == f"bashkit: waiting for the MCP server {sys.executable} server.py\r\n"
    assert json.loads(done.stdout) == []


@pytest.mark.thorough
def test_a_pipe_is_told_nothing(catalog):
    assert subprocess.run(catalog, capture_output=True, check=True, timeout=60).stderr == b""


SLOW = """
version: 1
name: t
tools:
  - {name: nap, description: Sleep, effects: read, stubs: [{value: done, delay: 1.2}]}
tests:
  - {name: long one, script: nap, expect: {stdout: done}}
"""
DESCRIBES = """#!/bin/sh
sleep 1.2
echo '{"name": "late", "description": "d", "parameters": {"type": "object"}}'
"""


@pytest.fixture
def slow(tmp_path):
    (tmp_path / "t.yaml").write_text(SLOW.lstrip(), encoding="utf-8")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/late").write_text(DESCRIBES, encoding="utf-8")
    (tmp_path / "tools/late").chmod(0o755)
    return tmp_path


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("test", "t.yaml"), "the test 'long one'"),
        (("check", "--strict", "t.yaml"), "the check of t.yaml"),
        (("import", "executables", "tools"), "the tools of tools"),
    ],
    ids=lambda words: words[0],
)
@pytest.mark.needs("sh")
def test_what_lasts_longer_than_a_second_is_said_on_a_terminal_only(slow, words, what):
    line = [sys.executable, "-m", "bashkit", *words]
    ours, theirs = pty.openpty()
    subprocess.run(line, stderr=theirs, stdout=subprocess.PIPE, cwd=slow, check=False, timeout=60)
    os.close(theirs)
    said = os.read(ours, 4096).decode()
    os.close(ours)
    assert said.splitlines()[0] == f"bashkit: waiting for {what}"
    assert b"waiting" not in subprocess.run(line, capture_output=True, cwd=slow, check=False, timeout=60).stderr


def test_the_tests_of_a_file_ask_its_sources_once(slow):
    log = slow / "log"
    (slow / "tools/late").write_text(f"#!/bin/sh\necho asked >> {log}\n{DESCRIBES.replace('sleep 1.2', '')}", encoding="utf-8")
    tests = "".join(f"  - {{name: t{number}, script: nap, expect: {{stdout: done}}}}\n" for number in range(3))
    tool = "tools:\n  - {name: nap, description: Sleep, effects: read, stub: done}\n"
    text = f"version: 1\nname: t\n{tool}sources:\n  - executables: tools\ntests:\n{tests}"
    (slow / "t.yaml").write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "bashkit", "test", "t.yaml"], cwd=slow, capture_output=True, check=False)
    assert (done.stdout.splitlines()[-1], log.read_text()) == (b"3 passed, 0 failed", "asked\n")

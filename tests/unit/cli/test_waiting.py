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


def test_a_terminal_is_told_what_is_waited_for(catalog):
    ours, theirs = pty.openpty()
    done = subprocess.run(catalog, stderr=theirs, stdout=subprocess.PIPE, check=True, timeout=60)
    os.close(theirs)
    said = os.read(ours, 4096).decode()
    os.close(ours)
    assert said == f"bashkit: waiting for the MCP server {sys.executable} server.py\r\n"
    assert json.loads(done.stdout) == []


def test_a_pipe_is_told_nothing(catalog):
    assert subprocess.run(catalog, capture_output=True, check=True, timeout=60).stderr == b""

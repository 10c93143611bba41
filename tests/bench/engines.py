"""The engines that are compared: bashkit and the Rust wheel each in an interpreter of its own, GNU bash as processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.workloads import Workload

# what the child interpreter of an engine does: reads one JSON line a request, answers the seconds it took
_LOOP = """
counter = 0
files = {"/w/" + path.name: path.read_text() for path in pathlib.Path(sys.argv[1]).iterdir()}
for line in sys.stdin:
    work = json.loads(line)
    kind = work["kind"]
    texts = [work["script"]] * work["repeat"]
    if work["unseen"]:
        counter += 1
        texts = [f"{text}\\n# {counter}.{index}\\n" for index, text in enumerate(texts)]
    shell = session() if kind == "session" else session(files=files, cwd="/w") if kind == "utility" else None
    started = time.perf_counter()
    for text in texts:
        result = (tools() if kind == "tools" else shell or session()).execute_sync(text)
        if result.exit_code or work["expected"] not in (None, result.stdout):
            print(json.dumps(None), flush=True)
            break
    else:
        print(time.perf_counter() - started, flush=True)
"""
OURS = (
    """
import json, pathlib, sys, time
from bashkit import Bash, ExecutionLimits, ScriptedTool, ToolDef
users = {i: '{"id": %d, "name": "user%d"}\\n' % (i, i) for i in range(1, 11)}
schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
tool = (ScriptedTool.builder("bench").tool(ToolDef("get_user", "Fetch user").with_schema(schema), lambda args: users[args.param_i64("id")]).build())
def session(**options): return Bash(**options)
def tools(): return tool
"""
    + _LOOP
)
WHEEL = (
    """
import json, pathlib, sys, time
from bashkit import Bash, ExecutionProfile
from bashkit.scripted import ScriptedTool
users = {i: '{"id": %d, "name": "user%d"}\\n' % (i, i) for i in range(1, 11)}
schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
def session(**options): return Bash(max_commands=10**7, max_loop_iterations=10**7, profile=ExecutionProfile.Interactive, **options)
def tools():
    tool = ScriptedTool("bench", max_commands=10**7, max_loop_iterations=10**7)
    tool.add_tool("get_user", "Fetch user", callback=lambda p, s=None: users[p["id"]], schema=schema)
    return tool
"""
    + _LOOP
)


class Interpreter:
    """An engine that is a Python package, in an interpreter of its own.

    Args:
        python: The interpreter.
        program: What it runs: OURS or WHEEL.
        folder: The files for workloads of utilities.
    """

    def __init__(self, python: str, program: str, folder: Path) -> None:
        self._python, self._program, self._folder = python, program, folder
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self._python, "-P", "-c", self._program, str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def time(self, work: Workload, expected: str | None) -> float | None:
        """Seconds for one round; None when the engine cannot run it, or prints something else than bash.

        Args:
            work: The workload.
            expected: What bash prints, where the outputs can be compared.
        """
        if work.kind == "import":
            started = time.perf_counter()
            subprocess.run([self._python, "-P", "-c", "import bashkit"], check=True, capture_output=True)
            return time.perf_counter() - started
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"script": work.script, "repeat": work.repeat, "kind": work.kind, "unseen": work.unseen, "expected": expected}
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):  # it died
            self._process = self._start()
            return None
        return None if answer is None else float(answer)


class GnuBash:
    """GNU bash; a tool is a function that prints what the callback returns, which is more than fair to it.

    Args:
        folder: Where it runs.
    """

    TOOL = """get_user() { printf '{"id": %d, "name": "user%d"}\\n' "$2" "$2"; }; """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = {**os.environ, "LC_ALL": "C.UTF-8"}

    def output(self, work: Workload) -> str | None:
        """What bash prints; None for workloads whose output is not its own to say."""
        if work.kind not in {"language", "utility"} or len(work.script) > 100_000:
            return None
        done = subprocess.run(
            ["bash", "--norc", "-c", work.script], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
            cwd=self._folder, env=self._environment,
        )  # fmt: skip
        return done.stdout

    def time(self, work: Workload, expected: str | None) -> float | None:
        """Seconds for one round, each run a process of its own."""
        if work.kind == "import" or ("jq" in work.script and shutil.which("jq") is None):
            return None
        script = (self.TOOL if work.kind == "tools" else "") + work.script
        command = ["bash", "--norc", "-s"] if len(script) > 100_000 else ["bash", "--norc", "-c", script]
        text = script if len(script) > 100_000 else None
        started = time.perf_counter()
        for _ in range(work.repeat):
            done = subprocess.run(
                command, input=text, stdin=None if text else subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=False, text=True, cwd=self._folder, env=self._environment,
            )  # fmt: skip
            if done.returncode:
                return None
        return time.perf_counter() - started

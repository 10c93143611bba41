"""The engines that are compared: each in a process of its own, GNU bash in one for each run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
_TOOL = """
users = {i: '{"id": %d, "name": "user%d"}\\n' % (i, i) for i in range(1, 11)}
schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
"""


def _ours(isolation: str) -> str:
    return f"""
import json, pathlib, sys, time
from bashkit import Bash, ScriptedTool, ToolDef
{_TOOL}
tool = (ScriptedTool.builder("bench").tool(ToolDef("get_user", "Fetch user").with_schema(schema), lambda args: users[args.param_i64("id")])
        .isolation("{isolation}").build())
def session(**options): return Bash(isolation="{isolation}", **options)
def tools(): return tool
{_LOOP}"""


OURS, ISOLATED = _ours("inline"), _ours("process")
WHEEL = f"""
import json, pathlib, sys, time
from bashkit import Bash, ExecutionProfile
from bashkit.scripted import ScriptedTool
{_TOOL}
def session(**options): return Bash(max_commands=10**7, max_loop_iterations=10**7, profile=ExecutionProfile.Interactive, **options)
def tools():
    tool = ScriptedTool("bench", max_commands=10**7, max_loop_iterations=10**7)
    tool.add_tool("get_user", "Fetch user", callback=lambda p, s=None: users[p["id"]], schema=schema)
    return tool
{_LOOP}"""
JUST_BASH_PY = f"""
import asyncio, json, pathlib, sys, time
from just_bash import Bash, ExecResult, ExecutionLimits
{_TOOL}
runner = asyncio.Runner()
limits = ExecutionLimits(10**4, 10**8, 10**8, 10**8, 10**8)
class GetUser:
    name = "get_user"
    async def execute(self, args, ctx): return ExecResult(stdout=users[int(args[1])], stderr="", exit_code=0)
class Session:
    def __init__(self, **options): self._bash = Bash(limits=limits, unescape_html=False, **options)
    def execute_sync(self, text): return runner.run(self._bash.exec(text))
def session(**options): return Session(**options)
def tools(): return Session(commands={{"get_user": GetUser()}})
{_LOOP}"""
JUST_BASH = """
const {Bash, defineCommand} = require("just-bash"), fs = require("fs"), readline = require("readline");
const folder = process.argv[1], files = {};
for (const name of fs.readdirSync(folder)) files["/w/" + name] = fs.readFileSync(`${folder}/${name}`, "utf8");
const most = 1e8;
const executionLimits = {maxCommandCount: most, maxLoopIterations: most, maxAwkIterations: most, maxSedIterations: most,
  maxJqIterations: most, maxWorkUnits: 1e12, maxSourceBytes: most, maxCallDepth: 1e4};
const user = defineCommand("get_user", async (args) => (
  {stdout: `{"id": ${args[1]}, "name": "user${args[1]}"}\\n`, stderr: "", exitCode: 0}));
const session = (options = {}) => new Bash({executionLimits, ...options});
let counter = 0;
(async () => {
  for await (const line of readline.createInterface({input: process.stdin})) {
    const work = JSON.parse(line), kind = work.kind;
    let texts = Array(work.repeat).fill(work.script);
    if (work.unseen) { counter += 1; texts = texts.map((text, index) => `${text}\\n# ${counter}.${index}\\n`); }
    const shell = kind === "session" ? session() : kind === "utility" ? session({files, cwd: "/w"}) : null;
    const started = performance.now();
    let good = true;
    for (const text of texts) {
      const bash = kind === "tools" ? session({customCommands: [user]}) : shell || session();
      const result = await bash.exec(text);
      if (result.exitCode || (work.expected !== null && work.expected !== result.stdout)) { good = false; break; }
    }
    console.log(good ? (performance.now() - started) / 1000 : null);
  }
})();
"""
_PATIENCE = 20  # seconds for one round


class Engine:
    """An engine in a process of its own.

    Args:
        command: What runs it: an interpreter with its options, and the program.
        folder: The files for workloads of utilities.
        package: What is imported, where the time of an import is measured.
        environment: What its environment has besides.
    """

    def __init__(self, command: list[str], folder: Path, package: str = "", **environment: str) -> None:
        self._command = [*command, str(folder)]
        self._import = [command[0], "-P", "-c", f"import {package}"] if package else None
        self._environment = {**os.environ, **environment}
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self._environment,
        )

    def time(self, work: Workload, expected: str | None) -> float | None:
        """Seconds for one round; None when the engine cannot run it, or prints something else than bash.

        Args:
            work: The workload.
            expected: What bash prints, where the outputs can be compared.
        """
        if work.kind == "import":
            if self._import is None:
                return None
            started = time.perf_counter()
            subprocess.run(self._import, check=True, capture_output=True)
            return time.perf_counter() - started
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"script": work.script, "repeat": work.repeat, "kind": work.kind, "unseen": work.unseen, "expected": expected}
        alarm = Timer(_PATIENCE, self._process.kill)
        alarm.start()
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):  # it died, or took too long
            self._process.kill()
            self._process.wait()
            self._process = self._start()
            return None
        finally:
            alarm.cancel()
        return None if answer is None else float(answer)

    @property
    def megabytes(self) -> int:
        """The most memory that the process has had; 0 where the system does not say."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return 0
        found = re.search(r"VmHWM:\s+(\d+)", status)
        return int(found[1]) >> 10 if found else 0


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

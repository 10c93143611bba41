"""The public Agent Skills, through ``bashkit run``: they load, and eleven of their scripts do their work on real files.

Not part of the whole suite: ``BASHKIT_PUBLIC_SKILLS=DIR python -m pytest tests/real``, where DIR has the skills of
https://github.com/anthropics/skills. What the scripts need is taken from PyPI and npm; two of them talk to a model, whose place
a program and a server of this machine take. Without the skills or their needs it is skipped.
"""

import json
import os
import socket
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from bashkit.toolset import check

from ..unit.web import Web

SKILLS = os.environ.get("BASHKIT_PUBLIC_SKILLS", "")
NEEDED = ("skill-creator", "webapp-testing", "mcp-builder", "web-artifacts-builder")
missing = [name for name in NEEDED if not (Path(SKILLS) / name / "SKILL.md").is_file()] if SKILLS else list(NEEDED)
pytestmark = pytest.mark.skipif(bool(missing), reason=f"BASHKIT_PUBLIC_SKILLS has no {', '.join(missing)}")

# it stands for the command of Claude Code: PDFs make it read the skill, whatever else does not
MODEL = """#!/usr/bin/env python3
import json, pathlib, sys
if "stream-json" not in sys.argv:
    assert "PDF" in sys.stdin.read()
    print("<new_description>Use it for every PDF file.</new_description>")
elif "pdf" in sys.argv[sys.argv.index("-p") + 1].lower():
    skills = " ".join(file.stem for file in pathlib.Path(".claude/commands").glob("*.md"))
    print(json.dumps({"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Skill", "input": {"skill": skills}}]}}))
else:
    print(json.dumps({"type": "result"}))
"""
PDF = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# Reading\n"
QUERIES = [
    {"query": query, "should_trigger": wanted}
    for query, wanted in [("read this pdf", True), ("bake a cake", False), ("merge PDFs", True), ("sing", False)]
]
GRADING = {
    "summary": {"pass_rate": 0.5, "passed": 1, "failed": 1, "total": 2},
    "timing": {"total_duration_seconds": 10},
    "expectations": [{"text": "It reads.", "passed": True, "evidence": "text"}],
}
SERVER = """import sys
sys.path.insert(0, {packages!r})
from mcp.server.fastmcp import FastMCP
server = FastMCP("calculator")
@server.tool()
def interest(principal: float, rate: float, months: int) -> float:
    "Compound interest."
    return round(principal * (1 + rate / 12) ** months, 2)
server.run()
"""


def installed(arguments, what):
    try:
        subprocess.run(arguments, check=True, capture_output=True, timeout=600)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{what} cannot be installed: {error}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the toolset ``public.yaml``, the model's program in ``bin``, and the directory ``work`` of the sessions."""
    folder = tmp_path_factory.mktemp("public")
    for name in ("bin", "work"):
        (folder / name).mkdir()
    (folder / "bin/claude").write_text(MODEL)
    (folder / "bin/claude").chmod(0o755)
    return folder


@pytest.fixture
def run(folder):
    """Run a script in the directory of the sessions; what it writes stays there."""

    def run(script, **env):
        path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
        toolset = {
            "version": 1,
            "name": "public",
            "env": {"PATH": path, "HOME": str(folder), **env},
            "mounts": [{"at": "/home/user", "directory": "./work", "access": "write"}],
            "sources": [{"skills": SKILLS, "timeout": 500}],
        }
        (folder / "public.yaml").write_text(json.dumps(toolset))
        command = [sys.executable, "-m", "bashkit", "run", "public.yaml", "-c", script]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def work(folder):
    return folder / "work"


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text if isinstance(text, str) else json.dumps(text))


def test_they_are_checked_without_a_mistake(run, folder):
    run(":")
    found = check(folder / "public.yaml")
    assert {problem.severity for problem in found} <= {"warning"}, found
    done = subprocess.run([sys.executable, "-m", "bashkit", "check", "public.yaml"], cwd=folder, check=False)
    assert done.returncode == 0


def test_a_skill_is_validated(run, work):
    write(work, {"pdf/SKILL.md": PDF, "bad/SKILL.md": "---\nname: Bad\n---\n"})
    done = run("skill-creator.quick_validate pdf; skill-creator.quick_validate bad")
    assert done.stdout == "Skill is valid!\nMissing 'description' in frontmatter\n"
    assert done.stderr.endswith("skill-creator.quick_validate: Script execution failed with exit code 1\n")


def test_a_skill_is_packaged(run, work):
    write(work, {"pdf/SKILL.md": PDF, "pdf/notes.md": "x"})
    assert run("skill-creator.package_skill pdf out").returncode == 0
    with zipfile.ZipFile(work / "out/pdf.skill") as archive:
        assert sorted(archive.namelist()) == ["pdf/SKILL.md", "pdf/notes.md"]


def test_a_benchmark_is_summed_up(run, work):
    write(work, {f"bench/eval-1/{way}/run-1/grading.json": GRADING for way in ("with_skill", "without_skill")})
    done = run(
        "skill-creator.aggregate_benchmark bench --skill-name pdf; jq .run_summary.with_skill.pass_rate.mean bench/benchmark.json"
    )
    assert done.stdout.endswith("\n0.5\n")
    assert (work / "bench/benchmark.md").read_text().startswith("# Skill Benchmark: pdf")


def test_descriptions_are_measured_and_improved(run, work):
    write(work, {"pdf/SKILL.md": PDF, "evals.json": QUERIES, ".claude/settings.json": {}})
    given = "--eval-set evals.json --skill-path pdf --runs-per-query 1"
    done = run(f"skill-creator.run_eval {given} | tee results.json | jq -c .summary")
    assert (done.stdout, done.returncode) == ('{"total":4,"passed":4,"failed":0}\n', 0)
    done = run("skill-creator.improve_description --eval-results results.json --skill-path pdf --model m | jq .description")
    assert done.stdout == '"Use it for every PDF file."\n'
    done = run(f"skill-creator.run_loop {given} --model m --report live.html > loop.json; jq -r .best_score loop.json")
    assert done.stdout == "2/2\n"
    assert "Reads PDF files." in (work / "live.html").read_text()
    run("skill-creator.generate_report loop.json -o report.html --skill-name pdf")
    assert "<title>pdf — Skill Description Optimization" in (work / "report.html").read_text()
    assert list((work / ".claude").rglob("*.md")) == []


def test_a_program_runs_beside_a_server(run, work):
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    write(
        work, {"index.html": "hello", "ask.py": f"import urllib.request as r\nprint(r.urlopen('http://localhost:{port}').read())"}
    )
    done = run(f"webapp-testing.with_server --server 'python3 -m http.server {port}' --port {port} -- python3 ask.py")
    assert "b'hello'" in done.stdout, done.stderr


def test_an_mcp_server_is_evaluated(run, work, tmp_path):
    packages = str(tmp_path / "packages")
    installed(
        [sys.executable, "-m", "pip", "install", "-q", "--target", packages, "anthropic", "mcp<2"], "what mcp-builder needs"
    )

    def model(body):
        asked = json.loads(body)
        given = asked["messages"][-1]["content"]
        if isinstance(given, str):  # the question
            values = {"principal": 10000, "rate": 0.05, "months": 36}
            content = [{"type": "tool_use", "id": "t", "name": asked["tools"][0]["name"], "input": values}]
        else:
            content = [{"type": "text", "text": "<response>11614.72</response>"}]
        stop = "tool_use" if isinstance(given, str) else "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "usage": usage}
        answer = json.dumps(message | {"content": content, "stop_reason": stop, "stop_sequence": None})
        return 200, {"Content-Type": "application/json"}, answer.encode()

    with closing(Web()) as web:
        web.answers["/v1/messages"] = model
        write(work, {"server.py": SERVER.format(packages=packages)})
        done = run(
            "f=/skills/mcp-builder/scripts/example_evaluation.xml; mcp-builder.evaluation -c python3 -a server.py -o r.md $f",
            ANTHROPIC_BASE_URL=web.url,
            ANTHROPIC_API_KEY="k",
            PYTHONPATH=packages,
        )
    assert done.returncode == 0, done.stderr
    report = (work / "r.md").read_text()
    assert report.count("**Correct**: ✅") == 1
    assert "- **Accuracy**: 1/5" in report
    assert '"interest": {\n    "count": 1,' in report


def test_an_artifact_is_made_and_bundled(run, work, folder):
    installed(["npm", "install", "--silent", "--prefix", str(folder / "npm"), "pnpm@9"], "pnpm")
    (folder / "bin/pnpm").symlink_to(folder / "npm/node_modules/.bin/pnpm")
    done = run("web-artifacts-builder.init-artifact my-app")
    assert done.returncode == 0, done.stderr
    assert "node_modules: not kept" in done.stderr
    assert (work / "my-app/src/components/ui/button.tsx").is_file()
    assert not (work / "my-app/node_modules").exists()
    page = '<html><body><script type="module" src="./a.js"></script></body></html>'
    write(work, {"small/package.json": {"name": "small"}, "small/index.html": page, "small/a.js": "document.title = 'bundled'"})
    done = run("cd small && web-artifacts-builder.bundle-artifact")
    assert done.returncode == 0, done.stderr
    assert "bundled" in (work / "small/bundle.html").read_text()

"""The command line where the current directory has been removed: what does not need it works, and the rest says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..command_line import Done, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems keep a directory that a process is in")
TOOLSET = """\
version: 1
name: t
tools:
  - {name: tell, description: Tell., effects: read, callback: {python: told.tell}}
"""
PROGRAM = """\
#!/bin/sh
echo '{"name":"ask","description":"Ask.","parameters":{"type":"object","properties":{}}}'
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a toolset and a program, and a directory in it that goes away."""
    (tmp_path / "t.yaml").write_text(TOOLSET)
    (tmp_path / "told.py").write_text("def tell(args):\n    return 'told'\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ask").write_text(PROGRAM)
    (tmp_path / "bin/ask").chmod(0o755)
    (tmp_path / "gone").mkdir()
    monkeypatch.delitem(sys.modules, "told", raising=False)
    return tmp_path


def run_there(place: Path, words: str) -> Done:
    """Run a command in the directory, which is removed before; the programs that it starts are in it, too."""
    here = Path.cwd()
    os.chdir(place / "gone")
    try:
        (place / "gone").rmdir()
        return run(*words.replace("PLACE", str(place)).split())
    finally:
        os.chdir(here)


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("run PLACE/t.yaml -c tell", "told"),
        ("check PLACE/t.yaml", "no problems\n"),
        ("catalog PLACE/bin", '"ask"'),
        ("run PLACE/bin -c ask", '"ask"'),
        ("snapshot PLACE/t.yaml --update", "7 updated"),
        ("export PLACE/t.yaml --format skill -o PLACE/skills", "SKILL.md"),
    ],
)
def test_what_needs_no_directory_works(place: Path, words: str, output: str) -> None:
    done = run_there(place, words)
    assert (done.status, output in done.stdout) == (0, True), done


def test_it_starts_there(place: Path) -> None:
    command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", sys.executable, "-m", "bashkit", "run", "-c", "pwd"]
    path = os.pathsep.join(filter(os.path.isabs, sys.path))
    done = subprocess.run(command, cwd=place / "gone", env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"/home/user\n"), done


@pytest.mark.parametrize("words", ["init", "import openapi api.yaml"])
def test_what_needs_it_says_so(place: Path, words: str) -> None:
    done = run_there(place, words)
    message = "bashkit: the current directory is needed, and it cannot be used: No such file or directory\n"
    assert (done.status, done.stdout, done.stderr) == (2, "", message)

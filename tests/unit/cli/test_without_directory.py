"""The command line where the current directory has been removed: what does not need it works, and the rest says so."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

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
def place(tmp_path: Path) -> Path:
    """A folder with a toolset and a program, and a directory in it that goes away."""
    (tmp_path / "t.yaml").write_text(TOOLSET)
    (tmp_path / "told.py").write_text("def tell(args):\n    return 'told'\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ask").write_text(PROGRAM)
    (tmp_path / "bin/ask").chmod(0o755)
    (tmp_path / "gone").mkdir()
    return tmp_path


def run(place: Path, words: str) -> subprocess.CompletedProcess[str]:
    given = [word.replace("PLACE", str(place)) for word in words.split()]
    command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", sys.executable, "-m", "bashkit", *given]
    path = os.pathsep.join(filter(os.path.isabs, sys.path))
    return subprocess.run(
        command,
        cwd=place / "gone",
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("run -c pwd", "/home/user\n"),
        ("run PLACE/t.yaml -c tell", "told"),
        ("check PLACE/t.yaml", "no problems\n"),
        ("catalog PLACE/bin", '"ask"'),
        ("run PLACE/bin -c ask", '"ask"'),
        ("snapshot PLACE/t.yaml --update", "7 updated"),
        ("export PLACE/t.yaml --format skill -o PLACE/skills", "SKILL.md"),
    ],
)
def test_what_needs_no_directory_works(place: Path, words: str, output: str) -> None:
    done = run(place, words)
    assert (done.returncode, output in done.stdout) == (0, True), done


@pytest.mark.parametrize("words", ["init", "import openapi api.yaml"])
def test_what_needs_it_says_so(place: Path, words: str) -> None:
    done = run(place, words)
    message = "bashkit: the current directory is needed, and it cannot be used: No such file or directory\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)

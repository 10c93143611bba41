"""Files of the host that no one should wait for: pipes without a writer, devices without an end, floods of bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bashkit import host_files
from bashkit.batch.difference import compare
from bashkit.batch.rows import read_rows
from bashkit.batch.run import Batch
from bashkit.errors import BashkitError
from bashkit.evaluation.tasks import read_tasks
from bashkit.evaluation.transcript import read_transcripts
from bashkit.runs.history_file import HistoryFile
from bashkit.runs.recorded import read_run
from bashkit.toolset import load
from bashkit.toolset.callbacks.skill.frontmatter import read_skill
from bashkit.toolset.testing.recording import Recording
from bashkit.toolset.writing.saving import save

from .command_line import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and devices are those of POSIX systems")

TOOLSET = "version: 1\nname: t\n"


@pytest.fixture(params=["pipe", "device", "flood"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that must not be read to its end."""
    path = tmp_path / "odd"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)
    return path


REASON = "(it is not a regular file|(it is|a line is) (larger|longer) than [0-9]+ MB|is a link that leads outside)"


def _toolset(text: str) -> Callable[[Path], Any]:
    def read(path: Path) -> Any:
        file = path.with_name("t.yaml")
        file.write_text(TOOLSET + text)
        return load(file, environ={}).entries()

    return read


def _skill(path: Path) -> Any:
    path.rename(path.with_name("SKILL.md"))
    (problem,) = read_skill(path.parent)
    raise BashkitError(str(problem))


READERS: dict[str, Callable[[Path], Any]] = {
    "toolset": load,
    "include": _toolset("include: [odd]\n"),
    "env_file": _toolset("env_file: odd\n"),
    "secret": _toolset("secrets: [{name: KEY, file: odd}]\n"),
    "context": _toolset("prompt: {context: [odd]}\n"),
    "openapi": _toolset("sources: [{openapi: ./odd}]\n"),
    "mcp": _toolset("sources: [{mcp: ./odd}]\n"),
    "skill": _skill,
    "recording": Recording.read,
    "run": read_run,
    "tasks": read_tasks,
    "transcripts": read_transcripts,
    "rows": lambda path: list(read_rows(path)),
    "results": lambda path: compare(path, path),
    "saving": lambda path: save(path, "text"),
}


@pytest.mark.parametrize("reader", READERS)
def test_what_would_not_end_is_refused_with_file_and_reason(odd: Path, reader: str) -> None:
    with pytest.raises(BashkitError, match=REASON) as caught:
        READERS[reader](odd)
    assert any(name in str(caught.value) for name in ("odd", "t.yaml", "SKILL.md"))


def test_results_go_into_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "rows").write_text("")
    with pytest.raises(BashkitError, match="results go into a file"):
        Batch.open(tmp_path / "rows", tmp_path / "pipe")


def test_a_history_that_is_no_file_has_no_runs(odd: Path) -> None:
    assert HistoryFile(odd).read() == []


def test_the_size_of_a_file_is_what_is_read_of_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 11)
    assert host_files.read_bytes(tmp_path / "file", 11) == b"x" * 11
    with pytest.raises(OSError, match="larger than"):
        host_files.read_bytes(tmp_path / "file", 10)
    assert b"Name" in host_files.read_bytes("/proc/self/status") if sys.platform == "linux" else True


@pytest.mark.parametrize(("name", "reason"), [("a\0b", "no name of a file"), ("", "No such file"), (".", "Is a directory")])
def test_a_name_of_no_file(name: str, reason: str) -> None:
    with pytest.raises(OSError, match=reason):
        host_files.read_text(name)


@pytest.mark.parametrize(
    "command",
    [
        "run /dev/stdin",
        "run -",
        *(pytest.param(line, marks=pytest.mark.thorough) for line in ("run", "run <(cat)", "explain <(cat)")),
    ],
)
def test_a_script_may_come_through_a_pipe_of_the_users_shell(command: str) -> None:
    python = f"{sys.executable} -m bashkit"
    done = subprocess.run(
        ["bash", "-c", f"{python} {command}"], input=b"echo $((6 * 7))\n", capture_output=True, check=False, timeout=50
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"42\n" or command.startswith("explain")


def test_a_toolset_may_come_through_a_pipe_of_the_users_shell() -> None:
    script = f"{sys.executable} -m bashkit check <(cat)"
    done = subprocess.run(["bash", "-c", script], input=TOOLSET.encode(), capture_output=True, check=False, timeout=50)
    assert b"no problems" in done.stdout, done


@pytest.mark.parametrize("command", ["run odd", "check odd", "fmt odd", "prompt odd", "compare odd odd", "batch odd --out x"])
def test_the_command_line_says_so_and_ends(odd: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(odd.parent)
    done = run(*command.split())
    assert done.status
    assert "odd" in done.stderr + done.stdout
    assert "internal error" not in done.stderr

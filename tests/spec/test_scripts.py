"""Tables of scripts by area, each with what GNU bash 5.2 answers: a test for each table, one session for each script.

A script runs as ``bash -c`` would run it, or, where its row has a ``way``, as a file or from standard input. ``BASHKIT_ASK_BASH=1`` asks the
bash of this machine again; ``python tests/spec/record.py tests/spec/scripts/*.yaml`` writes its answers down.
"""

import os
from pathlib import Path

import pytest
from record import ask_bash_for, read_rows

from bashkit import Bash, VirtualClock

TABLES = sorted((Path(__file__).parent / "scripts").glob("*.yaml"))


def ask_bashkit(row):
    script, way = row["script"], row.get("way", "command")
    shell = Bash(
        cwd="/case", env={"LC_ALL": "C.UTF-8", "HOME": "/tmp"}, timeout_seconds=60, clock=VirtualClock(1_700_000_000.0), seed=1
    )
    shell.fs.write_file("/script", script.encode())
    command = {"command": script, "file": "exec bash ../script", "stdin": "exec bash"}[way]
    return shell.execute_sync(command, stdin=script if way == "stdin" else None)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_bashkit_answers_as_bash(path):
    for row in read_rows(path):
        result = ask_bashkit(row)
        assert (result.stdout, result.exit_code) == (row["stdout"], row["status"]), f"{row['script']}\n{result.stderr}"
        if "stderr" in row:
            assert result.stderr == row["stderr"], row["script"]
        assert result.error != "internal", row["script"]


@pytest.mark.skipif(
    "BASHKIT_ASK_BASH" not in os.environ, reason="asks the GNU bash 5.2 of this machine again, which takes its time"
)
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_recorded_answers_are_still_those_of_bash(path):
    for row in read_rows(path):
        assert ask_bash_for(row)[:2] == (row["stdout"], row["status"]), row["script"]

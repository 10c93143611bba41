"""What is said where bashkit cannot run."""

import subprocess
import sys

import pytest

from bashkit.toolset.package_data import examples

SHOP = str(examples() / "shop.yaml")


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)


def test_windows_is_refused_in_one_sentence():
    done = run("import sys; sys.platform = 'win32'\nimport bashkit")
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last) == (
        1,
        "ImportError: bashkit needs a POSIX system: on Windows, run it in WSL or in a container",
    )


def test_a_missing_google_re2_is_said():
    done = run("import sys; sys.modules['re2'] = None\nfrom bashkit import Bash")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("bashkit.errors.MissingPartError: google-re2, which bashkit needs, cannot be imported here")


@pytest.mark.parametrize("arguments", [["run", "-c", "true"], ["test", SHOP]], ids=lambda words: words[0])
def test_the_command_line_says_what_is_missing_without_a_traceback(arguments):
    done = run(f"import sys; sys.modules['re2'] = None\nimport bashkit.cli\nbashkit.cli.main({arguments!r})")
    assert done.returncode == 2
    assert done.stderr.startswith("bashkit: google-re2, which bashkit needs, cannot be imported here")
    assert len(done.stderr.splitlines()) == 1


JQ = "jq -c -n 'def f: 3; f, now > 0'"  # for the worker


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_default_timeout_of_sockets_is_the_hosts_affair(isolation):
    script = f"{JQ}; sleep 0.5; echo on"
    done = run(
        "import socket; socket.setdefaulttimeout(0.1)\nfrom bashkit import Bash\n"
        f"print(Bash(isolation={isolation!r}).execute_sync({script!r}))"
    )
    assert done.stdout == "ExecResult(stdout='3\\ntrue\\non\\n', stderr='', exit_code=0, error=None)\n", done.stderr


def test_a_frozen_program_does_not_start_itself_again(tmp_path):
    log = tmp_path / "started"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho started >> {log}\n")
    program.chmod(0o755)
    done = run(
        f"import sys; sys.frozen, sys.executable = True, {str(program)!r}\nfrom bashkit import Bash\n"
        f"print(Bash().execute_sync({JQ!r}).stderr, end='')\n"
        "try:\n    Bash(isolation='process')\nexcept Exception as error:\n    print(error)"
    )
    assert not log.exists()
    assert done.stdout.splitlines() == [
        "jq: error: the jq worker did not start: a frozen program has no Python to start processes with",
        "isolation: no sandbox process can be started: a frozen program has no Python to start processes with",
    ]

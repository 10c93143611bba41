"""What is said where bashkit cannot run."""

import subprocess
import sys

import pytest

from bashkit import Bash
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


WITHOUT_RE2 = "import sys; sys.modules['re2'] = None\n"


def test_without_google_re2_searches_find_the_same():
    script = r"""
        seq 300 | grep -cE '(1|2|3)+[0-9]$'; [[ foobar =~ (o|ob)+(a|ar)$ ]] && echo "${BASH_REMATCH[@]}"; sed -E 's/(a|ab)(c|bcd)(d*)/[\1\2\3]/' <<< abcd
        seq 200 | grep -F -f <(seq 50 80) | wc -l; seq 100 | grep -w -f <(seq 3 30) | tail -1; printf '%s\\n' é né äé | grep -f <(printf 'é%s\\n' {1..20} '')
        awk '{ gsub(/(x+x+)+y/, "-"); print }' <<< xxxy; echo 'a1b22' | grep -oP '\\d+(?=b|$)'; grep -cE '^(.?){20}b$' <<< aaaaaaaaaaaaaaaaaaaaaaaab
    """
    program = f"from bashkit import Bash\nprint(Bash().execute_sync({script!r}))"
    assert run(WITHOUT_RE2 + program).stdout == f"{(found := Bash().execute_sync(script))}\n"
    assert (found.stderr, found.exit_code) == ("", 1)


def test_without_google_re2_a_hostile_search_ends_with_the_time_limit():
    done = run(
        WITHOUT_RE2 + "from bashkit import Bash, ExecutionLimits\n"
        "script = 'x=$(printf %02000d 0 | tr 0 a); grep -E \"^(([a-z])+.)+[A-Z]([a-z])+$\" <<< $x'\n"
        "print(Bash(limits=ExecutionLimits(timeout=0.3)).execute_sync(script))"
    )
    assert "error='timeout'" in done.stdout


JQ = "jq -c -n 'def f: 3; f, now > 0'"  # for the worker


@pytest.mark.parametrize("isolation", [pytest.param("inline", marks=pytest.mark.thorough), "process"])
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

"""SIGPIPE: the process that writes into a pipe that nobody reads any more ends with 141 and without a message."""

import pytest

from bashkit import Bash

FILES = {f"/t/d{number}/f": f"line {number}\n" for number in range(400)} | {"/big": "".join(f"{n}\n" for n in range(60_000))}

PROGRAMS = [
    "find /t",
    "find /t -ls",
    "find /t -printf '%p %s\\n'",
    "find /t -print0",
    "ls -lR /t",
    "du -a /t",
    "cp -rv /t /copy",
    "mkdir -pv /made{1..2000}/a",
    "rm -rv /t",
    "mv -v /t/* /",
    "grep -rn line /t",
    "cat /big /big",
    "head -n 50000 /big /big",
    "nl /big",
    "tac /big",
    "sed p /big",
    "awk '{print}' /big",
    "tar -C / -cvf /dev/null t big",
    "xxd /big",
    "seq 100000",
]
BUILTINS = [
    "printf %s, {1..50000}; echo",
    "while :; do echo y; done",
    "eval 'while :; do echo y; done'",
    "f() { while echo y; do :; done; }; f",
]


@pytest.mark.parametrize("writer", PROGRAMS)
@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_it_ends_a_program_and_not_the_shell_that_runs_it(writer, isolation):
    done = Bash(files=FILES, isolation=isolation).execute_sync(
        f"{{ {writer}; echo $? >&2\n}} | {{ read -n 1 letter; }}; echo ${{PIPESTATUS[*]}}"
    )
    assert (done.stdout, done.stderr) == ("0 0\n", "141\n")


@pytest.mark.parametrize("writer", BUILTINS)
@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_it_ends_the_shell_whose_builtin_writes_on(writer, isolation):
    done = Bash(files=FILES, isolation=isolation).execute_sync(
        f"{{ {writer}; echo not reached >&2\n}} | {{ read -n 1 letter; }}; echo ${{PIPESTATUS[*]}}"
    )
    assert (done.stdout, done.stderr) == ("141 0\n", "")


def test_who_ignores_it_gets_an_error_instead():
    script = "trap '' PIPE\nseq 100000 | read\necho ${PIPESTATUS[0]}\nwhile echo y; do :; done | read\n"
    done = Bash().execute_sync(script)
    assert done.stdout == "1\n"
    assert done.stderr == "seq: write error: Broken pipe\nbash: line 4: echo: write error: Broken pipe\n"


def test_an_error_of_a_file_is_still_one_of_the_file():
    done = Bash(files=FILES).execute_sync("chmod 0 /t/d1; find /t /none -maxdepth 0 | cat; echo ${PIPESTATUS[0]}")
    assert (done.stdout, done.stderr) == ("/t\n1\n", "find: ‘/none’: No such file or directory\n")


def test_who_has_filled_a_pipe_waits_until_that_is_read():
    script = "{ printf %s, {1..50000}; echo; echo reached >&2; } | { read -n 1 letter; for i in {1..100000}; do :; done; }; echo ${PIPESTATUS[*]}"
    done = Bash().execute_sync(script)
    assert (done.stdout, done.stderr) == ("141 0\n", "")

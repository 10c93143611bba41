"""What models write runs as in CPython: the same output, the same status."""

import json
import subprocess
import sys

import pytest

from bashkit import Bash

from .snippets import FILES, LACKING, SNIPPETS, STDIN

pytest.importorskip("pydantic_monty", reason="the extra python is not installed")

CPYTHON = r"""
import contextlib, io, json, os, shutil, sys, tempfile, traceback
files, stdin, snippets = json.load(sys.stdin)
answers = {}
for name, text in snippets.items():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    for file, content in files.items():
        with open(file, "w", newline="") as f:
            f.write(content)
    sys.argv = ["-c", "one", "two words"]
    sys.stdin = io.StringIO(stdin)
    out, status, last = io.StringIO(), 0, ""
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else error.code is not None
        except BaseException as error:
            status, last = 1, "".join(traceback.format_exception_only(error)).strip()
    os.chdir("/")
    shutil.rmtree(folder)
    answers[name] = [out.getvalue(), int(status), last]
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def expected():
    answer = subprocess.run(
        [sys.executable, "-c", CPYTHON],
        input=json.dumps([FILES, STDIN, SNIPPETS]).encode(),
        capture_output=True,
        check=True,
        env={"GREETING": "good day", "PATH": ""},
    )
    return json.loads(answer.stdout)


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_output_is_that_of_cpython(name, expected):
    files = {f"/w/{file}": text for file, text in (FILES | {"code": SNIPPETS[name]}).items()}
    bash = Bash(files=files, cwd="/w", env={"GREETING": "good day"})
    result = bash.execute_sync("python3 -c \"$(cat code)\" one 'two words'", stdin=STDIN)
    last = result.stderr.rstrip().rpartition("\n")[2]
    output, status, error = expected[name]
    assert (result.stdout, result.exit_code) == (output, status)
    assert not error or last == error


@pytest.mark.parametrize(("code", "line", "message"), LACKING.values(), ids=LACKING)
def test_what_is_lacking_is_named_with_its_line(code, line, message):
    result = Bash(files={"/code": code}).execute_sync("python3 /code")
    assert result.exit_code == 1
    assert line in result.stderr
    assert message in result.stderr

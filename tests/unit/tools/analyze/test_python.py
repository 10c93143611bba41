"""What Python code may do, found without running it."""

import pytest

from bashkit.tools.analyze import analyze, analyze_python

TOOLS = {"get-user": "read", "drop": "destructive"}


def seen(analysis):
    """Calls, files and what is not known, each with its line."""
    calls = [(call.tool, call.arguments, call.line) for call in analysis.calls]
    files = [(file.path, file.access, file.known, file.line) for file in analysis.files]
    return calls, files, [(one.reason, one.line) for one in analysis.unknown]


GET = ("get-user", ("--id", "1"))
SCRIPTS = {
    "code of an option": ("echo\npython3 -c 'from tools import get_user; get_user(id=1)'", [(*GET, 2)], []),
    "a here-document": ("echo\npython3 - x <<'E'\nimport tools as t\n\nt.get_user(id=1)\nE", [(*GET, 5)], []),
    "behind another command": ("timeout 5 python -c 'from tools import get_user as g; g(id=1)'", [(*GET, 1)], []),
    "of everything": ("python3 -c 'from tools import *; get_user(id=1)'", [(*GET, 1)], []),
    "of nothing": ("python3 -c 'get_user(id=1)'", [], []),
    "its version": ("python3 -V", [], []),
    "code that is not known": ('python3 -c "$code"', [], [("what python3 -c runs", 1)]),
    "a here-document with expansions": ("python3 <<E\n$code\nE", [], [("what python3 reads from standard input and runs", 1)]),
    "standard input": ("cat x | python3", [], [("what python3 reads from standard input and runs", 1)]),
    "a file": ("python3 s.py", [], [("what the script s.py does", 1)]),
    "a syntax error": ("python3 -c 'f('", [], [("what the Python code does: syntax error: '(' was never closed", 1)]),
}


@pytest.mark.parametrize(("script", "calls", "unknown"), SCRIPTS.values(), ids=SCRIPTS)
def test_python_in_a_script(script, calls, unknown):
    found = seen(analyze(script, TOOLS, frozenset({"echo", "cat", "timeout", "python3"})))
    assert (found[0], found[2]) == (calls, unknown)


CODE = {
    "a call": ("x = 1\nget_user(id=1)", [(*GET, 2)], [], []),
    "arguments that are not known": ("get_user(n, *m, id=1 + 1, **k)", [("get-user", (None, None, "--id", None, None), 1)], [], []),
    "a function that is passed on": (
        "map(drop, [1])",
        [("drop", (None,), 1)],
        [],
        [("what drop is called with: it is passed on as a value", 1)],
    ),
    "help": ("help(drop)", [], [], []),
    "a function of its own": ("def drop(): pass\ndrop()", [], [], []),
    "a function of code before it": ("load(1)", [], [], [("what load does: it is not defined here", 1)]),
    "a parameter that is called": ("def f(g): g()\nf(print)", [], [], []),
    "an attribute by its name": ("import tools\ngetattr(tools, x)()", [], [], [("which function of tools getattr(tools, x) is", 2)]),
    "code within code": ("eval(x)", [], [], [("what eval runs", 1)]),
    "files": (
        "open('a')\nopen('b', 'w')\nopen(c, mode='r+')\nopen('d', m)",
        [],
        [
            ("a", "read", True, 1), ("b", "write", True, 2), ("c", "read", False, 3), ("c", "write", False, 3),
            ("d", "read", True, 4), ("d", "write", True, 4),
        ],
        [],
    ),
    "paths": (
        "from pathlib import Path; Path('a').read_text()\nPath(b).open('w')\np.write_text('x')\nos.listdir()\nos.remove('c')\nos.getcwd()\nx.append(1)",
        [],
        [
            ("a", "read", True, 1), ("b", "write", False, 2), ("p", "write", False, 3), (".", "read", True, 4),
            ("c", "write", True, 5),
        ],
        [],
    ),
    "very much": ("#" * 300_000, [], [], [("what Python code of more than 262144 characters does", 1)]),
}  # fmt: skip


@pytest.mark.parametrize(("code", "calls", "files", "unknown"), CODE.values(), ids=CODE)
def test_code(code, calls, files, unknown):
    assert seen(analyze_python(code, TOOLS)) == (calls, files, unknown)


def test_a_syntax_error_of_code_is_that_of_the_script():
    error = analyze_python("x = 1\nx = (", TOOLS).error
    assert (error.reason, error.line) == ("syntax error: '(' was never closed", 2)

"""A builtin is one file: what the declaration says is all that the shell needs to know."""

import importlib.util

import pytest

from bashkit import Bash
from bashkit.builtins import declarations
from bashkit.builtins.registry import DECLARED

GREET = '''
"""The builtin greet."""

from bashkit.builtins.registry import builtin


@builtin("greet", usage="[-l] [name ...]", summary="Greet people.", options="l", special=True, program=True)
def greet(shell, options, words):
    """Write a greeting for each name; -l greets loudly."""
    shell.assign("GREETED", str(len(words)))
    for word in words:
        shell.write(f"Hello, {word.upper() if options else word}!\\n")
    return 0 if words else 1
'''


@pytest.fixture
def greet(tmp_path):
    """The file, imported as a program imports a plug-in."""
    file = tmp_path / "greet.py"
    file.write_text(GREET)
    specification = importlib.util.spec_from_file_location("greet", file)
    module = importlib.util.module_from_spec(specification)
    declarations()
    specification.loader.exec_module(module)
    yield
    del DECLARED["greet"]


def run(script):
    result = Bash().execute_sync(script)
    return result.stdout, result.stderr, result.exit_code


@pytest.mark.usefixtures("greet")
@pytest.mark.parametrize(
    ("script", "stdout"),
    [
        ("greet Ada; echo $? $GREETED", "Hello, Ada!\n0 1\n"),
        ("greet -l Ada Grace; echo $GREETED", "Hello, ADA!\nHello, GRACE!\n2\n"),
        ("greet || echo nobody", "nobody\n"),
        ("type greet; type -t greet", "greet is a shell builtin\nbuiltin\n"),
        ("set -o posix; type greet", "greet is a special shell builtin\n"),
        ("help -d greet", "greet - Greet people.\n"),
        ("env greet Ada; echo Ada Grace | xargs -n 1 greet", "Hello, Ada!\nHello, Ada!\nHello, Grace!\n"),
        ("for i in {1..300}; do greet $i; done | tail -n 1", "Hello, 300!\n"),
        ("enable -n greet; type -t greet; enable greet; type -t greet", "file\nbuiltin\n"),
        ("compgen -b gre", "greet\n"),
    ],
)
def test_a_new_builtin_works_everywhere(script, stdout):
    assert run(script)[0] == stdout


@pytest.mark.usefixtures("greet")
def test_a_new_builtin_refuses_options_that_it_does_not_declare():
    stdout, stderr, status = run("greet -x Ada; echo $?")
    assert (stdout, status) == ("2\n", 0)
    assert stderr == "bash: line 1: greet: -x: invalid option\ngreet: usage: greet [-l] [name ...]\n"


@pytest.mark.usefixtures("greet")
def test_a_special_builtin_that_refuses_ends_a_posix_shell():
    assert run("set -o posix; greet -x Ada; echo still here")[0::2] == ("", 2)


def test_it_is_gone_with_its_declaration():
    assert run("greet Ada 2>/dev/null; echo $?")[0] == "127\n"

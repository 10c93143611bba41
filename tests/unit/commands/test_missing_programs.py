"""Programs the sandbox does not have: the message says what there is instead; sudo runs its command."""

import pytest

from bashkit import Bash
from bashkit.commands import _python


@pytest.fixture(autouse=True)
def without_python(monkeypatch):
    monkeypatch.setattr(_python, "is_installed", lambda: False)


@pytest.mark.parametrize(
    "name", ["python3", "node", "git", "apt-get", "gcc", "vim", "ssh", "docker", "pip", "man", "free", "stty", "psql"]
)
def test_says_what_there_is_instead(name):
    result = Bash().execute_sync(f"{name} x")
    assert (result.stdout, result.exit_code) == ("", 127)
    first, second = result.stderr.splitlines()
    assert first == f"bash: line 1: {name}: command not found"
    assert second.startswith(f"bash: {name}: ")


def test_they_are_not_found_by_scripts_that_look():
    assert Bash().execute_sync("command -v python3 || echo none").stdout == "none\n"


def test_sudo_runs_the_command():
    result = Bash().execute_sync("sudo -u root A=1 printenv A; sudo nope; echo $?")
    assert (result.stdout, result.stderr) == ("1\n1\n", "sudo: nope: command not found\n")


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_every_utility_answers(word):
    from bashkit.commands import command_names

    silent = [
        name for name in command_names() if name != "test" and not Bash().execute_sync(f"env {name} {word} < /dev/null").stdout
    ]
    assert not silent

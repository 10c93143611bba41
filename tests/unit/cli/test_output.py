"""What is common to all commands: help, versions, colours, and an output that cannot be written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bashkit.cli import COMMANDS, cli
from bashkit.cli.color import _wanted_by_environment
from bashkit.toolset.package_data import examples

SHOP = str(examples() / "shop.yaml")
BROKEN = "version: 1\nname: api\ntolls: []\n"
MINE = "version: 1\nname: api\ntools:\n  - name: get\n    description: Get it\n    effects: read\n    stub: {id: 1}\n"
BASHKIT = (sys.executable, "-m", "bashkit")
PRINTING = {
    "init": ("init",),
    "new": ("new", "tool", "get_it", "-f", "mine.yaml"),
    "run": ("run", "-c", "echo word"),
    "check": ("check", SHOP),
    "test": ("test", SHOP),
    "eval": ("eval", "--help"),
    "batch": ("batch", "diff", "--help"),
    "learn": ("learn", "mine.yaml", "--dry-run"),
    "prompt": ("prompt",),
    "snapshot": ("snapshot", SHOP),
    "fmt": ("fmt", "--diff", "messy.yaml"),
    "tui": ("tui", "--help"),
    "history": ("history", "--help"),
    "compare": ("compare", "--help"),
    "catalog": ("catalog",),
    "call": ("call", SHOP, "list_users", "{}"),
    "explain": ("explain", SHOP, "-c", "get_user --id 1"),
    "export": ("export", SHOP, "--format", "openai"),
    "serve": ("serve", "--help"),
    "import": ("import", "--help"),
    "schema": ("schema",),
    "help": ("help",),
}
BRIEF = frozenset(["run", "prompt"])  # those that the tests that are not thorough look at
EACH = [pytest.param(name, marks=() if name in BRIEF else pytest.mark.thorough) for name in PRINTING]


@pytest.fixture(autouse=True)
def _environment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "broken.yaml").write_text(BROKEN)
    (tmp_path / "mine.yaml").write_text(MINE)
    (tmp_path / "messy.yaml").write_text("name: t\nversion: 1\ntools: []\n")


def bashkit(*arguments, **options):
    return CliRunner().invoke(cli, list(arguments), **options)


HELPS = [(), *((name,) for name in COMMANDS), ("batch", "run"), ("batch", "diff")]


@pytest.mark.parametrize("words", HELPS, ids=" ".join)
def test_help_fits_80_columns(words):
    result = bashkit(*words, "--help", env={"COLUMNS": "200"})
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


def test_the_list_of_commands_that_print_is_whole():
    assert list(PRINTING) == list(COMMANDS)


@pytest.mark.parametrize("name", EACH)
@pytest.mark.needs("sh")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("redirection", "reason"), [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")], ids=["full", "closed"]
)
def test_an_output_that_cannot_be_written_is_said(name, redirection, reason):
    line = ["sh", "-c", f'exec "$@" {redirection}', "sh", *BASHKIT, *PRINTING[name]]
    done = subprocess.run(line, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8", check=False)
    assert done.stderr.endswith(f"bashkit: cannot write to standard output: {reason}\n")
    assert "Traceback" not in done.stderr
    assert done.returncode == 74


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("option", ["--record", "--log"])
def test_a_run_ends_when_its_calls_cannot_be_kept(option):
    done = bashkit("run", "-c", "get_user --id 1; sleep 0.1; echo on", option, "/dev/full")
    assert (done.exit_code, done.stdout.endswith("on\n")) == (2, False)
    assert done.stderr.endswith("bashkit: /dev/full: it cannot be written: No space left on device\n")
    assert "Traceback" not in done.stderr


@pytest.mark.needs("sh")
@pytest.mark.parametrize(
    ("words", "status", "output"),
    [
        (["run", "-c", "echo out; exit 3"], 3, "out\n"),
        pytest.param(["check", "no"], 2, "", marks=pytest.mark.thorough),
        pytest.param(["run"], 0, "", marks=pytest.mark.thorough),
    ],
)
def test_standard_error_and_standard_input_may_be_closed(words, status, output):
    line = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *BASHKIT, *words]
    done = subprocess.run(line, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (status, output)


@pytest.mark.parametrize("name", EACH)
def test_a_reader_that_left_ends_every_command_quietly(name):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*BASHKIT, *PRINTING[name]],
        stdout=writer,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        check=False,
    )
    os.close(writer)
    assert (done.returncode, "Traceback" in done.stderr, "rror" in done.stderr) == (141, False, False)


def test_a_mistyped_subcommand_is_answered_with_the_likely_one():
    result = bashkit("chekc")
    assert result.exit_code == 2
    assert "there is no command 'chekc': did you mean check?" in result.stderr
    assert bashkit("zzz").stderr.endswith("there is no command 'zzz'\n")


def test_a_mistyped_option_is_answered_with_the_likely_one():
    assert re.search("Did you mean '?--no-resolve'?\\?", bashkit("check", "--no-reslve").stderr)  # quoted from click 8.4 on


def test_the_version_names_the_parts():
    lines = dict(line.split(maxsplit=1) for line in bashkit("--version").stdout.splitlines())
    assert lines["Python"].startswith(".".join(map(str, sys.version_info[:3])))
    assert lines["parser"] in {"compiled", "pure Python"}
    assert {"bashkit", "click", "greenlet", "jq", "textual"} <= set(lines)
    assert "pytest" not in lines


def test_the_version_says_whether_the_parser_is_compiled(monkeypatch):
    from bashkit.syntax import parser

    monkeypatch.setattr(parser, "__file__", "/somewhere/parser.py")
    assert "pure Python" in bashkit("--version").stdout
    monkeypatch.setattr(parser, "__file__", "/somewhere/parser.cpython-311-x86_64-linux-gnu.so")
    assert "compiled" in bashkit("--version").stdout


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, None),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
    ],
)
def test_the_environment_decides_about_colours(monkeypatch, variables, wanted):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _wanted_by_environment() is wanted


def _commands(command, words=()):
    yield words, command
    for name in command.list_commands(click.Context(command)) if isinstance(command, click.Group) else ():
        yield from _commands(command.get_command(click.Context(command), name), (*words, name))


def test_color_is_an_option_of_every_command():
    found = [words for words, command in _commands(cli) if not any(one.name == "color" for one in command.params)]
    assert found == [("batch",)]  # whose first word may be left out: its options are those of "batch run"


@pytest.mark.parametrize(
    "arguments", [("check", "broken.yaml"), ("prompt", "broken.yaml"), ("test", "broken.yaml")], ids=" ".join
)
def test_color_is_for_every_command_that_colours(monkeypatch, arguments):
    name, *rest = arguments
    for line in ([name, "--color", "always", *rest], ["--color", "always", *arguments]):
        assert "\x1b[" in bashkit(*line).output
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in bashkit(*arguments).output
    for line in ([name, "--color", "never", *rest], ["--color", "never", *arguments]):
        assert "\x1b[" not in bashkit(*line).output
    assert "\x1b[" not in bashkit(name, "--color", "auto", *rest, env={"FORCE_COLOR": "", "NO_COLOR": "1"}).output


@pytest.mark.parametrize("errors", ["strict", pytest.param("surrogateescape", marks=pytest.mark.thorough)])
def test_what_the_output_cannot_show_is_an_escape(tmp_path, errors):
    (tmp_path / "api.json").write_text('{"openapi": "\\ud800"}')
    (tmp_path / "t.yaml").write_text("version: 1\nname: t\nsources:\n  - openapi: api.json\n")
    line = [*BASHKIT, "check", str(tmp_path / "t.yaml")]
    done = subprocess.run(line, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": f"utf-8:{errors}"})
    assert b"not version \\ud800\n" in done.stdout
    assert (done.stderr, done.returncode) == (b"", 1)

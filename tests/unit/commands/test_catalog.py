"""The list of commands and their options, as ``bashkit help`` and the documentation have it."""

import json

import pytest
from click.testing import CliRunner

from bashkit.builtins import NAMES
from bashkit.cli import cli
from bashkit.commands import _catalog, command_names


def test_every_utility_has_a_usage_and_a_summary():
    found = [_catalog.describe(name) for name in command_names() if name not in NAMES]
    assert all(item["usage"].startswith(item["name"]) and item["summary"] and item["kind"] == "utility" for item in found)


def test_help_lists_utilities_and_builtins():
    lines = CliRunner().invoke(cli, ["help"]).stdout.splitlines()
    listed = [line.split()[0] for line in lines]
    assert {"grep", "awk", "cd", "printf"} <= set(listed)
    assert listed == sorted(listed)


def test_help_of_one_command_is_its_own_help():
    assert "-i, --ignore-case" in CliRunner().invoke(cli, ["help", "grep"]).stdout
    assert CliRunner().invoke(cli, ["help", "cd"]).stdout.startswith("Usage: cd")


def test_help_of_a_builtin_that_is_a_program_too_is_about_what_the_shell_runs():
    assert CliRunner().invoke(cli, ["help", "printf"]).stdout.startswith("Usage: printf [-v var]")


def test_help_as_json():
    found = {item["name"]: item for item in json.loads(CliRunner().invoke(cli, ["help", "--json"]).stdout)}
    assert found["sort"]["kind"] == "utility"
    assert {
        "names": ["-u", "--unique"],
        "argument": None,
        "optional": False,
        "help": "output only the first of an equal run",
    } in found["sort"]["options"]
    assert found["cd"]["kind"] == "builtin"
    assert json.loads(CliRunner().invoke(cli, ["help", "wc", "--json"]).stdout)["usage"].startswith("wc ")


@pytest.mark.parametrize("arguments", [["xyzzy"], ["xyzzy", "--json"]])
def test_help_of_an_unknown_command(arguments):
    result = CliRunner().invoke(cli, ["help", *arguments])
    assert result.exit_code == 2
    assert "there is no command 'xyzzy': bashkit help lists them all" in result.stderr


def test_help_of_a_mistyped_command():
    assert "there is no command 'gerp': did you mean grep?" in CliRunner().invoke(cli, ["help", "gerp"]).stderr


ANSWERS = {
    "--help": ["bc -h", "bzip2 -h", "dc -h", "envsubst -h", "getopt -h", "gzip -h", "hexdump -h", "hostname -h", "rev -h", "strings -h",
               "uptime -h", "xxd -h", "xz -H"],
    "--version": ["bzip2 -L", "bzip2 -V", "cmp -v", "dc -V", "getopt -V", "gzip --license", "gzip -V", "hexdump -V", "hostname -V", "locale -V",
                  "patch -v", "ps -V", "rev -V", "strings -v", "strings -V", "sudo -V", "time -V", "tput -V", "uptime -V", "wget -V",
                  "xxd -v", "xz -V"],
}  # fmt: skip


@pytest.mark.parametrize(("words", "name"), [(words, name) for name, several in ANSWERS.items() for words in several])
def test_other_names_of_help_and_version(utility, words, name):
    command, option = words.split()
    answer = utility(command, option)
    assert answer.stdout.startswith("Usage:" if name == "--help" else f"{command} ")
    assert answer == utility(command, name)

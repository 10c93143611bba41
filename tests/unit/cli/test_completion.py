import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bashkit.cli import COMMANDS

from ..command_line import run

PAGE = (Path(__file__).parents[3] / "docs/pages/how-to/command-line.md").read_text(encoding="utf-8")
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture
def complete(monkeypatch):
    """What Click answers to the completion function of a shell."""

    def complete(shell, line, index):
        for name, value in (("_BASHKIT_COMPLETE", f"{shell}_complete"), ("COMP_WORDS", line), ("COMP_CWORD", str(index))):
            monkeypatch.setenv(name, value)
        done = run()
        assert (done.status, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return complete


def test_subcommands_are_completed(complete):
    assert complete("bash", "bashkit c", 1) == [f"plain,{name}" for name in COMMANDS if name.startswith("c")]


def test_options_and_their_choices_are_completed(complete):
    assert complete("bash", "bashkit check --s", 2) == ["plain,--strict"]
    assert complete("bash", "bashkit check --format ", 3) == ["plain,text", "plain,json", "plain,github"]


def test_kinds_of_sources_and_names_of_utilities_are_completed(complete):
    assert complete("bash", "bashkit import o", 2) == ["plain,openapi"]
    assert complete("bash", "bashkit help bas", 2)[:2] == ["plain,base32", "plain,base64"]


def test_the_first_word_of_a_batch_is_a_subcommand_or_a_file(complete):
    assert complete("bash", "bashkit batch r", 2) == ["plain,run", "file,r"]
    assert complete("bash", "bashkit batch --o", 2) == ["plain,--out", "plain,--ordered"]
    assert complete("bash", "bashkit batch rows.jsonl --o", 3) == ["plain,--out", "plain,--ordered"]


@pytest.mark.parametrize("subcommand", ["run", "check", "snapshot", "import mcp"])
def test_the_shell_completes_files(complete, subcommand):
    assert complete("bash", f"bashkit {subcommand} toolsets/s", len(subcommand.split()) + 1) == ["file,toolsets/s"]


def test_zsh_shows_what_a_subcommand_does(complete):
    assert complete("zsh", "bashkit che", 1) == ["plain", "check", "Report every mistake in a toolset."]


def test_fish_takes_the_word_itself(complete):
    assert complete("fish", "bashkit che", "che") == ["plain,check\tReport every mistake in a toolset."]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_line_of_the_readme_gives_a_function_that_the_shell_can_read(shell, tmp_path):
    assert f"_BASHKIT_COMPLETE={shell}_source bashkit" in PAGE
    if shutil.which(shell) is None:
        pytest.skip(f"not installed here: {shell}")
    if shutil.which("bashkit", path=PATH) is None:
        pytest.skip("the command bashkit is not installed here")
    start = f'eval "$(_BASHKIT_COMPLETE={shell}_source bashkit)"'
    line = {
        "bash": f"{start}; complete -p bashkit",
        "zsh": f"autoload -Uz compinit; compinit -u; {start}; print $_comps[bashkit]",
        "fish": "_BASHKIT_COMPLETE=fish_source bashkit | source; complete -c bashkit",
    }[shell]
    done = subprocess.run(
        [shell, "-c", line],
        env=os.environ | {"PATH": PATH, "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "_bashkit_completion" in done.stdout

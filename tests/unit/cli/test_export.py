"""bashkit export: definitions, documents, and skills that coding agents run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.tools.offer import EXPOSURES
from bashkit.tools.offer.definitions import FORMS
from bashkit.toolset.package_data import examples

from ..command_line import run

SHOP = str(examples() / "shop.yaml")


def export(*arguments):
    result = CliRunner().invoke(cli, ["export", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("form", ["openai", "openai-responses", "anthropic", "mcp", "json-schema"])
def test_definitions(form):
    assert len(json.loads(export(SHOP, "--format", form))) == 1
    assert len(json.loads(export(SHOP, "--format", form, "--expose", "all"))) == 12


def test_the_options_are_those_of_an_offer():
    """They are written down twice, because the command line must not import what it may not need."""
    choices = {
        option.name: tuple(option.type.choices)
        for option in cli.get_command(None, "export").params
        if hasattr(option.type, "choices")
    }
    assert {name: choices[name] for name in ("form", "expose")} == {
        "form": (*FORMS, "markdown", "skill", "claude-code"),
        "expose": EXPOSURES,
    }


def test_the_definition_has_the_prompt():
    (tool,) = json.loads(export("--format", "anthropic"))
    assert "## Available tool commands" in tool["description"]


def test_into_a_file(tmp_path):
    path = tmp_path / "new" / "tools.json"
    assert export(SHOP, "--format", "gemini", "-o", str(path)) == ""
    assert json.loads(path.read_text())[0]["functionDeclarations"][0]["name"] == "shop"


def test_as_markdown():
    text = export(SHOP, "--format", "markdown")
    assert text.startswith("# shop\n")
    assert "\n## get_user\n\n```text\nUsage: get_user --id <integer>\n" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "mcp", "--strict"], "the format 'mcp' has no strict mode"),
        (["--format", "skill", "--strict"], "--expose and --strict are for the definitions of an API"),
        (["--format", "skill", "--expose", "tools"], "--expose and --strict are for the definitions of an API"),
        (["--format", "openai", "-o", "/dev/null/x"], "/dev/null"),
        (["--format", "gpt"], "Invalid value for '--format'"),
        ([], "Missing option '--format'"),
    ],
)
def test_what_cannot_be_written(arguments, message):
    done = run("export", SHOP, *arguments)
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.thorough
@pytest.mark.needs("sh")
@pytest.mark.parametrize(("form", "place"), [("skill", "shop"), ("claude-code", ".claude/skills/shop")])
def test_a_coding_agent_runs_the_launcher_of_a_skill(tmp_path, form, place):
    assert export(SHOP, "--format", form, "-o", str(tmp_path)) == f"{tmp_path}/{place}/SKILL.md\n{tmp_path}/{place}/scripts/run\n"
    _, head, body = (tmp_path / place / "SKILL.md").read_text().split("---\n", 2)
    told = yaml.safe_load(head)
    assert told["name"] == "shop"
    assert len(told["description"]) <= 1024
    named = ".claude/skills/shop/scripts/run" if form == "claude-code" else "scripts/run"
    assert told.get("allowed-tools") == (f"Bash({named}:*)" if form == "claude-code" else None)
    command = next(line for line in body.splitlines() if line.startswith(named))
    folder = tmp_path if form == "claude-code" else tmp_path / place
    programs = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def run(script, **options):
        return subprocess.run(
            script, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False, **options
        )

    assert run(command).stdout == "Ada Lovelace\n"
    failed = run(f"{named} -", input="get_user --id 1 | jq -r .id; exit 3")
    assert (failed.stdout, failed.returncode) == ("1\n", 3)
    assert run(named).returncode == 2


def test_a_skill_of_many_tools_with_odd_names(tmp_path):
    tools = "".join(f"  - {{name: a_rather_long_name_of_a_tool_{n}, stub: x}}\n" for n in range(60))
    (tmp_path / "t.yaml").write_text(f"version: 1\nname: My_Tools\ntools:\n{tools}")
    export(str(tmp_path / "t.yaml"), "--format", "skill", "-o", str(tmp_path))
    told = yaml.safe_load((tmp_path / "my-tools" / "SKILL.md").read_text().split("---\n")[1])
    assert told["name"] == "my-tools"
    assert len(told["description"]) == 1024

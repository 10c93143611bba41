"""bashkit export: write a toolset in the form that something else takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PROFILE, file_of, open_toolset, warn
from bashkit.cli.terminal_text import print_document, print_json, say

if TYPE_CHECKING:
    from bashkit.tools.offer import Exposure
    from bashkit.toolset import Toolset

_SKILLS = {"skill": Path(), "claude-code": Path(".claude/skills")}  # where the folder of the skill goes
_FORMS = ("openai", "openai-responses", "anthropic", "gemini", "mcp", "json-schema", "markdown", *_SKILLS)
_EXPOSURES = ("bash", "tools", "both", "discovery", "all")
OUTPUT = click.Path(path_type=Path)


@click.command("export", short_help="Write the toolset for an API or a coding agent.")
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@click.option(
    "--format", "form", type=click.Choice(_FORMS), metavar="FORM", required=True, help=f"What to write: {', '.join(_FORMS)}."
)
@click.option("--expose", type=click.Choice(_EXPOSURES), default="bash", show_default=True, help="What a model gets, of an API.")
@click.option("--strict", is_flag=True, help="OpenAI's strict mode, where it can express the schema of a tool.")
@click.option("-o", "--output", type=OUTPUT, metavar="PATH", help="The file to write; of a skill the folder that it goes into.")
@PROFILE
@color.option
def command(file: Path | None, form: str, expose: Exposure, strict: bool, output: Path | None) -> None:
    """Write the definitions of a toolset as an API takes them, its documents as Markdown, or a skill for a coding agent.

    A skill is a folder with SKILL.md and a launcher, by which the agent runs scripts through 'bashkit run'. The format skill puts
    it into PATH, claude-code into PATH/.claude/skills; PATH is the current directory if it is left out. Everything else is
    written to PATH, or to standard output.

    \b
    Exit status: 2 when FILE cannot be used or PATH cannot be written.

    \b
    Examples:
      bashkit export toolsets/shop.yaml --format openai --strict
      bashkit export toolsets/shop.yaml --format anthropic --expose tools \\
        -o tools.json
      bashkit export toolsets/shop.yaml --format claude-code
    """
    if form in _SKILLS and (strict or expose != "bash"):
        raise click.UsageError("--expose and --strict are for the definitions of an API")
    toolset = open_toolset(file)
    if form in _SKILLS:
        _write_skill(toolset, file_of(file), (output or Path()) / _SKILLS[form], claude_code=form == "claude-code")
    elif output is not None:
        _write(_text(toolset, form, expose, strict), output)
    elif form == "markdown":
        print_document(_text(toolset, form, expose, strict))
    else:
        print_json(_text(toolset, form, expose, strict), nl=False)
    warn(toolset)


def _text(toolset: Toolset, form: str, expose: Exposure, strict: bool) -> str:
    if form == "markdown":
        from bashkit.prompts.documents import markdown

        return markdown(toolset.tool)
    from bashkit.tools import json_text

    return json_text.encode(toolset.definitions(form, expose, strict=strict, with_prompt=True), indent=2) + "\n"


def _write_skill(toolset: Toolset, file: Path, folder: Path, *, claude_code: bool) -> None:
    from bashkit.prompts.agent_skill import LAUNCHER, skill_files, skill_name

    folder = folder / skill_name(toolset.tool)
    for name, text in skill_files(toolset.tool, file, folder, claude_code=claude_code).items():
        _write(text, folder / name)
        say(folder / name)
    (folder / LAUNCHER).chmod(0o755)


def _write(text: str, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from None

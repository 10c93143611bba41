"""A toolset as an Agent Skill: a folder by which a coding agent learns to run ``bashkit run`` itself.

The format is that of https://agentskills.io/specification: ``SKILL.md`` with a name of lower-case letters, digits and hyphens (at
most 64) and a description (at most 1024 characters).
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

from bashkit.tools import json_text

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.tools.execute.scripted import ScriptedTool

LAUNCHER = "scripts/run"
_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 1024


def skill_name(tool: ScriptedTool) -> str:
    """The name of the skill, which its folder has too."""
    return re.sub(r"[^a-z0-9]+", "-", tool.name.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "tools"


def skill_files(tool: ScriptedTool, file: Path, folder: Path, *, claude_code: bool = False) -> dict[str, str]:
    """The texts of a skill.

    Args:
        tool: The tool.
        file: Its toolset file.
        folder: Where the skill will be; the launcher finds ``file`` from there.
        claude_code: Name the launcher as Claude Code finds it, from the root of the project, and let it run without asking.

    Returns:
        The texts by path in ``folder``. ``LAUNCHER`` is a program.
    """
    return {"SKILL.md": _skill(tool, claude_code=claude_code), LAUNCHER: _launcher(tool, file, folder / LAUNCHER)}


def _skill(tool: ScriptedTool, *, claude_code: bool) -> str:
    start = f"{tool.short_description.rstrip('.')}. " if tool.short_description else ""
    dialect = tool.dialect
    names = ", ".join(map(dialect.name, tool.definitions))
    description = f"{start}Runs {dialect.scripts} in which these are {dialect.noun}s: {names}"
    if len(description) > _LONGEST_DESCRIPTION:
        description = description[: _LONGEST_DESCRIPTION - 1] + "…"
    launcher = f".claude/skills/{skill_name(tool)}/{LAUNCHER}" if claude_code else LAUNCHER
    head = [f"name: {skill_name(tool)}", f"description: {json_text.encode(description)}"]
    if claude_code:
        head.append(f"allowed-tools: Bash({launcher}:*)")
    examples = [one.command for item in tool.definitions for one in item.examples] if dialect.examples else []
    example = next(iter(examples), dialect.first)
    return "\n".join(
        [
            "---",
            *head,
            "---",
            "",
            f"Pass {dialect.whole}, so that one call does all of the work:",
            "",
            "```sh",
            f"{launcher} {shlex.quote(example)}",
            "```",
            "",
            "Pass - to read the script from standard input. It runs in a virtual bash, whose files are not those of this",
            "machine. The exit status is the script's.",
            "",
            _commands(tool),
        ]
    )


def _commands(tool: ScriptedTool) -> str:
    """The system prompt without what it says about requests and responses."""
    head, mark, rest = tool.system_prompt().partition("\n## ")
    return f"## {rest}" if mark else head


def _launcher(tool: ScriptedTool, file: Path, launcher: Path) -> str:
    dialect = tool.dialect
    target = os.path.relpath(file.resolve(), launcher.parent.resolve())
    return "\n".join(
        [
            "#!/bin/sh",
            f"# Runs {dialect.one} in which the tools of {tool.name} are {dialect.noun}s: run SCRIPT, or run - < FILE.",
            'here=$(cd -- "$(dirname -- "$0")" && pwd) || exit',
            f'toolset="$here"/{shlex.quote(target)}',
            'command -v bashkit >/dev/null || { echo "$0: bashkit is missing: pip install bashkit-toolsets" >&2; exit 127; }',
            'if [ $# -ne 1 ]; then echo "usage: $0 SCRIPT" >&2; exit 2; fi',
            'if [ "$1" = - ]; then exec bashkit run "$toolset"; fi',
            'exec bashkit run "$toolset" -c "$1"',
            "",
        ]
    )

"""Skills in the public Agent Skills format as a source of tools: the text and the scripts of each skill."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import DefinitionError
from bashkit.tools.define.definition import ToolDef
from bashkit.toolset.callback import TIMEOUT
from bashkit.toolset.callbacks.skill import INPUT, WORDS, Input, SkillPrompt, SkillScript
from bashkit.toolset.callbacks.skill.detection import detect, folders, skills_below, tool_name, visible
from bashkit.toolset.callbacks.skill.frontmatter import FILE, Skill, read_skill
from bashkit.toolset.source import EVERYTHING, SKIPPED, Asking, Found, FoundTool, Selection, Source, SourceError, passed_over
from bashkit.toolset.sources.skills.comments import describe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_PROMPT_INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"arguments": {"type": "string", "description": "What the skill is applied to"}},
    "additionalProperties": False,
}
_DATA = {"data": {"description": "Any JSON, given to the script on its standard input"}}
_ARGS = {WORDS: {"type": "array", "items": {"type": "string"}, "description": "The words of the script's command line"}}
_PROPERTIES: dict[str, Any] = {"auto": _DATA | _ARGS, "argv": _ARGS, "json": _DATA}


@dataclass(frozen=True, slots=True)
class SkillSource(Source):
    """A directory of skills, or one skill.

    Attributes:
        directory: The directory.
        timeout: Seconds for a call of a script; None for the default.
        document, path: The declaring document and the path in it.
        selection: Selects and renames its tools.
        input: How the scripts get their arguments; see ``SkillScript``.
    """

    directory: Path
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING
    input: Input = "auto"

    key = "skills"
    noun = "a source of skills"
    summary = "skills"
    usage = "DIR"
    about = "a directory of skills, or one skill"
    rank = 20
    properties: ClassVar = {
        "skills": {
            "title": "Agent Skills",
            "description": (
                "Directory of skills in the Agent Skills format, up to five levels deep, or one skill; relative to this file, "
                "${VAR} is replaced. Of two skills with one name the first source's is taken. Scripts read a skill's files "
                "below /skills/NAME."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ["./skills"],
        }
    }
    options: ClassVar = {"input": INPUT}

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> SkillSource:
        """Make the source; no skill is read yet."""
        return cls(directory=source.file(source.value["skills"]), input=source.value.get("input", "auto"), **common)

    def ask(self, asking: Asking) -> Found:
        """Read every skill and look for its scripts. Nothing is run; unchanged skills are not read again.

        Raises:
            SourceError: The directory cannot be read, or it is itself a skill with mistakes.
        """
        try:
            directories, refused = self._skills()
        except OSError as error:
            raise SourceError(f"the directory cannot be read: {error.strerror}") from error
        tools: list[FoundTool] = []
        skipped: list[str | Problem] = [
            self._left_out(visible(str(path.relative_to(self.directory))), reason, path.name)
            for path, reason in refused
            if self.selection.takes(path.name)
        ]
        first: dict[str, str] = {}
        for directory in directories:
            skill = read_skill(directory)
            if not isinstance(skill, Skill):
                if directory == self.directory:
                    raise SourceError(str(skill[0]), skill)
                skipped += [_as_warning(mistake) for mistake in skill] if self.selection.takes(directory.name) else []
            elif skill.name in first:
                reason = f"{first[skill.name]} is called {skill.name!r} too and comes first"
                skipped.append(self._left_out(_shown(directory), reason))
            else:
                first[skill.name] = _shown(directory)
                found = self._tools(directory, skill, asking, skipped)
                tools += found
                skipped += skill.warnings if found else ()
        return Found(tuple(tools), tuple(skipped))

    def files(self) -> tuple[Path, ...]:
        """The directory, and each skill's SKILL.md and script directories."""
        try:
            directories, _ = self._skills()
        except OSError:
            return (self.directory,)
        inner = [path for directory in directories for path in (directory / FILE, *folders(directory))]
        return tuple(dict.fromkeys([self.directory, *inner]))

    def _skills(self) -> tuple[list[Path], list[tuple[Path, str]]]:
        """The directories of the skills, in alphabetical order, and what is passed over.

        Raises:
            OSError: The directory cannot be read.
        """
        return ([self.directory], []) if (self.directory / FILE).exists() else skills_below(self.directory)

    def _tools(self, directory: Path, skill: Skill, asking: Asking, skipped: list[str | Problem]) -> list[FoundTool]:
        """The selected tools of a skill; why other scripts are none is added to ``skipped``."""
        tools = []
        if self.selection.takes(skill.name):
            prompt = ToolDef(skill.name, skill.description, _PROMPT_INPUT, category=skill.name, effects="read", stdin=False)
            tools.append(FoundTool(prompt, SkillPrompt(directory, self.place), f"{_shown(directory)}/{FILE}", skill.name))
        detected = detect(directory)
        for script, reason in detected.refused:
            if self.selection.takes(tool_name(skill.name, script)):
                name = tool_name(skill.name, script)
                skipped.append(self._left_out(f"{_shown(directory)}/{visible(str(script))}", reason, name))
        schema = {"type": "object", "properties": _PROPERTIES[self.input], "additionalProperties": False}
        rest = WORDS if WORDS in _PROPERTIES[self.input] else ""
        for script in detected.scripts:
            origin = f"{_shown(directory)}/{visible(str(script))}"
            name = tool_name(skill.name, script)
            if not self.selection.takes(name):
                continue
            try:
                definition = ToolDef(name, describe(directory / script), schema, category=skill.name, rest=rest)
            except DefinitionError as error:
                skipped.append(self._left_out(origin, visible(str(error)), name))
                continue
            target = SkillScript(directory, script, self.timeout or TIMEOUT, self.place, asking.stub_env, self.input)
            tools.append(FoundTool(definition, target, origin, skill.name))
        return tools

    def _left_out(self, what: str, reason: str, name: str = "") -> Problem:
        """A warning that something is no tool; one with a name can be excluded."""
        hint = f"exclude: [{json.dumps(visible(name))}]" if name else ""
        return passed_over(self, f"{what} is skipped: {reason}", hint=hint)


def _as_warning(mistake: Problem) -> Problem:
    return replace(mistake, severity="warning", code=SKIPPED)


def _shown(directory: Path) -> str:
    return visible(directory.name or str(directory))

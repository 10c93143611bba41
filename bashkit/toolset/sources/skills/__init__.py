"""Skills in the public Agent Skills format as a source of tools: the text and the scripts of each skill."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import DefinitionError
from bashkit.tools.define.definition import ToolDef
from bashkit.toolset.callback import TIMEOUT
from bashkit.toolset.callbacks.skill import SkillPrompt, SkillScript
from bashkit.toolset.callbacks.skill.detection import detect, folders, tool_name, visible
from bashkit.toolset.callbacks.skill.frontmatter import FILE, Skill, read_skill
from bashkit.toolset.source import EVERYTHING, Asking, Found, FoundTool, Selection, Source, SourceError
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
_SCRIPT_INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"data": {"description": "Any JSON, given to the script on its standard input"}},
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class SkillSource(Source):
    """A directory of skills, or one skill.

    Attributes:
        directory: The directory.
        timeout: Seconds for a call of a script; None for the default.
        document, path: The declaring document and the path in it.
        selection: Selects and renames its tools.
    """

    directory: Path
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING

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
                "Directory of skills in the Agent Skills format, or one skill; relative to this file, ${VAR} is replaced. Of "
                "two skills with one name the first source's is taken."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ["./skills"],
        }
    }

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> SkillSource:
        """Make the source; no skill is read yet."""
        return cls(directory=source.file(source.value["skills"]), **common)

    def ask(self, asking: Asking) -> Found:
        """Read every skill and look for its scripts. Nothing is run; unchanged skills are not read again.

        Raises:
            SourceError: The directory cannot be read, or it is itself a skill with mistakes.
        """
        try:
            directories = self._skills()
        except OSError as error:
            raise SourceError(f"the directory cannot be read: {error.strerror}") from error
        tools: list[FoundTool] = []
        skipped: list[str | Problem] = []
        first: dict[str, str] = {}
        for directory in directories:
            skill = read_skill(directory)
            if not isinstance(skill, Skill):
                if directory == self.directory:
                    raise SourceError(str(skill[0]), skill)
                skipped += skill
            elif skill.name in first:
                skipped.append(
                    f"{_shown(directory)} is skipped: {first[skill.name]} is called {skill.name!r} too and comes first"
                )
            else:
                first[skill.name] = _shown(directory)
                tools += self._tools(directory, skill, asking, skipped)
        return Found(tuple(tools), tuple(skipped))

    def files(self) -> tuple[Path, ...]:
        """The directory, and each skill's SKILL.md and script directories."""
        try:
            directories = self._skills()
        except OSError:
            return (self.directory,)
        inner = [path for directory in directories for path in (directory / FILE, *folders(directory))]
        return tuple(dict.fromkeys([self.directory, *inner]))

    def _skills(self) -> list[Path]:
        """The directories of the skills, in alphabetical order."""
        if (self.directory / FILE).exists():
            return [self.directory]
        found = [entry for entry in self.directory.iterdir() if not entry.name.startswith(".") and entry.is_dir()]
        return sorted(entry for entry in found if (entry / FILE).is_symlink() or (entry / FILE).exists())

    def _tools(self, directory: Path, skill: Skill, asking: Asking, skipped: list[str | Problem]) -> list[FoundTool]:
        prompt = ToolDef(skill.name, skill.description, _PROMPT_INPUT, category=skill.name, effects="read", stdin=False)
        tools = [FoundTool(prompt, SkillPrompt(directory, self.place), f"{_shown(directory)}/{FILE}", skill.name)]
        detected = detect(directory)
        skipped += [f"{_shown(directory)}/{reason}" for reason in detected.refused]
        for script in detected.scripts:
            origin = f"{_shown(directory)}/{visible(str(script))}"
            name = tool_name(skill.name, script)
            try:
                definition = ToolDef(name, describe(directory / script), _SCRIPT_INPUT, category=skill.name)
            except DefinitionError as error:
                if self.selection.takes(name):
                    skipped.append(f"{origin} is skipped: {visible(str(error))}")
                continue
            target = SkillScript(directory, script, self.timeout or TIMEOUT, self.place, asking.stub_env)
            tools.append(FoundTool(definition, target, origin, skill.name))
        return tools


def _shown(directory: Path) -> str:
    return visible(directory.name or str(directory))

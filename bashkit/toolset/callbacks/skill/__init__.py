"""Callbacks for a skill in the public Agent Skills format: one of its scripts, or its text."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import CallbackNotFoundError, ScriptExecutionError, ScriptTimeoutError, ToolError, ToolRestrictionError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, to_bytes
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.callbacks.skill.detection import INTERPRETERS, refusal, visible
from bashkit.toolset.callbacks.skill.frontmatter import FILE, Skill, read_skill
from bashkit.toolset.text.paths import relative

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.callbacks.executable.process import Finished
    from bashkit.toolset.declaration import Declaration

_MAX_ARGUMENTS = 10 << 20  # bytes of JSON on standard input
_SHOWN = 8000  # characters of standard error in a message
_TIMED_OUT = 124
_NOT_ALLOWED = 126  # the status of bash for a command that is not executable
_NOT_FOUND = 127
_PLACE = re.compile(r"\$ARGUMENTS\b|\$\{ARGUMENTS\}")


def the_skill(directory: Path) -> Skill:
    """Read the skill of a directory in its current state.

    Raises:
        CallbackNotFoundError: Its SKILL.md is gone, or has mistakes.
    """
    found = read_skill(directory)
    if isinstance(found, Skill):
        return found
    raise CallbackNotFoundError(str(found[0]))


class SkillCallback(Callback):
    """The text of a skill, or a script of it.

    Attributes:
        directory: The skill.
    """

    __slots__ = ()

    directory: Path

    key = "skill"
    noun = "a callback of a skill"
    summary = "a skill"
    rank = 40
    properties: ClassVar = {
        "skill": {
            "title": "Agent Skill",
            "description": "Directory of a skill, relative to this file; its text is printed, or a script of it runs.",
            "type": "string",
            "minLength": 1,
            "examples": ["./skills/pdf-extractor"],
        }
    }
    is_file = True
    shared: ClassVar = {
        "script": (
            "With skill: the script of the skill that runs, relative to the skill, which reads the JSON of the argument data."
        )
    }

    @classmethod
    def read(cls, tool: Declaration) -> SkillCallback:
        """Make the callback; the skill is read at each call."""
        callback = tool.callback
        directory = tool.folder / callback["skill"]
        place = tool.place("callback", "skill")
        if "script" not in callback:
            return SkillPrompt(directory, place)
        return SkillScript(directory, PurePosixPath(callback["script"]), tool.timeout or TIMEOUT, place, tool.around.stub_env)

    def write(self, folder: Path) -> dict[str, Any]:
        """Write ``callback: {skill: …}``."""
        return {"callback": {"skill": relative(self.directory, folder)}}

    @property
    def target(self) -> str:
        """The name of its directory."""
        return visible(self.directory.name)

    def location(self) -> tuple[Path, int | None] | None:
        """Its SKILL.md."""
        path = self.directory / FILE
        return (path, None) if path.is_file() else None


@dataclass(frozen=True, slots=True)
class SkillPrompt(SkillCallback):
    """The text of a skill as a callback: it returns instructions for the model.

    Attributes:
        directory: The skill.
        place: ``file:line:column`` of the declaration, for messages.
    """

    directory: Path
    place: str = ""

    def resolve(self) -> Skill:
        """Read the skill.

        Raises:
            CallbackNotFoundError: It does not exist, or has mistakes.
        """
        return the_skill(self.directory)

    def __call__(self, args: ToolArgs) -> str:
        """Return the text with ``$ARGUMENTS`` replaced; without that placeholder, the arguments follow the text.

        Raises:
            CallbackNotFoundError: As for ``resolve``.
        """
        text = self.resolve().text
        given = args.param_str("arguments") or ""
        if _PLACE.search(text):
            text = _PLACE.sub(lambda _: given, text)
        elif given:
            text = f"{text}\n\nARGUMENTS: {given}"
        return text + "\n"


@dataclass(frozen=True, slots=True)
class SkillScript(SkillCallback):
    """A script of a skill as a callback.

    Attributes:
        directory: The skill.
        script: The script, below it.
        timeout: Seconds.
        place: ``file:line:column`` of the declaration, for messages.
        env: Variables beside those of ``args.env``.
    """

    directory: Path
    script: PurePosixPath
    timeout: float = TIMEOUT
    place: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> dict[str, Any]:
        """Write ``callback: {skill: …, script: …}``."""
        return {"callback": {"skill": relative(self.directory, folder), "script": str(self.script)}}

    @property
    def target(self) -> str:
        """The script's path inside the skill."""
        return visible(f"{self.directory.name}/{self.script}")

    def location(self) -> tuple[Path, int | None] | None:
        """The script's file."""
        path = self.directory / self.script
        return (path, None) if path.is_file() else None

    def resolve(self) -> Path:
        """Return the script's file after checking that it is inside the skill.

        Raises:
            CallbackNotFoundError: It does not exist, or may not run.
        """
        root = self.directory.resolve()
        reason = refusal(root, self.script)
        if reason == "" and self.script.suffix.lower() not in INTERPRETERS:
            reason = f"no interpreter is known for {self.script.suffix or 'files without a suffix'}"
        if reason != "":
            raise CallbackNotFoundError(f"{visible(str(self.script))}: {reason or 'it is not a regular file'}")
        return root / self.script

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """Run it with ``data`` as JSON on its standard input.

        Raises:
            CallbackNotFoundError: As for ``resolve``; the message starts with ``place``.
            ToolRestrictionError: The skill's ``allowed-tools`` do not include Bash.
            ScriptExecutionError: Its status was not 0, or it could not be started.
            ScriptTimeoutError: It took too long.
        """
        try:
            path = self.resolve()
            skill = the_skill(self.directory)
        except CallbackNotFoundError as error:
            raise CallbackNotFoundError(f"{self.place}: {error}" if self.place else str(error)) from error
        if not skill.runs_scripts:
            listed = ", ".join(skill.allowed or ()) or "none"
            raise ToolRestrictionError(
                f"the skill {skill.name} may not run scripts: its allowed-tools are {listed}", _NOT_ALLOWED
            )
        from bashkit.toolset.callbacks.executable.process import run_process

        env = self._environment(skill, args.env)
        data = to_bytes(json_text.encode(_data(args)))
        if len(data) > _MAX_ARGUMENTS:
            raise ScriptExecutionError(f"the data has {len(data)} bytes, more than {_MAX_ARGUMENTS >> 20} MB", 2)
        argv = [*interpreter(path, env["PATH"]), str(path)]
        try:
            done = await run_process(argv, stdin=data, env=env, cwd=self.directory.resolve(), patience=self.timeout)
        except ToolError as error:
            raise ScriptExecutionError(error.message, error.exit_code) from error
        if done.status or done.note:
            raise _failure(done)
        return ToolResult(done.stdout, done.stderr)

    def _environment(self, skill: Skill, declared: Mapping[str, str]) -> dict[str, str]:
        from bashkit.toolset.callbacks.executable.process import environment

        about = {"SKILL_NAME": skill.name, "SKILL_BASE_DIR": str(self.directory.resolve()), "SKILL_VERSION": skill.version}
        return environment({**declared, **about, **self.env})


def interpreter(path: Path, search: str) -> list[str]:
    """Find the command that starts a script in the directories of ``search``; Python falls back to the running interpreter.

    Raises:
        ScriptExecutionError: It is not installed.
    """
    program, *options = INTERPRETERS[path.suffix.lower()]
    found = shutil.which(program, path=search) or (sys.executable if program == "python3" else None)
    if not found:
        raise ScriptExecutionError(f"{path.name} needs {program}, which is not installed here", _NOT_FOUND)
    return [found, *options]


def _data(args: ToolArgs) -> Any:
    """Return ``data``, or the JSON that was piped in; ``{}`` without either.

    Raises:
        ToolError: The piped text is not JSON.
    """
    data = args.get("data")
    if data is None and (args.stdin or "").strip():
        try:
            data = json_text.decode(args.stdin or "")
        except ValueError as error:
            raise ToolError(f"standard input is not JSON: {error}", 2) from None
    return {} if data is None else data


def _failure(done: Finished) -> ScriptExecutionError:
    stderr = done.stderr.decode("utf-8", "replace").strip()
    if len(stderr) > _SHOWN:
        stderr = f"[{len(stderr) - _SHOWN} characters left out] … {stderr[-_SHOWN:]}"
    how = f"{done.note} (exit status {done.status})" if done.note else f"exit status {done.status}"
    kind = ScriptTimeoutError if done.status == _TIMED_OUT and done.note else ScriptExecutionError
    return kind(f"{how}: {stderr}" if stderr else how, done.status, done.stdout, done.stderr)

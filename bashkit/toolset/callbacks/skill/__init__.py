"""Callbacks for a skill in the public Agent Skills format: one of its scripts, or its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from bashkit.errors import CallbackNotFoundError, ScriptExecutionError, ToolError, ToolRestrictionError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, to_bytes
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.callbacks.skill.detection import INTERPRETERS, refusal, unknown_language, visible
from bashkit.toolset.callbacks.skill.frontmatter import FILE, Skill, read_skill
from bashkit.toolset.callbacks.skill.program import SkillProgram, switches_of
from bashkit.toolset.text.paths import relative

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.declaration import Declaration

Input = Literal["auto", "argv", "json"]
INPUT: dict[str, Any] = {
    "title": "Input",
    "description": (
        "How a script of a skill gets its arguments. argv: the array args as the words of its command line, and what is piped as "
        "it is. json: the argument data, or what is piped, as JSON on standard input. auto: whichever of both a call has."
    ),
    "enum": ["auto", "argv", "json"],
    "default": "auto",
    "examples": ["argv"],
}
SKILLS = "/skills"  # where sessions find the directories of skills
WORDS = "args"  # the parameter with the words of a script's command line
_MAX_ARGUMENTS = 10 << 20  # bytes of JSON on standard input
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
        },
        "input": INPUT,
    }
    is_file = True
    context = f"The files of a skill are in {SKILLS}/NAME, and paths in its text are relative to that directory."
    shared: ClassVar = {
        "script": "With skill: the script of the skill that runs, relative to the skill; input says how it gets its arguments."
    }

    @classmethod
    def read(cls, tool: Declaration) -> SkillCallback:
        """Make the callback; the skill is read at each call."""
        callback = tool.callback
        directory = tool.folder / callback["skill"]
        place = tool.place("callback", "skill")
        if "script" not in callback:
            return SkillPrompt(directory, place)
        script = PurePosixPath(callback["script"])
        return SkillScript(directory, script, tool.timeout or TIMEOUT, place, tool.around.stub_env, callback.get("input", "auto"))

    def mounts(self) -> Mapping[str, Path]:
        """The skill's directory, where its text finds its files."""
        skill = read_skill(self.directory)
        return {f"{SKILLS}/{skill.name}": self.directory} if isinstance(skill, Skill) else {}

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

    A call of a shell runs in a copy of the session's working directory, and what the script changes there comes back; but a call
    with nothing but data that names no file of the session runs in the skill's own directory, as calls without a session do.

    Attributes:
        directory: The skill.
        script: The script, below it.
        timeout: Seconds.
        place: ``file:line:column`` of the declaration, for messages.
        env: Variables beside those of ``args.env``.
        input: How it gets its arguments: ``argv``, ``json`` or ``auto``.
    """

    directory: Path
    script: PurePosixPath
    timeout: float = TIMEOUT
    place: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    input: Input = "auto"

    context = (
        "A script that the text of a skill names is a command, such as NAME.build for scripts/build.py: call that, not the file."
    )

    def write(self, folder: Path) -> dict[str, Any]:
        """Write ``callback: {skill: …, script: …}``."""
        way = {} if self.input == "auto" else {"input": self.input}
        return {"callback": {"skill": relative(self.directory, folder), "script": str(self.script), **way}}

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
            reason = unknown_language(root / self.script)
        if reason != "":
            raise CallbackNotFoundError(f"{visible(str(self.script))}: {reason or 'it is not a regular file'}")
        return root / self.script

    def own_switches(self) -> frozenset[str]:
        """Which of ``--help`` and ``--dry-run`` the script handles itself."""
        return frozenset() if self.input == "json" else switches_of(self.directory / self.script)

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """Run it in the skill's directory, without the files of a session.

        Raises:
            CallbackNotFoundError: As for ``resolve``; the message starts with ``place``.
            ToolRestrictionError: The skill's ``allowed-tools`` do not include Bash.
            ScriptExecutionError: Its status was not 0, or it could not be started.
            ScriptTimeoutError: It took too long.
        """
        words, data = self._given(args)
        return await self._program(args).run(words, _input(args, data), self.directory.resolve())

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Run it for a command of a shell, whose files it may read and write.

        Raises:
            TimeoutError: It took longer than ``timeout``.
            ToolError: As for a call; or there are too many files.
        """
        from bashkit.toolset.callbacks.skill.exchange import WorkingDirectory, names_a_file

        words, data = self._given(args)
        program = self._program(args)
        only_data = (
            not words and self.input != "argv" and (self.input == "json" or "data" in args or bool((args.stdin or "").strip()))
        )
        if only_data and not names_a_file(process, data):
            return _wait(process, program, words, _input(args, data), program.skill, timeout)
        with WorkingDirectory(process, {path: place.resolve() for path, place in self.mounts().items()}) as directory:
            words, stdin = [directory.word(word) for word in words], _input(args, directory.data(data))
            try:
                result = _wait(process, program, words, stdin, directory.path, timeout)
            except ScriptExecutionError as error:
                error.files = directory.changes()
                error.message = directory.shown(to_bytes(error.message)).decode("utf-8", "surrogateescape")
                error.message += f"\n{directory.note}" if directory.note else ""
                error.stdout = directory.shown(to_bytes(error.stdout))
                raise
            files = directory.changes()
            note = f"{directory.note}\n" if directory.note else ""
            stderr = to_bytes(note) + directory.shown(to_bytes(result.stderr))
            return ToolResult(directory.shown(to_bytes(result.stdout)), stderr, files=files)

    def _program(self, args: ToolArgs) -> SkillProgram:
        """What is started, after a new look at the skill."""
        try:
            path = self.resolve()
            skill = the_skill(self.directory)
        except CallbackNotFoundError as error:
            raise CallbackNotFoundError(f"{self.place}: {error}" if self.place else str(error)) from error
        if not skill.runs_scripts:
            raise ToolRestrictionError(skill.name, skill.allowed or ())
        root = self.directory.resolve()
        about = {"SKILL_NAME": skill.name, "SKILL_BASE_DIR": str(root), "SKILL_VERSION": skill.version}
        return SkillProgram(path, root, f"{SKILLS}/{skill.name}", self.target, {**args.env, **about, **self.env}, self.timeout)

    def _given(self, args: ToolArgs) -> tuple[list[str], Any]:
        """The words of a call, and its data, which is None where standard input is what was piped.

        Raises:
            ToolError: The piped text should be JSON and is not.
        """
        words: list[str] = [] if self.input == "json" else list(args.get(WORDS) or ())
        data, piped = args.get("data"), (args.stdin or "").strip()
        if self.input == "argv" or (words and data is None):
            return words, None
        if data is None and piped:
            try:
                data = json_text.decode(piped)
            except ValueError as error:
                raise ToolError(f"standard input is not JSON: {error}", 2) from None
        return words, {} if data is None else data


def _wait(
    process: Process, program: SkillProgram, words: list[str], stdin: bytes, cwd: Path, timeout: float | None
) -> ToolResult:
    """Run a program while other tasks of the script go on."""

    async def run() -> ToolResult:
        return await program.run(words, stdin, cwd)

    result: ToolResult = process.system.call(run, timeout=timeout)  # type: ignore[arg-type]  # T and Awaitable[T]
    return result


def _input(args: ToolArgs, data: Any) -> bytes:
    """The standard input of a script.

    Raises:
        ScriptExecutionError: It is too much.
    """
    if data is None:
        return to_bytes(args.stdin or "")
    text = to_bytes(json_text.encode(data))
    if len(text) > _MAX_ARGUMENTS:
        raise ScriptExecutionError(f"the data has {len(text)} bytes, more than {_MAX_ARGUMENTS >> 20} MB", 2)
    return text

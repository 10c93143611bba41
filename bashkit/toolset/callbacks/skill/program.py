"""Starts a script of a skill as a program of the host."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit import host_files
from bashkit.errors import ScriptExecutionError, ScriptTimeoutError, ToolError
from bashkit.sandbox.interpreter import executable
from bashkit.tools.define.result import ToolResult
from bashkit.toolset.callbacks.skill.detection import INTERPRETERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bashkit.toolset.callbacks.executable.process import Finished

_SHOWN = 8000  # characters of standard error in a message
_TIMED_OUT = 124
_NOT_FOUND = 127
_READ = 256 << 10  # bytes of a script in which its options are looked for
# libraries that give a program --help, and a program's own mention of it
_HELP = re.compile(rb"\b(argparse|optparse|click|typer|docopt|fire|OptionParser|commander|yargs|Getopt::Long)\b|--help\b")
_DRY_RUN = re.compile(rb"--dry[-_]run\b")


@dataclass(frozen=True, slots=True)
class SkillProgram:
    """A script of a skill as it can be started.

    Attributes:
        path: Its file.
        skill: The skill's directory.
        place: Where sessions find it; a message has this for the directory of the host.
        name: What messages call it.
        env: Its environment, beside a standard one.
        timeout: Seconds.
    """

    path: Path
    skill: Path
    place: str
    name: str
    env: Mapping[str, str]
    timeout: float

    async def run(self, words: Sequence[str], stdin: bytes, cwd: Path) -> ToolResult:
        """Run it.

        Args:
            words: The words of its command line.
            stdin: Its standard input.
            cwd: Its working directory.

        Raises:
            ScriptExecutionError: Its status was not 0, or it could not be started.
            ScriptTimeoutError: It took too long.
        """
        from bashkit.toolset.callbacks.executable.process import environment, run_process

        if any("\0" in word for word in words):
            raise ScriptExecutionError("an argument holds a NUL character", 2)
        env = environment({**self.env, **self._imports()})
        argv = [*interpreter(self.path, env["PATH"]), str(self.path), *words]
        try:
            done = await run_process(argv, stdin=stdin, env=env, cwd=cwd, patience=self.timeout)
        except ToolError as error:
            raise ScriptExecutionError(error.message, error.exit_code) from error
        if done.status or done.note:
            raise self._failure(done)
        return ToolResult(done.stdout, done.stderr)

    def _imports(self) -> dict[str, str]:
        """What lets a Python script import the other modules of its skill, and write nothing beside them."""
        if self.path.suffix.lower() != ".py":
            return {}
        places = [str(self.skill), self.env.get("PYTHONPATH", "")]
        return {"PYTHONPATH": os.pathsep.join(place for place in places if place), "PYTHONDONTWRITEBYTECODE": "1"}

    def _failure(self, done: Finished) -> ScriptExecutionError:
        stderr = done.stderr.decode("utf-8", "replace").strip().replace(str(self.skill), self.place)
        if len(stderr) > _SHOWN:
            stderr = f"[{len(stderr) - _SHOWN} characters left out] … {stderr[-_SHOWN:]}"
        if done.status == _TIMED_OUT and done.note:
            late = ScriptTimeoutError(self.name, self.timeout, done.stdout, done.stderr)
            late.message += f"\n{stderr}" if stderr else ""
            return late
        message = f"Script execution failed with exit code {done.status}"
        message += f": {done.note}" if done.note else ""
        message += f"\n{stderr}" if stderr else ""
        return ScriptExecutionError(message, done.status, done.stdout, done.stderr)


def interpreter(path: Path, search: str) -> list[str]:
    """Find the command that starts a script in the directories of ``search``; Python's is the running interpreter, so that
    scripts have the packages that are installed beside bashkit.

    Raises:
        ScriptExecutionError: It is not installed.
    """
    program, *options = INTERPRETERS[path.suffix.lower()]
    found = _own(program) or shutil.which(program, path=search)
    if not found:
        raise ScriptExecutionError(f"{path.name} needs {program}, which is not installed here", _NOT_FOUND)
    return [found, *options]


def _own(program: str) -> str | None:
    if program == "python3":
        with suppress(FileNotFoundError):
            return executable()
    return None


def switches_of(path: Path) -> frozenset[str]:
    """Which of ``--help`` and ``--dry-run`` a script handles itself, as far as its text tells."""
    try:
        state = path.stat()
    except OSError:
        return frozenset()
    return _switches_of(str(path), state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=1024)
def _switches_of(file: str, *_state: int) -> frozenset[str]:
    try:
        with host_files.open_file(file) as stream:
            text = stream.read(_READ)
    except OSError:
        return frozenset()
    found = {"--help": _HELP, "--dry-run": _DRY_RUN}
    return frozenset(switch for switch, pattern in found.items() if pattern.search(text))

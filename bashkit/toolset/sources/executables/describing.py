"""Finds tools in a directory by running each executable file with ``--describe``."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError, ToolError
from bashkit.tools import json_text
from bashkit.tools.define.definition import EFFECTS, ToolDef
from bashkit.toolset.callbacks.executable.process import environment, run_process

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_PATIENCE = 2.0  # seconds for an answer
_AT_ONCE = 128  # files that are asked at the same time
_MAX_ANSWER = 1 << 20


@dataclass(frozen=True, slots=True)
class Described:
    """The result of asking one file.

    Attributes:
        path: The file.
        definition: Its tool, or None if it did not describe one.
        reason: Why it did not, or "".
    """

    path: Path
    definition: ToolDef | None
    reason: str = ""


def candidates(directory: Path) -> list[Path]:
    """List the executable files of a directory, without its subdirectories, in alphabetical order; of one file, that file.

    Raises:
        OSError: There is no such directory.
    """
    if directory.is_file():
        return [directory]
    return sorted(path for path in directory.iterdir() if path.is_file() and os.access(path, os.X_OK))


def describe_all(
    directory: Path, env: Mapping[str, str], cwd: Path | None = None, *, patience: float | None = None
) -> list[Described]:
    """Ask all executables of a directory at the same time, and return the answers in alphabetical order.

    Args:
        directory: The directory.
        env: Their environment.
        cwd: Their working directory; by default the directory itself.
        patience: Seconds for an answer; 2 by default.

    Raises:
        OSError: There is no such directory.
    """
    paths = candidates(directory)
    answers: list[Described] = []

    async def ask_all() -> None:
        turn = asyncio.Semaphore(_AT_ONCE)

        async def ask(path: Path) -> Described:
            async with turn:
                return await describe(path, env, cwd or path.parent, patience)

        answers.extend(await asyncio.gather(*map(ask, paths)))

    # in its own thread, because the caller may be inside a running event loop
    thread = threading.Thread(target=lambda: asyncio.run(ask_all()), name="bashkit-describe")
    thread.start()
    thread.join()
    return answers


async def describe(path: Path, env: Mapping[str, str], cwd: Path, patience: float | None) -> Described:
    """Ask one file."""
    try:
        done = await run_process([str(path), "--describe"], env=environment(env), cwd=cwd, patience=patience or _PATIENCE)
    except ToolError as error:
        return Described(path, None, error.message)
    if done.note:
        return Described(path, None, f"--describe {done.note}")
    if done.status:
        return Described(path, None, f"--describe exits with {done.status}")
    if not done.stdout.strip():
        return Described(path, None, "--describe prints nothing")
    if len(done.stdout) > _MAX_ANSWER:
        return Described(path, None, "--describe prints too much")
    try:
        return Described(path, definition(json_text.decode(done.stdout.decode("utf-8"))))
    except DefinitionError as error:
        return Described(path, None, str(error))
    except ValueError as error:
        return Described(path, None, f"--describe does not print JSON: {error}")


def definition(answer: Any) -> ToolDef:
    """Make the tool that an answer to ``--describe`` declares.

    ``name``, ``description`` and ``parameters`` are required; ``output_schema``, ``category``, ``tags``, ``examples`` and
    ``effects`` are optional.

    Raises:
        DefinitionError: A field is missing or of the wrong type.
    """
    if not isinstance(answer, dict):
        raise DefinitionError("--describe prints JSON that is not an object")
    kinds = (("name", str, "text"), ("description", str, "text"), ("parameters", dict, "an object"))
    for key, kind, expected in kinds:
        if key not in answer:
            raise DefinitionError(f"--describe leaves out {key!r}")
        if not isinstance(answer[key], kind):
            raise DefinitionError(f"--describe: {key!r} is not {expected}")
    tool = ToolDef(answer["name"], answer["description"], answer["parameters"])
    if isinstance(answer.get("output_schema"), dict):
        tool = tool.with_output_schema(answer["output_schema"])
    if isinstance(answer.get("category"), str):
        tool = tool.with_category(answer["category"])
    if answer.get("effects") in EFFECTS:
        tool = tool.with_effects(answer["effects"])
    return tool.with_tags(_texts(answer.get("tags"))).with_examples(_texts(answer.get("examples")))


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

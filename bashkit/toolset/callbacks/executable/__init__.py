"""Callbacks that run a program and pass it the arguments as JSON or as flags."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from bashkit.errors import CallbackNotFoundError, ToolError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, to_bytes
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.starter import ScaffoldError, Starter
from bashkit.toolset.text.paths import relative

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.toolset import Toolset

Style = Literal["json", "stdin", "flags"]

_PROGRAM = """\
#!/bin/sh
# The arguments are one JSON object in $1. What is printed is the result; a status other than 0 says that it failed.
printf '%s\\n' "$1"
"""


@dataclass(frozen=True, slots=True)
class ExecutableCallback(Callback):
    """An executable file as a callback.

    Attributes:
        path: The file.
        style: How it gets its arguments. ``json``: as one JSON object in ``$1``, with the piped text on standard input.
            ``flags``: as ``--key value`` words, otherwise the same. ``stdin``: as a JSON object on standard input.
        cwd: The directory it runs in.
        timeout: Seconds.
        place: ``file:line:column`` of the declaration, for messages.
        env: Variables beside those of ``args.env``.
    """

    path: Path
    style: Style = "json"
    cwd: Path | None = None
    timeout: float = TIMEOUT
    place: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    key = "executable"
    noun = "an executable callback"
    summary = "an executable"
    rank = 20
    properties: ClassVar = {
        "executable": {
            "title": "Executable",
            "description": "Path of an executable file, relative to this file.",
            "type": "string",
            "minLength": 1,
            "examples": ["./disk_usage.sh"],
        },
        "arguments": {
            "title": "Arguments",
            "description": (
                "How an executable gets its arguments: json as one word, stdin as JSON on standard input, flags as --key value."
            ),
            "enum": ["json", "stdin", "flags"],
            "default": "json",
            "examples": ["flags"],
        },
        "cwd": {
            "title": "Working directory",
            "description": (
                "Directory in which an executable runs, relative to this file; ${VAR} is replaced. Default: the folder of "
                "this file."
            ),
            "type": "string",
            "minLength": 1,
            "default": ".",
            "examples": ["./data"],
        },
    }

    is_file = True
    starter = "The callback is a program in the folder tools."

    @classmethod
    def check(cls, tool: Declaration) -> None:
        """Note unset variables in its directory."""
        tool.check_substitution((*tool.path, "callback", "cwd"), tool.callback.get("cwd"))

    @classmethod
    def read(cls, tool: Declaration) -> ExecutableCallback:
        """Make the callback; nothing is started."""
        callback = tool.callback
        return cls(
            tool.folder / callback["executable"],
            style=callback.get("arguments", "json"),
            cwd=tool.file(callback.get("cwd", ".")),
            timeout=tool.timeout or TIMEOUT,
            place=tool.place("callback", "executable"),
            env=tool.around.stub_env,
        )

    @classmethod
    def start(cls, toolset: Toolset, name: str) -> Starter:
        """Begin with a shell script in the folder ``tools``."""
        path = toolset.path.parent / "tools" / f"{name}.sh"
        if path.exists():
            raise ScaffoldError(f"{path} exists already")
        return Starter([f"callback: {{executable: ./tools/{name}.sh}}"], {path: _PROGRAM}, path)

    def write(self, folder: Path) -> dict[str, Any]:
        """Write ``callback: {executable: …}``."""
        found: dict[str, Any] = {"executable": relative(self.path, folder)}
        if self.style != "json":
            found["arguments"] = self.style
        cwd = relative(self.cwd or self.path.parent, folder)
        return {"callback": found if cwd == "." else found | {"cwd": cwd}}

    @property
    def target(self) -> str:
        """The file's name."""
        return self.path.name

    def location(self) -> tuple[Path, int | None] | None:
        """The file."""
        return (self.path, None) if self.path.is_file() else None

    def resolve(self) -> Path:
        """Return the file after checking that it exists and is executable.

        Raises:
            CallbackNotFoundError: It does not exist or is not executable.
        """
        if not self.path.is_file():
            raise CallbackNotFoundError(f"there is no file {self.path.name}")
        if not os.access(self.path, os.X_OK):
            raise CallbackNotFoundError(f"{self.path.name} is not executable")
        return self.path

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """Run it.

        Raises:
            CallbackNotFoundError: It does not exist or is not executable; the message starts with ``place``.
            ToolError: It could not be started.
        """
        try:
            path = self.resolve()
        except CallbackNotFoundError as error:
            raise CallbackNotFoundError(f"{self.place}: {error}" if self.place else str(error)) from error
        from bashkit.toolset.callbacks.executable.process import environment, run_process

        text = json_text.encode(dict(args.params))
        words = {"json": [text], "stdin": [], "flags": flag_words(args.params)}[self.style]
        stdin = to_bytes(text if self.style == "stdin" else args.stdin or "")
        done = await run_process(
            [str(path), *words],
            stdin=stdin,
            env=environment({**args.env, **self.env}),
            cwd=self.cwd or path.parent,
            patience=self.timeout,
        )
        note = f"{path.name}: {done.note}\n".encode() if done.note else b""
        return ToolResult(done.stdout, done.stderr + note, done.status)


def flag_words(params: Mapping[str, Any]) -> list[str]:
    """Write arguments as words: ``--key value``, ``--flag`` and ``--no-flag``, arrays as repeated flags, objects as JSON.

    Raises:
        ToolError: A value contains a NUL, which a word cannot contain.
    """
    words: list[str] = []
    for key, value in params.items():
        if value is None:
            continue
        if isinstance(value, bool):
            words.append(f"--{key}" if value else f"--no-{key}")
            continue
        for one in value if isinstance(value, list) else [value]:
            words += [f"--{key}", one if isinstance(one, str) else json_text.encode(one)]
    if any("\0" in word for word in words):
        raise ToolError("an argument holds a NUL character", exit_code=2)
    return words

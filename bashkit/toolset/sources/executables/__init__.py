"""A directory of executables that describe themselves, as a source of tools."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.toolset.callback import TIMEOUT
from bashkit.toolset.callbacks.executable import ExecutableCallback
from bashkit.toolset.source import EVERYTHING, Asking, Found, FoundTool, Selection, Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath


@dataclass(frozen=True, slots=True)
class ExecutableSource(Source):
    """A directory whose executables answer ``--describe``, or one of them.

    Attributes:
        directory: The directory, or the file.
        cwd: Their working directory.
        timeout: Seconds for a call; None for the default.
        document, path: The declaring document and the path in it.
        selection: Selects and renames its tools.
    """

    directory: Path
    cwd: Path
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING

    key = "executables"
    noun = "a source of executables"
    summary = "executables"
    usage = "DIR"
    about = "a directory of executables that answer --describe"
    rank = 10
    properties: ClassVar = {
        "executables": {
            "title": "Executables",
            "description": (
                "Directory whose executables answer --describe, or one such file; relative to this file, ${VAR} is replaced."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ["./tools"],
        }
    }
    options: ClassVar = {
        "cwd": {
            "title": "Working directory",
            "description": (
                "Directory in which executables run, relative to this file; ${VAR} is replaced. Default: the folder of this file."
            ),
            "type": "string",
            "minLength": 1,
            "default": ".",
            "examples": ["./data"],
        }
    }

    @classmethod
    def check(cls, source: Declaration) -> None:
        """Note unset variables in its directories."""
        for key in ("executables", "cwd"):
            source.check_substitution((*source.path, key), source.value.get(key))

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> ExecutableSource:
        """Make the source; nothing is started."""
        directory, cwd = source.file(source.value["executables"]), source.file(source.value.get("cwd", "."))
        return cls(directory=directory, cwd=cwd, **common)

    def ask(self, asking: Asking) -> Found:
        """Ask all files of the directory at the same time.

        Raises:
            SourceError: The directory cannot be read.
        """
        from bashkit.toolset.sources.executables.describing import describe_all

        extra = asking.stub_env
        try:
            answers = describe_all(self.directory, {**asking.env, **extra}, self.cwd)
        except OSError as error:
            raise SourceError(f"the directory cannot be read: {error.strerror}") from error
        tools, skipped = [], []
        for answer in answers:
            if answer.definition is None:
                skipped.append(f"{answer.path.name} is skipped: {answer.reason}")
                continue
            target = ExecutableCallback(answer.path, cwd=self.cwd, timeout=self.timeout or TIMEOUT, place=self.place, env=extra)
            tools.append(FoundTool(replace(answer.definition, timeout=None), target, answer.path.name))
        files = [] if answers or self.directory.is_file() else sorted(self.directory.glob("*.y*ml"))
        if files:
            skipped.append(f"the directory has no program that describes itself; did you mean its file {files[0].name}?")
        return Found(tuple(tools), tuple(skipped))

    def files(self) -> tuple[Path, ...]:
        """The directory and the executables in it, which may come to describe themselves otherwise."""
        from bashkit.toolset.sources.executables.describing import candidates

        try:
            return (self.directory, *candidates(self.directory))
        except OSError:
            return (self.directory,)

"""A directory of executables that describe themselves, as a source of tools."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bashkit.toolset.callbacks import TIMEOUT
from bashkit.toolset.callbacks.executable import ExecutableTarget
from bashkit.toolset.sources import EVERYTHING, Asking, Found, FoundTool, Selection, SourceError
from bashkit.toolset.sources.executables.describing import describe_all

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.toolset.reading.document import Document
    from bashkit.toolset.reading.document import Path as DocumentPath


@dataclass(frozen=True, slots=True)
class ExecutableSource:
    """A directory whose executables answer ``--describe``.

    Attributes:
        directory: The directory.
        cwd: Where they run.
        timeout: Seconds for a call; None for the usual time.
        document, path: Where it is declared.
        selection: Which of them are taken.
    """

    directory: Path
    cwd: Path
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING
    key = "executables"

    def ask(self, asking: Asking) -> Found:
        """Ask every file of the directory, all at the same time.

        Raises:
            SourceError: The directory cannot be read.
        """
        extra = {"SHELLCLAW_STUB": "1"} if asking.stubbed else {}
        try:
            answers = describe_all(self.directory, {**asking.env, **extra}, self.cwd)
        except OSError as error:
            raise SourceError(f"the directory cannot be read: {error.strerror}") from error
        place = f"{self.document.file}:{self.document.mark(self.path).line}"
        tools, skipped = [], []
        for answer in answers:
            if answer.definition is None:
                skipped.append(f"{answer.path.name} is skipped: {answer.reason}")
                continue
            target = ExecutableTarget(answer.path, cwd=self.cwd, timeout=self.timeout or TIMEOUT, place=place, env=extra)
            tools.append(FoundTool(replace(answer.definition, timeout=None), target, answer.path.name))
        return Found(tuple(tools), tuple(skipped))

    def files(self) -> tuple[Path, ...]:
        """The directory."""
        return (self.directory,)

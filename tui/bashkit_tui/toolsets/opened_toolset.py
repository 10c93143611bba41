"""OpenedToolset: one toolset as the inspector shows it, right or wrong, or only glanced at so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools import ToolDef
    from bashkit.toolset import DeclaredTool, Toolset
    from bashkit_tui.toolsets.preview import ToolPreview
    from bashkit_tui.toolsets.prompt_documents import Prompts

Signature = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class OpenedToolset:
    """A toolset and everything about it that takes a moment to find out.

    Attributes:
        path: The file, or the directory of executables.
        toolset: What works of it; None when nothing does.
        tools: Its tools, those of its sources among them.
        broken: The names of the tools that have mistakes.
        problems: The mistakes, and the warnings.
        prompts: What the model sees; None until it was written.
        files: The files it was read from.
        signature: Changes when one of them does.
        stale: ``toolset`` is of an earlier reading: the file cannot be read any more.
        previews: What stands in the tree until ``toolset`` is known.
    """

    path: Path
    toolset: Toolset | None = None
    tools: tuple[DeclaredTool, ...] = ()
    broken: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    prompts: Prompts | None = None
    files: tuple[Path, ...] = ()
    signature: Signature = ()
    stale: bool = False
    previews: tuple[ToolPreview, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
        return self.toolset.name if self.toolset is not None else self.path.stem

    @property
    def listed(self) -> Sequence[ToolDef | ToolPreview]:
        """What the tree has of its tools."""
        return self.previews or [item.definition for item in self.tools]

    @property
    def reading(self) -> bool:
        """Nothing is known yet but what a glance shows."""
        return self.toolset is None and not self.problems

    @property
    def errors(self) -> list[Problem]:
        """The problems that are more than advice."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def whole(self) -> bool:
        """It has no mistakes, only perhaps warnings; of anything less no snapshot is compared."""
        warnings = self.toolset.warnings if self.toolset is not None else ()
        return self.toolset is not None and not self.stale and all(problem in warnings for problem in self.errors)

    def tool(self, name: str | None) -> DeclaredTool | None:
        """The tool called ``name``, or None."""
        return next((item for item in self.tools if item.definition.name == name), None)

    def after(self, previous: OpenedToolset | None) -> OpenedToolset:
        """This reading, with the tools of the previous one where this one has none: half a line is typed, and it goes on."""
        if self.toolset is not None or previous is None or previous.toolset is None:
            return self
        return replace(previous, problems=self.problems, files=self.files, signature=self.signature, stale=True)


def signature_of(files: tuple[Path, ...]) -> Signature:
    """Path, time of the last change in nanoseconds, and size of every file; -1 for one that is gone."""
    return tuple(_stamp(path) for path in files)


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), status.st_mtime_ns, status.st_size

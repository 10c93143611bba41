"""OpenedToolset: one toolset as the inspector shows it, valid or not, or only previewed so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools import ToolDef
    from bashkit.toolset import DeclaredTool, Toolset
    from bashkit.toolset.watching import Signature
    from bashkit_tui.toolsets.preview import ToolPreview
    from bashkit_tui.toolsets.prompt_documents import Prompts
    from bashkit_tui.toolsets.test_report import TestReport


@dataclass(frozen=True, slots=True)
class OpenedToolset:
    """A toolset with its tools, problems and prompts.

    Attributes:
        path: The file, or the directory of executables.
        toolset: The valid part of it; None when it cannot be read.
        tools: Its tools, those of its sources among them.
        broken: The names of the tools that have mistakes.
        problems: The mistakes, and the warnings.
        prompts: The texts that the model sees; None until they are generated.
        files: The files it was read from.
        signature: A value that changes when one of the files does.
        stale: Whether ``toolset`` is from an earlier reading, because the file cannot be read any more.
        previews: The tools that the tree shows until ``toolset`` is read.
        tests: The outcomes of its tests; None until they are run.
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
    tests: TestReport | None = None

    @property
    def name(self) -> str:
        """The name of the toolset, or of its file."""
        return self.toolset.name if self.toolset is not None else self.path.stem

    @property
    def listed(self) -> Sequence[ToolDef | ToolPreview]:
        """The tools that the tree shows."""
        return self.previews or [item.definition for item in self.tools]

    @property
    def reading(self) -> bool:
        """Whether only a preview is known so far."""
        return self.toolset is None and not self.problems

    @property
    def errors(self) -> list[Problem]:
        """The problems that are not warnings."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def whole(self) -> bool:
        """Whether it has no mistakes except warnings; only then its snapshots are compared."""
        warnings = self.toolset.warnings if self.toolset is not None else ()
        return self.toolset is not None and not self.stale and all(problem in warnings for problem in self.errors)

    def tool(self, name: str | None) -> DeclaredTool | None:
        """The tool called ``name``, or None."""
        return next((item for item in self.tools if item.definition.name == name), None)

    def after(self, previous: OpenedToolset | None) -> OpenedToolset:
        """This reading, with the tools of the previous one if this one failed: the author is still typing."""
        if self.toolset is not None or previous is None or previous.toolset is None:
            return self
        return replace(previous, problems=self.problems, files=self.files, signature=self.signature, stale=True)

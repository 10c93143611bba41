"""Collections: all documents of a toolset, with their source positions and size budgets."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.prompts.documents import SYSTEM_PROMPT, documents, tool_file
from bashkit.prompts.snapshots import SnapshotStore
from bashkit.toolset.script_tests import script_tests
from bashkit.toolset.testing.running import run_test

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.prompts.snapshots import PromptSnapshot
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.toolset import Toolset
    from bashkit.toolset.script_tests import DeclaredTest


@dataclass(slots=True)
class Collection:
    """The documents of one toolset and their snapshots.

    Attributes:
        toolset: The toolset.
        store: The store of its snapshots.
        environ: As for ``load``; the process's environment if None.
    """

    toolset: Toolset
    store: SnapshotStore
    environ: Mapping[str, str] | None = None

    @classmethod
    def of(cls, toolset: Toolset, environ: Mapping[str, str] | None = None) -> Collection:
        """Make the collection of a toolset.

        Raises:
            PromptSnapshotError: Another toolset file would use the same folder.
        """
        return cls(toolset, SnapshotStore.of(toolset.path), environ)

    def tests(self) -> dict[str, DeclaredTest]:
        """The tests with output snapshots, by file name."""
        return {test.file: test for test in script_tests(self.toolset) if test.snapshot}

    def texts(self) -> dict[str, str]:
        """The documents that need no script to run, by file name."""
        return documents(self.toolset.tool) | {
            f"system-prompt.{mode}.md": self.toolset.tool.system_prompt(mode) for mode in _modes(self.toolset)
        }

    def compare(self, patterns: Sequence[str] = ()) -> list[PromptSnapshot]:
        """Compare every document and orphan whose file name matches, in the order of file names.

        Args:
            patterns: File names, ``*`` and ``?`` allowed; [] for all. Only matching tests are run.
        """
        texts = {name: text for name, text in self.texts().items() if fits(name, patterns)}
        texts |= {
            name: output(run_test(self.toolset, test, self.environ))
            for name, test in self.tests().items()
            if fits(name, patterns)
        }
        names = {*texts, *(name for name in self.store.names() if fits(name, patterns))}
        return [self.store.look(name, texts.get(name)) for name in sorted(names)]

    def budget(self, name: str) -> int | None:
        """The maximum characters of a document, or None."""
        return self.toolset.max_chars if name == SYSTEM_PROMPT else None

    def position(self, name: str) -> tuple[Path, int]:
        """The file and line (from 1) that define a document's content."""
        toolset = self.toolset
        for tool in toolset.tools:
            place = toolset.position(tool.name)
            if place is not None and tool_file(tool.name) == name:
                return Path(place[0]), place[1]
        test = self.tests().get(name)
        if test is not None:
            return toolset.path, test.mark.line
        return toolset.path, toolset.document.mark(("prompt" if name.startswith("system-prompt") else "name",), key=True).line


def output(response: ToolResponse) -> str:
    """The output for the model: standard output unchanged, then standard error and the exit status if not empty or 0."""
    text = response.stdout
    for title, rest in (("stderr", response.stderr), ("exit status", f"{response.exit_code}\n" if response.exit_code else "")):
        if rest:
            text += ("" if not text or text.endswith("\n") else "\n(no newline)\n") + f"--- {title}\n{rest}"
    return text


def fits(name: str, patterns: Sequence[str]) -> bool:
    """Whether a file name matches one of the patterns, or there are none."""
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _modes(toolset: Toolset) -> list[Any]:
    value = toolset.document.value
    prompt = value.get("prompt", {}) if isinstance(value, dict) else {}
    return list(prompt.get("snapshots", ()))

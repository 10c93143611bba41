"""The pytest tests of a toolset file: one for each document, each entry of ``tests``, and each orphaned snapshot folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bashkit.errors import BashkitError
from bashkit.prompts.collection import Collection, output
from bashkit.prompts.differences import diff_lines
from bashkit.prompts.sizes import describe
from bashkit.prompts.snapshots import abandoned, in_ci
from bashkit.toolset import load
from bashkit.toolset.project_files import is_toolset_file
from bashkit.toolset.script_tests import script_tests
from bashkit.toolset.testing.running import run_test

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bashkit.prompts import PromptSnapshot, SnapshotStore
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.toolset.script_tests import DeclaredTest

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class ToolsetFile(pytest.File):
    """A toolset file: a test for each document or snapshot, and one for each entry of ``tests``."""

    def collect(self) -> Iterator[pytest.Item]:
        """Load the file; a file that cannot be loaded becomes one failing test. No script is run."""
        try:
            collection = Collection.of(load(self.path))
            texts = collection.texts()
        except BashkitError as error:
            yield BrokenToolset.from_parent(self, name="load", error=error)
            return
        outputs = collection.tests()
        runs = _Runs(collection)
        for name in sorted({*texts, *outputs, *collection.store.names()}):
            yield DocumentItem.from_parent(
                self, name=name, collection=collection, text=texts.get(name), test=outputs.get(name), runs=runs
            )
        for test in script_tests(collection.toolset):
            yield ScriptItem.from_parent(self, name=test.name, test=test, runs=runs)
        if self.path == _first(self.path.parent):
            for store in abandoned(self.path.parent):
                yield AbandonedItem.from_parent(self, name=f"orphans of {store.folder.name}", store=store)


def _first(folder: Path) -> Path | None:
    """The first collected toolset file; it reports orphaned snapshot folders, so that each is one test."""
    return min((path for path in folder.iterdir() if is_toolset_file(path)), default=None)


class _Runs:
    """The outcomes of scripts, so that a script with both expectations and a snapshot runs once."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._outcomes: dict[str, ToolResponse] = {}

    def outcome(self, test: DeclaredTest) -> ToolResponse:
        """Run the script of a test once; return its outcome."""
        if test.name not in self._outcomes:
            self._outcomes[test.name] = run_test(self._collection.toolset, test)
        return self._outcomes[test.name]


class _ToolsetItem(pytest.Item):
    """A test of a toolset: its messages need no traceback, and it reports its own line."""

    place: tuple[Path, int]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message of an exception from bashkit or these tests; a traceback of any other."""
        if isinstance(excinfo.value, (_FailedError, BashkitError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file and line (from 0) that define the tested text, and its name."""
        return self.place[0], self.place[1] - 1, self.name

    def accept(self, store: SnapshotStore, snapshot: PromptSnapshot, hint: str) -> None:
        """Pass if there are no differences; with ``--snapshot-update`` accept them.

        Raises:
            _FailedError: There are differences that are not accepted.
        """
        if snapshot.state == "same":
            return
        if self.config.getoption("update_snapshots", default=False):
            if not in_ci():
                store.accept(snapshot)
                return
            hint = "nothing is written where CI is set"
        state = "conflict of an unfinished merge" if snapshot.conflicted else snapshot.state
        raise _FailedError(f"{snapshot.path}: {state}; {hint}\n{self._diff(snapshot)}")

    def _diff(self, snapshot: PromptSnapshot) -> str:
        writer = self.config.get_terminal_writer()
        lines = []
        for line in diff_lines(snapshot.diff()):
            colours = {_COLOURS[line.kind]: True} if line.kind in _COLOURS else {}
            lines.append("".join(writer.markup(text, **colours, invert=changed) for text, changed in line.pieces()))
        return "\n".join(lines)


class DocumentItem(_ToolsetItem):
    """A test that compares a document with its snapshot."""

    def __init__(
        self, *, collection: Collection, text: str | None, test: DeclaredTest | None, runs: _Runs, **options: Any
    ) -> None:
        super().__init__(**options)
        self._collection = collection
        self._text = text
        self._test = test
        self._runs = runs
        self.place = collection.position(self.name)

    def runtest(self) -> None:
        """Compare the document with the current snapshot."""
        text = self._text if self._test is None else output(self._runs.outcome(self._test))
        snapshot = self._collection.store.look(self.name, text)
        size = describe(snapshot.kept, snapshot.current, self._collection.budget(self.name))
        self.accept(self._collection.store, snapshot, f"{size}; run pytest --snapshot-update to keep it as it is now")


class ScriptItem(_ToolsetItem):
    """A test that runs one entry of ``tests``."""

    def __init__(self, *, test: DeclaredTest, runs: _Runs, **options: Any) -> None:
        super().__init__(**options)
        self._test = test
        self._runs = runs
        self.place = self.parent.path, test.mark.line  # type: ignore[union-attr]  # an item made by from_parent has a parent

    def runtest(self) -> None:
        """Run the script and compare its output with the expectations."""
        failures = self._test.failures(self._runs.outcome(self._test))
        if failures:
            place = f"{self._test.document.file}:{self._test.mark.line}"
            raise _FailedError("\n".join([f"{place}: {self.name}", *failures]))


class AbandonedItem(_ToolsetItem):
    """A test that reports the snapshots of a toolset that is gone."""

    def __init__(self, *, store: SnapshotStore, **options: Any) -> None:
        super().__init__(**options)
        self._left = store
        self.place = store.folder, 1

    def runtest(self) -> None:
        """Fail; with ``--snapshot-update`` remove them."""
        for snapshot in self._left.compare({}):
            self.accept(
                self._left,
                snapshot,
                f"no toolset {self._left.folder.name} is beside it any more; remove it with --snapshot-update",
            )


class BrokenToolset(_ToolsetItem):
    """A test that reports a toolset file that cannot be loaded."""

    def __init__(self, *, error: BashkitError, **options: Any) -> None:
        super().__init__(**options)
        self._error = error
        problems = getattr(error, "problems", None)
        self.place = self.path, problems[0].line if problems else 1

    def runtest(self) -> None:
        """Fail."""
        raise self._error


class _FailedError(Exception):
    """A test failed; the message says why."""

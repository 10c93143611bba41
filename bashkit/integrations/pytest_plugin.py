"""pytest: every toolset file is a set of snapshot tests, kept by the same store as ``bashkit snapshot``.

Enable it with ``pytest_plugins = ["bashkit.integrations.pytest_plugin"]`` in the top ``conftest.py`` or ``-p``. It collects
``*.toolset.yaml`` and ``toolsets/*.yaml``; ``--snapshot-update`` (syrupy's own option) keeps what is different. A test of one's own
compares a single document with ``assert text == prompt_snapshot("shop.yaml")(name="system-prompt.md")``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bashkit.errors import BashkitError
from bashkit.prompts import SnapshotStore, documents
from bashkit.toolset import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation
    from syrupy.types import SnapshotIndex

    from bashkit.prompts import Snapshot


def prompt_extension(toolset: Path) -> type[SingleFileSnapshotExtension]:
    """A syrupy extension that keeps documents where the store of a toolset file keeps them.

    Args:
        toolset: The toolset file.
    """
    store = SnapshotStore.beside(toolset)

    class PromptSnapshotExtension(SingleFileSnapshotExtension):
        """One plain file for each document, named by the snapshot's name."""

        _write_mode = WriteMode.TEXT
        file_extension = ""

        @classmethod
        def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - syrupy's signature
            return str(store.folder)

        @classmethod
        def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:  # noqa: ARG003
            return str(index)

        @classmethod
        def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:  # noqa: ARG003
            return str(store.folder / str(index))

        @classmethod
        def write_snapshot_collection(cls, *, snapshot_collection: Any, name_order: Any = None) -> None:  # noqa: ARG003
            snapshot = next(iter(snapshot_collection))
            store.write(Path(snapshot_collection.location).name, str(snapshot.data))

        def is_snapshot_location(self, *, location: str) -> bool:
            return Path(location).parent == store.folder

    return PromptSnapshotExtension


@pytest.fixture
def prompt_snapshot(snapshot: SnapshotAssertion) -> Any:
    """``prompt_snapshot(path)`` is a syrupy snapshot over the store of a toolset file: index it by a document's file name."""

    def of(toolset: Path | str) -> SnapshotAssertion:
        return snapshot.use_extension(prompt_extension(Path(toolset)))

    return of


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ToolsetFile | None:
    """Collect toolset files."""
    in_folder = file_path.suffix == ".yaml" and file_path.parent.name == "toolsets"
    if in_folder or file_path.name.endswith((".toolset.yaml", ".toolset.yml")):
        return ToolsetFile.from_parent(parent, path=file_path)
    return None


class ToolsetFile(pytest.File):
    """A toolset file: a test for each document that is given or kept."""

    def collect(self) -> Iterator[pytest.Item]:
        """Load the file and compare; a file that cannot be loaded is one failing test."""
        try:
            snapshots = SnapshotStore.beside(self.path).compare(documents(load(self.path).tool))
        except BashkitError as error:
            yield BrokenToolset.from_parent(self, name="load", error=error)
            return
        for snapshot in snapshots:
            yield SnapshotItem.from_parent(self, name=snapshot.path.name, snapshot=snapshot)


class SnapshotItem(pytest.Item):
    """One document beside its snapshot."""

    def __init__(self, *, snapshot: Snapshot, **options: Any) -> None:
        super().__init__(**options)
        self._snapshot = snapshot

    def runtest(self) -> None:
        """Pass when they are the same; with ``--snapshot-update`` make them so."""
        if self._snapshot.state == "same":
            return
        if self.config.getoption("update_snapshots", default=False):
            if self._snapshot.current is None:
                self._snapshot.path.unlink(missing_ok=True)
            else:
                SnapshotStore(self._snapshot.path.parent).write(self._snapshot.path.name, self._snapshot.current)
            return
        raise _DifferentError(self._snapshot)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The diff alone; a traceback would say nothing."""
        if isinstance(excinfo.value, _DifferentError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The file and the document's name."""
        return self.path, None, self.name


class BrokenToolset(pytest.Item):
    """A toolset file that cannot be loaded."""

    def __init__(self, *, error: BashkitError, **options: Any) -> None:
        super().__init__(**options)
        self._error = error

    def runtest(self) -> None:
        """Fail."""
        raise self._error

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ARG002
        """The problems, one a line."""
        return str(excinfo.value)


class _DifferentError(Exception):
    def __init__(self, snapshot: Snapshot) -> None:
        hint = "run pytest --snapshot-update to keep it as it is now"
        super().__init__(f"{snapshot.path}: {snapshot.state}; {hint}\n{snapshot.diff()}")

"""Connects syrupy to the snapshot store. It is the only module that imports syrupy, so only it breaks if syrupy's names change.

Written for syrupy 7; ``tests/unit/integrations/test_syrupy_store.py`` lists the names it uses.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bashkit.prompts import SnapshotStore

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation
    from syrupy.types import SnapshotIndex


def assertion(snapshot: SnapshotAssertion, toolset: Path) -> SnapshotAssertion:
    """Make a syrupy assertion with the snapshots of a toolset file.

    Args:
        snapshot: The value of syrupy's fixture.
        toolset: The toolset file.
    """
    return snapshot.use_extension(extension(SnapshotStore.of(toolset)))


def extension(store: SnapshotStore) -> type[SingleFileSnapshotExtension]:
    """Make a syrupy extension that keeps documents in a store, each under the snapshot's name.

    Snapshots without an assertion are not unused: the store finds orphans itself, and other tests of the toolset use it too.
    """

    class PromptSnapshotExtension(SingleFileSnapshotExtension):
        """Keeps each document as a plain file."""

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

        def discover_snapshots(self, *, test_location: PyTestLocation, ignore_extensions: Any = None) -> SnapshotCollections:  # noqa: ARG002
            return SnapshotCollections()  # syrupy would delete the discovered snapshots that no test asserts

    return PromptSnapshotExtension

"""syrupy over the store: the one file that knows syrupy, and the only place that breaks when a name of syrupy's moves.

Written for syrupy 7; ``tests/unit/integrations/test_syrupy_store.py`` names what is used of it.
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
    """A syrupy assertion whose snapshots are those of a toolset file.

    Args:
        snapshot: What syrupy's fixture gave.
        toolset: The toolset file.
    """
    return snapshot.use_extension(extension(SnapshotStore.of(toolset)))


def extension(store: SnapshotStore) -> type[SingleFileSnapshotExtension]:
    """A syrupy extension that keeps documents in a store, each named by the snapshot's name.

    What no test asserts is not unused: the store has orphans of its own, and other tests of the same toolset.
    """

    class PromptSnapshotExtension(SingleFileSnapshotExtension):
        """One plain file for each document."""

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
            return SnapshotCollections()  # what syrupy discovers and no test asserts, it deletes

    return PromptSnapshotExtension

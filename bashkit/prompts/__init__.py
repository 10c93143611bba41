"""The texts that the model sees: help, system prompts, snapshots."""

from bashkit.prompts.collection import Collection
from bashkit.prompts.documents import documents
from bashkit.prompts.snapshots import Snapshot, SnapshotStore

__all__ = ["Collection", "Snapshot", "SnapshotStore", "documents"]

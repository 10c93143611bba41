"""The texts that the model sees: help, system prompts, snapshots."""

from bashkit.prompts.collection import Collection
from bashkit.prompts.documents import documents
from bashkit.prompts.snapshots import PromptSnapshot, SnapshotStore

__all__ = ["Collection", "PromptSnapshot", "SnapshotStore", "documents"]

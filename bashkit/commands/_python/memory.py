"""What Python code leaves for the code that runs next in the same session."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Self

from bashkit.commands._python.source import prepare

if TYPE_CHECKING:
    from bashkit.commands._python.source import Source

_DEFINING = ("def ", "lambda")  # without one of them nothing of a source can be called later


@dataclass(slots=True)
class Memory:
    """Variables, functions and imports, between two runs.

    Attributes:
        heap: The interpreter, as Monty has written it; empty before the first run.
        texts: How many texts it has run.
        sources: Those whose functions can still be called, by what Monty calls them.
        names: What the module ``sys`` is called.
        prepared: ``OPENING`` has run.
    """

    heap: bytes = b""
    texts: int = 0
    sources: dict[str, Source] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    prepared: bool = False

    def note(self, source: Source) -> str:
        """Count one more text; returns what Monty will call it."""
        name = f"<python-input-{self.texts}>"
        self.texts += 1
        self.names |= source.names
        if any(word in source.text for word in _DEFINING):
            self.sources[name] = source
        return name

    def take(self, other: Memory) -> None:
        """Become what another one is."""
        for part in fields(self):
            setattr(self, part.name, getattr(other, part.name))

    def copy(self) -> Memory:
        """One that goes on by itself."""
        return replace(self, sources=dict(self.sources))

    def to_bytes(self) -> bytes:
        """The whole of it: a line of JSON, and what Monty has written."""
        sources = {name: source.text for name, source in self.sources.items()}
        head = {"texts": self.texts, "sources": sources, "names": sorted(self.names), "prepared": self.prepared}
        return json.dumps(head).encode() + b"\n" + self.heap

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What ``to_bytes`` has written. Monty believes its part: it must be unchanged."""
        head, _, heap = data.partition(b"\n")
        value = json.loads(head)
        names = frozenset(value["names"])
        sources = {name: prepare(text, names) for name, text in value["sources"].items()}
        return cls(heap, value["texts"], sources, names, value["prepared"])

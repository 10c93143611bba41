"""What an analysis finds: calls, files, hosts, and what is not known."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from bashkit.tools.define.definition import Effects

_Place = TypeVar("_Place", "Call", "File", "Host", "Unknown")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that a script may make.

    Attributes:
        tool: The tool.
        effects: What it declares, or None.
        arguments: The words after its name; None for one that is not known.
        line, column: The position in the script.
        within: The tools, outermost first, in whose own scripts the call stands.
    """

    tool: str
    effects: Effects | None
    arguments: tuple[str | None, ...]
    line: int
    column: int
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class File:
    """A file that a script may read or write.

    Attributes:
        path: As the script has it: relative to wherever it is by then, and maybe a pattern. Its source if it is not known.
        access: ``read`` or ``write``; what is removed or renamed is written.
        known: Whether ``path`` is the path itself.
        line, column: The position of the command.
    """

    path: str
    access: str
    known: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Host:
    """A host that a script may reach, by curl or wget.

    Attributes:
        name: The host; the source of the URL if it is not known.
        known: Whether ``name`` is the name itself.
        line, column: The position of the command.
    """

    name: str
    known: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that only running the script can tell.

    Attributes:
        reason: What.
        line, column: The position in the script.
    """

    reason: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a script may do. Whatever is not in here is at the place of an ``unknown``, or behind the ``error``.

    Attributes:
        calls: Calls of tools, in the order of the script.
        files: Files of the virtual file system.
        hosts: Hosts.
        unknown: What cannot be known before it runs.
        error: The syntax error, or None; everything else is about the lines before it.
    """

    calls: tuple[Call, ...] = ()
    files: tuple[File, ...] = ()
    hosts: tuple[Host, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    error: Unknown | None = None

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that it may call, each once."""
        return tuple(dict.fromkeys(call.tool for call in self.calls))

    @property
    def effects(self) -> frozenset[Effects | None]:
        """The effects of the tools that it may call."""
        return frozenset(call.effects for call in self.calls)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return asdict(self)


@dataclass(slots=True)
class Found:
    """What has been found so far."""

    calls: list[Call] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    hosts: list[Host] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    error: Unknown | None = None

    def analysis(self) -> Analysis:
        """The same for the host."""
        return Analysis(_in_order(self.calls), _in_order(self.files), _in_order(self.hosts), _in_order(self.unknown), self.error)


def _in_order(items: list[_Place]) -> tuple[_Place, ...]:
    """Each item once, as they stand in the script."""
    return tuple(sorted(dict.fromkeys(items), key=lambda item: (item.line, item.column)))

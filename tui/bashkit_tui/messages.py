"""What the widgets of the inspector tell the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from pathlib import Path


class ToolSelected(Message):
    """The cursor of the tree is on a toolset, a category or a tool.

    Args:
        path: The toolset's file.
        tool: The tool's name; None for the toolset itself.
        opened: Enter was pressed, or the mouse was clicked.
    """

    def __init__(self, path: Path, tool: str | None, *, opened: bool = False) -> None:
        super().__init__()
        self.path = path
        self.tool = tool
        self.opened = opened


class ExampleChosen(Message):
    """An example is wanted in the script editor."""

    def __init__(self, command: str) -> None:
        super().__init__()
        self.command = command


class CallChosen(Message):
    """A row of the trace was chosen; line and column are one-based, 0 when unknown."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__()
        self.line = line
        self.column = column


class CommandOffered(Message):
    """A command line that a form built is wanted in the script.

    Args:
        command: The line.
        run: Run it by itself instead; the script stays as it is.
    """

    def __init__(self, command: str, *, run: bool = False) -> None:
        super().__init__()
        self.command = command
        self.run = run


class SnapshotsChanged(Message):
    """A snapshot was accepted, or that was taken back: the toolsets are to be compared again."""

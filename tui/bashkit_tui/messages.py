"""Messages that the widgets of the inspector post to the screen."""

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
    """The user chose an example: put its command into the script editor."""

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
    """The user takes the command line of a form into the script.

    Args:
        command: The line.
        run: Run the line by itself and leave the script unchanged.
    """

    def __init__(self, command: str, *, run: bool = False) -> None:
        super().__init__()
        self.command = command
        self.run = run


class SnapshotsChanged(Message):
    """A snapshot was accepted or restored: compare the toolsets with their snapshots again."""

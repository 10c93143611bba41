"""Tables of the Tool pane: the parameters of a tool, the tools of a toolset."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bashkit_tui.texts.formatting import count, printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.segment import Segment

    from bashkit_tui.panes.tool.parameters import Parameter
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset

_RATIOS = {"enum": 2, "description": 5}  # of the columns that share what the others leave
_NARROW = 72  # columns below which a table of six columns is unreadable


class _Kept(ABC):
    """What is rendered once for every width: Textual asks for the height more than once before it draws."""

    def __init__(self) -> None:
        self._rendered: dict[int, list[Segment]] = {}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Rich's protocol."""
        width = options.max_width
        if width not in self._rendered:
            self._rendered[width] = [
                segment for part in self._parts(width) for segment in console.render(part, options.reset_height())
            ]
        return self._rendered[width]

    @abstractmethod
    def _parts(self, width: int) -> Iterator[RenderableType]:
        """What stands below each other in so many columns."""


class ParameterTable(_Kept):
    """The parameters as a table, or as a list where the terminal is narrow."""

    def __init__(self, rows: list[Parameter], color: str) -> None:
        super().__init__()
        self._rows = rows
        self._color = color

    def _parts(self, width: int) -> Iterator[RenderableType]:
        if width < _NARROW:
            for row in self._rows:
                yield from self._listed(row)
        else:
            yield self._table()

    def _table(self) -> Table:
        """A row for every parameter; a column that would be empty is left out."""
        table = Table(box=None, expand=True, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
        dash = Text("-", style="dim")
        columns: dict[str, list[Text]] = {
            "name": [Text(printable(row.name), style=f"bold {self._color}") for row in self._rows],
            "type": [Text(printable(row.type)) for row in self._rows],
            "required": [Text("yes", style="bold") if row.required else Text("no", style="dim") for row in self._rows],
            "default": [Text(printable(row.default)) or dash for row in self._rows],
            "enum": [Text(printable(", ".join(row.choices))) or dash for row in self._rows],
            "description": [Text(printable(row.description)) or dash for row in self._rows],
        }
        columns = {title: cells for title, cells in columns.items() if any(cell is not dash for cell in cells)}
        for title in columns:
            table.add_column(title, no_wrap=title not in _RATIOS, ratio=_RATIOS.get(title))
        for cells in zip(*columns.values(), strict=True):
            table.add_row(*cells)
        return table

    def _listed(self, row: Parameter) -> Iterator[RenderableType]:
        words = [row.type, "required" if row.required else "optional"]
        if row.default:
            words.append(f"default {row.default}")
        yield Text.assemble((printable(row.name), f"bold {self._color}"), "  ", (printable(", ".join(words)), "dim"))
        if row.choices:
            yield Padding(Text.assemble(("enum: ", "dim"), printable(", ".join(row.choices))), (0, 0, 0, 2))
        if row.description:
            yield Padding(Text(printable(row.description)), (0, 0, 0, 2))


class Overview(_Kept):
    """The description, the facts and the tools of a toolset."""

    def __init__(self, opened: OpenedToolset, color: str) -> None:
        super().__init__()
        self._opened = opened
        self._color = color

    def _parts(self, width: int) -> Iterator[RenderableType]:  # noqa: ARG002 - the tables fit themselves to it
        opened, toolset = self._opened, self._opened.toolset
        if toolset is None:
            yield Text("This file is not a toolset yet: the Problems tab says why.")
            return
        if toolset.description:
            yield Text(printable(toolset.description))
        yield Text("")
        facts = Table(box=None, show_header=False, padding=(0, 2, 0, 0), show_edge=False)
        facts.add_column(style="dim", no_wrap=True)
        facts.add_column()
        facts.add_row("file", Text(printable(shown_path(opened.path))))
        facts.add_row("tools", Text(str(len(opened.tools))))
        for label, names in (("environment", toolset.env), ("secrets", toolset.secrets)):
            if names:
                facts.add_row(label, Text(printable(", ".join(names))))
        if toolset.limits is not None:
            facts.add_row("limits", Text(f"{toolset.limits.timeout:g} s, {count(toolset.limits.max_commands, 'command')}"))
        yield facts
        yield Text("")
        tools = Table(box=None, show_header=False, padding=(0, 2, 0, 0), show_edge=False)
        tools.add_column(no_wrap=True)
        tools.add_column()
        for item in opened.tools:
            tools.add_row(
                Text(printable(item.definition.name), style=f"bold {self._color}"), Text(printable(item.definition.description))
            )
        yield tools

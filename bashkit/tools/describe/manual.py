"""Writes man pages: a header, indented sections, a footer (man-pages(7))."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bashkit.limits import ExecutionLimits
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.describe.dialect import Dialect

OUTPUT = (
    "stdout      Standard output from the commands",
    "stderr      Standard error from the commands",
    "exit_code   Exit status (0 = success)",
)
EXIT_STATUS = (
    "0      Success",
    "1-125  Command-specific error",
    "126    Command not executable",
    "127    Command not found",
)
_WIDTH = 78
_INDENT = " " * 7


@dataclass(slots=True)
class Manual:
    """A page that is assembled section by section.

    Attributes:
        title: The title in capitals, without the section number.
        version: The version in the footer.
    """

    title: str
    version: str
    _sections: list[str] = field(default_factory=list)

    def section(self, name: str, lines: Iterable[str]) -> None:
        """Add a section; each line is indented and not wrapped."""
        body = "\n".join(f"{_INDENT}{line}".rstrip() for line in lines)
        self._sections.append(f"{name}\n{body}")

    def words(self, name: str, words: Iterable[str]) -> None:
        """Add a section of words, separated by commas and wrapped."""
        self.section(name, textwrap.wrap(", ".join(words), _WIDTH - len(_INDENT), break_on_hyphens=False, break_long_words=False))

    def render(self) -> str:
        """Write the whole page."""
        label = f"{self.title}(1)"
        head = _spread(label, "User Commands", label)
        foot = _spread(f"bashkit {self.version}", "", label)
        return "\n\n".join([head, *self._sections, foot]) + "\n"


def _spread(left: str, middle: str, right: str) -> str:
    start = max((_WIDTH - len(middle) + 1) // 2, len(left) + 1)
    line = left.ljust(start) + middle
    return line.ljust(max(_WIDTH - len(right), len(line) + 1)) + right


def configuration(
    username: str | None, hostname: str | None, limits: ExecutionLimits | None, env: Mapping[str, str]
) -> list[str]:
    """Describe the configuration, one setting per line; of the environment only the names."""
    lines = []
    if username:
        lines.append(f"User: {username} (whoami)")
    if hostname:
        lines.append(f"Host: {hostname} (hostname)")
    if limits is not None:
        lines.append(f"Limits: {', '.join(_spending(limits))}")
    if env:
        lines.append(f"Environment: {', '.join(env)}")
    return lines


def _spending(limits: ExecutionLimits) -> list[str]:
    """Describe the limits: some always, the others if they differ from the defaults."""
    words = []
    for item in fields(limits):
        value = getattr(limits, item.name)
        if item.metadata["manual"]:
            words.append(item.metadata["manual"].format(value))
        elif value != item.default:
            words.append(f"{item.name} {value:g}" if isinstance(value, float) else f"{item.name} {value}")
    return words


def listing(definitions: Iterable[ToolDef], dialect: Dialect) -> list[str]:
    """List tools in two columns: name and first line of the description."""
    rows = [(dialect.name(item), next(iter(item.description.splitlines()), "")) for item in definitions]
    width = max((len(name) for name, _ in rows), default=0)
    return [f"{name:<{width}}  {text}".rstrip() for name, text in rows]

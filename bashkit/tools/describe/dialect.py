"""What a model reads that depends on the language in which it writes its scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.tools.define.definition import ToolDef


class Tips(Protocol):
    """Gives the tips about scripts with some tools."""

    def __call__(self, definitions: Sequence[ToolDef], *, usage: bool) -> list[str]:
        """The tips, where the usage of each tool is shown or not."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """How tools and scripts are described for one language.

    Attributes:
        script: What a request holds: ``bash script``.
        scripts: Several of them: ``bash scripts``.
        one: The same with its article.
        whole: All of it.
        parameter: The description of the parameter that holds it.
        input: The same for the man page.
        also: The man page's references to others.
        tools: What the tools are in it, as a heading: ``tool commands``.
        noun: The same for one of them: ``command``.
        about: The man page's paragraphs about scripts.
        heading: The man page's heading of the list of tools.
        examples: Whether the examples of tools, which are command lines, can be shown.
        name: A tool's name in a script.
        usage: How it is called, on one line.
        entries: Describes every tool, with usage and output: the lines of each.
        fence: The lines around all of them.
        help: Describes one tool at length.
        look: The first line of a list of names: where to read about one before its first use.
        find: How a script finds tools, as lines of a list.
        finders: What there is in scripts that can only find tools.
        finding: The same for its man page.
        search: Examples of that.
        first: What shows the tools.
        tips: What to know about scripts with these tools, whose usage is shown or not.
        more: Where a model reads what the entries leave out.
        shorten: How to print less.
        page: How to read on in an output that was cut, from a line (0 if it has but one), and the file that has all of it, or "".
        fileless: What there is instead of files.
        lasting: What lasts from one call to the next.
    """

    script: str
    scripts: str
    one: str
    whole: str
    parameter: str
    input: str
    also: str
    tools: str
    noun: str
    about: tuple[str, ...]
    heading: str
    examples: bool
    name: Callable[[ToolDef], str]
    usage: Callable[[ToolDef], str]
    entries: Callable[[Sequence[ToolDef]], list[list[str]]]
    fence: tuple[tuple[str, ...], tuple[str, ...]]
    help: Callable[[ToolDef], str]
    look: str
    find: tuple[str, ...]
    finders: str
    finding: str
    search: tuple[str, ...]
    first: str
    tips: Tips
    more: str
    shorten: str
    page: Callable[[int, str], str]
    fileless: str
    lasting: str

    @property
    def taking(self) -> str:
        """What the tool takes, for a sentence about it."""
        return f"{self.one}, in which every tool of the toolset is a {self.noun}"

"""What each tool takes of a system prompt, and how that has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.prompts.sizes import size_of
from bashkit.tools.describe import prompt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools.describe.prompt import Mode
    from bashkit.tools.execute.scripted import ScriptedTool


@dataclass(frozen=True, slots=True)
class Shares:
    """The tokens of a system prompt.

    Attributes:
        tokens: All of them.
        tools: Those of the lines about one tool alone, by its name, the most expensive first; empty in a mode without such lines.
        counted: Whether a tokenizer has counted them; else they are estimated.
    """

    tokens: int
    tools: Mapping[str, int]
    counted: bool = False

    @property
    def rest(self) -> int:
        """The tokens of what is about no tool, or about several: heading, tips, context."""
        return max(0, self.tokens - sum(self.tools.values()))


@dataclass(frozen=True, slots=True)
class Change:
    """How a prompt differs from an earlier one.

    Attributes:
        tokens: How many more tokens it has; fewer, if negative.
        tools: The same for each tool that is in both and has changed.
        added: The tokens of each tool that was not there before.
        removed: The tokens that each tool had that is there no more.
    """

    tokens: int
    tools: Mapping[str, int]
    added: Mapping[str, int]
    removed: Mapping[str, int]

    def __bool__(self) -> bool:
        return bool(self.tokens or self.tools or self.added or self.removed)


def shares_of(tool: ScriptedTool, mode: Mode | None = None) -> Shares:
    """Measure the system prompt of a tool.

    Args:
        tool: The scripted tool.
        mode: The mode of the prompt; by default that which the model gets.
    """
    text = tool.system_prompt(mode)
    parts, definitions = prompt.MODES[mode or tool.prompt_mode].parts, tool.definitions
    described = parts(definitions, tool.dialect) if parts is not None else []
    costs = [(one.name, _tokens("\n".join(lines) + "\n")) for one, lines in zip(definitions, described, strict=False)]
    costs.sort(key=lambda cost: (-cost[1], cost[0]))
    return Shares(_tokens(text), dict(costs), size_of(text).tokens is not None)


def change_of(before: Shares, after: Shares) -> Change:
    """Compare a prompt with an earlier one."""
    old, new = before.tools, after.tools
    return Change(
        after.tokens - before.tokens,
        {name: cost - old[name] for name, cost in new.items() if name in old and cost != old[name]},
        {name: cost for name, cost in new.items() if name not in old},
        {name: cost for name, cost in old.items() if name not in new},
    )


def _tokens(text: str) -> int:
    counted = size_of(text).tokens
    return prompt.tokens(text) if counted is None else counted

"""DiscoveryTool: the second tool of a large toolset, whose scripts search the commands of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools.call.trace import Trace
from bashkit.tools.describe.manual import EXIT_STATUS, OUTPUT, Manual
from bashkit.tools.execute.runner import ScriptRunner, ToolExecution

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.call.cancellation import Cancellation
    from bashkit.tools.execute.contract import ToolRequest, ToolStatus
    from bashkit.tools.execute.scripted import ScriptedTool

EXAMPLES = ('discover --search "refund a customer"', "discover --category billing --json | jq -r '.[].name'", "help get_invoice")


class DiscoveryTool(ScriptRunner):
    """Runs scripts in which ``discover`` and ``help`` describe the commands of another tool; the commands themselves cannot be
    called.

    Args:
        tool: The other tool.
    """

    def __init__(self, tool: ScriptedTool) -> None:
        self._tool = tool

    @property
    def name(self) -> str:
        """``<name>_discover``"""
        return f"{self._tool.name}_discover"

    @property
    def short_description(self) -> str:
        """A one-line description for listings."""
        return f"Finds and describes the commands of {self._tool.name}"

    def description(self) -> str:
        """Describe the tool, with an example."""
        return (
            f"{self.short_description}. Takes a bash script with the commands discover (--search TEXT, --category NAME, "
            "--tag TAG, "
            f"--json) and help (COMMAND, --list, --json), for example: {EXAMPLES[0]}"
        )

    def system_prompt(self) -> str:
        """Write the text for the model's system prompt."""
        lines = "\n".join(f"- `{example}`" for example in EXAMPLES)
        head = (
            f'# {self.name}\n\n{self.short_description}.\n\nInput: {{"commands": "<bash script>"}}\nOutput: '
            f"{{stdout, stderr, exit_code}}\n"
        )
        return f"{head}\n## Examples\n\n{lines}\n"

    def help(self) -> str:
        """Write a man page."""
        page = Manual(self.name.upper(), self.version)
        page.section("NAME", [f"{self.name} - {self.short_description}"])
        page.section("SYNOPSIS", ['{"commands": "<bash script>"}'])
        page.section("DESCRIPTION", ["'discover' finds commands, 'help COMMAND' describes one. They are not run here."])
        page.section("OUTPUT", OUTPUT)
        page.section("EXAMPLES", EXAMPLES)
        page.section("EXIT STATUS", EXIT_STATUS)
        page.section("SEE ALSO", [f"{self._tool.name}(1), jq(1)"])
        return page.render()

    def _execution(
        self,
        request: ToolRequest | str,
        status: Callable[[ToolStatus], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> ToolExecution:
        from bashkit.bash import Bash

        return ToolExecution(
            Bash(limits=self._tool.limits, commands=self._tool.introspection()),
            request,
            Trace(),
            status,
            cancellation=cancellation,
        )

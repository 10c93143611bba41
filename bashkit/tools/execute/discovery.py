"""DiscoveryTool: the second tool of a large toolset, whose scripts search the commands of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools.call.trace import Trace
from bashkit.tools.describe.manual import EXIT_STATUS, OUTPUT, Manual
from bashkit.tools.execute import contract
from bashkit.tools.execute.runner import ScriptRunner, ToolExecution

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.call.cancellation import Cancellation
    from bashkit.tools.describe.dialect import Dialect
    from bashkit.tools.execute.contract import ToolRequest, ToolStatus
    from bashkit.tools.execute.scripted import ScriptedTool


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
    def dialect(self) -> Dialect:
        """How scripts are described to the model: as for the other tool."""
        return self._tool.dialect

    @property
    def short_description(self) -> str:
        """A one-line description for listings."""
        return f"Finds and describes the {self.dialect.noun}s of {self._tool.name}"

    def description(self) -> str:
        """Describe the tool, with an example."""
        dialect = self.dialect
        return f"{self.short_description}. Takes {dialect.one} with {dialect.finders}, for example: {dialect.search[0]}"

    def system_prompt(self) -> str:
        """Write the text for the model's system prompt."""
        dialect = self.dialect
        lines = "\n".join(f"- `{example}`" for example in dialect.search)
        head = (
            f'# {self.name}\n\n{self.short_description}.\n\nInput: {{"commands": "<{dialect.script}>"}}\nOutput: '
            f"{{stdout, stderr, exit_code}}\n"
        )
        return f"{head}\n## Examples\n\n{lines}\n"

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of a request."""
        return contract.input_schema(self.dialect.parameter)

    def help(self) -> str:
        """Write a man page."""
        dialect = self.dialect
        page = Manual(self.name.upper(), self.version)
        page.section("NAME", [f"{self.name} - {self.short_description}"])
        page.section("SYNOPSIS", [f'{{"commands": "<{dialect.script}>"}}'])
        page.section("DESCRIPTION", [dialect.finding])
        page.section("OUTPUT", OUTPUT)
        page.section("EXAMPLES", dialect.search)
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

        bench = self._tool.introspecting()
        bash = Bash(limits=self._tool.limits, commands=bench.commands)
        return ToolExecution(bash, request, Trace(), status, bench, cancellation)

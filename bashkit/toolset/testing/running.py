"""Runs the tests of a toolset file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset.testing.callback_modes import in_mode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.toolset.script_tests import DeclaredTest
    from bashkit.toolset.toolset import Toolset


def run_test(toolset: Toolset, test: DeclaredTest, environ: Mapping[str, str] | None = None, **options: Any) -> ToolResponse:
    """Run a test's script in a fresh shell.

    Args:
        toolset: The test's toolset.
        test: The test.
        environ: As for ``load``.
        options: Further keyword arguments of ScriptedTool.

    Raises:
        ToolsetError: The toolset cannot be used.
    """
    tool = in_mode(toolset, test.callbacks, environ=environ).make_tool(**_options(toolset, test), **options)
    return tool.execute_sync(test.script)


def _options(toolset: Toolset, test: DeclaredTest) -> dict[str, Any]:
    """What the tool that runs a test has beside the options of the toolset: the language of the test."""
    own = toolset.options.get("language", "bash")
    return {} if (own == "python") == (test.language == "python") else {"language": test.language}

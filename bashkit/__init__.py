"""bashkit: one bash tool in which every tool you declare is a command."""

from __future__ import annotations

import sys

from bashkit.importing import imported

if sys.platform == "win32":
    raise ImportError("bashkit needs a POSIX system: on Windows, run it in WSL or in a container")

TYPE_CHECKING = False  # typing itself takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from bashkit.bash import Bash, ExecResult
    from bashkit.bash.shell_state import ShellState
    from bashkit.bash.snapshot import Snapshot
    from bashkit.errors import (
        BashError,
        BashkitError,
        ScriptExecutionError,
        ScriptTimeoutError,
        SnapshotError,
        ToolError,
        ToolRestrictionError,
    )
    from bashkit.fs import FileSystem, HostDirectory, LazyFile, MemoryFileSystem, Overlay, ReadOnly
    from bashkit.interp.runtime.clock import VirtualClock
    from bashkit.interp.utility.custom import BuiltinContext, BuiltinResult
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy
    from bashkit.syntax.survey import ScriptAnalysis
    from bashkit.tools.call.cancellation import Cancellation
    from bashkit.tools.call.policy import Denied, Policy
    from bashkit.tools.call.retry import Retry
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.define.result import ToolResult
    from bashkit.tools.execute.bash_tool import BashTool
    from bashkit.tools.execute.contract import Tool, ToolRequest, ToolResponse, ToolStatus
    from bashkit.tools.execute.scripted import OrchestratorTool, ScriptedTool
    from bashkit.tools.offer import Offer
    from bashkit.tools.typed.function_tool import tool
    from bashkit.toolset.loading import load

_HOMES = {
    "Bash": "bashkit.bash",
    "BashError": "bashkit.errors",
    "BashTool": "bashkit.tools.execute.bash_tool",
    "BashkitError": "bashkit.errors",
    "BuiltinContext": "bashkit.interp.utility.custom",
    "BuiltinResult": "bashkit.interp.utility.custom",
    "Cancellation": "bashkit.tools.call.cancellation",
    "Denied": "bashkit.tools.call.policy",
    "ExecResult": "bashkit.bash",
    "ExecutionLimits": "bashkit.limits",
    "FileSystem": "bashkit.fs",
    "HostDirectory": "bashkit.fs",
    "LazyFile": "bashkit.fs",
    "MemoryFileSystem": "bashkit.fs",
    "NetworkPolicy": "bashkit.network",
    "Offer": "bashkit.tools.offer",
    "OrchestratorTool": "bashkit.tools.execute.scripted",
    "Overlay": "bashkit.fs",
    "Policy": "bashkit.tools.call.policy",
    "ReadOnly": "bashkit.fs",
    "Retry": "bashkit.tools.call.retry",
    "ScriptAnalysis": "bashkit.syntax.survey",
    "ScriptExecutionError": "bashkit.errors",
    "ScriptTimeoutError": "bashkit.errors",
    "ScriptedTool": "bashkit.tools.execute.scripted",
    "ShellState": "bashkit.bash.shell_state",
    "Snapshot": "bashkit.bash.snapshot",
    "SnapshotError": "bashkit.errors",
    "Tool": "bashkit.tools.execute.contract",
    "ToolArgs": "bashkit.tools.define.arguments",
    "ToolDef": "bashkit.tools.define.definition",
    "ToolError": "bashkit.errors",
    "ToolRequest": "bashkit.tools.execute.contract",
    "ToolResponse": "bashkit.tools.execute.contract",
    "ToolRestrictionError": "bashkit.errors",
    "ToolResult": "bashkit.tools.define.result",
    "ToolStatus": "bashkit.tools.execute.contract",
    "VirtualClock": "bashkit.interp.runtime.clock",
    "load": "bashkit.toolset.loading",
    "tool": "bashkit.tools.typed.function_tool",
}
__all__ = [
    "Bash",
    "BashError",
    "BashTool",
    "BashkitError",
    "BuiltinContext",
    "BuiltinResult",
    "Cancellation",
    "Denied",
    "ExecResult",
    "ExecutionLimits",
    "FileSystem",
    "HostDirectory",
    "LazyFile",
    "MemoryFileSystem",
    "NetworkPolicy",
    "Offer",
    "OrchestratorTool",
    "Overlay",
    "Policy",
    "ReadOnly",
    "Retry",
    "ScriptAnalysis",
    "ScriptExecutionError",
    "ScriptTimeoutError",
    "ScriptedTool",
    "ShellState",
    "Snapshot",
    "SnapshotError",
    "Tool",
    "ToolArgs",
    "ToolDef",
    "ToolError",
    "ToolRequest",
    "ToolResponse",
    "ToolRestrictionError",
    "ToolResult",
    "ToolStatus",
    "VirtualClock",
    "load",
    "tool",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: ``import bashkit`` itself stays quick."""
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(imported(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What completion offers: the public names, imported or not yet."""
    return [*__all__, "__version__"]


def _version() -> str:
    """The version of the installed distribution; ``0`` for a tree that is not installed."""
    from importlib import metadata

    try:
        return metadata.version("bashkit-toolsets")
    except metadata.PackageNotFoundError:
        return "0"

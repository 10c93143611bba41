"""bashkit: one bash tool in which every tool you declare is a command."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing itself takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from bashkit.bash import Bash, ExecResult
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
    from bashkit.fs import FileSystem, HostDirectory, LazyFile, MemoryFileSystem, Overlay
    from bashkit.interp.runtime.clock import VirtualClock
    from bashkit.interp.utility.custom import BuiltinContext, BuiltinResult
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy
    from bashkit.tools.arguments import ToolArgs
    from bashkit.tools.bash_tool import BashTool
    from bashkit.tools.cancellation import Cancellation
    from bashkit.tools.contract import Tool, ToolRequest, ToolResponse, ToolStatus
    from bashkit.tools.definition import ToolDef
    from bashkit.tools.policy import Denied, Policy
    from bashkit.tools.result import ToolResult
    from bashkit.tools.retry import Retry
    from bashkit.tools.scripted import OrchestratorTool, ScriptedTool
    from bashkit.toolset import load

_HOMES = {
    "Bash": "bashkit.bash",
    "BashError": "bashkit.errors",
    "BashTool": "bashkit.tools.bash_tool",
    "BashkitError": "bashkit.errors",
    "BuiltinContext": "bashkit.interp.utility.custom",
    "BuiltinResult": "bashkit.interp.utility.custom",
    "Cancellation": "bashkit.tools.cancellation",
    "Denied": "bashkit.tools.policy",
    "ExecResult": "bashkit.bash",
    "ExecutionLimits": "bashkit.limits",
    "FileSystem": "bashkit.fs",
    "HostDirectory": "bashkit.fs",
    "LazyFile": "bashkit.fs",
    "MemoryFileSystem": "bashkit.fs",
    "NetworkPolicy": "bashkit.network",
    "OrchestratorTool": "bashkit.tools.scripted",
    "Overlay": "bashkit.fs",
    "Policy": "bashkit.tools.policy",
    "Retry": "bashkit.tools.retry",
    "ScriptExecutionError": "bashkit.errors",
    "ScriptTimeoutError": "bashkit.errors",
    "ScriptedTool": "bashkit.tools.scripted",
    "Snapshot": "bashkit.bash.snapshot",
    "SnapshotError": "bashkit.errors",
    "Tool": "bashkit.tools.contract",
    "ToolArgs": "bashkit.tools.arguments",
    "ToolDef": "bashkit.tools.definition",
    "ToolError": "bashkit.errors",
    "ToolRequest": "bashkit.tools.contract",
    "ToolResponse": "bashkit.tools.contract",
    "ToolRestrictionError": "bashkit.errors",
    "ToolResult": "bashkit.tools.result",
    "ToolStatus": "bashkit.tools.contract",
    "VirtualClock": "bashkit.interp.runtime.clock",
    "load": "bashkit.toolset",
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
    "OrchestratorTool",
    "Overlay",
    "Policy",
    "Retry",
    "ScriptExecutionError",
    "ScriptTimeoutError",
    "ScriptedTool",
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
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: ``import bashkit`` itself stays quick."""
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def _version() -> str:
    """The version of the installed distribution; ``0`` for a tree that is not installed."""
    from importlib import metadata

    try:
        return metadata.version("bashkit-toolsets")
    except metadata.PackageNotFoundError:
        return "0"

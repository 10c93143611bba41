"""bashkit: one bash tool in which every tool you declare is a command."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.bash import Bash, BuiltinContext, BuiltinResult, ExecResult
    from bashkit.errors import BashkitError, ToolError
    from bashkit.fs import FileSystem
    from bashkit.limits import ExecutionLimits

__version__ = "0.1.0"
_HOMES = {
    "Bash": "bashkit.bash",
    "BashkitError": "bashkit.errors",
    "BuiltinContext": "bashkit.bash",
    "BuiltinResult": "bashkit.bash",
    "ExecResult": "bashkit.bash",
    "ExecutionLimits": "bashkit.limits",
    "FileSystem": "bashkit.fs",
    "ToolError": "bashkit.errors",
}
__all__ = [
    "Bash",
    "BashkitError",
    "BuiltinContext",
    "BuiltinResult",
    "ExecResult",
    "ExecutionLimits",
    "FileSystem",
    "ToolError",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: ``import bashkit`` itself stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value

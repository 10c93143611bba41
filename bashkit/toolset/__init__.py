"""Toolset files: loading with positions, checking, compiling."""

from bashkit.toolset.loading import check, from_directory, load
from bashkit.toolset.toolset import DeclaredTool, ExecutableSource, Toolset

__all__ = ["DeclaredTool", "ExecutableSource", "Toolset", "check", "from_directory", "load"]

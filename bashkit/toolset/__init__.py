"""Toolset files: loading with positions, checking, compiling."""

from bashkit.toolset.checking.check import check
from bashkit.toolset.loading import PartlyLoaded, from_directory, load, load_partly
from bashkit.toolset.toolset import DeclaredTool, Toolset

__all__ = ["DeclaredTool", "PartlyLoaded", "Toolset", "check", "from_directory", "load", "load_partly"]

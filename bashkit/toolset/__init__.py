"""Toolset files: loading with positions, checking, building, and answering calls with stubs or recordings."""

from bashkit.toolset.linting.check import check
from bashkit.toolset.loading import PartlyLoaded, from_directory, load, load_partly
from bashkit.toolset.testing.callback_modes import in_mode, recorded
from bashkit.toolset.toolset import DeclaredTool, Toolset

__all__ = ["DeclaredTool", "PartlyLoaded", "Toolset", "check", "from_directory", "in_mode", "load", "load_partly", "recorded"]

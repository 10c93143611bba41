"""Toolset files: loading with positions, checking, building, and answering calls with stubs or recordings."""

from __future__ import annotations

from bashkit.importing import imported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bashkit.toolset.linting.check import check
    from bashkit.toolset.loading import PartlyLoaded, from_directory, load, load_partly
    from bashkit.toolset.testing.callback_modes import in_mode, recorded
    from bashkit.toolset.toolset import DeclaredTool, Toolset

_HOMES = {
    "DeclaredTool": "bashkit.toolset.toolset",
    "PartlyLoaded": "bashkit.toolset.loading",
    "Toolset": "bashkit.toolset.toolset",
    "check": "bashkit.toolset.linting.check",
    "from_directory": "bashkit.toolset.loading",
    "in_mode": "bashkit.toolset.testing.callback_modes",
    "load": "bashkit.toolset.loading",
    "load_partly": "bashkit.toolset.loading",
    "recorded": "bashkit.toolset.testing.callback_modes",
}
__all__ = ["DeclaredTool", "PartlyLoaded", "Toolset", "check", "from_directory", "in_mode", "load", "load_partly", "recorded"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: the inspector paints before it reads its first toolset."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(imported(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What completion offers: the public names, imported or not yet."""
    return __all__

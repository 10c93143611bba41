"""bashkit --version: the versions of bashkit and of its parts."""

from __future__ import annotations

import platform
import re
from importlib import metadata

_DISTRIBUTION = "bashkit-toolsets"
_EXTRAS = {"http", "mcp", "python", "tui", "zstd"}  # those whose code runs in bashkit itself
_REQUIREMENT = re.compile(r"""([\w.-]+)[^;]*(?:;(?:.*extra == ['"](?P<extra>[\w-]+)['"])?.*)?""")


def version_text() -> str:
    """The version, then one line for each part: the interpreter, the parser, and what is installed of the dependencies."""
    parts = {"Python": f"{platform.python_version()} ({platform.python_implementation()}, {platform.platform()})"}
    parts["parser"] = "compiled" if _compiled() else "pure Python"
    parts |= _dependencies()
    width = max(map(len, parts))
    return "\n".join(
        [f"bashkit {metadata.version(_DISTRIBUTION)}", *(f"  {name:{width}}  {text}" for name, text in parts.items())]
    )


def _compiled() -> bool:
    from bashkit.syntax import parser

    return not str(parser.__file__).endswith(".py")


def _dependencies() -> dict[str, str]:
    """The dependencies with their versions, then the parts of extras; the latter only where they are installed."""
    found: dict[str, str] = {}
    for requirement in metadata.requires(_DISTRIBUTION) or ():
        match = _REQUIREMENT.fullmatch(requirement)
        assert match is not None, requirement
        name, extra = match[1], match["extra"]
        if extra is not None and extra not in _EXTRAS:
            continue
        try:
            found.setdefault(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            if extra is None and ";" not in requirement:
                found[name] = "not installed"
    return found

"""Loads everything that a script may need, before a sandbox process loses the right to open files."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.util import find_spec

_ROOMS = ("errors", "limits", "syntax", "fs", "regex", "network", "interp", "builtins", "commands", "bash")
_OTHERS = ("asyncio", "logging", "encodings.idna", "random", "zoneinfo", "_strptime")  # what is imported inside of functions
_APART = (".server", ".program")  # programs of their own
_EXTRAS = {"bashkit.commands._python.": "pydantic_monty"}  # what needs a package that not everybody has


def preload() -> None:
    """Import the interpreter and every utility, and run a first script."""
    for name in _OTHERS:
        import_module(name)
    missing = tuple(prefix for prefix, package in _EXTRAS.items() if find_spec(package) is None)
    for room in _ROOMS:
        module = import_module(f"bashkit.{room}")
        for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"bashkit.{room}."):
            if not found.name.startswith(missing) and not any(f"{part}." in f"{found.name}." for part in _APART):
                import_module(found.name)
    import encodings

    for found in pkgutil.iter_modules(encodings.__path__, "encodings."):
        if found.name not in {"encodings.mbcs", "encodings.oem"}:  # of Windows
            import_module(found.name)
    from bashkit.bash import Bash
    from bashkit.commands._workers.program.confinement import load_what_ends_threads

    load_what_ends_threads()
    Bash().execute_sync("for word in a b; do echo $word; done | sort | sed s/a/b/ | awk '{ print $1 }' | grep -c b")

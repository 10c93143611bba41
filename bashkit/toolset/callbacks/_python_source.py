"""Finds the source of a Python callback without importing it, and writes the first function of a new one."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from bashkit import host_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.machinery import ModuleSpec

    from bashkit.toolset.toolset import Toolset


def find_function(dotted: str, folder: Path) -> tuple[Path, int] | None:
    """Return the file and line of ``package.module.function`` under ``folder``; None if there is no such file or function.

    Only source files in the toolset's own folder are searched, because the author cannot edit installed packages.
    """
    module, _, name = dotted.rpartition(".")
    spec = _spec(module, folder)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    file = Path(spec.origin)
    try:
        state = file.stat()
        line = _definitions(file, state.st_mtime_ns, state.st_size).get(name)
    except (OSError, SyntaxError, ValueError):  # importing will report the error
        return None
    return None if line is None else (file, line)


@lru_cache(maxsize=64)
def _definitions(file: Path, changed: int, size: int) -> Mapping[str, int]:  # noqa: ARG001 - what tells one state of the file from the next
    """The lines of what a module defines at its top level, by name; a file is read again when it has changed.

    Args:
        file: The module's source.
        changed: When it was changed last, in nanoseconds.
        size: Its size in bytes.

    Raises:
        OSError: It cannot be read.
        SyntaxError, ValueError: It is not Python.
    """
    lines: dict[str, int] = {}
    for node in ast.parse(host_files.read_bytes(file)).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            lines.setdefault(node.name, node.lineno)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    lines.setdefault(target.id, node.lineno)
    return lines


def _spec(module: str, folder: Path) -> ModuleSpec | None:
    """Locate a module, package by package, without running any package's ``__init__``."""
    spec: ModuleSpec | None = None
    search: list[str] = [str(folder)]
    dotted = ""
    for part in module.split("."):
        dotted = f"{dotted}.{part}" if dotted else part
        spec = PathFinder.find_spec(dotted, search)
        if spec is None:
            return None
        search = list(spec.submodule_search_locations or ())
    return spec


def module_for(toolset: Toolset) -> tuple[str, Path]:
    """The module for the new function: that of the last Python callback if it is a file beside the toolset, else a new one."""
    folder = toolset.path.parent
    for item in reversed(toolset.declared):
        dotted = getattr(item.callback, "dotted", None)
        if dotted is None or item.document is not toolset.document:
            continue
        module = dotted.rpartition(".")[0]
        path = folder.joinpath(*module.split("."))
        for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
            if file.is_file():
                return module, file
    module = re.sub(r"\W", "_", toolset.name) + "_tools"
    return module, folder / f"{module}.py"


def with_function(path: Path, function: str) -> str:
    """The text of a module with a function added to it."""
    text = (
        host_files.read_text(path).replace("\r\n", "\n")
        if path.is_file()
        else '"""Callbacks of the toolset: each gets its arguments, converted and checked."""\n'
    )
    if re.search(rf"(?m)^(?:(?:async )?def|class) {function}\b|^{function}\s*[:=]", text):
        return text  # the function exists already
    return text.rstrip("\n") + f"\n\n\n{_FUNCTION.replace('FUNCTION', function)}"


_FUNCTION = """\
def FUNCTION(args):
    return {"text": args["text"]}
"""

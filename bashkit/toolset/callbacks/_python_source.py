"""Finds the source of a Python callback without importing it, and writes the first function of a new one."""

from __future__ import annotations

import ast
import re
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):  # importing will report the error
        return None
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
            return file, node.lineno
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets):
            return file, node.lineno
    return None


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
        path.read_text(encoding="utf-8")
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

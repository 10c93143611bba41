"""Where a Python function is: its file and line, found without importing it."""

from __future__ import annotations

import ast
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


def find_function(dotted: str, folder: Path) -> tuple[Path, int] | None:
    """The file and line of ``package.module.function`` under ``folder``; None when there is no such file or function.

    Only source files in the toolset's own folder are looked at: what is installed elsewhere is not the author's to edit.
    """
    module, _, name = dotted.rpartition(".")
    spec = _spec(module, folder)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    file = Path(spec.origin)
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):  # it will say so itself when it is called
        return None
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
            return file, node.lineno
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets):
            return file, node.lineno
    return None


def _spec(module: str, folder: Path) -> ModuleSpec | None:
    """Where a module is, package by package, so that no package's ``__init__`` runs."""
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

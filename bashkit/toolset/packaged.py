"""Finds toolsets that installed packages bring: ``PACKAGE:NAME``, by entry points of the group ``bashkit.toolsets``.

An entry point ``shop = "my_tools"`` says that the package ``my_tools`` has a file ``shop.yaml``. Finding it imports nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    import os
    from importlib.metadata import EntryPoint

GROUP = "bashkit.toolsets"
_REFERENCE = re.compile(r"([A-Za-z0-9][\w.-]*):([A-Za-z_][\w-]*)", re.ASCII)
_DASHES = re.compile(r"[-_.]+")


class PackageError(BashkitError):
    """There is no such package, or it has no such toolset."""


def is_reference(text: str) -> bool:
    """Whether a text is ``PACKAGE:NAME`` and no file."""
    return _REFERENCE.fullmatch(text) is not None and not Path(text).exists()


def located(path: str | os.PathLike[str]) -> Path:
    """The path of a toolset; of one in a package the file in it.

    Raises:
        PackageError: ``PACKAGE:NAME`` cannot be found, or the path is empty, which would be the current directory.
    """
    if path == "":
        raise PackageError("the path of a toolset is empty")
    if not isinstance(path, str) or not is_reference(path):
        return Path(path)
    from importlib import metadata
    from importlib.util import find_spec

    package, name = path.split(":")
    points = [point for point in metadata.entry_points(group=GROUP) if _normal(package) in _names_of(point)]
    point = next((point for point in points if point.name == name), None)
    if point is None:
        known = ", ".join(sorted(point.name for point in points))
        raise PackageError(f"{path}: the package has {known}" if points else f"{path}: no package {package} has toolsets")
    spec = find_spec(point.module)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        file = Path(folder) / f"{name}.yaml"
        if file.is_file():
            return file
    raise PackageError(f"{path}: there is no {name}.yaml in the package {point.module}")


def _names_of(point: EntryPoint) -> set[str]:
    """How one may call the package of an entry point: by its module, or by the name of its distribution."""
    names = {point.module, point.module.split(".")[0]}
    if point.dist is not None:
        names.add(point.dist.name)
    return set(map(_normal, names))


def _normal(name: str) -> str:
    return _DASHES.sub("-", name).lower()

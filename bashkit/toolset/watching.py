"""Finds the files that a toolset depends on, and whether they have changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bashkit.toolset.callback import Callback

if TYPE_CHECKING:
    from bashkit.toolset.toolset import Toolset

Signature = tuple[tuple[str, int, int], ...]


def signature_of(files: tuple[Path, ...]) -> Signature:
    """Path, time of the last change in nanoseconds, and size of every file; -1 for a missing one."""
    return tuple(_stamp(path) for path in files)


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), status.st_mtime_ns, status.st_size


def files_of(toolset: Toolset) -> tuple[Path, ...]:
    """Every file that a toolset depends on: itself, its includes, context, callbacks, directories of executables."""
    value = toolset.document.value if isinstance(toolset.document.value, dict) else {}
    folder = toolset.path.parent
    found = [toolset.path, *(Path(item.document.file) for item in toolset.declared)]
    found += [file for source in toolset.sources for file in source.files()]
    callbacks = [item.callback for item in toolset.declared if isinstance(item.callback, Callback)]
    found += [location[0] for callback in callbacks if (location := callback.location()) is not None]
    prompt = value.get("prompt")
    context = prompt.get("context", ()) if isinstance(prompt, dict) else ()
    for name in (*_texts(context), *_texts(value.get("include", ())), *_texts(value.get("env_file"))):
        named = sorted(folder.glob(name)) if any(letter in name for letter in "*?[") else [folder / name]
        found += [file for path in named for file in (path, *_modules(path))]
    return tuple(dict.fromkeys(found))


def _texts(value: object) -> list[str]:
    """The names in a setting: one string, or several in a list, each of which may be an object with a file."""
    return (
        [value]
        if isinstance(value, str)
        else [name for item in value if isinstance(name := item.get("file") if isinstance(item, dict) else item, str)]
        if isinstance(value, list)
        else []
    )


def _modules(directory: Path) -> list[Path]:
    """The context modules in an agent's directory, and the paths at which others may appear."""
    return [directory / "soul.md", directory / "context", *sorted(directory.glob("context/*.md"))] if directory.is_dir() else []

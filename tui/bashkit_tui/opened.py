"""OpenedToolset: one toolset as the inspector shows it, right or wrong, read in one go away from the screen."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bashkit.errors import Problem, ToolsetError
from bashkit.prompts import SnapshotStore, documents
from bashkit.prompts.documents import HELP, SYSTEM_PROMPT
from bashkit.toolset import from_directory, load_partly
from bashkit.toolset.callbacks.python import PythonTarget
from bashkit_tui.locating import place_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.prompts.snapshots import State
    from bashkit.toolset import DeclaredTool, Toolset

_BEFORE = frozenset(name.partition(".")[0] for name in sys.modules)

Signature = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class OpenedToolset:
    """A toolset and everything about it that takes a moment to find out.

    Attributes:
        path: The file, or the directory of executables.
        toolset: What works of it; None when nothing does.
        tools: Its tools, those of its sources among them.
        broken: The names of the tools that have mistakes.
        problems: The mistakes, and the warnings.
        help: The man page that the model may ask for.
        system_prompt: What goes into the model's system prompt.
        snapshots: How ``help.md`` and ``system-prompt.md`` compare with what was kept.
        files: The files it was read from.
        signature: Changes when one of them does.
        stale: ``toolset`` is of an earlier reading: the file cannot be read any more.
    """

    path: Path
    toolset: Toolset | None = None
    tools: tuple[DeclaredTool, ...] = ()
    broken: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    help: str = ""
    system_prompt: str = ""
    snapshots: Mapping[str, State] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    signature: Signature = ()
    stale: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.toolset.name if self.toolset is not None else self.path.stem

    def tool(self, name: str | None) -> DeclaredTool | None:
        """The tool called ``name``, or None."""
        return next((item for item in self.tools if item.definition.name == name), None)

    def after(self, previous: OpenedToolset | None) -> OpenedToolset:
        """This reading, with the tools of the previous one where this one has none: half a line is typed, and it goes on."""
        if self.toolset is not None or previous is None or previous.toolset is None:
            return self
        return replace(previous, problems=self.problems, files=self.files, signature=self.signature, stale=True)


def open_toolset(path: Path) -> OpenedToolset:
    """Read a toolset file or a directory of executables. Whatever is wrong with it is in ``problems``; nothing is raised.

    Sources are asked for their tools, so this may take seconds; callbacks are not imported.
    """
    files = (path,)
    try:
        return _open(path)
    except ToolsetError as error:
        problems = tuple(error.problems)
    except Exception as error:  # the author's next save may cure what nobody foresaw
        problems = (Problem(str(path), 1, 1, f"{type(error).__name__}: {error}"),)
    return OpenedToolset(path, problems=problems, files=files, signature=signature_of(files))


def _open(path: Path) -> OpenedToolset:
    problems: list[Problem] = []
    broken: tuple[str, ...] = ()
    before = signature_of((path,))  # a change while it is read is a change
    if path.is_dir():
        toolset = from_directory(path)
    else:
        found = load_partly(path)
        problems += found.problems
        if found.toolset is None:
            raise ToolsetError(problems)
        toolset, broken = found.toolset, found.broken
    forget_modules(toolset)
    files = watched(toolset)
    signature = before + signature_of(files[1:])
    try:
        tools = toolset.entries()
    except ToolsetError as error:  # a source that is missing takes none of the declared tools with it
        problems += error.problems
        toolset = replace(toolset, sources=(), _found=None, _tool=None)
        tools = toolset.entries()
    help_text, prompt = toolset.tool.help(), toolset.tool.system_prompt()
    snapshots = _snapshots(toolset, whole=not problems)
    problems += [*toolset.warnings, *_too_long(toolset, prompt)]
    return OpenedToolset(path, toolset, tools, broken, tuple(problems), help_text, prompt, snapshots, files, signature)


def _too_long(toolset: Toolset, prompt: str) -> list[Problem]:
    if toolset.max_chars is None or len(prompt) <= toolset.max_chars:
        return []
    message = f"the system prompt has {len(prompt)} characters, more than max_chars allows"
    return [toolset.document.problem(("prompt", "max_chars"), message, hint="shorten descriptions, or allow more")]


def _snapshots(toolset: Toolset, *, whole: bool) -> dict[str, State]:
    """How the kept texts compare; nothing is said about half a toolset or a directory, of which nothing is kept."""
    if not whole or not toolset.path.is_file():
        return {}
    found = SnapshotStore.beside(toolset.path).compare(documents(toolset.tool))
    return {item.path.name: item.state for item in found if item.path.name in {HELP, SYSTEM_PROMPT}}


def forget_modules(toolset: Toolset) -> None:
    """Let the Python callbacks of a toolset be imported anew, so that what its author changed in them takes effect.

    Only modules in the toolset's own folder are forgotten, and none of a package that was loaded before the inspector was.
    """
    for item in toolset.declared:
        if not isinstance(item.callback, PythonTarget):
            continue
        top, folder = item.callback.dotted.partition(".")[0], item.callback.folder.resolve()
        if top in _BEFORE:
            continue
        for name in [name for name in sys.modules if name == top or name.startswith(f"{top}.")]:
            file = getattr(sys.modules[name], "__file__", None)
            if file is not None and Path(file).resolve().is_relative_to(folder):
                del sys.modules[name]


def watched(toolset: Toolset) -> tuple[Path, ...]:
    """Every file that a toolset is made from: itself, what it includes, context, callbacks, directories of executables."""
    value = toolset.document.value if isinstance(toolset.document.value, dict) else {}
    folder = toolset.path.parent
    found = [toolset.path, *(Path(item.document.file) for item in toolset.declared)]
    found += [file for source in toolset.sources for file in source.files()]
    found += [place.file for place in map(place_of, toolset.declared) if place.file is not None]
    prompt = value.get("prompt")
    names = prompt.get("context", ()) if isinstance(prompt, dict) else ()
    includes = value.get("include", ())
    for name in (*(names if isinstance(names, list) else ()), *(includes if isinstance(includes, list) else ())):
        if isinstance(name, str):
            found += sorted(folder.glob(name)) if any(letter in name for letter in "*?[") else [folder / name]
    return tuple(dict.fromkeys(found))


def signature_of(files: tuple[Path, ...]) -> Signature:
    """Path, time of the last change in nanoseconds, and size of every file; -1 for one that is gone."""
    return tuple(_stamp(path) for path in files)


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), status.st_mtime_ns, status.st_size

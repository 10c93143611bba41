"""Reading toolsets in a thread: mistakes become problems of the toolset, nothing is raised.

Reading has two steps: ``read_toolset`` finds the tools, which the screen shows at once; ``with_prompts`` generates the texts that
the model sees and compares them with their snapshots.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bashkit.errors import Problem, ToolsetError
from bashkit.toolset import from_directory, load_partly
from bashkit.toolset.callbacks.python import PythonCallback
from bashkit.toolset.watching import files_of, signature_of
from bashkit_tui.toolsets.opened_toolset import OpenedToolset

if TYPE_CHECKING:
    from bashkit.toolset import Toolset

_BEFORE = frozenset(name.partition(".")[0] for name in tuple(sys.modules))  # a copy: another thread may be importing


def read_toolset(path: Path) -> OpenedToolset:
    """Read a toolset file or a directory of executables. Mistakes are in ``problems``; nothing is raised.

    Sources are asked for their tools, so this may take seconds; callbacks are not imported.
    """
    files = (path,)
    try:
        return _read(path)
    except ToolsetError as error:
        problems = tuple(error.problems)
    except Exception as error:  # an unforeseen error is a problem too: the author's next save may cure it
        problems = (_unforeseen(path, error),)
    return OpenedToolset(path, problems=problems, files=files, signature=signature_of(files))


def with_prompts(opened: OpenedToolset) -> OpenedToolset:
    """The same toolset with the texts that the model sees."""
    if opened.toolset is None:
        return opened
    problems = list(opened.problems)
    toolset = opened.toolset
    try:
        from bashkit_tui.toolsets.prompt_documents import prompts_of

        problem = toolset.prompt_problem()
        if problem is not None:  # the texts can be read all the same
            problems.append(problem)
            toolset = replace(toolset, max_chars=None, max_tokens=None, _tool=None)
        first = opened.prompts.first if opened.prompts is not None else None
        prompts = prompts_of(toolset, whole=opened.whole, first=first)
    except ToolsetError as error:
        return replace(opened, problems=(*opened.problems, *error.problems))
    except Exception as error:
        return replace(opened, problems=(*opened.problems, _unforeseen(opened.path, error)))
    if prompts.trouble:
        problems.append(Problem(str(opened.path), 1, 1, prompts.trouble))
    files, signature = opened.files, opened.signature
    if prompts.store is not None:  # accepting a snapshot, here or elsewhere, changes it
        folder = (prompts.store.folder,)
        files, signature = files + folder, signature + signature_of(folder)
    return replace(opened, prompts=prompts, problems=tuple(problems), files=files, signature=signature)


def _unforeseen(path: Path, error: Exception) -> Problem:
    return Problem(str(path), 1, 1, f"{type(error).__name__}: {error}")


def _read(path: Path) -> OpenedToolset:
    problems: list[Problem] = []
    broken: tuple[str, ...] = ()
    before = signature_of((path,))  # so that a change during the reading counts
    if path.is_dir():
        toolset = from_directory(path)
    else:
        found = load_partly(path)
        problems += found.problems
        if found.toolset is None:
            raise ToolsetError(problems)
        toolset, broken = found.toolset, found.broken
    forget_modules(toolset)
    files = files_of(toolset)
    signature = before + signature_of(files[1:])
    try:
        tools = toolset.entries()
    except ToolsetError as error:  # the declared tools stay usable without the source
        problems += error.problems
        toolset = replace(toolset, sources=(), _found=None, _tool=None)
        tools = toolset.entries()
    problems += toolset.warnings
    return OpenedToolset(path, toolset, tools, broken, tuple(problems), files=files, signature=signature)


def forget_modules(toolset: Toolset) -> None:
    """Forget the modules of a toolset's Python callbacks, so that the next import sees their author's changes.

    Only modules in the toolset's own folder are forgotten, and no package that was loaded before the inspector.
    """
    for item in toolset.declared:
        if not isinstance(item.callback, PythonCallback):
            continue
        top, folder = item.callback.dotted.partition(".")[0], item.callback.folder.resolve()
        if top in _BEFORE:
            continue
        for name, module in sys.modules.copy().items():
            file = getattr(module, "__file__", None) if name == top or name.startswith(f"{top}.") else None
            if file is not None and Path(file).resolve().is_relative_to(folder):
                sys.modules.pop(name, None)

"""load(), load_partly() and check(): from the path of a toolset file to a Toolset, or to everything that is wrong with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import CallbackNotFoundError, Problem, ToolsetError
from bashkit.toolset.building import Compiler
from bashkit.toolset.callbacks.python import PythonTarget
from bashkit.toolset.reading.document import Document
from bashkit.toolset.reading.reader import Reader, ordered
from bashkit.toolset.toolset import Toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.toolset.reading.document import Path as DocumentPath


def load(path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """Read a toolset file. Nothing of it is imported or run.

    Args:
        path: The file.
        environ: Where ``${VAR}`` and ``secrets`` come from; the process's environment when left out. ``SHELLCLAW_STUB=1`` in it
            puts stubs in the place of callbacks.

    Raises:
        ToolsetError: With every mistake in it and in what it includes.
    """
    found = load_partly(path, environ=environ)
    if found.toolset is None or found.problems:
        raise ToolsetError(list(found.problems))
    return found.toolset


@dataclass(frozen=True, slots=True)
class PartlyLoaded:
    """What can be used of a toolset file.

    Attributes:
        toolset: The tools and settings in which no mistake is; None when the file is no toolset at all.
        broken: The names of the tools that have mistakes.
        problems: Every mistake, in the order of files and lines.
        astray: The callbacks of the broken tools, with the place of the tool, as far as they are written well themselves.
    """

    toolset: Toolset | None
    broken: tuple[str, ...]
    problems: tuple[Problem, ...]
    astray: tuple[tuple[Document, DocumentPath, Callable[..., Any]], ...] = ()


def load_partly(path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> PartlyLoaded:
    """Read a toolset file and take what is right in it. Nothing of it is imported or run, and nothing is raised.

    Args:
        path: The file.
        environ: As for ``load``.
    """
    environ = os.environ if environ is None else environ
    reader = Reader(Path(path), environ)
    if reader.root is None or not isinstance(reader.root.value, dict):
        return PartlyLoaded(None, (), tuple(reader.problems))
    compiler = Compiler(reader, environ)
    toolset = compiler.toolset(reader.root)
    return PartlyLoaded(toolset, tuple(compiler.broken), tuple(reader.problems), tuple(compiler.astray))


def check(
    path: str | os.PathLike[str],
    resolve: bool = True,
    *,
    advise: bool = False,
    rehearse: bool = False,
    environ: Mapping[str, str] | None = None,
) -> list[Problem]:
    """Every mistake in a toolset file.

    Args:
        path: The file.
        resolve: Also look for what it points at: import Python callbacks, find executables, ask sources, measure the prompt.
        advise: Also give warnings about what works and could be better, where there is no mistake.
        rehearse: Also try the examples and run the tests with stubs, where there is no mistake.
        environ: As for ``load``.
    """
    found = load_partly(path, environ=environ)
    problems = list(found.problems)
    if not resolve or found.toolset is None:
        return problems
    targets = [(item.document, item.path, item.callback) for item in found.toolset.declared]
    problems += [problem for target in (*targets, *found.astray) for problem in _target_problems(*target)]
    if found.problems:
        return ordered(problems)
    problems += _prompt_problems(found.toolset)
    if not problems:
        problems += _further(found.toolset, environ, advise=advise, rehearse=rehearse)
    return ordered(problems)


def _further(toolset: Toolset, environ: Mapping[str, str] | None, *, advise: bool, rehearse: bool) -> list[Problem]:
    found: list[Problem] = []
    if advise:
        from bashkit.toolset.checking import lint

        found += lint.lint(toolset)
    if rehearse:
        from bashkit.toolset.checking import examples

        found += examples.run_examples(toolset, environ)
    return found


def _target_problems(document: Document, path: DocumentPath, callback: Callable[..., Any]) -> list[Problem]:
    resolve = getattr(callback, "resolve", None)
    if resolve is None:  # a stub
        return []
    complaint = ""
    try:
        resolve()
        if isinstance(callback, PythonTarget):
            complaint = callback.complaint()
    except CallbackNotFoundError as error:
        complaint = str(error)
    key: str = getattr(callback, "key", "")
    return [document.problem((*path, "callback", key), complaint)] if complaint else []


def _prompt_problems(toolset: Toolset) -> list[Problem]:
    """What asking the sources and writing the prompt brings to light."""
    try:
        prompt = toolset.tool.system_prompt()
    except ToolsetError as error:
        return error.problems
    problems = list(toolset.warnings)
    if toolset.max_chars is not None and len(prompt) > toolset.max_chars:
        message = f"the system prompt has {len(prompt)} characters, more than max_chars allows"
        problems.append(toolset.document.problem(("prompt", "max_chars"), message, hint="shorten descriptions, or allow more"))
    return problems


def from_directory(directory: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """A toolset of the executables in a directory that describe themselves; they run in the current directory.

    Args:
        directory: Where they are.
        environ: ``SHELLCLAW_STUB=1`` in it is told to them; the process's environment when left out.
    """
    from bashkit.toolset.sources.executables import ExecutableSource

    path = Path(directory)
    environ = os.environ if environ is None else environ
    document = Document(str(path), "")
    source = ExecutableSource(directory=path.resolve(), cwd=Path.cwd(), timeout=None, document=document, path=())
    stubbed = environ.get("SHELLCLAW_STUB") == "1"
    return Toolset(path.resolve().name, "", path, document, (), (source,), stubbed=stubbed)

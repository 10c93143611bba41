"""Provides check(), which finds every mistake in a toolset file and in what the file refers to."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import CallbackNotFoundError, ToolsetError
from bashkit.toolset.callback import Callback
from bashkit.toolset.callbacks.python import target_of
from bashkit.toolset.checking.profiles import PROFILE, profiles_of
from bashkit.toolset.checking.reader import ordered
from bashkit.toolset.declaration import LIFE
from bashkit.toolset.loading import load_partly

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.errors import Problem
    from bashkit.toolset.loading import PartlyLoaded
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath
    from bashkit.toolset.toolset import Toolset


def check(
    path: str | os.PathLike[str],
    resolve: bool = True,
    *,
    advise: bool = False,
    rehearse: bool = False,
    environ: Mapping[str, str] | None = None,
    profile: str | None = None,
) -> list[Problem]:
    """Find every mistake in a toolset file, and in each of its profiles.

    Args:
        path: The file.
        resolve: Also check what the file refers to: import Python callbacks, find executables, ask sources, measure the prompt.
        advise: If there is no mistake, also warn about what works but could be better.
        rehearse: If there is no mistake, also try the examples and run the tests with stubs.
        environ: As for ``load``.
        profile: Check only with this profile; "" for none.
    """
    given = (os.environ if environ is None else environ).get(PROFILE) if profile is None else profile
    found = load_partly(path, environ=environ, profile=given or "")
    problems = _check(found, resolve=resolve, advise=advise, rehearse=rehearse, environ=environ)
    if given is not None:
        return problems
    seen = {(problem.file, problem.line, problem.column, problem.message) for problem in problems}
    for name in profiles_of(found.toolset.document.value if found.toolset is not None else None):
        found = load_partly(path, environ=environ, profile=name)
        for problem in _check(found, resolve=resolve, advise=advise, rehearse=False, environ=environ):
            if (problem.file, problem.line, problem.column, problem.message) not in seen:
                seen.add((problem.file, problem.line, problem.column, problem.message))
                problems.append(replace(problem, message=f"with the profile {name}: {problem.message}"))
    return ordered(problems)


def _check(
    found: PartlyLoaded, *, resolve: bool, advise: bool, rehearse: bool, environ: Mapping[str, str] | None
) -> list[Problem]:
    problems = list(found.problems)
    if not resolve or found.toolset is None:
        return problems
    targets = [(item.document, item.path, item.callback) for item in found.toolset.declared]
    problems += [problem for target in (*targets, *found.broken_callbacks) for problem in _target_problems(*target)]
    problems += _life_problems(found.toolset)
    if found.problems:
        return ordered(problems)
    problems += _prompt_problems(found.toolset)
    if all(problem.severity == "warning" for problem in problems):
        problems += _further(found.toolset, environ, advise=advise, rehearse=rehearse)
    return ordered(problems)


def _further(toolset: Toolset, environ: Mapping[str, str] | None, *, advise: bool, rehearse: bool) -> list[Problem]:
    found: list[Problem] = []
    if advise:
        from bashkit.toolset.linting import lint

        found += lint.lint(toolset, strict=rehearse)
    if rehearse:
        from bashkit.toolset.linting import examples

        found += examples.run_examples(toolset, environ)
    return found


def _target_problems(document: Document, path: DocumentPath, callback: Callable[..., Any]) -> list[Problem]:
    if not isinstance(callback, Callback):  # a stub
        return []
    try:
        callback.resolve()
        complaint = callback.complaint()
    except CallbackNotFoundError as error:
        complaint = str(error)
    return [document.problem((*path, "callback", callback.key), complaint)] if complaint else []


def _life_problems(toolset: Toolset) -> list[Problem]:
    """The problems of the functions that ``setup`` and ``teardown`` name."""
    problems: list[Problem] = []
    for document in {id(item.document): item.document for item in toolset.declared}.values():
        for key in LIFE:
            target = target_of(document, Path(document.file).parent.resolve(), key)
            try:
                if target is not None:
                    target.resolve()
            except CallbackNotFoundError as error:
                problems.append(document.problem((key,), str(error)))
    return problems


def _prompt_problems(toolset: Toolset) -> list[Problem]:
    """The problems that appear when sources are asked and the prompt is written."""
    try:
        problem = toolset.prompt_problem()
    except ToolsetError as error:
        return error.problems
    return [*toolset.warnings, *([] if problem is None else [problem])]

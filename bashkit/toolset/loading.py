"""load() and check(): from the path of a toolset file to a Toolset, or to everything that is wrong with it."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import CallbackNotFoundError, DefinitionError, Problem, ToolsetError
from bashkit.limits import ExecutionLimits
from bashkit.tools.definition import Example, ToolDef
from bashkit.tools.policy import Policy
from bashkit.tools.result import ToolResult, convert
from bashkit.tools.retry import Retry
from bashkit.toolset import document as documents
from bashkit.toolset.checking import check_format, check_meaning, mounts_of, sources_of, tools_of
from bashkit.toolset.document import Document
from bashkit.toolset.executable import TIMEOUT, ExecutableTarget
from bashkit.toolset.notation import duration, substitute
from bashkit.toolset.targets import PythonTarget
from bashkit.toolset.toolset import DeclaredTool, DirectoryMount, ExecutableSource, Toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bashkit.tools.arguments import ToolArgs
    from bashkit.toolset.document import Mark


def load(path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """Read a toolset file. Nothing of it is imported or run.

    Args:
        path: The file.
        environ: Where ``${VAR}`` and ``secrets`` come from; the process's environment when left out. ``SHELLCLAW_STUB=1`` in it
            puts stubs in the place of callbacks.

    Raises:
        ToolsetError: With every mistake in it and in what it includes.
    """
    reader = _Reader(os.environ if environ is None else environ)
    toolset = reader.load(path)
    if toolset is None or reader.problems:
        raise ToolsetError(reader.problems)
    return toolset


def check(path: str | os.PathLike[str], resolve: bool = True, *, environ: Mapping[str, str] | None = None) -> list[Problem]:
    """Every mistake in a toolset file.

    Args:
        path: The file.
        resolve: Also look for what it points at: import Python callbacks, find executables, ask sources, measure the prompt.
        environ: As for ``load``.
    """
    reader = _Reader(os.environ if environ is None else environ)
    try:
        toolset = reader.load(path)
    except ToolsetError as error:
        return error.problems
    if not resolve:
        return reader.problems
    found = _unresolved(toolset) if toolset is not None else reader.missing_targets()
    return _ordered(reader.problems + found)


def _unresolved(toolset: Toolset) -> list[Problem]:
    problems = [problem for item in toolset.declared for problem in _target_problems(item)]
    try:
        prompt = toolset.tool.system_prompt()
    except ToolsetError as error:
        return problems + error.problems
    problems += toolset.warnings
    if toolset.max_chars is not None and len(prompt) > toolset.max_chars:
        message = f"the system prompt has {len(prompt)} characters, more than max_chars allows"
        problems.append(toolset.document.problem(("prompt", "max_chars"), message, hint="shorten descriptions, or allow more"))
    return problems


def _target_problems(item: DeclaredTool) -> list[Problem]:
    if not isinstance(item.callback, (PythonTarget, ExecutableTarget)):
        return []
    try:
        item.callback.resolve()
    except CallbackNotFoundError as error:
        key = "python" if isinstance(item.callback, PythonTarget) else "executable"
        return [item.document.problem((*item.path, "callback", key), str(error))]
    return []


def _ordered(problems: list[Problem]) -> list[Problem]:
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line, problem.column))


@dataclass(frozen=True, slots=True)
class Stub:
    """A callback that gives the same value at every call."""

    value: Any

    def __call__(self, args: ToolArgs) -> ToolResult:  # noqa: ARG002 - the callback's signature
        """The value."""
        result = convert(self.value)
        if isinstance(self.value, str) and not self.value.endswith("\n"):
            return replace(result, stdout=self.value + "\n")
        return result


class _Reader:
    """Reads a file and what it includes, and collects the problems of all of them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._stubbed = environ.get("SHELLCLAW_STUB") == "1"
        self._documents: dict[Path, Document] = {}
        self._unreadable: list[Problem] = []

    @property
    def problems(self) -> list[Problem]:
        found = self._unreadable + [problem for document in self._documents.values() for problem in document.problems]
        return _ordered(found)

    def load(self, path: str | os.PathLike[str]) -> Toolset | None:
        root = self._read(Path(path))
        if root is None or not isinstance(root.value, dict):
            return None
        self._duplicates()
        if self.problems:
            return None
        return self._toolset(Path(path), root)

    def missing_targets(self) -> list[Problem]:
        """Callbacks that lead nowhere in files that have other mistakes too: the callbacks that are written well are looked up."""
        found: list[Problem] = []
        for document in self._documents.values():
            folder = Path(document.file).parent.resolve()
            for path, tool in tools_of(document.value) if isinstance(document.value, dict) else ():
                callback = tool.get("callback")
                key = next((key for key in ("python", "executable") if isinstance(callback, dict) and isinstance(callback.get(key), str)), None)
                if key is None or not callback:
                    continue
                target = PythonTarget(callback[key], folder, "") if key == "python" else ExecutableTarget(folder / callback[key])
                try:
                    target.resolve()
                except CallbackNotFoundError as error:
                    found.append(document.problem((*path, "callback", key), str(error)))
        return found

    def _read(self, path: Path, included: tuple[Document, documents.Path] | None = None) -> Document | None:
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            if included is None:
                self._unreadable.append(Problem(str(path), 1, 1, f"the file cannot be read: {reason}"))
            else:
                included[0].at(included[1], f"the included file cannot be read: {reason}")
            return None
        document = documents.read(text.removeprefix("\ufeff"), str(path))
        self._documents[path.resolve()] = document
        if document.value is None:
            return document
        check_format(document)
        check_meaning(document, self._environ)
        self._include(document, path)
        return document

    def _include(self, document: Document, path: Path) -> None:
        value = document.value if isinstance(document.value, dict) else {}
        names = value.get("include")
        for index, name in enumerate(names if isinstance(names, list) else ()):
            if not isinstance(name, str):
                continue
            other = path.parent / name
            if other.resolve() in self._documents:
                document.at(("include", index), f"{name} is included already")
            else:
                self._read(other, (document, ("include", index)))

    def _duplicates(self) -> None:
        first: dict[str, tuple[Document, Mark]] = {}
        for document in self._documents.values():
            if not isinstance(document.value, dict):
                continue
            for path, tool in tools_of(document.value):
                name = tool.get("name")
                if not isinstance(name, str):
                    continue
                mark = document.mark((*path, "name"))
                if name in first:
                    other, place = first[name]
                    document.at((*path, "name"), f"two tools are called {name!r}", hint=f"the other one: {other.file}:{place.line}")
                else:
                    first[name] = (document, mark)

    def _toolset(self, path: Path, root: Document) -> Toolset | None:
        value = root.value
        env: dict[str, str] = {}
        declared: list[DeclaredTool] = []
        sources: list[ExecutableSource] = []
        secrets: dict[str, str] = {}
        for document in reversed(self._documents.values()):  # what includes has the last word on env
            env |= {name: self._text(text) for name, text in document.value.get("env", {}).items()}
            secrets |= {name: self._environ[name] for name in document.value.get("secrets", ()) if name in self._environ}
        for document in self._documents.values():
            folder = Path(document.file).parent
            declared += self._tools(document, folder.resolve())
            sources += self._sources(document, folder.resolve())
        for index, name in enumerate(value.get("secrets", ())):
            if name in env:
                root.at(("secrets", index), f"{name} is both a secret and part of env, which scripts see")
        prompt = value.get("prompt", {})
        return Toolset(
            name=value["name"],
            description=value.get("description", ""),
            path=path,
            document=root,
            declared=tuple(declared),
            sources=tuple(sources),
            env=env,
            secrets=secrets,
            limits=_limits(value["limits"]) if "limits" in value else None,
            context=tuple(self._context(root, path.parent, prompt.get("context", ()))),
            max_chars=prompt.get("max_chars"),
            mounts=tuple(self._mounts(root, path.parent.resolve())),
            options=_options(value),
            stubbed=self._stubbed,
        )

    def _text(self, value: Any) -> str:
        if isinstance(value, str):
            return substitute(value, self._environ)
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    def _tools(self, document: Document, folder: Path) -> list[DeclaredTool]:
        declared = []
        for path, tool in tools_of(document.value):
            try:
                definition = _definition(tool)
            except DefinitionError as error:
                document.at(path, str(error))
                continue
            callback = self._callback(document, path, tool, folder)
            declared.append(DeclaredTool(definition, callback, document, path))
        return declared

    def _callback(self, document: Document, path: documents.Path, tool: Mapping[str, Any], folder: Path) -> Callable[..., Any]:
        callback = tool.get("callback")
        if callback is None or (self._stubbed and "stub" in tool):
            return Stub(tool["stub"])
        key = "python" if "python" in callback else "executable"
        mark = document.mark((*path, "callback", key))
        place = f"{document.file}:{mark.line}:{mark.column}"
        if key == "python":
            return PythonTarget(callback["python"], folder, place)
        return ExecutableTarget(
            folder / callback["executable"],
            style=callback.get("arguments", "json"),
            cwd=folder / self._text(callback.get("cwd", ".")),
            timeout=duration(tool["timeout"]) if "timeout" in tool else TIMEOUT,
            place=place,
            env={"SHELLCLAW_STUB": "1"} if self._stubbed else {},
        )

    def _sources(self, document: Document, folder: Path) -> list[ExecutableSource]:
        return [
            ExecutableSource(
                directory=folder / self._text(source["executables"]),
                cwd=folder / self._text(source.get("cwd", ".")),
                timeout=duration(source["timeout"]) if "timeout" in source else None,
                document=document,
                path=path,
            )
            for path, source in sources_of(document.value)
        ]

    def _mounts(self, document: Document, folder: Path) -> Iterator[DirectoryMount]:
        for path, mount in mounts_of(document.value):
            directory = folder / self._text(mount["directory"])
            if not directory.is_dir():
                document.at((*path, "directory"), f"there is no directory {mount['directory']}")
            yield DirectoryMount(mount["at"], directory, mount.get("access", "read"))

    def _context(self, document: Document, folder: Path, patterns: list[str]) -> list[str]:
        texts = []
        for index, pattern in enumerate(patterns):
            wild = any(letter in pattern for letter in "*?[")
            found = sorted(folder.glob(pattern)) if wild else [folder / pattern]
            for path in found:
                try:
                    texts.append(path.read_text(encoding="utf-8"))
                except (OSError, UnicodeDecodeError) as error:
                    reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
                    document.at(("prompt", "context", index), f"{path.name} cannot be read: {reason}")
        return texts


def _definition(tool: Mapping[str, Any]) -> ToolDef:
    python = "python" in tool.get("callback", {})
    return ToolDef(
        name=tool["name"],
        description=tool.get("description", ""),
        input_schema=tool.get("input_schema", {}),
        output_schema=tool.get("output_schema"),
        tags=tuple(tool.get("tags", ())),
        category=tool.get("category", ""),
        examples=tuple(Example(item) if isinstance(item, str) else Example(**item) for item in tool.get("examples", ())),
        effects=tool.get("effects"),
        stdin=tool.get("stdin", True),
        override=tool.get("override", False),
        inline=tool.get("inline", False),
        timeout=duration(tool["timeout"]) if python and "timeout" in tool else None,  # an executable's target keeps its own
        sanitize=tool.get("sanitize", True),
        max_calls=tool.get("max_calls"),
        retry=_retry(tool["retry"]) if "retry" in tool else None,
        cache=duration(tool["cache"]) if "cache" in tool else None,
        validate_output=tool.get("validate_output"),
    )


def _retry(value: Mapping[str, Any]) -> Retry:
    known = {field.name for field in fields(Retry)}
    given: dict[str, Any] = {key: duration(part) if key.endswith("backoff") else part for key, part in value.items() if key in known}
    if "exit_codes" in given:
        given["exit_codes"] = tuple(given["exit_codes"])
    return Retry(**given)


def _options(value: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says about ScriptedTool itself."""
    output = value.get("output", {})
    options: dict[str, Any] = {
        "filesystem": value.get("filesystem", "memory"),
        "persistent": value.get("session") == "persistent",
        "hints": value.get("hints", True),
        "max_result_chars": output.get("max_chars"),
        "validate_output": output.get("validate", "off"),
        "prompt_mode": value.get("prompt", {}).get("mode", "full"),
    }
    if "policy" in value:
        rules = {None if effects == "undeclared" else effects: rule for effects, rule in value["policy"].items() if effects[:2] != "x-"}
        options["policy"] = Policy(rules)
    return options


def _limits(value: Mapping[str, Any]) -> ExecutionLimits:
    known = {field.name for field in fields(ExecutionLimits)}
    given: dict[str, Any] = {key: duration(limit) if key == "timeout" else limit for key, limit in value.items() if key in known}
    return ExecutionLimits(**given)


def from_directory(directory: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """A toolset of the executables in a directory that describe themselves; they run in the current directory.

    Args:
        directory: Where they are.
        environ: ``SHELLCLAW_STUB=1`` in it is told to them; the process's environment when left out.
    """
    path = Path(directory)
    environ = os.environ if environ is None else environ
    document = Document(str(path), "")
    source = ExecutableSource(directory=path.resolve(), cwd=Path.cwd(), timeout=None, document=document, path=())
    stubbed = environ.get("SHELLCLAW_STUB") == "1"
    return Toolset(path.resolve().name, "", path, document, (), (source,), stubbed=stubbed)

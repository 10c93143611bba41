"""What can still be used of a toolset file with mistakes: the tools and settings in which no mistake is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.limits import ExecutionLimits
from bashkit.tools import Example, ToolDef
from bashkit.toolset import DeclaredTool, ExecutableSource, Toolset, document
from bashkit.toolset.checking import sources_of, tools_of
from bashkit.toolset.document import Document, dotted
from bashkit.toolset.executable import TIMEOUT, ExecutableTarget
from bashkit.toolset.loading import Stub
from bashkit.toolset.notation import duration, substitute
from bashkit.toolset.targets import PythonTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bashkit.errors import Problem

# the keys of a tool that are fields of ToolDef as they are; the others need a conversion
_FIELDS = (
    "name",
    "description",
    "input_schema",
    "output_schema",
    "category",
    "effects",
    "stdin",
    "override",
    "inline",
    "sanitize",
    "max_calls",
)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What is left of a file with mistakes.

    Attributes:
        toolset: The tools and settings that are right; None when the file is no toolset at all.
        broken: The names of the tools that are not.
    """

    toolset: Toolset | None
    broken: tuple[str, ...] = ()


def salvage(path: Path, problems: Sequence[Problem], environ: Mapping[str, str] | None = None) -> Salvaged:
    """Take what is right from a file that ``bashkit.toolset.load`` refuses. Nothing of it is imported or run.

    Args:
        path: The toolset file.
        problems: What ``load`` found wrong with it and with what it includes.
        environ: Where ``${VAR}`` and ``secrets`` come from; the process's environment when left out.
    """
    return _Salvage(path, problems, os.environ if environ is None else environ).result()


class _Salvage:
    def __init__(self, path: Path, problems: Sequence[Problem], environ: Mapping[str, str]) -> None:
        self._path = path
        self._environ = environ
        self._wrong = {(problem.file, problem.path) for problem in problems}
        self._declared: list[DeclaredTool] = []
        self._sources: list[ExecutableSource] = []
        self._broken: list[str] = []

    def result(self) -> Salvaged:
        root = _read(self._path)
        if root is None:
            return Salvaged(None)
        for item in (root, *self._included(root)):
            self._take(item)
        value = root.value
        secrets = value.get("secrets") if self._right(root, "secrets") else None
        env = value.get("env") if self._right(root, "env") else None
        limits = value.get("limits") if self._right(root, "limits") else None
        toolset = Toolset(
            name=value["name"] if self._right(root, "name") and "name" in value else self._path.stem,
            description=value.get("description", "") if self._right(root, "description") else "",
            path=self._path,
            document=root,
            declared=tuple(self._declared),
            sources=tuple(self._sources),
            env={
                name: substitute(text, self._environ) if isinstance(text, str) else str(text)
                for name, text in (env or {}).items()
            },
            secrets={name: self._environ[name] for name in secrets or () if name in self._environ},
            limits=_limits(limits) if limits else None,
        )
        return Salvaged(toolset, tuple(self._broken))

    def _included(self, root: Document) -> Iterator[Document]:
        names = root.value.get("include")
        for name in names if isinstance(names, list) else ():
            found = _read(root_folder(root) / name) if isinstance(name, str) else None
            if found is not None:
                yield found

    def _right(self, item: Document, *path: str | int) -> bool:
        """Whether no mistake is in the value at ``path``."""
        start = dotted(path)
        inside = (f"{start}.", f"{start}[")
        return not any(file == item.file and (where == start or where.startswith(inside)) for file, where in self._wrong)

    def _take(self, item: Document) -> None:
        taken = {one.definition.name for one in self._declared}
        for path, tool in tools_of(item.value):
            name = str(tool.get("name", f"tool {path[-1]}"))
            try:
                declared = self._tool(item, path, tool) if self._right(item, *path) and name not in taken else None
            except (BashkitError, TypeError, ValueError, KeyError):  # its problem is in the list already
                declared = None
            if declared is None:
                self._broken.append(name)
            else:
                taken.add(name)
                self._declared.append(declared)
        for path, source in sources_of(item.value):
            if self._right(item, *path):
                self._sources.append(self._source(item, path, source))

    def _tool(self, item: Document, path: document.Path, tool: Mapping[str, Any]) -> DeclaredTool:
        python = "python" in tool.get("callback", {})
        definition = ToolDef(
            **{key: tool[key] for key in _FIELDS if key in tool},
            tags=tuple(tool.get("tags", ())),
            examples=tuple(Example(one) if isinstance(one, str) else Example(**one) for one in tool.get("examples", ())),
            timeout=duration(tool["timeout"]) if python and "timeout" in tool else None,
        )
        return DeclaredTool(definition, self._callback(item, path, tool), item, path)

    def _callback(self, item: Document, path: document.Path, tool: Mapping[str, Any]) -> Callable[..., Any]:
        callback = tool.get("callback")
        stubbed = self._environ.get("SHELLCLAW_STUB") == "1" and "stub" in tool
        if callback is None or stubbed:
            return Stub(tool["stub"])
        key = "python" if "python" in callback else "executable"
        mark = item.mark((*path, "callback", key))
        place = f"{item.file}:{mark.line}:{mark.column}"
        folder = root_folder(item)
        if key == "python":
            return PythonTarget(callback["python"], folder, place)
        return ExecutableTarget(
            folder / callback["executable"],
            style=callback.get("arguments", "json"),
            cwd=folder / substitute(callback.get("cwd", "."), self._environ),
            timeout=duration(tool["timeout"]) if "timeout" in tool else TIMEOUT,
            place=place,
        )

    def _source(self, item: Document, path: document.Path, source: Mapping[str, Any]) -> ExecutableSource:
        folder = root_folder(item)
        return ExecutableSource(
            directory=folder / substitute(source["executables"], self._environ),
            cwd=folder / substitute(source.get("cwd", "."), self._environ),
            timeout=duration(source["timeout"]) if "timeout" in source else None,
            document=item,
            path=path,
        )


def root_folder(item: Document) -> Path:
    """The folder that the paths in a file start from."""
    return Path(item.file).parent.resolve()


def _read(path: Path) -> Document | None:
    """A file as a mapping with positions, or None when it is not one."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):  # among the problems already
        return None
    found = document.read(text.removeprefix("\ufeff"), str(path))
    return found if isinstance(found.value, dict) else None


def _limits(value: Mapping[str, Any]) -> ExecutionLimits:
    given: dict[str, Any] = {key: duration(limit) if key == "timeout" else limit for key, limit in value.items()}
    return ExecutionLimits(**given)

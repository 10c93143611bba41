"""Reads a toolset file and the files it includes into documents with positions and problems."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bashkit import host_files
from bashkit.errors import Problem
from bashkit.toolset.checking.format import check_format
from bashkit.toolset.checking.profiles import apply_profile
from bashkit.toolset.checking.rules import check_rules, check_texts, tools_of
from bashkit.toolset.text import document as documents
from bashkit.toolset.text.env_files import EnvFileError, read_env_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.toolset.text.document import Document, Mark


class Reader:
    """Reads one toolset file and what it includes.

    Args:
        path: The file.
        environ: The values of ``${VAR}``.
        profile: The profile to apply; "" for none.

    Attributes:
        root: The file itself; None if it cannot be read.
        documents: The file and those it includes, in the order of reading.
        environ: The environment with the variables of ``env_file``.
    """

    def __init__(self, path: Path, environ: Mapping[str, str], profile: str = "") -> None:
        self.documents: list[Document] = []
        self.environ = environ
        self._profile = profile
        self._seen: set[str] = set()
        self._chain: list[Path] = []
        self._unreadable: list[Problem] = []
        self.root = self._read(path)
        self._duplicates()

    @property
    def problems(self) -> list[Problem]:
        """The problems of all documents, in the order of files and lines."""
        return ordered(self._unreadable + [problem for document in self.documents for problem in document.problems])

    def _read(self, path: Path, included: tuple[Document, documents.Path] | None = None, prefix: str = "") -> Document | None:
        try:
            text = host_files.read_text(path, pipes=included is None)
        except OSError as error:
            if included is None:
                self._unreadable.append(Problem(str(path), 1, 1, f"the file cannot be read: {error.strerror}"))
            else:
                included[0].at(included[1], f"the included file cannot be read: {error.strerror}")
            return None
        document = documents.read(text.removeprefix("\ufeff"), str(path))
        document.prefix = prefix
        self.documents.append(document)
        self._seen.add(os.path.realpath(path))
        if document.value is None and document.problems:
            return document
        if self._profile:
            apply_profile(document, self._profile, required=included is None)
        check_format(document)
        check_texts(document)
        self._add_env_file(document, path)
        check_rules(document, self.environ)
        self._chain.append(path)
        self._include(document, path)
        self._chain.pop()
        return document

    def _include(self, document: Document, path: Path) -> None:
        value = document.value if isinstance(document.value, dict) else {}
        names = value.get("include")
        for index, entry in enumerate(names if isinstance(names, list) else ()):
            name = entry.get("file") if isinstance(entry, dict) else entry
            if not isinstance(name, str) or not name or not document.right(("include", index)):
                continue
            other = path.parent / name
            real = os.path.realpath(other)  # of links that go in a circle, too
            above = [os.path.realpath(place) for place in self._chain]
            if real in above:
                circle = [place.name for place in self._chain[above.index(real) :]]
                message = (
                    f"the files include each other: {' > '.join([*circle, circle[0]])}"
                    if len(circle) > 1
                    else "the file includes itself"
                )
                document.at(("include", index), message)
            elif real in self._seen:
                document.at(("include", index), f"{name} is included already")
            else:
                prefix = entry.get("prefix", "") if isinstance(entry, dict) else ""
                self._read(other, (document, ("include", index)), document.prefix + prefix)

    def _add_env_file(self, document: Document, path: Path) -> None:
        name = document.value.get("env_file") if isinstance(document.value, dict) else None
        if isinstance(name, str) and name and document.right(("env_file",)):
            try:
                self.environ = {**read_env_file(path.parent / name), **self.environ}
            except EnvFileError as error:
                document.at(("env_file",), str(error))

    def _duplicates(self) -> None:
        first: dict[str, tuple[Document, Mark]] = {}
        for document in self.documents:
            if not isinstance(document.value, dict):
                continue
            for path, tool in tools_of(document.value):
                name = tool.get("name")
                if not isinstance(name, str):
                    continue
                name = document.prefix + name
                mark = document.mark((*path, "name"))
                if name in first:
                    other, place = first[name]
                    document.at(
                        (*path, "name"), f"two tools are called {name!r}", hint=f"the other one: {other.file}:{place.line}"
                    )
                else:
                    first[name] = (document, mark)


def ordered(problems: list[Problem]) -> list[Problem]:
    """Sort problems by file, line and column, without duplicates."""
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line, problem.column))

"""The tests of a toolset file: scripts, what they should print, and which of their outputs are kept."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.toolset.text.document import Document, Mark
    from bashkit.toolset.text.document import Path as DocumentPath
    from bashkit.toolset.toolset import Toolset


@dataclass(frozen=True, slots=True)
class DeclaredTest:
    """One entry of ``tests``.

    Attributes:
        name: What it shows, in the author's words.
        script: What runs.
        callbacks: ``stub``: a tool's ``stub`` stands in for its callback where it has one; ``real``: every callback runs.
        stdout, stderr: What it should write, or None where that does not matter. A last newline that is missing here is forgiven.
        exit_code: The status it should have, or None where that does not matter.
        snapshot: What the model gets is kept beside the prompts.
        document: The file that declares it.
        path: Where in that file.
    """

    name: str
    script: str
    callbacks: Literal["stub", "real"]
    stdout: str | None
    stderr: str | None
    exit_code: int | None
    snapshot: bool
    document: Document = field(repr=False)
    path: DocumentPath

    @property
    def mark(self) -> Mark:
        """The position of the entry."""
        return self.document.mark(self.path)

    @property
    def file(self) -> str:
        """The name of the snapshot of its output."""
        return output_file(self.name)

    def failures(self, response: ToolResponse) -> list[str]:
        """In what the outcome departs from what was expected; [] when in nothing."""
        found = []
        if self.exit_code is not None and response.exit_code != self.exit_code:
            note = f": {response.stderr.strip()}" if response.stderr.strip() and self.stderr is None else ""
            found.append(f"expected exit status {self.exit_code}, got {response.exit_code}{note}")
        for stream, expected, actual in (("stdout", self.stdout, response.stdout), ("stderr", self.stderr, response.stderr)):
            if expected is not None and actual != expected and not (actual == f"{expected}\n" and not expected.endswith("\n")):
                found.append(_unequal(stream, expected, actual))
        return found


def _unequal(stream: str, expected: str, actual: str) -> str:
    from difflib import unified_diff

    lines = unified_diff(expected.splitlines(), actual.splitlines(), f"{stream} expected", f"{stream} now", lineterm="")
    diff = "\n".join(lines)
    return diff or f"{stream}: the number of newlines at its end is another one"


def declared_tests(value: Mapping[str, Any]) -> Iterator[tuple[DocumentPath, dict[str, Any]]]:
    """Every entry of ``tests`` that is an object, with its path."""
    tests = value.get("tests")
    for index, test in enumerate(tests if isinstance(tests, list) else ()):
        if isinstance(test, dict):
            yield ("tests", index), test


def script_tests(toolset: Toolset) -> tuple[DeclaredTest, ...]:
    """The tests of a toolset file; those of files that it includes are their own."""
    document = toolset.document
    value = document.value if isinstance(document.value, dict) else {}
    return tuple(_test(document, path, test) for path, test in declared_tests(value))


def _test(document: Document, path: DocumentPath, test: Mapping[str, Any]) -> DeclaredTest:
    expect: Mapping[str, Any] = test.get("expect", {})
    snapshot = bool(test.get("snapshot", False))
    return DeclaredTest(
        name=test["name"],
        script=test["script"],
        callbacks=test.get("callbacks", "stub"),
        stdout=expect.get("stdout"),
        stderr=expect.get("stderr"),
        exit_code=expect.get("exit_code", None if snapshot else 0),  # a snapshot says what the status is
        snapshot=snapshot,
        document=document,
        path=path,
    )


def output_file(name: str) -> str:
    """The name of the snapshot of a test's output: letters and digits as they are, spaces as hyphens, the rest percent-encoded."""
    text = unicodedata.normalize("NFC", name).replace(" ", "-")
    return f"test.{''.join(letter if letter.isalnum() else quote(letter, safe='-_') for letter in text)}.txt"

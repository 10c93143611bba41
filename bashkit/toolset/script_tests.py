"""The tests declared in a toolset file: their scripts, expected outputs and snapshots."""

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

_SYMBOLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {0x7F: 0x2421}  # of control characters
_BLANKS: dict[int, int] = {ord(" "): ord("·"), ord("\t"): ord("␉")}
_LONGEST = 2000  # characters of a line


@dataclass(frozen=True, slots=True)
class DeclaredTest:
    """One entry of ``tests``.

    Attributes:
        name: What the test shows, in the author's words.
        script: What runs.
        language: What it is written in.
        callbacks: ``stub``: a tool's ``stub`` stands in for its callback where it has one; ``real``: every callback runs.
        stdout, stderr: The expected output, or None if it does not matter. A missing final newline is ignored.
        exit_code: The expected status, or None if it does not matter.
        snapshot: Whether the model's output is kept as a snapshot beside the prompts.
        document: The declaring file.
        path: Its path in that file.
    """

    name: str
    script: str
    language: Literal["bash", "python"]
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
        """The differences between outcome and expectation; [] if there are none."""
        found = []
        said = response.stderr.strip() if self.stderr is None else ""
        wrong_status = self.exit_code is not None and response.exit_code != self.exit_code
        if wrong_status:
            found.append(f"expected exit status {self.exit_code}, got {response.exit_code}{said and f': {said}'}")
        for stream, expected, actual in (("stdout", self.stdout, response.stdout), ("stderr", self.stderr, response.stderr)):
            if expected is not None and actual != expected and not (actual == f"{expected}\n" and not expected.endswith("\n")):
                found.append(_unequal(stream, expected, actual))
        if found and said and not wrong_status:  # a command that failed inside a pipeline has said why
            found.append(f"stderr: {said}")
        return found


def _unequal(stream: str, expected: str, actual: str) -> str:
    """A diff in which nothing is invisible: control characters are symbols, and so are blanks if only these differ."""
    from difflib import unified_diff

    blanks = expected.split() == actual.split()
    before, after = ([_visible(line, blanks=blanks) for line in _lines(text)] for text in (expected, actual))
    diff = "\n".join(unified_diff(before, after, f"{stream} expected", f"{stream} now", lineterm=""))
    return diff or f"{stream}: it ends with a different number of newlines"


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _visible(line: str, *, blanks: bool) -> str:
    line = line.translate(_SYMBOLS | _BLANKS if blanks else _SYMBOLS)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"


def declared_tests(value: Mapping[str, Any]) -> Iterator[tuple[DocumentPath, dict[str, Any]]]:
    """Every entry of ``tests`` that is an object, with its path."""
    tests = value.get("tests")
    for index, test in enumerate(tests if isinstance(tests, list) else ()):
        if isinstance(test, dict):
            yield ("tests", index), test


def script_tests(toolset: Toolset) -> tuple[DeclaredTest, ...]:
    """The tests of a toolset file, without those of included files."""
    document = toolset.document
    value = document.value if isinstance(document.value, dict) else {}
    return tuple(_test(document, path, test) for path, test in declared_tests(value))


def _test(document: Document, path: DocumentPath, test: Mapping[str, Any]) -> DeclaredTest:
    expect: Mapping[str, Any] = test.get("expect", {})
    key = "python" if "python" in test else "script"
    snapshot = bool(test.get("snapshot", False))
    return DeclaredTest(
        name=test["name"],
        script=test[key],
        language="python" if key == "python" else "bash",
        callbacks=test.get("callbacks", "stub"),
        stdout=expect.get("stdout"),
        stderr=expect.get("stderr"),
        exit_code=expect.get("exit_code", None if snapshot else 0),  # a snapshot contains the status
        snapshot=snapshot,
        document=document,
        path=path,
    )


def output_file(name: str, kind: str = "test") -> str:
    """The name of the snapshot of a script's output: letters and digits unchanged, spaces as hyphens, the rest percent-encoded.

    Args:
        name: The name of the test, or of another script.
        kind: What it is.
    """
    text = unicodedata.normalize("NFC", name).replace(" ", "-")
    encoded = (letter if letter.isalnum() else quote(letter, safe="-_", errors="surrogatepass") for letter in text)
    return f"{kind}.{''.join(encoded)}.txt"

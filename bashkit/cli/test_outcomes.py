"""The outcomes of a toolset's tests: for people, as JSON, and as the JUnit XML that CI servers read."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from bashkit.toolset.testing.running import run_test

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.toolset import Toolset
    from bashkit.toolset.script_tests import DeclaredTest

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one test.

    Attributes:
        file: The toolset file.
        test: The test.
        response: What its script did.
        seconds: How long that took.
        failures: The differences from what is expected; empty if it passed.
    """

    file: Path
    test: DeclaredTest
    response: ToolResponse
    seconds: float
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything is as expected."""
        return not self.failures

    def text(self) -> str:
        """The outcome on one line."""
        return f"{self.file}:{self.test.mark.line}: {self.test.name}: {'passed' if self.passed else 'failed'}"

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON objects show it."""
        return {
            "file": str(self.file),
            "line": self.test.mark.line,
            "name": self.test.name,
            "passed": self.passed,
            "seconds": round(self.seconds, 3),
            "failures": list(self.failures),
            "stdout": self.response.stdout,
            "stderr": self.response.stderr,
            "exit_code": self.response.exit_code,
        }


def outcome(file: Path, toolset: Toolset, test: DeclaredTest) -> Outcome:
    """Run a test."""
    started = time.perf_counter()
    response = run_test(toolset, test)
    return Outcome(file, test, response, time.perf_counter() - started, tuple(test.failures(response)))


def junit(outcomes: Sequence[Outcome]) -> bytes:
    """Write outcomes as JUnit XML: one suite for each file."""
    root = ET.Element("testsuites", _counts(outcomes))
    for file in dict.fromkeys(item.file for item in outcomes):
        own = [item for item in outcomes if item.file == file]
        suite = ET.SubElement(root, "testsuite", {"name": _text(str(file)), **_counts(own)})
        for item in own:
            _case(suite, item)
    ET.indent(root)
    text: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return text + b"\n"


def _case(suite: ET.Element, item: Outcome) -> None:
    place = {"file": str(item.file), "line": str(item.test.mark.line)}
    names = {"classname": _text(str(item.file)), "name": _text(item.test.name), "time": f"{item.seconds:.3f}"}
    case = ET.SubElement(suite, "testcase", {**names, **{key: _text(value) for key, value in place.items()}})
    if item.failures:
        first = _text(item.failures[0].split("\n")[0])
        ET.SubElement(case, "failure", {"message": first}).text = _text("\n".join(item.failures))
    for name, text in (("system-out", item.response.stdout), ("system-err", item.response.stderr)):
        if text:
            ET.SubElement(case, name).text = _text(text)


def _counts(outcomes: Sequence[Outcome]) -> dict[str, str]:
    failed = sum(not item.passed for item in outcomes)
    seconds = sum(item.seconds for item in outcomes)
    return {"tests": str(len(outcomes)), "failures": str(failed), "errors": "0", "time": f"{seconds:.3f}"}


def _text(text: str) -> str:
    """The text with a replacement character for each one that XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)

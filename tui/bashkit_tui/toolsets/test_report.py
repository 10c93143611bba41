"""The outcomes of a toolset's tests, and which tools they say something about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError, PromptSnapshotError

if TYPE_CHECKING:
    from bashkit.errors import Problem
    from bashkit.tools import ToolCall
    from bashkit.toolset import Toolset
    from bashkit.toolset.script_tests import DeclaredTest


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """What came of one test.

    Attributes:
        test: The test.
        differences: What is not as expected, or not as in the snapshot; empty if it passed.
        tools: The tools that its script called.
    """

    __test__ = False  # its name says otherwise to pytest

    test: DeclaredTest
    differences: tuple[str, ...]
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class TestReport:
    """The outcomes of all tests of a toolset."""

    __test__ = False  # its name says otherwise to pytest

    outcomes: tuple[TestOutcome, ...]

    @property
    def failed(self) -> list[TestOutcome]:
        """The outcomes with differences."""
        return [outcome for outcome in self.outcomes if outcome.differences]

    @property
    def tools(self) -> frozenset[str]:
        """The tools that failed tests called."""
        return frozenset[str]().union(*(outcome.tools for outcome in self.failed))

    def problems(self) -> list[Problem]:
        """The failed tests as problems, at their places in the toolset file."""
        return [_problem(outcome) for outcome in self.failed]


def run_tests(toolset: Toolset) -> TestReport:
    """Run the tests of a toolset file, as ``bashkit test`` and ``bashkit snapshot`` do.

    Raises:
        ToolsetError: The toolset cannot be used.
    """
    from bashkit.toolset.script_tests import script_tests

    return TestReport(tuple(_run(toolset, test) for test in script_tests(toolset)))


def _run(toolset: Toolset, test: DeclaredTest) -> TestOutcome:
    from bashkit.prompts.collection import output
    from bashkit.prompts.snapshots import SnapshotStore
    from bashkit.toolset.testing.running import run_test

    called: set[str] = set()

    def note(call: ToolCall) -> None:
        called.add(call.tool)

    try:
        response = run_test(toolset, test, on_start=note)
    except BashkitError as error:
        return TestOutcome(test, (str(error),), frozenset(called))
    differences = test.failures(response)
    if test.snapshot:
        try:
            kept = SnapshotStore.of(toolset.path).look(test.file, output(response))
        except PromptSnapshotError as error:
            differences.append(str(error))
        else:
            differences += ["the output differs from its snapshot"] if kept.state == "changed" else []
    return TestOutcome(test, tuple(differences), frozenset(called))


def _problem(outcome: TestOutcome) -> Problem:
    """A failed test as a problem: a warning, for the toolset itself can be used."""
    test = outcome.test
    message = "\n".join((f"the test {test.name!r} failed", *outcome.differences))
    return replace(test.document.problem(test.path, message), severity="warning", code="test")

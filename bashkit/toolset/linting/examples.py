"""Checks examples as the tools would read them, and runs them and the declared tests with stubs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.syntax.reading import read_script
from bashkit.toolset.script_tests import script_tests
from bashkit.toolset.testing.callback_modes import in_mode
from bashkit.toolset.testing.running import run_test

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.errors import Problem
    from bashkit.syntax.reading import Reading
    from bashkit.tools.execute.scripted import ScriptedTool
    from bashkit.toolset.text.document import Path
    from bashkit.toolset.toolset import DeclaredTool, Toolset


def run_examples(toolset: Toolset, environ: Mapping[str, str] | None = None) -> Iterator[Problem]:
    """Report every example that its tools would refuse or that fails, and every test that fails.

    Args:
        toolset: A toolset without mistakes.
        environ: As for ``load``.

    Raises:
        ToolsetError: A source cannot be read.
    """
    stubbed = in_mode(toolset, "stub", environ=environ)
    try:
        for item in toolset.declared:
            for index, example in enumerate(item.definition.examples):
                for message in _example(toolset, stubbed, example.command):
                    yield item.document.problem((*item.path, "examples", index), message)
        for test in script_tests(toolset):
            if test.callbacks == "stub":
                for message in test.failures(run_test(stubbed, test, environ)):
                    yield test.document.problem((*test.path, "name"), f"the test {test.name!r} fails: {message}")
    finally:
        if stubbed is not toolset:
            stubbed.close()


def _example(toolset: Toolset, stubbed: Toolset, command: str) -> list[str]:
    from bashkit.toolset.linting.lint import known_commands

    read = read_script(command)
    if read.error is not None:
        return [f"the example is not a command line: {read.error.message}"]
    known = known_commands(toolset)
    found = [
        f"the example uses {item.name}, which is not a command"
        for item in read.commands
        if item.name and "/" not in item.name and item.name not in known | read.functions
    ]
    found += [f"the example is refused: {message}" for message in _refusals(toolset.tool, read)]
    if not found and _all_have_stubs(toolset, read):
        response = stubbed.make_tool(language="bash").execute_sync(command)
        if response.exit_code:
            reason = (response.stderr.strip() or response.error or "no message").splitlines()[0]
            found.append(f"the example fails with exit status {response.exit_code} when stubs replace callbacks: {reason}")
    return found


def _refusals(tool: ScriptedTool, read: Reading) -> Iterator[str]:
    """The messages with which tools would refuse the command lines whose words are all known."""
    for command in read.commands:
        adapter = tool.adapter(command.name or "")
        words = command.words[1:]
        if adapter is not None and None not in words:
            yield from (
                f"{command.name}: {problem}" for problem in adapter.refusals([word for word in words if word is not None])
            )


def _all_have_stubs(toolset: Toolset, read: Reading) -> bool:
    """Whether every tool that a script uses has a stub, so that running it has no real effects."""
    declared = {item.definition.name: item for item in toolset.entries()}
    used = [declared[word] for command in read.commands for word in command.words if word in declared]
    return bool(used) and all(map(_has_stub, used))


def _has_stub(item: DeclaredTool) -> bool:
    path: Path = item.path
    value = item.document.value
    for step in path:
        value = value[step]
    return isinstance(value, dict) and bool(value.keys() & {"stub", "stubs"})

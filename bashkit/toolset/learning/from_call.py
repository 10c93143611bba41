"""What one recorded call teaches a toolset file: an output schema, a stub, an example or a test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bashkit import host_files
from bashkit.errors import BashkitError
from bashkit.tools import json_text
from bashkit.tools.call.command_line import call_line
from bashkit.toolset.learning.lessons import lessons
from bashkit.toolset.writing.appending import with_item
from bashkit.toolset.writing.inserting import with_key
from bashkit.toolset.writing.saving import save

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.tools import ToolCall
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.toolset import DeclaredTool, Toolset

_LONG_OUTPUT = 2_000  # characters from which an output is no example, and a snapshot instead of text in a test
_LONG_NAME = 60  # characters of the name of a test


class NothingLearnedError(BashkitError):
    """A call teaches no such thing; the message says why."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A change of a toolset file.

    Attributes:
        document: The file as it was read.
        text: Its new text.
    """

    document: Document
    text: str

    def save(self) -> None:
        """Write the file.

        Raises:
            NothingLearnedError: It has changed since it was read, or cannot be read.
            BashkitError: It cannot be written.
        """
        path = Path(self.document.file)
        try:
            if host_files.read_bytes(path).decode("utf-8-sig") != self.document.text:
                raise NothingLearnedError(f"{path} has changed meanwhile: try again")
        except OSError as error:
            raise NothingLearnedError(f"{path}: {error.strerror}") from error
        save(path, self.text)


def learn(toolset: Toolset, call: ToolCall, kind: str) -> Learned:
    """Make a call's result a part of the file that declares the tool.

    Args:
        toolset: The toolset.
        call: The call, with its streams.
        kind: One of ``KINDS``.

    Raises:
        NothingLearnedError: The call teaches no such thing.
        ScaffoldError: The tool is written in braces.
        ToolsetError: The place in the file cannot be found.
    """
    item = next((item for item in toolset.declared if item.definition.name == call.tool), None)
    if item is None:
        raise NothingLearnedError(
            f"{call.tool} comes from a source, not from a toolset file: 'bashkit import' writes such a file"
        )
    if call.duration is None:
        raise NothingLearnedError("the call is still running")
    if call.stdout is None or call.stdout_bytes > len(call.stdout.encode("utf-8", "surrogateescape")):
        raise NothingLearnedError("the output of the call was not kept whole")
    return Learned(item.document, KINDS[kind](toolset, item, call))


def _output_schema(toolset: Toolset, item: DeclaredTool, call: ToolCall) -> str:
    if call.exit_code:
        raise NothingLearnedError("the call failed, so its output is no example of what the tool prints")
    lesson = next(lesson for lesson in lessons(toolset, {call.tool: [call.stdout or ""]}) if lesson.tool is item)
    if lesson.drift:
        raise NothingLearnedError("the tool has an output_schema, and this output differs: " + "; ".join(lesson.drift))
    if item.definition.output_schema is not None:
        raise NothingLearnedError("the output is as the tool's output_schema says")
    if lesson.schema is None:
        raise NothingLearnedError("the output is text, not an array or object of JSON")
    return with_key(item.document, item.path, "output_schema", lesson.schema)


def _stub(toolset: Toolset, item: DeclaredTool, call: ToolCall) -> str:  # noqa: ARG001 - one of KINDS
    declared = _declaration(item)
    if "stub" in declared:
        raise NothingLearnedError("the tool has a stub that answers every call: write it as a case of `stubs` first")
    if any(not case.get("when") for case in declared.get("stubs", ())):
        raise NothingLearnedError("a case of the tool's stubs answers every call: give it a `when` first")
    if not isinstance(call.arguments, dict):
        raise NothingLearnedError("the tool takes words, which no case of stubs can name")
    case: dict[str, Any] = {"when": call.arguments} if call.arguments else {}
    if call.exit_code:
        case |= {"error": (call.error or call.stderr or "").strip() or "failed", "exit_code": call.exit_code}
    else:
        case["value"] = _value(call)
    return with_item(item.document, (*item.path, "stubs"), case)


def _example(toolset: Toolset, item: DeclaredTool, call: ToolCall) -> str:  # noqa: ARG001 - one of KINDS
    if call.exit_code:
        raise NothingLearnedError("the call failed, which is no example")
    line, value = _line(item, call), _value(call)
    short = len(call.stdout or "") <= _LONG_OUTPUT
    return with_item(item.document, (*item.path, "examples"), {"command": line, "output": value} if short else line)


def _test(toolset: Toolset, item: DeclaredTool, call: ToolCall) -> str:  # noqa: ARG001 - one of KINDS
    line = _line(item, call)
    names = {test.get("name") for test in item.document.value.get("tests") or ()}
    name = next(name for name in _names(line) if name not in names)
    test: dict[str, Any] = {"name": name, "script": line}
    if {"stub", "stubs"} & _declaration(item).keys():
        test["callbacks"] = "real"
    expected: dict[str, Any] = {"exit_code": call.exit_code} if call.exit_code else {}
    if len(call.stdout or "") > _LONG_OUTPUT:
        test["snapshot"] = True
    else:
        expected["stdout"] = call.stdout
    if expected:
        test["expect"] = expected
    return with_item(item.document, ("tests",), test)


KINDS: Mapping[str, Callable[[Toolset, DeclaredTool, ToolCall], str]] = {
    "output_schema": _output_schema,
    "stub": _stub,
    "example": _example,
    "test": _test,
}


def _declaration(item: DeclaredTool) -> Mapping[str, Any]:
    """The tool as its file has it."""
    found: Any = item.document.value
    for step in item.path:
        found = found[step]
    return cast("Mapping[str, Any]", found)


def _line(item: DeclaredTool, call: ToolCall) -> str:
    """The call as a command of the file itself, which may call the tool without the prefix that including it adds."""
    if call.stdin_bytes:
        raise NothingLearnedError("the call was given standard input, which a command line does not show")
    name = _declaration(item)["name"]
    return call_line(replace(call, tool=name), replace(item.definition, name=name))


def _value(call: ToolCall) -> Any:
    """The output: a JSON value, or text."""
    text = call.stdout or ""
    try:
        return json_text.decode(text)
    except ValueError:
        return text


def _names(line: str) -> list[str]:
    """Names for a test, the first of which is likely free."""
    short = line.partition("\n")[0]
    short = short if len(short) <= _LONG_NAME else f"{short[: _LONG_NAME - 1]}…"
    return [short, *(f"{short[: _LONG_NAME - 5]} ({number})" for number in range(2, 1000))]

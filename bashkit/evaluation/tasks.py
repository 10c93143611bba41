"""Reads files of tasks: what a model is asked, and what shows that it was done."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from bashkit import host_files
from bashkit.errors import Problem, ToolsetError
from bashkit.toolset.text import document as documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.toolset.text.document import Document

_TEXTS = {"type": "array", "items": {"type": "string"}, "minItems": 1}
_TEXT = {
    "oneOf": [
        {"type": "string"},
        _TEXTS,
        {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": False,
            "properties": {
                "equals": {"type": "string", "description": "The text, apart from white space around it."},
                "contains": {"oneOf": [{"type": "string"}, _TEXTS], "description": "Texts that occur in it."},
                "lacks": {"oneOf": [{"type": "string"}, _TEXTS], "description": "Texts that do not occur in it."},
                "matches": {
                    "type": "string",
                    "format": "regex",
                    "description": "A regular expression that is found in it.",
                },
            },
        },
    ]
}
_CALL = {
    "oneOf": [
        {"type": "string"},
        {
            "type": "object",
            "required": ["tool"],
            "additionalProperties": False,
            "properties": {
                "tool": {"type": "string"},
                "args": {"type": "object", "description": "Arguments that the call has, among others."},
                "times": {"type": "integer", "minimum": 0, "description": "Exactly so many such calls; 0 for none."},
            },
        },
    ]
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["version", "tasks"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": 1},
        "tasks": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name", "prompt", "expect"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string", "pattern": r"^\S.*$"},
                    "prompt": {"type": "string", "minLength": 1, "description": "What the model is asked."},
                    "callbacks": {"enum": ["stub", "real"], "description": "As for the tests of a toolset; default stub."},
                    "files": {
                        "type": "object",
                        "additionalProperties": {"type": "string"},
                        "description": "Files that scripts find, by absolute path.",
                    },
                    "expect": {
                        "type": "object",
                        "minProperties": 1,
                        "additionalProperties": False,
                        "properties": {
                            "answer": {**_TEXT, "description": "The model's last words."},
                            "output": {**_TEXT, "description": "What the tools have printed, all of it."},
                            "calls": {"type": "array", "items": _CALL, "description": "Calls of tools that succeeded."},
                            "files": {
                                "type": "object",
                                "additionalProperties": _TEXT,
                                "description": "Files that are there in the end, by absolute path.",
                            },
                        },
                    },
                },
            },
        },
    },
}


@dataclass(frozen=True, slots=True)
class TextCheck:
    """What a text must be like.

    Attributes:
        equals: The text, apart from white space around it; or None.
        contains: Texts that occur in it.
        lacks: Texts that do not.
        matches: A regular expression that is found in it; or None.
    """

    equals: str | None = None
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    matches: re.Pattern[str] | None = None

    def failures(self, text: str) -> Iterator[str]:
        """What is wrong with a text."""
        if self.equals is not None and text.strip() != self.equals.strip():
            yield f"it is not {self.equals.strip()!r}"
        yield from (f"it does not contain {part!r}" for part in self.contains if part not in text)
        yield from (f"it contains {part!r}" for part in self.lacks if part in text)
        if self.matches is not None and not self.matches.search(text):
            yield f"it does not match {self.matches.pattern!r}"


@dataclass(frozen=True, slots=True)
class CallCheck:
    """A call that must have happened.

    Attributes:
        tool: The tool.
        arguments: Arguments that it has, among others.
        times: How often; None for at least once.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    times: int | None = None

    def __str__(self) -> str:
        return " ".join([self.tool, *(f"{name}={value!r}" for name, value in self.arguments.items())])


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        name: What it is called in reports.
        prompt: What the model is asked.
        callbacks: ``stub``: a tool's stub stands in for its callback where it has one; ``real``: every callback runs.
        files: Files that scripts find, by absolute path.
        answer: What the model's last words must be like, or None.
        output: What everything that the tools have printed must be like, or None.
        calls: Calls of tools that must have succeeded.
        results: What files must be like in the end, by absolute path.
    """

    name: str
    prompt: str
    callbacks: Literal["stub", "real"] = "stub"
    files: Mapping[str, str] = field(default_factory=dict)
    answer: TextCheck | None = None
    output: TextCheck | None = None
    calls: tuple[CallCheck, ...] = ()
    results: Mapping[str, TextCheck] = field(default_factory=dict)


def read_tasks(path: Path) -> tuple[Task, ...]:
    """Read a file of tasks.

    Raises:
        ToolsetError: It has mistakes, each with its position.
    """
    try:
        text = host_files.read_text(path)
    except OSError as error:
        raise ToolsetError([Problem(str(path), 1, 1, f"the file cannot be read: {error.strerror}")]) from None
    document = documents.read(text.removeprefix("\ufeff"), str(path))
    if not document.problems:
        _check(document)
    if document.problems:
        raise ToolsetError(document.problems)
    return tuple(map(_task, document.value["tasks"]))


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)


def _check(document: Document) -> None:
    from jsonschema.exceptions import best_match

    names: dict[str, int] = {}
    for found in _validator().iter_errors(document.value):
        error = best_match([found])
        path = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            unknown = next(key for key in error.instance if key not in error.schema.get("properties", {}))
            known = ", ".join(error.schema.get("properties", {}))
            document.at((*path, unknown), f"unknown key {unknown!r}", hint=f"there are {known}", key=True)
        elif error.validator == "required":
            missing = next(key for key in error.validator_value if key not in error.instance)
            document.at(path, f"{missing} is missing")
        else:
            document.at(path, error.message)
    for index, task in enumerate([] if document.problems else document.value["tasks"]):
        first = names.setdefault(task["name"], index)
        if first != index:
            line = document.mark(("tasks", first, "name")).line
            document.at(("tasks", index, "name"), f"two tasks are called {task['name']!r}", hint=f"the other one: line {line}")


def _task(value: Mapping[str, Any]) -> Task:
    expect = value["expect"]
    return Task(
        name=value["name"],
        prompt=value["prompt"],
        callbacks=value.get("callbacks", "stub"),
        files=value.get("files", {}),
        answer=_text_check(expect["answer"]) if "answer" in expect else None,
        output=_text_check(expect["output"]) if "output" in expect else None,
        calls=tuple(map(_call_check, expect.get("calls", ()))),
        results={path: _text_check(check) for path, check in expect.get("files", {}).items()},
    )


def _text_check(value: Any) -> TextCheck:
    if not isinstance(value, dict):
        return TextCheck(contains=_texts(value))
    pattern = value.get("matches")
    return TextCheck(
        equals=value.get("equals"),
        contains=_texts(value.get("contains", ())),
        lacks=_texts(value.get("lacks", ())),
        matches=None if pattern is None else re.compile(pattern),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _call_check(value: Any) -> CallCheck:
    return CallCheck(value) if isinstance(value, str) else CallCheck(value["tool"], value.get("args", {}), value.get("times"))

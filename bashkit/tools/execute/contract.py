"""The contract between a host and a tool: Tool, ToolRequest, ToolResponse, ToolStatus."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from bashkit.tools import json_text
from bashkit.tools.call.trace import Trace
from bashkit.tools.describe.in_bash import BASH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A request of a model.

    Attributes:
        commands: Bash commands, as after ``bash -c``; Python code for a tool whose language it is.
    """

    commands: str

    def to_json(self) -> str:
        """Write the request as one JSON object."""
        return json_text.encode({"commands": self.commands})

    @classmethod
    def from_json(cls, text: str) -> ToolRequest:
        """Read what ``to_json`` writes.

        Raises:
            ValueError: It is not JSON, or not a request.
        """
        value = json_text.decode(text)
        if not _fits(value, {"commands": str}):
            raise ValueError('a request is {"commands": "<bash commands>"}')
        return cls(value["commands"])


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """The response to a request.

    Attributes:
        stdout: Everything written to standard output.
        stderr: Everything written to standard error.
        exit_code: The script's exit status.
        error: Why the script did not run to its end: ``parse``, ``limit:<name>``, ``timeout``, ``cancelled``, ``crash`` (of a
            sandbox process), ``internal``; else None.
        trace: The tool calls of the script. For the host only; not part of the JSON.
        full_stdout: Standard output before it was cut for the model; None if it was not cut. For the host only.
    """

    stdout: str
    stderr: str
    exit_code: int
    error: str | None = None
    trace: Trace = field(default_factory=Trace, compare=False, repr=False)
    full_stdout: str | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The response for the model, with ``error`` only if there was one; a byte that is not UTF-8 becomes U+FFFD."""
        stdout, stderr = json_text.clean(self.stdout), json_text.clean(self.stderr)
        value: dict[str, Any] = {"stdout": stdout, "stderr": stderr, "exit_code": self.exit_code}
        if self.error is not None:
            value["error"] = self.error
        return value

    def to_json(self) -> str:
        """Write the response as one JSON object."""
        return json_text.encode(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> ToolResponse:
        """Read what ``to_json`` writes.

        Raises:
            ValueError: It is not JSON, or not a response.
        """
        value = json_text.decode(text)
        if not _fits(value, {"stdout": str, "stderr": str, "exit_code": int}, {"error": str}):
            raise ValueError('a response is {"stdout": "…", "stderr": "…", "exit_code": …}, and "error": "…" if there was one')
        return cls(value["stdout"], value["stderr"], value["exit_code"], value.get("error"))


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """Progress of an execution.

    Attributes:
        phase: ``validate``, ``parse``, ``execute``, ``output``, ``complete``; or ``call``, with the progress of one call.
        message: A message for people, or None.
        percent_complete: 0 to 100, or None.
        eta_ms: Milliseconds still expected, or None.
        output: A chunk of output, in phase ``output``.
        stream: ``stdout`` or ``stderr``, in phase ``output``.
    """

    phase: str
    message: str | None = None
    percent_complete: float | None = None
    eta_ms: int | None = None
    output: str | None = None
    stream: str | None = None

    @classmethod
    def stdout(cls, chunk: str) -> ToolStatus:
        """A chunk of standard output."""
        return cls("output", output=chunk, stream="stdout")

    @classmethod
    def stderr(cls, chunk: str) -> ToolStatus:
        """A chunk of standard error."""
        return cls("output", output=chunk, stream="stderr")

    @classmethod
    def call(cls, tool: str, progress: Mapping[str, Any]) -> ToolStatus:
        """How far a call is, as its record has it."""
        done, total = progress["done"], progress.get("total")
        percent = max(0.0, min(100.0, 100.0 * done / total)) if total else None
        return cls("call", message=f"{tool}: {progress.get('message') or f'{done:g}'}", percent_complete=percent)

    def to_dict(self) -> dict[str, Any]:
        """The fields that are set; a byte that is not UTF-8 becomes U+FFFD."""
        return {name: json_text.clean_all(value) for name in self.__slots__ if (value := getattr(self, name)) is not None}

    def to_json(self) -> str:
        """Write the fields that are set as one JSON object."""
        return json_text.encode(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> ToolStatus:
        """Read what ``to_json`` writes.

        Raises:
            ValueError: It is not JSON, or not a status.
        """
        value = json_text.decode(text)
        numbers = {"percent_complete": (int, float), "eta_ms": int}
        if not _fits(value, {"phase": str}, {"message": str, "output": str, "stream": str, **numbers}):
            raise ValueError('a status is {"phase": "…"}, and what else is known')
        return cls(**value)


def _fits(value: Any, needed: Mapping[str, Any], others: Mapping[str, Any] = {}) -> bool:
    """Whether a value is an object with members of these classes, and no others; ``others`` may be null or left out."""
    kinds = {**needed, **others}
    return (
        isinstance(value, dict)
        and needed.keys() <= value.keys() <= kinds.keys()
        and all(
            (one is None and name in others) or (isinstance(one, kinds[name]) and not isinstance(one, bool))
            for name, one in value.items()
        )
    )


@runtime_checkable
class Tool(Protocol):
    """A tool for a language model: it documents itself and runs requests."""

    @property
    def name(self) -> str:
        """The identifier for registries."""
        ...

    @property
    def short_description(self) -> str:
        """A one-line description for listings."""
        ...

    @property
    def version(self) -> str:
        """The version of the library."""
        ...

    def description(self) -> str:
        """Describe the tool and its commands."""
        ...

    def help(self) -> str:
        """Write a man page."""
        ...

    def system_prompt(self) -> str:
        """Write the text for the model's system prompt."""
        ...

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of a request."""
        ...

    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of a response."""
        ...

    async def execute(self, request: ToolRequest | str) -> ToolResponse:
        """Run a request, or the plain text of a script."""
        ...

    async def execute_with_status(
        self, request: ToolRequest | str, status_callback: Callable[[ToolStatus], None]
    ) -> ToolResponse:
        """Run a request and report progress."""
        ...


def input_schema(parameter: str = BASH.parameter) -> dict[str, Any]:
    """JSON Schema of a ToolRequest.

    Args:
        parameter: The description of ``commands``.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"commands": {"type": "string", "description": parameter}},
        "required": ["commands"],
        "additionalProperties": False,
    }


def output_schema() -> dict[str, Any]:
    """JSON Schema of a ToolResponse."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "stdout": {"type": "string", "description": "Standard output from the commands"},
            "stderr": {"type": "string", "description": "Standard error from the commands"},
            "exit_code": {"type": "integer", "description": "Exit status (0 = success)"},
            "error": {
                "type": "string",
                "pattern": "^(parse|timeout|cancelled|crash|internal|limit:[a-z_]+)$",
                "description": "Why the commands did not run to their end",
            },
        },
        "required": ["stdout", "stderr", "exit_code"],
        "additionalProperties": False,
    }


@cache
def version() -> str:
    """The version of the library."""
    import bashkit

    return str(bashkit.__version__)

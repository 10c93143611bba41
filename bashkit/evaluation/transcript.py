"""Transcripts: what happened in one conversation, as a line of JSON that can be read, replayed and compared."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import BashkitError
from bashkit.evaluation.models.model import FORMS, Form, Message, Model, ModelError, Turn
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Key = tuple[str, str, int]

_MOST_BYTES = 1 << 30
_MOST = 10**12  # of tokens, seconds and the like
_SHOWN = 200  # characters of what is wrong with a line


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation and what came of it.

    Attributes:
        task: The task's name.
        mode: The prompt's mode, or ``tools``.
        attempt: 1 for the first try at the task in this mode, 2 for the second.
        model: The model's name.
        failures: What is wrong with the result; empty if the task is done.
        answer: The model's last words.
        turns: How often the model was asked.
        input_tokens, output_tokens: Tokens that it read and wrote in all turns; None if it does not say.
        seconds: How long the model and the tools took.
        calls: The tools that were called, with arguments and status, in order.
        form: The form of the messages: ``openai`` or ``anthropic``.
        system: The system prompt.
        tools: The definitions of the tools.
        messages: The conversation, in the provider's form.
        usage: Tokens read, tokens written and seconds of each turn.
    """

    task: str
    mode: str
    attempt: int
    model: str
    failures: tuple[str, ...]
    answer: str
    turns: int
    input_tokens: int | None
    output_tokens: int | None
    seconds: float
    calls: tuple[dict[str, Any], ...]
    form: str
    system: str = field(repr=False)
    tools: tuple[dict[str, Any], ...] = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    usage: tuple[tuple[int | None, int | None, float], ...] = field(repr=False)

    @property
    def key(self) -> Key:
        """What it is a transcript of."""
        return self.task, self.mode, self.attempt

    @property
    def passed(self) -> bool:
        """Whether the task is done."""
        return not self.failures

    def result(self) -> dict[str, Any]:
        """The result without the conversation."""
        left_out = {"form", "system", "tools", "messages", "usage"}
        return {"passed": self.passed, **{one.name: getattr(self, one.name) for one in fields(self) if one.name not in left_out}}

    def line(self) -> str:
        """Everything as one line of JSON."""
        return json_text.encode({one.name: getattr(self, one.name) for one in fields(self)})


def read_transcripts(path: Path) -> dict[Key, Transcript]:
    """Read a file of transcripts, one on each line; of two of the same try the later one counts.

    Raises:
        BashkitError: It cannot be read, or a line is no transcript.
    """
    try:
        lines = host_files.read_text(path, _MOST_BYTES).split("\n")
    except OSError as error:
        raise BashkitError(f"{path}: it cannot be read: {error.strerror}") from None
    found = [_transcript(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return {transcript.key: transcript for transcript in found}


def _transcript(path: Path, number: int, line: str) -> Transcript:
    try:
        value = json_text.decode(line)
        problem = _problem(value)
    except ValueError as error:
        problem = f"this is not JSON: {error}"
    if problem:
        raise BashkitError(f"{path}:{number}: this line is no transcript of 'bashkit eval --record': {problem}")
    lists = {name: tuple(value[name]) for name in ("failures", "calls", "tools", "messages")}
    return Transcript(**{**value, **lists, "usage": tuple(map(tuple, value["usage"]))})


def _problem(value: Any) -> str:
    """What is wrong with a transcript, and in which field; "" if nothing is."""
    from jsonschema.exceptions import best_match

    error = best_match(_validator().iter_errors(value))
    if error is not None:
        field_name = ".".join(map(str, error.absolute_path))
        message = error.message if len(error.message) <= _SHOWN else f"…{error.message[-_SHOWN:]}"
        return f"{field_name}: {message}" if field_name else message
    said = sum(message["role"] == "assistant" for message in value["messages"])
    if len(value["usage"]) != said:
        return f"usage: it has {len(value['usage'])} turns, and messages has {said} of the assistant"
    return ""


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_schema())


def _schema() -> dict[str, Any]:
    text, count = {"type": "string"}, {"type": "integer", "minimum": 0, "maximum": _MOST}
    seconds, tokens = {"type": "number", "minimum": 0, "maximum": _MOST}, {**count, "type": ["integer", "null"]}
    objects: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
    call = {"type": "object", "required": ["tool", "arguments", "exit_code"], "properties": {"tool": text}}
    content, calls = {"anyOf": [text, objects, {"type": "null"}]}, {"anyOf": [objects, {"type": "null"}]}
    message = {"type": "object", "required": ["role"], "properties": {"role": text, "content": content, "tool_calls": calls}}
    said = {"required": ["content"], "properties": {"content": objects}}
    of_anthropic = {"if": {"properties": {"role": {"const": "assistant"}}}, "then": said}
    turn = {"type": "array", "prefixItems": [tokens, tokens, seconds], "minItems": 3, "maxItems": 3}
    properties = {
        "task": text, "mode": text, "attempt": count, "model": text, "failures": {"type": "array", "items": text}, "answer": text,
        "turns": count, "input_tokens": tokens, "output_tokens": tokens, "seconds": seconds,
        "calls": {"type": "array", "items": call}, "form": {"enum": list(FORMS)}, "system": text, "tools": objects,
        "messages": {"type": "array", "items": message},
        "usage": {"type": "array", "items": turn},
    }  # fmt: skip
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
        "if": {"properties": {"form": {"const": "anthropic"}}},
        "then": {"properties": {"messages": {"items": of_anthropic}}},
    }


class Replayed(Model):
    """The model of a recorded conversation: it says what it said then, whatever it is told.

    Args:
        transcript: The conversation.
    """

    def __init__(self, transcript: Transcript) -> None:
        self.form: Form = FORMS[transcript.form]  # type: ignore[misc]  # a recording has the form of its model
        self.name = transcript.model
        said = [message for message in transcript.messages if message["role"] == "assistant"]
        self._turns = [Turn(message, *usage) for message, usage in zip(said, transcript.usage, strict=True)]
        self._next = 0

    async def ask(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Turn:
        """What the model said at this turn."""
        del system, messages, tools
        if self._next == len(self._turns):
            raise ModelError(f"the recorded conversation with {self.name} ends after {self._next} turns")
        self._next += 1
        return self._turns[self._next - 1]

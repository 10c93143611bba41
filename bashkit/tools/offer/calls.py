"""Calls as providers write them, and the replies that they expect."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.tools.offer.offered import Answer


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a model.

    Attributes:
        name: The name of the tool, as the definitions say it.
        arguments: Its arguments; text that is no JSON stays text.
        reply: Makes the message that takes the answer back to the model.
    """

    name: str
    arguments: Any
    reply: Callable[[Answer], dict[str, Any]]


def read_call(call: object) -> Call:
    """Read a call of OpenAI (chat completions or responses), Anthropic, Gemini or the Model Context Protocol.

    Args:
        call: The provider's object, or the same as a dict.

    Raises:
        BashkitError: It is none of these.
    """
    data = members(call)
    for read in (_openai, _openai_responses, _anthropic, _gemini, _mcp):
        found = read(data)
        if found is not None:
            return found
    raise BashkitError(
        "this is no tool call that bashkit knows: pass one of the tool_calls of a message (OpenAI chat), a function_call item "
        "(OpenAI responses), a tool_use block (Anthropic), a function call (Gemini) or the params of tools/call (MCP)"
    )


def _openai(call: Mapping[str, Any]) -> Call | None:
    function = call.get("function")
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None

    def reply(answer: Answer) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": call.get("id"), "content": answer.text}

    return Call(function["name"], decoded(function.get("arguments")), reply)


def _openai_responses(call: Mapping[str, Any]) -> Call | None:
    if call.get("type") != "function_call" or not isinstance(call.get("name"), str):
        return None

    def reply(answer: Answer) -> dict[str, Any]:
        return {"type": "function_call_output", "call_id": call.get("call_id"), "output": answer.text}

    return Call(call["name"], decoded(call.get("arguments")), reply)


def _anthropic(call: Mapping[str, Any]) -> Call | None:
    if call.get("type") != "tool_use" or not isinstance(call.get("name"), str):
        return None

    def reply(answer: Answer) -> dict[str, Any]:
        result = {"type": "tool_result", "tool_use_id": call.get("id"), "content": answer.text}
        return {**result, "is_error": True} if answer.failed else result

    return Call(call["name"], call.get("input"), reply)


def _gemini(call: Mapping[str, Any]) -> Call | None:
    part = call.get("functionCall") or call.get("function_call") or (call if "args" in call else None)
    if not isinstance(part, dict) or not isinstance(part.get("name"), str):
        return None

    def reply(answer: Answer) -> dict[str, Any]:
        named = {"id": part["id"]} if part.get("id") else {}
        return {"functionResponse": {**named, "name": part["name"], "response": gemini_response(answer)}}

    return Call(part["name"], part.get("args") or {}, reply)


def _mcp(call: Mapping[str, Any]) -> Call | None:
    params = call.get("params") if call.get("method") == "tools/call" else call
    if not isinstance(params, dict) or not isinstance(params.get("name"), str) or "type" in params:
        return None
    return Call(params["name"], params.get("arguments") or {}, mcp_result)


def gemini_response(answer: Answer) -> dict[str, Any]:
    """The response of a function: an object, in which ``error`` and ``output`` have a meaning."""
    structured = answer.structured or (None if answer.failed else json_text.decode_object(answer.text))
    return {"error" if answer.failed else "output": answer.text} if structured is None else dict(structured)


def mcp_result(answer: Answer) -> dict[str, Any]:
    """The result of ``tools/call``."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": answer.text}], "isError": answer.failed}
    return result if answer.structured is None else {**result, "structuredContent": dict(answer.structured)}


def decoded(arguments: object) -> Any:
    """Arguments that come as text; a call without parameters may have none."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        return json_text.decode(arguments) if arguments.strip() else {}
    except ValueError:
        return arguments


def items_of(message: object, kind: str, *, within: str) -> list[Mapping[str, Any]]:
    """The calls among the items of a model's message, or of its response, as dicts.

    Args:
        message: The provider's object, or the same as a dict.
        kind: The ``type`` of a call; "" if all items are calls.
        within: The member that has the items.

    Raises:
        BashkitError: It is no message.
    """
    found = members(message)
    if not {"role", "content", "tool_calls", "output"} & found.keys():
        raise BashkitError(
            "this is no message of a model: pass completion.choices[0].message (OpenAI chat), the response (OpenAI responses) or "
            "what messages.create returned (Anthropic), or the same as a dict"
        )
    listed = found.get(within)
    items = map(members, listed) if isinstance(listed, (list, tuple)) else ()
    return [item for item in items if not kind or item.get("type") == kind]


def members(value: object) -> Mapping[str, Any]:
    """A provider's object as a dict; empty for what is none."""
    if isinstance(value, dict):
        return value
    for name in ("model_dump", "to_dict", "dict"):
        method = getattr(value, name, None)
        if callable(method):
            found = method()
            if isinstance(found, dict):
                return found
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return {}

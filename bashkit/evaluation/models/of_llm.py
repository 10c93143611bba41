"""Models of Simon Willison's ``llm``, with all its plugins: ``llm models`` lists them."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

from bashkit.evaluation.models.model import Message, Model, ModelError, Turn
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class LlmModel(Model):
    """A model of ``llm``.

    Args:
        name: Its name or alias there.

    Raises:
        ModelError: ``llm`` is missing, does not know the model, or the model cannot call tools.
    """

    def __init__(self, name: str) -> None:
        try:
            import llm
        except ImportError:
            raise ModelError("llm is missing: pip install 'bashkit-toolsets[llm]' adds it") from None
        try:
            self._model = llm.get_model(name)
        except llm.UnknownModelError:
            raise ModelError(f"llm knows no model {name!r}: 'llm models' lists them, plugins add more") from None
        if not getattr(self._model, "supports_tools", False):
            raise ModelError(f"the model {name} of llm cannot call tools")
        self._conversation = self._model.conversation()
        self.name = name

    def begin(self) -> LlmModel:
        """Another one: ``llm`` remembers what was said."""
        return LlmModel(self.name)

    async def ask(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Turn:
        """Say what is new in the conversation, in a thread: ``llm`` waits for the answer."""
        return await asyncio.to_thread(self._ask, system, messages, tools)

    def _ask(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Turn:
        import llm

        started = monotonic()
        functions = [definition["function"] for definition in tools]
        said: dict[str, Any] = {
            "tools": [llm.Tool(one["name"], one.get("description"), one.get("parameters", {})) for one in functions],
        }
        if messages[-1]["role"] == "user":
            said |= {"prompt": messages[-1]["content"], "system": system or None}
        else:
            said["tool_results"] = list(map(_result, _answers(messages)))
        try:
            response = self._conversation.prompt(**said)
            text, calls, usage = response.text(), response.tool_calls(), response.usage()
        except Exception as error:  # plugins raise whatever their libraries do
            raise ModelError(f"{self.name}: {type(error).__name__}: {error}") from error
        message: Message = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [_call(call, index) for index, call in enumerate(calls)]
        return Turn(message, usage.input, usage.output, round(monotonic() - started, 3))


def _answers(messages: Sequence[Message]) -> Iterator[tuple[Message, Message]]:
    """The calls of the last message of the model, each with its answer."""
    last = max(index for index, message in enumerate(messages) if message["role"] == "assistant")
    return zip(messages[last]["tool_calls"], messages[last + 1 :], strict=True)


def _result(pair: tuple[Message, Message]) -> Any:
    import llm

    call, answer = pair
    return llm.ToolResult(name=call["function"]["name"], output=answer["content"], tool_call_id=call["id"])


def _call(call: Any, index: int) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json_text.encode(call.arguments)}
    return {"id": call.tool_call_id or f"call_{index}", "type": "function", "function": function}

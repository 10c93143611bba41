"""What a model is to an evaluation, and how conversations with it are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Sequence

Message = dict[str, Any]


class ModelError(BashkitError):
    """A model cannot be asked, or its answer cannot be understood."""


@dataclass(frozen=True, slots=True)
class Form:
    """A provider's form of conversations.

    Attributes:
        definitions: The name of its form of tool definitions, for ``Offer.definitions``.
    """

    definitions: str

    def question(self, text: str) -> Message:
        """The message of a user."""
        return {"role": "user", "content": text}

    def calls(self, message: Message) -> list[dict[str, Any]]:
        """The tool calls in a model's message."""
        if self.definitions == "anthropic":
            return [block for block in message["content"] if block.get("type") == "tool_use"]
        return list(message.get("tool_calls") or ())

    def text(self, message: Message) -> str:
        """The words in a model's message."""
        content = message.get("content")
        if isinstance(content, list):
            return "".join(block.get("text", "") for block in content if block.get("type") == "text")
        return content or ""

    def results(self, replies: Sequence[Message]) -> list[Message]:
        """The messages that carry the answers to all calls of one message."""
        if self.definitions == "anthropic":
            return [{"role": "user", "content": list(replies)}]
        return list(replies)


OPENAI = Form("openai")
ANTHROPIC = Form("anthropic")
FORMS = {form.definitions: form for form in (OPENAI, ANTHROPIC)}


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model has said once.

    Attributes:
        message: Its message, in the provider's form.
        input_tokens: Tokens that it read, by the provider's count; None if it does not say.
        output_tokens: Tokens that it wrote.
        seconds: How long it took.
    """

    message: Message
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0


class Model(ABC):
    """A model behind an interface.

    Attributes:
        form: The form of conversations with it.
        name: Its name in reports.
    """

    form: ClassVar[Form] = OPENAI
    name: str

    def begin(self) -> Model:
        """The model for one conversation: the same, unless it remembers what was said."""
        return self

    @abstractmethod
    async def ask(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Turn:
        """Let the model go on with a conversation.

        Args:
            system: The system prompt, or "".
            messages: The conversation.
            tools: The definitions of the tools that it may call.

        Raises:
            ModelError: It cannot be asked, or its answer cannot be understood.
        """

    async def aclose(self) -> None:  # noqa: B027 - most have none
        """Close its connections."""

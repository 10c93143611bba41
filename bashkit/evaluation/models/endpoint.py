"""Models behind HTTP: OpenAI's chat completions, which many servers speak, and Anthropic's messages."""

from __future__ import annotations

import asyncio
import random
from abc import abstractmethod
from time import monotonic
from typing import TYPE_CHECKING, Any

from bashkit.evaluation.models.model import ANTHROPIC, OPENAI, Message, Model, ModelError, Turn
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TIMEOUT = 300.0  # seconds for one answer
_ATTEMPTS = 5
_PAUSE = 1.0  # seconds before the second attempt; each further pause is twice as long
_LONGEST_PAUSE = 60.0
_PASSING = frozenset([408, 409, 429, 500, 502, 503, 504, 529])  # statuses after which one tries again
_SHOWN = 300  # characters of an error's text
_MAX_TOKENS = 8192  # of one answer; Anthropic wants to know


class Endpoint(Model):
    """A model behind an HTTP interface.

    Args:
        name: The model's name there.
        base_url: The address before the path.
        headers: Headers of every request: they authorize it.

    Raises:
        ModelError: httpx is missing.
    """

    path: str

    def __init__(self, name: str, base_url: str, headers: Mapping[str, str]) -> None:
        try:
            import httpx
        except ImportError:
            raise ModelError("models are asked with httpx: pip install 'bashkit-toolsets[http]' adds it") from None
        self.name = name
        self._errors = (httpx.HTTPError, httpx.InvalidURL)
        self._url = base_url.rstrip("/") + self.path
        self._client = httpx.AsyncClient(headers=dict(headers), timeout=_TIMEOUT)

    async def ask(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Turn:
        """Send the conversation; what may pass, such as a limit of requests, is tried again."""
        started = monotonic()
        body = await self._post(self._request(system, messages, tools))
        try:
            message, read, written = self._answer(body)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise ModelError(f"{self._url}: this is no answer of a model: {json_text.encode(body)[:_SHOWN]}") from None
        return Turn(message, read, written, round(monotonic() - started, 3))

    @abstractmethod
    def _request(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The body of a request."""

    @abstractmethod
    def _answer(self, body: Any) -> tuple[Message, int | None, int | None]:
        """The message in the body of an answer, and the tokens that were read and written."""

    async def _post(self, body: dict[str, Any]) -> Any:
        pause = _PAUSE
        for attempt in range(1, _ATTEMPTS + 1):
            asked = ""
            try:
                response = await self._client.post(self._url, json=body)
                if response.is_success:
                    return response.json()
                problem = f"status {response.status_code}: {response.text.strip()[:_SHOWN]}"
                passing = response.status_code in _PASSING
                asked = response.headers.get("retry-after", "")
            except self._errors as error:
                problem, passing = str(error) or type(error).__name__, not isinstance(error, self._errors[1])
            except ValueError:
                problem, passing = "the answer is no JSON", False
            if not passing or attempt == _ATTEMPTS:
                raise ModelError(f"{self._url}: {problem}")
            wanted = float(asked) if asked.isdecimal() else pause * random.uniform(0.8, 1.2)
            await asyncio.sleep(min(wanted, _LONGEST_PAUSE))
            pause *= 2
        raise AssertionError  # the last attempt returns or raises

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class ChatCompletions(Endpoint):
    """OpenAI's chat completions, which vLLM, Ollama, llama.cpp, OpenRouter and many others speak, too."""

    form = OPENAI
    path = "/chat/completions"

    def _request(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        said = [{"role": "system", "content": system}] if system else []
        return {"model": self.name, "messages": [*said, *messages], "tools": list(tools)}

    def _answer(self, body: Any) -> tuple[Message, int | None, int | None]:
        usage = body.get("usage") or {}
        said = body["choices"][0]["message"]
        message = {"role": "assistant", "content": said.get("content")}
        if said.get("tool_calls"):
            message["tool_calls"] = said["tool_calls"]
        return message, usage.get("prompt_tokens"), usage.get("completion_tokens")


class Messages(Endpoint):
    """Anthropic's messages."""

    form = ANTHROPIC
    path = "/v1/messages"

    def _request(self, system: str, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        body = {"model": self.name, "max_tokens": _MAX_TOKENS, "messages": list(messages), "tools": list(tools)}
        return {**body, "system": system} if system else body

    def _answer(self, body: Any) -> tuple[Message, int | None, int | None]:
        usage = body.get("usage") or {}
        content = [dict(block) for block in body["content"]]
        return {"role": "assistant", "content": content}, usage.get("input_tokens"), usage.get("output_tokens")

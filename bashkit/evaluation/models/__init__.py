"""Models that can be evaluated: OpenAI-compatible endpoints, Anthropic, and those of ``llm``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.evaluation.models.endpoint import ChatCompletions, Messages
from bashkit.evaluation.models.model import ModelError
from bashkit.evaluation.models.of_llm import LlmModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.evaluation.models.model import Model

KINDS = {
    "openai:NAME": "chat completions, of OpenAI or of --base-url; key in OPENAI_API_KEY",
    "anthropic:NAME": "Anthropic's messages; key in ANTHROPIC_API_KEY",
    "llm:NAME": "a model of the package llm and its plugins, with llm's own keys",
}
_OPENAI = "https://api.openai.com/v1"
_ANTHROPIC = "https://api.anthropic.com"
_VERSION = "2023-06-01"  # of Anthropic's interface


def open_model(name: str, base_url: str | None, environ: Mapping[str, str]) -> Model:
    """Open a model for an evaluation. Nothing is sent yet.

    Args:
        name: ``KIND:NAME``, as in ``KINDS``.
        base_url: Where the interface is; by default ``OPENAI_BASE_URL``, ``ANTHROPIC_BASE_URL`` or the provider's own.
        environ: The environment with the keys. An OpenAI-compatible endpoint elsewhere needs none.

    Raises:
        ModelError: There is no such kind, a key is missing, or a package.
    """
    kind, _, model = name.partition(":")
    if not model or kind not in {known.partition(":")[0] for known in KINDS}:
        raise ModelError(f"a model is {', '.join(KINDS)}, not {name!r}")
    if kind == "llm":
        return LlmModel(model)
    variable = f"{kind.upper()}_API_KEY"
    key = environ.get(variable, "")
    url = base_url or environ.get(f"{kind.upper()}_BASE_URL") or ""
    if not key and not url:
        raise ModelError(f"{variable} is not set: it holds the key of {name}")
    if kind == "openai":
        return ChatCompletions(model, url or _OPENAI, {"Authorization": f"Bearer {key}"} if key else {})
    address = (url or _ANTHROPIC).rstrip("/").removesuffix("/v1")  # Anthropic's own clients take it without the version
    return Messages(model, address, {"x-api-key": key, "anthropic-version": _VERSION})

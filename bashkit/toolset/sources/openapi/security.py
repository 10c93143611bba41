"""Security schemes of an OpenAPI document: which credentials an operation wants, and where its request carries them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.toolset.callbacks.http.template import literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.toolset.sources.openapi.operations import Operation
    from bashkit.toolset.sources.openapi.spec import Spec

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(slots=True)
class Credentials:
    """What a request carries to be let in, in the notation of HTTP callbacks.

    Attributes:
        headers, query, cookies: Texts by name.
        basic: ``user:password`` for basic authentication, or "".
    """

    headers: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    basic: str = ""

    def add(self, scheme: Mapping[str, Any], text: str) -> None:
        """Add the text of one scheme; a scheme of an unknown kind carries nothing."""
        kind, name = scheme.get("type"), str(scheme.get("name"))
        if kind == "apiKey":
            {"header": self.headers, "query": self.query}.get(str(scheme.get("in")), self.cookies)[name] = text
        elif kind == "http" and str(scheme.get("scheme")).lower() == "basic":
            self.basic = text
        elif kind in {"http", "oauth2", "openIdConnect"}:
            word = str(scheme.get("scheme")).capitalize() if kind == "http" else "Bearer"
            self.headers["Authorization"] = f"{literal(word)} {text}"


@dataclass(slots=True)
class Security:
    """The security schemes of a document, and the texts that a source gives for some of them.

    Attributes:
        spec: The document.
        given: The texts, by the name of the scheme.
        wanted: The schemes of operations for which there are not all texts, filled by ``credentials``.
    """

    spec: Spec
    given: Mapping[str, str] = field(repr=False)
    wanted: dict[str, None] = field(default_factory=dict)

    def unknown(self) -> str | None:
        """The first name with a text that is no scheme of the document."""
        return next((name for name in self.given if name not in self.names()), None)

    def names(self) -> list[str]:
        """The names of the schemes."""
        return list(self._schemes())

    def credentials(self, operation: Operation) -> Credentials:
        """What the request of an operation carries: for the first of its alternatives for which all texts are given.

        Raises:
            SpecError: The scheme cannot be read.
        """
        found = Credentials()
        alternatives = operation.value.get("security", self.spec.value.get("security"))
        choices = [one for one in alternatives if isinstance(one, dict)] if isinstance(alternatives, list) else []
        chosen = next((one for one in choices if one and one.keys() <= self.given.keys()), None)
        if chosen is None:
            if choices and all(choices):
                self.wanted |= dict.fromkeys(choices[0])
            return found
        for name in chosen:
            place = ("components", "securitySchemes", name)
            scheme, _ = self.spec.follow(self._schemes().get(name), place)
            found.add(scheme, self.given[name])
        return found

    def _schemes(self) -> Mapping[str, Any]:
        components = self.spec.value.get("components")
        found = components.get("securitySchemes") if isinstance(components, dict) else None
        return found if isinstance(found, dict) else {}


def variable(scheme: str) -> str:
    """The name of a secret for a scheme: ``apiKeyAuth`` is API_KEY_AUTH."""
    return re.sub("[^A-Z0-9]+", "_", _HUMPS.sub("_", scheme).upper()).strip("_")

"""OpenAPI 3 and Swagger 2 documents as a source of tools: each operation becomes a tool that sends its request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import DefinitionError
from bashkit.toolset.callback import TIMEOUT
from bashkit.toolset.callbacks.http import HttpCallback
from bashkit.toolset.callbacks.http.template import literal
from bashkit.toolset.schema_fragments import ALLOW, ALLOW_PRIVATE, URL, header_texts
from bashkit.toolset.source import EVERYTHING, Asking, Found, FoundTool, Selection, Source, SourceError, passed_over
from bashkit.toolset.sources.openapi.incoming import incoming
from bashkit.toolset.sources.openapi.naming import operation_name
from bashkit.toolset.sources.openapi.operations import Maker, Operation, Unreadable, operations
from bashkit.toolset.sources.openapi.security import Security, variable
from bashkit.toolset.sources.openapi.spec import Spec, SpecError, read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.sources.openapi.arguments import Request
    from bashkit.toolset.sources.openapi.security import Credentials
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_SHOWN = 5  # names in the note about webhooks and callbacks
_HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class OpenApiSource(Source):
    """An OpenAPI 3.0 or 3.1, or Swagger 2.0 document.

    Attributes:
        file: The document.
        base_url: The URL before its paths, in the notation of HTTP callbacks; "" for its first server.
        server_variables: Values of the variables in the URLs of its servers.
        headers: Headers of every request, in that notation.
        security: Texts for security schemes by name, in that notation.
        allow: Hosts that may be reached; if empty, the base URL's own.
        allow_private: Loopback and private addresses may be reached.
        timeout: Seconds for a call; None for the default.
        document, path: The declaring document and the path in it.
        selection: Selects and renames its tools.
    """

    file: Path
    base_url: str
    headers: Mapping[str, str] = field(repr=False)
    allow: tuple[str, ...]
    allow_private: bool
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING
    server_variables: Mapping[str, str] = field(default_factory=dict)
    security: Mapping[str, str] = field(default_factory=dict, repr=False)

    key = "openapi"
    noun = "an OpenAPI source"
    summary = "an OpenAPI document"
    usage = "FILE"
    about = "an OpenAPI 3 or Swagger 2 document, YAML or JSON"
    rank = 40
    properties: ClassVar = {
        "openapi": {
            "title": "OpenAPI document",
            "description": (
                "OpenAPI 3.0 or 3.1 or Swagger 2.0 document, JSON or YAML, whose operations become tools; relative to this "
                "file, ${VAR} is replaced."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ["./api.yaml"],
        }
    }
    options: ClassVar = {
        "base_url": {
            "title": "Base URL",
            "description": (
                "URL before an OpenAPI document's paths; ${VAR} is replaced from env and secrets. Default: the document's "
                "first server."
            ),
            "type": "string",
            "pattern": URL,
            "examples": ["https://api.example.com/v1"],
        },
        "server_variables": {
            "title": "Server variables",
            "description": "Values of the variables in the URL of an OpenAPI document's server. Default: those of the document.",
            "type": "object",
            "additionalProperties": {"description": "Text.", "type": "string"},
            "default": {},
            "examples": [{"region": "eu"}],
        },
        "security": {
            "title": "Security",
            "description": (
                "Credentials by the name of a security scheme of an OpenAPI document; ${VAR} is replaced from env and secrets. "
                "The key of an API, a token, or user:password, as the scheme says."
            ),
            "type": "object",
            "additionalProperties": {"description": "Text.", "type": "string"},
            "default": {},
            "examples": [{"ApiKeyAuth": "${API_KEY}"}],
        },
        "headers": header_texts(
            "Headers of every request to an OpenAPI document's server.", {"Authorization": "Bearer ${API_KEY}"}
        ),
        "allow": ALLOW,
        "allow_private": ALLOW_PRIVATE,
    }
    sees_secrets = False

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> OpenApiSource:
        """Make the source; the document is not read yet."""
        value = source.value
        if str(value["openapi"]).startswith(("http://", "https://")):
            hint = f"download it: curl -LO {value['openapi']}"
            source.document.at((*source.path, "openapi"), "the document is a file of this machine, not an address", hint=hint)
        for key in ("base_url", "headers", "security"):
            source.check_texts((*source.path, key), value.get(key))
        source.check_hosts((*source.path, "allow"), value.get("allow", ()))
        return cls(
            file=source.file(value["openapi"]),
            base_url=value.get("base_url", ""),
            headers=dict(value.get("headers", {})),
            server_variables=dict(value.get("server_variables", {})),
            security=dict(value.get("security", {})),
            allow=tuple(value.get("allow", ())),
            allow_private=value.get("allow_private", False),
            **common,
        )

    @classmethod
    def request_texts(cls, source: Mapping[str, Any]) -> list[str]:
        """The base URL, the headers and the credentials."""
        texts = [*dict(source.get("headers", {})).values(), *dict(source.get("security", {})).values()]
        return [str(source.get("base_url", "")), *map(str, texts)]

    def ask(self, asking: Asking) -> Found:
        """Read the document. No request is sent.

        Raises:
            SourceError: It cannot be read, or is neither an OpenAPI 3 nor a Swagger 2 document.
        """
        spec = read_spec(self.file, str(self.file))
        if spec.problems:
            raise SourceError(str(spec.problems[0]), spec.problems)
        maker, security = Maker(spec), self._security(spec)
        tools: list[FoundTool] = []
        skipped: list[str | Problem] = []
        for name, operation in _named(spec):
            if not self.selection.takes(name):
                continue
            if isinstance(operation, Unreadable):
                skipped.append(spec.skipped(operation.error.path, operation.title, str(operation.error), name))
                continue
            try:
                base = self.base_url or _known_base(spec, operation, self.server_variables)
                definition, request = maker.make(operation, name)
                credentials = security.credentials(operation)
            except SpecError as error:
                skipped.append(spec.skipped(error.path, operation.title, str(error), name))
            except DefinitionError as error:
                skipped.append(spec.skipped(operation.place, operation.title, str(error), name))
            else:
                tools.append(FoundTool(definition, self._target(operation, request, credentials, base, asking), operation.title))
        unchecked = (spec.unchecked(pattern, path) for pattern, path in maker.unchecked.items())
        return Found(tuple(tools), (*skipped, *unchecked, *self._note(spec), *self._want(security)))

    def _security(self, spec: Spec) -> Security:
        """The security schemes of the document.

        Raises:
            SourceError: The source has a text for one that is not there.
        """
        found = Security(spec, self.security)
        unknown = found.unknown()
        if unknown is not None:
            path = (*self.path, "security", unknown)
            known = ", ".join(found.names()) or "none"
            problem = self.document.problem(path, f"the document has no security scheme {unknown!r}; it has {known}", key=True)
            raise SourceError(problem.message, [problem])
        return found

    def _want(self, security: Security) -> Iterator[Problem]:
        """Warn about credentials that operations need and the source does not have."""
        if security.wanted and not self.headers:
            texts = ", ".join(f'{name}: "${{{variable(name)}}}"' for name in security.wanted)
            message = f"the API wants credentials: {', '.join(security.wanted)}"
            hint = f"security: {{{texts}}}, with secrets: [{', '.join(map(variable, security.wanted))}]"
            yield self.document.warning((*self.path, self.key), "no-credentials", message, hint=hint)

    def _note(self, spec: Spec) -> Iterator[Problem]:
        """Say which webhooks and callbacks are passed over, unless the selection excludes them."""
        names = [name for name in incoming(spec) if self.selection.takes(name)]
        if names:
            message = "webhooks and callbacks are skipped, because the API sends them: "
            shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
            yield passed_over(self, message + shown, hint=f"exclude: [{', '.join(names)}]")

    def files(self) -> tuple[Path, ...]:
        """The document."""
        return (self.file,)

    def _target(
        self, operation: Operation, request: Request, credentials: Credentials, base: str, asking: Asking
    ) -> HttpCallback:
        headers = request.headers | credentials.headers
        cookies = [headers.pop("Cookie", ""), *(f"{literal(name)}={text}" for name, text in credentials.cookies.items())]
        if any(cookies):
            headers["Cookie"] = "; ".join(filter(None, cookies))
        return HttpCallback(
            operation.method.upper(),
            base.rstrip("/") + request.url,
            headers={**headers, **self.headers},
            query=request.query | credentials.query,
            basic=credentials.basic,
            body=request.body,
            files=tuple(request.files),
            output=request.output,
            pages=request.pages,
            allow=self.allow,
            allow_private=self.allow_private,
            timeout=self.timeout or TIMEOUT,
            place=self.place,
            stubbed=asking.stubbed,
        )


def _named(spec: Spec) -> Iterator[tuple[str, Operation | Unreadable]]:
    """The operations with their names; one whose name is taken is named by its method and path, if need be with a number."""
    taken: set[str] = set()
    for operation in operations(spec):
        if isinstance(operation, Unreadable):
            yield operation.name, operation
            continue
        name = operation_name(operation.value.get("operationId"), operation.method, operation.path)
        if name in taken:
            name = plain = operation_name(None, operation.method, operation.path)
            number = 2
            while name in taken:
                name, number = f"{plain}_{number}", number + 1
        taken.add(name)
        yield name, operation


def _known_base(spec: Spec, operation: Operation, variables: Mapping[str, str]) -> str:
    """Return the URL before the paths.

    Raises:
        SpecError: It is not known for this operation.
        SourceError: It is not known for the whole document.
    """
    try:
        return _base(spec, operation, variables)
    except SpecError as error:
        if operation.servers is not None:
            raise
        problem = spec.problem(error.path, str(error), hint="base_url: https://api.example.com, for import --base-url")
        raise SourceError(problem.message, [problem]) from None


def _base(spec: Spec, operation: Operation, given: Mapping[str, str]) -> str:
    """Return the URL of the first server, with the given values of its variables or their defaults.

    Raises:
        SpecError: There is no server, its URL is relative to the document's origin, or a variable has no such value.
    """
    servers, place = operation.servers or (spec.value.get("servers"), ("servers",))
    if not isinstance(servers, list) or not servers:
        raise SpecError((), "the document names no server: the source needs a base_url")
    server, place = spec.follow(servers[0], (*place, 0))
    url: Any = server.get("url")
    variables = server.get("variables")

    def default(match: re.Match[str]) -> str:
        name = match[1]
        declared = variables.get(name) if isinstance(variables, dict) else None
        declared = declared if isinstance(declared, dict) else {}
        value = given.get(name, declared.get("default"))
        if value is None:
            message = f"the variable {name} of the server has no default: the source needs server_variables or a base_url"
            raise SpecError((*place, "url"), message)
        choices = declared.get("enum")
        if name in given and isinstance(choices, list) and value not in map(str, choices):
            wanted = ", ".join(map(str, choices))
            raise SpecError((*place, "variables", name), f"the variable {name} of the server is one of {wanted}, not {value}")
        return str(value)

    if not isinstance(url, str):
        raise SpecError(place, "a server needs a url")
    found = _HOLE.sub(default, url)
    if not found.startswith(("https://", "http://")):
        raise SpecError((*place, "url"), f"the server {url} is relative: the source needs a base_url")
    return literal(found)

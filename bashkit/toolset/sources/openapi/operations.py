"""Turns an operation of an OpenAPI document into a tool: its parameters and body become arguments of a request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bashkit.tools.define.definition import ToolDef
from bashkit.tools.define.schema import type_name
from bashkit.toolset.callbacks.http.template import literal
from bashkit.toolset.sources.openapi.arguments import Arguments, Request
from bashkit.toolset.sources.openapi.media import METHODS, is_text, json_media
from bashkit.toolset.sources.openapi.naming import one_line, operation_name, snake
from bashkit.toolset.sources.openapi.schemas import Translator
from bashkit.toolset.sources.openapi.spec import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.toolset.sources.openapi.spec import Spec
    from bashkit.toolset.text.document import Path as DocumentPath

_EFFECTS: dict[str, Literal["read", "write", "destructive"]] = {
    "get": "read",
    "head": "read",
    "options": "read",
    "delete": "destructive",
}
_MOST_OUTPUT = 16_000  # characters of definitions in an output schema: those of some APIs all lead to each other
_HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path.

    Attributes:
        method: In lower case.
        path: The path as written in the document.
        value: The operation.
        place: Its position in the document.
        shared: The parameters of all methods of the path, and their position.
        servers: The servers of the operation or its path, with their position; None if the document's are used.
    """

    method: str
    path: str
    value: dict[str, Any]
    place: DocumentPath
    shared: tuple[Any, DocumentPath]
    servers: tuple[Any, DocumentPath] | None

    @property
    def title(self) -> str:
        """For messages: ``GET /pets/{id}``."""
        return f"{self.method.upper()} {self.path}"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A path, or a method of it, that cannot be read.

    Attributes:
        title: For messages.
        name: The name that excludes it.
        error: What is wrong.
    """

    title: str
    name: str
    error: SpecError


def operations(spec: Spec) -> Iterator[Operation | Unreadable]:
    """The operations of a document in its order, and the paths that cannot be read."""
    for path, value in spec.value.get("paths", {}).items():
        if path.startswith("x-"):
            continue
        try:
            item, place = spec.follow(value, ("paths", path))
        except SpecError as error:
            yield Unreadable(path, snake(path), error)
            continue
        for method in [key for key in item if key in METHODS]:
            inner = (*place, method)
            if not isinstance(item[method], dict):
                mistake = SpecError(inner, f"an operation is an object, not {type_name(item[method])}")
                yield Unreadable(f"{method.upper()} {path}", operation_name(None, method, path), mistake)
                continue
            owner = next(((one, where) for one, where in ((item[method], inner), (item, place)) if one.get("servers")), None)
            servers = (owner[0]["servers"], (*owner[1], "servers")) if owner else None
            yield Operation(method, path, item[method], inner, (item.get("parameters", []), (*place, "parameters")), servers)


@dataclass(slots=True)
class Maker:
    """Makes tools of a document's operations.

    Attributes:
        spec: The document.
    """

    spec: Spec
    _sent: Translator = field(init=False)
    _received: Translator = field(init=False)

    def __post_init__(self) -> None:
        self._sent = Translator(self.spec, "readOnly")
        self._received = Translator(self.spec, "writeOnly", _MOST_OUTPUT)

    @property
    def unchecked(self) -> dict[str, DocumentPath]:
        """The patterns that are left out, each with its place."""
        return self._received.unchecked | self._sent.unchecked

    def make(self, operation: Operation, name: str) -> tuple[ToolDef, Request]:
        """Make the tool and the request that it sends.

        Args:
            operation: The operation.
            name: The name of the tool.

        Raises:
            SpecError: The operation needs an unsupported feature.
            DefinitionError: It has a malformed schema.
        """
        arguments = Arguments(self.spec, self._sent)
        request = Request("")
        for parameter, place in self._parameters(operation):
            arguments.parameter(parameter, place, request)
        pieces = _HOLE.split(operation.path)  # every second part is the name of a parameter
        request.url = "".join(arguments.hole(piece) if index % 2 else literal(piece) for index, piece in enumerate(pieces))
        if "requestBody" in operation.value:
            arguments.body(*self.spec.follow(operation.value["requestBody"], (*operation.place, "requestBody")), request)
        if self._answers_bytes(operation):
            request.output = arguments.output()
        elif operation.method == "get":
            linked = any("link" in map(str.lower, response.get("headers") or ()) for response, _ in self._successes(operation))
            request.pages = arguments.pages(request, linked=linked)
        value = operation.value
        tags = tuple(tag for tag in value.get("tags", ()) if isinstance(tag, str)) if isinstance(value.get("tags"), list) else ()
        deprecated = value.get("deprecated") is True
        definition = ToolDef(
            name=name,
            description=_description(value, operation) + (" (deprecated)" if deprecated else ""),
            details=_details(value),
            input_schema=arguments.schema(operation.place),
            output_schema=self._output(operation),
            category=tags[0] if tags else "",
            tags=(*tags, "deprecated") if deprecated else tags,
            effects=_EFFECTS.get(operation.method, "write"),
            stdin="json" if request.body is not None and not request.files else False,
            defaults="omit",
        )
        return definition, request

    def _parameters(self, operation: Operation) -> Iterator[tuple[dict[str, Any], DocumentPath]]:
        """The parameters of the path and of the operation; the operation's override the path's."""
        found: dict[tuple[str, str], tuple[dict[str, Any], DocumentPath]] = {}
        own = (operation.value.get("parameters", []), (*operation.place, "parameters"))
        for listed, place in (operation.shared, own):
            if not isinstance(listed, list):
                raise SpecError(place, f"parameters is an array, not {type_name(listed)}")
            for index, item in enumerate(listed):
                parameter, where = self.spec.follow(item, (*place, index))
                if not isinstance(parameter.get("name"), str) or not isinstance(parameter.get("in"), str):
                    raise SpecError(where, "a parameter needs name and in")
                found[parameter["name"], parameter["in"]] = parameter, where
        yield from found.values()

    def _answers_bytes(self, operation: Operation) -> bool:
        """Whether an answer that is neither JSON nor text is declared for success."""
        for response, _ in self._successes(operation):
            content = response.get("content")
            if isinstance(content, dict) and content and json_media(content)[1] is None and not any(map(is_text, content)):
                return True
        return False

    def _successes(self, operation: Operation) -> Iterator[tuple[dict[str, Any], DocumentPath]]:
        """The responses for the statuses 200 and 201."""
        responses: Any = operation.value.get("responses")
        for status in ("200", "201") if isinstance(responses, dict) else ():
            if status in responses:
                yield self.spec.follow(responses[status], (*operation.place, "responses", status))

    def _output(self, operation: Operation) -> Mapping[str, Any] | None:
        for response, place in self._successes(operation):
            kind, media = json_media(response.get("content"))
            if media is not None and "schema" in media:
                uses: set[str] = set()
                where = (*place, "content", kind, "schema")
                schema = self._received.translate(media["schema"], where, uses)
                return self._received.whole(schema, uses, where) if isinstance(schema, dict) else None
        return None


def _description(value: Mapping[str, Any], operation: Operation) -> str:
    for key in ("summary", "description"):
        text = value.get(key)
        if isinstance(text, str) and text.strip():
            return one_line(text)
    return operation.title


def _details(value: Mapping[str, Any]) -> str:
    """The long description, where the summary is the short one."""
    summary, text = value.get("summary"), value.get("description")
    return text.strip() if isinstance(summary, str) and isinstance(text, str) and text.strip() != summary.strip() else ""

"""Turns an operation of an OpenAPI document into a tool: its parameters and body become arguments of a request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bashkit.tools.define import schema as json_schema
from bashkit.tools.define.definition import ToolDef
from bashkit.tools.define.schema import type_name
from bashkit.toolset.callbacks.http.template import literal
from bashkit.toolset.sources.openapi.naming import argument_name, operation_name, snake
from bashkit.toolset.sources.openapi.schemas import Translator
from bashkit.toolset.sources.openapi.spec import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.toolset.sources.openapi.spec import Spec
    from bashkit.toolset.text.document import Path as DocumentPath

METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_EFFECTS: dict[str, Literal["read", "write", "destructive"]] = {
    "get": "read",
    "head": "read",
    "options": "read",
    "delete": "destructive",
}
_OURS = frozenset({"accept", "content-type", "authorization"})  # header parameters that the specification tells readers to ignore
_FORM = "application/x-www-form-urlencoded"
_HOLE = re.compile(r"\{([^{}]*)\}")
_BODY = "body"
_MAX_NESTED = 8  # maximum nesting of allOf


@dataclass(slots=True)
class Request:
    """The request of an operation, in the notation of HTTP callbacks.

    Attributes:
        url: The part after the base URL.
        query, headers: Their texts.
        body: The template of the body, or None.
    """

    url: str
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None


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
        self._received = Translator(self.spec, "writeOnly")

    def make(self, operation: Operation, name: str) -> tuple[ToolDef, Request]:
        """Make the tool and the request that it sends.

        Args:
            operation: The operation.
            name: The name of the tool.

        Raises:
            SpecError: The operation needs an unsupported feature.
            DefinitionError: It has a malformed schema.
        """
        arguments = _Arguments(self.spec, self._sent)
        request = Request("")
        for parameter, place in self._parameters(operation):
            arguments.parameter(parameter, place, request)
        pieces = _HOLE.split(operation.path)  # every second part is the name of a parameter
        request.url = "".join(arguments.hole(piece) if index % 2 else literal(piece) for index, piece in enumerate(pieces))
        if "requestBody" in operation.value:
            arguments.body(*self.spec.follow(operation.value["requestBody"], (*operation.place, "requestBody")), request)
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
            stdin="json" if request.body is not None else False,
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

    def _output(self, operation: Operation) -> Mapping[str, Any] | None:
        responses = operation.value.get("responses")
        if not isinstance(responses, dict):
            return None
        for status in ("200", "201"):
            if status in responses:
                response, place = self.spec.follow(responses[status], (*operation.place, "responses", status))
                kind, media = _json_media(response.get("content"))
                if media is not None and "schema" in media:
                    uses: set[str] = set()
                    where = (*place, "content", kind, "schema")
                    schema = self._received.translate(media["schema"], where, uses)
                    return self._received.whole(schema, uses, where) if isinstance(schema, dict) else None
        return None


@dataclass(slots=True)
class _Arguments:
    """Collects the input schema of a tool and the parts of its request."""

    spec: Spec
    translator: Translator
    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)
    holes: dict[str, str] = field(default_factory=dict)

    def schema(self, place: DocumentPath) -> Mapping[str, Any]:
        """The complete input schema of the operation at ``place``."""
        required = {"required": self.required} if self.required else {}
        found = {"type": "object", "properties": self.properties, **required, "additionalProperties": False}
        return self.translator.whole(found, self.uses, place)

    def hole(self, name: str) -> str:
        """The placeholder for a path parameter; an undeclared one is a text."""
        if name not in self.holes:
            self.holes[name] = self._add(name, "path", {"type": "string"}, required=True)
        return f"{{{self.holes[name]}}}"

    def parameter(self, parameter: Mapping[str, Any], place: DocumentPath, request: Request) -> None:
        """Add one parameter."""
        name, where = parameter["name"], parameter["in"]
        if where == "header" and name.lower() in _OURS:
            return
        if where not in {"path", "query", "header", "cookie"}:
            raise SpecError((*place, "in"), f"a parameter is in path, query, header or cookie, not {where!r}")
        style = parameter.get("style", "form" if where in {"query", "cookie"} else "simple")
        if style in {"matrix", "label"}:
            raise SpecError((*place, "style"), f"the style {style} of parameters is not supported")
        schema = self._parameter_schema(parameter, place)
        if isinstance(parameter.get("description"), str) and isinstance(schema, dict):
            schema = schema | {"description": _one_line(parameter["description"])}
        word = self._add(name, where, schema, required=parameter.get("required") is True or where == "path")
        if where == "path":
            self.holes[name] = word
        elif where == "header":
            request.headers[name] = f"{{{word}}}"
        elif where == "cookie":
            before = f"{request.headers['Cookie']}; " if "Cookie" in request.headers else ""
            request.headers["Cookie"] = f"{before}{literal(name)}={{{word}}}"
        elif style == "deepObject":
            request.query[f"{name}[]"] = f"{{{word}}}"
        else:
            separator = {"spaceDelimited": "| ", "pipeDelimited": "||"}.get(style, "|,")
            request.query[name] = f"{{{word}}}" if parameter.get("explode", style == "form") else f"{{{word}{separator}}}"

    def _parameter_schema(self, parameter: Mapping[str, Any], place: DocumentPath) -> Any:
        if "schema" in parameter:
            return self.translator.translate(parameter["schema"], (*place, "schema"), self.uses)
        return {"type": "string"}  # a parameter with "content" is JSON text

    def _add(self, name: str, where: str, schema: Any, *, required: bool) -> str:
        word = argument_name(name, where, set(self.properties))
        self.properties[word] = schema
        if required:
            self.required.append(word)
        return word

    def body(self, body: Mapping[str, Any], place: DocumentPath, request: Request) -> None:
        """Add the body: the fields of an object become separate arguments, any other body becomes ``body``."""
        content = body.get("content")
        kind, media = _json_media(content)
        if media is None:
            kind, media = _other_media(content)
        if media is None:
            kinds = ", ".join(content) if isinstance(content, dict) else "nothing"
            raise SpecError((*place, "content"), f"a body of {kinds} is not supported")
        if kind != "application/json":
            request.headers["Content-Type"] = kind
        where = (*place, "content", kind, "schema")
        schema = media.get("schema", {})
        fields = self._fields(schema, where)
        if fields is not None and not fields[0].keys() & self.properties.keys():
            properties, required = fields
            self.properties |= properties
            if body.get("required") is True:
                self.required += [name for name in required if name in properties]
            request.body = {name: f"{{{name}}}" for name in properties}
            return
        whole = self.translator.translate(schema, where, self.uses)
        word = self._add(_BODY, "content", whole, required=body.get("required") is True)
        request.body = f"{{{word}}}"

    def _fields(self, schema: Any, where: DocumentPath, depth: int = 0) -> tuple[dict[str, Any], list[str]] | None:
        """The translated properties of an object, which may be null, and the required ones; None if the body is anything else."""
        if depth > _MAX_NESTED:
            return None
        target, place = self.spec.follow(schema, where)
        if target.get("patternProperties") or target.get("additionalProperties", False) is not False:
            return None
        if target.get("type", "object") not in ("object", ["object"], ["object", "null"], ["null", "object"]):
            return None
        branches = [((*place, "allOf", index), part) for index, part in enumerate(target.get("allOf", ()))]
        for key in ("anyOf", "oneOf"):
            solid = [((*place, key, index), part) for index, part in enumerate(target.get(key, ())) if not _is_null(part)]
            if len(solid) > 1:
                return None
            branches += solid
        parts = [self._fields(part, path, depth + 1) for path, part in branches]
        properties: dict[str, Any] = {}
        required: list[str] = []
        for part in parts:
            if part is None:
                return None
            properties |= part[0]
            required += part[1]
        if isinstance(target.get("properties"), dict):
            own = {key: target[key] for key in ("properties", "required") if key in target}
            translated = self.translator.translate(own, place, self.uses)
            properties |= translated["properties"]
        required += [name for name in target.get("required", ()) if name not in required]
        plain = all(json_schema.type_name(name) == "string" and re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in properties)
        return (properties, required) if properties and plain else None


def _is_null(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") in ("null", ["null"])


def _json_media(content: Any) -> tuple[str, dict[str, Any] | None]:
    for kind, media in content.items() if isinstance(content, dict) else ():
        plain = kind.partition(";")[0].strip().lower()
        if (plain in {"application/json", "*/*"} or plain.endswith("+json")) and isinstance(media, dict):
            return "application/json" if plain == "*/*" else kind, media
    return "", None


def _other_media(content: Any) -> tuple[str, dict[str, Any] | None]:
    for kind, media in content.items() if isinstance(content, dict) else ():
        if (kind == _FORM or kind.startswith("text/")) and isinstance(media, dict):
            return kind, media
    return "", None


def _description(value: Mapping[str, Any], operation: Operation) -> str:
    for key in ("summary", "description"):
        text = value.get(key)
        if isinstance(text, str) and text.strip():
            return _one_line(text)
    return operation.title


def _details(value: Mapping[str, Any]) -> str:
    """The long description, where the summary is the short one."""
    summary, text = value.get("summary"), value.get("description")
    return text.strip() if isinstance(summary, str) and isinstance(text, str) and text.strip() != summary.strip() else ""


def _one_line(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.strip().partition("\n\n")[0].split())

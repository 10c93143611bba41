"""Collects the parameters and the body of an operation: the input schema of a tool, and the request that it sends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.network.headers import FRAMING
from bashkit.tools.call.flags import BODY, OUTPUT
from bashkit.tools.define import schema as json_schema
from bashkit.toolset.callbacks.http.multipart import BINARY
from bashkit.toolset.callbacks.http.multipart import KIND as MULTIPART
from bashkit.toolset.callbacks.http.pages import Pages
from bashkit.toolset.callbacks.http.template import literal
from bashkit.toolset.sources.openapi.media import FORM, json_media, other_media
from bashkit.toolset.sources.openapi.naming import argument_name, one_line, paging
from bashkit.toolset.sources.openapi.spec import SpecError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.toolset.sources.openapi.schemas import Translator
    from bashkit.toolset.sources.openapi.spec import Spec
    from bashkit.toolset.text.document import Path as DocumentPath

# header parameters that the specification tells readers to ignore, and those that the client writes
_OURS = frozenset({"accept", "content-type", "authorization"}) | FRAMING
_MAX_NESTED = 8  # maximum nesting of allOf


@dataclass(slots=True)
class Request:
    """The request of an operation, in the notation of HTTP callbacks.

    Attributes:
        url: The part after the base URL.
        query, headers: Their texts.
        body: The template of the body, or None.
        files: The arguments that are paths of files to send.
        output: The argument that is the path of a file for the answer, or "".
        pages: How all pages of the answer are got; None if it has no pages.
    """

    url: str
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    files: list[str] = field(default_factory=list)
    output: str = ""
    pages: Pages | None = None


@dataclass(slots=True)
class Arguments:
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
        if where not in ("path", "query", "header", "cookie"):
            raise SpecError((*place, "in"), f"a parameter is in path, query, header or cookie, not {where!r}")
        style = str(parameter.get("style", "form" if where in {"query", "cookie"} else "simple"))
        if style in {"matrix", "label"}:
            raise SpecError((*place, "style"), f"the style {style} of parameters is not supported")
        schema = self._parameter_schema(parameter, place)
        if isinstance(parameter.get("description"), str) and isinstance(schema, dict):
            schema = schema | {"description": one_line(parameter["description"])}
        exploded = parameter.get("explode", style == "form")
        fields = where != "query" and self._resolved(schema).get("type") == "object"
        if fields and exploded:
            raise SpecError(place, f"an object in a {where} is not supported with explode: true")
        word = self._add(name, where, schema, required=parameter.get("required") is True or where == "path")
        hole = f"{{{word}|,}}" if fields else f"{{{word}}}"
        if where == "path":
            self.holes[name] = word
        elif where == "header":
            request.headers[name] = hole
        elif where == "cookie":
            before = f"{request.headers['Cookie']}; " if "Cookie" in request.headers else ""
            request.headers["Cookie"] = f"{before}{literal(name)}={hole}"
        else:
            request.query[name] = _hole(word, style, exploded=exploded)

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
        kind, media = json_media(content)
        if media is None:
            kind, media = other_media(content)
        if media is None:
            self._file_body(body, place, request)
            return
        if kind != "application/json":
            request.headers["Content-Type"] = kind
        where = (*place, "content", kind, "schema")
        schema = media.get("schema", {})
        fields = self._fields(schema, where)
        if fields is not None and not fields[0].keys() & self.properties.keys():
            properties, required = fields
            self.properties |= properties
            if self._needed(body, schema):
                self.required += [name for name in required if name in list(properties)]
            encoding = media.get("encoding") if kind == FORM else None
            request.body = {name: _encoded_hole(name, encoding) for name in properties}
            return
        whole = self.translator.translate(schema, where, self.uses)
        word = self._add(BODY, "content", whole, required=body.get("required") is True)
        request.body = f"{{{word}}}"

    def _needed(self, body: Mapping[str, Any], schema: Any) -> bool:
        """Whether calls must have the required fields of a body. Many documents forget to say that of the body itself; only where
        it says ``required: false``, or may be null or has a default, may it be left out.
        """
        if "required" in body:
            return body["required"] is not False
        target, _ = self.spec.follow(schema, ())
        forms = [target, *_listed(target, "anyOf"), *_listed(target, "oneOf")]
        return not any("default" in form or form.get("nullable") is True or _may_be_null(form) for form in (schema, *forms))

    def _file_body(self, body: Mapping[str, Any], place: DocumentPath, request: Request) -> None:
        """Add a body of parts, some of which are files, or one that is the content of a file."""
        content: Any = body.get("content")
        kind = next(iter(content), "") if isinstance(content, dict) else ""
        if not kind:
            raise SpecError((*place, "content"), "the body has no content")
        required = body.get("required") is True
        request.headers["Content-Type"] = BINARY if "*" in kind else kind
        if kind.partition(";")[0].strip().lower() == MULTIPART:
            self._parts(content[kind], (*place, "content", kind), request, body)
            return
        word = self._add(BODY, "content", _a_file({}), required=required)
        request.body = f"{{{word}}}"
        request.files.append(word)

    def _parts(self, media: Any, place: DocumentPath, request: Request, body: Mapping[str, Any]) -> None:
        """Add the fields of a body of the kind multipart/form-data."""
        media, place = self.spec.follow(media, place)
        where = (*place, "schema")
        found = self._fields(media.get("schema", {}), where)
        if found is None:
            raise SpecError(where, f"a body of {MULTIPART} is an object with known fields")
        required = self._needed(body, media.get("schema"))
        request.body = {}
        for name, schema in found[0].items():
            shape = self._resolved(schema)
            items = self._resolved(shape.get("items"))
            if _is_file(shape):
                schema = _a_file(shape)
            elif _is_file(items):
                schema = shape | {"items": _a_file(items)}
            word = self._add(name, "part", schema, required=required and name in found[1])
            request.body[name] = f"{{{word}}}"
            if _is_file(shape) or _is_file(items):
                request.files.append(word)

    def _resolved(self, schema: Any) -> dict[str, Any]:
        """A translated schema, or the definition that it refers to."""
        found = self.translator.resolved(schema)
        return found if isinstance(found, dict) else {}

    def pages(self, request: Request, *, linked: bool) -> Pages | None:
        """Add the parameter for all pages, if the request has a parameter that chooses a page.

        Args:
            request: The request, whose query is complete.
            linked: The answer has a Link header.
        """
        found: dict[str, Any] = {}
        for name, template in request.query.items():
            schema = self._resolved(self.properties.get(template.strip("{}").partition("|")[0]))
            kind = paging(name, schema)
            if kind:
                found.setdefault(kind, name)
                first = {"first": 0} if kind == "page" and 0 in (schema.get("default"), schema.get("minimum")) else {}
                found |= first
        if not found and not linked:
            return None
        about = {"type": "boolean", "description": "All pages, joined"}
        return Pages(all=self._add("all", "pages", about, required=False), **found)

    def output(self) -> str:
        """Add the parameter for a file that gets the answer."""
        about = "File for the answer, which is not text; short: -o. Without it: > FILE, or | COMMAND"
        return self._add(OUTPUT, "answer", {"type": "string", "description": about}, required=False)

    def _fields(self, schema: Any, where: DocumentPath, depth: int = 0) -> tuple[dict[str, Any], list[str]] | None:
        """The translated properties of an object, which may be null, and the required ones; None if the body is anything else."""
        if depth > _MAX_NESTED:
            return None
        target, place = self.spec.follow(schema, where)
        if target.get("patternProperties") or target.get("additionalProperties", False) is not False:
            return None
        if target.get("type", "object") not in ("object", ["object"], ["object", "null"], ["null", "object"]):
            return None
        branches = [((*place, "allOf", index), part) for index, part in enumerate(_listed(target, "allOf"))]
        for key in ("anyOf", "oneOf"):
            solid = [((*place, key, index), part) for index, part in enumerate(_listed(target, key)) if not _is_null(part)]
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
            _join(required, part[1])
        if isinstance(target.get("properties"), dict):
            own = {key: target[key] for key in ("properties", "required") if key in target}
            translated = self.translator.translate(own, place, self.uses)
            properties |= translated["properties"]
        _join(required, _listed(target, "required"))
        plain = all(json_schema.type_name(name) == "string" and re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in properties)
        return (properties, required) if properties and plain else None


def _hole(word: str, style: str, *, exploded: bool) -> str:
    """The placeholder of a parameter of a query, or of a field of a form."""
    if style == "deepObject":
        return f"{{{word}|[]}}"
    separator = {"spaceDelimited": "| ", "pipeDelimited": "||"}.get(style, "|,")
    return f"{{{word}}}" if exploded else f"{{{word}{separator}}}"


def _encoded_hole(name: str, encoding: Any) -> str:
    """The placeholder of a field of a body, whose ``encoding`` may say how a form has it."""
    said = encoding.get(name) if isinstance(encoding, dict) else None
    if not isinstance(said, dict):
        return f"{{{name}}}"
    style = str(said.get("style", "form"))
    return _hole(name, style, exploded=said.get("explode", style == "form") is True)


def _is_file(schema: Mapping[str, Any]) -> bool:
    """Whether a part of a body is the content of a file (OpenAPI 3.0: format binary; 3.1: a media type without an encoding)."""
    if schema.get("type", "string") != "string":
        return False
    return schema.get("format") == "binary" or ("contentMediaType" in schema and "contentEncoding" not in schema)


def _a_file(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a path in place of a file's content."""
    about = schema.get("description")
    text = f"{one_line(about).rstrip('.')}; " if isinstance(about, str) and about.strip() else ""
    return {"type": "string", "description": f"{text}path of a file, - for standard input"}


def _listed(schema: Mapping[str, Any], key: str) -> list[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else []


def _join(names: list[Any], others: list[Any]) -> None:
    """Append the names that are not there yet."""
    for name in others:
        if name not in names:
            names.append(name)


def _may_be_null(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    return kinds == "null" or (isinstance(kinds, list) and "null" in kinds)


def _is_null(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") in ("null", ["null"])

"""Converts Swagger 2.0 documents to OpenAPI 3.0, as far as requests and answers are concerned."""

from __future__ import annotations

from typing import Any

from bashkit.toolset.callbacks.http.multipart import BINARY, KIND
from bashkit.toolset.sources.openapi.media import FORM, METHODS

_JSON = "application/json"
_MAX_CHAIN = 32  # maximum chain of references
_PARAMETER = frozenset({"name", "in", "description", "required", "allowEmptyValue", "collectionFormat"})  # the rest is a schema
_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited"}


def converted(value: dict[str, Any]) -> dict[str, Any]:
    """The document as OpenAPI 3.0. What is malformed stays as it is, so that reading it finds the mistake."""
    paths = value.get("paths", {})
    found: dict[str, Any] = {
        "openapi": "3.0.3",
        "info": value.get("info", {}),
        "paths": {name: _path(value, item) for name, item in paths.items()} if isinstance(paths, dict) else paths,
        "components": {
            "schemas": _referring(value.get("definitions", {})),
            "securitySchemes": _schemes(value.get("securityDefinitions")),
        },
    }
    if isinstance(value.get("host"), str):
        schemes = _texts(value.get("schemes")) or ["https"]
        scheme = "https" if "https" in schemes else schemes[0]
        found["servers"] = [{"url": f"{scheme}://{value['host']}{value.get('basePath') or ''}"}]
    return found | ({"security": value["security"]} if "security" in value else {})


def _path(root: dict[str, Any], item: Any) -> Any:
    if not isinstance(item, dict) or "$ref" in item:
        return item
    shared = _parameters(root, item.get("parameters"))
    return {key: _operation(root, part, shared) if key in METHODS else part for key, part in item.items() if key != "parameters"}


def _operation(root: dict[str, Any], value: Any, shared: list[Any]) -> Any:
    """An operation with the parameters of its path, which its own override."""
    if not isinstance(value, dict) or not isinstance(value.get("parameters", []), list):
        return value
    own = _parameters(root, value.get("parameters"))
    names = [_identity(one) for one in own]
    parameters = [one for one in shared if _identity(one) not in names] + own
    found = {key: part for key, part in value.items() if key not in {"parameters", "responses", "consumes", "produces"}}
    plain = [one for one in parameters if not isinstance(one, dict) or one.get("in") not in ("body", "formData")]
    found["parameters"] = [_parameter(one) for one in plain]
    body = _body(parameters, _texts(value.get("consumes")) or _texts(root.get("consumes")) or [_JSON])
    if body is not None:
        found["requestBody"] = body
    responses = value.get("responses")
    if isinstance(responses, dict):
        kinds = _texts(value.get("produces")) or _texts(root.get("produces")) or [_JSON]
        found["responses"] = {status: _response(_resolved(root, answer), kinds) for status, answer in responses.items()}
    return found


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _identity(parameter: Any) -> Any:
    """What a parameter overrides another one by."""
    return (parameter.get("name"), parameter.get("in")) if isinstance(parameter, dict) else parameter


def _parameters(root: dict[str, Any], listed: Any) -> list[Any]:
    return [_resolved(root, one) for one in listed] if isinstance(listed, list) else []


def _parameter(value: Any) -> Any:
    if not isinstance(value, dict) or "$ref" in value:
        return value
    found = {key: part for key, part in value.items() if key in _PARAMETER - {"collectionFormat"}}
    found["schema"] = _schema(value)
    if value.get("type") == "array" and value.get("in") in ("query", "formData"):
        kind = str(value.get("collectionFormat", "csv"))
        found |= {"style": _STYLES.get(kind, "form"), "explode": kind == "multi"}
    return found


def _schema(parameter: dict[str, Any]) -> Any:
    """The schema of a parameter that is not a body."""
    found = {key: part for key, part in parameter.items() if key not in _PARAMETER and not key.startswith("x-")}
    return _referring(found)


def _body(parameters: list[Any], kinds: list[str]) -> dict[str, Any] | None:
    """The body that parameters in ``body`` or ``formData`` describe; None without any."""
    whole = next((one for one in parameters if isinstance(one, dict) and one.get("in") == "body"), None)
    if whole is not None:
        schema = _referring(whole.get("schema", {}))
        said = {"required": whole["required"]} if "required" in whole else {}
        return said | {"content": {kind: {"schema": schema} for kind in kinds}}
    fields = [one for one in parameters if isinstance(one, dict) and one.get("in") == "formData"]
    if not fields:
        return None
    kind = KIND if KIND in kinds or any(one.get("type") == "file" for one in fields) else FORM
    properties = {
        str(one.get("name")): _schema(one) | ({"description": one["description"]} if "description" in one else {})
        for one in fields
    }
    required = [str(one.get("name")) for one in fields if one.get("required") is True]
    schema = {"type": "object", "properties": properties} | ({"required": required} if required else {})
    return {"required": bool(required), "content": {kind: {"schema": schema}}}


def _response(value: Any, kinds: list[str]) -> Any:
    if not isinstance(value, dict):
        return value
    found = {key: part for key, part in value.items() if key not in {"schema", "examples"}}
    if "schema" in value:
        schema = value["schema"]
        if isinstance(schema, dict) and schema.get("type") == "file":
            kinds = [kind for kind in kinds if kind != _JSON] or [BINARY]
        found["content"] = {kind: {"schema": _referring(schema)} for kind in kinds}
    return found


def _schemes(value: Any) -> dict[str, Any]:
    """The security schemes: only ``basic`` is written in another way, and where tokens come from is the author's affair."""
    found = value.items() if isinstance(value, dict) else ()
    return {
        name: {"type": "http", "scheme": "basic"} if isinstance(one, dict) and one.get("type") == "basic" else one
        for name, one in found
    }


def _resolved(root: dict[str, Any], part: Any) -> Any:
    """A parameter or response, or the shared one that it refers to; what cannot be followed stays."""
    for _ in range(_MAX_CHAIN):
        reference = part.get("$ref") if isinstance(part, dict) else None
        if not isinstance(reference, str):
            return part
        pieces = reference.split("/")
        group = (
            root.get(pieces[1]) if pieces[0] == "#" and len(pieces) == 3 and pieces[1] in {"parameters", "responses"} else None
        )
        if not isinstance(group, dict) or pieces[2] not in group:
            return part
        part = group[pieces[2]]
    return part


def _referring(value: Any) -> Any:
    """A schema with references to where OpenAPI 3.0 has schemas, and with its words for files and null."""
    if isinstance(value, list):
        return [_referring(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {key: _referring(part) for key, part in value.items()}
    if isinstance(found.get("$ref"), str):
        found["$ref"] = found["$ref"].replace("#/definitions/", "#/components/schemas/", 1)
    if found.get("type") == "file":
        found |= {"type": "string", "format": "binary"}
    return found | ({"nullable": True} if found.get("x-nullable") is True else {})

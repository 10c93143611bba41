"""HTTP requests, responses and failures as JSON with raw bytes, for those who have no network of their own."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from bashkit.network.client import HttpError, Request, Response

_ERROR = ("kind", "host", "port", "detail", "received")
_PLAIN = tuple(field.name for field in fields(Response) if field.name not in {"body", "history"})


def pack_request(request: Request) -> tuple[dict[str, Any], bytes]:
    """A request, apart from the rule for headers on redirects."""
    plain = {
        name: getattr(request, name)
        for name in ("method", "url", "headers", "follow", "timeout", "limit", "keep_method", "allow_user")
    }
    return plain | {"has_body": request.body is not None}, request.body or b""


def unpack_request(values: dict[str, Any], data: bytes) -> Request:
    """The request of ``pack_request``.

    Raises:
        Exception: Something is wrong with it.
    """
    has_body = values.pop("has_body")
    headers = tuple((str(name), str(text)) for name, text in values.pop("headers"))
    return Request(headers=headers, body=data if has_body else None, **values)


def pack_response(response: Response) -> tuple[list[Any], bytes]:
    """A response, those that redirected to it first."""
    chain = [*response.history, response]
    plain = [{name: getattr(one, name) for name in _PLAIN} | {"length": len(one.body)} for one in chain]
    return plain, b"".join(one.body for one in chain)


def unpack_response(plain: list[Any], data: bytes) -> Response:
    """The response of ``pack_response``."""
    chain: list[Response] = []
    for one in plain:
        length = one.pop("length")
        one["headers"] = [tuple(pair) for pair in one["headers"]]
        one["sent"] = [tuple(pair) for pair in one["sent"]]
        one["address"] = tuple(one["address"])
        chain.append(Response(body=data[:length], **one))
        data = data[length:]
    chain[-1].history = chain[:-1]
    return chain[-1]


def pack_error(error: HttpError) -> dict[str, Any]:
    """A failure."""
    return {name: getattr(error, name) for name in _ERROR} | {"message": str(error)}


def unpack_error(values: dict[str, Any]) -> HttpError:
    """The failure of ``pack_error``."""
    return HttpError(**values)

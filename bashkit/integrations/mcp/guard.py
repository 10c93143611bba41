"""Guard: who may use a server over HTTP, and the end of what a client has left behind."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse

from bashkit.errors import BashkitError
from bashkit.integrations.listening import is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Receive, Scope, Send

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_OPEN = "/health"  # a balancer has no token
_MOST = 1_000  # exchanges of one client at the same time, among them its streams


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a server.

    Attributes:
        tokens: The bearer tokens; none: everybody may.
        hosts: The names under which clients know the server, as in the header Host; None: any name.
        origins: The pages that may use the server, as in the header Origin: ``https://example.com``.
        local: Pages of this machine may use the server.
    """

    tokens: tuple[str, ...] = ()
    hosts: tuple[str, ...] | None = None
    origins: tuple[str, ...] = ()
    local: bool = False

    @property
    def owners(self) -> tuple[str, ...]:
        """What stands for each token; "" alone if there are none."""
        return tuple(_digest(token).hex() for token in self.tokens) or ("",)

    @classmethod
    def to(cls, host: str, tokens: Iterable[str], hosts: Iterable[str], origins: Iterable[str]) -> Access:
        """The access to a server that listens at ``host``.

        Where that is this machine alone, or names are given, requests under other names are refused: a page that has its own
        name lead to this machine (DNS rebinding) must not get through.

        Raises:
            BashkitError: A host or an origin is malformed.
        """
        local, names = is_loopback(host), tuple(_named(name) for name in hosts)
        known = (*_LOOPBACK, *names) if local else names
        return cls(tuple(tokens), known or None, tuple(_origin(text) for text in origins), local)


def owner_of(request: Any) -> str:
    """What stands for the token of a request; "" without one, and where ``request`` is not one of HTTP."""
    return owner_in(getattr(request, "scope", None) or {})


def owner_in(scope: Scope) -> str:
    """The same of a request that the guard has let through, as ASGI has it."""
    return getattr(scope.get("user"), "username", "")


class Guard:
    """Lets a request through to an application, or refuses it.

    When an exchange is over, the calls that it has begun are ended: nobody would get their answers.

    Args:
        app: The application.
        access: Who may use it.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access
        self._digests = [_digest(token) for token in access.tokens]
        self._exchanges: Counter[str] = Counter()  # by owner
        # what a browser must be told before a page may read answers; other pages have been refused by then
        self._told_to_pages = CORSMiddleware(
            self._serve_known,
            allow_origin_regex=".*",
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=("*",),
            expose_headers=("Mcp-Session-Id",),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._misled(Headers(scope=scope))
        await (refused or self._told_to_pages)(scope, receive, send)

    async def _serve_known(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._unknown(Headers(scope=scope), scope)
        owner = owner_in(scope)
        if refused is None and self._exchanges[owner] >= _MOST and scope["path"] != _OPEN:
            refused = _refusal(429, f"a client has at most {_MOST} requests at the same time")
        if refused is not None:
            await refused(scope, receive, send)
            return
        # No stream can be gone on with, since no event has an ID here; to a request for that the SDK gives no answer at all.
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"last-event-id"]
        calls = scope["bashkit.calls"] = []
        self._exchanges[owner] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._exchanges[owner] -= 1
            with anyio.CancelScope(shield=True):
                for stop in calls:
                    await stop()

    def _misled(self, headers: Headers) -> JSONResponse | None:
        """The refusal of a request that a page of somebody else has made."""
        access = self._access
        if access.hosts is not None and _hostname(f"//{headers.get('host', '')}") not in access.hosts:
            return _refusal(421, "this server is not known by that name: --allow-host NAME adds one")
        origin = headers.get("origin")
        if origin is None or origin in access.origins:
            return None
        if access.local and _hostname(origin) in _LOOPBACK:
            return None
        return _refusal(403, "pages of that origin may not use this server: --allow-origin ORIGIN lets them")

    def _unknown(self, headers: Headers, scope: Scope) -> JSONResponse | None:
        """The refusal of a request without a token that is known."""
        if not self._digests or scope["path"] == _OPEN:
            return None
        kind, _, token = headers.get("authorization", "").partition(" ")
        given = _digest(token.strip())
        found = sum([hmac.compare_digest(given, digest) for digest in self._digests])  # all of them, in the same time always
        if kind.lower() != "bearer" or not found:
            error = ', error="invalid_token"' if kind else ""
            return _refusal(401, "a bearer token is needed", {"WWW-Authenticate": f'Bearer realm="bashkit"{error}'})
        # the SDK lets a session be used only by whom has begun it
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=given.hex(), scopes=[]))
        return None


def _named(text: str) -> str:
    """The name of a host, whose port does not matter."""
    name = _hostname(f"//[{text}]" if text.count(":") > 1 and "[" not in text else f"//{text}")
    if name is None or not set("/*?#@").isdisjoint(text):
        raise BashkitError(f"a host is a name such as tools.example.com, not {text!r}")
    return name


def _origin(text: str) -> str:
    """An origin as browsers write it."""
    scheme, separator, host = text.lower().removesuffix("/").partition("://")
    if not (scheme and separator and _hostname(f"//{host}")) or not set("/*?#@").isdisjoint(host):
        raise BashkitError(f"an origin is written SCHEME://NAME or SCHEME://NAME:PORT, as https://chat.example.com, not {text!r}")
    return f"{scheme}://{host}"


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:  # a bracket that is never closed
        return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _refusal(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": message}, status, headers)

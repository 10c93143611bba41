"""The HTTP client: it checks every request and redirect against a NetworkPolicy and connects to the address that was checked."""

from __future__ import annotations

import asyncio
import re
import socket
import time
import zlib
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from bashkit.network.decoding import ACCEPTED, PIECE, decoder_of
from bashkit.network.headers import FRAMING, HEADER_NAME
from bashkit.network.policy import PORTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.network.policy import NetworkPolicy

_urlsplit = getattr(urlsplit, "__wrapped__", urlsplit)  # which keeps what it was asked last, however long
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAFE = "%/:=&?~#+!$,;'@()*[]"
_OF_A_BODY = frozenset({"content-type"})
_NO_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_PATIENCE = 2.0  # seconds in which an address connects, if there is another to try
_TURN = 256  # pieces of a body after which other tasks of the event loop run


class HttpError(Exception):
    """A request that failed.

    Args:
        kind: ``url``, ``scheme``, ``credentials`` (in the address), ``refused`` (by the policy), ``private``, ``resolve``,
            ``connect``, ``certificate``, ``tls``, ``timeout``, ``redirects``, ``size``, ``empty``, ``receive``,
            ``header`` (one that may not be sent), ``encoding`` (of the body), ``missing`` (httpx).
        message: What went wrong.
        host, port: The contacted machine, if known.
        detail: Details of some kinds: the policy's reason, or the message of the library below.
        received: Bytes of the answer received so far.
    """

    def __init__(self, kind: str, message: str, *, host: str = "", port: int = 0, detail: str = "", received: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.host = host
        self.port = port
        self.detail = detail
        self.received = received


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request.

    Attributes:
        method: The HTTP method.
        url: The address.
        headers: Name and value, in order.
        body: The body, or None.
        follow: Maximum redirects to follow; with 0, a redirect is the answer.
        timeout: Maximum seconds, redirects included; None for the policy's.
        limit: Maximum bytes of the response; None for the policy's.
        keep_method: Redirects keep the method.
        allow_user: A user in the address is ignored, not refused.
        charge: Called with the bytes of each piece of a body before it is kept; it may raise to end the request.
        kept: Whether a header may be sent to other hosts than the first, by its name in lower case.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    follow: int = 0
    timeout: float | None = None
    limit: int | None = None
    keep_method: bool = False
    allow_user: bool = False
    charge: Callable[[int], object] = int
    kept: Callable[[str], bool] = frozenset({"accept", "content-type", "user-agent"}).__contains__


@dataclass(slots=True)
class Response:
    """An HTTP response.

    Attributes:
        status: The status code.
        reason: The reason phrase.
        version: ``HTTP/1.1``.
        headers: Name and value, in order.
        body: The content.
        url: The address after redirects.
        seconds: The duration.
        history: The responses that redirected to this one, without their bodies.
        sent: The request headers without the policy's credentials.
        address: The address and port that was reached.
    """

    status: int
    reason: str
    version: str
    headers: list[tuple[str, str]]
    body: bytes
    url: str
    seconds: float = 0.0
    history: list[Response] = field(default_factory=list)
    sent: list[tuple[str, str]] = field(default_factory=list)
    address: tuple[str, int] = ("", 0)

    def header(self, name: str) -> str | None:
        """The last header with a name."""
        found = [text for key, text in self.headers if key.lower() == name.lower()]
        return found[-1] if found else None


def split(url: str) -> tuple[SplitResult, str, int]:
    """Parse a URL; return it with its host and port.

    Raises:
        HttpError: It is not an http or https URL.
    """
    try:
        parts: SplitResult = _urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise HttpError("url", "the address is not a URL") from None
    if parts.scheme not in PORTS:
        raise HttpError("scheme", "the address is not an http or https URL", detail=parts.scheme)
    if not host:
        raise HttpError("url", "the address is not an http or https URL")
    return parts, host, port or PORTS[parts.scheme]


def library() -> Any:
    """Import httpx at the first use.

    Raises:
        HttpError: It is not installed.
    """
    try:
        import httpx
    except ImportError:
        raise HttpError("missing", "httpx is missing: pip install 'bashkit-toolsets[http]' adds it") from None
    return httpx


async def fetch(policy: NetworkPolicy, request: Request) -> Response:
    """Send a request and follow its redirects, each of which is checked like a separate request.

    Args:
        policy: The policy; its limits apply if the request's are larger.
        request: The request.

    Raises:
        HttpError: The request fails, or the policy does not allow it.
    """
    library()
    allowed = min(policy.timeout, request.timeout or policy.timeout)
    started = time.monotonic()
    exchange = _Exchange(policy, min(policy.max_response_bytes, request.limit or policy.max_response_bytes))
    history: list[Response] = []
    try:
        async with asyncio.timeout(allowed):
            while True:
                response = await exchange.send(request)
                target = response.header("location")
                if not request.follow or response.status not in _REDIRECTS or target is None:
                    response.history, response.seconds = history, time.monotonic() - started
                    return response
                response.body = b""
                history.append(response)
                most = min(request.follow, policy.max_redirects)
                if len(history) > most:
                    raise HttpError("redirects", f"more than {most} redirects", detail=str(most))
                request = _redirected(request, response, target)
    except TimeoutError:
        raise HttpError("timeout", f"no answer within {allowed:g} s", received=exchange.received) from None


def _redirected(request: Request, response: Response, target: str) -> Request:
    """The request that follows a redirect (RFC 9110, 15.4); another host gets only the permitted headers."""
    url = urljoin(response.url, target)
    method, body = request.method, request.body
    if not request.keep_method and (response.status == 303 or (response.status in {301, 302} and method == "POST")):
        method, body = "HEAD" if method == "HEAD" else "GET", None
    headers = request.headers
    if split(url)[1:] != split(request.url)[1:]:
        headers = tuple((name, text) for name, text in headers if request.kept(name.lower()))
    if body is None:
        headers = tuple((name, text) for name, text in headers if name.lower() not in _OF_A_BODY)
    return replace(request, url=url, method=method, body=body, headers=headers)


@dataclass(slots=True)
class _Exchange:
    """The requests of one ``fetch``.

    Attributes:
        policy: The policy.
        limit: Maximum bytes of one response.
        received: Bytes of the last response so far.
    """

    policy: NetworkPolicy
    limit: int
    received: int = 0

    async def send(self, request: Request) -> Response:
        """Send one request without following redirects."""
        parts, host, port = split(request.url)
        if parts.username is not None and not request.allow_user:
            raise HttpError("credentials", "the address contains credentials: put them into headers")
        refusal = self.policy.refusal(request.method, parts.scheme, host, port)
        if refusal is not None:
            message = f"{parts.scheme}://{host}:{port} is not among the hosts that this tool may reach"
            raise HttpError("refused", message, host=host, port=port, detail=refusal)
        _check_headers(request.headers)
        *others, last = await _reachable(self.policy, host, port)
        self.received = 0
        for address in others:
            try:
                return await self._exchange(request, parts, host, (address, port), _PATIENCE)
            except HttpError as error:
                if error.kind != "connect":
                    raise
        return await self._exchange(request, parts, host, (last, port), None)

    async def _exchange(
        self, request: Request, parts: SplitResult, host: str, address: tuple[str, int], patience: float | None
    ) -> Response:
        """Connect to an address that was checked, whatever the host's name resolves to now, within so many seconds."""
        try:
            return await self._answer(request, parts, host, address, patience)
        except HttpError:
            raise
        except Exception as error:
            raise _failure(error, host, address[1]) from None

    async def _answer(
        self, request: Request, parts: SplitResult, host: str, address: tuple[str, int], patience: float | None
    ) -> Response:
        """Ask the machine at an address for what the host says."""
        place, port = address
        shown = f"[{host}]" if ":" in host else host
        visible = [("Host", shown if port == PORTS[parts.scheme] else f"{shown}:{port}"), *request.headers]
        if not any(name.lower() == "accept-encoding" for name, _ in visible):
            visible.append(("Accept-Encoding", ACCEPTED))
        secret = self.policy.credentials(parts.scheme, host, port)
        hidden = {name.lower() for name in secret}
        headers = [(name, text) for name, text in visible if name.lower() not in hidden] + list(secret.items())
        literal = f"[{place}]" if ":" in place else place
        path = quote(parts.path or "/", safe=_SAFE) + (f"?{quote(parts.query, safe=_SAFE)}" if parts.query else "")
        verify = _certificates() if parts.scheme == "https" else False
        timeout = library().Timeout(None, connect=patience)
        async with (
            library().AsyncClient(trust_env=False, timeout=timeout, verify=verify) as client,
            client.stream(
                request.method,
                f"{parts.scheme}://{literal}:{port}{path}",
                headers=_raw(headers),
                content=request.body,
                extensions={"sni_hostname": host},
            ) as answer,
        ):
            body = await self._body(answer, request)
            return Response(
                answer.status_code,
                answer.reason_phrase,
                answer.http_version,
                [(name.decode("latin-1"), text.decode("utf-8", "surrogateescape")) for name, text in answer.headers.raw],
                body,
                request.url,
                sent=visible,
                address=address,
            )

    async def _body(self, answer: Any, request: Request) -> bytes:
        announced = answer.headers.get("content-length", "")
        if re.fullmatch("[0-9]{1,18}", announced) and int(announced) > self.limit and request.method != "HEAD":
            raise self._too_large()
        decoder = decoder_of(answer.headers.get("content-encoding", ""))
        body = bytearray()
        turns = 0
        async for block in answer.aiter_raw():
            turns += 1
            if not turns % _TURN:
                await asyncio.sleep(0)
            for piece in decoder.pieces(block):
                self.received += len(piece)
                if self.received > self.limit:
                    raise self._too_large()
                request.charge(len(piece))
                body += piece
                if len(piece) == PIECE:
                    await asyncio.sleep(0)
        return bytes(body)

    def _too_large(self) -> HttpError:
        return HttpError("size", f"the answer is larger than {self.limit >> 20} MB", received=self.received)


def _check_headers(headers: Sequence[tuple[str, str]]) -> None:
    """Refuse headers that would change where a request or its parts begin and end."""
    for name, text in headers:
        if not HEADER_NAME.fullmatch(name):
            raise HttpError("header", "a header has a malformed name", detail=f"malformed header name: {name[:60]!r}")
        if name.lower() in FRAMING:
            words = f"the header {name} may not be set: the client writes it itself"
            raise HttpError("header", words, detail=words)
        if _NO_VALUE.search(text):
            words = f"the value of the header {name} contains a line break or another control character"
            raise HttpError("header", words, detail=words)


async def _reachable(policy: NetworkPolicy, host: str, port: int) -> list[str]:
    """The addresses of the host that may be reached, the best first; there is at least one."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HttpError("resolve", f"the host {host} is not known", host=host, port=port) from None
    public = [str(entry[4][0]) for entry in found if not policy.private(str(entry[4][0]))]
    if not public:
        message = f"{host} is a private address; allow_private: true lets the tool reach it"
        raise HttpError("private", message, host=host, port=port)
    return list(dict.fromkeys(public))


@cache
def _certificates() -> Any:
    """The trusted certificates, loaded once because that takes longer than most requests."""
    return library().create_ssl_context()


def _raw(headers: Sequence[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1", "replace"), _header_text(name, text)) for name, text in headers]


def _header_text(name: str, text: str) -> bytes:
    if name == "Host" and not text.isascii():
        return text.encode("idna")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that does not stand for a byte
        return text.encode("utf-8", "replace")


def _failure(error: Exception, host: str, port: int) -> HttpError:
    """Translate an exception of the library below to an HttpError."""
    httpx = library()
    text, name = str(error), type(error).__name__
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        kind = "certificate" if "certificate" in text.lower() else "tls" if "ssl" in text.lower() else "connect"
        words = f"no connection: {text}" if kind == "certificate" else "no connection"
    elif isinstance(error, httpx.RemoteProtocolError):
        kind, words = "empty", "the answer is not HTTP"
    elif isinstance(error, zlib.error):
        kind, words = "encoding", "the answer is not encoded as it says"
    elif isinstance(error, httpx.ReadError):
        kind, words, text = "receive", "the connection broke off", name
    elif isinstance(error, (httpx.InvalidURL, UnicodeError)):
        kind, words, text = "receive", "the address is not a URL", name
    elif isinstance(error, (httpx.HTTPError, ValueError, OSError)):
        kind, words, text = "receive", name, name
    else:
        raise error
    return HttpError(kind, f"{host}: {words}", host=host, port=port, detail=text)

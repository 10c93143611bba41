"""HTTP for curl and wget: every request and redirect checked against the host's NetworkPolicy, sent through httpx."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, urljoin, urlsplit

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.network import NetworkPolicy

_PORTS = {"http": 80, "https": 443}
_REDIRECTS = {301, 302, 303, 307, 308}
_SAFE = "%/:=&?~#+!$,;'@()*[]"
_DISABLED = "network access is off in this sandbox; Bash(network=NetworkPolicy(allow=[{host!r}])) turns it on"


class HttpError(Exception):
    """A request that failed.

    Args:
        kind: ``url``, ``scheme``, ``resolve``, ``connect``, ``timeout``, ``tls``, ``redirects``, ``size``, ``empty``, ``refused``.
        message: What went wrong, in curl's words.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        method: The HTTP method.
        url: The address.
        headers: Name and value, in order.
        body: What is sent, or None.
        follow: How many redirects to follow.
        timeout: Seconds at most; None for the policy's.
        limit: Bytes of the response at most; None for the policy's.
        keep_method: Redirects keep the method, as for ``-X``.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    follow: int = 0
    timeout: float | None = None
    limit: int | None = None
    keep_method: bool = False


@dataclass(slots=True)
class Response:
    """What came back.

    Attributes:
        status: The status code.
        reason: The words behind it.
        version: ``HTTP/1.1``.
        headers: Name and value, in order.
        body: The content.
        url: The address after redirects.
        seconds: How long it took.
        history: The responses that redirected to this one.
        sent: The request headers that scripts may see.
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
        """The last header of a name."""
        found = [text for key, text in self.headers if key.lower() == name.lower()]
        return found[-1] if found else None


def split(url: str) -> tuple[SplitResult, str, int]:
    """A URL with its host and port.

    Raises:
        HttpError: It is none.
    """
    if "://" not in url:
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise HttpError("url", "URL using bad/illegal format or missing URL") from None
    if parts.scheme.lower() not in _PORTS:
        raise HttpError("scheme", f'Protocol "{parts.scheme}" not supported or disabled in libcurl')
    if not host or any(char <= " " for char in url):
        raise HttpError("url", "URL using bad/illegal format or missing URL")
    return parts, host, port or _PORTS[parts.scheme.lower()]


def fetch(process: Process, request: Request) -> Response:
    """Send a request and follow its redirects.

    Raises:
        HttpError: It fails, or the policy does not allow it.
    """
    policy: NetworkPolicy | None = process.system.network
    _, host, _ = split(request.url)
    if policy is None:
        raise HttpError("refused", _DISABLED.format(host=host))
    try:
        import httpx
    except ImportError:
        raise HttpError("refused", "the host lacks httpx; pip install 'bashkit-toolsets[http]' adds it") from None
    budget = process.budget
    limit = min(policy.max_response_bytes, budget.limits.max_string_bytes, request.limit or policy.max_response_bytes)
    allowed = min(policy.timeout, request.timeout or policy.timeout, max(0.01, budget.deadline - budget.clock()))
    started = time.monotonic()
    history: list[Response] = []
    while True:
        left = allowed - (time.monotonic() - started)
        if left <= 0:
            raise _late(allowed)
        hop = request

        def send(hop: Request = hop, left: float = left) -> Response:
            return _send(httpx, policy, hop, left, limit)

        try:
            response = process.system.call(send, timeout=left + 1)
        except TimeoutError:
            raise _late(allowed) from None
        budget.tick(len(response.body) >> 8)
        target = response.header("location")
        if not request.follow or response.status not in _REDIRECTS or target is None:
            response.history = history
            response.seconds = time.monotonic() - started
            return response
        history.append(response)
        if len(history) > min(request.follow, policy.max_redirects):
            raise HttpError("redirects", f"Maximum ({min(request.follow, policy.max_redirects)}) redirects followed")
        request = _redirected(request, response, target)


def _late(seconds: float) -> HttpError:
    return HttpError("timeout", f"Operation timed out after {int(seconds * 1000)} milliseconds with 0 bytes received")


def _redirected(request: Request, response: Response, target: str) -> Request:
    """The request that a redirect asks for; credentials do not go to another host."""
    url = urljoin(response.url, target)
    method, body = request.method, request.body
    if not request.keep_method and (response.status == 303 or (response.status in {301, 302} and method == "POST")):
        method, body = "HEAD" if method == "HEAD" else "GET", None
    headers = request.headers
    if split(url)[1:] != split(request.url)[1:]:
        headers = tuple((name, text) for name, text in headers if name.lower() not in {"authorization", "cookie"})
    if body is None:
        headers = tuple((name, text) for name, text in headers if name.lower() not in {"content-type", "content-length"})
    return replace(request, url=url, method=method, body=body, headers=headers)


def _resolve(policy: NetworkPolicy, host: str, port: int) -> str:
    """An address of the host that may be reached: the very one that is connected to."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HttpError("resolve", f"Could not resolve host: {host}") from None
    addresses = [str(entry[4][0]) for entry in found]
    public = [address for address in addresses if not policy.private(address)]
    if not public:
        raise HttpError("refused", f"{host} is a private address, which the network policy never allows")
    return public[0]


def _send(httpx: Any, policy: NetworkPolicy, request: Request, left: float, limit: int) -> Response:
    """One request without redirects; runs in a thread of its own."""
    parts, host, port = split(request.url)
    scheme = parts.scheme.lower()
    refusal = policy.refusal(request.method, scheme, host, port)
    if refusal is not None:
        raise HttpError("refused", f"{host}: {refusal}")
    address = _resolve(policy, host, port)
    literal = f"[{address}]" if ":" in address else address
    path = quote(parts.path or "/", safe=_SAFE) + (f"?{quote(parts.query, safe=_SAFE)}" if parts.query else "")
    shown_host = f"[{host}]" if ":" in host else host
    named = shown_host if port == _PORTS[scheme] else f"{shown_host}:{port}"
    visible = [("Host", named), *request.headers]
    secret = policy.credentials(scheme, host, port)
    hidden = {name.lower() for name in secret}
    headers = [(name, text) for name, text in visible if name.lower() not in hidden] + list(secret.items())
    ends = time.monotonic() + left
    try:
        with (
            httpx.Client(trust_env=False, follow_redirects=False, timeout=left, verify=True, headers=None) as client,
            client.stream(
                request.method,
                f"{scheme}://{literal}:{port}{path}",
                headers=[(name.encode("latin-1", "replace"), text.encode("utf-8", "surrogateescape")) for name, text in headers],
                content=request.body,
                extensions={"sni_hostname": host},
            ) as answer,
        ):
            return _received(answer, request, limit, ends, visible, (address, port))
    except httpx.ConnectTimeout:
        raise HttpError("timeout", f"Connection timed out after {int(left * 1000)} milliseconds") from None
    except httpx.TimeoutException:
        raise _late(left) from None
    except httpx.ConnectError as error:
        if "certificate" in str(error).lower():
            raise HttpError("certificate", f"SSL certificate problem: {error}") from None
        if "ssl" in str(error).lower():
            raise HttpError("tls", f"TLS connect error: {error}") from None
        raise HttpError("connect", f"Failed to connect to {host} port {port} after 0 ms: Couldn't connect to server") from None
    except httpx.RemoteProtocolError:
        raise HttpError("empty", "Empty reply from server") from None
    except httpx.UnsupportedProtocol:
        raise HttpError("scheme", f'Protocol "{parts.scheme}" not supported or disabled in libcurl') from None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
        raise HttpError("receive", f"Recv failure: {type(error).__name__}") from None


def _received(
    answer: Any, request: Request, limit: int, ends: float, visible: list[tuple[str, str]], address: tuple[str, int]
) -> Response:
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit and request.method != "HEAD":
        raise HttpError("size", "Maximum file size exceeded")
    pieces: list[bytes] = []
    size = 0
    for piece in answer.iter_bytes():
        size += len(piece)
        if size > limit:
            raise HttpError("size", "Maximum file size exceeded")
        if time.monotonic() > ends:
            raise HttpError("timeout", f"Operation timed out with {size} bytes received")
        pieces.append(piece)
    headers = [(name.decode("latin-1"), text.decode("utf-8", "surrogateescape")) for name, text in answer.headers.raw]
    return Response(
        answer.status_code,
        answer.reason_phrase,
        answer.http_version,
        headers,
        b"".join(pieces),
        request.url,
        sent=visible,
        address=address,
    )

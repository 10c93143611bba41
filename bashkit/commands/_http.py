"""HTTP for curl and wget: the host's client within the script's budget, with failures in curl's words."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bashkit.network import client
from bashkit.network.client import HttpError, Request, Response

if TYPE_CHECKING:
    from collections.abc import Callable
    from urllib.parse import SplitResult

    from bashkit.interp.utility.process import Process
    from bashkit.network import NetworkPolicy

__all__ = ["HttpError", "Request", "Response", "fetch", "split"]

_DISABLED = (
    "network access is off in this sandbox; network: {{allow: [{host}]}} in the toolset file turns it on, "
    "or Bash(network=NetworkPolicy(allow=[{host!r}]))"
)
_BAD_URL = "URL using bad/illegal format or missing URL"
_BLANK = re.compile(r"[\x00- ]")
_LONGEST_URL = 1 << 16  # characters


def split(url: str) -> tuple[SplitResult, str, int]:
    """Parse a URL; return it with its host and port. Without a scheme it is an http URL.

    Raises:
        HttpError: It is not a URL.
    """
    if len(url) > _LONGEST_URL or _BLANK.search(url):
        raise HttpError("url", _BAD_URL)
    try:
        return client.split(url if "://" in url else f"http://{url}")
    except HttpError as error:
        raise _worded(error, 0.0) from None


def fetch(process: Process, request: Request) -> Response:
    """Send a request and follow its redirects.

    Raises:
        HttpError: It fails, or the policy does not allow it.
    """
    policy: NetworkPolicy | None = process.system.network
    _, host, _ = split(request.url)
    if policy is None:
        raise HttpError("refused", _DISABLED.format(host=host))
    budget = process.budget
    limit = min(budget.limits.max_string_bytes, request.limit or policy.max_response_bytes)
    allowed = min(policy.timeout, request.timeout or policy.timeout, max(0.01, budget.deadline - time.monotonic()))
    received = 0

    def charge(length: int) -> None:
        nonlocal received
        received += length
        budget.hold(length)

    bounded = replace(request, limit=limit, timeout=allowed, allow_user=True, kept=kept_elsewhere, charge=charge)

    send: Callable[[], Any] = partial(process.system.fetch, policy, bounded)
    try:
        response: Response = process.system.call(send, inline=True, timeout=allowed + 1)
    except HttpError as error:
        raise _worded(error, allowed) from None
    except TimeoutError:
        raise _worded(HttpError("timeout", ""), allowed) from None
    finally:
        budget.memory += received  # what is done with the body is charged there
    budget.tick(sum(len(one.body) for one in (*response.history, response)) >> 8)
    return response


def kept_elsewhere(name: str) -> bool:
    """Whether a redirect to another host keeps a header (curl(1), --location)."""
    return name not in {"authorization", "cookie"}


def _worded(error: HttpError, seconds: float) -> HttpError:
    """A failure in curl's words; a failure unknown to curl keeps its own."""
    host, detail = error.host, error.detail
    words = {
        "url": _BAD_URL,
        "scheme": f'Protocol "{detail}" not supported or disabled in libcurl',
        "refused": f"{host}: {detail}",
        "private": f"{host} is a private address, which the network policy never allows",
        "missing": "the host lacks httpx; pip install 'bashkit-toolsets[http]' adds it",
        "resolve": f"Could not resolve host: {host}",
        "connect": f"Failed to connect to {host} port {error.port} after 0 ms: Couldn't connect to server",
        "certificate": f"SSL certificate problem: {detail}",
        "tls": f"TLS connect error: {detail}",
        "timeout": f"Operation timed out after {int(seconds * 1000)} milliseconds with {error.received} bytes received",
        "redirects": f"Maximum ({detail}) redirects followed",
        "size": "Maximum file size exceeded",
        "empty": "Empty reply from server",
        "header": detail,
        "encoding": f"Error while processing content unencoding: {detail}",
        "receive": f"Recv failure: {detail}",
    }
    kind = "refused" if error.kind in {"private", "missing"} else error.kind
    return HttpError(kind, words[error.kind])

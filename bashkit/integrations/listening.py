"""Where a server listens: what the MCP server and the inspector in a browser share, without a library of either."""

from __future__ import annotations

import ipaddress
import socket

from bashkit.errors import BashkitError

_BACKLOG = 2048  # connections that wait to be accepted


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens at ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listener(host: str, port: int) -> socket.socket:
    """A socket that listens, and never blocks; 0 stands for a free port.

    Raises:
        BashkitError: Nobody can listen there.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(_BACKLOG)
    except OSError as error:
        raise BashkitError(f"nobody can listen at {host} port {port}: {error.strerror or error}") from error
    made.setblocking(False)
    return made

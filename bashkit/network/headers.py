"""What headers may be called, and which of them the HTTP client writes itself."""

from __future__ import annotations

import re

HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # RFC 9110, 5.6.2

# with others, a server or a proxy before it could see another request than was checked
FRAMING = frozenset(
    "connection content-length expect host http2-settings keep-alive proxy-authorization proxy-connection te trailer "
    "transfer-encoding upgrade via".split()
)

"""The headers that the HTTP client writes itself."""

# with others, a server or a proxy before it could see another request than was checked
FRAMING = frozenset(
    "connection content-length expect host http2-settings keep-alive proxy-authorization proxy-connection te trailer "
    "transfer-encoding upgrade via".split()
)

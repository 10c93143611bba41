"""Writes bodies of the kind multipart/form-data (RFC 7578)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.toolset.callbacks.http.files import SessionFile

if TYPE_CHECKING:
    from collections.abc import Mapping

KIND = "multipart/form-data"
BINARY = "application/octet-stream"


def multipart(fields: Mapping[str, Any]) -> tuple[str, bytes]:
    """Write a body; return its Content-Type and its content.

    Args:
        fields: The values by name: a SessionFile is sent as a file, an object as JSON, a list as a part for each item.
    """
    import secrets

    boundary = secrets.token_hex(16)
    body = bytearray()
    for name, value in fields.items():
        for item in value if isinstance(value, list) else [value]:
            head, data = _part(name, item)
            body += f"--{boundary}\r\n{head}\r\n\r\n".encode("utf-8", "replace") + data + b"\r\n"
    return f"{KIND}; boundary={boundary}", bytes(body) + f"--{boundary}--\r\n".encode()


def _part(name: str, value: Any) -> tuple[str, bytes]:
    """The headers and the content of one part."""
    import mimetypes

    head = f'Content-Disposition: form-data; name="{_quoted(name)}"'
    if isinstance(value, SessionFile):
        kind = mimetypes.guess_type(value.name)[0] or BINARY
        return f'{head}; filename="{_quoted(value.name or "stdin")}"\r\nContent-Type: {kind}', value.data
    if isinstance(value, str):
        return head, value.encode("utf-8", "surrogateescape")
    kind = "\r\nContent-Type: application/json" if isinstance(value, dict) else ""
    return head + kind, json_text.encode(value).encode("utf-8", "replace")


def _quoted(text: str) -> str:
    """A text between double quotes, escaped as browsers do (HTML Standard, multipart/form-data encoding algorithm)."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")

"""Prepares what curl and wget send and save: form data, credentials, and files named after URLs."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus, unquote, urlsplit

from bashkit.commands._filesystem.lines import slurp

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_BOUNDARY = "------------------------d74496d66958873e"


def content(process: Process, name: str) -> bytes:
    """Read a file, or standard input for ``-``.

    Raises:
        OSError: It cannot be read.
    """
    return slurp(process, process.open(name))


def encode(text: str) -> bytes:
    """Encode text of the command line as bytes."""
    return text.encode("utf-8", "surrogateescape")


def url_encoded(process: Process, text: str) -> bytes:
    """``--data-urlencode``: ``content``, ``=content``, ``name=content``, ``@file`` or ``name@file``."""
    equals, at = text.find("="), text.find("@")
    if equals >= 0 and (at < 0 or equals < at):
        name, data = text[:equals], encode(text[equals + 1 :])
    elif at >= 0:
        name, data = text[:at], content(process, text[at + 1 :])
    else:
        name, data = "", encode(text)
    encoded = quote_plus(data, safe="~").encode()
    return encode(name) + b"=" + encoded if name else encoded


def basic(credentials: str) -> str:
    """The value of ``Authorization`` for ``user:password``."""
    return "Basic " + base64.b64encode(encode(credentials if ":" in credentials else credentials + ":")).decode()


def multipart(process: Process, parts: list[str]) -> tuple[str, bytes]:
    """A ``multipart/form-data`` body of ``-F`` arguments, and its content type.

    Raises:
        OSError: A file cannot be read.
    """
    pieces: list[bytes] = []
    for part in parts:
        name, _, text = part.partition("=")
        fields = text.split(";")
        given = {key: value for key, _, value in (field.strip().partition("=") for field in fields[1:])}
        head = f'Content-Disposition: form-data; name="{name}"'
        if text[:1] in {"@", "<"}:
            data = content(process, fields[0][1:])
            if text[0] == "@":
                head += f'; filename="{given.get("filename") or fields[0].rpartition("/")[2]}"'
                given.setdefault("type", "application/octet-stream")
        else:
            data = encode(fields[0] if "type" in given else text)
        kind = f"\r\nContent-Type: {given['type']}" if "type" in given else ""
        pieces.append(encode(f"--{_BOUNDARY}\r\n{head}{kind}\r\n\r\n") + data + b"\r\n")
    return f"multipart/form-data; boundary={_BOUNDARY}", b"".join(pieces) + encode(f"--{_BOUNDARY}--\r\n")


def remote_name(url: str) -> str:
    """The file name at the end of a URL's path, or empty."""
    return unquote(urlsplit(url if "://" in url else f"http://{url}").path.rpartition("/")[2]).replace("/", "_")


def with_query(url: str, query: bytes) -> str:
    """Add a query to a URL."""
    extra = quote(query, safe="%=&+/:?@!$'()*,;~")
    return f"{url}{'&' if '?' in url else '?'}{extra}" if extra else url

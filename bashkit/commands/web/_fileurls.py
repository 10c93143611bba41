"""``file:`` URLs (RFC 8089): curl reads and writes the session's files by them, without the network."""

from __future__ import annotations

import re
from email.utils import formatdate
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._http import HttpError, Response
from bashkit.commands._notation.counts import clamped

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SCHEME = re.compile("file:", re.IGNORECASE)
_HERE = frozenset({"", "localhost", "127.0.0.1"})
_RANGE = re.compile(r"(\d*)(?:(-)(\d*))?", re.ASCII)


def path_of(url: str) -> str | None:
    """The path of the file that a URL names; None for URLs of other schemes.

    Raises:
        HttpError: It names a file of another host, or none.
    """
    if not _SCHEME.match(url):
        return None
    try:
        parts = urlsplit(url)
        path = unquote(parts.path, errors="surrogateescape")
    except ValueError:
        path = ""
    if not path.startswith("/") or "\0" in path or (parts.hostname or "") not in _HERE:
        raise HttpError("url", "URL using bad/illegal format or missing URL")
    return path


def read(process: Process, path: str, url: str, wanted: str | None) -> Response:
    """Read a file, or the range of its bytes that ``-r`` asks for; a directory has no content.

    Args:
        process: The utility.
        path: The file.
        url: Its URL.
        wanted: The range: ``0-3``, ``4-`` or ``-2``; None for the whole file.

    Raises:
        HttpError: It cannot be read, or has no such range.
    """
    try:
        stat = process.fs.stat(path)
        is_directory = stat.type == "directory"
        data = b"" if is_directory else slurp(process, process.open_file(path))
    except OSError:
        raise HttpError("file", f"Couldn't open file {path}") from None
    headers = [] if is_directory else [("Content-Length", str(len(data))), ("Accept-ranges", "bytes")]
    headers.append(("Last-Modified", formatdate(stat.mtime, usegmt=True)))
    return Response(0, "", "", headers, data if wanted is None else _range(data, wanted), url)


def _range(data: bytes, wanted: str) -> bytes:
    """The bytes of a range.

    Raises:
        HttpError: There are none.
    """
    found = _RANGE.match(wanted)
    assert found is not None  # it matches everything
    first, dash, last = found.groups()
    if dash and not first and last:
        if clamped(last) > len(data):
            raise HttpError("resume", "Couldn't resume download")
        return data[len(data) - clamped(last) :]
    start = clamped(first or "0")
    if start > len(data):
        raise HttpError("resume", "failed to resume file:// transfer")
    end = clamped(last) + 1 if last else len(data)
    if end <= start and last:
        raise HttpError("range", "Requested range was not delivered by the server")
    return data[start:end]


def write(process: Process, path: str, url: str, data: bytes) -> Response:
    """Write a file (``-T``).

    Raises:
        HttpError: It cannot be written.
    """
    try:
        stream = process.create(path)
    except OSError:
        raise HttpError("unwritable", f"Can't open {path} for writing") from None
    try:
        stream.write(data)
    finally:
        process.close(stream)
    return Response(0, "", "", [], b"", url)

"""Turns the contents of an MCP result into text: what is not text becomes a file of the session and a note with its path."""

from __future__ import annotations

import binascii
import errno
import mimetypes
import re
import shlex
from base64 import b64decode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.interp.utility.process import explain
from bashkit.tools import json_text

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_FOLDER = "/tmp"  # noqa: S108 - of the session
_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_MOST_FILES = 10_000  # of one tool


@dataclass(frozen=True, slots=True)
class Contents:
    """How the contents of a result are written.

    Attributes:
        name: The tool, after which files are named.
        reader: The command that reads a resource by its URI, or "".
        process: The command of a shell that made the call; None without a session, where pieces that are no text stay JSON.
        files: The files that were made, with their contents.
    """

    name: str
    reader: str = ""
    process: Process | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    def resource(self, resource: Any) -> str:
        """Write the content of a resource."""
        text = getattr(resource, "text", None)
        if isinstance(text, str):
            return text
        return self._kept(resource.mime_type, resource.blob) or _json(resource)

    def piece(self, piece: Any) -> str:
        """Write a piece of content."""
        if piece.type == "text":
            return str(piece.text)
        if piece.type == "resource":
            return self.resource(piece.resource)
        if piece.type == "resource_link":
            return self._link(piece)
        return self._kept(piece.mime_type, getattr(piece, "data", "")) or _json(piece)

    def _link(self, link: Any) -> str:
        kind = f", {link.mime_type}" if link.mime_type else ""
        how = f"{self.reader} {shlex.quote(str(link.uri))}" if self.reader else str(link.uri)
        return f"[resource {link.title or link.name}{kind}: {how}]"

    def _kept(self, kind: str | None, data: str) -> str:
        """Save data in a file of the session; return the note, or "" if there is no session or no data."""
        try:
            content = b64decode(data, validate=True) if self.process is not None else b""
        except (binascii.Error, ValueError):
            return ""
        if self.process is None or not content:
            return ""
        try:
            place = _save(self.process, self.name, kind or "", content)
        except OSError as error:
            place = explain(error)
        else:
            self.files[place] = content
        return f"[{kind or 'data'}, {len(content)} bytes: {place}]"


def _save(process: Process, name: str, kind: str, data: bytes) -> str:
    """Write a new file and return its path.

    Raises:
        OSError: It cannot be written.
    """
    stem = f"{_FOLDER}/{_OTHER.sub('_', name).strip('_.') or 'mcp'}"
    ending = mimetypes.guess_extension(kind) or ".bin"
    for number in range(1, _MOST_FILES):
        path = f"{stem}-{number}{ending}"
        try:
            stream = process.fs.open(path, write=True, create=True, exclusive=True, mode=0o666 & ~process.umask)
        except FileExistsError:
            continue
        except OSError as error:
            error.filename = path
            raise
        try:
            stream.write(data)
        finally:
            stream.release()
        return path
    raise OSError(errno.EEXIST, "File exists", stem)


def _json(piece: Any) -> str:
    return json_text.encode(piece.model_dump(mode="json", by_alias=True, exclude_none=True))

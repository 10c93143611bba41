"""Resources: the context modules of toolsets, and the files of a session."""

from __future__ import annotations

import base64
import mimetypes
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from bashkit.integrations.mcp.files import find_file
from bashkit.tools.json_text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.integrations.mcp.catalog import Catalog
    from bashkit.integrations.mcp.shell import Shell

_SCHEME = "bashkit"
_MOST = 1_000  # files in one list


def file_uri(key: str, path: str) -> str:
    """The URI of a file of a session."""
    return f"{_SCHEME}://{key}/files{quote(path, errors='surrogateescape')}"


def listed(catalog: Catalog, shells: Mapping[str, Shell]) -> list[dict[str, Any]]:
    """The entries of ``resources/list``, with the files of some shells."""
    found: list[dict[str, Any]] = []
    for key, toolset in catalog.toolsets.items():
        for number, text in enumerate(toolset.context, 1):
            uri = f"{_SCHEME}://{key}/context/{number}"
            found.append({"uri": uri, "name": f"{key} context {number}", "title": _title(text), "mimeType": "text/markdown"})
    for key, shell in shells.items():
        found += [
            {"uri": file_uri(key, path), "name": clean(path), "mimeType": _type(path)}
            for path in shell.files()
            if shell.now is not None and find_file(shell.now, path) is not None
        ][:_MOST]
    return found


def templates(catalog: Catalog) -> list[dict[str, Any]]:
    """The entries of ``resources/templates/list``: a file of a session, by its absolute path."""
    keys = dict.fromkeys(entry.key for entry in catalog.entries.values() if entry.lasts)
    return [{"uriTemplate": f"{_SCHEME}://{key}/files{{+path}}", "name": f"{key} file"} for key in keys]


def read(catalog: Catalog, shells: Mapping[str, Shell], uri: str) -> dict[str, Any] | None:
    """The content of a resource; None if there is none of that URI."""
    scheme, _, place = uri.partition("://")
    key, _, path = place.partition("/")
    kind, _, rest = path.partition("/")
    if scheme != _SCHEME or not rest:
        return None
    if kind == "context" and key in catalog.toolsets and rest.isdecimal():
        texts = catalog.toolsets[key].context
        if 1 <= int(rest[:9]) <= len(texts):
            return {"uri": uri, "mimeType": "text/markdown", "text": clean(texts[int(rest[:9]) - 1])}
    if kind == "files" and key in shells:
        path = "/" + unquote(rest, errors="surrogateescape")
        shell = shells[key]
        data = find_file(shell.now, path) if shell.now is not None else None
        return _content(uri, path, data) if data is not None else None
    return None


def _content(uri: str, path: str, data: bytes) -> dict[str, Any]:
    try:
        return {"uri": uri, "mimeType": _type(path), "text": data.decode()}
    except UnicodeDecodeError:
        return {"uri": uri, "mimeType": _type(path, "application/octet-stream"), "blob": base64.b64encode(data).decode()}


def _type(path: str, other: str = "text/plain") -> str:
    return mimetypes.guess_type(path)[0] or other


def _title(text: str) -> str:
    """The first heading or line of a text."""
    return clean(next((line.lstrip("# ").strip() for line in text.splitlines() if line.strip()), ""))[:100]

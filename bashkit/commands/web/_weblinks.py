"""Finds the links in pages and lists, and names downloaded files (GNU wget manual, Directory Options)."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments

_LINKS = {
    "a": "href", "area": "href", "body": "background", "embed": "src", "frame": "src", "iframe": "src", "img": "src",
    "input": "src", "layer": "src", "link": "href", "object": "data", "script": "src", "source": "src", "table": "background",
    "td": "background", "th": "background", "video": "src", "audio": "src",
}  # fmt: skip
_ENDINGS = {
    "text/html": ((".html", ".htm"), ".html"),
    "application/xhtml+xml": ((".html", ".htm"), ".html"),
    "text/css": ((".css",), ".css"),
}


class _Links(HTMLParser):
    """Collects the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "base":
            self.base = given.get("href") or self.base
        link = given.get(_LINKS.get(tag, ""))
        if link:
            self.found.append(link)


def links(text: str) -> tuple[str, list[str]]:
    """The base URL that a page declares, or empty, and its links in order."""
    parser = _Links()
    try:
        parser.feed(text)
        parser.close()
    except AssertionError:
        pass  # what comes after a broken declaration is lost
    return parser.base, parser.found


def resolved(link: str, base: str) -> str | None:
    """Resolve a link to an absolute URL without its fragment; None if it needs a base and there is none."""
    if "://" not in link and not base:
        return None
    try:
        return urldefrag(urljoin(base, link) if base else link)[0]
    except ValueError:
        return None


def local_name(url: str, arguments: Arguments) -> str:
    """The file for a URL: its last path component, with its directories if requested."""
    parts = urlsplit(url)
    *above, base = [unquote(part) for part in parts.path.lstrip("/").split("/")]
    base = (base or arguments.get("default-page") or "index.html").replace("/", "_")
    folders: list[str] = []
    if "x" in arguments:
        cut = arguments.get("cut-dirs") or "0"
        kept = [part.replace("/", "_") for part in above if part not in {"", ".", ".."}]
        folders = kept[int(cut[:9]) if cut.isdecimal() else 0 :]
        if "no-host-directories" not in arguments:
            folders.insert(0, parts.netloc.rpartition("@")[2])
        if "protocol-directories" in arguments:
            folders.insert(0, parts.scheme)
    prefix = (arguments.get("P") or "").rstrip("/")
    return "/".join([*([prefix] if prefix or arguments.get("P") else []), *folders, base])


def with_ending(name: str, kind: str) -> str:
    """``--adjust-extension``: add the extension of the content type to a name."""
    endings, wanted = _ENDINGS.get(kind, ((), ""))
    return name if not wanted or name.lower().endswith(endings) else name + wanted

"""Finds the links in pages and lists, and names downloaded files (GNU wget manual, Directory Options)."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.limits import Budget

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


# Each of these takes what it takes once and for all, so that a page is read in time linear in its length.
_MARKUP = re.compile(r"<!--|<([A-Za-z][^\s/>]*+)|<[!?/]")
_ATTRIBUTE = re.compile(r"""(?>[\s/]++|=)*+(?:([^\s/>=]++)(?>\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]*+)))?+|>)""")
_UNMARKED = {"script", "style"}  # elements whose content is no markup
_LONGEST = 4096  # characters of a link


def links(text: str, budget: Budget) -> tuple[str, list[str]]:
    """The base URL that a page declares, or empty, and its links in order (HTML Living Standard, 13.2.5 Tokenization).

    What begins and does not end before the page does, such as a comment, is no markup.
    """
    base, found = "", []
    position = 0
    while (markup := _MARKUP.search(text, position)) is not None:
        budget.tick(2)
        tag = (markup[1] or "").lower()
        if not tag:
            ending = "-->" if markup[0] == "<!--" else ">"
            position = text.find(ending, markup.end()) + 1
        else:
            given, position = _attributes(text, markup.end(), budget)
            link = html.unescape(given.get("href" if tag == "base" else _LINKS.get(tag, ""), "")[:_LONGEST])
            if tag == "base":
                base = link or base
            elif link and position:
                found.append(link)
        if tag in _UNMARKED and position:
            closing = re.compile(f"</{tag}", re.IGNORECASE).search(text, position)
            position = closing.start() if closing is not None else 0
        if not position:
            break
    return base, found


def _attributes(text: str, position: int, budget: Budget) -> tuple[dict[str, str], int]:
    """The attributes of a tag, and where it ends; 0 if it does not."""
    given: dict[str, str] = {}
    while (found := _ATTRIBUTE.match(text, position)) is not None:
        budget.tick()
        position = found.end()
        if found[1] is None:
            return given, position
        given.setdefault(found[1].lower(), found[2] or found[3] or found[4] or "")
    return given, 0


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
        folders = kept[int(cut[:9]) if is_digits(cut) else 0 :]
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

"""Follows the pages of an answer: by its Link header, by an address or a cursor in its body, or by counting."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from bashkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.network.client import Response

_LINK = re.compile(r"<([^>]*)>((?:\s*;\s*[^\s=;,]+\s*=\s*(?:\"[^\"]*\"|[^\s;,\"]+))*)")
_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"(?:[^\"]*\s)?next(?:\s[^\"]*)?\"|next(?=[\s;,]|$))", re.IGNORECASE)
_CURSORS = frozenset(
    {"next", "nextcursor", "nextpagetoken", "nextpage", "nexttoken", "nextlink", "continuationtoken", "nextmarker"}
)
_ITEMS = ("items", "data", "results", "values", "value", "records", "entries", "elements")
_ADDRESS = ("http://", "https://", "/", "?")


@dataclass(frozen=True, slots=True)
class Pages:
    """How the pages of an answer follow each other. Addresses of a next page are followed in any case.

    Attributes:
        all: The argument that asks for all pages.
        cursor: The query parameter that takes the cursor of an answer, or "".
        page: The query parameter that counts pages, or "".
        offset: The query parameter that counts items, or "".
        first: The number of the first page.
    """

    all: str = "all"
    cursor: str = ""
    page: str = ""
    offset: str = ""
    first: int = 1

    def after(self, answer: Response, value: Any, url: str, counted: bool = True) -> str | None:
        """Return the URL of the page after ``answer``; None if it is the last.

        Args:
            answer: The answer.
            value: Its body.
            url: Its URL.
            counted: Whether an answer that says nothing of a next page may have one: not where one before it has named its next.
        """
        link = answer.header("link")
        if link is not None:
            target = _next_link(link)
            return urljoin(url, target) if target else None
        found = list(_cursors(value))
        if found:
            cursor = next((one for one in found if one), None)
            return None if cursor is None else self._by_cursor(cursor, url)
        if isinstance(value, dict) and isinstance(value.get("has_more"), bool):
            return self._by_last_item(value, url)
        return self._by_counting(len(items_of(value) or ()), url) if counted else None

    def _by_cursor(self, cursor: str | int, url: str) -> str | None:
        if isinstance(cursor, str) and cursor.startswith(_ADDRESS):
            return urljoin(url, cursor)
        name = self.cursor or (self.page if isinstance(cursor, int) or cursor.isdecimal() else "")
        return _with(url, name, str(cursor)) if name else None

    def _by_last_item(self, value: Mapping[str, Any], url: str) -> str | None:
        """The page after one that says only whether there are more: the cursor is the ID of its last item."""
        items = items_of(value)
        if not value["has_more"] or not items:
            return None
        last = items[-1].get("id") if isinstance(items[-1], dict) else None
        return _with(url, self.cursor, str(last)) if self.cursor and last is not None else self._by_counting(len(items), url)

    def _by_counting(self, count: int, url: str) -> str | None:
        name = self.page or self.offset
        if not count or not name:
            return None
        given = dict(parse_qsl(urlsplit(url).query)).get(name, "")
        if given and not given.isdecimal():
            return None
        start = int(given) if given else self.first if self.page else 0
        return _with(url, name, str(start + (1 if self.page else count)))


def names_next(answer: Response, value: Any) -> bool:
    """Whether an answer itself names the page after it."""
    return answer.header("link") is not None or any(_cursors(value))


def items_of(value: Any) -> list[Any] | None:
    """The list in a page that the next page goes on with; None if there is none."""
    path = _path(value)
    if path is None:
        return None
    for step in path:
        value = value[step]
    found: list[Any] = value
    return found


def add(whole: Any, page: Any) -> Any:
    """Add the items of the next page to those before. What else the pages have is as in the last one.

    Raises:
        ToolError: A page has no list.
    """
    before, more = items_of(whole), items_of(page)
    if before is None or more is None:
        raise ToolError("the pages cannot be joined: there is not one list in them")
    before += more
    return _replaced(page, _path(page) or (), before)


def same_origin(one: str, other: str) -> bool:
    """Whether two URLs have the same scheme, host and port."""
    return urlsplit(one)[:2] == urlsplit(other)[:2]


def _replaced(value: Any, path: tuple[str, ...], items: list[Any]) -> Any:
    return value | {path[0]: _replaced(value[path[0]], path[1:], items)} if path else items


def _path(value: Any, depth: int = 0) -> tuple[str, ...] | None:
    """Where in a page its list is: the page itself, its only list, one with a usual name, or the like inside an object."""
    if isinstance(value, list):
        return ()
    if not isinstance(value, dict) or depth > 1:
        return None
    lists = [key for key, inner in value.items() if isinstance(inner, list)]
    if lists:
        named = [key for key in _ITEMS if key in lists]
        return (named[0],) if named else (lists[0],) if len(lists) == 1 else None
    inner = [(key, path) for key in value if (path := _path(value[key], depth + 1)) is not None]
    return (inner[0][0], *inner[0][1]) if len(inner) == 1 else None


def _next_link(header: str) -> str | None:
    """The target of the link with the relation ``next`` (RFC 8288)."""
    return next((match[1] for match in _LINK.finditer(header) if _NEXT.search(match[2])), None)


def _cursors(value: Any, depth: int = 0) -> Iterator[str | int | None]:
    """The cursors in a page: None or "" for one that says that there is no next page."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if re.sub("[^a-z]", "", key.lower().removeprefix("@odata.")) in _CURSORS:
            target = inner.get("href") if isinstance(inner, dict) else inner
            if target is None or (isinstance(target, (str, int)) and not isinstance(target, bool)):
                yield target
        elif depth == 0 and isinstance(inner, dict):
            yield from _cursors(inner, 1)


def _with(url: str, name: str, text: str) -> str:
    """The URL with another value for a parameter of its query."""
    parts = urlsplit(url)
    pairs = [(key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True) if key != name]
    return parts._replace(query=urlencode([*pairs, (name, text)]), fragment="").geturl()

"""What an operation of a document is: a method, with media types, of which JSON is preferred, then forms and text."""

from __future__ import annotations

from typing import Any

METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
FORM = "application/x-www-form-urlencoded"
_TEXT_ENDINGS = ("/xml", "+xml", "/yaml", "+yaml", "/javascript", "json-seq", "jsonl")


def json_media(content: Any) -> tuple[str, dict[str, Any] | None]:
    """The first kind of content that is JSON; None without one."""
    for kind, media in content.items() if isinstance(content, dict) else ():
        plain = kind.partition(";")[0].strip().lower()
        if (plain in {"application/json", "*/*"} or plain.endswith("+json")) and isinstance(media, dict):
            return "application/json" if plain == "*/*" else kind, media
    return "", None


def other_media(content: Any) -> tuple[str, dict[str, Any] | None]:
    """The first kind of content that is a form or text; None without one."""
    for kind, media in content.items() if isinstance(content, dict) else ():
        if (kind == FORM or kind.startswith("text/")) and isinstance(media, dict):
            return kind, media
    return "", None


def is_text(kind: str) -> bool:
    """Whether a media type is text, though perhaps not JSON."""
    plain = kind.partition(";")[0].strip().lower()
    return plain.startswith("text/") or plain.endswith(_TEXT_ENDINGS) or plain == FORM

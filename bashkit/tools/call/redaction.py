"""Removes secrets, and details of the host in exception texts, from everything that scripts see."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError, ToolError, is_failure
from bashkit.syntax.escapes import well_formed
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bashkit.tools.define.definition import Errors

_MASK = "***"
_HIDDEN_PATH = "<path>"
_LONGEST = 500  # maximum characters of a message
_LONGEST_OWN = 1 << 16  # the same, of one that is meant for the script
_READ = 4 * _LONGEST  # maximum characters that are examined

# repeats are bounded so that a text of any length is searched in linear time
_KEYWORD = r"(?:passw(?:or)?d|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential)[\w.-]{0,40}"
_SECRET = rf"[\w.-]{{0,40}}{_KEYWORD}"
_QUOTED = r"\"[^\"]{0,999}\"|'[^']{0,999}'"
_CREDENTIALS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"(?<=://)[^\s/'\"]+(?=@)", _MASK),  # of a URL
        (rf"(?P<quote>['\"])({_SECRET}=)(?:(?!(?P=quote)).){{0,999}}(?P=quote)", rf"\1\2{_MASK}\1"),  # '--password=some words'
        (rf"((?=[pstac]){_KEYWORD}=)(?:{_QUOTED}|[^\s&,;'\"]+)", rf"\1{_MASK}"),  # password=word, password='some words'
        (rf"(--{_SECRET}(?:\s+|['\"],\s*))(?:{_QUOTED}|[^\s'\",]+)", rf"\1{_MASK}"),  # --password word, '--password', 'word'
        (rf"(['\"]{_SECRET}['\"]\s*:\s*)(?:{_QUOTED}|[^\s,}}]+)", rf"\1{_MASK}"),  # "password": "some words"
        (r"\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}", rf"\1{_MASK}"),
        (r"\b(authorization['\"]?\s*[:=]\s*['\"]?)(?!(?:bearer|basic)\b)[^\s'\"]+", rf"\1{_MASK}"),
    )
)
_FILE_URL = re.compile(r"\b(?:file|unix|sqlite[\w+]{0,40}):/[^\s'\"<>]*", re.IGNORECASE)
_NAME = r"[^\s/'\"<>|:;,()\\]+"
_PATH = re.compile(
    r"(?P<quote>['\"])(?:file:/*)?(?:/[^/'\"]+/|~/|[A-Za-z]:[\\/]|\\\\)(?:(?!(?P=quote)).)*(?P=quote)"
    rf"|(?<![\w/.])(?:/{_NAME}){{2,}}/?(?:(?:[ ]{_NAME}){{1,4}}(?:/{_NAME})+/?)*"  # a name may contain spaces
    r"|(?:\b[A-Za-z]:[\\/]|\\\\)[^\s'\"]+(?:(?:[ ][^\s'\"\\]+){1,4}\\[^\s'\"]+)*"
    r"|~/[^\s'\"]+"
)
_PLAIN = re.compile(r"[A-Za-z0-9._~-]+")  # looks the same wherever it stands
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")


class Secrets:
    """Masks the values of secrets in outputs, as they are, and as JSON and URLs have them. It prevents accidents (a callback that
    prints its configuration), but cannot stop a callback that encodes a secret on purpose.

    Args:
        values: The secrets; empty ones are ignored.
    """

    __slots__ = ("_encoded", "_values")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = sorted({form for value in values if value for form in _forms(value)}, key=len, reverse=True)
        self._encoded = [value.encode("utf-8", "surrogateescape") for value in self._values]

    def text(self, text: str) -> str:
        """Replace every secret in ``text`` by ``***``."""
        for value in self._values:
            text = text.replace(value, _MASK)
        return text

    def settled(self, data: bytes) -> int:
        """How many bytes at the beginning of ``data`` need not wait for what follows: a secret may begin in the others."""
        end = len(data) - max((_begun(secret, data) for secret in self._encoded), default=0)
        if end < len(data):  # a secret that is there is not cut in two
            for secret in self._encoded:
                place = data.find(secret)
                while place >= 0 and place + len(secret) <= end:
                    place = data.find(secret, place + len(secret))
                if 0 <= place < end:
                    end = place
        return end

    def bytes(self, data: bytes) -> bytes:
        """Replace every secret in ``data`` by ``***``."""
        for secret in self._encoded:
            data = data.replace(secret, _MASK.encode())
        return data

    def data(self, value: Any) -> Any:
        """Replace every secret in the texts of a JSON value."""
        if not self._values:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self.data(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.data(inner) for inner in value]
        return value


def _begun(secret: bytes, data: bytes) -> int:
    """How many bytes at the end of ``data`` may be the beginning of a secret."""
    lengths = range(min(len(secret) - 1, len(data)), 0, -1)
    return next((length for length in lengths if data.endswith(secret[:length])), 0)


def _forms(value: str) -> set[str]:
    """A secret as it is, as JSON and Python write it between quotes, and as URLs have it."""
    if _PLAIN.fullmatch(value):
        return {value}
    from urllib.parse import quote, quote_plus

    written = {json_text.encode(value)[1:-1], json.dumps(value)[1:-1], repr(value)[1:-1]}
    data = well_formed(value).encode("utf-8", "surrogateescape")
    return {value, *written, quote(data, safe=""), quote(data), quote_plus(data)}


def explained(error: BaseException, errors: Errors | None, secrets: Secrets) -> str:
    """What a script reads about an exception of a callback.

    Args:
        error: The exception.
        errors: ``message`` or ``type``: what to say of any exception but a ToolError. None: the message of a ValueError or
            LookupError, which are raised for the caller, and the type of all others.
        secrets: The values to mask.

    Returns:
        The message of a ToolError without credentials, at most 64 Ki characters of it; one line without host paths, object
        addresses and credentials for all others.
    """
    if isinstance(error, ToolError):
        text = secrets.text(error.message)
        return _without_credentials(text if len(text) <= _LONGEST_OWN else text[:_LONGEST_OWN] + "…")
    kind = type(error).__name__
    expected = isinstance(error, (ValueError, LookupError, BashkitError)) and not isinstance(error, OSError)
    if errors == "type" or not (errors == "message" or expected):
        return kind
    return _line(secrets.text(_message(error))) or kind


def _message(error: BaseException) -> str:
    try:
        if isinstance(error, KeyError) and len(error.args) == 1:  # its str() is a repr
            key = error.args[0]
            return key if isinstance(key, str) and " " in key else f"KeyError: {key!r}"
        return str(error)
    except BaseException as wrong:  # a __str__ of the host's
        if not is_failure(wrong):
            raise
        return ""


def _line(text: str) -> str:
    """The first line, cut."""
    text = next(iter(text[:_READ].strip().splitlines()), "")
    text = _PATH.sub(_HIDDEN_PATH, _without_credentials(text))
    text = _ADDRESS.sub("0x…", text)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _without_credentials(text: str) -> str:
    """Replace passwords and tokens of URLs and command lines, and URLs of files."""
    for pattern, replacement in _CREDENTIALS:
        text = pattern.sub(replacement, text)
    return _FILE_URL.sub(_HIDDEN_PATH, text)

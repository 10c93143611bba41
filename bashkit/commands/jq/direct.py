"""Programs that only follow paths, run without a worker: most of what scripts ask of jq is ``.name`` or ``.items[] | .id``.

To ask a worker costs two switches between processes, to follow a path a few microseconds. Only what certainly comes out as libjq has
it is answered here: no fractions, no integers of more than fifteen digits, no error, no text that is not UTF-8. Everything else is the
worker's, which begins anew.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Filter = Callable[[list[Any]], list[Any]]

_LARGEST = 1 << 16  # bytes of input: beyond it a worker is as fast
_LONGEST = 200  # bytes of a program
_LARGEST_OUTPUT = 1 << 24  # bytes, were every value as large as the input
_MOST_VALUES = 10_000
_MOST_OPENERS = 2_000  # brackets and braces, so that nothing nests deeper
_COMPACT, _PRETTY = 0, 1 | 2 << 8  # the flags of libjq's jv_dump_string for the two usual layouts

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_SUFFIX = re.compile(rf'\.?\[\s*(?:(?P<index>-?[0-9]{{1,9}})|"(?P<key>[^"\\]*)"|(?P<each>))\s*\]|\.(?P<name>{_NAME})|\."(?P<quoted>[^"\\]*)"')
_DELICATE = re.compile(r"[0-9]{16}|-0")  # where found in a string, it costs only the short way


class _NotHereError(Exception):
    """A worker must answer."""


def answer(request: Mapping[str, Any]) -> bytes | None:
    """What the program prints, its status being 0; None where a worker must answer.

    Args:
        request: As for a worker, its inputs at hand.
    """
    steps = _compiled(request["program"])
    if steps is None or not _is_usual(request):
        return None
    data = request["inputs"][0][1]
    if len(data) > _LARGEST or data.count(b"[") + data.count(b"{") > _MOST_OPENERS:
        return None
    try:
        text = data.decode()
        if _DELICATE.search(text):
            return None
        values = list(_parsed(text))
        for step in steps:
            values = step(values)
            if len(values) > _MOST_VALUES or len(values) * len(data) > _LARGEST_OUTPUT:
                return None
        return _printed(values, request).encode()
    except (_NotHereError, ValueError, RecursionError):
        return None


def _is_usual(request: Mapping[str, Any]) -> bool:
    """Whether the options are such that only the program and one input count."""
    arguments = request["arguments"]
    if request["terminator"] not in {b"\n", b""}:
        return False
    plain = not (request["null_input"] or request["raw_input"] or request["slurp"] or request["seq"] or request["exit_status"])
    layout = request["flags"] in {_COMPACT, _PRETTY} and not request["parser_flags"] and not request["unbuffered"]
    inputs = request["inputs"]
    return plain and layout and not arguments["named"] and not arguments["positional"] and len(inputs) == 1 and isinstance(inputs[0][1], bytes)


# ------------------------------------------------------------------------------------------------------------- programs


@lru_cache(maxsize=512)
def _compiled(program: bytes) -> tuple[Filter, ...] | None:
    """The stages of a pipeline of paths, or None for any other program."""
    if len(program) > _LONGEST:
        return None
    try:
        text = program.decode("ascii")
        return tuple(_stage(stage) for stage in _split(text, "|"))
    except (UnicodeDecodeError, _NotHereError):
        return None


def _split(text: str, separator: str) -> list[str]:
    """The parts between separators outside of quotes."""
    parts = [""]
    for piece in re.findall(r'"[^"\\]*"|[^"]|"', text):
        if piece == separator:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _stage(text: str) -> Filter:
    terms = [_term(term.strip(" \t\n")) for term in _split(text, ",")]
    if len(terms) == 1:
        return terms[0]

    def stage(values: list[Any]) -> list[Any]:
        return [found for value in values for term in terms for found in term([value])]

    return stage


def _term(text: str) -> Filter:
    if text in _FUNCTIONS:
        function = _FUNCTIONS[text]
        return lambda values: [function(value) for value in values]
    if not text.startswith(".") or text.startswith(".."):
        raise _NotHereError
    rest = text if text[1:2].isalpha() or text[1:2] in {"_", '"'} else text[1:]
    steps: list[Filter] = []
    position = 0
    while position < len(rest):
        match = _SUFFIX.match(rest, position)
        if match is None:
            raise _NotHereError
        position = match.end()
        steps.append(_suffix(match))

    def follow(values: list[Any]) -> list[Any]:
        for step in steps:
            values = step(values)
        return values

    return follow


def _suffix(match: re.Match[str]) -> Filter:
    if match["each"] is not None:
        return lambda values: [inner for value in values for inner in _each(value)]
    if match["index"] is not None:
        index = int(match["index"])
        return lambda values: [_item(value, index) for value in values]
    key = next(match[name] for name in ("name", "quoted", "key") if match[name] is not None)
    return lambda values: [_field(value, key) for value in values]


def _field(value: Any, key: str) -> Any:
    if value.__class__ is dict:
        return value.get(key)
    if value is None:
        return None
    raise _NotHereError


def _item(value: Any, index: int) -> Any:
    if value.__class__ is list:
        return value[index] if -len(value) <= index < len(value) else None
    if value is None:
        return None
    raise _NotHereError


def _each(value: Any) -> Any:
    if value.__class__ is list:
        return value
    if value.__class__ is dict:
        return value.values()
    raise _NotHereError


def _length(value: Any) -> int:
    if value.__class__ in {str, list, dict}:
        return len(value)
    if value is None:
        return 0
    raise _NotHereError


def _keys(value: Any) -> list[Any]:
    if value.__class__ is dict:
        return sorted(value)
    if value.__class__ is list:
        return list(range(len(value)))
    raise _NotHereError


_FUNCTIONS: dict[str, Callable[[Any], Any]] = {"length": _length, "keys": _keys}


# ----------------------------------------------------------------------------------------------------- input and output


def _refuse(_: str) -> NoReturn:
    raise _NotHereError


_decode = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse).raw_decode
_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_pretty = json.JSONEncoder(ensure_ascii=False, separators=(",", ": "), indent=2).encode
_BLANKS = re.compile(r"[ \t\r\n]*")


def _parsed(text: str) -> Iterator[Any]:
    position = _BLANKS.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    while position < len(text):
        value, position = _decode(text, position)
        yield value
        after = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # as above
        if after == position < len(text):  # where one value ends and another begins is libjq's to say
            raise _NotHereError
        position = after


def _printed(values: list[Any], request: Mapping[str, Any]) -> str:
    encode = _pretty if request["flags"] else _compact
    raw = request["raw_output"]
    terminator = request["terminator"].decode()
    texts = [value if raw and value.__class__ is str else encode(value) for value in values]
    if any("\x7f" in text for text in texts):  # which libjq writes as an escape inside of JSON
        raise _NotHereError
    return "".join([text + terminator for text in texts])

"""Many inputs in one run of a program: what a pure program does to each line of JSON, it can do to an array of them.

libjq spends less on such an input than a call of it from Python costs. So the lines of a large input go through the program some
thousands at a time, wherever nobody can tell the difference: the program is made of functions that look at their input only,
and a batch with an error, or with text that is no row of whole JSON values, is done again value by value.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAST = 8192  # bytes of input that are worth a second program
_BATCH = 1 << 16  # bytes of one batch
_MOST_RESULTS = 200_000  # of one batch: a program that makes more goes on value by value
_PRETTY, _SORTED, _TAB, _INDENT = 1, 8, 64, 7 << 8
_WORD = re.compile(rb'"(?:[^"\\]|\\.)*"|\.\s*[A-Za-z_]\w*|\$\s*[A-Za-z_]\w*|@?[A-Za-z_][\w:]*|#', re.DOTALL)
_PURE = frozenset(
    b"""
    if then elif else end and or not select map map_values length utf8bytelength keys keys_unsorted values has in contains inside
    add any all flatten type empty tostring tonumber tojson fromjson ascii_downcase ascii_upcase ltrimstr rtrimstr startswith
    endswith split join test explode implode floor ceil round sqrt sort sort_by group_by min max min_by max_by unique unique_by
    reverse to_entries from_entries with_entries del first last nulls booleans numbers strings arrays objects iterables scalars
    index rindex indices isvalid null true false abs trim ltrim rtrim as error @text @json @csv @tsv @html @uri @sh @base64 @base64d
    """.split()
)
_ELEMENT = re.compile(rb",\n(?![ \t])")


def batched_program(program: bytes, request: dict[str, Any]) -> bytes | None:
    """The program that does what ``program`` does to each element of an array; None where that could be told apart.

    Args:
        program: Its text.
        request: What else was asked for.
    """
    flags = request["flags"]
    if any(
        request[key] for key in ("null_input", "raw_input", "slurp", "seq", "unbuffered", "exit_status", "parser_flags", "prefix")
    ):
        return None
    if (
        flags & ~(_PRETTY | _SORTED | _TAB | _INDENT)
        or request["terminator"] == b"\0"
        or (flags & _SORTED and not flags & _PRETTY)
    ):
        return None
    if len(request["inputs"]) != 1 or not isinstance(request["inputs"][0][1], bytes) or len(request["inputs"][0][1]) < _LEAST:
        return None
    for word in _WORD.findall(program):
        if word.startswith(b'"'):
            if b"\\(" in word and not all(
                inner in _PURE for inner in re.findall(rb"(?<![.$\w])[A-Za-z_]\w*", b"".join(_inside(word)))
            ):
                return None
        elif word[:1] == b"$":
            if word[1:].strip() in {b"__loc__", b"__prog_args", b"ENV"}:
                return None
        elif word[:1] != b"." and word not in _PURE:
            return None
    if program.count(b"[]") > 1:
        return None  # they may multiply
    made = b"(" + program + b"\n)"
    if not flags & _PRETTY:
        made += b"|tostring" if request["raw_output"] else b"|tojson"
    return b"[.[]|" + made + b"]"


def _inside(text: bytes) -> Iterator[bytes]:
    r"""What stands in the ``\(…)`` of a string."""
    for piece in text.split(b"\\(")[1:]:
        yield piece.rpartition(b")")[0]


def slices(content: bytes) -> Iterator[bytes]:
    """Pieces of the input that end where a line does."""
    start = 0
    while start < len(content):
        cut = content.rfind(b"\n", start, start + _BATCH) + 1 if len(content) - start > _BATCH else len(content)
        if not cut:
            return
        yield content[start:cut]
        start = cut


def written(array: bytes, request: dict[str, Any]) -> bytes | None:
    """What jq writes for the results in an array.

    Args:
        array: Its JSON text, laid out with the flags of the request.
        request: What was asked for.
    """
    end: bytes = request["terminator"]
    if array == b"[]":
        return b""
    if not request["flags"] & _PRETTY:
        texts = json.loads(array)
        if len(texts) > _MOST_RESULTS:
            return None
        return (end.decode().join(texts) + end.decode()).encode()
    indent = b"\t" if request["flags"] & _TAB else b" " * (request["flags"] >> 8 & 7)
    body = array[2 + len(indent) : -2].replace(b"\n" + indent, b"\n")
    if not request["raw_output"] and end == b"\n":
        return _ELEMENT.sub(b"\n", body) + end
    if body.startswith(b'"'):
        values = json.loads(array)
        if set(map(type, values)) == {str}:
            return (end.decode().join(values) + end.decode()).encode()
    pieces = _ELEMENT.split(body)
    if request["raw_output"]:
        pieces = [json.loads(piece).encode() if piece.startswith(b'"') else piece for piece in pieces]
    return end.join(pieces) + end

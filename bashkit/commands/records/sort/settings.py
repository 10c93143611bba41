"""What sort's options and keys say."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import clamped, is_count, unclamped
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands._notation.sizes import no_size
from bashkit.commands.records.sort.keys import DIGIT_KINDS, Key, Order
from bashkit.interp.utility.command import ArgumentError, Arguments, UsageError
from bashkit.regex.cache import for_short_texts
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_POSITION = re.compile(r"\s*\+?([0-9]+)(?:\.\s*\+?([0-9]+))?([bdfgiMhnRrV]*)", re.ASCII)
_NAMES = {
    "general-numeric": "g", "human-numeric": "h", "month": "M", "numeric": "n", "random": "R", "version": "V",
}  # fmt: skip
KINDS = tuple((name,) for name in _NAMES)
_CHECKS = (("quiet", "silent"), ("diagnose-first",))
_FEWEST = 2  # files of a merge
_OBSOLETE = re.compile(r"([-+])([0-9]+)(?:\.([0-9]+))?([bdfgiMhnRrV]*)").fullmatch
_CLUSTER = re.compile("-[bcCdfghimMnrRsuVz]*[koStT]").fullmatch  # letters of which the last takes the next word
_TAKERS = (
    "key", "output", "field-separator", "buffer-size", "temporary-directory", "random-source", "sort", "batch-size",
    "compress-program", "files0-from", "parallel",
)  # fmt: skip
_DIGITS = 18  # maximum digits of a position; longer ones are beyond any line
_SALT = 16  # bytes


def _with(order: Order, letters: str, *, end: bool | None = None) -> Order:
    """Add letters to ``order``; ``b`` applies to the beginning, the end, or both (None)."""
    for letter in letters:
        if letter == "b":
            order = replace(order, skip_start=order.skip_start or end is not True, skip_end=order.skip_end or end is not False)
        elif letter in DIGIT_KINDS:
            order = replace(order, kind="R" if order.kind == "R" else letter)
        else:
            order = replace(
                order,
                dictionary=order.dictionary or letter == "d",
                fold=order.fold or letter == "f",
                printing=order.printing or letter == "i",
                reverse=order.reverse or letter == "r",
            )
    return order


def _position(text: str, part: str, *, first: bool) -> tuple[int, int, str]:
    """The field, the character (0: none) and the letters of ``part``, the ``first`` or second position of the key ``text``.

    Raises:
        UsageError: It is malformed.
    """
    found = _POSITION.match(part)
    if found is None:
        where = f"at field start: {_no_count(text)}" if first else f"after ',': {_no_count(part)}"
        raise UsageError(f"invalid number {where}", hint=False)
    field, char, rest = int(found[1][:_DIGITS]), int((found[2] or "0")[:_DIGITS]), part[found.end() :]
    if not field:
        raise UsageError(f"field number is zero: invalid field specification {mention(text)}", hint=False)
    if rest.startswith(".") and not (found[2] or found[3]):
        raise UsageError(f"invalid number after '.': {_no_count(rest[1:])}", hint=False)
    if first and found[2] and not char:
        raise UsageError(f"character offset is zero: invalid field specification {mention(text)}", hint=False)
    if rest:
        raise UsageError(f"stray character in field spec: invalid field specification {mention(text)}", hint=False)
    return field, char, found[3]


def _no_count(text: str) -> str:
    return f"invalid count at start of {mention(text)}"


@for_short_texts(256)
def read_key(text: str, default: Order) -> Key:
    """Read one ``-k``.

    Raises:
        UsageError: It is malformed.
    """
    start, comma, end = text.partition(",")
    field, char, letters = _position(text, start, first=True)
    order = _with(Order(), letters, end=False)
    end_field = end_char = 0
    if comma:
        end_field, end_char, more = _position(text, end, first=False)
        letters += more
        order = _with(order, more, end=True)
    _refuse_contradiction(letters)
    return Key(field, char or 1, end_field, end_char, order if order != Order() else default)


def _refuse_contradiction(letters: str) -> None:
    """Refuse two ways of comparing for one key; dictionary order, random order and versions do without each other silently."""
    if len(letters) < 2:
        return
    ways = sum(letter in letters for letter in "ghMn") + any(letter in letters for letter in "diRV")
    if ways > 1:
        shown = letters.replace("i", "") if "d" in letters else letters
        found = "".join(letter for letter in "dfghiMnRV" if letter in shown)
        raise UsageError(f"options '-{found}' are incompatible", hint=False)


def _default_order(arguments: Arguments) -> Order:
    letters = "".join(key for key, _ in arguments.given if len(key) == 1 and key in "bdfgiMhnRrV")
    kind = arguments.get("sort")
    if kind is not None:
        letters += _NAMES[choose("--sort", kind, KINDS)]
    _refuse_contradiction(letters)
    return _with(Order(), letters)


def default_order(arguments: Arguments, texts: list[str]) -> Order:
    """The order of the options; of what no key inherits only the direction counts, and it may contradict itself."""
    try:
        return _default_order(arguments)
    except UsageError:
        unset = Order()
        if not texts or any(read_key(text, unset).order == unset for text in texts):
            raise
        return Order(reverse="r" in arguments)


def separator_of(arguments: Arguments) -> bytes | None:
    """The byte between fields, if ``-t`` names one.

    Raises:
        UsageError: It names none, or more than one.
    """
    texts = arguments.all("t")
    if not texts:
        return None
    if "" in texts:
        raise UsageError("empty tab", hint=False)
    text = texts[-1]
    if text == "\\0":
        return b"\0"
    separator = text.encode("utf-8", "surrogateescape")
    if len(separator) > 1:
        raise UsageError(f"multi-character tab {mention(text)}", hint=False)
    if len(set(texts)) > 1:
        raise UsageError("incompatible tabs", hint=False)
    return separator


def opened(open_file: Callable[[str], Stream], name: str) -> Stream:
    """A file that an option names.

    Raises:
        UsageError: It cannot be opened.
    """
    try:
        return open_file(name)
    except OSError as error:
        raise UsageError(f"open failed: {name}: {error.strerror}", hint=False) from None


def salt(process: Process, source: str | None) -> bytes:
    """What the random order depends on."""
    if source is None:
        return process.system.random.randbytes(_SALT)
    salt = opened(process.open, source).read(_SALT)
    if len(salt) < _SALT:
        raise UsageError(f"{quote(source)}: end of file", hint=False)
    return salt


def checked(arguments: Arguments) -> str:
    """``c`` or ``C`` where the order is only checked, else nothing.

    Raises:
        UsageError: Both are asked for.
    """
    letters = {
        "C" if key == "C" or (word and choose("--check", word, _CHECKS) == "quiet") else "c"
        for key, word in arguments.given
        if key in {"c", "C", "check"}
    }
    if len(letters) > 1:
        raise UsageError("options '-cC' are incompatible", hint=False)
    return "".join(letters)


def check_buffer(text: str) -> None:
    """Refuse what is not a size."""
    found = re.fullmatch(r"[ \t-\r]*\+?([0-9]+)(.*)", text, re.DOTALL)
    if found is None or found[2] not in {"", *"%bkKmMgGtTPEZY"}:
        raise no_size(text)
    power = 0 if found[2] in {"%", "b"} else 1 + "KMGTPEZY".index(found[2].upper() or "K")
    if unclamped(found[1]) * 1024**power >= 1 << 64:
        raise ArgumentError("{} argument", f"{quote(text)} too large")


def check_batch(text: str) -> None:
    """Refuse what is not a number of files that can be merged at once."""
    if not is_count(text):
        raise no_size(text)
    if clamped(text) < _FEWEST:
        least = f"\nsort: minimum --batch-size argument is {mention(str(_FEWEST))}"
        raise ArgumentError("invalid {} argument", mention(text) + least)


def check_parallel(text: str) -> None:
    """Refuse what is not a number of threads."""
    if not is_count(text):
        raise no_size(text)
    if not clamped(text):
        raise UsageError("number in parallel must be nonzero", hint=False)


def rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``+1 -2`` into ``-k 2,2``.

    Raises:
        UsageError: What follows ``+1`` begins as ``-2`` does and is malformed.
    """
    result: list[str] = []
    begun = False
    rest = iter(words)
    for word in rest:
        if word == "--":
            return [*result, word, *rest]
        old = _OBSOLETE(word)
        field, char = (int(old[2][:_DIGITS]), int((old[3] or "0")[:_DIGITS])) if old else (0, 0)
        if old and old[1] == "+":
            result.append(f"-k{field + 1}.{char + 1}{old[4]}")
            begun = True
            continue
        if begun and word[:1] == "-" and is_digits(word[1:2]):
            if old is None:
                _position(word, word[1:], first=False)
            else:
                result[-1] += f",{field + 1}.{char}{old[4]}" if char else f",{field or 1}{old[4]}"
        else:
            result.append(word)
            if _CLUSTER(word) or (word.startswith("--") and any(name.startswith(word[2:]) for name in _TAKERS)):
                result += islice(rest, 1)
        begun = False
    return result

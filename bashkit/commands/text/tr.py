"""tr: translate, squeeze or delete bytes (POSIX XCU tr, GNU coreutils manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import MOST
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag
from bashkit.limits import Charge, turn
from bashkit.syntax.digits import SPACE

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_ALL = bytes(range(256))
_LONGEST = 24  # digits of a repeat count; longer ones are beyond a machine word
_CLASSES = {
    "alnum": b"0-9A-Za-z", "alpha": b"A-Za-z", "blank": b" \t", "cntrl": b"\\x00-\\x1f\\x7f", "digit": b"0-9", "graph": b"!-~",
    "lower": b"a-z", "print": b" -~", "punct": b"!-/:-@\\[-`{-~", "space": b"\\t-\\r ", "upper": b"A-Z", "xdigit": b"0-9A-Fa-f",
}  # fmt: skip
_ESCAPES = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a set.

    Attributes:
        members: Its bytes in order.
        kind: The name of a character class, ``repeat`` for ``[x*n]``, or "".
        count: How often a repeat stands, 0 for as often as needed.
    """

    members: bytes
    kind: str = ""
    count: int = 1


def _class(name: str) -> bytes:
    if not name:
        raise UsageError("missing character class name '[::]'", hint=False)
    if name not in _CLASSES:
        raise UsageError(f"invalid character class {mention(name)}", hint=False)
    return b"".join(re.findall(b"[" + _CLASSES[name] + b"]", _ALL))


_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[0-7]{1,2}")
_BRACKET = (ord("["), False)
_ESCAPED = "\uffff"  # stands for a character behind a backslash, which is part of no construct
_NAMED = re.compile(r"\[([:=])(.*?)\1\]", re.DOTALL)
_REPEAT = re.compile(rf"\[.\*([^]{_ESCAPED}]*)\]", re.DOTALL)


class _Reader:
    """Splits the text of a set into pieces.

    Args:
        text: The set.
        warnings: What is odd about it is added to these.
    """

    def __init__(self, text: str, warnings: list[str]) -> None:
        self._warnings = warnings
        self._units = self._unescape(text.encode("utf-8", "surrogateescape").decode("latin-1"))

    def _unescape(self, text: str) -> list[tuple[int, bool]]:
        """Each byte, and whether it was escaped."""
        units: list[tuple[int, bool]] = []
        index = 0
        while index < len(text):
            char = text[index]
            index += 1
            turn()
            if char != "\\":
                units.append((ord(char), False))
                continue
            octal = _OCTAL.match(text, index)
            if octal is not None:
                units.append((int(octal[0], 8), True))
                index += len(octal[0])
                if len(octal[0]) == 2 and text[index : index + 1] in tuple("01234567"):
                    self._warnings.append(
                        f"warning: the ambiguous octal escape \\{octal[0]}{text[index]} is being\n"
                        f"\tinterpreted as the 2-byte sequence \\0{octal[0]}, {text[index]}"
                    )
            elif index < len(text):
                units.append((_ESCAPES.get(text[index], ord(text[index])), True))
                index += 1
            else:
                self._warnings.append("warning: an unescaped backslash at end of string is not portable")
                units.append((92, True))
        return units

    def pieces(self) -> list[_Piece]:
        result: list[_Piece] = []
        plain = bytearray()  # characters that stand for themselves
        charge = Charge()
        index = 0
        units = self._units
        while index < len(units):
            turn()
            bracket = self._bracket(index) if units[index] == _BRACKET else None
            if bracket is not None:
                result += _Piece(bytes(plain)), bracket[0]
                plain.clear()
                index = bracket[1]
            elif index + 2 < len(units) and units[index + 1] == (45, False):
                low, high = units[index][0], units[index + 2][0]
                if low > high:
                    shown = f"{_show(low)}-{_show(high)}"
                    raise UsageError(f"range-endpoints of '{shown}' are in reverse collating sequence order", hint=False)
                plain += bytes(range(low, high + 1))
                charge.reach(len(plain))
                index += 3
            else:
                plain.append(units[index][0])
                index += 1
        result.append(_Piece(bytes(plain)))
        return [piece for piece in result if piece.members]

    def _bracket(self, index: int) -> tuple[_Piece, int] | None:
        """Parse ``[:class:]``, ``[=x=]`` or ``[x*n]`` at ``index``."""
        units = self._units[index : index + 40]
        plain = "".join(chr(byte) if not escaped else _ESCAPED for byte, escaped in units)
        repeat = _REPEAT.match(plain)
        found = _NAMED.match(plain)
        if found is not None and not (repeat is not None and plain[2] == "*" and _bad_name(found)):
            text = "".join(chr(byte) for byte, _ in units[2 : found.end() - 2])
            members = _class(text) if found[1] == ":" else _equivalence(text)
            return _Piece(members, text if found[1] == ":" else "equivalence"), index + found.end()
        if repeat is None:
            return None
        return _Piece(bytes([units[1][0]]), "repeat", _repeat_count(repeat[1])), index + repeat.end()


def _bad_name(found: re.Match[str]) -> bool:
    """Whether what stands between ``[:`` and ``:]``, or the like, is no name of a class."""
    return found[2] not in _CLASSES if found[1] == ":" else len(found[2]) != 1


def _equivalence(text: str) -> bytes:
    """The class of a single character."""
    if not text:
        raise UsageError("missing equivalence class character '[==]'", hint=False)
    if len(text) != 1:
        raise UsageError(f"{text}: equivalence class operand must be a single character", hint=False)
    return text.encode("latin-1")


def _repeat_count(digits: str) -> int:
    """The ``n`` of ``[x*n]``, octal behind a zero; 0 where it is left out."""
    if not re.fullmatch(r"(?:[ \t-\r]*\+?(?:0[0-7]*|[1-9][0-9]*))?", digits):
        raise UsageError(f"invalid repeat count {mention(digits)} in [c*n] construct", hint=False)
    number = digits.lstrip(SPACE).removeprefix("+")
    significant = number.lstrip("0")[:_LONGEST]
    count = int(significant, 8 if number.startswith("0") else 10) if significant else 0
    if count > 2 * MOST:
        raise UsageError(f"invalid repeat count {mention(digits)} in [c*n] construct", hint=False)
    return count


def _show(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _expand(pieces: list[_Piece], length: int) -> bytes:
    """The bytes of a set, with its open repeat filled up to ``length``."""
    fixed = sum(len(piece.members) * piece.count if piece.kind == "repeat" else len(piece.members) for piece in pieces)
    parts: list[bytes] = []
    for piece in pieces:
        if piece.kind != "repeat":
            parts.append(piece.members)
        else:
            parts.append(piece.members * min(piece.count or max(length - fixed, 0), 256))
    return b"".join(parts)


def _complement(members: bytes) -> bytes:
    return bytes(byte for byte in range(256) if byte not in members)


def _second(
    first: bytes, first_pieces: list[_Piece], pieces: list[_Piece], *, truncate: bool, complement: bool
) -> tuple[bytes, bytes]:
    """Extend both sets to the same length for translating.

    Raises:
        UsageError: They do not go together.
    """
    if any(piece.kind == "equivalence" for piece in pieces):
        raise UsageError("[=c=] expressions may not appear in string2 when translating", hint=False)
    if any(piece.kind and piece.kind not in ("upper", "lower", "repeat") for piece in pieces):
        raise UsageError(
            "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'", hint=False
        )
    if sum(1 for piece in pieces if piece.kind == "repeat" and not piece.count) > 1:
        raise UsageError("only one [c*] repeat construct may appear in string2", hint=False)
    second = _expand(pieces, len(first))
    if not complement and not _aligned(first_pieces, pieces, len(first)):
        raise UsageError("misaligned [:upper:] and/or [:lower:] construct", hint=False)
    extended = len(second) < len(first) and not truncate
    if extended and pieces and pieces[-1].kind in ("upper", "lower"):
        raise UsageError(
            "when translating with string1 longer than string2,\nthe latter string must not end with a character class",
            hint=False,
        )
    if extended:
        if not second:
            raise UsageError("when not truncating set1, string2 must be non-empty", hint=False)
        second += second[-1:] * (len(first) - len(second))
    to_one = len(second) == len(first) and len(set(second)) == 1
    if complement and not to_one and any(piece.kind in _CLASSES for piece in first_pieces):
        raise UsageError(
            "when translating with complemented character classes,\nstring2 must map all characters in the domain to one",
            hint=False,
        )
    return first[: len(second)], second[: len(first)]


def _aligned(first: list[_Piece], second: list[_Piece], length: int) -> bool:
    """Whether each case class of the second set stands across from one of the first."""
    places: set[int] = set()
    position = 0
    for piece in first:
        if piece.kind in ("upper", "lower"):
            places.add(position)
        position += len(piece.members)
    for index, piece in enumerate(second):
        if piece.kind in ("upper", "lower") and len(_expand(second[:index], length)) not in places:
            return False
    return True


def _check_counts(operands: list[str], *, delete: bool, squeeze: bool) -> None:
    wanted = 2 if delete == squeeze else 1
    if not operands:
        raise UsageError("missing operand")
    if len(operands) < wanted:
        reason = (
            "Two strings must be given when both deleting and squeezing repeats."
            if delete
            else "Two strings must be given when translating."
        )
        raise UsageError(f"missing operand after {mention(operands[0])}\n{reason}")
    most = 1 if delete and not squeeze else 2
    if len(operands) > most:
        reason = (
            "\nOnly one string may be given when deleting without squeezing repeats." if most == 1 and len(operands) == 2 else ""
        )
        raise UsageError(f"extra operand {mention(operands[most])}{reason}")


class _Plan:
    """What a command line does to bytes.

    Attributes:
        table: What becomes of each byte; None if all stay what they are.
        delete: The bytes that go.
        squeeze: The bytes of which one stands for all that follow each other.
        repeats: Finds those; None if there are none.
        warnings: What is odd about the sets.
        refusal: Why they are refused, behind the warnings: a message, and whether a pointer to the help follows.
    """

    def __init__(self, arguments: Arguments) -> None:
        self.table: bytes | None = None
        self.delete = self.squeeze = b""
        self.repeats: re.Pattern[bytes] | None = None
        self.warnings: list[str] = []
        self.refusal: tuple[str, bool] | None = None
        try:
            self._read(arguments)
        except UsageError as error:
            self.refusal = error.message, error.hint

    def _read(self, arguments: Arguments) -> None:
        delete, squeeze, complement = "d" in arguments, "s" in arguments, "c" in arguments
        _check_counts(arguments.operands, delete=delete, squeeze=squeeze)
        pieces = [_Reader(text, self.warnings).pieces() for text in arguments.operands]
        if any(piece.kind == "repeat" and not piece.count for piece in pieces[0]):
            raise UsageError("the [c*] repeat construct may not appear in string1", hint=False)
        if delete and any(piece.kind == "repeat" and not piece.count for piece in pieces[-1]):
            raise UsageError("the [c*] construct may appear in string2 only when translating", hint=False)
        first = _expand(pieces[0], 0)
        if complement:
            first = _complement(first)
        if delete:
            self.delete = first
        if squeeze:
            self.squeeze = _expand(pieces[1], 256) if len(pieces) > 1 else first
        if self.squeeze:
            members = b"".join(re.escape(bytes([byte])) for byte in sorted(set(self.squeeze)))
            self.repeats = re.compile(b"([" + members + rb"])\1+", re.DOTALL)
        if len(pieces) > 1 and not delete:
            source, target = _second(first, pieces[0], pieces[1], truncate="t" in arguments, complement=complement)
            mapping = bytearray(_ALL)
            for old, new in dict(zip(source, target, strict=False)).items():  # the last one counts; a set may repeat each often
                mapping[old] = new
            self.table = bytes(mapping)


class _Translation:
    """Transforms the input block by block."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._last = b""

    def apply(self, block: bytes) -> bytes:
        """The output for the next block."""
        plan = self._plan
        block = block.translate(plan.table, plan.delete)
        if plan.repeats is None or not block:
            return block
        last = self._last
        if last and last in plan.squeeze:
            block = block.lstrip(last)
            if not block:
                return block
        self._last = block[-1:]
        return plan.repeats.sub(rb"\1", block)


@command(
    "tr",
    usage="[OPTION]... STRING1 [STRING2]",
    summary="Translate, squeeze, and/or delete characters from standard input, writing to standard output.",
    options=(
        flag("-c", "-C", "--complement", help="use the complement of STRING1"),
        flag("-d", "--delete", help="delete characters in STRING1, do not translate"),
        flag("-s", "--squeeze-repeats", help="replace each sequence of a repeated character in the last STRING by one"),
        flag("-t", "--truncate-set1", help="first truncate STRING1 to length of STRING2"),
    ),
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Translate standard input."""
    plan = arguments.once(_Plan)
    for warning in plan.warnings:
        process.warn(warning)
    if plan.refusal is not None:
        message, hint = plan.refusal
        raise UsageError(message, hint=hint)
    translation = _Translation(plan)
    while block := process.stdin.read():
        process.budget.tick(1 + (len(block) >> 8))
        process.stdout.write(translation.apply(block))
    return 0

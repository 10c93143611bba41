"""Prints and checks message digests of files (GNU coreutils manual, cksum and md5sum invocations)."""

from __future__ import annotations

import errno
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import parts_of_lines, slurp
from bashkit.commands._notation.quoting import quote_if_needed
from bashkit.interp.utility.command import Arguments, UsageError, flag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.interp.utility.process import Process

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_LOUDNESS = ("quiet", "status", "w")  # of which the last one counts
_LONGEST = 1 << 14  # characters of a line that names a file
_UNTAGGED = re.compile(r"[ \t]*\\?([0-9a-fA-F]+)[ \t](.+)", re.DOTALL)
_TAGGED = re.compile(r"[ \t]*\\?([A-Za-z0-9]+)(?:-([^ (]*))?( {0,2})\((.*)\)[ \t]*=[ \t]*([0-9a-fA-F]+)", re.DOTALL)
_TAG = re.compile(r"[ \t]*\\?([A-Za-z0-9]+)[- (]")

OPTIONS = (
    flag("-b", "--binary", help="read in binary mode"),
    flag("-c", "--check", help="read checksums from the FILEs and check them"),
    flag("--tag", help="create a BSD-style checksum"),
    flag("-t", "--text", help="read in text mode (default)"),
    flag("-z", "--zero", help="end each output line with NUL, not newline, and disable file name escaping"),
    flag("--ignore-missing", help="don't fail or report status for missing files"),
    flag("--quiet", help="don't print OK for each successfully verified file"),
    flag("--status", help="don't output anything, status code shows success"),
    flag("--strict", help="exit non-zero for improperly formatted checksum lines"),
    flag("-w", "--warn", help="warn about improperly formatted checksum lines"),
)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A digest.

    Attributes:
        tag: Its name in BSD-style lines.
        name: Its name in hashlib.
        bits: Its length in bits; BLAKE2b can be shortened.
    """

    tag: str
    name: str
    bits: int

    @property
    def most(self) -> int:
        """The bits of the digest that is not shortened."""
        return 512 if self.name == "blake2b" else self.bits

    def digest(self, process: Process, file: str) -> str:
        """The digest of a file in hexadecimal.

        Raises:
            OSError: It cannot be read.
        """
        if self.name == "blake2b":
            state = hashlib.blake2b(digest_size=self.bits // 8)
        else:
            state = hashlib.new(self.name, usedforsecurity=False)  # type: ignore[assignment]  # the same methods
        for block in process.open(file).blocks():
            process.budget.tick(len(block) >> 9)
            state.update(block)
        return state.hexdigest()


def run(process: Process, arguments: Arguments, algorithm: Algorithm, *, tagged: bool) -> int:
    """Print or check the digests of the operands.

    Args:
        process: The utility.
        arguments: Parsed with OPTIONS.
        algorithm: The digest.
        tagged: Print BSD-style lines.
    """
    checking = "c" in arguments
    if "tag" in arguments and arguments.last("b", "t", "tag") == "t":
        raise UsageError("--tag does not support --text mode")
    if checking and "z" in arguments:
        raise UsageError("the --zero option is not supported when verifying checksums")
    if checking and "tag" in arguments and process.name != "cksum":
        raise UsageError("the --tag option is meaningless when verifying checksums")
    if checking and {"b", "t"} & {key for key, _ in arguments.given}:
        raise UsageError("the --binary and --text options are meaningless when verifying checksums")
    refuse_without_check(arguments)
    files = arguments.operands or ["-"]
    if checking:
        return max([_Check(process, arguments, (algorithm,), file).run() for file in files])
    status = 0
    for file in files:
        try:
            digest = algorithm.digest(process, file)
        except OSError as error:
            process.warn(f"{quote_if_needed(file)}: {error.strerror}")
            status = 1
            continue
        process.write(_line(arguments, algorithm, digest, file, tagged=tagged))
    return status


def refuse_without_check(arguments: Arguments) -> None:
    """Raise UsageError where an option is given that only says how to check."""
    if "c" in arguments:
        return
    for key in ("ignore-missing", arguments.last(*_LOUDNESS), "strict"):
        if key is not None and key in arguments:
            raise UsageError(f"the --{'warn' if key == 'w' else key} option is meaningful only when verifying checksums")


def check(process: Process, arguments: Arguments, algorithms: Sequence[Algorithm], *, by_length: bool = False) -> int:
    """Check the operands, whose lines name one of several algorithms; with ``by_length`` the digest may tell which by its own."""
    files = arguments.operands or ["-"]
    return max([_Check(process, arguments, algorithms, file, by_length=by_length).run() for file in files])


def _line(arguments: Arguments, algorithm: Algorithm, digest: str, file: str, *, tagged: bool) -> str:
    end = "\0" if "z" in arguments else "\n"
    shown = file if "z" in arguments else "".join(_ESCAPES.get(char, char) for char in file)
    prefix = "\\" if shown != file else ""
    if tagged:
        return f"{prefix}{algorithm.tag} ({shown}) = {digest}{end}"
    return f"{prefix}{digest} {'*' if arguments.last('b', 't') == 'b' else ' '}{shown}{end}"


class _Check:
    """Checks the lines of one file of checksums."""

    def __init__(
        self, process: Process, arguments: Arguments, algorithms: Sequence[Algorithm], file: str, *, by_length: bool = False
    ) -> None:
        self._by_length = by_length
        self._process = process
        self._arguments = arguments
        self._loudness = arguments.last(*_LOUDNESS)
        self._algorithms = algorithms
        self._file = file
        self._reversed: bool | None = None
        self._named = "CRC " if process.name == "cksum" else ""  # the algorithm of messages where several may be meant
        if len(algorithms) == 1:
            self._named = f"{algorithms[0].tag} "
        self._malformed = self._unreadable = self._mismatched = self._proper = self._matched = 0

    def run(self) -> int:
        """Check every line and return the exit status."""
        process = self._process
        try:
            data = slurp(process, process.open(self._file))
        except OSError as error:
            problem = "read error" if error.errno == errno.EISDIR else error.strerror
            process.warn(f"{quote_if_needed(self._file)}: {problem}")
            return 1
        process.budget.string(len(data))
        shown = quote_if_needed("standard input" if self._file == "-" else self._file)
        for number, line in enumerate(self._lines(data), 1):
            process.budget.tick(5)
            line = line.removesuffix("\r")
            if not line or line.startswith("#"):
                continue
            parsed = self._parse(line)
            if parsed is None:
                self._malformed += 1
                if self._loudness == "w":
                    process.warn(f"{shown}: {number}: improperly formatted {self._named}checksum line")
            else:
                self._verify(*parsed)
        if not self._proper:
            process.warn(f"{shown}: no properly formatted checksum lines found")
            return 1
        self._summarize(shown)
        failed = self._mismatched or self._unreadable or (self._malformed and "strict" in self._arguments)
        return 1 if failed or not self._matched else 0

    def _lines(self, data: bytes) -> Iterator[str]:
        for part in parts_of_lines(data, self._process.budget):
            yield from part.decode("utf-8", "surrogateescape").split("\n")

    def _parse(self, line: str) -> tuple[Algorithm, str, str] | None:
        if len(line) > _LONGEST:
            return None
        tag = _TAG.match(line)
        algorithm = None if tag is None else next((known for known in self._algorithms if _is_tag(tag[1], known)), None)
        parsed = self._parse_untagged(line) if algorithm is None else self._parse_tagged(line, algorithm)
        if parsed is None or parsed[2] == self._file == "-":  # standard input has the checksums
            return None
        algorithm, digest, name = parsed
        if line.startswith("\\"):
            name = re.sub(r"\\([\\nr])", lambda found: {"n": "\n", "r": "\r"}.get(found[1], "\\"), name)
        return algorithm, digest.lower(), name

    def _parse_tagged(self, line: str, algorithm: Algorithm) -> tuple[Algorithm, str, str] | None:
        """Parse ``TAG (NAME) = DIGEST``; behind the tag of BLAKE2b may stand a length."""
        cksum = self._process.name == "cksum"
        if cksum and len(self._algorithms) > 1:
            self._named = f"{algorithm.tag} "
        match = _TAGGED.fullmatch(line)
        if match is None or (match[3] == "  " and not cksum):
            return None
        if match[2] is not None:
            bits = int(match[2]) if re.fullmatch("[0-9]{1,3}", match[2]) else 0
            if not 0 < bits <= algorithm.most or bits % 8:
                return None
            if algorithm.name != "blake2b" and not (cksum and bits == algorithm.bits):
                return None
            algorithm = Algorithm(algorithm.tag, algorithm.name, bits)
        elif algorithm.name == "blake2b":
            algorithm = Algorithm(algorithm.tag, algorithm.name, algorithm.most)
        return (algorithm, match[5], match[4]) if len(match[5]) * 4 == algorithm.bits else None

    def _parse_untagged(self, line: str) -> tuple[Algorithm, str, str] | None:
        """Parse ``DIGEST  NAME``, or ``DIGEST NAME`` in a file that begins in this form of BSD's ``md5 -r``."""
        match = _UNTAGGED.fullmatch(line)
        if match is None:
            return None
        digest, name = match.groups()
        bits = len(digest) * 4
        fitting = [known for known in self._algorithms if known.bits == bits]
        if len(self._algorithms) > 1 and not (self._by_length and fitting):
            return None
        algorithm = fitting[0] if fitting else self._algorithms[0]
        if algorithm.name == "blake2b" and bits <= algorithm.most and not bits % 8:
            algorithm = Algorithm(algorithm.tag, algorithm.name, bits)
        marked = len(name) > 1 and name[0] in " *"
        self._reversed = self._reversed if self._reversed is not None else not marked
        if bits != algorithm.bits or not (marked or self._reversed):
            return None
        return algorithm, digest, name if self._reversed else name[1:]

    def _verify(self, algorithm: Algorithm, digest: str, name: str) -> None:
        self._proper += 1
        silent = self._loudness == "status"
        shown = "\\" + name.replace("\\", "\\\\").replace("\n", "\\n") if "\n" in name else name
        try:
            actual = algorithm.digest(self._process, name)
        except OSError as error:
            if "ignore-missing" in self._arguments and isinstance(error, FileNotFoundError):
                return
            self._process.warn(f"{quote_if_needed(name)}: {error.strerror}")
            self._unreadable += 1
            if not silent:
                self._process.write(f"{shown}: FAILED open or read\n")
            return
        if actual == digest:
            self._matched += 1
            if not silent and self._loudness != "quiet":
                self._process.write(f"{shown}: OK\n")
            return
        self._mismatched += 1
        if not silent:
            self._process.write(f"{shown}: FAILED\n")

    def _summarize(self, shown: str) -> None:
        if self._loudness == "status":
            return
        for count, one, many in (
            (self._malformed, "line is improperly formatted", "lines are improperly formatted"),
            (self._unreadable, "listed file could not be read", "listed files could not be read"),
            (self._mismatched, "computed checksum did NOT match", "computed checksums did NOT match"),
        ):
            if count:
                self._process.warn(f"WARNING: {count} {one if count == 1 else many}")
        if "ignore-missing" in self._arguments and not self._matched:
            self._process.warn(f"{shown}: no file was verified")


def _is_tag(tag: str, algorithm: Algorithm) -> bool:
    """Whether the name in a tagged line is an algorithm's, whose own may have a length."""
    return tag == algorithm.tag.partition("-")[0]
